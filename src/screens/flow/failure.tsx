import { useId } from 'react';
import type { ReactNode } from 'react';
import type { Of } from '#schema/index.ts';
import { useChanges, useList } from '#data/react/hooks.ts';
import { NeedsConnection, Note } from '#ui/status/boxes.tsx';
import { CopyButton } from '#ui/form/copy-button.tsx';
import { useText } from '#ui/text/text.ts';
import { ConsoleLink, logPageAt, systemCommentIn, useNewestBuild } from './task.tsx';

/** A build or a publication that came to nothing, and what the device knows of it. */
interface ProductFailure {
  readonly says: 'system.build-failed' | 'system.publish-failed';
  readonly reason: string | null;
  /** The end of the log. */
  readonly logTail: string | null;
  /** The address of the whole log. */
  readonly log: string | null;
  /** The page that shows it; null: none does. */
  readonly page: string | null;
}

const NEWEST_FIRST = { sort: '-dateCreated' } as const;

/**
 * Finds what failed last of a product in its newest workflow: its newest build, or the publication
 * that its comment tells of.
 *
 * @param comment the comment of the product's last step or of its task
 * @param since when the workflow began; null where that is not known here
 */
export function useFailure(
  product: string,
  comment: string | null,
  since: string | null,
): ProductFailure | null {
  const said = systemCommentIn(comment ?? '');
  const isPublication = said?.says === 'system.publish-failed';
  const build = useNewestBuild(product);
  const publications = useList(
    'productPublication',
    { product: isPublication ? product : '' },
    // The device keeps those that went well.
    isPublication ? { ...NEWEST_FIRST, beyond: true } : NEWEST_FIRST,
  );
  if (build?.success === false && isOfNow(build, since)) return failureOfBuild(build);
  if (said === null || said.says === 'system.rolled-back') return null;
  const publication = publications.rows.find(
    ({ logUrl }) => logUrl !== null && logUrl === said.console,
  );
  const reason = publication?.success === false ? publication.error : null;
  const page = logPageAt(said.console, product, publication?.productBuild ?? null);
  return { says: said.says, reason, logTail: null, log: said.console, page };
}

/** Says whether a build was made since the workflow began. */
const isOfNow = ({ dateCreated }: Of<'productBuild'>, since: string | null): boolean =>
  since === null || dateCreated === null || Date.parse(dateCreated) >= Date.parse(since);

const failureOfBuild = ({
  error,
  logTail,
  logUrl,
  product,
}: Of<'productBuild'>): ProductFailure => ({
  says: 'system.build-failed',
  reason: error,
  logTail,
  log: logUrl,
  page: logPageAt(logUrl, product),
});

const LINES_SHOWN = 10;

const lastLinesOf = (log: string): string =>
  log.trimEnd().split('\n').slice(-LINES_SHOWN).join('\n');

interface FailureNoteProps {
  readonly failure: ProductFailure;
  /** The means to try again; null for who has none. */
  readonly again: ReactNode;
}

/** Says what failed and why, with the end of the log and what can be done about it. */
export function FailureNote({ failure, again }: FailureNoteProps) {
  const t = useText();
  const offline = useId();
  const isOffline = useChanges().status === 'offline';
  const { says, reason, logTail, log, page } = failure;
  const lines = lastLinesOf(logTail ?? '');
  const isOwn = page === null && log?.startsWith('/api/') === true;
  return (
    <section className="flow-failure" aria-label={t(says)}>
      <Note tone="error">
        <strong>{t(says)}</strong>
        {reason !== null && (
          <p>
            <bdi>{reason}</bdi> <CopyButton text={reason} what={t('builds.whyFailed')} />
          </p>
        )}
        {lines !== '' && (
          <pre className="log-tail" role="region" tabIndex={0} aria-label={t('files.log')}>
            {lines}
          </pre>
        )}
        <div className="box-actions">
          {again}
          {log !== null && (
            <ConsoleLink
              address={log}
              page={page}
              label="flow.openLog"
              needsConnection={isOffline ? offline : undefined}
            />
          )}
          {isOwn && isOffline && <NeedsConnection id={offline} />}
        </div>
      </Note>
    </section>
  );
}
