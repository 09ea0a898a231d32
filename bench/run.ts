import type { Figure } from './figure.ts';
import { conditionsNow, report } from './report.ts';

/**
 * `npm run bench`, or `npm run bench -- local reload` for some of it:
 *
 *   local   the local store, beside floors and peers        heap    memory, and whether it grows
 *   drain   1,000 queued edits over a slow line             reload  a reload with 20,000 records
 *   server  what the server does, on `DATABASE_URL` or embedded
 *   screens searching, opening and scrolling among 5,000 projects
 *   log     a log of 50,000 lines, beside a plain window of them
 *   writers reading beside 24 writers for `SECONDS` (10), on `DATABASE_URL` or embedded
 *   lists   lists of `PROJECTS` (100,000) projects, on `DATABASE_URL` alone
 *   directory  the directory and lists of all organizations among as many, in the browser, on a
 *           PostgreSQL of its own
 */
const PARTS = [
  'local',
  'heap',
  'drain',
  'reload',
  'server',
  'screens',
  'log',
  'writers',
  'lists',
  'directory',
] as const;
type Part = (typeof PARTS)[number];

const names = process.argv.slice(2);
const unknown = names.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`There is no part ${unknown.join(', ')}`);

const figures: Figure[] = [];
const conditions: Record<string, string> = {};

const run: Readonly<Record<Part, () => Promise<void>>> = {
  local: async () => {
    const { local } = await import('./local.ts');
    const found = await local();
    conditions.browser = found.browser;
    figures.push(...found.figures);
  },
  heap: async () => {
    const { heap } = await import('./heap.ts');
    figures.push(...(await heap()));
  },
  drain: async () => {
    const { drain } = await import('./drain.ts');
    figures.push(...(await drain()));
  },
  reload: async () => {
    const { reload } = await import('./reload.ts');
    figures.push(...(await reload()));
  },
  server: async () => {
    const { database, figures: found } = await import('./server.ts');
    conditions.database = database;
    figures.push(...found);
  },
  screens: async () => {
    const { screens } = await import('./screens.ts');
    figures.push(...(await screens()));
  },
  log: async () => {
    const { log } = await import('./log.ts');
    figures.push(...(await log()));
  },
  writers: async () => {
    const { writers } = await import('./writers.ts');
    figures.push(...(await writers()));
  },
  lists: async () => {
    const { largeLists } = await import('./lists.ts');
    figures.push(...(await largeLists()));
  },
  directory: async () => {
    const { directory } = await import('./directory.ts');
    figures.push(...(await directory()));
  },
};

const before = conditionsNow({});
for (const part of PARTS) if (names.length === 0 || names.includes(part)) await run[part]();
report({ conditions: { ...before, ...conditions }, figures });
