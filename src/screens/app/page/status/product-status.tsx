import { useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { displayNameOf } from '#rules/record/display.ts';
import { productStatusOf } from '#rules/product-status.ts';
import type { ProductStatus, ProductStatusWord } from '#rules/product-status.ts';
import type { Of } from '#schema/index.ts';
import { useData, useRecord, useViewer } from '#data/react/hooks.ts';
import { StatusChip } from '#ui/status/status-chip.tsx';
import type { StatusTone } from '#ui/status/status-chip.tsx';
import { useText } from '#ui/text/text.ts';

const TONES: Readonly<Record<ProductStatusWord, StatusTone>> = {
  building: 'busy',
  failed: 'bad',
  'waiting-for-you': 'yours',
  waiting: 'others',
  published: 'good',
  'not-started': 'none',
};

/** Returns the status of `product` for the viewer; it draws anew only when that is another. */
export function useProductStatus(product: Of<'product'>): ProductStatus {
  const { find, records } = useData();
  const viewer = useViewer();
  const { subscribe } = records.batches;
  const status = useSyncExternalStore(subscribe, () =>
    JSON.stringify(productStatusOf(viewer, product, find)),
  );
  return JSON.parse(status) as ProductStatus;
}

/** Says what state a product is in: what runs, what failed, whom it waits for, what is out. */
export function ProductStatusChip({ product }: { readonly product: Of<'product'> }) {
  const status = useProductStatus(product);
  return (
    <StatusChip tone={TONES[status.is]}>
      <StatusText status={status} />
    </StatusChip>
  );
}

/**
 * Says whom the step of a product waits for, or that it is in progress, also where the step before
 * has failed; `children` where the product does not say it.
 */
export function WaitText({ product, children }: WaitTextProps) {
  const status = useProductStatus({ ...product, failure: null });
  switch (status.is) {
    case 'building':
    case 'waiting-for-you':
    case 'waiting':
      return <StatusText status={status} />;
    case 'failed':
    case 'published':
    case 'not-started':
      return children;
  }
}

interface WaitTextProps {
  readonly product: Of<'product'>;
  readonly children: ReactNode;
}

function StatusText({ status }: { readonly status: ProductStatus }) {
  const t = useText();
  const person = status.is === 'waiting' ? status.person : null;
  const { record: user } = useRecord('user', person);
  switch (status.is) {
    case 'failed':
      return t(`productStatus.failed.${status.what}`);
    case 'waiting': {
      const name = user === null ? null : displayNameOf(user);
      return name === null
        ? t(`productStatus.waiting.${status.role}`)
        : t('productStatus.waiting.person', { name });
    }
    case 'published':
      return status.version === null
        ? t('productStatus.published')
        : t('productStatus.publishedVersion', { version: status.version });
    case 'building':
    case 'waiting-for-you':
    case 'not-started':
      return t(`productStatus.${status.is}`);
  }
}
