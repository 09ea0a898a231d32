import { useCallback, useEffect, useState } from 'react';
import type { Uploaded } from '#protocol/file-paths.ts';
import type { FileRequestResult, FileRequestFailure } from '#files/file-requests.ts';
import type { Files } from '#files/files.ts';

interface ListOfUploads {
  /** Newest first; null before the first answer. */
  readonly uploads: readonly Uploaded[] | null;
  /** Says why the last request came to nothing. */
  readonly trouble: FileRequestFailure | null;
  readonly refresh: () => Promise<void>;
  /** Uses the answer of another call. */
  readonly take: (outcome: FileRequestResult<readonly Uploaded[]>) => void;
}

/**
 * Lists a project's uploads, as the server said last; it asks when it comes, and when `isOnline`.
 */
export function useListOfUploads(files: Files, project: string, isOnline: boolean): ListOfUploads {
  const [list, setList] = useState<Pick<ListOfUploads, 'uploads' | 'trouble'>>({
    uploads: null,
    trouble: null,
  });
  const take = useCallback((outcome: FileRequestResult<readonly Uploaded[]>) => {
    setList((before) =>
      outcome.is === 'done'
        ? { uploads: outcome.value, trouble: null }
        : { ...before, trouble: outcome },
    );
  }, []);
  const refresh = useCallback(async () => {
    take(await files.list(project));
  }, [files, project, take]);

  useEffect(() => {
    if (!isOnline) return undefined;
    let isOver = false;
    void files.list(project).then((outcome) => {
      if (!isOver) take(outcome);
    });
    return () => {
      isOver = true;
    };
  }, [files, project, isOnline, take]);
  return { ...list, refresh, take };
}
