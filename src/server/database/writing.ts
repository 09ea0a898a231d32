import { sql } from 'kysely';
import { fold } from '#base/fold.ts';
import { displayNameOf } from '#rules/display.ts';
import { attributesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { RawBuilder } from 'kysely';
import type { Cause, ChangeOptions, Changes, NewRecord, Tx, Write } from './database.ts';
import { Journal } from './journal.ts';
import { refuseInUse, removalOf } from './removal.ts';
import { rankOf } from './shape.ts';
import { columnsOf, recordOf, rowOf, tableOf } from './tables.ts';

/** The one way in which resource tables are written: every touch is noted for the feed. */
export class Writing implements Write {
  readonly n: number;
  readonly cause: Cause;
  readonly journal = new Journal();
  readonly #tx: Tx;
  readonly #at: string;
  #after: (() => void)[] = [];
  #depth = 0;

  constructor(tx: Tx, cause: Cause, n: number) {
    this.#tx = tx;
    this.cause = cause;
    this.n = n;
    this.#at = new Date(cause.at).toISOString();
  }

  /** What is to happen after the commit. */
  get afterwards(): readonly (() => void)[] {
    return this.#after;
  }

  query<R>(statement: RawBuilder<R>): Promise<R[]> {
    return this.#tx.query(statement);
  }

  one<T extends TypeName>(type: T, id: string): Promise<Of<T> | null> {
    return this.#tx.one(type, id);
  }

  all<T extends TypeName>(type: T, where: Partial<Of<T>>): Promise<Of<T>[]> {
    return this.#tx.all(type, where);
  }

  async insert<T extends TypeName>(type: T, record: NewRecord<T>): Promise<void> {
    const whole = { ...emptyOf(type), ...record, ...this.#stamp(), dateCreated: this.#at };
    const row = rowOf(type, whole);
    addDisplayName(type, row, whole);
    const names = [...row.keys()].map((name) => sql.id(name));
    const [written] = await this.query(
      sql<Record<string, unknown>>`insert into ${sql.id(tableOf(type))} (${sql.join(names)})
        values (${sql.join([...row.values()])}) returning *`,
    );
    this.#note(type, record.id, null, written);
  }

  async change<T extends TypeName>(
    type: T,
    id: string,
    fields: Changes<T>,
    { keepsDate = false }: ChangeOptions = {},
  ): Promise<void> {
    const before = (await this.one(type, id)) as AnyRecord | null;
    if (before === null) throw new Error(`There is no ${type} ${id} to change`);
    const stamp = keepsDate ? { version: this.n } : this.#stamp();
    const row = rowOf(type, { ...fields, ...stamp });
    addDisplayName(type, row, { ...before, ...fields });
    const sets = [...row].map(([name, value]) => sql`${sql.id(name)} = ${value}`);
    const [written] = await this.query(
      sql<Record<string, unknown>>`update ${sql.id(tableOf(type))} set ${sql.join(sets)}
        where id = ${id} returning *`,
    );
    this.#note(type, id, before, written);
  }

  async remove(type: TypeName, id: string): Promise<void> {
    const going = await removalOf(this, type, id);
    if (going === null) return;
    await refuseInUse(this, going);
    const childrenFirst = [...going].sort(([a], [b]) => rankOf(b) - rankOf(a));
    for (const [of, records] of childrenFirst) {
      await this.query(
        sql`delete from ${sql.id(tableOf(of))} where id = any(${[...records.keys()]}::uuid[])`,
      );
      for (const record of records.values()) this.journal.note(of, record.id, record, null);
    }
  }

  async savepoint<T>(work: (write: Write) => Promise<T>): Promise<T> {
    const [name, restore, after] = [`s${this.#depth}`, this.journal.mark(), this.#after];
    this.#depth += 1;
    this.#after = [...after];
    await this.query(sql`savepoint ${sql.id(name)}`);
    try {
      const result = await work(this);
      await this.query(sql`release savepoint ${sql.id(name)}`);
      return result;
    } catch (error) {
      await this.query(sql`rollback to savepoint ${sql.id(name)}`);
      restore();
      this.#after = after;
      throw error;
    } finally {
      this.#depth -= 1;
    }
  }

  afterCommit(act: () => void): void {
    this.#after.push(act);
  }

  #stamp() {
    return { version: this.n, dateUpdated: this.#at };
  }

  #note(
    type: TypeName,
    id: string,
    before: AnyRecord | null,
    row: Readonly<Record<string, unknown>> | undefined,
  ): void {
    if (row === undefined) throw new Error(`${type} ${id} was written and is not there`);
    this.journal.note(type, id, before, recordOf(type, row));
  }
}

/** Every field of a new record that states none. */
function emptyOf(type: TypeName): Record<string, unknown> {
  const fallbacks = new Map<string, unknown>(
    attributesOf(type).map(([field, { fallback }]) => [field, fallback]),
  );
  return Object.fromEntries(
    columnsOf(type).map(({ field }) => [field, fallbacks.get(field) ?? null]),
  );
}

function addDisplayName(type: TypeName, row: Map<string, unknown>, record: AnyRecord): void {
  if (type !== 'user') return;
  const name = displayNameOf(record as unknown as Of<'user'>);
  row.set('display_name_key', name === null ? null : fold(name));
}
