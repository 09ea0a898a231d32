import { useCallback, useSyncExternalStore } from 'react';
import { parseBuildLogLine } from '#protocol/builds/build-log.ts';
import type { BuildLogLine } from '#protocol/builds/build-log.ts';
import { limits } from '#protocol/limits.ts';
import { signed } from './file-requests.ts';
import type { FileRequestFailure, FileRequestResult } from './file-requests.ts';
import type { FilesEnvironment, FileResponse } from './environment.ts';

/** How the reading of a log stands. */
export type BuildLogState =
  /** What is there already is being read. */
  | { readonly is: 'reading' }
  /** All that is there is read; the build goes on. */
  | { readonly is: 'following' }
  | { readonly is: 'complete' }
  /** There is no answer that has it; `isTrying`: it is asked for again without a person. */
  | { readonly is: 'away'; readonly failure: FileRequestFailure; readonly isTrying: boolean }
  /** An engine elsewhere keeps it. */
  | { readonly is: 'external' };

/** What is read of a log; the same object until it changes. */
interface BuildLogRead {
  readonly lines: readonly BuildLogLine[];
  /** How many lines before these are left out of the memory. */
  readonly dropped: number;
  readonly state: BuildLogState;
}

/** The logs of builds and publications, by address, each read once in a tab. */
export interface BuildLogs {
  /** Reads the log on, until the last of those who subscribed ends it. */
  readonly subscribe: (address: string, listener: () => void) => () => void;
  readonly of: (address: string) => BuildLogRead;
  /** Asks again at once, where it stopped or waits to ask again. */
  readonly retry: (address: string) => void;
}

const NOTHING: BuildLogRead = { lines: [], dropped: 0, state: { is: 'reading' } };

const LOGS_KEPT = 3;
const LINES_KEPT = 100_000;
const CHARACTERS_KEPT = 10 * 1024 * 1024;
const LINE_KEPT = 64 * 1024;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;

export function createBuildLogs(environment: FilesEnvironment): BuildLogs {
  /** In the order in which they were shown. */
  const readers = new Map<string, BuildLogReader>();
  const readerOf = (address: string): BuildLogReader => {
    const reader = readers.get(address) ?? new BuildLogReader(environment, address);
    readers.delete(address);
    readers.set(address, reader);
    for (const [each, { isShown }] of [...readers].slice(0, -LOGS_KEPT))
      if (!isShown) readers.delete(each);
    return reader;
  };
  return {
    subscribe: (address, listener) => readerOf(address).subscribe(listener),
    of: (address) => readers.get(address)?.read ?? NOTHING,
    retry: (address) => readers.get(address)?.retry(),
  };
}

/** Reads one log: all that is there at once, then what is new while it is shown. */
class BuildLogReader {
  read = NOTHING;
  readonly #environment: FilesEnvironment;
  readonly #address: string;
  readonly #listeners = new Set<() => void>();
  #stopWatching: () => void = () => undefined;
  #cancelTimer: (() => void) | null = null;
  #isAsking = false;
  /** Nothing more is asked for unless a person wants it. */
  #isOver = false;
  #failures = 0;
  #offset = 0;
  #tag: string | null = null;
  /** What came after the last line break. */
  #rest = '';
  #characters = 0;

  constructor(environment: FilesEnvironment, address: string) {
    this.#environment = environment;
    this.#address = address;
  }

  get isShown(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: () => void): () => void {
    const isFirst = !this.isShown;
    this.#listeners.add(listener);
    if (isFirst) {
      // A refusal of before may not hold any more: whoever shows the log again asks again.
      const { is } = this.read.state;
      if (is === 'external' || is === 'away') this.#startAgain();
      this.#stopWatching = this.#environment.onVisible(() => {
        this.#readOn();
      });
      this.#readOn();
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.isShown) return;
      this.#stopWatching();
      this.#stopWaiting();
    };
  }

  retry(): void {
    if (this.read.state.is !== 'away') return;
    this.#startAgain();
    for (const listener of [...this.#listeners]) listener();
    this.#readOn();
  }

  #startAgain(): void {
    this.#isOver = false;
    this.#failures = 0;
    this.#stopWaiting();
    this.read = { ...this.read, state: { is: this.#offset === 0 ? 'reading' : 'following' } };
  }

  #stopWaiting(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  /** Asks for what is new, unless that is under way, awaited, or of no use. */
  #readOn(): void {
    const isWanted = this.isShown && this.#environment.isVisible() && !this.#isOver;
    if (isWanted && !this.#isAsking && this.#cancelTimer === null) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    let waitMs = 0;
    while (waitMs === 0 && !this.#isOver && this.isShown) {
      const { result, answer } = await this.#request();
      waitMs =
        result.is === 'done' && answer !== null ? this.#take(answer) : this.#failed(result, answer);
    }
    this.#isAsking = false;
    if (this.#isOver || !this.isShown) return;
    this.#cancelTimer = this.#environment.after(waitMs, () => {
      this.#cancelTimer = null;
      this.#readOn();
    });
  }

  async #request(): Promise<{
    readonly result: FileRequestResult<FileResponse>;
    readonly answer: LogAnswer | null;
  }> {
    const { fetch, abortAfter } = this.#environment;
    let answer: LogAnswer | null = null;
    const result = await signed(this.#environment, async (headers) => {
      answer = null;
      const signal = abortAfter(limits.requestTimeoutMs);
      const range = { Range: `bytes=${this.#offset}-` };
      const ifRange = this.#tag === null ? {} : { 'If-Range': this.#tag };
      const response = await fetch(this.#address, {
        headers: { ...headers, ...range, ...ifRange },
        signal,
      });
      const bytes = await response.arrayBuffer();
      const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      answer = {
        status: response.status,
        headers: response.headers,
        sizeBytes: bytes.byteLength,
        text,
      };
      return answer;
    });
    return { result, answer };
  }

  /** Takes in a part; returns how long to wait for the next one in ms. */
  #take({ status, headers, sizeBytes, text }: LogAnswer): number {
    this.#failures = 0;
    const isAnother = status === 200;
    if (isAnother) this.#begin();
    this.#tag = headers.get('ETag');
    this.#offset += sizeBytes;
    const isComplete = headers.get('X-Log-Complete') === 'true';
    // A part that is full has more behind it, in whole lines.
    const isMore = !isComplete && sizeBytes > limits.logPartBytes / 2;
    const state = { is: isComplete ? 'complete' : isMore ? 'reading' : 'following' } as const;
    this.#isOver = isComplete;
    this.#set({ ...this.#with(text, isComplete), state });
    return isMore ? 0 : limits.logPollEveryMs;
  }

  #begin(): void {
    this.#offset = 0;
    this.#rest = '';
    this.#characters = 0;
    this.read = { ...NOTHING, state: this.read.state };
  }

  /** Returns the lines with those of `text`; the oldest go where there are too many. */
  #with(text: string, isComplete: boolean): Pick<BuildLogRead, 'lines' | 'dropped'> {
    const { lines, dropped } = this.read;
    const found = (this.#rest + text).split('\n');
    const last = found.pop() ?? '';
    // A line without an end is shown in pieces, so that it does not grow beyond every bound.
    const isTooLong = last.length > LINE_KEPT;
    this.#rest = isComplete || isTooLong ? '' : last;
    if (isTooLong || (isComplete && last !== '')) found.push(last);
    if (found.length === 0) return { lines, dropped };
    const newLines = found.map(parseBuildLogLine);
    const all = [...lines, ...newLines];
    for (const line of newLines) this.#characters += lengthOf(line);
    const gone = this.#tooMany(all);
    return { lines: gone === 0 ? all : all.slice(gone), dropped: dropped + gone };
  }

  /** Counts the oldest lines that have to go, and takes their characters off. */
  #tooMany(lines: readonly BuildLogLine[]): number {
    let gone = 0;
    for (const line of lines) {
      if (lines.length - gone <= LINES_KEPT && this.#characters <= CHARACTERS_KEPT) break;
      this.#characters -= lengthOf(line);
      gone += 1;
    }
    return gone;
  }

  /** Says why there was no part; returns how long to wait in ms. */
  #failed(result: FileRequestResult<FileResponse>, answer: LogAnswer | null): number {
    const failure: FileRequestFailure = result.is === 'done' ? { is: 'no-answer' } : result;
    const problem = failure.is === 'refused' ? failure.problem : null;
    if (problem?.meta?.reason === 'external-engine') {
      this.#isOver = true;
      this.#set({ state: { is: 'external' } });
      return 0;
    }
    // A log that was there comes back with the next attempt at the build.
    const isGone = problem?.code === 'not-found' && this.#tag !== null;
    const isTrying = failure.is === 'no-answer' || problem?.code === 'too-many-requests' || isGone;
    this.#isOver = !isTrying;
    this.#set({ state: { is: 'away', failure, isTrying } });
    const waitMs = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#failures += 1;
    return Math.max(waitMs, retryAfterMs(answer));
  }

  #set(change: Partial<BuildLogRead>): void {
    this.read = { ...this.read, ...change };
    for (const listener of [...this.#listeners]) listener();
  }
}

interface LogAnswer extends FileResponse {
  readonly headers: Headers;
  readonly sizeBytes: number;
}

/** The time in front of a line is not in its text. */
const lengthOf = ({ at, text }: BuildLogLine): number => text.length + (at?.length ?? 0);

const retryAfterMs = (answer: LogAnswer | null): number => {
  const seconds = Number(answer?.headers.get('Retry-After') ?? 0);
  return Number.isFinite(seconds) ? seconds * 1_000 : 0;
};

/** The log at an address as far as it is read, and what asks for it again at once. */
export interface BuildLogView extends BuildLogRead {
  readonly retry: () => void;
}

/**
 * Reads the log at one of our addresses while the component is shown. Null: there is none yet, and
 * nothing is asked for.
 */
export function useBuildLog(
  { logs }: { readonly logs: BuildLogs },
  address: string | null,
): BuildLogView {
  const subscribe = useCallback(
    (listener: () => void) =>
      address === null ? () => undefined : logs.subscribe(address, listener),
    [logs, address],
  );
  const read = useSyncExternalStore(subscribe, () =>
    address === null ? NOTHING : logs.of(address),
  );
  const retry = useCallback(() => {
    if (address !== null) logs.retry(address);
  }, [logs, address]);
  return { ...read, retry };
}
