import { sql } from 'kysely';
import { access, fieldScope } from '#rules/access.ts';
import { pathsOf, targetOf } from '#rules/scope.ts';
import type { Scope, ScopePath, ScopeStep } from '#rules/scope.ts';
import { storedTypes } from '#schema/index.ts';
import type { AnyRecord, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../db/database.ts';
import type { FeedRow } from '../db/feed-row.ts';
import { changeOf, union } from '../db/journal.ts';
import type { Journal, TouchedChange, Touched } from '../db/journal.ts';
import { columnOf, columnsOf, recordOf, tableOf } from '../db/tables.ts';
import { belongingScope, feedScope } from './feed-scope.ts';

/** Fields of other records on which the visibility of a type hangs, by the steps that lead there. */
interface Dependency {
  readonly steps: readonly ScopeStep[];
  readonly fields: ReadonlySet<string>;
}

interface Dependencies {
  /** Of being in somebody's feed, and of what is seen there. */
  readonly inFeed: readonly Dependency[];
  /** Of being seen beyond any feed, by outsiders. */
  readonly beyond: readonly Dependency[];
}

const known = new Map<TypeName, Dependencies & { readonly read: Scope }>();

/** Returns on what the visibility of `type` hangs; it is derived once for the scope of its reads. */
function dependenciesOf(type: TypeName): Dependencies {
  const { read } = access[type];
  const found = known.get(type);
  if (found?.read === read) return found;
  const fields = columnsOf(type).map(({ field }) => fieldScope(type, field));
  const inFeed = [belongingScope(type), feedScope(type), ...new Set(fields)];
  const inFeedPaths = inFeed.flatMap((scope) => pathsOf(scope, type));
  const keys = new Set(inFeedPaths.map((path) => JSON.stringify(path)));
  const beyond = pathsOf(read, type).filter((path) => !keys.has(JSON.stringify(path)));
  const derived = { read, inFeed: bySteps(inFeedPaths), beyond: bySteps(beyond) };
  known.set(type, derived);
  return derived;
}

function bySteps(paths: readonly ScopePath[]): Dependency[] {
  const groups = new Map<string, { steps: readonly ScopeStep[]; fields: Set<string> }>();
  for (const { steps, field } of paths) {
    if (steps.length === 0) continue;
    const key = JSON.stringify(steps);
    const group = groups.get(key) ?? { steps, fields: new Set() };
    group.fields.add(field);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** A record whose own fields the last of `steps` reaches. */
type Reached = TouchedChange & { readonly type: TypeName };

/**
 * Says whether a change of a record of another type may show or hide one from which `steps` lead
 * there. Nothing that stays points to a record that comes or goes.
 */
function isReached({ steps, fields }: Dependency, { type, op, fields: changed }: Reached): boolean {
  const last = steps.at(-1);
  if (last === undefined || endOf(last) !== type) return false;
  return op === 'update' ? changed.some((field) => fields.has(field)) : last.is === 'some';
}

const endOf = ({ is, type, field }: ScopeStep): TypeName =>
  is === 'some' ? type : targetOf(type, field);

/** Says whether the change in `row` may show or hide records of `type` to those who have them in no feed. */
export function mayShowOrHide(type: TypeName, row: FeedRow): boolean {
  return row.kind === 'record' && dependenciesOf(type).beyond.some((one) => isReached(one, row));
}

/**
 * Returns records that a transaction left alone, but that others than before may have in their
 * feed, or see more of: the person of a membership that was added, removed or agreed to, the
 * reviewers of a project whose team changed.
 */
export async function visibilityChangesOf(
  tx: DatabaseTransaction,
  journal: Journal,
): Promise<Touched[]> {
  const touched = journal.all().map((entry) => ({ ...entry, ...changeOf(entry) }));
  const found = new Map<string, Touched>();
  for (const type of storedTypes)
    for (const dependency of dependenciesOf(type).inFeed) {
      const causes = touched.filter((entry) => isReached(dependency, entry));
      if (causes.length === 0) continue;
      const changes = causes.reduce<readonly string[]>((all, one) => union(all, one.changes), []);
      for (const record of await recordsThatReach(tx, type, dependency.steps, causes)) {
        if (journal.of(type, record.id) !== null) continue;
        const { id } = record;
        const all = union(found.get(id)?.changes ?? [], changes);
        found.set(id, { type, id, before: record, after: record, last: record, changes: all });
      }
    }
  return [...found.values()];
}

/** Goes `steps` back, from the records that a transaction touched to those of `type` that reach them. */
async function recordsThatReach(
  tx: DatabaseTransaction,
  type: TypeName,
  steps: readonly ScopeStep[],
  causes: readonly Touched[],
): Promise<readonly AnyRecord[]> {
  let records = causes.flatMap(({ before, after }) =>
    [before, after].filter((one) => one !== null),
  );
  for (const [n, step] of [...steps.entries()].reverse()) {
    const nearer = steps[n - 1];
    const start = nearer === undefined ? type : endOf(nearer);
    const key = step.is === 'at' ? 'id' : step.field;
    const ids = [...new Set(records.map((record) => record[key]))].filter((id) => id !== null);
    if (ids.length === 0) return [];
    records = await read(tx, start, step.is === 'at' ? step.field : 'id', ids);
  }
  return records;
}

interface ChangedViewer {
  readonly id: string;
  readonly changes: readonly string[];
}

/**
 * Returns the users whose rights a transaction changed: memberships, roles, groups, the lock, their
 * sign-ins.
 */
export function changedViewersOf(journal: Journal): ChangedViewer[] {
  const users = new Map(journal.viewers);
  for (const entry of journal.all())
    for (const id of viewersChangedBy(entry))
      users.set(id, union(users.get(id) ?? [], entry.changes));
  return [...users]
    .map(([id, changes]) => ({ id, changes }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

function viewersChangedBy(entry: Touched): string[] {
  const { type, id, before, after } = entry;
  if (type === 'user')
    return before !== null && after !== null && before.isLocked !== after.isLocked ? [id] : [];
  const isComeOrGone = (before === null) !== (after === null);
  return RIGHTS.includes(type) && isComeOrGone ? idsIn(entry, 'user') : [];
}

const RIGHTS: readonly TypeName[] = ['organizationMembership', 'userRole', 'groupMembership'];

/** Returns the ids that the to-one `field` has, before and after. */
function idsIn({ before, after }: Touched, field: string): string[] {
  return [before?.[field], after?.[field]].filter((id) => typeof id === 'string');
}

async function read(
  tx: DatabaseTransaction,
  type: TypeName,
  field: string,
  ids: readonly unknown[],
): Promise<AnyRecord[]> {
  const rows = await tx.query(
    sql<Record<string, unknown>>`select * from ${sql.id(tableOf(type))}
      where ${sql.id(columnOf(type, field))} = any(${ids}::uuid[]) order by id`,
  );
  return rows.map((row) => recordOf(type, row) as AnyRecord);
}
