import { useId } from 'react';
import type { Of } from '#schema/index.ts';
import { useChanges, useList, useRecord } from '#data/react/hooks.ts';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { useText, useTextOf } from '#ui/text/text.ts';
import { stepAhead } from '../../flow/history.ts';
import { kebab } from '#base/kebab.ts';
import { Transitions } from '../history.tsx';
import { PublishedPage } from '../published-page.tsx';

interface Props {
  readonly id: string;
  readonly onClose: () => void;
}

/** Says where a product goes, who has to do something about it, and all that happened to it. */
export function ProductDetails({ id, onClose }: Props) {
  const t = useText();
  const heading = useId();
  const { record: product } = useRecord('product', id);
  return (
    <Dialog
      title={t('products.detailsTitle')}
      size="large"
      onClose={onClose}
      actions={
        <Button primary onClick={onClose}>
          {t('common.close')}
        </Button>
      }
    >
      {product !== null && (
        <div className="stack">
          <Facts product={product} />
          <PublishedPage product={product} level="h3" />
          {/* Nothing in it may take the focus: by its own one scrolls with keys. */}
          <section tabIndex={0} aria-labelledby={heading}>
            <h3 id={heading}>{t('files.history')}</h3>
            <AsOf product={id} />
            <Transitions product={product} />
          </section>
        </div>
      )}
    </Dialog>
  );
}

function Facts({ product }: { readonly product: Of<'product'> }) {
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { record: store } = useRecord('store', product.store);
  const { rows } = useList('productTransition', { product: product.id });
  return (
    <dl className="facts">
      <dt>{t('products.store')}</dt>
      <dd>
        <bdi>{store?.description ?? store?.name ?? '--'}</bdi>
      </dd>
      <dt>{t('products.definition')}</dt>
      <dd>
        <bdi>{definition?.name ?? '--'}</bdi>
      </dd>
      <dt>{t('products.status')}</dt>
      <dd>
        <Status product={product} />
      </dd>
      <dt>{t('products.assignedTo')}</dt>
      <dd>
        <bdi>{stepAhead(rows, product.workflowState)?.allowedUserNames ?? '--'}</bdi>
      </dd>
    </dl>
  );
}

/** The step that it is at; of one at rest, whether it is out. */
function Status({ product }: { readonly product: Of<'product'> }) {
  const t = useText();
  const textOf = useTextOf();
  const { workflowState: state, datePublished } = product;
  if (state !== null) return textOf(`states.${kebab(state)}`, state);
  return datePublished === null ? '--' : t('products.published');
}

/** Says how old the history may be that is shown without a connection. */
function AsOf({ product }: { readonly product: string }) {
  const t = useText();
  const dates = useDateFormats();
  const { status } = useChanges();
  const { asOf, rows } = useList('productTransition', { product });
  if (status !== 'offline' || asOf === null || rows.length === 0) return null;
  return <p className="soft">{t('sync.asOf', { time: dates.short(asOf) })}</p>;
}
