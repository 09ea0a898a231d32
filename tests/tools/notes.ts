import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** The environment variable that names the file into which runners note how each test ended. */
export const NOTES_FILE = 'SLIPWAY_TEST_NOTES';

/** How one test ended. */
export interface Note {
  /** From the root of the project; null of a hook that stands in no file. */
  readonly file: string | null;
  /** Its own title after those of each `describe` around it. */
  readonly titles: readonly string[];
  /** What it failed with; null when it passed. */
  readonly failure: string | null;
}

/** Notes it for `npm test`, which names what failed and looks for what `docs/coverage.md` names. */
export function noteTest({ file, titles, failure }: Note): void {
  const path = process.env[NOTES_FILE];
  if (path === undefined) return;
  const note: Note = { file: file === null ? null : relative('.', file), titles, failure };
  appendFileSync(path, `${JSON.stringify(note)}\n`);
}

/** What was noted in the file `path`, in the order in which the tests ended. */
export function readNotes(path: string): Note[] {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Note);
}
