import { limits } from '#protocol/limits.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { signed } from './file-requests.ts';
import type { FileRequestFailure } from './file-requests.ts';
import type { FilesEnvironment } from './environment.ts';

/** The reason why a file is not even sent. */
export interface Unfit {
  readonly is: 'unfit';
  readonly why: 'not-a-zip' | 'several' | 'too-large' | 'unreadable';
}

/**
 * The state of the upload of a project's content. The file is kept until it is uploaded or dropped.
 */
export type Uploading =
  | { readonly is: 'none' }
  | {
      readonly is: 'chosen';
      readonly file: File;
      readonly trouble: FileRequestFailure | Unfit | null;
    }
  | { readonly is: 'sending'; readonly file: File; readonly sentBytes: number }
  /** All of it is sent; the server checks it. */
  | { readonly is: 'checking'; readonly file: File }
  | { readonly is: 'done'; readonly file: File };

const NONE: Uploading = { is: 'none' };

/** Uploads by project: they continue while the person looks at something else. */
export interface Uploads {
  readonly subscribe: (listener: () => void) => () => void;
  /** The same object until it changes. */
  readonly of: (project: string) => Uploading;
  /** Keeps the file to send, or says at once why it cannot be; `others` came together with it. */
  readonly choose: (project: string, file: File, ...others: readonly File[]) => Promise<void>;
  /** Sends what was chosen. @param over the tag of the content that it replaces; null: any */
  readonly send: (project: string, over: string | null) => Promise<void>;
  /** Cancels the upload, and keeps the file. */
  readonly breakOff: (project: string) => void;
  readonly letGo: (project: string) => void;
}

export function createUploads(environment: FilesEnvironment): Uploads {
  const all = new Map<string, Uploading>();
  const aborts = new Map<string, AbortController>();
  const listeners = new Set<() => void>();

  const set = (project: string, next: Uploading) => {
    all.set(project, next);
    for (const listener of [...listeners]) listener();
  };
  const of = (project: string) => all.get(project) ?? NONE;

  const progressOf = (project: string, file: File) => (sentBytes: number) => {
    if (of(project).is !== 'sending') return;
    if (sentBytes < file.size) set(project, { is: 'sending', file, sentBytes });
    else set(project, { is: 'checking', file });
  };

  const put = (project: string, file: File, over: string | null, signal: AbortSignal) =>
    signed(environment, (headers) =>
      environment.put({
        address: filePaths.repository(project),
        headers: {
          ...headers,
          'Content-Type': 'application/zip',
          'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
          ...(over === null ? {} : { 'If-Match': over }),
        },
        body: file,
        onProgress: progressOf(project, file),
        signal,
      }),
    );

  return {
    of,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    choose: async (project, file, ...others) => {
      const trouble = others.length > 0 ? SEVERAL : await unfitnessOf(file);
      set(project, { is: 'chosen', file, trouble });
    },
    send: async (project, over) => {
      const present = of(project);
      if (present.is !== 'chosen') return;
      const { file } = present;
      const abort = new AbortController();
      aborts.set(project, abort);
      set(project, { is: 'sending', file, sentBytes: 0 });
      const letTabGo = environment.holdTab();
      const unfit = await unfitnessOf(file);
      const outcome = unfit ?? (await put(project, file, over, abort.signal));
      letTabGo();
      if (abort.signal.aborted) return;
      const isUp = outcome.is === 'done';
      set(project, isUp ? { is: 'done', file } : { is: 'chosen', file, trouble: outcome });
    },
    breakOff: (project) => {
      const present = of(project);
      if (present.is !== 'sending' && present.is !== 'checking') return;
      aborts.get(project)?.abort();
      set(project, { is: 'chosen', file: present.file, trouble: null });
    },
    letGo: (project) => {
      aborts.get(project)?.abort();
      set(project, NONE);
    },
  };
}

/** Nobody could tell which of them was meant. */
const SEVERAL: Unfit = { is: 'unfit', why: 'several' };

/** `PK`, and how every zip goes on: with an entry, or at once with its end. */
const ZIP_STARTS = ['PK\x03\x04', 'PK\x05\x06'];

/**
 * Checks what can be checked without sending the file, so that nobody waits for an upload in vain.
 */
async function unfitnessOf(file: File): Promise<Unfit | null> {
  if (file.size > limits.repositoryBytes) return { is: 'unfit', why: 'too-large' };
  try {
    const start = await file.slice(0, 4).arrayBuffer();
    const isZip = ZIP_STARTS.includes(String.fromCharCode(...new Uint8Array(start)));
    return isZip ? null : { is: 'unfit', why: 'not-a-zip' };
  } catch {
    return { is: 'unfit', why: 'unreadable' };
  }
}
