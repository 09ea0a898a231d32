import { limits } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import type { Operation, Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Clock } from '#base/id.ts';
import type { Base, RelationshipObject } from '#protocol/document.ts';
import type { Change, FieldValues } from './change.ts';
import { itemsFrom } from './merge.ts';
import type { Merge, NewsItem, Settled } from './merge.ts';
import type { Outbox } from './outbox.ts';
import {
  DoesNotFit,
  isSame,
  keyOf,
  recordFrom,
  resourceOfPatch,
  stateableOf,
  valueOf,
  fieldsOf,
} from './record.ts';
import type { StoreIdentity, StoreOperation, StoreRecord } from './record.ts';
import { NoAnswer } from './remote.ts';
import type { Answer, Remote } from './remote.ts';
import type { Failure, Retry } from './retry.ts';
import type { Timers } from './environment.ts';
import type { Gate } from './gate.ts';

interface Parts {
  readonly outbox: Outbox;
  readonly remote: Remote;
  readonly merge: Merge;
  readonly retry: Retry;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly report: (what: string, cause: unknown) => void;
  /** Asks the server something, whatever it is. */
  readonly probe: () => void;
}

/** What one row's verdicts come to; null: undecided, the same row again later. */
type Outcome = { readonly settled: Settled; readonly items: readonly NewsItem[] } | null;

const UNDECIDED: ReadonlySet<number> = new Set([401, 408, 426, 429]);

/**
 * Rows out, verdicts back.
 *
 *   idle ──wake──> taking ──rows──> sending ──verdicts──> merging ──> taking
 *     ^               │ none            │ no answer, busy
 *     └───────────────┘                 └──> waiting ──time, or the hub's success──> taking
 *
 * Nothing but signing in, or a newer app, stops it for longer than the retry clock says.
 */
export class Sender {
  readonly #parts: Parts;
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /** After the server refused a whole body: fewer rows, until the culprit is alone. */
  #most = Infinity;
  #timer: unknown = undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    this.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#parts.timers.clear(this.#timer);
  }

  /** Something may be there to send. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { gate, report } = this.#parts;
    while (this.#isWanted && !this.#isStopped && gate.isOpen) {
      this.#isWanted = false;
      try {
        while (!this.#hasStopped() && (await this.#sendSome()));
      } catch (error) {
        report('Sending failed and starts again', error);
        gate.hadProblem(error);
        await this.#waitAfter({ is: 'busy', afterMs: null });
        this.#isWanted = true;
      }
    }
    this.#isRunning = false;
    if (this.#isWanted && !this.#isStopped && gate.isOpen) this.wake();
  }

  #hasStopped(): boolean {
    return this.#isStopped || !this.#parts.gate.isOpen;
  }

  /** Sends one body. Gives whether to go on at once. */
  async #sendSome(): Promise<boolean> {
    const { outbox, gate, clock } = this.#parts;
    const rows = await outbox.take(clock(), (taken, next) => this.#fits(taken, next));
    if (rows.length === 0) {
      this.#wakeWhenDue(clock());
      // The hub may have brought the verdict that no answer did: is the server there again?
      if (this.#parts.retry.last !== null) this.#parts.probe();
      return false;
    }
    const ids = rows.map((row) => row.id);
    try {
      await this.#send(rows);
    } catch (error) {
      if (gate.closesFor(error)) return false;
      if (!(error instanceof NoAnswer)) throw error;
      await this.#waitAfter(error.failure);
    } finally {
      outbox.release(ids);
    }
    return true;
  }

  /** A removal is held a while, so that it can be taken back whole. */
  #wakeWhenDue(now: number): void {
    const { outbox, timers } = this.#parts;
    const due = outbox.rows.flatMap(({ notBefore }) =>
      notBefore !== null && notBefore > now ? notBefore : [],
    );
    if (due.length === 0) return;
    timers.clear(this.#timer);
    this.#timer = timers.set(
      () => {
        this.wake();
      },
      Math.min(...due) - now,
    );
  }

  #fits(taken: readonly Change[], next: Change): boolean {
    if (taken.length === 0) return true;
    if (taken.length >= this.#most) return false;
    const all = [...taken, next].flatMap(operationsOf);
    return all.length <= limits.operationsPerBody && bytesOf(all) <= limits.batchBytes;
  }

  async #send(rows: readonly Change[]): Promise<void> {
    const { remote, merge, retry, gate } = this.#parts;
    const asked = merge.now;
    const answer = await remote.ask(paths.operations, {
      method: 'POST',
      headers: { Prefer: 'handling=lenient' },
      body: JSON.stringify({ operations: rows.flatMap(operationsOf) }),
    });
    if (answer.status === 200) {
      retry.succeeded();
      gate.wentWell();
      this.#most = Infinity;
      await this.#take(rows, answer, asked);
    } else this.#refusedWhole(rows, answer);
  }

  async #take(rows: readonly Change[], { document }: Answer, asked: number): Promise<void> {
    const verdicts = [document.operations ?? []].flat() as (Verdict | undefined)[];
    const outcomes: Outcome[] = [];
    let at = 0;
    for (const row of rows) {
      const own = verdicts.slice(at, at + row.operations.length);
      at += row.operations.length;
      outcomes.push(await this.#outcomeOf(row, own));
    }
    const decided = outcomes.filter((outcome) => outcome !== null);
    this.#parts.merge.merge({
      items: decided.flatMap((outcome) => outcome.items),
      verdicts: decided.map((outcome) => outcome.settled),
      asked,
    });
    if (decided.length < rows.length) await this.#waitAfter({ is: 'busy', afterMs: null });
  }

  async #waitAfter(failure: Failure): Promise<void> {
    this.#parts.outbox.release(this.#parts.outbox.rows.map((row) => row.id));
    this.#parts.retry.failed(failure);
    await this.#parts.retry.wait(failure);
  }

  async #outcomeOf(row: Change, verdicts: readonly (Verdict | undefined)[]): Promise<Outcome> {
    if (verdicts.length < row.operations.length) return null;
    const refused = verdicts.find((verdict) => isRefusal(verdict) && statusOf(verdict) !== 424);
    const worst = refused ?? verdicts.find(isRefusal);
    if (worst === undefined) {
      if (!verdicts.every((verdict) => verdict !== undefined && statusOf(verdict) < 300))
        return null;
      return { settled: settled(row, 'done'), items: this.#itemsOf(row, verdicts) };
    }
    if (isUndecided(statusOf(worst))) return null;
    const problem = worst.errors?.[0] ?? null;
    if (statusOf(worst) === 424) return { settled: settled(row, 'held', problem), items: [] };
    if (problem?.code === 'changed-elsewhere')
      return { settled: settled(row, 'conflict', problem), items: [] };
    if (problem?.code === 'id-taken' || problem?.code === 'already-exists')
      return this.#readBack(row, problem);
    return { settled: settled(row, 'refused', problem), items: [] };
  }

  #itemsOf(row: Change, verdicts: readonly (Verdict | undefined)[]): NewsItem[] {
    return row.operations.flatMap((operation, i) => {
      const data = verdicts[i]?.data ?? null;
      if (operation.op === 'removeRecord')
        return [{ is: 'remove' as const, record: identity(operation.record) }];
      if (data === null) return [];
      return itemsFrom([{ op: 'update', data }], (why) => {
        this.#parts.report('An answer does not fit', why);
      });
    });
  }

  /** Our own id, or one like it, exists: if it is what was wanted, that is the acknowledgement. */
  async #readBack(row: Change, problem: ErrorObject): Promise<Outcome> {
    const refused = { settled: settled(row, 'refused', problem), items: [] };
    const made = row.operations.find((operation) => operation.op === 'addRecord');
    if (made === undefined || row.operations.length > 1) return refused;
    const existing = problem.meta?.existing as { id?: unknown } | undefined;
    const id = typeof existing?.id === 'string' ? existing.id : made.record.id;
    const asked = await this.#parts.remote.ask(paths.record(made.record.type, id));
    if (isUndecided(asked.status)) return null;
    const found = asked.status === 200 ? recordOrNull(asked.document.data) : null;
    if (found === null || !isWhatWasWanted(made.record, found)) return refused;
    const items: NewsItem[] = [{ is: 'update', record: found }];
    if (keyOf(found) !== keyOf(made.record))
      items.push({ is: 'remove', record: identity(made.record) });
    return { settled: settled(row, 'done'), items };
  }

  /** The body as a whole was refused: our mistake, or the server is not to be had. */
  #refusedWhole(rows: readonly Change[], answer: Answer): void {
    const { gate, merge, report } = this.#parts;
    const problem = answer.errors[0] ?? null;
    if (gate.closesOn(answer)) return;
    if (isUndecided(answer.status)) throw new NoAnswer({ is: 'busy', afterMs: answer.afterMs });
    report('The server refused a whole body', problem);
    if (rows.length > 1) {
      this.#most = Math.ceil(rows.length / 2);
      return;
    }
    this.#most = Infinity;
    merge.merge({ items: [], verdicts: rows.map((row) => settled(row, 'refused', problem)) });
  }
}

function settled(
  row: Change,
  state: Settled['state'],
  problem: ErrorObject | null = null,
): Settled {
  return { id: row.id, state, problem };
}

const identity = ({ type, id }: StoreIdentity): StoreIdentity => ({ type, id });

function isRefusal(verdict: Verdict | undefined): verdict is Verdict {
  return verdict !== undefined && statusOf(verdict) >= 400;
}

function statusOf(verdict: Verdict): number {
  return (verdict.meta as Partial<Verdict['meta']> | undefined)?.status ?? 500;
}

function isUndecided(status: number): boolean {
  return UNDECIDED.has(status) || status >= 500;
}

function recordOrNull(value: unknown): StoreRecord | null {
  try {
    return recordFrom(value);
  } catch (error) {
    if (error instanceof DoesNotFit) return null;
    throw error;
  }
}

/** Whether what is there has what a person stated; what the server sets does not count. */
function isWhatWasWanted(wanted: StoreRecord, found: StoreRecord): boolean {
  return fieldsOf(stateableOf(wanted)).every((field) =>
    isSame(valueOf(wanted, field), valueOf(found, field)),
  );
}

const encoder = new TextEncoder();

function bytesOf(operations: readonly Operation[]): number {
  return encoder.encode(JSON.stringify({ operations })).length;
}

/** A row as it travels: neighbouring operations with one id. */
function operationsOf(row: Change): Operation[] {
  return row.operations.map((operation, i) => wireOperation(operation, row.id, row.base[i] ?? {}));
}

function wireOperation(operation: StoreOperation, id: string, base: FieldValues): Operation {
  const { type } = operation.record;
  const ref = { type: wireTypeOf(type), id: operation.record.id };
  switch (operation.op) {
    case 'addRecord':
      return { op: 'add', data: resourceOfPatch(stateableOf(operation.record)), meta: { id } };
    case 'updateRecord':
      return {
        op: 'update',
        ref,
        data: resourceOfPatch(operation.record),
        meta: { id, base: baseOf(type, base) },
      };
    case 'removeRecord':
      return { op: 'remove', ref, meta: { id } };
  }
}

function baseOf(type: TypeName, base: FieldValues): Base {
  const attributes: Record<string, unknown> = {};
  const relationships: Record<string, RelationshipObject> = {};
  const links = new Map(toOnesOf(type).map(([name, { to }]) => [name, to]));
  for (const [field, value] of Object.entries(base)) {
    const name = wireFieldOf(type, field);
    const to = links.get(field);
    if (to === undefined) attributes[name] = value;
    else
      relationships[name] = {
        data: typeof value === 'string' ? { type: wireTypeOf(to), id: value } : null,
      };
  }
  return { attributes, relationships };
}
