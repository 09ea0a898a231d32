import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { WebSocket, WebSocketServer } from 'ws';
import type { FeedDocument } from '#protocol/operations.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { listen } from '../tests/server/http/hub/listener.ts';
import { checkAccepted, connect, perform, send } from '../tests/support/crowd.ts';
import { freshPlace, openAt } from '../tests/support/database.ts';
import { newId } from '../tests/support/make.ts';
import { prepare } from '../tests/support/prepared.ts';
import { spawnServer } from '../tests/support/server.ts';
import { median, perSecond, repeated, timed } from './measure.ts';
import type { Figure } from './figure.ts';

/**
 * Measures the server, and the best that the same computer can do in the same run: trust the
 * ratios, not the absolute values. Embedded, or on the PostgreSQL of `DATABASE_URL`.
 */

interface Measured extends Pick<Figure, 'what' | 'ours'> {
  readonly limit: string;
  readonly unit: 'ms' | 'per s';
  readonly best: number;
}

const BATCHES = 12;
const CHANGES_PER_BATCH = 30;
const WRITES_PER_CHANGE = 3;
const WRITES = BATCHES * CHANGES_PER_BATCH * WRITES_PER_CHANGE;
/** A device that was away brings this many, in bodies as full as they may be. */
const RENAMES = 1_000;
const MESSAGES = 20;
const LOADS = 5;

const place = await freshPlace();
const prepared = await prepare(place);
const [startMs, server] = await timed(() => spawnServer(prepared.env));
const connection = await connect(server.url, prepared);
const listener = await listen(server.url, prepared.token);

const changes = (count: number) =>
  Array.from({ length: count }, () => ({ id: newId(), project: newId(), reviewer: newId() }));

async function write(count: number): Promise<void> {
  checkAccepted((await send(server.url, prepared, connection, changes(count))) ?? []);
}

const inBodies = <T>(all: readonly T[]) =>
  Array.from({ length: Math.ceil(all.length / limits.operationsPerBody) }, (_, n) =>
    all.slice(n * limits.operationsPerBody, (n + 1) * limits.operationsPerBody),
  );

/** Gives every project of `ids` another name, each as one change that knows the last. */
async function rename(ids: readonly string[], from: string, to: string): Promise<void> {
  for (const body of inBodies(ids)) {
    const operations = body.map((id) => ({
      op: 'update' as const,
      data: { type: 'projects', id, attributes: { name: `${to} ${id}` } },
      meta: { id: newId(), base: { attributes: { name: `${from} ${id}` } } },
    }));
    checkAccepted((await perform(server.url, prepared, operations)) ?? []);
  }
}

/** Projects to rename. */
async function projectsCalled(name: string): Promise<string[]> {
  const ids = Array.from({ length: RENAMES }, newId);
  const { organization, group, type, user: owner } = prepared;
  for (const some of inBodies(ids)) {
    const operations = some.map((id) => ({
      op: 'add' as const,
      data: {
        type: 'projects',
        id,
        attributes: { name: `${name} ${id}`, language: 'en' },
        relationships: {
          organization: { data: { type: 'organizations', id: organization } },
          group: { data: { type: 'groups', id: group } },
          type: { data: { type: 'application-types', id: type } },
          owner: { data: { type: 'users', id: owner } },
        },
      },
    }));
    checkAccepted((await perform(server.url, prepared, operations)) ?? []);
  }
  return ids;
}

/** Measures from sending a change to receiving it by the stock client. */
async function changeAndHear(): Promise<void> {
  const batch = changes(1);
  const received = (async () => {
    while (!(await listener.next()).meta.changes.includes(batch[0]?.id ?? ''));
  })();
  checkAccepted((await send(server.url, prepared, connection, batch)) ?? []);
  await received;
}

async function firstLoad(): Promise<number> {
  let records = 0;
  let cursor = '';
  for (;;) {
    const answer = await fetch(`${server.url}${paths.changes}?since=${cursor}`, {
      headers: { Authorization: `Bearer ${prepared.token}` },
    });
    const { operations, meta } = (await answer.json()) as FeedDocument;
    records += operations.length;
    cursor = meta.cursor;
    if (!meta.more) return records;
  }
}

async function echoes(): Promise<readonly number[]> {
  const echo = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await once(echo, 'listening');
  echo.on('connection', (socket) => {
    socket.on('message', (data) => {
      socket.send(data);
    });
  });
  const socket = new WebSocket(`ws://127.0.0.1:${(echo.address() as AddressInfo).port}`);
  await once(socket, 'open');
  const took = await repeated(MESSAGES, async () => {
    socket.send('x'.repeat(2_000));
    await once(socket, 'message');
  });
  socket.terminate();
  echo.close();
  return took;
}

const bareNode = () => once(spawn(process.execPath, ['-e', '0']), 'exit');

for (let n = 0; n < 4; n += 1) await write(CHANGES_PER_BATCH);
const [writeMs] = await timed(async () => {
  for (let n = 0; n < BATCHES; n += 1) await write(CHANGES_PER_BATCH);
});
const projects = await projectsCalled('One');
await rename(projects, 'One', 'Two');
const [renameMs] = await timed(() => rename(projects, 'Two', 'Three'));
await listener.subscribe('changes');
const delays = await repeated(MESSAGES, changeAndHear);
const records = await firstLoad();
const loads = await repeated(LOADS, firstLoad);
await listener.stop();
await server.stop();

const { db, close } = await openAt(place);
await db.transact((tx) => tx.query(sql`create table bench (id uuid primary key, name text)`));
const [insertMs] = await timed(async () => {
  for (let n = 0; n < WRITES; n += WRITES_PER_CHANGE)
    await db.transact(async (tx) => {
      for (let k = 0; k < WRITES_PER_CHANGE; k += 1)
        await tx.query(sql`insert into bench (id, name) values (${newId()}, 'A plain row')`);
    });
});
const plain = (await db.read((tx) => tx.query<{ id: string }>(sql`select id from bench`))).map(
  ({ id }) => id,
);
const [updateMs] = await timed(async () => {
  for (const some of inBodies(plain.slice(0, RENAMES)))
    await db.transact(async (tx) => {
      for (const id of some)
        await tx.query(sql`update bench set name = ${`New ${id}`} where id = ${id}`);
    });
});
const select = () =>
  db.read(
    async (tx) => (await tx.all('project', {})).length + (await tx.all('reviewer', {})).length,
  );
const selected = await select();
const selects = await repeated(LOADS, select);
await close();
await place.remove();
const echoed = await echoes();
const bare = await repeated(5, bareNode);

export const database = place.databaseUrl === null ? 'embedded' : 'PostgreSQL';

const measured: readonly Measured[] = [
  {
    what: 'Writes through /api/operations, three a change',
    limit: 'plain inserts, three a commit',
    unit: 'per s',
    ours: perSecond(WRITES, writeMs),
    best: perSecond(WRITES, insertMs),
  },
  {
    what: `${RENAMES} renames through /api/operations, 100 a body`,
    limit: 'plain updates, 100 a commit',
    unit: 'per s',
    ours: perSecond(RENAMES, renameMs),
    best: perSecond(Math.min(RENAMES, plain.length), updateMs),
  },
  {
    what: 'Sending a change → SignalR client told, median',
    limit: 'WebSocket echo, median',
    unit: 'ms',
    ours: median(delays),
    best: median(echoed),
  },
  {
    what: `Sending a change → told, worst of ${MESSAGES}`,
    limit: `WebSocket echo, worst of ${MESSAGES}`,
    unit: 'ms',
    ours: delays.at(-1) ?? 0,
    best: echoed.at(-1) ?? 0,
  },
  {
    what: `First load, /api/changes, ${records} records`,
    limit: `plain SELECT, ${selected} of the same`,
    unit: 'per s',
    ours: perSecond(records, median(loads)),
    best: perSecond(selected, median(selects)),
  },
  {
    what: 'Start of the server until the ready line',
    limit: 'an empty Node process',
    unit: 'ms',
    ours: startMs,
    best: median(bare),
  },
];

/** Taken once, when this module is loaded. */
export const figures: readonly Figure[] = measured.map(({ what, limit, unit, ours, best }) => ({
  what,
  unit,
  ours,
  against: { [limit]: best },
  targets: [],
}));
