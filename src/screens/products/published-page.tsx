import { useId } from 'react';
import { isPublishedAt, whyNotReachable } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { useRecord } from '#data/react/hooks.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { QrCode } from '#ui/picture/qr-code.tsx';
import { useText } from '#ui/text/text.ts';
import { downloadPageOf } from './in-project/download-page.ts';
import { useIsOut } from './in-project/published-files.ts';
import './published-page.css';

interface Props {
  readonly product: Of<'product'>;
  readonly level: 'h2' | 'h3';
}

/**
 * Shows where people find what was published of a product: the address, to be sent to them, and its
 * code for phones, which needs no connection. Nothing where nothing is published.
 */
export function PublishedPage({ product, level: Heading }: Props) {
  const t = useText();
  const heading = useId();
  const isOut = useIsOut(product);
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const { record: project } = useRecord('project', product.project);
  const page = downloadPageOf(product.id, definition?.name ?? '');
  const path = page ?? product.publishLink ?? '';
  if (!isOut || !URL.canParse(path, location.href)) return null;

  const address = new URL(path, location.href).href;
  const title = t(page === null ? 'products.page.site' : 'products.page.title');
  const isOurs = page !== null || isPublishedAt(location.origin, product);
  const isClosed = isOurs && project !== null && whyNotReachable(project) !== null;
  return (
    <section className="published-page" aria-labelledby={heading}>
      <QrCode text={address} label={t('products.page.code', { address })} />
      <div>
        <Heading id={heading}>{title}</Heading>
        <p>
          <a href={address} target="_blank" rel="noopener noreferrer">
            <bdi>{address}</bdi>
          </a>{' '}
          <CopyButton text={address} what={title} />
        </p>
        <p className="soft">{t(isClosed ? 'products.page.closed' : 'products.page.hint')}</p>
      </div>
    </section>
  );
}
