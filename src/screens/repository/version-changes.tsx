import { useCallback, useEffect, useState } from 'react';
import { filePaths } from '#protocol/file-paths.ts';
import type { ChangeCounts, ContentChanges, Uploaded } from '#protocol/file-paths.ts';
import { sizeOf } from '#base/file-size.ts';
import type { FileRequestFailure, FileRequestResult } from '#files/file-requests.ts';
import type { Files } from '#files/files.ts';
import { Button } from '#ui/form/controls.tsx';
import { Skeleton } from '#ui/status/boxes.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import { useFileTrouble } from '../app/page/files/use-file-trouble.ts';

const KINDS = ['added', 'changed', 'removed'] as const;

/** The numbers of two versions of a project's content; `base` 0: nothing was there before. */
export interface ComparedVersions {
  readonly number: number;
  readonly base: number;
}

/** What differs between two versions, as far as the server said. */
interface Comparison {
  /** Null before the answer. */
  readonly changes: ContentChanges | null;
  /** Says why the last request came to nothing. */
  readonly trouble: FileRequestFailure | null;
  readonly retry: () => void;
}

/** Compares two versions of a project's content, once `isWanted`. */
export function useComparison(
  files: Files,
  project: string,
  { number, base }: ComparedVersions,
  isWanted: boolean,
): Comparison {
  const address = filePaths.uploadChanges(project, number, base);
  const [known, setKnown] = useState<{
    readonly address: string;
    readonly outcome: FileRequestResult<ContentChanges>;
  } | null>(null);
  // What differed between two others says nothing of these.
  const outcome = known?.address === address ? known.outcome : null;
  const isUnknown = outcome === null;

  useEffect(() => {
    if (!isWanted || !isUnknown) return undefined;
    let isOver = false;
    void files.compare(project, number, base).then((next) => {
      if (!isOver) setKnown({ address, outcome: next });
    });
    return () => {
      isOver = true;
    };
  }, [files, project, number, base, address, isWanted, isUnknown]);
  const retry = useCallback(() => {
    setKnown(null);
  }, []);
  const isDone = outcome?.is === 'done';
  return {
    changes: isDone ? outcome.value : null,
    trouble: isDone ? null : outcome,
    retry,
  };
}

/** Says of counts "3 added, 1 changed, 2 removed", and names no kind of which there is none. */
export function useCountsText(): (counts: ChangeCounts) => string {
  const t = useText();
  return (counts) => {
    const parts = KINDS.filter((kind) => counts[kind] > 0).map((kind) =>
      t(`repository.changes.${kind}`, { count: counts[kind] }),
    );
    return parts.length === 0 ? t('repository.changes.none') : parts.join(', ');
  };
}

interface ComparedFilesProps extends Comparison {
  /** Names the list. */
  readonly label: string;
  readonly isOnline: boolean;
}

/** Lists the files that differ, or says why they cannot be listed. */
export function ComparedFiles({ changes, trouble, retry, label, isOnline }: ComparedFilesProps) {
  const t = useText();
  const troubleOf = useFileTrouble();
  if (changes !== null) return <FileList changes={changes} label={label} />;
  if (!isOnline) return <p className="soft">{t('repository.changes.notHere')}</p>;
  if (trouble === null) return <Skeleton rows={1} />;
  if (trouble.is === 'refused' && trouble.problem.code === 'not-found')
    return <p className="soft">{t('repository.changes.gone')}</p>;
  return (
    <>
      <p role="alert">{troubleOf(trouble)}</p>
      <Button onClick={retry}>{t('common.tryAgain')}</Button>
    </>
  );
}

interface FileListProps {
  readonly changes: ContentChanges;
  readonly label: string;
}

function FileList({ changes, label }: FileListProps) {
  const t = useText();
  const language = useLanguage();
  const rest = changes.added + changes.changed + changes.removed - changes.files.length;
  return (
    // The keyboard scrolls it as well.
    <div className="repository-files" role="region" aria-label={label} tabIndex={0}>
      {KINDS.map((kind) => {
        const files = changes.files.filter(({ is }) => is === kind);
        if (files.length === 0) return null;
        return (
          <section key={kind}>
            <h3>{t(`repository.changes.kinds.${kind}`)}</h3>
            <ul>
              {files.map(({ path, sizeBytes }) => (
                <li key={path}>
                  <bdi className="repository-name">{path}</bdi>{' '}
                  {kind !== 'removed' && (
                    <span className="caption">{sizeOf(sizeBytes, language)}</span>
                  )}
                </li>
              ))}
            </ul>
          </section>
        );
      })}
      {rest > 0 && <p className="caption">{t('repository.changes.more', { count: rest })}</p>}
    </div>
  );
}

interface VersionChangesProps {
  readonly project: string;
  readonly files: Files;
  readonly upload: Uploaded;
  readonly isOnline: boolean;
}

/** Says how a version differs from the one before; the first one differs from none. */
export function VersionChanges(props: VersionChangesProps) {
  return props.upload.number === 1 ? null : <LaterChanges {...props} />;
}

/** "3 added, 1 changed, 2 removed", which unfolds into the files. */
function LaterChanges({ project, files, upload, isOnline }: VersionChangesProps) {
  const t = useText();
  const textOf = useCountsText();
  const [isOpen, setOpen] = useState(false);
  const { number } = upload;
  const compared = { number, base: number - 1 };
  const comparison = useComparison(files, project, compared, isOpen && isOnline);
  const counts = upload.changes ?? comparison.changes;
  if (counts !== null && KINDS.every((kind) => counts[kind] === 0))
    return <p className="caption">{textOf(counts)}</p>;
  return (
    <details
      className="repository-changes"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>{counts === null ? t('repository.changes.what') : textOf(counts)}</summary>
      {isOpen && (
        <ComparedFiles
          {...comparison}
          label={t('repository.changes.label', { number })}
          isOnline={isOnline}
        />
      )}
    </details>
  );
}
