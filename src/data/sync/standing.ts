import type { Facts } from '../model/server-update.ts';
import type { Watched, Standing } from '../model/views.ts';
import type { Environment } from '../model/environment.ts';
import type { Gate } from './gate.ts';
import type { StoreIdentity } from '../model/record.ts';
import type { Store } from '../store/store.ts';

type Around = Pick<Environment, 'clock' | 'timers' | 'page'>;

const AWAY_MS = 60_000;
const DRAWN_WITHIN_MS = 1_000;

/** Whether there is something to show, and for whom. */
export class StandingWatch implements Watched<Standing> {
  readonly #gate: Gate;
  readonly #store: Store;
  readonly #viewer: StoreIdentity;
  readonly #listeners = new Set<() => void>();
  #isRestored = false;
  #isHeld = false;

  constructor(gate: Gate, store: Store, account: string) {
    this.#gate = gate;
    this.#store = store;
    this.#viewer = { type: 'user', id: account };
    gate.onChange(this.#tell);
    store.onBatch((touched) => {
      if (touched.some(({ type, id }) => type === 'user' && id === account)) this.#tell();
    });
  }

  /**
   * A copy from a while ago is not drawn at once: what was taken from this person meanwhile goes
   * first. It is released by whoever learned that or that nothing can be learned now, and soon anyway.
   */
  begun({ asOf }: Facts, { clock, timers, page }: Around): void {
    if (asOf === null || !page.isOnline()) return;
    const awayMs = clock() - Date.parse(asOf);
    if (awayMs >= 0 && awayMs < AWAY_MS) return;
    this.#isHeld = true;
    timers.set(this.release, DRAWN_WITHIN_MS);
  }

  readonly release = (): void => {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#tell();
  };

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
    if (this.#isHeld) return 'starting';
    if (this.#store.record(this.#viewer) !== null) return 'ready';
    return this.#isRestored ? 'loading' : 'starting';
  };
}
