import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { OURS } from './data-folder.ts';
import { lockFolder } from './database/folder-lock.ts';

/** Empties `DATA_DIR`; says so. @throws BadStart while a server uses it */
export function reset({ dataDir }: Config): string {
  if (!existsSync(dataDir)) return `${dataDir} is empty already.`;
  const unlock = lockFolder(join(dataDir, 'lock'));
  for (const name of OURS) rmSync(join(dataDir, name), { recursive: true, force: true });
  unlock();
  return `${dataDir} is empty now.`;
}
