import type { MachineShape } from '#protocol/workflow.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { FilesTable } from '../../products/files-table.tsx';
import type { Passed } from './passed.ts';
import { useStateName } from '../../flow/task.tsx';
import { useGivenName } from './use-step-words.ts';

interface Props {
  readonly shape: MachineShape;
  readonly present: string;
  readonly passed: Passed;
}

/** Says in words what the diagram shows. */
export function StepsTable({ shape, present, passed }: Props) {
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
