import type { Watched, Health, HealthActions, StorageState } from '../model/views.ts';

/** How the device keeps what the person does, for the screens that say so. */
export class HealthWatch implements Watched<Health>, HealthActions {
  readonly #listeners = new Set<() => void>();
  #view: Health;
  readonly #actions: HealthActions;

  constructor(keeping: StorageState, actions: HealthActions) {
    this.#view = { storageState: keeping, evicted: null, isRenewed: false, wouldLose: false };
    this.#actions = actions;
  }

  readonly freeSpace = (): Promise<void> => this.#actions.freeSpace();

  /** Takes in what changed; nobody is told when nothing did. */
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
