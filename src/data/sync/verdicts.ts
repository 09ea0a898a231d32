import type { Verdict } from '#protocol/operations.ts';
import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { Change } from '../model/change.ts';
import { updateItemsFrom } from './mutable-server-state.ts';
import type { MutableServerState } from './mutable-server-state.ts';
import type { ServerUpdateItem, ChangeVerdict } from '../model/server-update.ts';
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

/** The result of sending one row; null: undecided, the same row is sent again later. */
export type SendOutcome = {
  readonly verdict: ChangeVerdict;
  readonly items: readonly ServerUpdateItem[];
} | null;

const UNDECIDED: ReadonlySet<number> = new Set([401, 408, 426, 429]);
/** Refusals of the person, not of the change: they never decide a change. */
const ABOUT_THE_CALLER: ReadonlySet<string> = new Set(['user-locked', 'not-a-member']);

export function isUndecided(status: number): boolean {
  return UNDECIDED.has(status) || status >= 500;
}

export function verdictFor(
  { id }: Change,
  state: ChangeVerdict['state'],
  problem: ErrorObject | null = null,
): ChangeVerdict {
  return { id, state, problem };
}

interface VerdictSources {
  readonly remote: Remote;
  readonly serverState: Pick<MutableServerState, 'isTrackedByFeed' | 'serverRecord'>;
  readonly report: (what: string, cause: unknown) => void;
}

/** The outcome of the server's verdicts on the operations of `row` (sync 4). */
export async function sendOutcomeOf(
  row: Change,
  verdicts: readonly (Verdict | undefined)[],
  sources: VerdictSources,
): Promise<SendOutcome> {
  if (verdicts.length < row.operations.length) return null;
  const refused = verdicts.find((verdict) => isRefusal(verdict) && statusOf(verdict) !== 424);
  const worst = refused ?? verdicts.find(isRefusal);
  if (worst !== undefined) return outcomeOfRefusedRow(row, worst, sources);
  const isAccepted = verdicts.every((verdict) => verdict !== undefined && statusOf(verdict) < 300);
  if (!isAccepted) return null;
  return {
    verdict: { ...verdictFor(row, 'done'), unchangedSince: unchangedSince(row, verdicts) },
    items: itemsOf(row, verdicts, sources),
  };
}

/** The records that nobody changed between the commit and the answer, which shows the present. */
function unchangedSince(row: Change, verdicts: readonly (Verdict | undefined)[]): string[] {
  return row.operations.flatMap(({ record }, i) => {
    const { data, meta } = verdicts[i] ?? {};
    const shown = data === null || data === undefined || !('meta' in data) ? null : data.meta;
    return shown?.version !== undefined && shown.version === meta?.version ? [keyOf(record)] : [];
  });
}

async function outcomeOfRefusedRow(
  row: Change,
  verdict: Verdict,
  sources: VerdictSources,
): Promise<SendOutcome> {
  const problem = verdict.errors?.[0] ?? null;
  const status = statusOf(verdict);
  if (isUndecided(status) || ABOUT_THE_CALLER.has(problem?.code ?? '')) return null;
  if (status === 424) return { verdict: verdictFor(row, 'held', problem), items: [] };
  // fault 22
  if (problem?.code === 'changed-elsewhere')
    return { verdict: verdictFor(row, 'conflict', problem), items: [] };
  // fault 23
  if (problem?.code === 'id-taken' || problem?.code === 'already-exists')
    return readExisting(row, problem, sources);
  // fault 21
  return { verdict: verdictFor(row, 'refused', problem), items: [] };
}

function itemsOf(
  row: Change,
  verdicts: readonly (Verdict | undefined)[],
  { serverState, report }: VerdictSources,
): ServerUpdateItem[] {
  return row.operations.flatMap(({ op, record }, i): ServerUpdateItem[] => {
    const data = verdicts[i]?.data;
    if (op === 'removeRecord') return [{ is: 'remove', record: identity(record) }];
    // A command has no record.
    if (data === undefined || !resourceOf(record.type).isStored) return [];
    // The person does not see it any more after their change: the feed reports that only for
    // tracked records.
    if (data === null)
      return serverState.isTrackedByFeed(serverState.serverRecord(record))
        ? []
        : [{ is: 'remove', record: identity(record) }];
    return updateItemsFrom([{ op: 'update', data }], (why) => {
      report('An answer does not fit', why);
    });
  });
}

/**
 * The items of an answer that are to be applied: the feed would not report what becomes of a record
 * whose parent is not here.
 */
export function trackedItems(
  items: readonly ServerUpdateItem[],
  serverState: Pick<MutableServerState, 'isTrackedByFeed' | 'serverRecord'>,
): ServerUpdateItem[] {
  return items.filter(
    (item) =>
      item.is === 'remove' ||
      serverState.serverRecord(item.record) !== null ||
      serverState.isTrackedByFeed(item.record, items),
  );
}

/**
 * Reads the record that exists already: if it is what the person wanted, the change is accepted.
 */
async function readExisting(
  row: Change,
  problem: ErrorObject,
  { remote }: VerdictSources,
): Promise<SendOutcome> {
  const refused = { verdict: verdictFor(row, 'refused', problem), items: [] };
  const made = row.operations.find((operation) => operation.op === 'addRecord');
  if (made === undefined || row.operations.length > 1) return refused;
  if (!resourceOf(made.record.type).verbs.includes('get')) return refused;
  const existing = problem.meta?.existing as { id?: unknown } | undefined;
  const id = typeof existing?.id === 'string' ? existing.id : made.record.id;
  const answer = await remote.request(paths.record(made.record.type, id));
  if (isUndecided(answer.status)) return null;
  const found = answer.status === 200 ? recordOrNull(answer.document.data) : null;
  if (found === null || !isWhatWasWanted(made.record, found)) return refused;
  const items: ServerUpdateItem[] = [{ is: 'update', record: found }];
  if (keyOf(found) !== keyOf(made.record))
    items.push({ is: 'remove', record: identity(made.record) });
  return { verdict: verdictFor(row, 'done'), items };
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

/**
 * Tells whether the existing record has what the person stated; fields that the server sets do not
 * count.
 */
function isWhatWasWanted(wanted: StoreRecord, found: StoreRecord): boolean {
  return fieldsOf(stateableOf(wanted)).every((field) =>
    isSame(valueOf(wanted, field), valueOf(found, field)),
  );
}
