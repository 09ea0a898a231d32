import { sql } from 'kysely';
import type { TypeName } from '#schema/index.ts';
import type { WriteCause, DatabaseTransaction } from '../db/database.ts';
import type {
  FeedCommit,
  FeedRow,
  LastChange,
  Rights,
  ScopeFacts,
  Tombstone,
} from '../db/feed-row.ts';
import { changeOf } from '../db/journal.ts';
import type { Journal, Touched } from '../db/journal.ts';
import {
  audienceOfRemoved,
  fieldsSeenByOthers,
  loading,
  RelatedRecords,
  removalFactsOf,
  scopeFactsOf,
} from '../access/stored-scopes.ts';
import type { RemovalFacts } from '../access/stored-scopes.ts';
import { rightsBefore } from './rights.ts';
import { rankOf } from '../db/shape.ts';
import { visibilityChangesOf, changedViewersOf } from '../access/visibility-changes.ts';

type NewRow = Omit<FeedRow, 'n' | 'mark' | 'k' | 'by' | 'at' | 'before'> & {
  readonly before: ScopeFacts | Rights | null;
};

/**
 * Ends a writing transaction that touched records: writes feed rows, tombstones and, as its last
 * statement, the step of the feed head to `n`, which notes the mark of the commit. Returns false
 * when the transaction left everything as it was, so that the feed has nothing new.
 */
export async function writeFeed(
  tx: DatabaseTransaction,
  journal: Journal,
  cause: WriteCause,
  { n, mark }: FeedCommit,
): Promise<boolean> {
  const touched = journal.all();
  const related = new RelatedRecords(tx, journal);
  const gone = [...journal.vanished(), ...touched.filter(({ after }) => after === null)];
  const tombstones = await loading(related, () =>
    gone.map((one) => ({
      ...one,
      audience: audienceOfRemoved(related, one),
      facts: removalFactsOf(related, one),
    })),
  );
  const isEmpty = touched.length === 0 && journal.viewers.size === 0;
  if (!isEmpty) await insertRows(tx, await rowsOf(tx, journal, related), cause, n);
  await dropTombstones(tx, touched);
  await insertTombstones(tx, tombstones, cause, n);
  if (isEmpty) return false;
  const moved = await tx.query(sql`
    with head as (update feed_head set n = n + 1 where n = ${n - 1} returning n)
    insert into feed_marks (n, mark) select n, ${mark} from head returning n`);
  if (moved.length !== 1) throw new Error(`The feed head moved under commit ${n}`);
  return true;
}

async function rowsOf(
  tx: DatabaseTransaction,
  journal: Journal,
  related: RelatedRecords,
): Promise<NewRow[]> {
  const touched = journal.all();
  const visibilityChanges = await visibilityChangesOf(tx, journal);
  const viewers: NewRow[] = [];
  for (const { id, changes } of changedViewersOf(journal))
    viewers.push(viewerRow(id, changes, await rightsBefore(tx, journal, id)));

  const rows = await loading(related, () => [
    ...touched.map((entry) => rowOf(related, 'record', entry)),
    ...visibilityChanges.map((entry) => rowOf(related, 'sight', entry)),
  ]);
  return [...inOrder(rows.filter(saysSomething)), ...viewers];
}

function rowOf(related: RelatedRecords, kind: 'record' | 'sight', entry: Touched): NewRow {
  return {
    kind,
    type: entry.type,
    id: entry.id,
    ...changeOf(entry),
    ...(kind === 'sight' ? { fields: fieldsSeenByOthers(related, entry) } : {}),
    before: scopeFactsOf(related, 'before', entry),
    after: scopeFactsOf(related, 'after', entry),
    changes: entry.changes,
  };
}

function saysSomething({ kind, fields, before, after }: NewRow): boolean {
  return kind === 'record' || fields.length > 0 || JSON.stringify(before) !== JSON.stringify(after);
}

function viewerRow(id: string, changes: readonly string[], before: Rights): NewRow {
  const row = { kind: 'viewer', type: 'user', id, op: 'update', fields: [], after: null } as const;
  return { ...row, before, changes };
}

/**
 * Orders rows: what exists comes first, parents before children; then what is gone, children before
 * parents.
 */
function inOrder(rows: readonly NewRow[]): NewRow[] {
  const rank = ({ op, type }: NewRow) => (op === 'remove' ? -rankOf(type) : rankOf(type));
  const [here, gone] = [
    rows.filter(({ op }) => op !== 'remove'),
    rows.filter(({ op }) => op === 'remove'),
  ];
  return [here, gone].flatMap((part) => part.sort((a, b) => rank(a) - rank(b)));
}

async function insertRows(
  tx: DatabaseTransaction,
  rows: readonly NewRow[],
  cause: WriteCause,
  n: number,
): Promise<void> {
  const numbered = rows.map((row, index) => ({ ...row, k: index + 1 }));
  await tx.query(sql`
    insert into feed (n, k, kind, type, id, op, fields, before, after, changes, by, at)
    select ${n}::bigint, k, kind, type, id, op, fields, before, after, changes,
      ${cause.by}::uuid, ${isoOf(cause)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(numbered)}::jsonb)
      as t(k integer, kind text, type text, id uuid, op text, fields jsonb, before jsonb, after jsonb,
        changes jsonb)`);
}

/** Drops the tombstones of what came back under its old id. */
async function dropTombstones(tx: DatabaseTransaction, touched: readonly Touched[]): Promise<void> {
  const added = touched
    .filter(({ before }) => before === null)
    .map(({ type, id }) => ({ type, id }));
  if (added.length > 0)
    await tx.query(sql`delete from tombstones using jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as t(type text, id uuid) where tombstones.type = t.type and tombstones.id = t.id`);
}

async function insertTombstones(
  tx: DatabaseTransaction,
  gone: readonly (Touched & Pick<Tombstone, 'audience'> & { readonly facts: RemovalFacts })[],
  cause: WriteCause,
  n: number,
): Promise<void> {
  if (gone.length === 0) return;
  const stones = gone.map(({ type, id, audience, facts }) => ({ type, id, audience, ...facts }));
  // What the same commit made and removed may have existed, and been removed, before.
  await tx.query(sql`
    insert into tombstones (type, id, n, audience, by, at, project_id, product_id, name)
    select type, id, ${n}::bigint, audience, ${cause.by}::uuid, ${isoOf(cause)}::timestamptz,
      project, product, name
    from jsonb_to_recordset(${JSON.stringify(stones)}::jsonb)
      as t(type text, id uuid, audience jsonb, project uuid, product uuid, name text)
    on conflict (type, id) do update
    set n = excluded.n, audience = excluded.audience, by = excluded.by, at = excluded.at,
      project_id = excluded.project_id, product_id = excluded.product_id, name = excluded.name`);
}

const isoOf = ({ at }: WriteCause): string => new Date(at).toISOString();

/** Returns the last commit. */
export async function headOf(tx: DatabaseTransaction): Promise<FeedCommit> {
  const [head] = await tx.query(
    sql<FeedCommit>`select n, mark from feed_head join feed_marks using (n)`,
  );
  if (head === undefined) throw new Error('The feed has no head');
  return head;
}

/** Returns the mark of commit `n`; null where there is none of that number, or it is forgotten. */
export async function markOf(tx: DatabaseTransaction, n: number): Promise<string | null> {
  const [row] = await tx.query(
    sql<{ readonly mark: string }>`select mark from feed_marks where n = ${n}::bigint`,
  );
  return row?.mark ?? null;
}

/**
 * Returns true when this database has all of `commits`; one that is older than all marks counts as
 * there.
 */
export async function hasCommits(
  tx: DatabaseTransaction,
  commits: readonly FeedCommit[],
): Promise<boolean> {
  const numbers = commits.map(({ n }) => n);
  const rows = await tx.query(
    sql<FeedCommit>`select n, mark from feed_marks where n = any(${numbers}::bigint[])
      or n = (select min(n) from feed_marks)`,
  );
  const marks = new Map(rows.map(({ n, mark }) => [n, mark]));
  const oldest = Math.min(...marks.keys());
  return commits.every(({ n, mark }) => n < oldest || marks.get(n) === mark);
}

/**
 * Returns the tombstone of a removed record, which is kept for at least 90 days; null when there is
 * none.
 */
export async function tombstoneOf(
  tx: DatabaseTransaction,
  type: TypeName,
  id: string,
): Promise<Tombstone | null> {
  const [row] = await tx.query(
    sql<Tombstone>`select n, audience, by, at from tombstones where type = ${type} and id = ${id}`,
  );
  return row ?? null;
}

/**
 * Returns the newest commit that set one of `fields` of a record, as far back as the feed is kept;
 * else null.
 */
export async function lastChangeOf(
  tx: DatabaseTransaction,
  type: TypeName,
  id: string,
  fields: readonly string[],
): Promise<LastChange | null> {
  const [row] = await tx.query(
    sql<LastChange>`select n, by, at from feed
      where type = ${type} and id = ${id} and kind = 'record' and (op = 'add' or fields ?| ${fields})
      order by n desc limit 1`,
  );
  return row ?? null;
}

/**
 * Returns the ids of those of `records` that `user` made, as far back as the feed is kept. A record
 * that the running transaction made is not among them yet.
 */
export async function createdBy(
  tx: DatabaseTransaction,
  user: string,
  records: readonly { readonly type: TypeName; readonly id: string }[],
): Promise<readonly string[]> {
  const rows = await tx.query(
    sql<{ readonly id: string }>`select feed.id
      from feed join jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as t(type text, id uuid)
        on feed.type = t.type and feed.id = t.id
      where feed.kind = 'record' and feed.op = 'add' and feed.by = ${user}::uuid`,
  );
  return rows.map(({ id }) => id);
}
