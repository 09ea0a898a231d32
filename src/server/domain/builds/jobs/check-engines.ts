import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import type { Services } from '../../services.ts';
import { EngineError } from '#protocol/engine.ts';
import type { BuildEngine } from '#protocol/engine.ts';
import type { EngineInUse } from '../which-engine.ts';
import { runWrite } from './retry-job.ts';
import { notifyEngineLost, notifyEngineBack } from './notify-engine-status.ts';

/** The interval for finding the engines that are due; each is asked less often while it answers. */
export const POLL_EVERY_MS = 60_000;
const CHECK_EVERY_MS = 5 * 60_000;
/** This many checks in a row without an answer are no accident any more. */
const MISSES_UNTIL_NOTIFIED = 2;
const NOTIFY_EVERY_MS = 6 * 3_600_000;

/** The answers of an engine until now. */
interface Health {
  readonly checkedAt: number;
  /** The number of checks in a row without an answer. */
  readonly misses: number;
  readonly lostAt: number | null;
  readonly toldAt: number | null;
}

/**
 * Checks the engines that are due (domain 11.2), updates the system statuses and the organizations'
 * fields, and notifies people.
 */
export async function checkEngines(services: Services): Promise<void> {
  const now = services.clock();
  const { due, gone } = await services.db.read(async (tx) => {
    const inUse = await services.engines.inUse(tx);
    const health = await healthIn(tx);
    const keys = new Set(inUse.map(({ key }) => key));
    return {
      due: inUse.filter(({ key }) => isDue(health.get(key), now)),
      gone: [...health.keys()].filter((key) => !keys.has(key)),
    };
  });
  const results = await Promise.all(
    due.map(async (each) => ({ each, isAvailable: await isAvailable(each.engine) })),
  );
  const isStill =
    results.length + gone.length === 0 && (await services.db.read(strayIn(services))) === 0;
  if (isStill) return;
  await runWrite(services, async (context) => {
    for (const { each, isAvailable: is } of results)
      await recordAvailability(context, each, is, now);
    for (const key of gone) await removeHealth(context, key);
    await updateOrganizations(context);
  });
}

const isDue = (health: Health | undefined, now: number): boolean =>
  health === undefined || health.misses > 0 || now - health.checkedAt >= CHECK_EVERY_MS;

async function isAvailable(engine: BuildEngine): Promise<boolean> {
  try {
    await engine.check();
    return true;
  } catch (error) {
    if (error instanceof EngineError) return false;
    throw error;
  }
}

async function recordAvailability(
  context: WriteContext,
  of: EngineInUse,
  is: boolean,
  now: number,
): Promise<void> {
  const { write } = context;
  const before = (await healthIn(write)).get(of.key);
  const lostAt = is ? null : (before?.lostAt ?? now);
  const after: Health = {
    checkedAt: now,
    misses: is ? 0 : (before?.misses ?? 0) + 1,
    lostAt,
    toldAt: is ? null : (before?.toldAt ?? null),
  };
  await writeSystemStatus(context, of, is);
  if (is) {
    const isBack = before !== undefined && before.toldAt !== null;
    if (isBack) await notifyEngineBack(context, of, minutesSince(before.lostAt, now));
  } else if (
    after.misses >= MISSES_UNTIL_NOTIFIED &&
    now - (after.toldAt ?? -Infinity) >= NOTIFY_EVERY_MS
  ) {
    await notifyEngineLost(context, of, minutesSince(lostAt, now));
    await saveHealth(context, of.key, { ...after, toldAt: now });
    return;
  }
  await saveHealth(context, of.key, after);
}

const minutesSince = (at: number | null, now: number): number =>
  at === null ? 0 : Math.floor((now - at) / 60_000);

/** Writes the record that super admins see; it grows older while nothing changes. */
async function writeSystemStatus(
  { write }: WriteContext,
  of: EngineInUse,
  systemAvailable: boolean,
): Promise<void> {
  const { key: id, url: buildEngineUrl, tokenHint: buildEngineApiAccessTokenHint } = of;
  const status = await write.one('systemStatus', id);
  if (status === null) {
    const shown = { buildEngineUrl, buildEngineApiAccessTokenHint, systemAvailable };
    await write.insert('systemStatus', { id, ...shown });
  } else if (status.systemAvailable !== systemAvailable)
    await write.change('systemStatus', id, { systemAvailable });
}

/** Removes the health of an engine that nobody uses any more. */
async function removeHealth({ write }: WriteContext, key: string): Promise<void> {
  await write.remove('systemStatus', key);
  await write.query(sql`delete from engine_health where engine_id = ${key}`);
}

/** Returns the ids of organizations whose field differs from what is known of their engine. */
const straysIn = (services: Services) => async (tx: DatabaseTransaction) => {
  const health = await healthIn(tx);
  const keys = await services.engines.keys(tx);
  const said = await tx.query(
    sql<{ readonly id: string; readonly is: boolean | null }>`select id,
      build_engine_available as is from organizations order by id`,
  );
  return said.flatMap(({ id, is }) => {
    const known = health.get(keys.get(id) ?? '');
    const buildEngineAvailable = known === undefined ? null : known.misses === 0;
    return is === buildEngineAvailable ? [] : [{ id, buildEngineAvailable }];
  });
};

const strayIn = (services: Services) => async (tx: DatabaseTransaction) =>
  (await straysIn(services)(tx)).length;

/** Updates the organizations; nobody edited them, so their date stays. */
async function updateOrganizations({ services, write }: WriteContext): Promise<void> {
  for (const { id, buildEngineAvailable } of await straysIn(services)(write))
    await write.change('organization', id, { buildEngineAvailable }, { keepsDate: true });
}

async function healthIn(tx: DatabaseTransaction): Promise<ReadonlyMap<string, Health>> {
  const rows = await tx.query(
    sql<Row>`select engine_id, checked_at, misses, lost_at, told_at from engine_health`,
  );
  return new Map(rows.map((row) => [row.engine_id, healthOf(row)]));
}

interface Row {
  readonly engine_id: string;
  readonly checked_at: string;
  readonly misses: number;
  readonly lost_at: string | null;
  readonly told_at: string | null;
}

const healthOf = ({ checked_at, misses, lost_at, told_at }: Row): Health => ({
  checkedAt: Date.parse(checked_at),
  misses,
  lostAt: lost_at === null ? null : Date.parse(lost_at),
  toldAt: told_at === null ? null : Date.parse(told_at),
});

async function saveHealth({ write }: WriteContext, key: string, health: Health): Promise<void> {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  const { checkedAt, misses, lostAt, toldAt } = health;
  await write.query(sql`insert into engine_health
    (engine_id, checked_at, misses, lost_at, told_at)
    values (${key}, ${at(checkedAt)}, ${misses}, ${at(lostAt)}, ${at(toldAt)})
    on conflict (engine_id) do update set checked_at = excluded.checked_at,
      misses = excluded.misses, lost_at = excluded.lost_at, told_at = excluded.told_at`);
}
