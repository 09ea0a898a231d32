import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Bytes of all files below `folder`; files that go while it looks count nothing. */
export async function diskUsage(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  let sum = 0;
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) sum += await diskUsage(path);
    else sum += (await stat(path).catch(() => null))?.size ?? 0;
  }
  return sum;
}

/** Bytes of memory that the processes of `group` hold, as the system counts them. */
export async function memoryUsage(group: number): Promise<number> {
  const ids = await readdir('/proc').catch(() => null);
  if (ids === null) return memoryByPs(group);
  let sum = 0;
  for (const id of ids.filter((name) => /^\d+$/.test(name))) {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    if (numberIn(status, /^NSpgid:\s+(\d+)/m) === group)
      sum += (numberIn(status, /^VmRSS:\s+(\d+) kB/m) ?? 0) * 1024;
  }
  return sum;
}

function numberIn(text: string, pattern: RegExp): number | null {
  const [, digits] = pattern.exec(text) ?? [];
  return digits === undefined ? null : Number(digits);
}

/**
 * Used where the system has no `/proc`; 0 where it has no `ps` either, and only the heap's limit
 * holds.
 */
async function memoryByPs(group: number): Promise<number> {
  const run = promisify(execFile);
  const { stdout } = await run('ps', ['-A', '-o', 'pgid=,rss=']).catch(() => ({ stdout: '' }));
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([id]) => id === group)
    .reduce((sum, [, kilobytes = 0]) => sum + kilobytes * 1024, 0);
}
