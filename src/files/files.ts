import { createContext, useContext, useSyncExternalStore } from 'react';
import { DATA_EXPORT } from '#protocol/data-export.ts';
import type { DataExport } from '#protocol/data-export.ts';
import { filePaths } from '#protocol/file-paths.ts';
import type { ContentChanges, FileLink, Uploaded } from '#protocol/file-paths.ts';
import { createBuildLogs } from './build-log.ts';
import type { BuildLogs } from './build-log.ts';
import { fetchJson } from './file-requests.ts';
import type { FileRequestResult } from './file-requests.ts';
import { browserEnvironment } from './environment.ts';
import type { FilesEnvironment } from './environment.ts';
import { createUploads } from './uploading.ts';
import type { Uploading, Uploads } from './uploading.ts';

export { useBuildLog } from './build-log.ts';
export type { BuildLogView } from './build-log.ts';

/** The file operations of screens: none of them waits for a connection. */
export interface Files {
  readonly uploads: Uploads;
  readonly logs: BuildLogs;
  /** All uploads to a project that are stored, newest first. */
  readonly list: (project: string) => Promise<FileRequestResult<readonly Uploaded[]>>;
  /** What is otherwise in an upload than in `base`; 0: than in none. */
  readonly compare: (
    project: string,
    number: number,
    base: number,
  ) => Promise<FileRequestResult<ContentChanges>>;
  /**
   * Uploads an older upload once more. @param over the tag of the newest; asked again with the same
   * one it is done once
   */
  readonly restore: (
    project: string,
    number: number,
    over: string,
  ) => Promise<FileRequestResult<readonly Uploaded[]>>;
  /** Gives a project sample content; refused where it has content. */
  readonly startFromSample: (project: string) => Promise<FileRequestResult<readonly Uploaded[]>>;
  /** Tells whether an export of one's own data is there. */
  readonly dataExport: () => Promise<FileRequestResult<DataExport>>;
  /** Has one's own data exported; refused within an hour of the last time. */
  readonly requestDataExport: () => Promise<FileRequestResult<DataExport>>;
  /** Lets the browser save the file at one of our addresses, or show it. */
  readonly fetchFile: (address: string, how: 'save' | 'show') => Promise<FileRequestResult<null>>;
}

interface Listed {
  readonly uploads: readonly Uploaded[];
}

export function createFiles(environment: FilesEnvironment): Files {
  const uploadsIn = (outcome: FileRequestResult<Listed>): FileRequestResult<readonly Uploaded[]> =>
    outcome.is === 'done' ? { is: 'done', value: outcome.value.uploads } : outcome;
  return {
    uploads: createUploads(environment),
    logs: createBuildLogs(environment),
    list: async (project) =>
      uploadsIn(await fetchJson(environment, 'GET', filePaths.uploads(project))),
    compare: (project, number, base) =>
      fetchJson(environment, 'GET', filePaths.uploadChanges(project, number, base)),
    restore: async (project, number, over) => {
      const address = filePaths.restoreUpload(project, number);
      return uploadsIn(await fetchJson(environment, 'POST', address, { 'If-Match': over }));
    },
    startFromSample: async (project) =>
      uploadsIn(await fetchJson(environment, 'POST', filePaths.sample(project))),
    dataExport: () => fetchJson(environment, 'GET', DATA_EXPORT),
    requestDataExport: () => fetchJson(environment, 'POST', DATA_EXPORT),
    fetchFile: async (address, how) => {
      const link = await fetchJson<FileLink>(environment, 'GET', filePaths.fileLink(address));
      if (link.is !== 'done') return link;
      // A link that does not expire leads to another host: the browser shows it and does not save
      // it.
      environment.open(link.value.url, link.value.expiresAt === null ? 'show' : how);
      return { is: 'done', value: null };
    },
  };
}

/** Set by tests; null: the browser's own. */
export const FilesContext = createContext<Files | null>(null);

let own: { readonly userId: string; readonly files: Files } | null = null;

/** The browser's own, for one person at a time. */
function browserFiles(userId: string): Files {
  if (own?.userId !== userId) own = { userId, files: createFiles(browserEnvironment(userId)) };
  return own.files;
}

/** The files of the person with that id, who must be signed in. */
export function useFiles(userId: string): Files {
  const provided = useContext(FilesContext);
  return provided ?? browserFiles(userId);
}

/** The state of the upload of a project's content. */
export function useUploading({ uploads }: Files, project: string): Uploading {
  return useSyncExternalStore(uploads.subscribe, () => uploads.of(project));
}
