import { limits } from '#protocol/limits.ts';
import { isRequest, isUnderWay } from '../model/change.ts';
import type { Change } from '../model/change.ts';
import { isHeldBy, writesSameField } from './coalesce.ts';
import { keysOf } from '../model/change.ts';
import type { Rows } from './rows.ts';

/** Tells whether one more row fits into a body. */
export type FitsInBatch = (next: Change) => boolean;

/**
 * The rows that go next, in their order, as many as fit: a row overtakes only those that are
 * delayed. `asking` are the rows that the person is asked about, each with what it holds: requests
 * that waited long, and rows that another tab made dependent on a change before it knew that this
 * needs the person.
 */
export function chooseBatch(
  rows: Pick<Rows, 'underWay' | 'dependants' | 'at'>,
  now: number,
  hasRoom: FitsInBatch,
): { readonly taken: readonly Change[]; readonly asking: readonly Change[] } {
  const taken = new Map<number, Change>();
  const asking = new Map<number, Change>();
  const passed = new Set<number>();
  const blocked = new Set<string>();
  for (const row of rows.underWay()) {
    if (asking.has(row.seq)) continue;
    const keys = keysOf(row);
    const nextState = stateBeforeSending(row, now, rows);
    const isHeldBack =
      isEarly(row, now) ||
      keys.some((key) => blocked.has(key)) ||
      row.dependsOn.some((seq) => passed.has(seq));
    if (isHeldBack) {
      passed.add(row.seq);
      for (const key of keys) blocked.add(key);
    } else if (nextState !== null) {
      asking.set(row.seq, { ...row, state: nextState });
      for (const dependant of rows.dependants(row))
        if (isUnderWay(dependant)) asking.set(dependant.seq, { ...dependant, state: 'held' });
    } else if (mayFollow(row, taken, rows) && hasRoom(row)) taken.set(row.seq, row);
    else break;
  }
  return { taken: [...taken.values()], asking: [...asking.values()] };
}

/**
 * Tells whether all it depends on is done or goes with it; two writes of one field never share a
 * body.
 */
function mayFollow(
  row: Change,
  taken: ReadonlyMap<number, Change>,
  rows: Pick<Rows, 'at'>,
): boolean {
  return row.dependsOn.every((seq) => {
    const before = rows.at(seq);
    if (before === null || before.state === 'done') return true;
    return taken.has(seq) && row.undoes !== before.id && !writesSameField(before, row);
  });
}

/** The state of a row that the person has to decide on before it may go; null: it may go. */
function stateBeforeSending(
  row: Change,
  now: number,
  rows: Pick<Rows, 'at'>,
): 'held' | 'confirm' | null {
  if (isHeldBy(row.dependsOn, rows)) return 'held';
  return isStale(row, now) ? 'confirm' : null;
}

/** Tells whether it is a request that is so old that it may not be wanted any more. */
function isStale(row: Change, now: number): boolean {
  const isOld = now - row.madeAt > limits.requestConfirmAfterMs;
  return isOld && row.attempts === 0 && isRequest(row);
}

/**
 * Tells whether the row is still delayed; a clock that went back does not make the delay longer.
 */
export function isEarly({ notBefore }: Change, now: number): boolean {
  return notBefore !== null && notBefore > now && notBefore - now <= limits.removalHeldMs;
}
