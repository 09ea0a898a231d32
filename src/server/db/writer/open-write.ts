import { sql } from 'kysely';
import { fold } from '#base/unicode.ts';
import type { AuditFact } from '#rules/audit/audit.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { attributesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { RawBuilder } from 'kysely';
import type {
  WriteCause,
  ChangeOptions,
  FieldChanges,
  NewRecord,
  DatabaseTransaction,
  WriteTransaction,
} from '../database.ts';
import type { LastChange, Tombstone } from '../feed-row.ts';
import { Journal, union } from '../journal.ts';
import { TransactionCache, listKeyOf } from '../transaction-cache.ts';
import { refuseInUse, removalOf } from '../removal.ts';
import { Savepoints } from '../connections/savepoints.ts';
import type { TransactionSession } from '../connections/transaction-session.ts';
import { rankOf } from '../shape.ts';
import { columnsOf, recordOf, rowOf, tableOf } from '../tables.ts';
import type { ChangeRecorder } from './change-recorder.ts';

/** The only way in which resource tables are written: every touch is noted for the feed. */
export class OpenWrite implements WriteTransaction {
  readonly n: number;
  readonly cause: WriteCause;
  readonly journal = new Journal();
  readonly #tx: TransactionSession;
  readonly #at: string;
  readonly #cache = new TransactionCache();
  readonly #savepoints: Savepoints;
  readonly #recorder: ChangeRecorder;
  #after: (() => void)[] = [];
  #audited: readonly AuditFact[] = [];

  constructor(tx: TransactionSession, cause: WriteCause, n: number, recorder: ChangeRecorder) {
    this.#tx = tx;
    this.#recorder = recorder;
    this.#savepoints = new Savepoints(tx);
    this.cause = cause;
    this.journal.changes = cause.changes;
    this.n = n;
    this.#at = new Date(cause.at).toISOString();
  }

  /** Returns what runs after the commit. */
  get afterwards(): readonly (() => void)[] {
    return this.#after;
  }

  /** Returns the audit facts that were added beside those that the changes themselves imply. */
  get audited(): readonly AuditFact[] {
    return this.#audited;
  }

  touched() {
    return this.journal.all();
  }

  /** Runs a statement; nobody knows whether it writes, so a savepoint is set before it. */
  async query<R>(statement: RawBuilder<R>): Promise<R[]> {
    await this.#savepoints.set();
    return this.#tx.query(statement);
  }

  async one<T extends TypeName>(type: T, id: string): Promise<Of<T> | null> {
    const known = this.#cache.record(type, id) as Of<T> | null | undefined;
    if (known !== undefined) return known;
    const found = await this.#tx.one(type, id);
    this.#cache.setRecord(type, id, found);
    return found;
  }

  async all<T extends TypeName>(type: T, where: Partial<Of<T>>): Promise<Of<T>[]> {
    const found = await this.cached(listKeyOf(type, where), [type], (tx) => tx.all(type, where));
    for (const record of found) this.#cache.setRecord(type, record.id, record);
    return [...found];
  }

  async many<T extends TypeName>(type: T, ids: readonly string[]): Promise<Of<T>[]> {
    const unread = ids.filter((id) => this.#cache.record(type, id) === undefined);
    const found = unread.length === 0 ? [] : await this.#tx.many(type, unread);
    for (const id of unread) this.#cache.setRecord(type, id, null);
    for (const record of found) this.#cache.setRecord(type, record.id, record);
    return [...new Set(ids.map((id) => this.#cache.record(type, id)))].filter(isRecord) as Of<T>[];
  }

  cached<T>(
    key: string,
    types: readonly TypeName[],
    load: (tx: DatabaseTransaction) => Promise<T>,
  ): Promise<T> {
    return this.#cache.cached(key, types, () => load(this.#tx));
  }

  async tombstone(type: TypeName, id: string): Promise<Tombstone | null> {
    const touched = this.journal.of(type, id);
    if (touched?.after !== null) return this.#recorder.tombstoneOf(this.#tx, type, id);
    const audience = await this.#recorder.audienceOfRemoved(this.#tx, this.journal, touched);
    return { n: this.n, audience, by: this.cause.by, at: this.#at };
  }

  async lastChange(
    type: TypeName,
    id: string,
    fields: readonly string[],
  ): Promise<LastChange | null> {
    const touched = this.journal.of(type, id);
    const isOurs =
      touched !== null &&
      fields.some((field) => touched.before?.[field] !== touched.after?.[field]);
    if (isOurs) return { n: this.n, by: this.cause.by, at: this.#at };
    return this.#recorder.lastChangeOf(this.#tx, type, id, fields);
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
    this.#note(type, record.id, null, this.#written(type, written));
  }

  async change<T extends TypeName>(
    type: T,
    id: string,
    fields: FieldChanges<T>,
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
    this.#note(type, id, before, this.#written(type, written));
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
      for (const record of records.values()) this.#note(of, record.id, record, null);
    }
  }

  changeViewer(user: string): void {
    this.journal.noteViewer(user);
  }

  async savepoint<T>(work: (write: WriteTransaction) => Promise<T>): Promise<T> {
    const [restore, after, audited] = [this.journal.mark(), this.#after, this.#audited];
    this.#after = [...after];
    this.#savepoints.enter();
    try {
      const result = await work(this);
      this.#savepoints.leave();
      return result;
    } catch (error) {
      if (await this.#savepoints.undo()) this.#cache.forget();
      restore();
      this.#after = after;
      this.#audited = audited;
      throw error;
    }
  }

  async causedBy<T>(change: string | null, work: () => Promise<T>): Promise<T> {
    const { changes } = this.journal;
    if (change !== null) this.journal.changes = union(changes, [change]);
    try {
      return await work();
    } finally {
      this.journal.changes = changes;
    }
  }

  audit(fact: AuditFact): void {
    this.#audited = [...this.#audited, fact];
  }

  afterCommit(act: () => void): void {
    this.#after.push(act);
  }

  #stamp() {
    return { version: this.n, dateUpdated: this.#at };
  }

  #written(type: TypeName, row: Readonly<Record<string, unknown>> | undefined): AnyRecord {
    if (row === undefined) throw new Error(`A ${type} was written and is not there`);
    return recordOf(type, row);
  }

  #note(type: TypeName, id: string, before: AnyRecord | null, after: AnyRecord | null): void {
    this.journal.note(type, id, before, after);
    this.#cache.wrote(type, id, after);
  }
}

const isRecord = (record: AnyRecord | null | undefined): record is AnyRecord =>
  record !== null && record !== undefined;

/** Returns every field of a new record with its value when none is stated. */
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
