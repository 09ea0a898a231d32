import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { openBench, PEERS } from './browser.ts';
import type { Bench } from './browser.ts';
import { atMost, faster, within } from './figure.ts';
import type { Figure } from './figure.ts';
import { median } from './measure.ts';
import type { Ask, Step } from './page/page.ts';
import { idOf, makeRecords, PROJECTS, renaming } from './records.ts';

/**
 * The local store against what the browser does at best and against others, on the same records, in
 * one run of one browser: a fresh page for every measurement, those of one kind in turn.
 */

const ROUNDS = 5;
const OPERATIONS = 200;
const PEER_NAMES = ['tinybase', 'rxdb', 'dexie', 'pouchdb', 'lokijs', 'tanstack-db'] as const;
type Name = 'ours' | 'floors' | (typeof PEER_NAMES)[number];

/** Dexie and PouchDB have no copy in memory to load, PouchDB no quick query. */
const LEFT_OUT: Partial<Record<Step, readonly Name[]>> = {
  load: ['dexie', 'pouchdb'],
  search: ['pouchdb'],
};

const WORDS = ['har', 'psalm 1', 'riv', 'song', 'river 2', 'team 1', 'press', 'song m', 'story'];

type Values = Readonly<Partial<Record<Name, number>>> & { readonly ours: number };

export interface Local {
  readonly browser: string;
  readonly figures: readonly Figure[];
}

export async function local(): Promise<Local> {
  if (!existsSync(join(PEERS, 'node_modules')))
    execFileSync('npm', ['ci'], { cwd: PEERS, stdio: 'inherit' });
  const records = makeRecords(PROJECTS);
  const entries: Record<string, string> = {
    ours: './bench/page/ours.ts',
    floors: './bench/page/floors.ts',
    alone: './bench/page/alone.tsx',
  };
  for (const name of PEER_NAMES) entries[name] = `./bench/peers/${name}.ts`;
  const bench = await openBench(entries, {
    files: { '/records.json': records.text },
    viewer: records.viewer,
  });
  try {
    const figures = [...(await compared(bench)), ...(await alone(bench, records.projects))];
    return { browser: bench.version, figures };
  } finally {
    await bench.close();
  }
}

const question = (step: Step): Ask => ({
  step,
  project: idOf(7, 5),
  expected: [PROJECTS * 8, 2],
  messages: Array.from({ length: OPERATIONS + 20 }, (_, n) => {
    const name = `Renamed ${n}`;
    return [renaming(n + 1, [[(n * 37) % PROJECTS, name]]), name] as const;
  }),
  words: Array.from({ length: OPERATIONS + 20 }, (_, n) => WORDS[n % WORDS.length] ?? ''),
});

async function measure(bench: Bench, step: Step): Promise<Values> {
  const ask = question(step);
  const took = new Map<Name, number[]>();
  const names = (['ours', 'floors', ...PEER_NAMES] as const).filter(
    (name) => LEFT_OUT[step]?.includes(name) !== true,
  );
  for (let n = 0; n < ROUNDS; n += 1)
    for (const name of names) {
      const ms = await bench.inContext(async (context) => {
        if (step === 'restore') await prepareRestore(bench, name, context);
        return bench.inPage(name, (page) => page.evaluate(askPage, ask), context);
      });
      took.set(name, [...(took.get(name) ?? []), ms]);
    }
  const values = [...took].map(([name, all]) => [name, median(all.sort((a, b) => a - b))] as const);
  process.stderr.write(
    `${step}: ${values.map(([name, ms]) => `${name} ${ms.toFixed(3)}`).join(', ')}\n`,
  );
  return Object.fromEntries(values) as unknown as Values;
}

const askPage = (request: Ask): Promise<number> =>
  (globalThis as unknown as { ask: (request: Ask) => Promise<number> }).ask(request);

async function prepareRestore(bench: Bench, name: Name, context: BrowserContext): Promise<void> {
  await bench.inPage(
    name,
    (page) =>
      name === 'floors' ? page.evaluate('writeBlob()') : page.evaluate(askPage, question('write')),
    context,
  );
}

async function compared(bench: Bench): Promise<Figure[]> {
  const load = await measure(bench, 'load');
  const write = await measure(bench, 'write');
  const restore = await measure(bench, 'restore');
  const search = await measure(bench, 'search');
  const hear = await measure(bench, 'hear');
  return [
    figure('First load: 20,000 records from text to queryable', 'JSON.parse + Map', load, [
      within(load.ours, load.floors ?? 0, 2.2),
      ...faster(load.ours, pick(load, ['tinybase', 'tanstack-db'])),
    ]),
    figure('First backup write, durable', 'raw chunks of 500', write, [
      within(write.ours, write.floors ?? 0, 2),
      ...faster(write.ours, pick(write, ['dexie']), 1 / 5),
    ]),
    figure('Cold restore to queryable', 'one JSON blob', restore, [
      within(restore.ours, restore.floors ?? 0, 1.8),
      ...faster(
        restore.ours,
        pick(restore, ['tinybase', 'dexie', 'rxdb', 'tanstack-db', 'pouchdb']),
      ),
    ]),
    figure('Search + sort + page with related, 1,183 projects', 'plain arrays', search, [
      within(search.ours, search.floors ?? 0, 0.5),
    ]),
    figure('One live operation with the list mounted', 'Map + sorted array', hear, [
      ...faster(hear.ours, pick(hear, PEER_NAMES)),
    ]),
  ];
}

function pick(values: Values, names: readonly Name[]): Partial<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, values[name]]));
}

function figure(what: string, floor: string, values: Values, targets: Figure['targets']): Figure {
  const { ours, floors, ...peers } = values;
  return { what, unit: 'ms', ours, against: { [floor]: floors ?? 0, ...peers }, targets };
}

/** Calls one of the steps of `page/alone.tsx`. */
function call<T>(page: Page, step: string, ...values: readonly unknown[]): Promise<T> {
  const run = ([name, values]: readonly [string, readonly unknown[]]): unknown =>
    (
      globalThis as unknown as { steps: Record<string, (...all: readonly unknown[]) => unknown> }
    ).steps[name]?.(...values);
  return page.evaluate<T, readonly [string, readonly unknown[]]>(run as never, [step, values]);
}

async function medianOf(
  work: (round: number) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const rounds: (readonly number[])[] = [];
  for (let n = 0; n < ROUNDS; n += 1) rounds.push(await work(n));
  return (rounds[0] ?? []).map((_, i) =>
    median(rounds.map((values) => values[i] ?? 0).sort((a, b) => a - b)),
  );
}

async function alone(bench: Bench, projects: readonly string[]): Promise<Figure[]> {
  const floor = await medianOf(async () => [
    await bench.inPage('floors', (page) => page.evaluate(askPage, question('load'))),
  ]);
  const patched = await medianOf(async () => [
    await bench.inPage('alone', (page) => call<number>(page, 'patched')),
  ]);
  const many = Array.from({ length: 1_000 }, (_, n) => [n, `Burst ${n}`] as const);
  const burst = await medianOf(() =>
    bench.inPage('alone', (page) => call<number[]>(page, 'burst', renaming(1, many))),
  );
  const texts = Array.from({ length: 3_000 }, (_, n) =>
    renaming(n + 1, [[n % PROJECTS, `Streamed ${n}`]]),
  );
  const stream = await medianOf(() =>
    bench.inPage('alone', (page) => call<number[]>(page, 'stream', texts)),
  );
  const ms = (what: string, ours: number, targets: Figure['targets'], against = {}): Figure => ({
    what,
    unit: 'ms',
    ours,
    against,
    targets,
  });
  const [renders = 0, blocked = 0, durable = 0] = burst;
  const loadMs = patched[0] ?? 0;
  const floorMs = floor[0] ?? 0;
  const evaluations: Figure = {
    what: `List evaluations a second, at ${stream[1] ?? 0} messages`,
    unit: 'per s',
    ours: stream[0] ?? 0,
    against: {},
    targets: [atMost(stream[0] ?? 0, 60, 'a second')],
  };
  return [
    ms('First load with patch events', loadMs, [within(loadMs, floorMs, 4)], {
      'JSON.parse + Map': floorMs,
    }),
    evaluations,
    {
      what: '1,000 live operations in one message: renders of the list',
      unit: '',
      ours: renders,
      against: {},
      targets: [atMost(renders, 1, 'render')],
    },
    ms('… the longest time that nothing else had its turn', blocked, [atMost(blocked, 30, 'ms')]),
    ms('… until durable', durable, [atMost(durable, 250, 'ms')]),
    ...(await edits(bench, projects)),
  ];
}

async function edits(bench: Bench, projects: readonly string[]): Promise<Figure[]> {
  const [commit = 0] = await medianOf(async () => [
    await bench.inPage('floors', (page) => page.evaluate<number>('commitRow(50)')),
  ]);
  const waiting = (count: number): Promise<readonly number[]> =>
    bench.inContext(async (context) => {
      await bench.inPage('alone', (page) => call(page, 'loaded'), context);
      await bench.inPage('alone', (page) => call(page, 'queue', projects, count), context);
      return medianOf((round) =>
        bench.inPage(
          'alone',
          (page) => call<number[]>(page, 'edits', projects, 45, round),
          context,
        ),
      );
    });
  const [few = 0, shown = 0] = await waiting(10);
  const [lots = 0] = await waiting(10_000);
  const against = { 'one strict row': commit };
  return [
    {
      what: 'An edit, durable with its outbox row, 10 changes waiting',
      unit: 'ms',
      ours: few,
      against,
      targets: [within(few, commit, 2)],
    },
    {
      what: '… with 10,000 waiting',
      unit: 'ms',
      ours: lots,
      against: { '10 waiting': few },
      targets: [{ says: '± 20 % of 10 waiting', isMet: Math.abs(lots / few - 1) <= 0.2 }],
    },
    {
      what: '… on screen after it is durable',
      unit: 'ms',
      ours: shown,
      against: {},
      targets: [atMost(shown, 1, 'ms')],
    },
  ];
}
