import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';

/** Names the folder of the templates; suites that run without it make each database from nothing. */
export const TEMPLATES = 'SLIPWAY_TEST_TEMPLATES';

/** Names the database of PostgreSQL that is migrated, and is copied as the folders are. */
export const TEMPLATE_DATABASE = 'SLIPWAY_TEST_TEMPLATE_DATABASE';

/** A data folder whose embedded database is migrated, and one that has the demo as well. */
export type Template = 'migrated' | 'demo';

/** Where the template `name` is; null in suites that run without templates. */
export function templatePath(name: string): string | null {
  const folder = process.env[TEMPLATES];
  return folder === undefined ? null : join(folder, name);
}

/** Copies a template into the data folder `to`, unless a database is there already. */
export function copyTemplate(name: Template, to: string): void {
  const template = templatePath(name);
  if (template === null || existsSync(join(to, 'database'))) return;
  cpSync(template, to, { recursive: true });
}
