import type { Timers } from '#base/timers.ts';
import { tokensOf } from '#session/session.ts';
import type { TokensOfPerson } from '#session/session.ts';

/** An upload of a file. */
export interface Sending {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob;
  /** Bytes that have left this device. */
  readonly onProgress: (sentBytes: number) => void;
  readonly signal: AbortSignal;
}

/** The answer, of whatever status. */
export interface FileResponse {
  readonly status: number;
  readonly text: string;
}

/** Everything that `src/files` touches outside itself: a browser's, or a test's. */
export interface FilesEnvironment extends Pick<TokensOfPerson, 'accessToken'>, Timers {
  readonly fetch: (address: string, request: RequestInit) => Promise<Response>;
  /** Rejects when there was no answer, or once it was cancelled. */
  readonly put: (sending: Sending) => Promise<FileResponse>;
  /** Lets the browser save the file at `address`, or show it in a new tab. */
  readonly open: (address: string, how: 'save' | 'show') => void;
  /** From now on closing the tab asks first; returns what ends that. */
  readonly holdTab: () => () => void;
  /** Aborts after `ms`. */
  readonly abortAfter: (ms: number) => AbortSignal;
  /** Says whether somebody can see the page. */
  readonly isVisible: () => boolean;
  /** Calls `listener` each time that the page can be seen again; returns what ends that. */
  readonly onVisible: (listener: () => void) => () => void;
}

/** The browser's own, for the person with that id. */
export function browserEnvironment(userId: string): FilesEnvironment {
  return {
    accessToken: (options) => tokensOf(userId).accessToken(options),
    fetch: (address, request) => fetch(address, request),
    put,
    open,
    holdTab: () => {
      const ask = (event: BeforeUnloadEvent) => {
        event.preventDefault();
      };
      addEventListener('beforeunload', ask);
      return () => {
        removeEventListener('beforeunload', ask);
      };
    },
    abortAfter: (ms) => AbortSignal.timeout(ms),
    after: (ms, act) => {
      const timer = setTimeout(act, ms);
      return () => {
        clearTimeout(timer);
      };
    },
    isVisible: () => !document.hidden,
    onVisible: (listener) => {
      const look = () => {
        if (!document.hidden) listener();
      };
      document.addEventListener('visibilitychange', look);
      return () => {
        document.removeEventListener('visibilitychange', look);
      };
    },
  };
}

/** `fetch` cannot tell how much of a body is sent; this can. */
function put({ address, headers, body, onProgress, signal }: Sending): Promise<FileResponse> {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest();
    request.open('PUT', address);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => {
      onProgress(loaded);
    };
    request.onload = () => {
      done({ status: request.status, text: request.responseText });
    };
    const broken = () => {
      fail(new Error('The file did not arrive'));
    };
    request.onerror = broken;
    request.onabort = broken;
    signal.addEventListener('abort', () => {
      request.abort();
    });
    if (signal.aborted) broken();
    else request.send(body);
  });
}

/** Follows a link: navigating to it would leave the app when the file cannot be fetched. */
function open(address: string, how: 'save' | 'show'): void {
  const link = document.createElement('a');
  link.href = address;
  const isOurs = new URL(address, location.origin).origin === location.origin;
  if (how === 'save' && isOurs) link.download = '';
  else link.target = '_blank';
  link.rel = 'noopener noreferrer';
  document.body.append(link);
  link.click();
  link.remove();
}
