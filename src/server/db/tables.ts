import { fold } from '#base/unicode.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { attributesOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { Attribute, Kind } from '#schema/define.ts';

/** The tables of resources. Everything about them is derived here from the schema. */

const SNAKE = /[A-Z]/g;
const snake = (name: string): string => name.replace(SNAKE, (letter) => `_${letter.toLowerCase()}`);

/** `organizationMembership` → `organization_memberships`. */
export function tableOf(type: TypeName): string {
  return wireTypeOf(type).replaceAll('-', '_');
}

const FIXED = new Map([
  ['id', 'id'],
  ['version', 'version'],
  ['dateCreated', 'date_created'],
  ['dateUpdated', 'date_updated'],
]);

/**
 * Returns the column of an attribute, a to-one (`…_id`), or one of the four fields that every
 * record has.
 */
export function columnOf(type: TypeName, field: string): string {
  const column = layoutOf(type).byField.get(field)?.column;
  if (column === undefined) throw new Error(`${type} has no column for ${field}`);
  return column;
}

const FOLDED: ReadonlySet<string> = new Set(['line', 'email', 'url']);

/**
 * Returns the column with the stored fold of a line, by which it is ordered, searched and compared
 * (wire 5.3); else null.
 */
export function keyColumnOf(type: TypeName, field: string): string | null {
  if (type === 'user' && field === 'displayName') return 'display_name_key';
  return layoutOf(type).byField.get(field)?.key ?? null;
}

type ColumnType = 'uuid' | 'text' | 'boolean' | 'bigint' | 'integer' | 'timestamptz' | 'jsonb';

export interface Column {
  readonly field: string;
  readonly column: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** The type that a to-one points to. */
  readonly to: TypeName | null;
  readonly key: string | null;
  readonly choices: readonly (string | number)[] | null;
}

interface Layout {
  readonly columns: readonly Column[];
  readonly byField: ReadonlyMap<string, Column>;
}

const layouts = new Map<TypeName, Layout>();

function layoutOf(type: TypeName): Layout {
  const known = layouts.get(type);
  if (known !== undefined) return known;
  const columns = [...fixedColumns(), ...attributeColumns(type), ...toOneColumns(type)];
  const layout = { columns, byField: new Map(columns.map((column) => [column.field, column])) };
  layouts.set(type, layout);
  return layout;
}

/**
 * Returns every column that holds a field of `type`, in the order of the schema; keys are beside
 * them.
 */
export function columnsOf(type: TypeName): readonly Column[] {
  return layoutOf(type).columns;
}

function fixedColumns(): Column[] {
  const types: Readonly<Record<string, ColumnType>> = { id: 'uuid', version: 'bigint' };
  return [...FIXED].map(([field, column]) => ({
    field,
    column,
    type: types[field] ?? 'timestamptz',
    nullable: false,
    to: null,
    key: null,
    choices: null,
  }));
}

function attributeColumns(type: TypeName): Column[] {
  return attributesOf(type)
    .filter(([, attribute]) => !attribute.isWriteOnly)
    .map(([field, attribute]) => ({
      field,
      column: snake(field),
      type: columnTypeOf(attribute),
      nullable: attribute.nullable,
      to: null,
      key: FOLDED.has(attribute.kind) ? `${snake(field)}_key` : null,
      choices: attribute.choices,
    }));
}

function toOneColumns(type: TypeName): Column[] {
  return toOnesOf(type).map(([field, { to, nullable }]) => ({
    field,
    column: `${snake(field)}_id`,
    type: 'uuid',
    nullable,
    to,
    key: null,
    choices: null,
  }));
}

const COLUMN_TYPES = {
  line: 'text',
  text: 'text',
  email: 'text',
  url: 'text',
  json: 'text',
  bool: 'boolean',
  int: 'bigint',
  instant: 'timestamptz',
  uuid: 'uuid',
  list: 'jsonb',
  map: 'jsonb',
} as const satisfies Readonly<Record<Exclude<Kind, 'choice'>, ColumnType>>;

function columnTypeOf({ kind, choices }: Attribute): ColumnType {
  if (kind !== 'choice') return COLUMN_TYPES[kind];
  return typeof choices?.[0] === 'number' ? 'integer' : 'text';
}

/**
 * Returns a row of `select *` (or with the requested columns) as the flat record that our code
 * uses.
 */
export function recordOf<T extends TypeName>(
  type: T,
  row: Readonly<Record<string, unknown>>,
): Of<T> {
  const record: Record<string, unknown> = {};
  for (const { field, column } of columnsOf(type)) record[field] = row[column];
  return record as Of<T>;
}

/**
 * Returns the columns to write for `fields` of `type`, folded keys included, with values as pg
 * takes them.
 */
export function rowOf(
  type: TypeName,
  fields: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const row = new Map<string, unknown>();
  for (const [field, value] of Object.entries(fields)) {
    const column = layoutOf(type).byField.get(field);
    if (column === undefined) throw new Error(`${type} has no column for ${field}`);
    row.set(column.column, column.type === 'jsonb' ? asJson(value) : value);
    if (column.key !== null) row.set(column.key, typeof value === 'string' ? fold(value) : null);
  }
  return row;
}

// pg would make a PostgreSQL array of a list.
const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
