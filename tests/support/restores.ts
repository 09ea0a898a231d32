import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { editProject } from '#data/actions/projects.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { Data } from '../../src/data/model/data.ts';
import type { Database } from '#server/db/database.ts';
import { headOf } from '#server/feed/write-feed.ts';
import { changeLogOf } from './change-log.ts';
import { freshPlace } from './database.ts';
import type { Place } from './database.ts';
import { differing, editInRounds, makeProjects, onDatabase, openOver, until } from './editing.ts';
import { prepare } from './prepared.ts';
import type { Prepared } from './prepared.ts';
import { startProxy } from './proxy.ts';
import type { Proxy } from './proxy.ts';
import { freshFolder, spawnServer } from './server.ts';

const run = promisify(execFile);

const PROJECTS_EACH = 4;
const ROUNDS_MOST = 4;

const ON_THEIR_WAY: ReadonlySet<ChangeState> = new Set(['waiting', 'sending']);
const NEEDY: ReadonlySet<ChangeState> = new Set(['refused', 'conflict', 'held', 'confirm']);

/**
 * How many commits the restored database gets before the devices reach it, beside those that it lost;
 * the server may add one of its own.
 */
export type Growth = 'none' | 'fewer' | 'equal' | 'more';
export const GROWTHS: readonly Growth[] = ['none', 'fewer', 'equal', 'more'];

/** Where a device is while the database is dumped, goes on and is restored. */
type Story = (typeof STORIES)[number];
const STORIES = [
  'online',
  'offline before the dump',
  'offline after the dump',
  // Its edits are answered, and its cursor stays behind the dump: only the answers' commits can tell.
  'without news since before the dump',
  // It has everything from the feed, and no answer of its own: only its cursor's mark can tell.
  'reading only',
  'new after the restore',
] as const;

export interface RestoreFigures {
  readonly growth: Growth;
  /** Edits of the devices that were answered after the dump, and so are lost with what it lacks. */
  readonly lostWithTheBackup: number;
  readonly lostCommits: number;
  readonly newCommits: number;
  /** Changes that had no answer when the database was restored, and what became of them. */
  readonly waiting: number;
  readonly applied: number;
  readonly shown: number;
  /** Sentences, one for each thing that is not as it has to be. */
  readonly wrong: readonly string[];
}

interface Actor {
  readonly story: Story;
  isOnline: boolean;
  /** How many edits it made, so that each says something else. */
  made: number;
  readonly data: Data;
  readonly proxy: Proxy;
  /** The first of them is edited by nobody after the loss: whoever misses that shows it for ever. */
  readonly projects: readonly string[];
}

/** What a history is about. */
interface World {
  readonly place: Place;
  readonly prepared: Prepared;
  readonly actors: Actor[];
  readonly projects: readonly string[];
  /** The one that the restored database grows by. */
  readonly spare: string;
}

/** What was lost by a restore, and what waited for an answer then. */
interface Loss {
  readonly lost: readonly string[];
  readonly lostCommits: number;
  /** The head of the feed after the restore. */
  readonly head: number;
  readonly waiting: readonly string[];
}

/**
 * One history on the PostgreSQL at `postgres`: devices edit, `pg_dump` runs meanwhile, they go on,
 * the server is killed, the database is dropped and put back by `pg_restore`, grows, and is served
 * again from an empty data folder.
 *
 * @throws Error when a device could not have shown anything wrong: the history says nothing then
 */
export async function editThroughARestore(
  postgres: string,
  growth: Growth,
): Promise<RestoreFigures> {
  const place = await freshPlace(postgres);
  const actors: Actor[] = [];
  const prepared = await prepare(place);
  const dump = join(place.dataDir, 'backup.dump');
  let server = await spawnServer(prepared.env);
  try {
    const count = PROJECTS_EACH * STORIES.length;
    const projects = await onDatabase(place, (db) => makeProjects(db, prepared, count + 1));
    const world: World = { place, prepared, actors, projects, spare: projects.at(-1) ?? '' };
    await editAndDump(world, dump);
    const waiting = await loseTheServer(world, () => server.kill());
    const loss = await lose(world, dump, waiting);
    server = await spawnServer({ ...prepared.env, DATA_DIR: freshFolder() });
    const newCommits = await grow(world, loss, growth);
    for (const { proxy } of actors) {
      proxy.sockets.stall(false);
      proxy.setOpen(true);
    }
    const { lostCommits } = loss;
    return {
      growth,
      lostWithTheBackup: loss.lost.length,
      lostCommits,
      newCommits,
      ...(await onDatabase(place, (db) => outcome(world, db, waiting))),
    };
  } finally {
    for (const { data, proxy } of actors) {
      await data.close();
      await proxy.close();
    }
    await server.kill();
    await place.remove();
  }
}

/** Devices edit before, during and after the dump, and what each must have is there. */
async function editAndDump(world: World, dump: string): Promise<void> {
  const { place, actors, projects } = world;
  for (const story of STORIES) if (story !== 'new after the restore') await addActor(world, story);
  await until(() => actors.every((actor) => has(actor, projects)));
  await Promise.all(actors.map(edit));

  goOffline(actors, 'offline before the dump');
  for (const { proxy } of actorsOf(actors, 'without news since before the dump'))
    proxy.sockets.stall(true);
  await Promise.all([
    run('pg_dump', ['--format=custom', `--file=${dump}`, place.databaseUrl ?? '']),
    ...actors.map(edit),
  ]);
  await Promise.all(actors.map(edit));
  goOffline(actors, 'offline after the dump');
  await Promise.all(actors.map(edit));
}

/** What is read, but not edited by `reader` itself, has come to it. */
function readsAll(reader: Actor, actors: readonly Actor[]): boolean {
  return actors
    .filter(({ story }) => story !== 'offline before the dump')
    .every(({ data, projects: [first = ''] }) => {
      const [own, read] = [data, reader.data].map(({ find }) => find.one('project', first));
      return own?.name === read?.name && own?.description === read?.description;
    });
}

/** Kills the server while edits are under way; gives the ids of changes that have no answer. */
async function loseTheServer(
  { actors }: World,
  kill: () => Promise<void>,
): Promise<readonly string[]> {
  for (const reader of actorsOf(actors, 'reading only'))
    await until(() => readsAll(reader, actors));
  // Some of what is under way now has been carried out, and its answer does not arrive.
  const last = actors.map(editOnce);
  await pause(randomInt(20));
  await kill();
  for (const { proxy } of actors) proxy.setOpen(false);
  await Promise.all(last);
  return actors.flatMap(({ data }) =>
    data.changes.view().rows.flatMap(({ id, state }) => (ON_THEIR_WAY.has(state) ? [id] : [])),
  );
}

/** Puts the database back as it is in `dump`. */
async function lose(world: World, dump: string, waiting: readonly string[]): Promise<Loss> {
  const { place, actors, projects } = world;
  const before = await onDatabase(place, (db) => stateOf(db, projects));
  await putBack(place, dump);
  return onDatabase(place, async (db) => {
    const { changes, head } = await stateOf(db, projects);
    await expectTraps(actors, head, db);
    return {
      lost: [...before.changes].filter((id) => !changes.has(id)),
      lostCommits: before.head - head,
      head,
      waiting,
    };
  });
}

/** The two that one thing alone can tell show what is lost, and stand where they have to. */
async function expectTraps(actors: readonly Actor[], head: number, db: Database): Promise<void> {
  const firsts = actors.flatMap(({ projects }) => projects.slice(0, 1));
  for (const { data, story } of actors) {
    const isReader = story === 'reading only';
    if (!isReader && story !== 'without news since before the dump') continue;
    const { cursor } = await data.diagnostics.snapshot();
    const at = Number.parseInt(cursor?.split('.')[1] ?? '', 10);
    const isWhereItHasToBe = isReader ? at > head : at <= head;
    const lost = await differing(data, firsts, db);
    if (!isWhereItHasToBe || lost.length === 0)
      throw new Error(
        `The device "${story}" shows nothing: its cursor is at ${String(at)}, the restored head at ` +
          `${String(head)}, and it has ${String(lost.length)} lost values`,
      );
  }
}

const actorsOf = (actors: readonly Actor[], wanted: Story): readonly Actor[] =>
  actors.filter(({ story }) => story === wanted);

const has = ({ data: { find } }: Actor, projects: readonly string[]): boolean =>
  projects.every((id) => find.one('project', id) !== null);

/** Lets the restored database grow by edits of one project; gives by how many commits it grew. */
async function grow(world: World, { lostCommits, head }: Loss, growth: Growth): Promise<number> {
  const { place, projects, spare } = world;
  const late = await addActor(world, 'new after the restore');
  await until(() => has(late, projects));
  const headNow = () => onDatabase(place, (db) => db.read(headOf));
  const most = { none: 0, fewer: lostCommits - 1, equal: lostCommits, more: 2 * lostCommits }[
    growth
  ];
  const least = { none: 0, fewer: 1, equal: lostCommits, more: lostCommits + 1 }[growth];
  const target = head + least + randomInt(Math.max(1, most - least + 1));
  await editInRounds(late.data, [spare], Math.max(0, target - (await headNow()).n), 1_000);
  return (await headNow()).n - head;
}

/** What became of everything, once all that waited is answered and read. */
async function outcome(
  { actors, projects }: World,
  db: Database,
  waiting: readonly string[],
): Promise<Pick<RestoreFigures, 'waiting' | 'applied' | 'shown' | 'wrong'>> {
  await until(() => actors.every(({ data }) => data.changes.view().waiting === 0));
  const shown = await settleAll(actors);
  const differences = async () =>
    (await Promise.all(actors.map((a) => differenceAt(a, projects, db)))).flat();
  // What the others wrote last may still be on its way to a device.
  for (let n = 0; n < 100 && (await differences()).length > 0; n += 1) await pause(200);
  const log = await changeLogOf(db, projects);
  const written = projects.flatMap((id) => log.changesOf(id));
  const isApplied = (id: string): boolean => log.decided.get(id) === true;
  const missing = waiting.filter((id) => !isApplied(id) && !shown.has(id));
  const twice = written.filter((id, n) => written.indexOf(id) !== n);
  return {
    waiting: waiting.length,
    applied: waiting.filter(isApplied).length,
    shown: waiting.filter((id) => shown.has(id)).length,
    wrong: [
      ...missing.map((id) => `The change ${id} waited, and is neither applied nor shown.`),
      ...twice.map((id) => `The change ${id} was applied more than once.`),
      ...(await differences()),
    ],
  };
}

async function differenceAt(
  { data, story }: Actor,
  projects: readonly string[],
  db: Database,
): Promise<readonly string[]> {
  const ids = await differing(data, projects, db);
  return ids.map(
    (id) =>
      `The device "${story}" shows the project ${id} as ` +
      `"${data.find.one('project', id)?.name ?? ''}", and the database does not have it so.`,
  );
}

/** Settles what needs the persons: until then a device shows what they typed. Gives the ids. */
async function settleAll(actors: readonly Actor[]): Promise<ReadonlySet<string>> {
  const shown = new Set<string>();
  for (const { data } of actors)
    for (const { id, state } of data.changes.view().rows.filter((row) => NEEDY.has(row.state))) {
      shown.add(id);
      await (state === 'conflict' ? data.changes.takeTheirs(id) : data.changes.discard(id));
    }
  return shown;
}

async function addActor({ actors, prepared, projects }: World, story: Story): Promise<Actor> {
  const proxy = await startProxy(Number(prepared.env.PORT));
  const data = openOver(proxy.url, prepared);
  const n = STORIES.indexOf(story);
  const isEditing = story !== 'reading only' && story !== 'new after the restore';
  const own = isEditing ? projects.slice(n * PROJECTS_EACH, (n + 1) * PROJECTS_EACH) : [];
  const actor = { story, isOnline: true, made: 0, data, proxy, projects: own };
  actors.push(actor);
  return actor;
}

function goOffline(actors: readonly Actor[], story: Story): void {
  for (const actor of actorsOf(actors, story)) {
    actor.isOnline = false;
    actor.proxy.setOpen(false);
  }
}

/** Some rounds of edits, answered where the device is online. */
async function edit(actor: Actor): Promise<void> {
  const { data, projects } = actor;
  if (!actor.isOnline) {
    await editOnce(actor);
    return;
  }
  const count = projects.length * (1 + randomInt(ROUNDS_MOST));
  await editInRounds(data, projects, count, actor.made);
  actor.made += count;
}

/** One edit of each of its projects but the first, whether it can be sent or not. */
async function editOnce(actor: Actor): Promise<void> {
  const { data, projects, made } = actor;
  actor.made += projects.length;
  await Promise.all(
    projects.slice(1).map(async (id, n) => {
      const project = data.find.one('project', id);
      if (project === null) throw new Error('A project is not here');
      await editProject(data, project, { name: `Unsent ${id.slice(-4)}, ${String(made + n)}` });
    }),
  );
}

/** Ids of the changes that wrote `projects`, and the newest commit, as the database has them now. */
async function stateOf(db: Database, projects: readonly string[]) {
  const log = await changeLogOf(db, projects);
  const { n: head } = await db.read(headOf);
  return { changes: new Set(projects.flatMap((id) => log.changesOf(id))), head };
}

/** The database of `place`, as it was when `dump` was made of it. */
async function putBack({ databaseUrl }: Place, dump: string): Promise<void> {
  const own = new URL(databaseUrl ?? '');
  const name = own.pathname.slice(1);
  const server = new URL(own);
  server.pathname = '/postgres';
  const client = new pg.Client(server.href);
  await client.connect();
  try {
    await client.query(`drop database ${name} with (force)`);
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  await run('pg_restore', ['--no-owner', `--dbname=${own.href}`, dump]);
}
