import { Fragment } from 'react';
import { versionOfRelease } from '#rules/release.ts';
import type { Of } from '#schema/index.ts';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { Phase } from '../../flow/whats-on.tsx';
import { ConsoleOrNone, logPageAt } from '../../flow/task.tsx';
import { Ended } from '../ended.tsx';
import { FilesTable } from '../files-table.tsx';

interface Props {
  /** The builds that they are of. */
  readonly builds: readonly Of<'productBuild'>[];
  /** Newest first. */
  readonly publications: readonly Of<'productPublication'>[];
  /** The one that is out now, and where. */
  readonly out: { readonly publication: string; readonly address: string } | null;
  readonly needsConnection: string | undefined;
}

/** Returns which of `releases`, newest first, is out now, and where; null: none that has an address. */
export function outNow(
  releases: readonly Of<'productPublication'>[],
  { publishLink }: Of<'product'>,
): Props['out'] {
  const [newest] = releases;
  const isOut = newest !== undefined && publishLink !== null && /^https?:\/\//.test(publishLink);
  return isOut ? { publication: newest.id, address: publishLink } : null;
}

/** Lists what was made public; nothing where nothing was. */
export function Publications({ builds, publications, out, needsConnection }: Props) {
  const t = useText();
  if (publications.length === 0) return null;
  return (
    <section>
      <h2>{t('files.publications')}</h2>
      <FilesTable
        label={t('files.publications')}
        columns={[
          'files.version',
          'files.channel',
          'files.status',
          'files.date',
          'files.address',
          'files.console',
        ]}
      >
        {publications.map((publication) => (
          <Fragment key={publication.id}>
            <tr role="row">
              <Cell label={t('files.version')}>
                <bdi>{versionOfRelease(publication, builds) ?? '--'}</bdi>
              </Cell>
              <Cell label={t('files.channel')}>{publication.channel ?? '--'}</Cell>
              <Cell label={t('files.status')}>
                <Status publication={publication} />
              </Cell>
              <Cell label={t('files.date')}>
                <RelativeTime at={publication.dateUpdated} />
              </Cell>
              <Cell label={t('files.address')}>
                {out?.publication === publication.id ? (
                  <>
                    <a href={out.address} target="_blank" rel="noopener noreferrer">
                      {t('products.open')}
                    </a>{' '}
                    <CopyButton text={out.address} what={t('files.address')} />
                  </>
                ) : (
                  <span className="soft">--</span>
                )}
              </Cell>
              <Cell label={t('files.console')}>
                <ConsoleOrNone
                  address={publication.logUrl}
                  page={logPageAt(
                    publication.logUrl,
                    publication.product,
                    publication.productBuild,
                  )}
                  needsConnection={needsConnection}
                />
              </Cell>
            </tr>
            {publication.releaseNotes !== null && <Notes notes={publication.releaseNotes} />}
          </Fragment>
        ))}
      </FilesTable>
    </section>
  );
}

/** What was said to be new in the release above. */
function Notes({ notes }: { readonly notes: string }) {
  const t = useText();
  return (
    <tr role="row" className="release-notes">
      <td role="cell" colSpan={6}>
        <span className="caption">{t('fields.release-notes')}</span>
        <p dir="auto">{notes}</p>
      </td>
    </tr>
  );
}

function Status({ publication }: { readonly publication: Of<'productPublication'> }) {
  const t = useText();
  const { success, phase } = publication;
  if (success !== null) return <Ended of={publication} />;
  return (
    <>
      {t('files.status.publishing')}
      <Phase phase={phase} ahead={null} />
    </>
  );
}
