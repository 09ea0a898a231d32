import type { Backup } from '../storage/backup.ts';
import type { Environment } from '../model/environment.ts';
import type { Follower } from './follower.ts';
import type { SyncControl } from '../sync/sync-control.ts';
import { HealthWatch } from '../storage/health.ts';
import type { Leader } from './leader.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Sender } from '../sync/sender.ts';
import type { Tabs } from './tabs.ts';
import { EvictionDetector } from '../storage/eviction-detector.ts';

interface StorageMonitorDependencies {
  readonly backup: Backup;
  readonly outbox: Outbox;
  readonly syncControl: SyncControl;
  readonly leader: Leader;
  readonly sender: Sender;
}

/**
 * Keeps this tab and the device's storage together, whatever happens to the storage.
 *
 *   together ──no storage, blocked, a newer app's, or it was never read──> detached, in memory
 *       │  ^──────────────────── it can be read after all ────────────────────┘
 *       └──it fails──> together, edits refused ──opened again──> disk and memory agree
 */
export class StorageMonitor {
  readonly health: HealthWatch;
  readonly #dependencies: StorageMonitorDependencies;
  readonly #evictionDetector: EvictionDetector;
  #tabs: Tabs | null = null;
  #follower: Follower | null = null;
  #isDetached = false;
  readonly #unlisten: (() => void)[];

  constructor(
    { copyMarkers }: Environment,
    account: string,
    dependencies: StorageMonitorDependencies,
  ) {
    const { backup, outbox } = dependencies;
    this.#dependencies = dependencies;
    this.#evictionDetector = new EvictionDetector(copyMarkers, account);
    this.health = new HealthWatch(backup.storageState, {
      acknowledge: () => {
        this.#evictionDetector.acknowledge();
      },
      freeSpace: () => backup.freeSpace(),
    });
    backup.onRead = (copyId) => {
      if (copyId !== null)
        this.health.set({ evicted: this.#evictionDetector.recordFoundCopy(copyId) });
    };
    this.#unlisten = [
      backup.onChange(() => {
        this.#checkStorage();
      }),
      outbox.onChange(() => {
        this.#updatePendingCount();
      }),
    ];
  }

  /** From now on the tab detaches from the others, or joins them, as the storage requires. */
  start(tabs: Tabs, follower: Follower): void {
    this.#tabs = tabs;
    this.#follower = follower;
    if (this.#dependencies.backup.storageState !== 'kept') this.#checkStorage();
  }

  #checkStorage(): void {
    const { backup } = this.#dependencies;
    this.health.set({ storageState: backup.storageState });
    this.#updatePendingCount();
    if (backup.storageState === 'kept') this.#handleStorageBack();
    else if (backup.storageState !== 'failing' || !backup.wasRead) this.#detachFromTabs();
  }

  /** Without a copy to share, the tab reads from the server by itself. */
  #detachFromTabs(): void {
    const { backup, sender } = this.#dependencies;
    if (!backup.mayWrite) sender.stop();
    if (this.#isDetached || this.#tabs === null) return;
    this.#isDetached = true;
    this.#tabs.detach();
  }

  #handleStorageBack(): void {
    const { syncControl } = this.#dependencies;
    if (this.#tabs === null) return;
    if (this.#isDetached) {
      this.#isDetached = false;
      syncControl.clearProblem('copy');
      this.#tabs.reattach();
    } else void this.#reconcile();
  }

  /**
   * The disk may have been emptied meanwhile: the person's changes are here, and are written again.
   */
  async #reconcile(): Promise<void> {
    const { backup, outbox, leader, sender, syncControl } = this.#dependencies;
    try {
      const copyId = await backup.reconcile([...outbox.rows.all()]);
      if (copyId !== null) {
        this.#evictionDetector.recordRecreatedCopy(copyId);
        this.health.set({ isRenewed: true });
      }
    } catch {
      // It failed again; the next time that it is opened counts.
      return;
    }
    syncControl.clearProblem('copy');
    if (this.#tabs === null || this.#follower === null) return;
    // A tab that leads without the backup may write nothing; taking it over reads and sends.
    if (this.#tabs.claimNow()) return;
    this.#follower.readOutbox(this.#tabs, null);
    sender.goOn();
    if (this.#tabs.isLeading) leader.compact();
  }

  #updatePendingCount(): void {
    const { backup, outbox } = this.#dependencies;
    const { waiting, attention } = outbox.rows.counts;
    // Storage that fails may have been removed: nobody knows its content until it opens.
    const isSafe = backup.storageState !== 'memory' && backup.storageState !== 'failing';
    this.health.set({ wouldLose: !isSafe && waiting + attention > 0 });
    this.#evictionDetector.setPendingCount(waiting + attention);
  }

  /** The copy is about to be removed on purpose. */
  forget(): void {
    this.stop();
    this.#evictionDetector.forget();
  }

  stop(): void {
    for (const end of this.#unlisten) end();
  }
}
