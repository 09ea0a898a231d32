import type { Backup } from '../storage/backup.ts';
import type { Environment } from '../model/environment.ts';
import type { Following } from './following.ts';
import type { Gate } from '../sync/gate.ts';
import { HealthWatch } from '../storage/health.ts';
import type { Leading } from './leading.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { Sender } from '../sync/sender.ts';
import type { Tabs } from './tabs.ts';
import { CopyWitness } from '../storage/witness.ts';

interface Parts {
  readonly backup: Backup;
  readonly outbox: Outbox;
  readonly gate: Gate;
  readonly leading: Leading;
  readonly sender: Sender;
}

/**
 * Keeps this tab and the device's storage together, whatever becomes of that.
 *
 *   together ──no storage, blocked, a newer app's, or it was never read──> alone, in memory
 *       │  ^──────────────────── it can be read after all ────────────────────┘
 *       └──it fails──> together, edits refused ──opened again──> disk and memory agree
 */
export class Upkeep {
  readonly health: HealthWatch;
  readonly #parts: Parts;
  readonly #witness: CopyWitness;
  #tabs: Tabs | null = null;
  #following: Following | null = null;
  #isAlone = false;
  readonly #unlisten: (() => void)[];

  constructor({ witness }: Environment, account: string, parts: Parts) {
    const { backup, outbox } = parts;
    this.#parts = parts;
    this.#witness = new CopyWitness(witness, account);
    this.health = new HealthWatch(backup.keeping, {
      noted: () => {
        this.#witness.noted();
      },
      makeRoom: () => backup.makeRoom(),
    });
    backup.onRead = (born) => {
      if (born !== null) this.health.set({ evicted: this.#witness.found(born) });
    };
    this.#unlisten = [
      backup.onChange(() => {
        this.#look();
      }),
      outbox.onChange(() => {
        this.#count();
      }),
    ];
  }

  /** From now on the tab goes alone, or comes back, as the storage has it. */
  start(tabs: Tabs, following: Following): void {
    this.#tabs = tabs;
    this.#following = following;
    if (this.#parts.backup.keeping !== 'kept') this.#look();
  }

  #look(): void {
    const { backup } = this.#parts;
    this.health.set({ keeping: backup.keeping });
    this.#count();
    if (backup.keeping === 'kept') this.#isBack();
    else if (backup.keeping !== 'failing' || !backup.wasRead) this.#goAlone();
  }

  /** Without a copy to share, the tab reads from the server by itself. */
  #goAlone(): void {
    const { backup, sender } = this.#parts;
    if (!backup.mayWrite) sender.stop();
    if (this.#isAlone || this.#tabs === null) return;
    this.#isAlone = true;
    this.#tabs.goAlone();
  }

  #isBack(): void {
    const { gate } = this.#parts;
    if (this.#tabs === null) return;
    if (this.#isAlone) {
      this.#isAlone = false;
      gate.wentWell('copy');
      this.#tabs.goTogether();
    } else void this.#agree();
  }

  /** The disk may have been emptied meanwhile: what the person did is here, and goes back there. */
  async #agree(): Promise<void> {
    const { backup, outbox, leading, sender, gate } = this.#parts;
    try {
      const born = await backup.agree([...outbox.rows.all()]);
      if (born !== null) {
        this.#witness.renew(born);
        this.health.set({ isRenewed: true });
      }
    } catch {
      // It failed again; the next time that it is opened counts.
      return;
    }
    gate.wentWell('copy');
    if (this.#tabs === null || this.#following === null) return;
    // Whoever leads without the backup may write nothing; taking it over reads and sends.
    if (this.#tabs.claimNow()) return;
    this.#following.rows(this.#tabs, null);
    sender.goOn();
    if (this.#tabs.isLeading) leading.fold();
  }

  #count(): void {
    const { backup, outbox } = this.#parts;
    const { waiting, attention } = outbox.rows.counts;
    // Storage that fails may have been removed: what is on it, nobody knows until it opens.
    const isSafe = backup.keeping !== 'memory' && backup.keeping !== 'failing';
    this.health.set({ wouldLose: !isSafe && waiting + attention > 0 });
    this.#witness.note(waiting + attention);
  }

  /** The copy is about to be removed on purpose. */
  forget(): void {
    this.stop();
    this.#witness.forget();
  }

  stop(): void {
    for (const end of this.#unlisten) end();
  }
}
