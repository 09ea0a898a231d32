import type { ActivityKind } from '#protocol/activity.ts';
import { fieldOfWire, typeOfWire, wireTypeOf } from '#protocol/names.ts';
import { mayReadField } from '#rules/access.ts';
import type { Find } from '#rules/find.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { inScope } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import { projectTeam } from '#rules/who.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { readVisibleByIds } from '../read-visible.ts';
import { activitySources } from './sources.ts';
import type { ActivityCursor, ActivityRow } from './sources.ts';

/** What is asked of a timeline. */
export interface ActivityFilter {
  /** Null: of all products, and of the project itself. */
  readonly product: string | null;
  readonly kinds: readonly ActivityKind[];
  readonly before: ActivityCursor | null;
  readonly limit: number;
}

/** A line of a timeline, by the names of the wire. */
interface ToldActivity {
  readonly id: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface ToldPage {
  readonly lines: readonly ToldActivity[];
  /** The last line, if there are more below it; else null. */
  readonly next: ActivityCursor | null;
}

/**
 * Reads a page of the timeline of a project that `viewer`, a member of its organization or a super
 * admin, sees: newest first, lines of one moment by their ids. People have their present names, and
 * none where the viewer does not see them; values are there as far as the viewer may see the field.
 */
export async function readActivity(
  tx: DatabaseTransaction,
  viewer: Viewer,
  project: Of<'project'>,
  { product, kinds, before, limit }: ActivityFilter,
): Promise<ToldPage> {
  if (product !== null && (await tx.one('product', product))?.project !== project.id)
    return { lines: [], next: null };
  const isOfTeam = await evaluateRule(tx, (find) =>
    inScope(projectTeam, viewer, 'project', project, find),
  );
  const wanted = {
    ...{ project: project.id, product, kinds: new Set(kinds), before, most: limit + 1, isOfTeam },
  };
  const rows: ActivityRow[] = [];
  for (const source of activitySources) {
    const isAsked = source.kinds.some((kind) => wanted.kinds.has(kind));
    if (isAsked && (product === null || !source.isOfProjectAlone))
      rows.push(...(await tx.query(source.read(wanted))));
  }
  rows.sort(newestFirst);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const next = rows.length > limit && last !== undefined ? { at: last.at, id: last.id } : null;
  return { lines: await told(tx, viewer, page), next };
}

function newestFirst(a: ActivityRow, b: ActivityRow): number {
  if (a.at !== b.at) return a.at > b.at ? -1 : 1;
  return a.id > b.id ? -1 : 1;
}

async function told(
  tx: DatabaseTransaction,
  viewer: Viewer,
  rows: readonly ActivityRow[],
): Promise<readonly ToldActivity[]> {
  const people = await namesOfPeople(
    tx,
    viewer,
    rows.flatMap(({ actor, subject_type, subject_id }) => [
      actor,
      subject_type === 'users' ? subject_id : null,
    ]),
  );
  const products = await namesOfProducts(
    tx,
    rows.map(({ product }) => product),
  );
  const values = await evaluateRule(tx, (find) =>
    rows.map((row) => [seen(viewer, row, row.before, find), seen(viewer, row, row.after, find)]),
  );
  return rows.map((row, n) => ({
    id: row.id,
    attributes: {
      kind: row.kind,
      at: row.at,
      'actor-id': row.actor,
      'actor-name': nameIn(people, row.actor),
      'product-id': row.product,
      'product-name': nameIn(products, row.product),
      'subject-type': wireNameOf(row.subject_type),
      'subject-id': row.subject_id,
      'subject-name':
        row.subject_type === 'users' ? nameIn(people, row.subject_id) : row.subject_name,
      before: values[n]?.[0] ?? null,
      after: values[n]?.[1] ?? null,
      text: row.text,
      details: row.details,
    },
  }));
}

/** Audit events have types by the names of the wire, tombstones by those of the schema. */
function wireNameOf(type: string | null): string | null {
  if (type === null || typeOfWire(type) !== null) return type;
  return wireTypeOf(type as TypeName);
}

const nameIn = (names: ReadonlyMap<string, string | null>, id: string | null): string | null =>
  id === null ? null : (names.get(id) ?? null);

async function namesOfPeople(
  tx: DatabaseTransaction,
  viewer: Viewer,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string | null>> {
  const users = await readVisibleByIds(tx, viewer, 'user', distinct(ids));
  return new Map(users.map((user) => [user.id, displayNameOf(user as unknown as Of<'user'>)]));
}

async function namesOfProducts(
  tx: DatabaseTransaction,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string | null>> {
  const products = await tx.many('product', distinct(ids));
  const definitions = await tx.many(
    'productDefinition',
    distinct(products.map(({ productDefinition }) => productDefinition)),
  );
  const names = new Map(definitions.map(({ id, name }) => [id, name]));
  return new Map(products.map((one) => [one.id, names.get(one.productDefinition) ?? null]));
}

const distinct = (ids: readonly (string | null)[]): string[] => [
  ...new Set(ids.filter((id) => id !== null)),
];

/** Of values, those of fields that the viewer may see now. A name of a person is never one. */
function seen(
  viewer: Viewer,
  { subject_type, subject_id }: ActivityRow,
  values: ActivityRow['before'],
  find: Find,
): ActivityRow['before'] {
  const type = typeOfWire(subject_type ?? '');
  if (values === null || type === null || subject_id === null) return null;
  const record = find.one(type, subject_id);
  if (record === null) return null;
  const kept = Object.entries(values).filter(([name]) => {
    // Groups are told by the name that they had.
    const field = fieldOfWire(type, name === 'group-name' ? 'group' : name);
    return field !== null && mayReadField(viewer, type, field, record, find);
  });
  return Object.fromEntries(kept);
}
