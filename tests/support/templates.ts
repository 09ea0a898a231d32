import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of the templates; suites that run without it make each database from nothing. */
export const TEMPLATES = 'SLIPWAY_TEST_TEMPLATES';

/** A data folder whose embedded database is migrated, and one that has the demo as well. */
export type Template = 'migrated' | 'demo';

/** Copies a template into the data folder `to`, unless a database is there already. */
export function copyTemplate(name: Template, to: string): void {
  const folder = process.env[TEMPLATES];
  if (folder === undefined || existsSync(join(to, 'database'))) return;
  cpSync(join(folder, name), to, { recursive: true });
}

/** The file `name` among the templates; null where it was not made. */
export function templateFile(name: string): string | null {
  const folder = process.env[TEMPLATES];
  const file = folder === undefined ? null : join(folder, name);
  return file !== null && existsSync(file) ? file : null;
}
