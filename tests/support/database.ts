import { randomBytes, randomFillSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Clock } from '#base/id.ts';
import type { Bus } from '#server/kernel/bus/bus.ts';
import { openBus } from '#server/db/bus/open-bus.ts';
import type { Database } from '#server/db/database.ts';
import { openDatabase } from '#server/db/open-database.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { closeAtTheEnd, startAtTheBeginning } from './hooks.ts';
import { copyTemplate, TEMPLATE_DATABASE } from './templates.ts';
import { testSecrets } from './test-key.ts';

/**
 * A migrated database for suites: embedded, or, with `DATABASE_URL` set, a fresh one made on that
 * PostgreSQL.
 */
export interface TestDatabase {
  readonly db: Database;
  readonly bus: Bus;
  /** Null when it is embedded. */
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  /** Errors of connections that broke meanwhile. */
  readonly broken: readonly Error[];
  close(): Promise<void>;
}

let shared: Promise<TestDatabase> | null = null;

/** The one database of this run, started by who asks first: suites make organizations of their own. */
export function testDatabase(): Promise<TestDatabase> {
  if (shared === null) {
    shared = freshDatabase();
    closeAtTheEnd(async () => {
      await (await shared)?.close();
    });
  }
  return shared;
}

startAtTheBeginning(testDatabase);

/** A database of one's own, which must be closed; an embedded one costs some seconds. */
export async function freshDatabase(clock?: Clock): Promise<TestDatabase> {
  const place = await migratedPlace();
  const opened = await openAt(place, clock);
  return {
    ...opened,
    ...place,
    async close() {
      await opened.close();
      await place.remove();
    },
  };
}

export interface Place {
  readonly databaseUrl: string | null;
  readonly dataDir: string;
  remove(): Promise<void>;
}

const urlOfThisRun = () => process.env.DATABASE_URL ?? '';

/** Where a new database may be: an empty folder, and with a PostgreSQL's `url` a database there. */
export function freshPlace(url = urlOfThisRun()): Promise<Place> {
  return placeOn(url);
}

/** @param template the database that the new one is a copy of */
async function placeOn(url: string, template?: string): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-test-'));
  const databaseUrl = url === '' ? null : await createDatabase(url, template);
  return {
    databaseUrl,
    dataDir,
    async remove() {
      rmSync(dataDir, { recursive: true, force: true });
      if (databaseUrl !== null) await dropDatabase(url, databaseUrl);
    },
  };
}

/** As `freshPlace`, with a database that is migrated where a run of all tests has made a template. */
export async function migratedPlace(url = urlOfThisRun()): Promise<Place> {
  const place = await placeOn(url, process.env[TEMPLATE_DATABASE]);
  if (place.databaseUrl === null) copyTemplate('migrated', place.dataDir);
  return place;
}

/** The database that `migratedPlace` copies where `TEMPLATE_DATABASE` has its name. */
export interface TemplateDatabase {
  readonly name: string;
  readonly remove: () => Promise<void>;
}

/** Makes a migrated database on the PostgreSQL at `url`. */
export async function makeTemplateDatabase(url: string): Promise<TemplateDatabase> {
  const place = await freshPlace(url);
  await (await openAt(place)).close();
  return { name: nameOf(place.databaseUrl ?? ''), remove: () => place.remove() };
}

type Opened = Pick<TestDatabase, 'db' | 'bus' | 'broken' | 'close'>;

/** Opens what is at `place`, as a server does; several may at once on PostgreSQL. */
export async function openAt(
  place: Pick<Place, 'databaseUrl' | 'dataDir'>,
  clock: Clock = () => Date.now(),
): Promise<Opened> {
  const broken: Error[] = [];
  const note = (error: Error) => {
    broken.push(error);
  };
  const bus = openBus(place.databaseUrl, note);
  const db = await openDatabase({
    ...place,
    bus,
    clock,
    random: (bytes) => randomFillSync(bytes),
    secrets: testSecrets,
    recorder: feedRecorder,
    broken: note,
    lost: note,
  });
  return {
    db,
    bus,
    broken,
    async close() {
      await bus.close();
      await db.close();
    },
  };
}

async function createDatabase(url: string, template = 'template1'): Promise<string> {
  const name = `slipway_test_${randomBytes(6).toString('hex')}`;
  await runStatement(url, `create database ${name} template ${template}`);
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

async function dropDatabase(url: string, made: string): Promise<void> {
  await runStatement(url, `drop database ${nameOf(made)} with (force)`);
}

/** Runs one statement on the PostgreSQL at `url`, on a connection of its own. */
export async function runStatement(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
