import type { Logger } from 'pino';
import type { Timers } from '#base/timers.ts';
import { HOLD_EVERY_MS } from './queue.ts';
import type { Ended, Queue, Task } from './queue.ts';

/** Carries one task out; may throw when `signal` says that it is no longer wanted. */
export type Perform = (task: Task, signal: AbortSignal) => Promise<Ended>;

interface BenchParts {
  readonly timers: Timers;
  readonly log: Logger;
}

/** Another process may have put something into the queue, or died while it worked. */
const LOOK_EVERY_MS = 15_000;

const INTERRUPTED: Ended = {
  result: 'FAILURE',
  error: 'The server stopped twice while it worked on this.',
  files: [],
};

/**
 * Works off a queue, one task at a time. What the end of a process interrupted is done once more;
 * what is interrupted again has failed, for it may be the reason.
 */
export class Bench {
  readonly #queue: Queue;
  readonly #perform: Perform;
  readonly #parts: BenchParts;
  readonly #closing = new AbortController();
  #isWoken = false;
  #work: Promise<void> | null = null;
  #stopLooking: () => void = () => undefined;

  constructor(queue: Queue, perform: Perform, parts: BenchParts) {
    this.#queue = queue;
    this.#perform = perform;
    this.#parts = parts;
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#isWoken = true;
    this.#work ??= this.#workOff().finally(() => {
      this.#work = null;
      if (this.#isWoken) this.wake();
    });
  }

  /** Looks for work now, and from time to time. */
  open(): void {
    this.wake();
    this.#stopLooking = this.#parts.timers.after(LOOK_EVERY_MS, () => {
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
    this.#stopLooking();
    await this.#work;
  }

  async #workOff(): Promise<void> {
    while (this.#isWoken) {
      this.#isWoken = false;
      try {
        while (!this.#closing.signal.aborted && (await this.#next()));
      } catch (error) {
        this.#parts.log.error({ err: error }, 'The build engine cannot work; trying again soon');
      }
    }
  }

  /** False when nothing waits. */
  async #next(): Promise<boolean> {
    const task = await this.#queue.take();
    if (task === null) return false;
    const ended = task.interrupted > 1 ? INTERRUPTED : await this.#carryOut(task);
    if (ended === null) await this.#queue.putBack(task);
    else await this.#queue.end(task, ended);
    return true;
  }

  /** Null when it was broken off. */
  async #carryOut(task: Task): Promise<Ended | null> {
    const breakOff = new AbortController();
    const signal = AbortSignal.any([breakOff.signal, this.#closing.signal]);
    const letGo = this.#hold(task, () => {
      breakOff.abort();
    });
    try {
      const ended = await this.#perform(task, signal);
      return signal.aborted && ended.result !== 'SUCCESS' ? null : ended;
    } catch (error) {
      if (signal.aborted) return null;
      this.#parts.log.error({ err: error, id: task.id }, 'A build or release could not be done');
      return { result: 'EXCEPTION', error: 'The build engine could not do this.', files: [] };
    } finally {
      letGo();
    }
  }

  /** Renews the hold until it is let go of, or lost. */
  #hold(task: Task, lost: () => void): () => void {
    const { timers, log } = this.#parts;
    let isOver = false;
    let cancel: () => void = () => undefined;
    const again = () => {
      if (!isOver) cancel = timers.after(HOLD_EVERY_MS, renew);
    };
    const renew = () => {
      this.#queue.hold(task).then(
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
