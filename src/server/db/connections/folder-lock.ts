import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { BadStart } from '../../kernel/bad-start.ts';

/** The process that holds a lock; it is known by its number and start, since numbers come again. */
interface Holder {
  readonly pid: number;
  readonly start: string | null;
  readonly host: string;
}

/**
 * Takes the lock file `path` for this process; returns what lets go of it. A lock whose process is
 * dead is taken over. @throws BadStart when a living process holds it
 */
export function lockFolder(path: string): () => void {
  const mine: Holder = { pid: process.pid, start: startOf(process.pid), host: hostname() };
  const text = JSON.stringify(mine);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    take(path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readText(path) === text) rmSync(path, { force: true });
  };
}

/** A link appears whole or not at all, and only where nothing is: an exclusive create with content. */
function take(path: string, draft: string): void {
  if (linked(draft, path)) return;
  const found = readText(path);
  if (found === null) {
    take(path, draft);
    return;
  }
  refuseLiving(path, found);
  takeOver(path, draft, found);
}

/**
 * Replaces a dead lock. Of several processes that find it, only the one that holds the lock on
 * taking over does so.
 */
function takeOver(path: string, draft: string, dead: string): void {
  const claim = `${path}.claim`;
  take(claim, draft);
  try {
    const found = readText(path);
    if (found !== null && found !== dead) refuseLiving(path, found);
    linkSync(draft, `${draft}.new`);
    renameSync(`${draft}.new`, path);
  } finally {
    rmSync(claim, { force: true });
  }
}

function linked(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function refuseLiving(path: string, found: string): void {
  const { pid, start, host } = holderIn(found);
  if (host !== hostname())
    throw new BadStart(
      `DATA_DIR is in use on ${host} (process ${pid}); stop it there, or remove ${path} if it is gone.`,
    );
  if (pid === process.pid && start === startOf(pid))
    throw new BadStart('DATA_DIR is in use by this process already; use another folder.');
  if (isAlive(pid) && (start === null || start === startOf(pid)))
    throw new BadStart(
      `DATA_DIR is in use by another Slipway (process ${pid}); stop it, or set another DATA_DIR.`,
    );
}

/** Reads the holder; a file without sensible content belongs to no living process. */
function holderIn(text: string): Holder {
  try {
    const value = JSON.parse(text) as Partial<Holder>;
    return { pid: value.pid ?? 0, start: value.start ?? null, host: value.host ?? hostname() };
  } catch {
    return { pid: 0, start: null, host: hostname() };
  }
}

function isAlive(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

const START_FIELD = 19;

/** Returns when `pid` started, in whatever form this system gives it; null when it does not. */
function startOf(pid: number): string | null {
  try {
    // The name, in brackets, may hold spaces: count from its end.
    const [, rest = ''] = /\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return rest.split(' ')[START_FIELD] ?? null;
  } catch {
    return startByPs(pid);
  }
}

function startByPs(pid: number): string | null {
  try {
    const said = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return said.trim() || null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
