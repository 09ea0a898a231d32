import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../kernel/config.ts';
import { OURS } from '../kernel/data-folder.ts';
import { lockFolder } from '../db/connections/folder-lock.ts';
import { KEY_FILE } from '../kernel/secret-key.ts';

/**
 * Empties `DATA_DIR` and returns a line that says so. The key of the secrets stays if the database
 * that holds them is not in there, for nobody could open them without it. @throws BadStart while a
 * server uses it
 */
export function reset({ dataDir, databaseUrl }: Config): string {
  if (!existsSync(dataDir)) return `${dataDir} is empty already.`;
  const unlock = lockFolder(join(dataDir, 'lock'));
  const isKeyKept = databaseUrl !== null && existsSync(join(dataDir, KEY_FILE));
  for (const name of OURS)
    if (name !== KEY_FILE || !isKeyKept)
      rmSync(join(dataDir, name), { recursive: true, force: true });
  unlock();
  return isKeyKept
    ? `${dataDir} is empty now, but for ${KEY_FILE}, which opens the secrets in the database of DATABASE_URL.`
    : `${dataDir} is empty now.`;
}
