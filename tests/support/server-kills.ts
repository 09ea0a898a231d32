import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { ResourceObject } from '#protocol/document.ts';
import type { Operation, Verdict } from '#protocol/operations.ts';
import { checkAccepted, connect, perform, send, writeOn } from './crowd.ts';
import type { Batch, Change, Connection } from './crowd.ts';
import { openAt } from './database.ts';
import type { Place } from './database.ts';
import { isGapless } from './killing.ts';
import { prepare } from './prepared.ts';
import type { Prepared } from './prepared.ts';
import { spawnServer } from './server.ts';
import type { SpawnedServer } from './server.ts';

const CONNECTIONS = 4;
/** A server that was just started is slow: only after so many changes is it under full load. */
const WARM_AFTER = 100;
/** The kill comes at a random moment of this span, counted from then. */
const KILL_AFTER_MS = [1_000, 3_000] as const;
const OPERATIONS_PER_CHANGE = 3;

/** A server process and who writes to it. */
export interface Crowd {
  readonly prepared: Prepared;
  readonly connections: readonly Connection[];
  server: SpawnedServer;
  stop(): Promise<void>;
}

/** What one kill left, as the server tells it that was started after it. */
export interface Kill {
  /** Operations under full load, up to the kill; three are a change. */
  readonly writesPerSecond: number;
  /** Changes; so are the others. */
  readonly acknowledged: number;
  readonly unansweredPresent: number;
  readonly unansweredAbsent: number;
  /** Changes of which only a part is there. */
  readonly torn: readonly string[];
  /** Changes that are there although an earlier one of their connection is not. */
  readonly outOfOrder: readonly string[];
  /** Ledgers that do not say the last change that is there. */
  readonly wrongLedgers: readonly string[];
  /** Changes that were done again though they were there, or said to be there though they were not. */
  readonly wronglyAnswered: readonly string[];
}

export async function startCrowd(place: Place): Promise<Crowd> {
  const prepared = await prepare(place);
  const server = await spawnServer(prepared.env);
  const connections = await Promise.all(
    Array.from({ length: CONNECTIONS }, () => connect(server.url, prepared)),
  );
  const crowd: Crowd = {
    prepared,
    connections,
    server,
    stop: async () => {
      await crowd.server.kill();
    },
  };
  return crowd;
}

/** Lets people write, kills the server (SIGKILL), starts it again, looks, and sends all again. */
export async function killInTheMiddle(crowd: Crowd): Promise<Kill> {
  const { acknowledged, writesPerSecond } = await writeUntilKilled(crowd);
  crowd.server = await spawnServer(crowd.prepared.env);

  const seen = await Promise.all(crowd.connections.map((one) => lookAt(crowd, one)));
  const present = seen.flatMap(({ parts }) => parts.filter((is) => is === 'present'));
  const unanswered = seen.flatMap(({ parts }) => parts);
  const wronglyAnswered = await Promise.all(
    crowd.connections.map((one, n) => repeat(crowd, one, seen[n]?.parts ?? [])),
  );
  return {
    writesPerSecond,
    acknowledged,
    unansweredPresent: present.length,
    unansweredAbsent: unanswered.filter((is) => is === 'absent').length,
    torn: seen.flatMap(({ torn }) => torn),
    outOfOrder: seen.flatMap(({ outOfOrder }) => outOfOrder),
    wrongLedgers: seen.flatMap(({ wrongLedger }) => wrongLedger),
    wronglyAnswered: wronglyAnswered.flat(),
  };
}

async function writeUntilKilled({ server, prepared, connections }: Crowd) {
  let acknowledged = 0;
  let killed = null as Promise<number> | null;
  const kill = async (warmAt: number, before: number) => {
    await delay(randomInt(...KILL_AFTER_MS));
    const rate = ((acknowledged - before) * 1_000) / (performance.now() - warmAt);
    await server.kill();
    return rate;
  };
  const accepted = (changes: number) => {
    acknowledged += changes;
    if (acknowledged >= WARM_AFTER) killed ??= kill(performance.now(), acknowledged);
  };
  await Promise.all(connections.map((one) => writeOn(server.url, prepared, one, accepted)));
  if (killed === null) throw new Error(`The server broke by itself: ${server.output()}`);
  return { acknowledged, writesPerSecond: Math.round((await killed) * OPERATIONS_PER_CHANGE) };
}

type Part = 'present' | 'absent' | 'torn';

/** What is there of the batch without an answer. */
async function lookAt({ server, prepared }: Crowd, { ledger, pending, acknowledged }: Connection) {
  const changes = pending ?? [];
  const operations = [
    get('projects', ledger),
    ...changes.flatMap(({ project, reviewer }) => [
      get('projects', project),
      get('reviewers', reviewer),
    ]),
  ];
  const [book, ...rest] = (await perform(server.url, prepared, operations)) ?? [];
  const parts = changes.map((_, n) => partOf(rest.slice(2 * n, 2 * n + 2)));
  const firstAbsent = parts.indexOf('absent');
  const last = changes.findLast((_, n) => parts[n] === 'present') ?? acknowledged.at(-1)?.at(-1);
  const those = (test: (part: Part | undefined, n: number) => boolean) =>
    changes.filter((_, n) => test(parts[n], n)).map(({ id }) => id);
  return {
    parts,
    torn: those((part) => part === 'torn'),
    outOfOrder: those((part, n) => part === 'present' && firstAbsent !== -1 && n > firstAbsent),
    wrongLedger: descriptionIn(book) === last?.id ? [] : [ledger],
  };
}

function descriptionIn(verdict: Verdict | undefined): unknown {
  const data = verdict?.data as Partial<ResourceObject> | undefined;
  return data?.attributes?.description;
}

const get = (type: string, id: string): Operation => ({ op: 'get', ref: { type, id } });

function partOf(verdicts: readonly Verdict[]): Part {
  const found = verdicts.filter(({ meta }) => meta.status === 200).length;
  if (found === verdicts.length) return 'present';
  const isAbsent = verdicts.every(({ meta }) => meta.status === 404);
  return isAbsent ? 'absent' : 'torn';
}

/** Sends the last acknowledged batch and the one without an answer again, as a device would. */
async function repeat(crowd: Crowd, one: Connection, parts: readonly Part[]): Promise<string[]> {
  const { acknowledged, pending } = one;
  const last = acknowledged.at(-1) ?? [];
  const wrong = await resend(crowd, one, last, () => true);
  if (pending !== null) {
    wrong.push(...(await resend(crowd, one, pending, (n) => parts[n] === 'present')));
    acknowledged.push(pending);
    one.pending = null;
  }
  return wrong;
}

async function resend(
  { server, prepared }: Crowd,
  connection: Connection,
  batch: Batch,
  isKnown: (n: number) => boolean,
): Promise<string[]> {
  if (batch.length === 0) return [];
  const verdicts = await send(server.url, prepared, connection, batch);
  checkAccepted(verdicts ?? []);
  const isRight = ({ id }: Change, n: number) => {
    const own = verdicts?.filter(({ meta }) => meta.id === id) ?? [];
    return (
      own.length === OPERATIONS_PER_CHANGE &&
      own.every(({ meta }) => (meta.replayed ?? false) === isKnown(n))
    );
  };
  return batch.filter((change, n) => !isRight(change, n)).map(({ id }) => id);
}

/** Kills the server for good and looks into its database. */
export async function lookAtLast(crowd: Crowd, place: Place) {
  await crowd.server.kill();
  const sent = crowd.connections.flatMap(({ acknowledged }) => acknowledged.flat());
  const ids = sent.map(({ id }) => id);
  const projects = sent.map(({ project }) => project);
  const reviewers = sent.map(({ reviewer }) => reviewer);
  const { db, close } = await openAt(place);
  try {
    return await db.read(async (tx) => {
      const lost = await tx.query(sql<{ readonly id: string }>`
        select t.id from unnest(${ids}::uuid[], ${projects}::uuid[], ${reviewers}::uuid[])
          as t(id, project, reviewer)
        where not exists (select from projects p join reviewers r on r.project_id = p.id
          where p.id = t.project and r.id = t.reviewer and p.name = t.id::text)`);
      // The project alone goes on: the engine sets up its repository.
      const torn = await tx.query(sql<{ readonly id: string }>`
        select p.id from projects p left join reviewers r on r.project_id = p.id
        where p.name <> 'Ledger' and (r.id is null or p.version < r.version
          or (select count(*) from feed
            where feed.n = r.version and jsonb_exists(feed.changes, p.name)) <> 3)`);
      const [row] = await tx.query(sql<{ readonly count: number }>`
        select count(*)::int as count from changes where id = any(${ids}::uuid[])`);
      return {
        sent: sent.length,
        recorded: row?.count,
        lost: lost.map(({ id }) => id),
        torn: torn.map(({ id }) => id),
        isGapless: await isGapless(tx),
      };
    });
  } finally {
    await close();
  }
}
