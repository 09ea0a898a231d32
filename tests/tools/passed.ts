import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The environment variable that names the file into which runners write what passed. */
export const PASSED_FILE = 'SLIPWAY_PASSED';

/** One test that passed; the file is not known of those that ran in a browser's page. */
export interface Passed {
  readonly file: string | null;
  readonly title: string;
}

/** Notes it for `npm test`, which looks for what `docs/coverage.md` names; else does nothing. */
export function notePassed(title: string, file: string | null): void {
  const path = process.env[PASSED_FILE];
  if (path === undefined) return;
  const passed: Passed = { file: file === null ? null : relative('.', file), title };
  appendFileSync(path, `${JSON.stringify(passed)}\n`);
}
