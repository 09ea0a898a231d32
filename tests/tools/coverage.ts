import { readFileSync } from 'node:fs';
import type { Note } from './notes.ts';

/** One thing a person sees, and the test that shows it, as a row of `docs/coverage.md` says. */
export interface Row {
  readonly section: string;
  readonly fact: string;
  readonly file: string;
  readonly title: string;
}

/** Sections of the specification of which every sentence that a person can see has a row. */
export const SECTIONS = ['2.3', '2.4', '2.5', '2.6', '2.7', '2.8', '2.9', '4', '5', '8'] as const;

const ROW = /^\|(?<fact>[^|]+)\| `(?<file>[^`|]+)`:(?<title>[^|]+)\|$/;

/** The rows of `docs/coverage.md`. @throws Error naming a line of a table that is not one */
export function coverage(): Row[] {
  const parts = readFileSync('docs/coverage.md', 'utf8').split(/^## /m).slice(1);
  return parts.flatMap((part) => {
    const [heading = '', ...lines] = part.split('\n');
    const section = heading.split(' ')[0] ?? '';
    return lines.filter(isRow).map((line) => rowIn(section, line));
  });
}

const isRow = (line: string): boolean =>
  line.startsWith('|') && !/^\| (-+|What a person sees) /.test(line);

function rowIn(section: string, line: string): Row {
  const { fact, file, title } = ROW.exec(line)?.groups ?? {};
  if (fact === undefined || file === undefined || title === undefined)
    throw new Error(`docs/coverage.md names no test: ${line}`);
  return { section, fact: fact.trim(), file, title: title.trim() };
}

/** What runs in a browser's page, of which no file is known. */
const isOfPage = (file: string): boolean => file.includes('.browser.test.');

/** The rows whose test is not among those that ran and passed. */
export function notShown(rows: readonly Row[], notes: readonly Note[]): Row[] {
  const keyOf = (file: string | null, title: string): string => `${file ?? ''}\n${title}`;
  const passed = notes.filter(({ failure }) => failure === null);
  const shown = new Set(passed.map(({ file, title }) => keyOf(file, title)));
  return rows.filter(({ file, title }) => !shown.has(keyOf(isOfPage(file) ? null : file, title)));
}
