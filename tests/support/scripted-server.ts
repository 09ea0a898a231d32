import { newId as makeId } from '#base/id.ts';
import { JSON_API } from '#protocol/document.ts';
import type { ResourceObject } from '#protocol/document.ts';
import { hubMethods } from '#protocol/hub.ts';
import { typeOfWire, wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import type { FeedOperation, Operation, Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import { attributesOf, resourceOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { HubTransport, SignalRConnection } from '#data/model/environment.ts';

let made = 0;
const AT = '2026-01-31T09:30:00.000Z';
const JSON_ANSWER = { headers: { 'Content-Type': 'application/json' } };

/** Ids in order, the same in every run. */
export function anId(): string {
  made += 1;
  return makeId(
    () => 1_700_000_000_000 + made,
    (bytes) => bytes.fill(made % 256),
  );
}

/** The fault that the next request meets instead of being served; to be asked for life is none. */
export type Fault =
  /** It never arrives. */
  | 'cut-before'
  /** It is served; its answer never arrives. */
  | 'cut-after'
  | 'portal'
  | 'half'
  | Response
  | ((body: string) => Response | null);

interface Listener {
  readonly hear: (text: string) => void;
  readonly end: () => void;
  cursor: string;
}

/**
 * A server in a hundred lines, for what a real one can't be made to do on purpose: it knows
 * changes, versions, base checks, the feed and the hub, and fails as it is told.
 */
export class ScriptedServer {
  readonly records = new Map<string, ResourceObject>();
  readonly requests: { path: string; body: string; headers: Record<string, string> }[] = [];
  readonly faults: Fault[] = [];
  readonly verdicts = new Map<string, Verdict[]>();
  /** Changes that took effect, in order. */
  readonly applied: string[] = [];
  /** Refuses what it says why not to. */
  refuse: (operation: Operation) => Verdict['errors'] | null = () => null;
  /** Changes the fields that it is sent. */
  alter: (fields: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> = (
    fields,
  ) => fields;
  /** Answers a request in place of this server; null: it does not. */
  answer: (path: string, body: string) => Promise<Response> | null = () => null;
  /** What happens after a body of operations is committed and before its answer is made. */
  beforeAnswer: () => void = () => undefined;
  /** Ids of records that whoever asks does not see: a change of one is answered without it. */
  readonly unseen = new Set<string>();
  isDown = false;
  /** Requests are answered, and the hub cannot be reached. */
  isHubDown = false;
  /** The transport by which the hub says that it is reached. */
  transport: HubTransport | null = null;
  /** Requests to the addresses that it names are served only after `letThrough`. */
  holds: (address: string) => boolean = () => false;
  readonly #held: (() => void)[] = [];
  /** When `put` and `take` act, as refusals say. */
  changedAt = AT;
  /** As whom `put` and `take` act. */
  by: { readonly type: 'users'; readonly id: string; readonly name: string | null } | null = null;
  /** Calls that took effect, by their idempotency key. */
  readonly called = new Map<string, { readonly path: string; readonly body: unknown }>();
  readonly #tombs = new Map<string, object>();
  readonly #authors = new Map<string, ScriptedServer['by']>();
  database = 'a1b2';
  #n = 100;
  #keptFrom = 0;
  #feed: { readonly n: number; readonly operation: FeedOperation }[] = [];
  readonly #listeners = new Set<Listener>();

  cursorAt(n: number): string {
    return `${this.database}.${String(n).padStart(20, '0')}`;
  }

  get cursor(): string {
    return this.cursorAt(this.#n);
  }

  /** Puts a record there, as if someone else had. */
  put<T extends TypeName>(
    type: T,
    fields: Partial<Of<T>>,
    changes: readonly string[] = [],
  ): string {
    const id = fields.id ?? anId();
    const known = this.records.get(`${wireTypeOf(type)}/${id}`);
    const record = resource(type, id, { ...fromWire(known), ...fields }, this.#n + 1);
    this.commit([{ op: 'update', data: record }], changes);
    return id;
  }

  take(type: TypeName, id: string): void {
    this.commit([{ op: 'remove', ref: { type: wireTypeOf(type), id } }], []);
  }

  /** Whoever listens stops seeing the record; it stays. */
  hide(type: TypeName, id: string): void {
    const previous = this.cursor;
    const operation = { op: 'remove' as const, ref: { type: wireTypeOf(type), id } };
    this.#n += 1;
    this.#feed.push({ n: this.#n, operation });
    const meta = { cursor: this.cursor, previous, changes: [], more: false };
    this.say({ operations: [operation], meta });
  }

  get(type: TypeName, id: string): ResourceObject | undefined {
    return this.records.get(`${wireTypeOf(type)}/${id}`);
  }

  commit(operations: readonly FeedOperation[], changes: readonly string[]): void {
    const previous = this.cursor;
    this.#n += 1;
    for (const operation of operations) {
      const { type, id } = operation.op === 'remove' ? operation.ref : operation.data;
      const key = `${type}/${id}`;
      this.#authors.set(key, this.by);
      if (operation.op === 'remove') {
        this.records.delete(key);
        this.#tombs.set(key, { ref: { type, id }, by: this.by, at: this.changedAt });
      } else this.records.set(key, operation.data);
      this.#feed.push({ n: this.#n, operation });
    }
    this.say({ operations, meta: { cursor: this.cursor, previous, changes, more: false } });
  }

  /** Sends a hub message of any form. */
  say(message: unknown): void {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    for (const { hear } of this.#listeners) hear(text);
  }

  /** Forgets the feed before now, as after 30 days. */
  prune(): void {
    this.#feed = [];
    this.#keptFrom = this.#n;
  }

  /** Comes back from a backup: another database, whose numbers begin lower. */
  beRestored(database: string): void {
    this.database = database;
    this.#n = 10;
    this.#feed = [];
    this.#keptFrom = 0;
    this.verdicts.clear();
    for (const [key, record] of this.records)
      this.records.set(key, { ...record, meta: { ...record.meta, version: 5 } });
  }

  /** Serves what it held back, and holds nothing from now on. */
  letThrough(): void {
    this.holds = () => false;
    for (const serve of this.#held.splice(0)) serve();
  }

  hangUp(): void {
    for (const { end } of [...this.#listeners]) end();
  }

  readonly hub = (): SignalRConnection => {
    let listener: Listener | null = null;
    let hear: (text: string) => void = () => undefined;
    let closed = (): void => undefined;
    const end = (): void => {
      if (listener !== null) this.#listeners.delete(listener);
      listener = null;
      closed();
    };
    return {
      start: () =>
        this.isDown || this.isHubDown ? Promise.reject(new TypeError('down')) : Promise.resolve(),
      transport: () => this.transport,
      stop: () => {
        end();
        return Promise.resolve();
      },
      on: (_, handler) => {
        hear = handler;
      },
      onclose: (callback) => {
        closed = callback;
      },
      invoke: (method, channel) => {
        if (method !== hubMethods.subscribe) return Promise.reject(new Error('not-found'));
        listener = {
          hear: (text) => {
            hear(text);
          },
          end,
          cursor: this.cursor,
        };
        this.#listeners.add(listener);
        return Promise.resolve({ channel, cursor: this.cursor });
      },
    };
  };

  async #untilLetThrough(address: string): Promise<void> {
    if (!this.holds(address)) return;
    await new Promise<void>((resolve) => {
      this.#held.push(resolve);
    });
  }

  readonly fetch = async (address: string, request: RequestInit): Promise<Response> => {
    const body = typeof request.body === 'string' ? request.body : '';
    if (this.isDown) throw new TypeError('Failed to fetch');
    await this.#untilLetThrough(address);
    const fault = address === paths.ready ? undefined : this.faults.shift();
    if (fault === 'cut-before') throw new TypeError('Failed to fetch');
    const headers = request.headers as Record<string, string>;
    this.requests.push({ path: address, body, headers });
    if (typeof fault === 'function') return fault(body) ?? this.#serve(address, body, headers);
    if (fault instanceof Response) return fault;
    const scripted = this.answer(address, body);
    const answer = scripted === null ? this.#serve(address, body, headers) : await scripted;
    if (fault === 'cut-after') throw new TypeError('Failed to fetch');
    return spoilt(answer, fault);
  };

  #serve(address: string, body: string, headers: Readonly<Record<string, string>>): Response {
    const { pathname, searchParams } = new URL(address, 'http://localhost');
    const key = headers['Idempotency-Key'];
    if (key !== undefined) {
      this.called.set(key, { path: pathname, body: JSON.parse(body) as unknown });
      return new Response('{}', JSON_ANSWER);
    }
    if (pathname === paths.ready) return new Response('{}', JSON_ANSWER);
    if (pathname === '/api/operations') return this.#operate(JSON.parse(body) as Body);
    if (pathname === '/api/changes') return this.#changes(searchParams.get('since') ?? '');
    const [, , type = '', id = ''] = pathname.split('/');
    if (id === '') {
      const data = [...this.records.values()].filter((record) => record.type === type);
      return document({ data });
    }
    const data = this.records.get(`${type}/${id}`);
    return data === undefined
      ? problem(404, 'not-found')
      : document({ jsonapi: { version: '1.1' }, data });
  }

  #changes(since: string): Response {
    if (since !== '' && !since.startsWith(`${this.database}.`))
      return problem(410, 'cursor-expired', { reason: 'other-database' });
    if (since === '') {
      const operations = [...this.records.values()].map((data) => ({ op: 'update', data }));
      return page(operations, `${this.database}.s.${this.#n}`, true, 'snapshot');
    }
    const inSnapshot = /\.s\.(\d+)$/.exec(since);
    const from = Number(inSnapshot?.[1] ?? since.split('.')[1]);
    if (from < this.#keptFrom) return problem(410, 'cursor-expired', { reason: 'too-old' });
    const news = this.#feed.filter(({ n }) => n > from).map(({ operation }) => operation);
    return page(lastOf(news), this.cursor, false, 'feed');
  }

  #operate({ operations }: Body): Response {
    const verdicts: Verdict[] = [];
    const failed = new Set<string>();
    for (let at = 0; at < operations.length;) {
      const id = operations[at]?.meta?.id;
      const change = operations
        .slice(at)
        .filter((o, i) => operations[at + i] === o && o.meta?.id === id);
      const recorded = this.verdicts.get(id ?? '');
      const own = recorded ?? this.#change(change, id ?? '', failed);
      verdicts.push(
        ...own.map((v) => (recorded ? { ...v, meta: { ...v.meta, replayed: true as const } } : v)),
      );
      if (isFinal(own[0]?.meta.status ?? 500)) this.verdicts.set(id ?? '', own);
      at += change.length;
    }
    this.beforeAnswer();
    const presented = verdicts.map((verdict) => this.#presented(verdict));
    return document({ jsonapi: { version: '1.1' }, operations: presented });
  }

  /** An answer shows a record as it is now. */
  #presented(verdict: Verdict): Verdict {
    const data = verdict.data as ResourceObject | null | undefined;
    const type = typeOfWire(data?.type ?? '');
    if (!data || type === null || !resourceOf(type).isStored) return verdict;
    return { ...verdict, data: this.records.get(`${data.type}/${data.id}`) ?? null };
  }

  #change(operations: readonly Operation[], id: string, failed: Set<string>): Verdict[] {
    const no = (operation: Operation, status: number, code: string, meta: object = {}): Verdict => {
      const made = operation.op === 'add' ? (operation.data as ResourceObject).id : null;
      if (made !== null) failed.add(made);
      const errors = [{ id: anId(), status: String(status), code, title: code, meta: { ...meta } }];
      return { op: operation.op, errors, meta: { id, status } };
    };
    const verdicts: Verdict[] = [];
    const news: FeedOperation[] = [];
    for (const operation of operations) {
      const { op, ref } = operation;
      const data = operation.data as ResourceObject | undefined;
      const errors = this.refuse(operation);
      const text = JSON.stringify(operation);
      const key = `${ref?.type ?? data?.type ?? ''}/${ref?.id ?? data?.id ?? ''}`;
      const known = this.records.get(key);
      const changed = known && operation.meta?.base ? differing(known, operation) : [];
      const tomb = [...this.#tombs].find(
        ([lost]) =>
          !this.records.has(lost) &&
          (op !== 'add' || lost !== key) &&
          text.includes(lost.split('/')[1] ?? ''),
      );
      if ([...failed].some((lost) => text.includes(lost))) return [no(operation, 424, 'not-tried')];
      if (errors) {
        if (op === 'add' && data) failed.add(data.id);
        return [{ op, errors, meta: { id, status: Number(errors[0]?.status) } }];
      }
      if (op === 'add' && known)
        return [no(operation, 409, 'id-taken', { existing: { type: known.type, id: known.id } })];
      if (op !== 'remove' && tomb) return [no(operation, 410, 'gone', tomb[1])];
      if (op === 'update' && !known) return [no(operation, 410, 'gone')];
      if (known && changed.length > 0) {
        const meta = {
          ...currentOf(known, changed),
          by: this.#authors.get(key) ?? null,
          at: this.changedAt,
        };
        return [no(operation, 409, 'changed-elsewhere', meta)];
      }
      if (op === 'remove') {
        const [type = '', gone = ''] = key.split('/');
        news.push({ op, ref: { type, id: gone } });
        verdicts.push({ op, data: null, meta: { id, status: 204 } });
        continue;
      }
      const type = typeOfWire(data?.type ?? '') ?? 'project';
      const after = resource(
        type,
        data?.id ?? '',
        { ...fromWire(known), ...this.alter(fromWire(data)) },
        this.#n + 1,
      );
      const isSeen = !this.unseen.has(after.id);
      if (!isSeen) this.records.set(key, after);
      // A command is not in the feed: only its effects are.
      else if (resourceOf(type).isStored) news.push({ op: 'update', data: after });
      const status = op === 'add' ? 201 : 200;
      const left = isSeen ? after.meta : {};
      verdicts.push({ op, data: isSeen ? after : null, meta: { id, status, ...left } });
    }
    this.applied.push(id);
    this.commit(news, [id]);
    return verdicts;
  }
}

/** The answer as it arrives after `fault`. */
async function spoilt(answer: Response, fault?: Fault): Promise<Response> {
  if (fault === 'portal')
    return new Response('<h1>Log in to the Wi-Fi</h1>', {
      headers: { 'Content-Type': 'text/html' },
    });
  if (fault === 'half') return document((await answer.text()).slice(0, 20));
  return answer;
}

/** Tells whether a verdict is recorded for its id (wire 7.3). */
const isFinal = (status: number): boolean =>
  status < 400 || [403, 404, 409, 410, 422].includes(status);

interface Body {
  readonly operations: readonly Operation[];
}

function differing(known: ResourceObject, { meta, data }: Operation): string[] {
  const wanted = data as ResourceObject;
  const links = Object.entries(meta?.base?.relationships ?? {}).filter(
    ([name, { data }]) =>
      JSON.stringify(known.relationships?.[name]?.data) !== JSON.stringify(data) &&
      JSON.stringify(known.relationships?.[name]?.data) !==
        JSON.stringify(wanted.relationships?.[name]?.data),
  );
  const attributes = Object.entries(meta?.base?.attributes ?? {}).filter(
    ([name, seen]) =>
      known.attributes?.[name] !== seen && known.attributes?.[name] !== wanted.attributes?.[name],
  );
  return [...attributes, ...links].map(([name]) => name);
}

function currentOf(known: ResourceObject, fields: readonly string[]): object {
  const pick = <V>(values: Readonly<Record<string, V>> = {}): Record<string, V> =>
    Object.fromEntries(Object.entries(values).filter(([name]) => fields.includes(name)));
  const current = { attributes: pick(known.attributes), relationships: pick(known.relationships) };
  return { fields, current, version: known.meta?.version };
}

/** A complete document of `type`, with what `fields` leave out filled in. */
export function resource(
  type: TypeName,
  id: string,
  fields: Readonly<Record<string, unknown>>,
  version: number,
): ResourceObject {
  const attributes: Record<string, unknown> = {};
  for (const [name, field] of attributesOf(type))
    if (!field.isWriteOnly) attributes[wireFieldOf(type, name)] = fields[name] ?? field.fallback;
  attributes['date-created'] = AT;
  attributes['date-updated'] = AT;
  const relationships: Record<string, { data: { type: string; id: string } | null }> = {};
  for (const [name, { to }] of toOnesOf(type)) {
    const target = fields[name];
    relationships[wireFieldOf(type, name)] = {
      data: typeof target === 'string' ? { type: wireTypeOf(to), id: target } : null,
    };
  }
  return { type: wireTypeOf(type), id, attributes, relationships, meta: { version } };
}

function fromWire(resource: ResourceObject | undefined): Record<string, unknown> {
  const type = typeOfWire(resource?.type ?? '');
  if (resource === undefined || type === null) return {};
  const fields: Record<string, unknown> = {};
  for (const [name] of attributesOf(type)) {
    const value = resource.attributes?.[wireFieldOf(type, name)];
    if (value !== undefined) fields[name] = value;
  }
  for (const [name] of toOnesOf(type)) {
    const link = resource.relationships?.[wireFieldOf(type, name)]?.data;
    if (link !== undefined) fields[name] = (link as { id: string } | null)?.id ?? null;
  }
  return fields;
}

function lastOf(operations: readonly FeedOperation[]): FeedOperation[] {
  const last = new Map<string, FeedOperation>();
  for (const operation of operations) {
    const { type, id } = operation.op === 'remove' ? operation.ref : operation.data;
    last.delete(`${type}/${id}`);
    last.set(`${type}/${id}`, operation);
  }
  return [...last.values()];
}

function page(operations: unknown, cursor: string, more: boolean, phase: string): Response {
  return document({ jsonapi: { version: '1.1' }, operations, meta: { cursor, more, phase } });
}

/** An answer of JSON:API. */
function document(content: object | string, status = 200, headers: object = {}): Response {
  return new Response(typeof content === 'string' ? content : JSON.stringify(content), {
    status,
    headers: { 'Content-Type': JSON_API, ...headers },
  });
}

/** The answer to a call, which is plain JSON. */
export function plain(content: unknown): Response {
  return new Response(JSON.stringify(content), { headers: { 'Content-Type': 'application/json' } });
}

export function problem(
  status: number,
  code: string,
  meta: object = {},
  headers: object = {},
): Response {
  const errors = [{ id: anId(), status: String(status), code, title: code, meta }];
  return document({ jsonapi: { version: '1.1' }, errors }, status, headers);
}
