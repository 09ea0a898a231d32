import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { compareFolded, fold } from '#base/unicode.ts';
import { resourceOf, storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { columnOf, columnsOf, keyColumnOf, tableOf } from '#server/db/tables.ts';
import type { Database } from '#server/db/database.ts';
import { testDatabase } from '../../support/database.ts';
import { aRecord } from '../../support/make.ts';

interface Found {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
  readonly collation: string | null;
}

const TYPE_NAMES: Readonly<Record<string, string>> = { 'timestamp with time zone': 'timestamptz' };

function columnsIn(db: Database, table: string): Promise<Found[]> {
  return db.read((tx) =>
    tx.query(sql<Found>`select column_name as name, data_type as type,
      is_nullable = 'YES' as "isNullable", collation_name as collation
      from information_schema.columns where table_schema = 'public' and table_name = ${table}
      order by column_name`),
  );
}

function declaredOf(type: TypeName): Found[] {
  const columns = columnsOf(type).flatMap(({ column, type: of, nullable, key }) => [
    { name: column, type: of, isNullable: nullable, collation: null },
    ...(key === null ? [] : [keyColumn(key)]),
  ]);
  if (type === 'user') columns.push(keyColumn('display_name_key'));
  return columns.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const keyColumn = (name: string): Found => ({
  name,
  type: 'text',
  isNullable: true,
  collation: 'C',
});

describe('the tables', () => {
  let db: Database;

  before(async () => {
    ({ db } = await testDatabase());
  });

  it('are called as the wire calls their types', () => {
    expect(tableOf('organizationMembership')).to.equal('organization_memberships');
    expect(tableOf('systemStatus')).to.equal('system_statuses');
    expect(columnOf('project', 'dateArchived')).to.equal('date_archived');
    expect(columnOf('project', 'organization')).to.equal('organization_id');
    expect(keyColumnOf('project', 'name')).to.equal('name_key');
    expect(keyColumnOf('project', 'isPublic')).to.equal(null);
    expect(keyColumnOf('user', 'displayName')).to.equal('display_name_key');
  });

  it('have no place for what is only written', () => {
    expect(() => columnOf('organization', 'buildEngineApiAccessToken')).to.throw('no column');
  });

  for (const type of storedTypes) {
    it(`have the columns that the schema gives ${tableOf(type)}`, async () => {
      const found = await columnsIn(db, tableOf(type));
      const real = found.map((column) => ({
        ...column,
        type: TYPE_NAMES[column.type] ?? column.type,
      }));

      expect(real).to.deep.equal(declaredOf(type));
    });
  }

  it('point to each other by foreign keys, every to-one of the schema by one', async () => {
    const found = await db.read((tx) =>
      tx.query(sql<{ readonly key: string }>`
        select conrelid::regclass || '.' || attname || ' → ' || confrelid::regclass as key
        from pg_constraint join pg_attribute on attrelid = conrelid and attnum = conkey[1]
        where contype = 'f'`),
    );
    const keys = new Set(found.map(({ key }) => key));
    const wanted = storedTypes.flatMap((type) =>
      columnsOf(type).flatMap(({ column, to }) =>
        to === null ? [] : [`${tableOf(type)}.${column} → ${tableOf(to)}`],
      ),
    );

    expect(wanted.filter((key) => !keys.has(key))).to.deep.equal([]);
  });

  it('have an index that begins with every to-one', async () => {
    const found = await db.read((tx) =>
      tx.query(sql<{ readonly column: string }>`
        select indrelid::regclass || '.' || attname as column from pg_index
        join pg_attribute on attrelid = indrelid and attnum = indkey[0]`),
    );
    const indexed = new Set(found.map(({ column }) => column));
    const wanted = storedTypes.flatMap((type) =>
      columnsOf(type).flatMap(({ column, to }) =>
        to === null ? [] : [`${tableOf(type)}.${column}`],
      ),
    );

    expect(wanted.filter((column) => !indexed.has(column))).to.deep.equal([]);
  });

  for (const type of storedTypes.filter((name) => resourceOf(name).unique !== null)) {
    it(`refuse a second of the same in ${tableOf(type)}`, async () => {
      const first = (await aRecord(db, type)) as unknown as Readonly<Record<string, string>>;
      const same = Object.fromEntries(
        (resourceOf(type).unique ?? []).map((field) => [field, first[field]]),
      );
      const again = type === 'userRole' ? { ...same, roleName: first.roleName } : same;

      expect(await refused(aRecord(db, type, again))).to.equal('23505');
    });
  }

  it('refuse a value that is none of the choices', async () => {
    expect(await refused(aRecord(db, 'user', { locale: 'de-DE' as never }))).to.equal('23514');
  });

  it('order folded text as JavaScript does', async () => {
    const names = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), {
      numRuns: 1_000,
      seed: 5,
    });
    const keys = names.map((name) => fold(name.replaceAll('\u0000', '')));
    const ordered = await db.read((tx) =>
      tx.query(sql<{ readonly key: string }>`select key from unnest(${keys}::text[]) as t(key)
        order by key collate "C"`),
    );

    expect(ordered.map(({ key }) => key)).to.deep.equal([...keys].sort(compareFolded));
  });
});

async function refused(writing: Promise<unknown>): Promise<string> {
  try {
    await writing;
  } catch (error) {
    return String((error as { code?: unknown }).code);
  }
  return 'not refused';
}
