import type { Clock } from '#base/id.ts';
import type { Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import { bodyOf, BatchCapacity } from './request-body.ts';
import type { Call, Change } from '../model/change.ts';
import type { PageState, TimerFunctions } from '../model/environment.ts';
import type { SyncControl } from './sync-control.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { Outbox } from '../outbox/outbox.ts';
import { busyError, NoResponseError } from '../model/answer.ts';
import type { ApiRequestOptions, Remote } from './remote.ts';
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
  readonly page: PageState;
  readonly report: (what: string, cause: unknown) => void;
  /** Starts a request to the server, whatever it is. */
  readonly requestSync: () => void;
  /** Tells whether the first load is complete: until then many records are still to come. */
  readonly isLoaded: () => boolean;
}

const RECOVER_MS = 1_000;
const RECOVER_MOST_MS = 60_000;

/**
 * Sends rows of the outbox and applies the verdicts on them.
 *
 *   idle ──wake──> taking ──rows──> sending ──verdicts──> applying ─> taking
 *     ^               │ none            │ no answer, busy
 *     └───────────────┘                 └──> waiting ──time, or the hub's success──> taking
 *
 * Only a sign-in or a newer app that is needed stops it for longer than the retry clock says.
 */
export class Sender {
  readonly #dependencies: SenderDependencies;
  #isRunning = false;
  #isWanted = false;
  #isStopped = true;
  /** After the server refused a whole body, fewer rows are sent, until the wrong one is alone. */
  #mostRows = Infinity;
  #timer: unknown = undefined;
  #setbacks = 0;
  #goOn = (): void => undefined;

  constructor(dependencies: SenderDependencies) {
    this.#dependencies = dependencies;
  }

  start(): void {
    this.#isStopped = false;
    this.goOn();
  }

  stop(): void {
    this.#isStopped = true;
    this.#dependencies.timers.clear(this.#timer);
    this.#dependencies.unconfirmedCommits.stopWaiting();
  }

  /** There may be something to send. */
  wake(): void {
    this.#isWanted = true;
    if (this.#isRunning || this.#isStopped) return;
    this.#isRunning = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    const { syncControl, report } = this.#dependencies;
    while (this.#isWanted && !this.#hasStopped()) {
      this.#isWanted = false;
      try {
        while (!this.#hasStopped() && (await this.#sendSome()));
      } catch (error) {
        // Another tab leads and sends by now: that is no failure.
        if (!this.#isLeading()) break;
        report('Sending failed and starts again', error);
        syncControl.reportProblem('sender', error);
        // The feed brings again what was not applied of an answer.
        this.#dependencies.requestSync();
        await this.#recover();
        this.#isWanted = true;
      }
    }
    this.#isRunning = false;
    if (this.#isWanted && !this.#hasStopped()) this.wake();
  }

  /**
   * Waits after a failure of our own, longer each time. Answers of the server do not end the wait,
   * because the server did not cause it.
   */
  #recover(): Promise<void> {
    const { timers } = this.#dependencies;
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

  /** Ends that wait: the cause of the failure is gone. */
  goOn(): void {
    this.#goOn();
    this.wake();
  }

  /** What this tab has not sent by the time it stops leading, the next one sends. */
  readonly #isLeading = (): boolean => !this.#isStopped;

  #hasStopped(): boolean {
    return this.#isStopped || !this.#dependencies.syncControl.isRunning;
  }

  /** Sends one body. Returns whether to go on at once. */
  async #sendSome(): Promise<boolean> {
    const { outbox, serverState, retry, syncControl, clock } = this.#dependencies;
    let rows: readonly Change[] = [];
    try {
      await this.#findServer();
      if (this.#hasStopped()) return false;
      const batch = await outbox.takeBatch(clock(), new BatchCapacity(this.#mostRows).tryAdd);
      rows = batch.rows;
      if (batch.others.length > 0) serverState.rebase(batch.others);
      if (rows.length === 0) {
        if (batch.others.length > 0) return true;
        this.#setbacks = 0;
        syncControl.clearProblem('sender');
        this.#wakeWhenDue(clock());
        // The hub may have brought the verdict instead of an answer: find out whether the server
        // answers again.
        if (retry.last !== null) this.#dependencies.requestSync();
        return false;
      }
      // Another tab took the lead while the rows were taken: it sends them.
      if (this.#hasStopped()) return false;
      await (rows[0]?.call ? this.#call(rows[0], rows[0].call) : this.#send(rows));
    } catch (error) {
      if (this.#isStopped) throw error;
      // fault 20
      if (syncControl.pauseIfSignInNeeded(error)) return false;
      if (!(error instanceof NoResponseError)) throw error;
      // fault 2
      await this.#waitAfter(error.failure, rows);
    } finally {
      outbox.returnToQueue(rows.map((row) => row.id));
    }
    return true;
  }

  /**
   * Asks for an answer, where none is expected, before rows are taken: those cannot be taken back
   * any more.
   *
   * @throws NoResponseError when there is none
   */
  async #findServer(): Promise<void> {
    const { outbox, remote, retry, page } = this.#dependencies;
    if (outbox.waiting === 0 || (page.isOnline() && retry.last === null)) return;
    const answer = await remote.request(paths.ready, { answers: 'json' });
    if (isUndecided(answer.status)) throw busyError(answer);
  }

  /** A removal is delayed for a while, so that it can be undone completely. */
  #wakeWhenDue(now: number): void {
    const { outbox, timers } = this.#dependencies;
    const due = outbox.due(now);
    if (due === null) return;
    timers.clear(this.#timer);
    this.#timer = timers.set(() => {
      this.wake();
    }, due - now);
  }

  async #send(rows: readonly Change[]): Promise<void> {
    const requestedAt = this.#dependencies.serverState.now;
    const answer = await this.#request(rows, paths.operations, {
      method: 'POST',
      headers: { Prefer: 'handling=lenient' },
      body: bodyOf(rows),
    });
    if (answer !== null) await this.#applyAnswer(rows, answer, requestedAt);
  }

  /** Only the verdict of a call matters: what it changed comes with the feed. */
  async #call(row: Change, { method, path, body }: Call): Promise<void> {
    const answer = await this.#request([row], path, {
      method,
      headers: { 'Idempotency-Key': row.id },
      body: JSON.stringify(body),
      answers: 'json',
    });
    if (answer === null) return;
    const verdicts = [verdictFor(row, 'done')];
    this.#dependencies.serverState.apply({ items: [], verdicts });
  }

  /** Sends `rows`. Returns the answer that is to be applied; null: there is none. */
  async #request(
    rows: readonly Change[],
    path: string,
    options: ApiRequestOptions,
  ): Promise<ApiResponse | null> {
    const { remote, serverState, retry, syncControl, unconfirmedCommits } = this.#dependencies;
    const [{ resyncCount }, { connections }] = [serverState, unconfirmedCommits];
    const answer = await remote.request(path, { ...options, isWanted: this.#isLeading });
    if (resyncCount !== serverState.resyncCount) return null;
    if (answer.status >= 300) {
      this.#handleRefusedBody(rows, answer);
      return null;
    }
    retry.succeeded();
    syncControl.clearProblem('sender');
    this.#setbacks = 0;
    this.#mostRows = Infinity;
    // A database that was restored since may lack what this answer says was done: then it is sent
    // again.
    return (await unconfirmedCommits.whenConfirmed(answer.commit, connections)) ? answer : null;
  }

  async #applyAnswer(
    rows: readonly Change[],
    answer: ApiResponse,
    requestedAt: number,
  ): Promise<void> {
    const { serverState, isLoaded, unconfirmedCommits } = this.#dependencies;
    const verdicts = [answer.document.operations ?? []].flat() as (Verdict | undefined)[];
    const outcomes: SendOutcome[] = [];
    let at = 0;
    // The feed brings again what does not fit in an answer.
    const report: SenderDependencies['report'] = (...said) => {
      this.#dependencies.report(...said);
      this.#dependencies.requestSync();
    };
    for (const row of rows) {
      const own = verdicts.slice(at, at + row.operations.length);
      at += row.operations.length;
      outcomes.push(await sendOutcomeOf(row, own, { ...this.#dependencies, report }));
    }
    const decided = outcomes.filter((outcome) => outcome !== null);
    const found = decided.flatMap((outcome) => outcome.items);
    const items = isLoaded() ? trackedItems(found, serverState) : found;
    const facts = { answered: unconfirmedCommits.commits };
    serverState.apply(
      { items, verdicts: decided.map(({ verdict }) => verdict), facts },
      requestedAt,
    );
    // The person may have been locked between one change and the next.
    const isOver = verdicts.some((verdict) =>
      this.#dependencies.syncControl.pauseIfRefused({ ...answer, errors: verdict?.errors ?? [] }),
    );
    if (isOver) return;
    if (decided.length < rows.length) await this.#waitAfter({ is: 'busy', afterMs: null }, rows);
  }

  async #waitAfter(failure: Failure, rows: readonly Change[]): Promise<void> {
    this.#dependencies.outbox.returnToQueue(rows.map((row) => row.id));
    this.#dependencies.retry.failed(failure);
    await this.#dependencies.retry.wait(failure);
  }

  /** The whole body was refused: it is our mistake, or the server is not available. */
  #handleRefusedBody(rows: readonly Change[], answer: ApiResponse): void {
    // The tab that leads now gets the same answer and handles it.
    if (this.#isStopped) return;
    const { syncControl, serverState, report } = this.#dependencies;
    const problem = answer.errors[0] ?? null;
    if (syncControl.pauseIfRefused(answer)) return;
    if (isUndecided(answer.status)) throw busyError(answer);
    // A refused body is our own mistake; a call can be refused like any change.
    if (rows[0]?.call === null) report('The server refused a whole body', problem);
    if (rows.length > 1) {
      this.#mostRows = Math.ceil(rows.length / 2);
      return;
    }
    this.#mostRows = Infinity;
    serverState.apply({
      items: [],
      verdicts: rows.map((row) => verdictFor(row, 'refused', problem)),
    });
  }
}
