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
 * Keeps this tab and the device's storage together, whatever becomes of that.
 *
 *   together ──no storage, blocked, a newer app's, or it was never read──> alone, in memory
 *       │  ^──────────────────── it can be read after all ────────────────────┘
 *       └──it fails──> together, edits refused ──opened again──> disk and memory agree
 */
export class StorageMonitor {
  readonly health: HealthWatch;
  readonly #parts: StorageMonitorDependencies;
  readonly #evictionDetector: EvictionDetector;
  #tabs: Tabs | null = null;
  #following: Follower | null = null;
  #isDetached = false;
  readonly #unlisten: (() => void)[];

  constructor({ copyMarkers }: Environment, account: string, parts: StorageMonitorDependencies) {
    const { backup, outbox } = parts;
    this.#parts = parts;
    this.#evictionDetector = new EvictionDetector(copyMarkers, account);
    this.health = new HealthWatch(backup.storageState, {
      acknowledge: () => {
        this.#evictionDetector.acknowledge();
      },
      freeSpace: () => backup.freeSpace(),
    });
    backup.onRead = (born) => {
      if (born !== null) this.health.set({ evicted: this.#evictionDetector.recordFoundCopy(born) });
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

  /** From now on the tab goes alone, or comes back, as the storage has it. */
  start(tabs: Tabs, following: Follower): void {
    this.#tabs = tabs;
    this.#following = following;
    if (this.#parts.backup.storageState !== 'kept') this.#checkStorage();
  }

  #checkStorage(): void {
    const { backup } = this.#parts;
    this.health.set({ storageState: backup.storageState });
    this.#updatePendingCount();
    if (backup.storageState === 'kept') this.#handleStorageBack();
    else if (backup.storageState !== 'failing' || !backup.wasRead) this.#detachFromTabs();
  }

  /** Without a copy to share, the tab reads from the server by itself. */
  #detachFromTabs(): void {
    const { backup, sender } = this.#parts;
    if (!backup.mayWrite) sender.stop();
    if (this.#isDetached || this.#tabs === null) return;
    this.#isDetached = true;
    this.#tabs.detach();
  }

  #handleStorageBack(): void {
    const { syncControl } = this.#parts;
    if (this.#tabs === null) return;
    if (this.#isDetached) {
      this.#isDetached = false;
      syncControl.clearProblem('copy');
      this.#tabs.reattach();
    } else void this.#reconcile();
  }

  /** The disk may have been emptied meanwhile: what the person did is here, and goes back there. */
  async #reconcile(): Promise<void> {
    const { backup, outbox, leader, sender, syncControl: gate } = this.#parts;
    try {
      const born = await backup.reconcile([...outbox.rows.all()]);
      if (born !== null) {
        this.#evictionDetector.recordRecreatedCopy(born);
        this.health.set({ isRenewed: true });
      }
    } catch {
      // It failed again; the next time that it is opened counts.
      return;
    }
    gate.clearProblem('copy');
    if (this.#tabs === null || this.#following === null) return;
    // Whoever leads without the backup may write nothing; taking it over reads and sends.
    if (this.#tabs.claimNow()) return;
    this.#following.readOutbox(this.#tabs, null);
    sender.goOn();
    if (this.#tabs.isLeading) leader.compact();
  }

  #updatePendingCount(): void {
    const { backup, outbox } = this.#parts;
    const { waiting, attention } = outbox.rows.counts;
    // Storage that fails may have been removed: what is on it, nobody knows until it opens.
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
