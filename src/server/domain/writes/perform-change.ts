import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteCause, DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { Caller } from '../accounts/caller.ts';
import { viewerIn } from '../../access/viewer.ts';
import type { Services } from '../services.ts';
import { updateAffectedWorkflows } from '../workflow/running/affected-workflows.ts';
import type { ChangeContext, OperationResult } from './change-context.ts';
import { contentOf, recordsReadBy } from './parsed-operation.ts';
import type { ParsedOperation } from './parsed-operation.ts';
import { isFinal, Verdicts } from './verdict.ts';
import { performOperation } from './perform-operation.ts';

/** One intention of a person (wire 7.3): done together or not at all, under one id. */
export interface RecordChange {
  readonly id: string | null;
  readonly operations: readonly ParsedOperation[];
}

/** What became of one intention of a change; this is what is recorded. */
type RecordedResult =
  | { readonly is: 'done'; readonly done: OperationResult }
  | {
      readonly is: 'refused';
      readonly problems: readonly [Problem, ...Problem[]];
      /** Only of what is not recorded, such as when to come again. */
      readonly headers?: ProblemError['headers'];
    }
  /** Because of the intention at that place of the same change. */
  | { readonly is: 'not-tried'; readonly because: number };

export interface ChangeOutcome {
  readonly results: readonly RecordedResult[];
  readonly isReplayed: boolean;
}

/** Settles one change in a transaction of its own; a final refusal is recorded like a success. */
export function performChange(
  parts: Services,
  caller: Caller,
  change: RecordChange,
): Promise<ChangeOutcome> {
  return performEach(parts, caller, [change], (settle) => settle(change));
}

/** @throws ProblemError `change-id-reused` */
export type PerformChange = (change: RecordChange) => Promise<ChangeOutcome>;

/**
 * One transaction in which `work` settles `changes` one after the other: each whole or not at all,
 * refused without harm to the others, and judged by what those before it left. What is no refusal
 * undoes all of them.
 */
export function performEach<T>(
  parts: Services,
  caller: Caller,
  changes: readonly RecordChange[],
  work: (settle: PerformChange) => Promise<T>,
): Promise<T> {
  const author = caller.user.id;
  return parts.db.write(causeOf(parts, caller), async (write) => {
    const verdicts = await verdictsOn(write, caller, changes);
    await preload(write, changes);
    const result = await work(async (change) => {
      const known = verdicts.known(change.id, contentsOf(change));
      // fault 1, fault 3, fault 7
      if (known !== null) return { results: known, isReplayed: true };
      const { results, isKept } = await write.causedBy(change.id, () =>
        performAll(parts, write, caller, change),
      );
      if (isKept) verdicts.add(change.id, contentsOf(change), results);
      return { results, isReplayed: false };
    });
    await updateAffectedWorkflows({ services: parts, write });
    await verdicts.record(write, author);
    return result;
  });
}

async function performAll(
  parts: Services,
  write: WriteTransaction,
  caller: Caller,
  change: RecordChange,
) {
  const results: RecordedResult[] = [];
  const countAgain = parts.limits.triesOf(write);
  try {
    await write.savepoint(async (inner) => {
      for (const intention of change.operations) {
        results.push(await performOne(parts, inner, caller, intention));
      }
    });
    return { results, isKept: true };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    await countAgain(write);
    // Those before it were undone with it.
    refuseAll(results, change, error);
    return { results, isKept: isFinal(error) };
  }
}

/** Reads at once what many changes will ask for one by one. */
async function preload(write: WriteTransaction, changes: readonly RecordChange[]): Promise<void> {
  const wanted = new Map<TypeName, string[]>();
  for (const [type, id] of changes.flatMap(({ operations: intentions }) =>
    intentions.flatMap(recordsReadBy),
  ))
    if (resourceOf(type).isStored && isUuid(id))
      wanted.set(type, [...(wanted.get(type) ?? []), id]);
  for (const [type, ids] of wanted) await write.preload(type, ids);
}

/** What became of a call. */
export type CallVerdict<T> =
  | { readonly is: 'done'; readonly answer: T }
  | { readonly is: 'refused'; readonly problems: readonly [Problem, ...Problem[]] };

/** Settles a call that is no operation on a record, in a transaction of its own. */
export function performCall<T>(
  parts: Services,
  caller: Caller,
  id: string | null,
  content: unknown,
  work: (act: ChangeContext) => Promise<T>,
): Promise<{ readonly verdict: CallVerdict<T>; readonly isReplayed: boolean }> {
  const cause = { ...causeOf(parts, caller), changes: id === null ? [] : [id] };
  return parts.db.write(cause, async (write) => {
    const verdicts = await Verdicts.on<CallVerdict<T>>(write, caller.user.id, [id]);
    const known = verdicts.known(id, content);
    if (known !== null) return { verdict: known, isReplayed: true };
    const verdict = await write
      .savepoint(async (inner) => ({
        is: 'done' as const,
        answer: await work(await changeContextOf(parts, inner, caller)),
      }))
      .catch((error: unknown): CallVerdict<T> => {
        if (error instanceof ProblemError && isFinal(error)) {
          return { is: 'refused', problems: error.problems };
        }
        throw error;
      });
    verdicts.add(id, content, verdict);
    await updateAffectedWorkflows({ services: parts, write });
    await verdicts.record(write, caller.user.id);
    return { verdict, isReplayed: false };
  });
}

/** Where in a strict batch it failed. */
export class BatchRefusedError extends Error {
  readonly change: number;
  readonly place: number;
  readonly refusal: ProblemError;

  constructor(change: number, place: number, refusal: ProblemError) {
    super(refusal.message);
    this.name = 'RefusedAt';
    this.change = change;
    this.place = place;
    this.refusal = refusal;
  }
}

/** Settles all changes in one transaction, or none. @throws RefusedAt the first that fails */
export function performAllOrNone(
  parts: Services,
  caller: Caller,
  changes: readonly RecordChange[],
): Promise<readonly ChangeOutcome[]> {
  let countAgain: ((tx: DatabaseTransaction) => Promise<void>) | null = null;
  const settled = parts.db.write(causeOf(parts, caller), async (write) => {
    countAgain = parts.limits.triesOf(write);
    const verdicts = await verdictsOn(write, caller, changes);
    await preload(write, changes);
    const all: ChangeOutcome[] = [];
    for (const [n, change] of changes.entries())
      all.push(
        await write.causedBy(change.id, () =>
          performStrictly(parts, { write, caller, verdicts }, change, n),
        ),
      );
    await updateAffectedWorkflows({ services: parts, write });
    await verdicts.record(write, caller.user.id);
    return all;
  });
  return settled.catch(async (error: unknown) => {
    if (countAgain !== null) await parts.db.transact(countAgain);
    throw error;
  });
}

interface StrictBatch {
  readonly write: WriteTransaction;
  readonly caller: Caller;
  readonly verdicts: Verdicts<readonly RecordedResult[]>;
}

async function performStrictly(
  parts: Services,
  { write, caller, verdicts }: StrictBatch,
  change: RecordChange,
  n: number,
): Promise<ChangeOutcome> {
  const at = async <T>(place: number, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ProblemError ? new BatchRefusedError(n, place, error) : error;
    }
  };
  const known = await at(0, () => verdicts.known(change.id, contentsOf(change)));
  if (known !== null) {
    const place = known.findIndex(({ is }) => is === 'refused');
    const refused = known[place];
    if (refused?.is === 'refused')
      throw new BatchRefusedError(n, place, new ProblemError(refused.problems));
    return { results: known, isReplayed: true };
  }
  const results: RecordedResult[] = [];
  for (const [place, intention] of change.operations.entries()) {
    results.push(await at(place, () => performOne(parts, write, caller, intention)));
  }
  verdicts.add(change.id, contentsOf(change), results);
  return { results, isReplayed: false };
}

async function performOne(
  parts: Services,
  write: WriteTransaction,
  caller: Caller,
  intention: ParsedOperation,
): Promise<RecordedResult> {
  return {
    is: 'done',
    done: await performOperation(await changeContextOf(parts, write, caller), intention),
  };
}

function refuseAll(
  results: RecordedResult[],
  { operations: intentions }: RecordChange,
  error: ProblemError,
): void {
  const place = results.length;
  const others = intentions.map((): RecordedResult => ({ is: 'not-tried', because: place }));
  results.splice(0, results.length, ...others);
  const { problems, headers } = error;
  results[place] = isFinal(error)
    ? { is: 'refused', problems }
    : { is: 'refused', problems, headers };
}

async function changeContextOf(
  parts: Services,
  write: WriteTransaction,
  caller: Caller,
): Promise<ChangeContext> {
  const viewer = await viewerIn(write, caller.user.id);
  return { services: parts, write, viewer, at: new Date(write.cause.at).toISOString() };
}

function verdictsOn(write: WriteTransaction, caller: Caller, changes: readonly RecordChange[]) {
  const ids = changes.map(({ id }) => id);
  return Verdicts.on<readonly RecordedResult[]>(write, caller.user.id, ids);
}

/** What each change writes is told as caused by it alone. */
function causeOf({ clock }: Services, caller: Caller): WriteCause {
  return { at: clock(), by: caller.user.id, changes: [], address: caller.address };
}

const contentsOf = ({ operations: intentions }: RecordChange): unknown => intentions.map(contentOf);
