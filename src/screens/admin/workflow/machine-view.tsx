import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { EmptyBox, ErrorBox, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { useServerErrorText } from '../../app/page/late/server-error.tsx';
import { Diagram } from './diagram/diagram.tsx';
import { passedIn } from './passed.ts';
import type { useMachine } from './use-machine.ts';
import type { MachineShape } from '#protocol/workflow.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { FilesTable } from '../../products/files-table.tsx';
import type { Passed } from './passed.ts';
import { useStateName } from '../../flow/task.tsx';
import { useGivenName } from './use-step-words.ts';

interface MachineViewProps {
  readonly product: Of<'product'>;
  readonly machine: ReturnType<typeof useMachine>;
}

/** The machine with where it stands; why there is none to see, and what helps. */
export function MachineView({ product, machine }: MachineViewProps) {
  const t = useText();
  const reasonOf = useProblemText();
  const serverErrorTextOf = useServerErrorText();
  const { known, tryAgain } = machine;
  const { rows } = useList('productTransition', { product: product.id });
  const { workflowState: present } = product;
  switch (known.is) {
    case 'none':
      return (
        <EmptyBox icon="sync" title={t('workflow.none')}>
          {t('workflow.noneText')}
        </EmptyBox>
      );
    case 'coming':
      return <Skeleton rows={6} />;
    case 'no-answer':
      return known.serverError !== undefined ? (
        <ErrorBox title={t('workflow.diagramRefused')} onTryAgain={tryAgain}>
          {serverErrorTextOf(known.serverError)}
        </ErrorBox>
      ) : (
        <EmptyBox
          icon="cloudOff"
          title={t('workflow.noDiagram')}
          action={<Button onClick={tryAgain}>{t('common.tryAgain')}</Button>}
        >
          {t('workflow.noDiagramText')}
        </EmptyBox>
      );
    case 'refused':
      return (
        <ErrorBox title={t('workflow.diagramRefused')} onTryAgain={tryAgain}>
          {reasonOf(known.problem)}
        </ErrorBox>
      );
    case 'told': {
      if (present === null) return null;
      const drawn = { shape: known.value, present, passed: passedIn(rows) };
      return (
        <>
          <Diagram {...drawn} />
          <StepsTable {...drawn} />
        </>
      );
    }
  }
}

interface StepsTableProps {
  readonly shape: MachineShape;
  readonly present: string;
  readonly passed: Passed;
}

/** Says in words what the diagram shows. */
function StepsTable({ shape, present, passed }: StepsTableProps) {
  const t = useText();
  const nameOf = useStateName();
  const givenOf = useGivenName();
  return (
    <details className="files-box">
      <summary>
        <h2>{t('workflow.steps')}</h2>
      </summary>
      <FilesTable
        label={t('workflow.steps')}
        columns={['workflow.from', 'workflow.given', 'workflow.who', 'workflow.to']}
      >
        {shape.steps.map((step) => (
          <tr
            role="row"
            key={`${step.from} ${step.given} ${step.to} ${step.who ?? ''}`}
            className={step.from === present ? 'is-turn' : ''}
          >
            <Cell label={t('workflow.from')}>
              {nameOf(step.from)}
              {step.from === present && ` (${t('workflow.here')})`}
            </Cell>
            <Cell label={t('workflow.given')}>{givenOf(step)}</Cell>
            <Cell label={t('workflow.who')}>{t(`workflow.who.${step.who ?? 'engine'}`)}</Cell>
            <Cell label={t('workflow.to')}>
              {nameOf(step.to)}{' '}
              {passed.went(step) && <Icon name="check" label={t('workflow.legend.passed')} />}
            </Cell>
          </tr>
        ))}
      </FilesTable>
    </details>
  );
}
