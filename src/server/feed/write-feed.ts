import { sql } from 'kysely';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { WriteCause, DatabaseTransaction } from '../db/database.ts';
import type {
  FeedCommit,
  FeedRow,
  LastChange,
  Rights,
  ScopeFacts,
  Tombstone,
} from '../db/feed-row.ts';
import type { Journal, Touched } from '../db/journal.ts';
import { scopeFactsOfRemoved, RelatedRecords, scopeFactsOf } from '../access/stored-scopes.ts';
import { rightsBefore } from './rights.ts';
import { rankOf } from '../db/shape.ts';
import { visibilityChangesOf, changedViewersOf } from '../access/visibility-changes.ts';
import { columnsOf } from '../db/tables.ts';

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
  for (const touched of journal.vanished())
    await insertTombstones(
      tx,
      [{ ...touched, scope: await scopeFactsOfRemoved(tx, journal, touched) }],
      cause,
      n,
    );
  if (journal.all().length === 0 && journal.viewers.size === 0) return false;

  const rows = await rowsOf(tx, journal);
  await insertRows(tx, rows, cause, n);
  await insertTombstonesOf(tx, rows, cause, n);
  const moved = await tx.query(sql`
    with head as (update feed_head set n = n + 1 where n = ${n - 1} returning n)
    insert into feed_marks (n, mark) select n, ${mark} from head returning n`);
  if (moved.length !== 1) throw new Error(`The feed head moved under commit ${n}`);
  return true;
}

async function rowsOf(tx: DatabaseTransaction, journal: Journal): Promise<NewRow[]> {
  const related = new RelatedRecords(tx, journal);
  const touched = journal.all();
  const visibilityChanges = await visibilityChangesOf(tx, journal);
  const viewers: NewRow[] = [];
  for (const { id, changes } of changedViewersOf(journal))
    viewers.push(viewerRow(id, changes, await rightsBefore(tx, journal, id)));

  let rows: NewRow[];
  do {
    rows = [
      ...touched.map((entry) => rowOf(related, 'record', entry)),
      ...visibilityChanges.map((entry) => rowOf(related, 'sight', entry)),
    ];
  } while (await related.load());
  return [...inOrder(rows), ...viewers];
}

function rowOf(related: RelatedRecords, kind: 'record' | 'sight', entry: Touched): NewRow {
  return {
    kind,
    type: entry.type,
    id: entry.id,
    op: opOf(entry),
    fields: kind === 'record' ? changedFields(entry) : [],
    before: scopeFactsOf(related, 'before', entry),
    after: scopeFactsOf(related, 'after', entry),
    changes: entry.changes,
  };
}

function viewerRow(id: string, changes: readonly string[], before: Rights): NewRow {
  const row = { kind: 'viewer', type: 'user', id, op: 'update', fields: [], after: null } as const;
  return { ...row, before, changes };
}

function opOf({ before, after }: Touched): FeedRow['op'] {
  if (before === null) return 'add';
  return after === null ? 'remove' : 'update';
}

const STAMPS: ReadonlySet<string> = new Set(['id', 'version', 'dateCreated', 'dateUpdated']);

function changedFields({ type, before, after }: Touched): string[] {
  if (before === null || after === null) return [];
  return fieldsOf(type).filter((field) => !isSame(before, after, field));
}

function fieldsOf(type: TypeName): string[] {
  return columnsOf(type).flatMap(({ field }) => (STAMPS.has(field) ? [] : [field]));
}

function isSame(before: AnyRecord, after: AnyRecord, field: string): boolean {
  return JSON.stringify(before[field]) === JSON.stringify(after[field]);
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

/** Writes tombstones for what was removed, but none for what came back under its old id. */
async function insertTombstonesOf(
  tx: DatabaseTransaction,
  rows: readonly NewRow[],
  cause: WriteCause,
  n: number,
): Promise<void> {
  const added = rows.filter(({ op }) => op === 'add').map(({ type, id }) => ({ type, id }));
  if (added.length > 0)
    await tx.query(sql`delete from tombstones using jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as t(type text, id uuid) where tombstones.type = t.type and tombstones.id = t.id`);

  const gone = rows.flatMap(({ op, type, id, before }) =>
    op === 'remove' ? [{ type, id, scope: before }] : [],
  );
  await insertTombstones(tx, gone, cause, n);
}

async function insertTombstones(
  tx: DatabaseTransaction,
  gone: readonly { readonly type: TypeName; readonly id: string; readonly scope: unknown }[],
  cause: WriteCause,
  n: number,
): Promise<void> {
  if (gone.length === 0) return;
  const stones = gone.map(({ type, id, scope }) => ({ type, id, scope }));
  // What the same commit made and removed may have existed, and been removed, before.
  await tx.query(sql`
    insert into tombstones (type, id, n, scope, by, at)
    select type, id, ${n}::bigint, scope, ${cause.by}::uuid, ${isoOf(cause)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(stones)}::jsonb) as t(type text, id uuid, scope jsonb)
    on conflict (type, id) do update
    set n = excluded.n, scope = excluded.scope, by = excluded.by, at = excluded.at`);
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
    sql<Tombstone>`select n, scope, by, at from tombstones where type = ${type} and id = ${id}`,
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
