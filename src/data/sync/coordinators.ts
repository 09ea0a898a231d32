import { ConnectionStrategy, Coordinator } from '@orbit/coordinator';
import type { RecordOperation, RecordTransform } from '@orbit/records';
import type { AnswerSource } from '../model/environment.ts';
import type { StoreRecord } from '../model/record.ts';
import type { RecordStore } from '../store/store.ts';

/** What the arrows lead to that is not a source of Orbit's. */
export interface WriteHandlers {
  /** Makes the change durable. @throws what kept it from being so; the store then shows nothing */
  readonly persist: (transform: RecordTransform) => Promise<void>;
  /** The store shows the change. */
  readonly persisted: () => void;
}

/**
 * The arrows between the pieces.
 *
 *   READ    screen ─ query ─> store                       at once, from this device
 *           screen ─ ask ──(1)──> remote ──(2)──> merge ──> store
 *
 *   WRITE   screen ─ action ─> store.update ──(3) first──> outbox (durable)
 *                               └─ then shown ──(4)──> sender ──> remote ──> server
 *              yes:  server's record ──> merge ──> store;  row done
 *              no:   row kept, marked, with the reason;    store shows the server's value
 *              ?  :  row kept, sent again with the same id
 *
 *   NEWS    hub ──> live ──┐
 *           GET /api/changes ──> catch-up ──> merge ──> store
 *
 *   ALWAYS  merge ──> backup      the server's state; what the person did is in the outbox
 */
export function createCoordinator(store: RecordStore, ends: WriteHandlers): Coordinator {
  const coordinator = new Coordinator({ sources: [store] });

  // (3) Durable first: what cannot be kept is never shown.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'store',
      on: 'beforeUpdate',
      action: (transform) => ends.persist(transform as RecordTransform),
      blocking: true,
    }),
  );

  // (4) Then it goes on its way.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'store',
      on: 'update',
      action: () => {
        // Nothing here goes back in the log; undo is a new change.
        void store.transformLog.clear();
        ends.persisted();
      },
    }),
  );

  return coordinator;
}

/**
 * The arrows of queries that ask the server; `heard` gets the records that an answer brought. They
 * go to the remote itself (1): behind a query of the store, its queue would hold every edit back
 * until the server has answered (decision 34).
 */
export function createQueryCoordinator(
  remote: AnswerSource,
  heard: (records: readonly StoreRecord[]) => void,
): Coordinator {
  const coordinator = new Coordinator({ sources: [remote] });

  // (2) Answers enter where all news does.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'remote',
      on: 'transform',
      action: (transform) => {
        void remote.transformLog.clear();
        heard(recordsOf(transform as RecordTransform));
      },
    }),
  );

  return coordinator;
}

function recordsOf({ operations }: RecordTransform): StoreRecord[] {
  return [operations]
    .flat()
    .flatMap((operation: RecordOperation) =>
      operation.op === 'updateRecord' ? (operation.record as unknown as StoreRecord) : [],
    );
}
