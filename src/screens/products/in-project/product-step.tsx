import type { Of } from '#schema/index.ts';
import { useChanges, useList } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { splitAtElement } from '#ui/text/split-at-element.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { stepAhead, waitsSince } from '../../flow/history.ts';
import { kebab } from '#base/kebab.ts';

interface Props {
  readonly product: Of<'product'>;
}

/** A step that waits longer is marked. */
const LONG_MS = 7 * 24 * 3_600_000;

/** The step that the product is at, for how long, and who is to take it. */
export function ProductStep({ product }: Props) {
  const t = useText();
  const textOf = useTextOf();
  const { status } = useChanges();
  const state = product.workflowState;
  if (product.version === 0)
    return (
      <p className="soft">
        {status === 'offline' ? t('products.startsWhenSent') : t('products.starting')}
      </p>
    );
  if (state === null) return null;
  return (
    <p className="product-step">
      <strong>{textOf(`states.${kebab(state)}`, state)}</strong>
      <Waiting product={product} />
    </p>
  );
}

/** "Waiting 3 days for Berta Builder"; of a step that goes by itself "Working for 2 minutes". */
function Waiting({ product }: Props) {
  const t = useText();
  const { clock } = useUiEnvironment();
  const { rows } = useList('productTransition', { product: product.id });
  const step = stepAhead(rows, product.workflowState);
  const since = waitsSince(rows);
  if (step === null || since === null) return null;
  const names = step.allowedUserNames;
  const [before, after] = splitAtElement((time) =>
    names === null ? t('products.working', { time }) : t('products.waiting', { time, names }),
  );
  const isLong = clock() - Date.parse(since) > LONG_MS;
  return (
    <span className={isLong ? 'product-wait is-long' : 'product-wait'}>
      {isLong && <Icon name="warning" />}
      <span>
        {before}
        <RelativeTime at={since} />
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
  return ` · ${textOf(`flow.phase.${phase}`, phase)}`;
}
