import type { Of } from '#schema/index.ts';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { Phase } from '../../flow/whats-on.tsx';
import { ConsoleLink } from '../../flow/task.tsx';

interface Props {
  readonly build: Of<'productBuild'>;
  readonly needsConnection: string | undefined;
}

/** Says how far a build is, or why it failed; of one that went well only the engine's own words. */
export function BuildState({ build, needsConnection }: Props) {
  const t = useText();
  const { success, phase, queuePosition, logTail, error, logUrl } = build;
  if (success === null)
    return (
      <section className="files-state" aria-label={t('files.build.pending')}>
        <Phase phase={phase} ahead={queuePosition} />
        {logTail !== null && logTail !== '' && (
          <pre className="log-tail" tabIndex={0} aria-label={t('files.log')}>
            {logTail}
          </pre>
        )}
      </section>
    );
  const console =
    logUrl === null ? null : <ConsoleLink address={logUrl} needsConnection={needsConnection} />;
  if (success) return console === null ? null : <p className="files-state">{console}</p>;
  return (
    <div className="files-state">
      <Note tone="error">
        <strong>{t('files.build.failed')}</strong>
        {error !== null && (
          <p>
            <bdi>{error}</bdi>
          </p>
        )}
        {console !== null && <div className="box-actions">{console}</div>}
      </Note>
    </div>
  );
}
