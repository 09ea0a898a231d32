import type { CopyMetadata } from '../model/server-update.ts';
import type { Watched, ViewerStatus } from '../model/views.ts';
import type { Environment } from '../model/environment.ts';
import type { SyncControl } from './sync-control.ts';
import type { StoreIdentity } from '../model/record.ts';
import type { RecordStore } from '../store/store.ts';

type PageEnvironment = Pick<Environment, 'clock' | 'timers' | 'page'>;

const AWAY_MS = 60_000;
const SHOWN_WITHIN_MS = 1_000;

/** Tells whether there is something to show to the viewer. */
export class ViewerStatusWatch implements Watched<ViewerStatus> {
  readonly #syncControl: SyncControl;
  readonly #store: RecordStore;
  readonly #viewer: StoreIdentity;
  readonly #listeners = new Set<() => void>();
  #isRestored = false;
  #isHeld = false;

  constructor(syncControl: SyncControl, store: RecordStore, account: string) {
    this.#syncControl = syncControl;
    this.#store = store;
    this.#viewer = { type: 'user', id: account };
    syncControl.onChange(this.#notify);
    store.onBatch((touched) => {
      if (touched.some(({ type, id }) => type === 'user' && id === account)) this.#notify();
    });
  }

  /**
   * A copy from a while ago is not shown at once: records that the viewer may not see any more are
   * removed first. It is shown as soon as that is done or cannot be done now, and soon in any case.
   */
  begun({ asOf }: CopyMetadata, { clock, timers, page }: PageEnvironment): void {
    if (asOf === null || !page.isOnline()) return;
    const awayMs = clock() - Date.parse(asOf);
    if (awayMs >= 0 && awayMs < AWAY_MS) return;
    // fault 34
    this.#isHeld = true;
    timers.set(this.release, SHOWN_WITHIN_MS);
  }

  readonly release = (): void => {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#notify();
  };

  restored(): void {
    this.#isRestored = true;
    this.#notify();
  }

  readonly #notify = (): void => {
    for (const listener of this.#listeners) listener();
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): ViewerStatus => {
    const { pauseReason } = this.#syncControl;
    // A person who has to sign in again still sees what is here.
    if (pauseReason !== null && pauseReason !== 'sign-in') return pauseReason;
    if (this.#isHeld) return 'starting';
    if (this.#store.record(this.#viewer) !== null) return 'ready';
    if (!this.#isRestored) return 'starting';
    return pauseReason ?? 'loading';
  };
}
