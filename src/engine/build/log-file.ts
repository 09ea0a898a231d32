import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '#base/id.ts';
import type { Timers } from '#base/timers.ts';
import { remarkLine, timedLine } from '#protocol/builds/build-log.ts';

/** The name of the log among the results of a build. */
export const LOG_FILE = 'console-text.txt';

const WRITE_EVERY_MS = 500;
const MOST_BYTES = 10 * 1024 * 1024;
const KEPT_AT_THE_END = 200;

/** The log of a build, which grows on the disk while it works. */
export interface BuildLogFile {
  /** Adds a line with the time of now; it is on the disk half a second later. */
  readonly add: (line: string) => void;
  /** Resolves once everything is on the disk. @throws what writing the file threw */
  readonly close: () => Promise<void>;
}

interface BuildLogFileOptions {
  readonly clock: Clock;
  readonly timers: Timers;
  /** The size in bytes after which lines are left out; 10 MiB unless a test says less. */
  readonly mostBytes?: number;
}

/**
 * Begins a log at `path`, with the folder that it lies in. After `mostBytes` lines are left out but
 * for the last 200, which are written at the end: the failure is among them.
 */
export function openBuildLogFile(
  path: string,
  { clock, timers, mostBytes = MOST_BYTES }: BuildLogFileOptions,
): BuildLogFile {
  let waiting = '';
  let sizeBytes = 0;
  let isFull = false;
  const last: string[] = [];
  let cancel: (() => void) | null = null;
  let written: Promise<unknown> = mkdir(dirname(path), { recursive: true }).then(() =>
    appendFile(path, ''),
  );
  // An error is thrown at the end.
  written.catch(() => undefined);

  const write = () => {
    cancel?.();
    cancel = null;
    const text = waiting;
    waiting = '';
    if (text === '') return;
    written = written.then(() => appendFile(path, text));
    written.catch(() => undefined);
  };
  const take = (line: string) => {
    waiting += line;
    cancel ??= timers.after(WRITE_EVERY_MS, write);
  };
  const timed = (line: string) => `${timedLine(new Date(clock()).toISOString(), line)}\n`;

  return {
    add: (line) => {
      const text = timed(line);
      if (!isFull && sizeBytes + Buffer.byteLength(text) > mostBytes) {
        isFull = true;
        take(timed(remarkLine(SHORTENED)));
      }
      if (isFull) {
        last.push(text);
        if (last.length > KEPT_AT_THE_END) last.shift();
        return;
      }
      sizeBytes += Buffer.byteLength(text);
      take(text);
    },
    close: async () => {
      waiting += last.join('');
      write();
      await written;
    },
  };
}

const SHORTENED = `the log is too long; of the lines after this one the last ${KEPT_AT_THE_END} follow at the end.`;
