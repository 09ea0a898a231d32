import type { Locks } from '../model/environment.ts';

export interface LockEvents {
  readonly granted: () => void;
  /** Another tab took the lock although it was held here. */
  readonly stolen: () => void;
}

/** The Web Lock of the tab that leads. Where there is none, taking it always succeeds. */
export class LeadLock {
  readonly #locks: Locks | null;
  readonly #name: string;
  readonly #events: LockEvents;
  /** Ends the present request or hold. */
  #end: () => void = () => undefined;

  constructor(locks: Locks | null, name: string, events: LockEvents) {
    this.#locks = locks;
    this.#name = name;
    this.#events = events;
  }

  /** Stands in line behind the tab that leads. @throws what keeps it from being asked for */
  wait(): Promise<void> {
    const abort = new AbortController();
    return this.#request({ signal: abort.signal }, abort);
  }

  /** Takes it from a tab that does not answer. @throws what keeps it from being asked for */
  steal(): Promise<void> {
    return this.#request({ steal: true }, new AbortController());
  }

  async #request(
    options: { readonly signal?: AbortSignal; readonly steal?: boolean },
    abort: AbortController,
  ): Promise<void> {
    this.#end();
    if (this.#locks === null) {
      if (options.steal === true) this.#events.granted();
      return;
    }
    const held = new Promise<void>((resolve) => {
      this.#end = () => {
        abort.abort();
        resolve();
      };
    });
    const turn = { hasCome: false };
    try {
      await this.#locks.request(this.#name, options, () => {
        if (abort.signal.aborted) return Promise.resolve();
        turn.hasCome = true;
        this.#events.granted();
        return held;
      });
    } catch (error) {
      if (abort.signal.aborted) return;
      if (!turn.hasCome) throw error;
      this.#events.stolen();
    }
  }

  /** Lets the next in line have it, or leaves the line. */
  release(): void {
    this.#end();
  }
}
