import { PGlite } from '@electric-sql/pglite';
import type pg from 'pg';
import { types } from '#server/db/connections/transaction-session.ts';

/** Frees whoever waits to begin a transaction. */
export type Begin = () => Promise<void>;

interface Field {
  readonly name: string;
  readonly read: (text: string) => unknown;
}

interface Result {
  readonly rows: Record<string, unknown>[];
}

/** What PostgreSQL refused. */
class DatabaseError extends Error {
  readonly code: string;
  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'no reason given');
    this.name = 'DatabaseError';
    this.code = fields.get('C') ?? '';
  }
}

const MOST_PREPARED = 3_000;

/**
 * PGlite in this process and in memory, with the part of `pg.Pool` that transactions use. Every
 * statement is done at once; only beginning a transaction waits, for what `begin` says.
 */
export class MemoryDatabase {
  readonly #engine: PGlite;
  readonly #fields = new Map<string, { readonly name: string; readonly fields: Field[] }>();
  #prepared = 0;
  #isTaken = false;
  begin: Begin = () => Promise.resolve();
  /** All is one transaction, in which each of the server's is a savepoint. */
  isNested = false;
  /** How many statements were done. */
  statements = 0;

  private constructor(engine: PGlite) {
    this.#engine = engine;
  }

  /** Opens an empty database, or one with all that is in `dump`. */
  static async open(dump: Blob | null): Promise<MemoryDatabase> {
    const options = dump === null ? {} : { loadDataDir: dump };
    return new MemoryDatabase(await PGlite.create(options));
  }

  /** All that is in the database, as `open` takes it. */
  dump(): Promise<Blob> {
    return this.#engine.dumpDataDir('none');
  }

  get pool(): pg.Pool {
    return { connect: () => this.#connect() } as unknown as pg.Pool;
  }

  close(): Promise<void> {
    return this.#engine.close();
  }

  async #connect(): Promise<unknown> {
    await this.begin();
    if (this.#isTaken) throw new Error('Two transactions at once: one awaited more than SQL');
    this.#isTaken = true;
    return {
      query: (text: string, values: readonly unknown[] = []) => {
        try {
          return Promise.resolve(values.length === 0 ? this.#plain(text) : this.#ask(text, values));
        } catch (error) {
          return Promise.reject(error instanceof Error ? error : new Error(String(error)));
        }
      },
      release: () => {
        this.#isTaken = false;
      },
    };
  }

  #plain(text: string): Result | Result[] {
    return this.simple(this.isNested ? nested(text) : text);
  }

  /** One or several statements without values; of several an array of results. */
  simple(text: string): Result | Result[] {
    const results: Result[] = [];
    let fields: Field[] = [];
    let rows: Record<string, unknown>[] = [];
    this.#exchange(message('Q', cString(text)), (kind, body) => {
      if (kind === 'T') fields = fieldsIn(body);
      else if (kind === 'D') rows.push(rowIn(body, fields));
      else if (kind === 'C') {
        results.push({ rows });
        rows = [];
      }
    });
    this.statements += results.length;
    const [only] = results;
    return results.length === 1 && only !== undefined ? only : results;
  }

  #ask(text: string, values: readonly unknown[]): Result {
    this.statements += 1;
    let known = this.#fields.get(text);
    const parts: Buffer[] = [];
    if (known === undefined) {
      this.#forgetSome();
      this.#prepared += 1;
      const name = `s${this.#prepared}`;
      parts.push(message('P', cString(name), cString(text), int16(0)));
      parts.push(message('D', Buffer.from('S'), cString(name)));
      known = { name, fields: [] };
    }
    const { name } = known;
    parts.push(message('B', cString(''), cString(name), int16(0), ...valuesOf(values), int16(0)));
    parts.push(message('E', cString(''), int32(0)), message('S'));
    let fields = known.fields;
    const rows: Record<string, unknown>[] = [];
    this.#exchange(Buffer.concat(parts), (kind, body) => {
      if (kind === 'T') fields = fieldsIn(body);
      else if (kind === 'D') rows.push(rowIn(body, fields));
    });
    this.#fields.set(text, { name, fields });
    return { rows };
  }

  #forgetSome(): void {
    if (this.#fields.size < MOST_PREPARED) return;
    this.simple('deallocate all');
    this.#fields.clear();
  }

  #exchange(ask: Uint8Array, hear: (kind: string, body: Buffer) => void): void {
    const answer = Buffer.from(this.#engine.execProtocolRawSync(ask));
    let refusal: DatabaseError | null = null;
    for (let at = 0; at < answer.length;) {
      const kind = String.fromCharCode(answer.readUInt8(at));
      const length = answer.readInt32BE(at + 1);
      const body = answer.subarray(at + 5, at + 1 + length);
      if (kind === 'E') refusal ??= new DatabaseError(refusalIn(body));
      else hear(kind, body);
      at += 1 + length;
    }
    if (refusal !== null) throw refusal;
  }
}

/** What a statement that begins or ends a transaction is inside of another. */
function nested(text: string): string {
  if (text === 'commit') return 'release savepoint own';
  if (text === 'rollback') return 'rollback to savepoint own; release savepoint own';
  return text.replace(/^begin[^;]*/, 'savepoint own');
}

function message(kind: string, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.from(kind), int32(length), ...parts]);
}

const cString = (text: string): Buffer => Buffer.from(`${text}\0`);

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function valuesOf(values: readonly unknown[]): Buffer[] {
  return [
    int16(values.length),
    ...values.flatMap((value) => {
      const text = textOf(value);
      if (text === null) return [int32(-1)];
      const bytes = Buffer.from(text);
      return [int32(bytes.length), bytes];
    }),
  ];
}

/** A value as PostgreSQL reads it, the way the `pg` package writes it. */
function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return arrayOf(value);
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

function arrayOf(values: readonly unknown[]): string {
  const parts = values.map((value) => {
    const text = textOf(value);
    if (text === null) return 'NULL';
    return Array.isArray(value) ? text : `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"`;
  });
  return `{${parts.join(',')}}`;
}

function fieldsIn(body: Buffer): Field[] {
  const fields: Field[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const end = body.indexOf(0, at);
    const oid = body.readInt32BE(end + 7);
    const parserOf = types.getTypeParser as (oid: number, format: 'text') => Field['read'];
    const read = parserOf(oid, 'text');
    fields.push({ name: body.toString('utf8', at, end), read });
    at = end + 19;
  }
  return fields;
}

function rowIn(body: Buffer, fields: readonly Field[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  let at = 2;
  for (const { name, read } of fields) {
    const length = body.readInt32BE(at);
    at += 4;
    row[name] = length < 0 ? null : read(body.toString('utf8', at, at + length));
    at += Math.max(0, length);
  }
  return row;
}

function refusalIn(body: Buffer): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < body.length && body[at] !== 0;) {
    const end = body.indexOf(0, at + 1);
    fields.set(String.fromCharCode(body.readUInt8(at)), body.toString('utf8', at + 1, end));
    at = end + 1;
  }
  return fields;
}
