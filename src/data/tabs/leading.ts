import type { AnsweredCommits } from '../sync/answered.ts';
import type { Asking } from '../sync/asking.ts';
import type { Backup } from '../storage/backup.ts';
import type { CatchUp } from '../sync/catch-up.ts';
import type { Whole } from '../storage/copy.ts';
import type { Gate } from '../sync/gate.ts';
import type { Live } from '../sync/live.ts';
import type { Merge } from '../sync/merge.ts';
import type { Retry } from '../sync/retry.ts';
import type { Sender } from '../sync/sender.ts';
import type { Store } from '../store/store.ts';
import type { Wish } from './tab-message.ts';

interface Parts {
  readonly account: string;
  readonly store: Store;
  readonly backup: Backup;
  readonly merge: Merge;
  readonly asking: Asking;
  readonly answered: AnsweredCommits;
  readonly catchUp: CatchUp;
  readonly sender: Sender;
  readonly live: Live;
  readonly retry: Retry;
  readonly gate: Gate;
  readonly idle: (run: () => void) => void;
  readonly report: (what: string, cause: unknown) => void;
}

/** What the leading tab alone does: it sends, hears, reads the feed, and writes the server's news. */
export class Leading {
  readonly #parts: Parts;
  /** Undefined until the copy is read, or somebody chose. */
  #wanted: string | null | undefined = undefined;
  #isFolding = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    const { backup, sender, catchUp, live, asking } = this.#parts;
    asking.keep();
    if (backup.mayWrite) sender.start();
    catchUp.start();
    live.start();
  }

  /** It is worth asking the server again. */
  wake(): void {
    const { sender, catchUp, live } = this.#parts;
    sender.wake();
    catchUp.soon();
    live.start();
  }

  /** Another tab leads, or this one is closed: nothing is sent or asked from here any more. */
  stop(): void {
    const { sender, catchUp, live, gate } = this.#parts;
    sender.stop();
    live.stop();
    catchUp.stop();
    // What they stumbled over ends with them: how it stands, the tab that leads says.
    for (const piece of ['sender', 'live', 'catch-up'] as const) gate.wentWell(piece);
  }

  grant(wish: Wish): void {
    const { catchUp, sender, retry, gate } = this.#parts;
    if (wish === 'resync') catchUp.resync();
    else {
      // Who was kept out may be let in again: an answer tells.
      gate.open();
      retry.wake();
      sender.wake();
    }
  }

  /** Which organization a super admin looked at last; what they chose meanwhile stays. */
  begin(organization: string | null): void {
    if (this.#wanted === undefined) this.#wanted = organization;
  }

  /** Which organization a super admin looks at. */
  look(organization: string | null): void {
    this.#wanted = organization;
  }

  /** Whether the feed of `organization` is what is to be here: of others than super admins any is. */
  isWanted(organization: string | null): boolean {
    if (this.#wanted === undefined || this.#wanted === organization) return true;
    const { store, account } = this.#parts;
    return !store.find
      .all('userRole', { user: account })
      .some(({ roleName }) => roleName === 'SuperAdmin');
  }

  /** A super admin's feed is that of the organization they look at. */
  follow(): void {
    const { catchUp, live } = this.#parts;
    if (this.#wanted === undefined || this.isWanted(catchUp.scope)) return;
    catchUp.moveTo(this.#wanted);
    live.restart();
  }

  /** Folds the copy once there is nothing better to do. */
  fold(): void {
    const { backup, merge, catchUp, answered, idle, report } = this.#parts;
    const isNow = backup.wantsFoldNow;
    if (!backup.wantsFold || (this.#isFolding && !isNow)) return;
    const look = (): Whole => ({
      records: merge.allTruth(),
      facts: { cursor: catchUp.cursor, scope: catchUp.scope, answered: answered.commits },
    });
    this.#isFolding = true;
    const fold = (): void => {
      this.#isFolding = false;
      if (!backup.wantsFold) return;
      backup.fold(look).then(
        () => {
          // What is to be removed from the disk may have come meanwhile.
          if (backup.wantsFoldNow) this.fold();
        },
        (error: unknown) => {
          report('The local copy could not be folded', error);
        },
      );
    };
    if (isNow) fold();
    else idle(fold);
  }
}
