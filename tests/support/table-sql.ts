import { resourceOf, toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { columnsOf, tableOf } from '#server/db/tables.ts';
import type { Column } from '#server/db/tables.ts';

/** SQL for a new migration, as the schema is now. */

function literal(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `'${text.replaceAll("'", "''")}'`;
}

function definitionsOf(type: TypeName, { field, column, key, ...of }: Column): string[] {
  const declared = resourceOf(type).fields[field];
  const fallback = declared?.is === 'attribute' ? declared.fallback : null;
  const parts = [
    column,
    field === 'id' ? 'uuid primary key' : of.type,
    of.nullable || field === 'id' ? '' : 'not null',
    fallback === null ? '' : `default ${literal(fallback)}`,
    field === 'version' ? 'check (version > 0)' : '',
    of.choices === null ? '' : `check (${column} in (${of.choices.map(literal).join(', ')}))`,
    of.to === null ? '' : `references ${tableOf(of.to)} (id)`,
  ];
  const own = parts.filter((part) => part !== '').join(' ');
  return key === null ? [own] : [own, `${key} text collate "C"`];
}

const indexSql = (type: TypeName, columns: readonly Column[]): string =>
  columns
    .filter(({ to }) => to !== null)
    .map(({ column }) => `create index on ${tableOf(type)} (${column});\n`)
    .join('');

/** Creates the table of `type`. */
export function tableSql(type: TypeName): string {
  const columns = columnsOf(type);
  const table = tableOf(type);
  const lines = columns.flatMap((column) => definitionsOf(type, column));
  const { unique } = resourceOf(type);
  if (unique !== null) {
    const once = columns.filter(({ field }) => unique.includes(field)).map(({ column }) => column);
    lines.push(`constraint ${table}_once unique (${once.join(', ')})`);
  }
  return `create table ${table} (\n  ${lines.join(',\n  ')}\n);\n${indexSql(type, columns)}`;
}

/**
 * Adds the columns of one field, named `type.field`. @throws Error when the rows that are there
 * could not have it
 */
export function columnSql(path: string): string {
  const [type = '', field = ''] = path.split('.');
  const column = columnsOf(type as TypeName).find((one) => one.field === field);
  if (column === undefined)
    throw new Error(`${path} is no field with a column: declare it in src/schema first`);
  const [own = '', ...keys] = definitionsOf(type as TypeName, column);
  const isLink = toOnesOf(type as TypeName).some(([name]) => name === field);
  if (!column.nullable && (isLink || !own.includes(' default ')))
    throw new Error(`${path} needs a value for the rows that are there: .orElse(…)`);
  const added = [own, ...keys].map((line) => `\n  add column ${line}`).join(',');
  return `alter table ${tableOf(type as TypeName)}${added};\n${indexSql(type as TypeName, [column])}`;
}
