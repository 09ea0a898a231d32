import type { Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { Change } from '../model/change.ts';
import { itemsFrom } from './merge.ts';
import type { Merge } from './merge.ts';
import type { NewsItem, Settled } from '../model/server-update.ts';
import {
  DoesNotFit,
  fieldsOf,
  isSame,
  keyOf,
  recordFrom,
  stateableOf,
  valueOf,
} from '../model/record.ts';
import type { StoreIdentity, StoreRecord } from '../model/record.ts';
import type { Remote } from './remote.ts';

/** What one row's verdicts come to; null: undecided, the same row again later. */
export type Outcome = { readonly settled: Settled; readonly items: readonly NewsItem[] } | null;

const UNDECIDED: ReadonlySet<number> = new Set([401, 408, 426, 429]);
/** Refusals of who asks, not of what: never the end of a change. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set(['user-locked', 'not-a-member']);

export function isUndecided(status: number): boolean {
  return UNDECIDED.has(status) || status >= 500;
}

export function settled(
  { id }: Change,
  state: Settled['state'],
  problem: ErrorObject | null = null,
): Settled {
  return { id, state, problem };
}

interface Reading {
  readonly remote: Remote;
  readonly merge: Pick<Merge, 'isKeptUp' | 'truth'>;
  readonly report: (what: string, cause: unknown) => void;
}

/** What the server's verdicts on the operations of `row` come to (sync 4). */
export async function outcomeOf(
  row: Change,
  verdicts: readonly (Verdict | undefined)[],
  reading: Reading,
): Promise<Outcome> {
  if (verdicts.length < row.operations.length) return null;
  const refused = verdicts.find((verdict) => isRefusal(verdict) && statusOf(verdict) !== 424);
  const worst = refused ?? verdicts.find(isRefusal);
  if (worst !== undefined) return outcomeOfRefusal(row, worst, reading);
  const isAccepted = verdicts.every((verdict) => verdict !== undefined && statusOf(verdict) < 300);
  if (!isAccepted) return null;
  // What is answered from the record shows the present, which may be someone else's.
  const isFirstHand = verdicts.every((verdict) => verdict?.meta.replayed !== true);
  return {
    settled: { ...settled(row, 'done'), isFirstHand },
    items: itemsOf(row, verdicts, reading),
  };
}

async function outcomeOfRefusal(row: Change, verdict: Verdict, reading: Reading): Promise<Outcome> {
  const problem = verdict.errors?.[0] ?? null;
  const status = statusOf(verdict);
  if (isUndecided(status) || ABOUT_THE_CALLER.has(problem?.code ?? '')) return null;
  if (status === 424) return { settled: settled(row, 'held', problem), items: [] };
  if (problem?.code === 'changed-elsewhere')
    return { settled: settled(row, 'conflict', problem), items: [] };
  if (problem?.code === 'id-taken' || problem?.code === 'already-exists')
    return readBack(row, problem, reading);
  return { settled: settled(row, 'refused', problem), items: [] };
}

function itemsOf(
  row: Change,
  verdicts: readonly (Verdict | undefined)[],
  { merge, report }: Reading,
): NewsItem[] {
  return row.operations.flatMap(({ op, record }, i): NewsItem[] => {
    const data = verdicts[i]?.data;
    if (op === 'removeRecord') return [{ is: 'remove', record: identity(record) }];
    // Of a deed there is no record.
    if (data === undefined || !resourceOf(record.type).isStored) return [];
    // Whoever changed it does not see it any more: the feed tells that only of what it keeps up.
    if (data === null)
      return merge.isKeptUp(merge.truth(record))
        ? []
        : [{ is: 'remove', record: identity(record) }];
    return itemsFrom([{ op: 'update', data }], (why) => {
      report('An answer does not fit', why);
    });
  });
}

/**
 * The items of an answer that are to be taken in: of what came below something that is not here nobody
 * would tell what becomes of it.
 */
export function keptUp(
  items: readonly NewsItem[],
  merge: Pick<Merge, 'isKeptUp' | 'truth'>,
): NewsItem[] {
  return items.filter(
    (item) =>
      item.is === 'remove' ||
      merge.truth(item.record) !== null ||
      merge.isKeptUp(item.record, items),
  );
}

/** Our own id, or one like it, exists: if it is what was wanted, that is the acknowledgement. */
async function readBack(row: Change, problem: ErrorObject, { remote }: Reading): Promise<Outcome> {
  const refused = { settled: settled(row, 'refused', problem), items: [] };
  const made = row.operations.find((operation) => operation.op === 'addRecord');
  if (made === undefined || row.operations.length > 1) return refused;
  if (!resourceOf(made.record.type).verbs.includes('get')) return refused;
  const existing = problem.meta?.existing as { id?: unknown } | undefined;
  const id = typeof existing?.id === 'string' ? existing.id : made.record.id;
  const asked = await remote.ask(paths.record(made.record.type, id));
  if (isUndecided(asked.status)) return null;
  const found = asked.status === 200 ? recordOrNull(asked.document.data) : null;
  if (found === null || !isWhatWasWanted(made.record, found)) return refused;
  const items: NewsItem[] = [{ is: 'update', record: found }];
  if (keyOf(found) !== keyOf(made.record))
    items.push({ is: 'remove', record: identity(made.record) });
  return { settled: settled(row, 'done'), items };
}

const identity = ({ type, id }: StoreIdentity): StoreIdentity => ({ type, id });

function isRefusal(verdict: Verdict | undefined): verdict is Verdict {
  return verdict !== undefined && statusOf(verdict) >= 400;
}

function statusOf(verdict: Verdict): number {
  return (verdict.meta as Partial<Verdict['meta']> | undefined)?.status ?? 500;
}

function recordOrNull(value: unknown): StoreRecord | null {
  try {
    return recordFrom(value);
  } catch (error) {
    if (error instanceof DoesNotFit) return null;
    throw error;
  }
}

/** Whether what is there has what a person stated; what the server sets does not count. */
function isWhatWasWanted(wanted: StoreRecord, found: StoreRecord): boolean {
  return fieldsOf(stateableOf(wanted)).every((field) =>
    isSame(valueOf(wanted, field), valueOf(found, field)),
  );
}
