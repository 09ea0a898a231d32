import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { failureLine, withoutPhaseMark } from '#protocol/builds/build-log.ts';
import { LOG_FILE, openBuildLogFile } from './log-file.ts';
import type { BuildOrder, BuildResult, BuiltFile } from './order.ts';
import { builtFile } from '../targets/write.ts';
import { diskUsage, memoryUsage } from './resource-usage.ts';

/** The resources that a build may use; whichever limit is reached first ends it. */
export interface BuildLimits {
  readonly timeMs: number;
  /** The memory of all its processes together. */
  readonly memoryMb: number;
  /** The size of everything in its working folder. */
  readonly diskMb: number;
}

/** The messages of the build's process. */
export type FromBuild =
  | { readonly is: 'line'; readonly line: string }
  | { readonly is: 'made'; readonly files: readonly BuiltFile[] }
  | { readonly is: 'ended'; readonly error: string | null };

type Stopped = 'time' | 'memory' | 'disk' | 'cancelled';

const MB = 1024 * 1024;
const CHECK_EVERY_MS = 150;
/**
 * The share of the memory that JavaScript's heap may have; the rest is for the engine and its
 * buffers.
 */
const HEAP_SHARE = 0.6;
const LONGEST_LINE = 2_000;

/**
 * Builds `order` in a process of its own, which has ended with all it started when this resolves.
 * The log grows in the folder of the order while it works.
 *
 * @param onLine called with each line of the log, without its time and without the mark of a phase
 * @param signal cancels the build
 * @returns also when the build failed or met a limit; the log is always among the artifacts
 */
export async function runBuild(
  order: BuildOrder,
  limits: BuildLimits,
  onLine: (line: string) => void,
  signal: AbortSignal,
): Promise<BuildResult> {
  const out = join(order.folder, 'out');
  const log = openBuildLogFile(join(out, LOG_FILE), { clock: Date.now, timers: { after } });
  const say = (line: string) => {
    const short = line.replace(/\s+/g, ' ').slice(0, LONGEST_LINE);
    log.add(short);
    onLine(withoutPhaseMark(short));
  };
  const files: BuiltFile[] = [];
  const error = signal.aborted
    ? sentenceFor('cancelled', limits)
    : await follow(order, limits, signal, { say, files });
  if (error !== null) say(failureLine(error));
  await log.close();
  return {
    success: error === null,
    error,
    artifacts: [...files, builtFile({ out }, 'consoleText', LOG_FILE)],
  };
}

interface BuildListener {
  readonly say: (line: string) => void;
  readonly files: BuiltFile[];
}

/** Starts the process and stays with it to its end; returns why it failed, or null. */
async function follow(
  order: BuildOrder,
  limits: BuildLimits,
  signal: AbortSignal,
  { say, files }: BuildListener,
): Promise<string | null> {
  const child = start(order, limits);
  let stopped: Stopped | null = null;
  // Empty for a process that dies without a word.
  const ended: (string | null)[] = [];
  const stop = (why: Stopped) => {
    stopped ??= why;
    killGroup(child);
  };
  child.on('message', (message: FromBuild) => {
    if (message.is === 'line') say(message.line);
    else if (message.is === 'made') files.push(...message.files);
    else ended.push(message.error);
  });
  const complaints = listenTo(child);
  const cancel = () => {
    stop('cancelled');
  };
  signal.addEventListener('abort', cancel, { once: true });
  const clearTime = after(limits.timeMs, () => {
    stop('time');
  });
  const clearWatch = watch(child, order, limits, stop);
  // A process that is gone already is reported by its end.
  child.send(order, () => undefined);
  const end = await endOf(child).finally(() => {
    clearTime();
    clearWatch();
    signal.removeEventListener('abort', cancel);
  });
  killGroup(child);

  // Between two looks a quick build may have written too much.
  if ((await diskUsage(order.folder)) > limits.diskMb * MB) stopped ??= 'disk';
  if (/heap out of memory/i.test(complaints())) stopped ??= 'memory';
  if (stopped !== null) return sentenceFor(stopped, limits);
  if (ended[0] !== undefined) return ended[0];
  say(`The build process ended by itself (${end}): ${firstError(complaints())}`);
  return 'The build broke down; this is a fault of the build engine.';
}

/** Calls `act` after `ms`, without keeping the process alive; the returned function cancels that. */
function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  timer.unref();
  return () => {
    clearTimeout(timer);
  };
}

function start(order: BuildOrder, { memoryMb }: BuildLimits): ChildProcess {
  const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const main = fileURLToPath(new URL('./run-build.ts', import.meta.url));
  const heapMb = Math.floor(memoryMb * HEAP_SHARE);
  return spawn(
    process.execPath,
    // The folder is an argument so that an operator sees which process builds what.
    [`--max-old-space-size=${heapMb}`, '--import', loader, main, order.folder],
    {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // None of the server's settings, which hold secrets.
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, TZ: 'UTC', LANG: 'C.UTF-8' },
    },
  );
}

/** Looks at memory and disk again and again; returns what ends that. */
function watch(
  child: ChildProcess,
  { folder }: BuildOrder,
  limits: BuildLimits,
  stop: (why: Stopped) => void,
): () => void {
  let clear: (() => void) | null = null;
  let isOver = false;
  const check = async (): Promise<void> => {
    if (child.pid !== undefined && (await memoryUsage(child.pid)) > limits.memoryMb * MB)
      stop('memory');
    if ((await diskUsage(folder)) > limits.diskMb * MB) stop('disk');
    if (!isOver) clear = after(CHECK_EVERY_MS, () => void check());
  };
  void check();
  return () => {
    isOver = true;
    clear?.();
  };
}

/** Keeps the end of what the process writes to its error output. */
function listenTo(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text = (text + chunk.toString()).slice(-16 * 1024);
  });
  return () => text;
}

function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, by) => {
      resolve(by ?? String(code));
    });
  });
}

/** The process leads a group of its own: whatever it started goes with it. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** The line that names an error, without the stack and paths that speak of the server's folders. */
function firstError(complaints: string): string {
  const [, line = 'nothing was said'] = /^\[?(\w*Error\b.*)$/m.exec(complaints) ?? [];
  return line.replace(/'\/[^']*'/g, 'a file');
}

function sentenceFor(stopped: Stopped, { timeMs, memoryMb, diskMb }: BuildLimits): string {
  switch (stopped) {
    case 'time':
      return `The build was stopped at its limit of time, ${timeMs / 1000} seconds.`;
    case 'memory':
      return `The build was stopped at its limit of memory, ${memoryMb} MB.`;
    case 'disk':
      return `The build was stopped at its limit of disk space, ${diskMb} MB.`;
    case 'cancelled':
      return 'The build was cancelled.';
  }
}
