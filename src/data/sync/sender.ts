import type { Clock } from '#base/id.ts';
import type { Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import { bodyOf, BatchCapacity } from './request-body.ts';
import type { Call, Change } from '../model/change.ts';
import type { TimerFunctions } from '../model/environment.ts';
import type { SyncControl } from './sync-control.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { NoResponseError } from '../model/answer.ts';
import type { Remote } from './remote.ts';
import type { ApiResponse, Failure } from '../model/answer.ts';
import type { Retry } from './retry.ts';
import { isUndecided, trackedItems, sendOutcomeOf, verdictFor } from './verdicts.ts';
import type { SendOutcome } from './verdicts.ts';

interface SenderDependencies {
  readonly outbox: Outbox;
  readonly remote: Remote;
  readonly unconfirmedCommits: UnconfirmedCommits;
  readonly serverState: MutableServerState;
  readonly retry: Retry;
  readonly syncControl: SyncControl;
  readonly clock: Clock;
  readonly timers: TimerFunctions;
  readonly report: (what: string, cause: unknown) => void;
  /** Asks the server something, whatever it is. */
  readonly requestSync: () => void;
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
  readonly #parts: SenderDependencies;
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /** After the server refused a whole body: fewer rows, until the culprit is alone. */
  #most = Infinity;
  #timer: unknown = undefined;
  #setbacks = 0;
  #goOn = (): void => undefined;

  constructor(parts: SenderDependencies) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    this.goOn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#parts.timers.clear(this.#timer);
    this.#parts.unconfirmedCommits.stopWaiting();
  }

  /** Something may be there to send. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { syncControl, report } = this.#parts;
    while (this.#isWanted && !this.#isStopped && syncControl.isRunning) {
      this.#isWanted = false;
      try {
        while (!this.#hasStopped() && (await this.#sendSome()));
      } catch (error) {
        // Another tab leads: that it sends by now is no failure.
        if (this.#isOver()) break;
        report('Sending failed and starts again', error);
        syncControl.reportProblem('sender', error);
        // What of an answer was not taken in, the feed brings again.
        this.#parts.requestSync();
        await this.#recover();
        this.#isWanted = true;
      }
    }
    this.#isRunning = false;
    if (this.#isWanted && !this.#isStopped && syncControl.isRunning) this.wake();
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
    return this.#isStopped || !this.#parts.syncControl.isRunning;
  }

  /** Sends one body. Gives whether to go on at once. */
  async #sendSome(): Promise<boolean> {
    const { outbox, serverState, syncControl: gate, clock } = this.#parts;
    const { rows, others } = await outbox.takeBatch(clock(), new BatchCapacity(this.#most).tryAdd);
    if (others.length > 0) serverState.rebase(others);
    if (rows.length === 0 && others.length > 0) return true;
    if (rows.length === 0) {
      this.#setbacks = 0;
      gate.clearProblem('sender');
      this.#wakeWhenDue(clock());
      // The hub may have brought the verdict that no answer did: is the server there again?
      if (this.#parts.retry.last !== null) this.#parts.requestSync();
      return false;
    }
    try {
      // Another tab took the lead while the rows were taken: it sends them.
      if (this.#hasStopped()) return false;
      await (rows[0]?.call ? this.#call(rows[0], rows[0].call) : this.#send(rows));
    } catch (error) {
      if (this.#isStopped) throw error;
      // fault 20
      if (gate.pauseIfSignInNeeded(error)) return false;
      if (!(error instanceof NoResponseError)) throw error;
      // fault 2
      await this.#waitAfter(error.failure, rows);
    } finally {
      outbox.returnToQueue(rows.map((row) => row.id));
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
    const {
      remote,
      serverState: merge,
      retry,
      syncControl: gate,
      unconfirmedCommits,
    } = this.#parts;
    const [asked, { resyncCount }, { connections }] = [merge.now, merge, unconfirmedCommits];
    const answer = await remote.request(paths.operations, {
      method: 'POST',
      headers: { Prefer: 'handling=lenient' },
      body: bodyOf(rows),
    });
    if (resyncCount !== merge.resyncCount) return;
    if (answer.status !== 200) {
      this.#refusedWhole(rows, answer);
      return;
    }
    retry.succeeded();
    gate.clearProblem('sender');
    this.#setbacks = 0;
    this.#most = Infinity;
    // A database that was put back since may not have what this says was done: then it is sent again.
    if (!(await unconfirmedCommits.whenConfirmed(answer.commit, connections))) return;
    await this.#take(rows, answer, asked);
  }

  /** Of a call only the verdict matters: what it changed comes as news. */
  async #call(row: Change, { method, path, body }: Call): Promise<void> {
    const {
      remote,
      retry,
      syncControl: gate,
      serverState: merge,
      unconfirmedCommits: answered,
    } = this.#parts;
    const [{ resyncCount: turn }, { connections }] = [merge, answered];
    const answer = await remote.request(path, {
      method,
      headers: { 'Idempotency-Key': row.id },
      body: JSON.stringify(body),
      answers: 'json',
    });
    if (turn !== merge.resyncCount) return;
    if (answer.status >= 300) {
      this.#refusedWhole([row], answer);
      return;
    }
    retry.succeeded();
    gate.clearProblem('sender');
    if (!(await answered.whenConfirmed(answer.commit, connections))) return;
    merge.apply({ items: [], verdicts: [verdictFor(row, 'done')] });
  }

  async #take(rows: readonly Change[], answer: ApiResponse, asked: number): Promise<void> {
    const { serverState: merge, isLoaded, unconfirmedCommits: answered } = this.#parts;
    const verdicts = [answer.document.operations ?? []].flat() as (Verdict | undefined)[];
    const outcomes: SendOutcome[] = [];
    let at = 0;
    // What of an answer does not fit, the feed brings again.
    const report: SenderDependencies['report'] = (what, why) => {
      this.#parts.report(what, why);
      this.#parts.requestSync();
    };
    for (const row of rows) {
      const own = verdicts.slice(at, at + row.operations.length);
      at += row.operations.length;
      outcomes.push(await sendOutcomeOf(row, own, { ...this.#parts, report }));
    }
    const decided = outcomes.filter((outcome) => outcome !== null);
    const found = decided.flatMap((outcome) => outcome.items);
    const items = isLoaded() ? trackedItems(found, merge) : found;
    const facts = { answered: answered.commits };
    merge.apply({ items, verdicts: decided.map(({ verdict }) => verdict), facts }, asked);
    // Someone may be locked between one change and the next.
    const isOver = verdicts.some((verdict) =>
      this.#parts.syncControl.pauseIfRefused({ ...answer, errors: verdict?.errors ?? [] }),
    );
    if (isOver) return;
    if (decided.length < rows.length) await this.#waitAfter({ is: 'busy', afterMs: null }, rows);
  }

  async #waitAfter(failure: Failure, rows: readonly Change[]): Promise<void> {
    this.#parts.outbox.returnToQueue(rows.map((row) => row.id));
    this.#parts.retry.failed(failure);
    await this.#parts.retry.wait(failure);
  }

  /** The body as a whole was refused: our mistake, or the server is not to be had. */
  #refusedWhole(rows: readonly Change[], answer: ApiResponse): void {
    // Whoever leads by now gets the same answer, and says what it means.
    if (this.#isStopped) return;
    const { syncControl: gate, serverState: merge, report } = this.#parts;
    const problem = answer.errors[0] ?? null;
    if (gate.pauseIfRefused(answer)) return;
    if (isUndecided(answer.status))
      throw new NoResponseError({ is: 'busy', afterMs: answer.afterMs });
    // Of a body it is our own mistake; a call is refused like any change.
    if (rows[0]?.call === null) report('The server refused a whole body', problem);
    if (rows.length > 1) {
      this.#most = Math.ceil(rows.length / 2);
      return;
    }
    this.#most = Infinity;
    merge.apply({ items: [], verdicts: rows.map((row) => verdictFor(row, 'refused', problem)) });
  }
}
