import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { KEY_FILE } from './secret-key.ts';

/**
 * The entries that a server puts into `DATA_DIR`. Nothing else is touched: the setting may name a
 * wrong folder.
 */
export const OURS: readonly string[] = [
  'builds',
  'database',
  'exports',
  'log',
  'mail',
  'published',
  'repositories',
  'run',
  KEY_FILE,
];

/** Entries that an earlier version kept there and this one does not need. */
const NEEDED_NO_MORE: readonly string[] = ['epoch.json'];

export function removeUnneeded(dataDir: string): void {
  for (const name of NEEDED_NO_MORE) rmSync(join(dataDir, name), { force: true });
}

/** Closes what an earlier version left open to other users of the computer. */
export function closeToOthers(dataDir: string): void {
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    if (!OURS.includes(entry.name)) continue;
    if (entry.isDirectory()) chmodSync(join(dataDir, entry.name), 0o700);
    else if (entry.isFile()) chmodSync(join(dataDir, entry.name), 0o600);
  }
}
