import { useId } from 'react';
import { mayDownloadFiles } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { useChanges } from '#data/react/hooks.ts';
import { NeedsConnection } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useFetchFile } from '../../app/page/files/use-fetch-file.ts';
import { publishedFileOf, useIsOut } from './published-files.ts';

interface Props {
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly name: string;
}

/** The way to the file that was published last: a link where everyone may follow it. */
export function PublishedFile({ product, project, name }: Props) {
  const t = useText();
  const id = useId();
  const { status } = useChanges();
  const fetchFile = useFetchFile('save');
  const isOut = useIsOut(product);
  const address = publishedFileOf(product.id, name);
  if (address === null || !isOut) return null;

  const isOffline = status === 'offline';
  const label = t('files.downloadOf', { name });
  if (!isOffline && mayDownloadFiles(null, project))
    return (
      <a className="product-published" href={address} aria-label={label}>
        {t('files.download')}
      </a>
    );
  return (
    <>
      <button
        type="button"
        className="link-button product-published"
        disabled={isOffline}
        aria-label={label}
        aria-describedby={isOffline ? id : undefined}
        onClick={() => void fetchFile(address)}
      >
        {t('files.download')}
      </button>
      {isOffline && <NeedsConnection id={id} />}
    </>
  );
}
