import type { Clock } from '#base/id.ts';
import type { Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { AnsweredCommits } from './answered.ts';
import { bodyOf, Room } from './body.ts';
import type { Call, Change } from '../model/change.ts';
import type { Timers } from '../model/environment.ts';
import type { Gate } from './gate.ts';
import type { Merge } from './merge.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { NoAnswer } from '../model/answer.ts';
import type { Remote } from './remote.ts';
import type { Answer, Failure } from '../model/answer.ts';
import type { Retry } from './retry.ts';
import { isUndecided, keptUp, outcomeOf, settled } from './verdicts.ts';
import type { Outcome } from './verdicts.ts';

interface Parts {
  readonly outbox: Outbox;
  readonly remote: Remote;
  readonly answered: AnsweredCommits;
  readonly merge: Merge;
  readonly retry: Retry;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly report: (what: string, cause: unknown) => void;
  /** Asks the server something, whatever it is. */
  readonly probe: () => void;
  /** Whether the first load is complete: until then much is not here that will be. */
  readonly isLoaded: () => boolean;
}

const RECOVER_MS = 1_000;
const RECOVER_MOST_MS = 60_000;

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
  #setbacks = 0;
  #goOn = (): void => undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    this.goOn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#parts.timers.clear(this.#timer);
    this.#parts.answered.stopWaiting();
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
        // Another tab leads: that it sends by now is no failure.
        if (this.#isOver()) break;
        report('Sending failed and starts again', error);
        gate.hadProblem('sender', error);
        // What of an answer was not taken in, the feed brings again.
        this.#parts.probe();
        await this.#recover();
        this.#isWanted = true;
      }
    }
    this.#isRunning = false;
    if (this.#isWanted && !this.#isStopped && gate.isOpen) this.wake();
  }

  /**
   * Waits after a failure of our own, longer each time. It is not the server's: that it answers
   * others does not end the wait, or each would start the next.
   */
  #recover(): Promise<void> {
    const { timers } = this.#parts;
    const afterMs = Math.min(RECOVER_MOST_MS, RECOVER_MS * 2 ** this.#setbacks);
    this.#setbacks += 1;
    return new Promise((resolve) => {
      const timer = timers.set(resolve, afterMs);
      this.#goOn = () => {
        timers.clear(timer);
        resolve();
      };
    });
  }

  /** What it failed by has ended. */
  goOn(): void {
    this.#goOn();
    this.wake();
  }

  #isOver(): boolean {
    return this.#isStopped;
  }

  #hasStopped(): boolean {
    return this.#isStopped || !this.#parts.gate.isOpen;
  }

  /** Sends one body. Gives whether to go on at once. */
  async #sendSome(): Promise<boolean> {
    const { outbox, merge, gate, clock } = this.#parts;
    const { rows, others } = await outbox.take(clock(), new Room(this.#most).takes);
    if (others.length > 0) merge.reshow(others);
    if (rows.length === 0 && others.length > 0) return true;
    if (rows.length === 0) {
      this.#setbacks = 0;
      gate.wentWell('sender');
      this.#wakeWhenDue(clock());
      // The hub may have brought the verdict that no answer did: is the server there again?
      if (this.#parts.retry.last !== null) this.#parts.probe();
      return false;
    }
    try {
      // Another tab took the lead while the rows were taken: it sends them.
      if (this.#hasStopped()) return false;
      await (rows[0]?.call ? this.#call(rows[0], rows[0].call) : this.#send(rows));
    } catch (error) {
      if (this.#isStopped) throw error;
      if (gate.closesFor(error)) return false;
      if (!(error instanceof NoAnswer)) throw error;
      await this.#waitAfter(error.failure, rows);
    } finally {
      outbox.release(rows.map((row) => row.id));
    }
    return true;
  }

  /** A removal is held a while, so that it can be taken back whole. */
  #wakeWhenDue(now: number): void {
    const { outbox, timers } = this.#parts;
    const due = outbox.due(now);
    if (due === null) return;
    timers.clear(this.#timer);
    this.#timer = timers.set(() => {
      this.wake();
    }, due - now);
  }

  async #send(rows: readonly Change[]): Promise<void> {
    const { remote, merge, retry, gate, answered } = this.#parts;
    const [asked, { turn }, { connections }] = [merge.now, merge, answered];
    const answer = await remote.ask(paths.operations, {
      method: 'POST',
      headers: { Prefer: 'handling=lenient' },
      body: bodyOf(rows),
    });
    if (turn !== merge.turn) return;
    if (answer.status !== 200) {
      this.#refusedWhole(rows, answer);
      return;
    }
    retry.succeeded();
    gate.wentWell('sender');
    this.#setbacks = 0;
    this.#most = Infinity;
    // A database that was put back since may not have what this says was done: then it is sent again.
    if (!(await answered.isProven(answer.commit, connections))) return;
    await this.#take(rows, answer, asked);
  }

  /** Of a call only the verdict matters: what it changed comes as news. */
  async #call(row: Change, { method, path, body }: Call): Promise<void> {
    const { remote, retry, gate, merge, answered } = this.#parts;
    const [{ turn }, { connections }] = [merge, answered];
    const answer = await remote.ask(path, {
      method,
      headers: { 'Idempotency-Key': row.id },
      body: JSON.stringify(body),
      answers: 'json',
    });
    if (turn !== merge.turn) return;
    if (answer.status >= 300) {
      this.#refusedWhole([row], answer);
      return;
    }
    retry.succeeded();
    gate.wentWell('sender');
    if (!(await answered.isProven(answer.commit, connections))) return;
    merge.merge({ items: [], verdicts: [settled(row, 'done')] });
  }

  async #take(rows: readonly Change[], answer: Answer, asked: number): Promise<void> {
    const { merge, isLoaded, answered } = this.#parts;
    const verdicts = [answer.document.operations ?? []].flat() as (Verdict | undefined)[];
    const outcomes: Outcome[] = [];
    let at = 0;
    // What of an answer does not fit, the feed brings again.
    const report: Parts['report'] = (what, why) => {
      this.#parts.report(what, why);
      this.#parts.probe();
    };
    for (const row of rows) {
      const own = verdicts.slice(at, at + row.operations.length);
      at += row.operations.length;
      outcomes.push(await outcomeOf(row, own, { ...this.#parts, report }));
    }
    const decided = outcomes.filter((outcome) => outcome !== null);
    const found = decided.flatMap((outcome) => outcome.items);
    const items = isLoaded() ? keptUp(found, merge) : found;
    const facts = { answered: answered.commits };
    merge.merge({ items, verdicts: decided.map(({ settled }) => settled), facts }, asked);
    // Someone may be locked between one change and the next.
    const isOver = verdicts.some((verdict) =>
      this.#parts.gate.closesOn({ ...answer, errors: verdict?.errors ?? [] }),
    );
    if (isOver) return;
    if (decided.length < rows.length) await this.#waitAfter({ is: 'busy', afterMs: null }, rows);
  }

  async #waitAfter(failure: Failure, rows: readonly Change[]): Promise<void> {
    this.#parts.outbox.release(rows.map((row) => row.id));
    this.#parts.retry.failed(failure);
    await this.#parts.retry.wait(failure);
  }

  /** The body as a whole was refused: our mistake, or the server is not to be had. */
  #refusedWhole(rows: readonly Change[], answer: Answer): void {
    // Whoever leads by now gets the same answer, and says what it means.
    if (this.#isStopped) return;
    const { gate, merge, report } = this.#parts;
    const problem = answer.errors[0] ?? null;
    if (gate.closesOn(answer)) return;
    if (isUndecided(answer.status)) throw new NoAnswer({ is: 'busy', afterMs: answer.afterMs });
    // Of a body it is our own mistake; a call is refused like any change.
    if (rows[0]?.call === null) report('The server refused a whole body', problem);
    if (rows.length > 1) {
      this.#most = Math.ceil(rows.length / 2);
      return;
    }
    this.#most = Infinity;
    merge.merge({ items: [], verdicts: rows.map((row) => settled(row, 'refused', problem)) });
  }
}
