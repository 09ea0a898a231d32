import type { Locks } from '../model/environment.ts';

export interface LockEvents {
  readonly granted: () => void;
  /** Another tab took the lock although it was held here. */
  readonly stolen: () => void;
}

/** The Web Lock of the leader. Where the browser has none, taking it always succeeds. */
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

  /** Waits for the lock behind the leader. @throws the reason why it cannot be requested */
  wait(): Promise<void> {
    const abort = new AbortController();
    return this.#request({ signal: abort.signal }, abort);
  }

  /** Takes it from a tab that does not answer. @throws the reason why it cannot be requested */
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

  /** Releases the lock for the next tab, or stops waiting for it. */
  release(): void {
    this.#end();
  }
}
