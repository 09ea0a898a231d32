import type { Of } from '#schema/index.ts';
import { useChanges, useViewer } from '#data/react/hooks.ts';
import { useBuildLog, useFiles } from '#files/files.ts';
import { EmptyBox, Note, Skeleton } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useFileTrouble } from '../../app/page/files/use-file-trouble.ts';
import { ConsoleLink } from '../../flow/task.tsx';
import { LogView } from './log-view.tsx';

interface Props {
  /** The build or the publication that the log is of. */
  readonly of: Pick<Of<'productBuild'>, 'success' | 'logUrl'>;
  /** The end of the log that is on this device; null: none is. */
  readonly tail: string | null;
  /** What is said while there is no log yet; null: an engine elsewhere has it. */
  readonly notBegun: string | null;
}

/** Shows a log as it grows, or says where it is. */
export function LogOf({ of: { success, logUrl }, tail, notBegun }: Props) {
  const t = useText();
  const troubleOf = useFileTrouble();
  const { id: user } = useViewer();
  const isOffline = useChanges().status === 'offline';
  const log = useBuildLog(useFiles(user), logUrl?.startsWith('/api/') === true ? logUrl : null);
  const { state, lines, retry } = log;
  if (logUrl === null && success === null)
    return <p className="soft">{notBegun ?? t('builds.log.externalLater')}</p>;
  if (logUrl === null || (state.is === 'complete' && lines.length === 0))
    return (
      <EmptyBox icon="archive" title={t('builds.log.none')}>
        {t('builds.log.noneText')}
      </EmptyBox>
    );
  if (state.is === 'external')
    return (
      <Note tone="info">
        {t('builds.log.external')}
        <div className="box-actions">
          <ConsoleLink address={logUrl} label="flow.openLog" />
        </div>
      </Note>
    );
  const isUnreached = isOffline || (state.is === 'away' && state.failure.is === 'no-answer');
  if (lines.length === 0 && isUnreached && tail !== null && tail !== '')
    return (
      <>
        <Note tone="info">{t('builds.log.tailOnly')}</Note>
        <pre className="log-tail" role="region" tabIndex={0} aria-label={t('files.log')} lang="en">
          {tail}
        </pre>
      </>
    );
  return (
    <>
      {state.is === 'away' && (
        <Note tone="warning">
          {troubleOf(state.failure)} {lines.length > 0 && t('builds.log.soFar')}
          <div className="box-actions">
            <Button onClick={retry}>{t('common.tryAgain')}</Button>
          </div>
        </Note>
      )}
      {lines.length === 0 && state.is === 'reading' && <Skeleton rows={8} />}
      {lines.length > 0 && (
        <LogView
          log={log}
          isFailed={success === false}
          isGrowing={
            success === null && state.is !== 'complete' && (state.is !== 'away' || state.isTrying)
          }
        />
      )}
      {lines.length === 0 && state.is === 'following' && <p className="soft">{notBegun}</p>}
    </>
  );
}
