import type { Watched, Health, HealthActions, StorageState } from '../model/views.ts';

/** The health of the device's copy and storage, for the screens that show it. */
export class HealthWatch implements Watched<Health>, HealthActions {
  readonly #listeners = new Set<() => void>();
  #view: Health;
  readonly #actions: HealthActions;

  constructor(storageState: StorageState, actions: HealthActions) {
    this.#view = { storageState, evicted: null, isRenewed: false, wouldLose: false };
    this.#actions = actions;
  }

  readonly freeSpace = (): Promise<void> => this.#actions.freeSpace();

  /** Sets what changed; listeners are called only if something did. */
  set(changed: Partial<Health>): void {
    const next = { ...this.#view, ...changed };
    const isSame =
      next.storageState === this.#view.storageState &&
      next.evicted === this.#view.evicted &&
      next.isRenewed === this.#view.isRenewed &&
      next.wouldLose === this.#view.wouldLose;
    if (isSame) return;
    this.#view = next;
    for (const listener of this.#listeners) listener();
  }

  readonly acknowledge = (): void => {
    this.#actions.acknowledge();
    this.set({ evicted: null, isRenewed: false });
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): Health => this.#view;
}
