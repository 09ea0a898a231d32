import type { Of } from '#schema/index.ts';
import { useChanges, useList } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { splitAtElement } from '#ui/text/split-at-element.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useProductStatus } from '../../app/page/status/product-status.tsx';
import { stepAhead, waitsSince, wayOf } from '../../flow/history.ts';
import { useStateName } from '../../flow/task.tsx';

interface Props {
  readonly product: Of<'product'>;
}

/** A step that waits longer is marked. */
const LONG_MS = 7 * 24 * 3_600_000;

/** The step that the product is at, for how long, and who is to take it. */
export function ProductStep({ product }: Props) {
  const t = useText();
  const { status } = useChanges();
  const state = product.workflowState;
  if (product.version === 0)
    return (
      <p className="soft">
        {status === 'offline' ? t('products.startsWhenSent') : t('products.starting')}
      </p>
    );
  if (state === null) return null;
  return <Step product={product} state={state} />;
}

interface StepProps extends Props {
  readonly state: string;
}

function Step({ product, state }: StepProps) {
  const t = useText();
  const nameOf = useStateName();
  const { rows } = useList('productTransition', { product: product.id });
  const way = wayOf(rows, state);
  const done = way.filter(({ is }) => is === 'done').length;
  return (
    <p className="product-step">
      {way.length > 1 && (
        <span className="product-place">
          <span className="product-way" aria-hidden>
            {way.map(({ state: name, is }) => (
              <span key={name} data-is={is} />
            ))}
          </span>
          <span>{t('flow.stepOf', { number: done + 1, total: way.length })}</span>
        </span>
      )}
      <strong>{nameOf(state)}</strong>
      <Waiting product={product} rows={rows} />
    </p>
  );
}

interface WaitingProps extends Props {
  readonly rows: readonly Of<'productTransition'>[];
}

/**
 * "Waiting 3 days for Berta Builder", without what the status beside the name says of it; of a step
 * that goes by itself "Working for 2 minutes".
 */
function Waiting({ product, rows }: WaitingProps) {
  const t = useText();
  const { clock } = useUiEnvironment();
  const status = useProductStatus(product);
  const step = stepAhead(rows, product.workflowState);
  const since = waitsSince(rows);
  if (step === null || since === null) return null;
  const names = step.allowedUserNames;
  const isNamed =
    status.is === 'waiting-for-you' || (status.is === 'waiting' && status.person !== null);
  const [before, after] = splitAtElement((time) => {
    if (names === null) return t('products.working', { time });
    if (isNamed) return t('products.waitingTime', { time });
    return t('products.waiting', { time, names });
  });
  const isLong = clock() - Date.parse(since) > LONG_MS;
  return (
    <span className={isLong ? 'product-wait is-long' : 'product-wait'}>
      {isLong && <Icon name="warning" />}
      <span>
        {before}
        <RelativeTime at={since} isSpan />
        {after}
        {names === null && <HowFar product={product.id} />}
      </span>
    </span>
  );
}

/**
 * Says what the engine answers about the build or publication that runs; nothing while neither
 * does.
 */
function HowFar({ product }: { readonly product: string }) {
  const textOf = useTextOf();
  const { rows: builds } = useList('productBuild', { product, success: { isNull: true } });
  const { rows: publications } = useList('productPublication', {
    product,
    success: { isNull: true },
  });
  const [running] = [...publications, ...builds];
  if (running === undefined) return null;
  const phase = running.phase ?? 'initialized';
  return (
    <>
      <Dot />
      {textOf(`flow.phase.${phase}`, phase)}
    </>
  );
}
