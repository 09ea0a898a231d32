import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { paths } from '#protocol/paths.ts';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import type { Database } from '#server/db/database.ts';
import { openOn } from '#server/db/open-database.ts';
import { feedRecorder } from '#server/feed/feed-recorder.ts';
import { keysOf } from '#server/domain/accounts/keys.ts';
import type { Keys } from '#server/domain/accounts/keys.ts';
import { templatePath } from '../support/templates.ts';
import { testSecrets } from '../support/test-key.ts';
import { Chance } from './chance.ts';
import { MemoryDatabase } from './memory-database.ts';
import { Routes } from './routes.ts';
import { Schedule } from './schedule.ts';
import { SimulatedServer } from './server.ts';

/** When every simulated world begins. */
export const BEGIN = Date.parse('2026-01-31T12:00:00.000Z');

/** What each commit was caused by, also after the feed was pruned. */
const KEEP_WHAT_THE_FEED_TOLD = `
  create table told (n bigint, changes jsonb);
  create function tell() returns trigger language plpgsql as
    $$ begin insert into told select n, changes from fresh; return null; end $$;
  create trigger tells after insert on feed referencing new table as fresh
    for each statement execute function tell();`;

/** Rows that were undone are swept away now and then. */
const WORLDS_BEFORE_VACUUM = 40;

const TEMPLATE = 'simulated.tar';

/**
 * Makes and migrates a database, or opens the one in `dump`, which was made so: its keys and random
 * names are the same either way.
 */
async function openMigrated(dump: Blob | null): Promise<Pick<Place, 'memory' | 'keys'>> {
  const memory = await MemoryDatabase.open(dump);
  const chance = new Chance(1);
  const db = await openOn({ pool: memory.pool, close: () => memory.close() }, 'embedded', {
    bus: localBus(),
    clock: () => BEGIN,
    random: chance.bytes,
    secrets: testSecrets,
    recorder: feedRecorder,
  });
  const keys = await keysOf(db, chance.bytes);
  if (dump === null) memory.simple(KEEP_WHAT_THE_FEED_TOLD);
  return { memory, keys };
}

/** Writes into the folder of templates the database that each process of a simulation opens. */
export async function makeSimulatedTemplate(folder: string): Promise<void> {
  const { memory } = await openMigrated(null);
  const dump = await memory.dump();
  writeFileSync(join(folder, TEMPLATE), Buffer.from(await dump.arrayBuffer()));
  await memory.close();
}

/** A migrated database in memory that many worlds use, one after the other, each from the same beginning. */
export class Place {
  readonly memory: MemoryDatabase;
  readonly keys: Keys;
  readonly routes: Routes;
  #worlds = 0;
  #connections = 0;

  private constructor(memory: MemoryDatabase, keys: Keys, routes: Routes) {
    this.memory = memory;
    this.keys = keys;
    this.routes = routes;
  }

  /** Opens a copy of the template where a run of all tests has made one, which spares eight seconds. */
  static async open(): Promise<Place> {
    const template = templatePath(TEMPLATE);
    const dump = template === null ? null : new Blob([readFileSync(template)]);
    const { memory, keys } = await openMigrated(dump);
    const place = new Place(memory, keys, await Routes.lay());
    // Tables are small, and the same statements come thousands of times.
    memory.simple('set plan_cache_mode = force_generic_plan');
    // From here on all is one transaction, which is never committed.
    memory.isNested = true;
    memory.simple('begin');
    await place.#warmUp();
    place.beginAnew();
    return place;
  }

  /** What is read once and believed for good is read before the first world. */
  async #warmUp(): Promise<void> {
    const schedule = new Schedule(new Chance(3), BEGIN, false);
    const server = new SimulatedServer(schedule, new Chance(4), this, { delayMs: () => null });
    await server.start();
    const token = await server.tokenFor('nobody', 'nobody@example.org', 60_000);
    const headers = { Authorization: `Bearer ${token}` };
    const asked = { method: 'GET', address: paths.changes, headers, body: null };
    const answer = await server.ask(asked);
    if (answer.status !== 200) throw new Error(`The server does not serve: ${answer.body}`);
    server.kill();
  }

  /** A handle on the database, as a server has that starts now. */
  async connect(bus: ReturnType<typeof localBus>, clock: () => number): Promise<Database> {
    const { memory } = this;
    this.#connections += 1;
    // Marks of commits are random: what happens after a restore has others.
    const random = new Chance(1_000 + this.#connections).bytes;
    return openOn({ pool: memory.pool, close: () => memory.close() }, 'embedded', {
      bus,
      clock,
      random,
      secrets: testSecrets,
      recorder: feedRecorder,
    });
  }

  /** Everything since the beginning is undone, as if no world had ever been. */
  beginAnew(): void {
    this.memory.simple('rollback; begin');
    this.#connections = 0;
    this.#worlds += 1;
    if (this.#worlds % WORLDS_BEFORE_VACUUM > 0) return;
    this.memory.simple('rollback');
    this.memory.simple('vacuum');
    this.memory.simple('begin');
  }

  close(): Promise<void> {
    return this.memory.close();
  }

  /** Notes the state of the database, as a backup does. */
  keep(): void {
    this.memory.simple('savepoint kept');
  }

  /** Goes back to the state that was noted. */
  putBack(): void {
    this.memory.simple('rollback to savepoint kept');
  }
}
