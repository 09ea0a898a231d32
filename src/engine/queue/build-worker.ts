import type { Logger } from 'pino';
import type { Timers } from '#base/timers.ts';
import { RENEW_EVERY_MS } from './build-queue.ts';
import type { BuildTaskResult, BuildQueue, BuildTask } from './build-queue.ts';

/** Runs one task; may throw when `signal` says that it is no longer wanted. */
export type RunBuildTask = (task: BuildTask, signal: AbortSignal) => Promise<BuildTaskResult>;

interface BuildWorkerOptions {
  readonly timers: Timers;
  readonly log: Logger;
}

/** Another process may have put something into the queue, or died while it worked. */
const POLL_EVERY_MS = 15_000;

const INTERRUPTED: BuildTaskResult = {
  result: 'FAILURE',
  error: 'The server stopped twice while it worked on this.',
  files: [],
};

/**
 * Runs the tasks of a queue, one at a time. A task that the end of a process interrupted is done
 * once more; one that is interrupted again has failed, for it may be the reason.
 */
export class BuildWorker {
  readonly #queue: BuildQueue;
  readonly #perform: RunBuildTask;
  readonly #options: BuildWorkerOptions;
  readonly #closing = new AbortController();
  #isWoken = false;
  #work: Promise<void> | null = null;
  #stopPolling: () => void = () => undefined;

  constructor(queue: BuildQueue, perform: RunBuildTask, options: BuildWorkerOptions) {
    this.#queue = queue;
    this.#perform = perform;
    this.#options = options;
  }

  /** Called when there may be something to do. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWoken = true;
    this.#work ??= this.#runQueue().finally(() => {
      this.#work = null;
      if (this.#isWoken) this.wake();
    });
  }

  /** Looks for work now, and from time to time. */
  open(): void {
    this.wake();
    this.#stopPolling = this.#options.timers.after(POLL_EVERY_MS, () => {
      this.open();
    });
  }

  /** Resolves once there is nothing to do. */
  async idle(): Promise<void> {
    while (this.#work !== null) await this.#work;
  }

  /** Breaks off what is under way and puts it back. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#isWoken = false;
    this.#stopPolling();
    await this.#work;
  }

  async #runQueue(): Promise<void> {
    while (this.#isWoken) {
      this.#isWoken = false;
      try {
        while (!this.#closing.signal.aborted && (await this.#next()));
      } catch (error) {
        this.#options.log.error({ err: error }, 'The build engine cannot work; trying again soon');
      }
    }
  }

  /** False when nothing waits. */
  async #next(): Promise<boolean> {
    const task = await this.#queue.take();
    if (task === null) return false;
    const ended = task.interrupted > 1 ? INTERRUPTED : await this.#runTask(task);
    if (ended === null) await this.#queue.release(task);
    else await this.#queue.finish(task, ended);
    return true;
  }

  /** Null when it was broken off. */
  async #runTask(task: BuildTask): Promise<BuildTaskResult | null> {
    const breakOff = new AbortController();
    const signal = AbortSignal.any([breakOff.signal, this.#closing.signal]);
    const letGo = this.#renewLease(task, () => {
      breakOff.abort();
    });
    try {
      const ended = await this.#perform(task, signal);
      return signal.aborted && ended.result !== 'SUCCESS' ? null : ended;
    } catch (error) {
      if (signal.aborted) return null;
      this.#options.log.error({ err: error, id: task.id }, 'A build or release could not be done');
      return { result: 'EXCEPTION', error: 'The build engine could not do this.', files: [] };
    } finally {
      letGo();
    }
  }

  /** Renews the lease until it is released, or lost. */
  #renewLease(task: BuildTask, lost: () => void): () => void {
    const { timers, log } = this.#options;
    let isOver = false;
    let cancel: () => void = () => undefined;
    const again = () => {
      if (!isOver) cancel = timers.after(RENEW_EVERY_MS, renew);
    };
    const renew = () => {
      this.#queue.renewLease(task).then(
        (isOurs) => {
          if (isOurs) again();
          else lost();
        },
        (error: unknown) => {
          log.warn({ err: error }, 'A build could not be held; trying again');
          again();
        },
      );
    };
    again();
    return () => {
      isOver = true;
      cancel();
    };
  }
}
