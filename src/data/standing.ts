import type { Watched } from './data.ts';
import type { Gate } from './gate.ts';
import type { StoreIdentity } from './record.ts';
import type { Store } from './store.ts';
import type { Standing } from './use-viewer.ts';

/** Whether there is something to show, and for whom. */
export class StandingWatch implements Watched<Standing> {
  readonly #gate: Gate;
  readonly #store: Store;
  readonly #viewer: StoreIdentity;
  readonly #listeners = new Set<() => void>();
  #isRestored = false;

  constructor(gate: Gate, store: Store, account: string) {
    this.#gate = gate;
    this.#store = store;
    this.#viewer = { type: 'user', id: account };
    gate.onChange(this.#tell);
    store.onBatch((touched) => {
      if (touched.some(({ type, id }) => type === 'user' && id === account)) this.#tell();
    });
  }

  restored(): void {
    this.#isRestored = true;
    this.#tell();
  }

  readonly #tell = (): void => {
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): Standing => {
    const { closed } = this.#gate;
    // Signing in again locks nobody out of what is here.
    if (closed !== null && closed !== 'sign-in') return closed;
    if (this.#store.record(this.#viewer) !== null) return 'ready';
    return this.#isRestored ? 'loading' : 'starting';
  };
}
