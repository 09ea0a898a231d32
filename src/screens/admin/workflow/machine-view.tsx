import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { EmptyBox, ErrorBox, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { Diagram } from './diagram/diagram.tsx';
import { passedIn } from './passed.ts';
import { StepsTable } from './steps-table.tsx';
import type { useMachine } from './use-machine.ts';

interface Props {
  readonly product: Of<'product'>;
  readonly machine: ReturnType<typeof useMachine>;
}

/** The machine with where it stands; why there is none to see, and what helps. */
export function MachineView({ product, machine }: Props) {
  const t = useText();
  const reasonOf = useProblemText();
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
      return (
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
