import { ConnectionStrategy, Coordinator } from '@orbit/coordinator';
import type { RecordOperation, RecordTransform } from '@orbit/records';
import type { AnswerSource } from '../model/environment.ts';
import type { StoreRecord } from '../model/record.ts';
import type { RecordStore } from '../store/store.ts';

/** The handlers of writes that are not Orbit sources. */
export interface WriteHandlers {
  /** Makes the change durable. @throws the reason why it cannot be; the store then shows nothing */
  readonly persist: (transform: RecordTransform) => Promise<void>;
  /** The store shows the change by now. */
  readonly persisted: () => void;
}

/**
 * How requests go up and server updates come down.
 *
 *   READ    screen ─ query ─> store                       at once, from this device
 *           screen ─ request ──(1)──> remote ──(2)──> server state ──> store
 *
 *   WRITE   screen ─ action ─> store.update ──(3) first──> outbox (durable)
 *                               └─ then shown ──(4)──> sender ──> remote ──> server
 *              yes:  server's record ──> server state ──> store;  row done
 *              no:   row kept, marked, with the reason;    store shows the server's value
 *              ?  :  row kept, sent again with the same id
 *
 *   UPDATE  hub ──> hub client ──┐
 *           GET /api/changes ──> feed reader ──> server state ──> store
 *
 *   ALWAYS  server state ──> backup      the person's changes are in the outbox
 */
export function createCoordinator(store: RecordStore, handlers: WriteHandlers): Coordinator {
  const coordinator = new Coordinator({ sources: [store] });

  // (3) Durable first: a change that cannot be saved is never shown.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'store',
      on: 'beforeUpdate',
      action: (transform) => handlers.persist(transform as RecordTransform),
      blocking: true,
    }),
  );

  // (4) Then it is sent.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'store',
      on: 'update',
      action: () => {
        // The log is not needed: undo is a new change.
        void store.transformLog.clear();
        handlers.persisted();
      },
    }),
  );

  return coordinator;
}

/**
 * The coordinator of queries to the server; `onAnswer` gets the records that an answer brought.
 * Queries go to the remote itself (1): behind a query of the store, its queue would hold every edit
 * back until the server has answered (decision 34).
 */
export function createQueryCoordinator(
  remote: AnswerSource,
  onAnswer: (records: readonly StoreRecord[]) => void,
): Coordinator {
  const coordinator = new Coordinator({ sources: [remote] });

  // (2) Answers are applied like every server update.
  coordinator.addStrategy(
    new ConnectionStrategy({
      source: 'remote',
      on: 'transform',
      action: (transform) => {
        void remote.transformLog.clear();
        onAnswer(recordsOf(transform as RecordTransform));
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
