import { useId, useState } from 'react';
import { Step } from 'semantic-ui-react';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { ShowAllButton } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { WaitText } from '../app/page/status/product-status.tsx';
import { stepAhead, wayOf } from './history.ts';
import { useStateName } from './task.tsx';
import './stepper.css';

interface Props {
  readonly product: Of<'product'>;
}

/**
 * Shows which steps of the workflow are done, which it is at and whom that waits for, and what comes
 * next. Where it is narrow, the present step alone, and the others on request.
 */
export function Stepper({ product }: Props) {
  const t = useText();
  const id = useId();
  const nameOf = useStateName();
  const [isOpen, setOpen] = useState(false);
  const { state, rows } = useList('productTransition', { product: product.id });
  const way = wayOf(rows, product.workflowState);
  if (product.workflowState !== null && state === 'loading')
    return <div className="stepper is-loading" aria-hidden />;
  if (way.length === 0) return null;
  const names = stepAhead(rows, product.workflowState)?.allowedUserNames ?? null;
  const number = way.findIndex(({ is }) => is === 'now') + 1;

  return (
    <section className={isOpen ? 'stepper is-open' : 'stepper'} aria-label={t('flow.steps')}>
      <div className="stepper-head">
        <span>{t('flow.stepOf', { number, total: way.length })}</span>
        <ShowAllButton of={id} isOpen={isOpen} onToggle={setOpen} />
      </div>
      <Step.Group as="ol" id={id}>
        {way.map(({ state: name, is }, index) => (
          <Step
            key={name}
            as="li"
            active={is === 'now'}
            completed={is === 'done'}
            aria-current={is === 'now' ? 'step' : undefined}
          >
            <span className="step-mark" aria-hidden>
              {is === 'done' ? <Icon name="check" /> : index + 1}
            </span>
            <Step.Content>
              <Step.Title>{nameOf(name)}</Step.Title>
              {is !== 'now' && (
                <span className="out-of-sight">
                  , {t(is === 'done' ? 'flow.stepDone' : 'flow.stepNext')}
                </span>
              )}
              {is === 'now' && (
                <Step.Description>
                  <WaitText product={product}>
                    {names !== null && t('flow.handedOverTo', { names })}
                  </WaitText>
                </Step.Description>
              )}
            </Step.Content>
          </Step>
        ))}
      </Step.Group>
    </section>
  );
}
