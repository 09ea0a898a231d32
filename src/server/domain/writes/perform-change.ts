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

/**
 * One change of a person (wire 7.3): its operations are done together or not at all, under one id.
 */
export interface RecordChange {
  readonly id: string | null;
  readonly operations: readonly ParsedOperation[];
}

/** The result of one operation of a change; this is what is recorded. */
type RecordedResult =
  | { readonly is: 'done'; readonly done: OperationResult }
  | {
      readonly is: 'refused';
      readonly problems: readonly [Problem, ...Problem[]];
      /**
       * It is set only for results that are not recorded; it says, for example, when to come again.
       */
      readonly headers?: ProblemError['headers'];
    }
  /** The operation with this index of the same change is the reason. */
  | { readonly is: 'not-tried'; readonly because: number };

export interface ChangeOutcome {
  readonly results: readonly RecordedResult[];
  readonly isReplayed: boolean;
}

/** Performs one change in a transaction of its own; a final refusal is recorded like a success. */
export function performChange(
  services: Services,
  caller: Caller,
  change: RecordChange,
): Promise<ChangeOutcome> {
  return performEach(services, caller, [change], (perform) => perform(change));
}

/** @throws ProblemError `change-id-reused` */
export type PerformChange = (change: RecordChange) => Promise<ChangeOutcome>;

/**
 * Opens one transaction in which `work` performs `changes` one after the other. Each is done whole
 * or not at all, is refused without harm to the others, and is judged by the state that those
 * before it left. An error that is no refusal undoes all of them.
 */
export function performEach<T>(
  services: Services,
  caller: Caller,
  changes: readonly RecordChange[],
  work: (perform: PerformChange) => Promise<T>,
): Promise<T> {
  const author = caller.user.id;
  return services.db.write(causeOf(services, caller), async (write) => {
    const verdicts = await verdictsOn(write, caller, changes);
    await preload(write, changes);
    const result = await work(async (change) => {
      const known = verdicts.known(change.id, contentsOf(change));
      // fault 1, fault 3, fault 7
      if (known !== null) return { results: known, isReplayed: true };
      const { results, isKept } = await write.causedBy(change.id, () =>
        performAll(services, write, caller, change),
      );
      if (isKept) verdicts.add(change.id, contentsOf(change), results);
      return { results, isReplayed: false };
    });
    await updateAffectedWorkflows({ services, write });
    await verdicts.record(write, author);
    return result;
  });
}

async function performAll(
  services: Services,
  write: WriteTransaction,
  caller: Caller,
  change: RecordChange,
) {
  const results: RecordedResult[] = [];
  const countAgain = services.limits.triesOf(write);
  try {
    await write.savepoint(async (inner) => {
      for (const operation of change.operations) {
        results.push(await performOne(services, inner, caller, operation));
      }
    });
    return { results, isKept: true };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    await countAgain(write);
    // The operations before it were undone with it.
    refuseAll(results, change, error);
    return { results, isKept: isFinal(error) };
  }
}

/** Preloads what many changes will read one by one. */
async function preload(write: WriteTransaction, changes: readonly RecordChange[]): Promise<void> {
  const wanted = new Map<TypeName, string[]>();
  for (const [type, id] of changes.flatMap(({ operations }) => operations.flatMap(recordsReadBy)))
    if (resourceOf(type).isStored) wanted.set(type, [...(wanted.get(type) ?? []), id]);
  for (const [type, ids] of wanted) await write.many(type, ids);
}

/** The result of a call. */
export type CallVerdict<T> =
  | { readonly is: 'done'; readonly answer: T }
  | { readonly is: 'refused'; readonly problems: readonly [Problem, ...Problem[]] };

/** Performs a call that is no operation on a record, in a transaction of its own. */
export function performCall<T>(
  services: Services,
  caller: Caller,
  id: string | null,
  content: unknown,
  work: (context: ChangeContext) => Promise<T>,
): Promise<{ readonly verdict: CallVerdict<T>; readonly isReplayed: boolean }> {
  const cause = { ...causeOf(services, caller), changes: id === null ? [] : [id] };
  return services.db.write(cause, async (write) => {
    const verdicts = await Verdicts.on<CallVerdict<T>>(write, caller.user.id, [id]);
    const known = verdicts.known(id, content);
    if (known !== null) return { verdict: known, isReplayed: true };
    const verdict = await write
      .savepoint(async (inner) => ({
        is: 'done' as const,
        answer: await work(await changeContextOf(services, inner, caller)),
      }))
      .catch((error: unknown): CallVerdict<T> => {
        if (error instanceof ProblemError && isFinal(error)) {
          return { is: 'refused', problems: error.problems };
        }
        throw error;
      });
    verdicts.add(id, content, verdict);
    await updateAffectedWorkflows({ services, write });
    await verdicts.record(write, caller.user.id);
    return { verdict, isReplayed: false };
  });
}

/** Says at which change a strict batch failed. */
export class BatchRefusedError extends Error {
  readonly change: number;
  readonly place: number;
  readonly refusal: ProblemError;

  constructor(change: number, place: number, refusal: ProblemError) {
    super(refusal.message);
    this.name = 'BatchRefusedError';
    this.change = change;
    this.place = place;
    this.refusal = refusal;
  }
}

/**
 * Performs all changes in one transaction, or none. @throws BatchRefusedError for the first that
 * fails
 */
export function performAllOrNone(
  services: Services,
  caller: Caller,
  changes: readonly RecordChange[],
): Promise<readonly ChangeOutcome[]> {
  let countAgain: ((tx: DatabaseTransaction) => Promise<void>) | null = null;
  const outcomes = services.db.write(causeOf(services, caller), async (write) => {
    countAgain = services.limits.triesOf(write);
    const verdicts = await verdictsOn(write, caller, changes);
    await preload(write, changes);
    const all: ChangeOutcome[] = [];
    for (const [n, change] of changes.entries())
      all.push(
        await write.causedBy(change.id, () =>
          performStrictly(services, { write, caller, verdicts }, change, n),
        ),
      );
    await updateAffectedWorkflows({ services, write });
    await verdicts.record(write, caller.user.id);
    return all;
  });
  return outcomes.catch(async (error: unknown) => {
    if (countAgain !== null) await services.db.transact(countAgain);
    throw error;
  });
}

interface StrictBatch {
  readonly write: WriteTransaction;
  readonly caller: Caller;
  readonly verdicts: Verdicts<readonly RecordedResult[]>;
}

async function performStrictly(
  services: Services,
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
  for (const [place, operation] of change.operations.entries()) {
    results.push(await at(place, () => performOne(services, write, caller, operation)));
  }
  verdicts.add(change.id, contentsOf(change), results);
  return { results, isReplayed: false };
}

async function performOne(
  services: Services,
  write: WriteTransaction,
  caller: Caller,
  operation: ParsedOperation,
): Promise<RecordedResult> {
  const done = await performOperation(await changeContextOf(services, write, caller), operation);
  const { type, id, shows } = done;
  const isRecord = shows === 'record' && resourceOf(type).isStored;
  const left = isRecord ? await write.one(type, id) : null;
  return { is: 'done', done: left === null ? done : { ...done, version: left.version } };
}

function refuseAll(
  results: RecordedResult[],
  { operations }: RecordChange,
  error: ProblemError,
): void {
  const place = results.length;
  const others = operations.map((): RecordedResult => ({ is: 'not-tried', because: place }));
  results.splice(0, results.length, ...others);
  const { problems, headers } = error;
  results[place] = isFinal(error)
    ? { is: 'refused', problems }
    : { is: 'refused', problems, headers };
}

async function changeContextOf(
  services: Services,
  write: WriteTransaction,
  caller: Caller,
): Promise<ChangeContext> {
  // Since the request was let in, its author may have been locked, or have deleted their account.
  const author = await write.one('user', caller.user.id);
  if (author?.isLocked !== false) throw new ProblemError({ code: 'user-locked' });
  const viewer = await viewerIn(write, caller.user.id);
  return { services, write, viewer, at: new Date(write.cause.at).toISOString() };
}

function verdictsOn(write: WriteTransaction, caller: Caller, changes: readonly RecordChange[]) {
  const ids = changes.map(({ id }) => id);
  return Verdicts.on<readonly RecordedResult[]>(write, caller.user.id, ids);
}

/**
 * The cause names no change: what each change writes is recorded as caused by that change alone.
 */
function causeOf({ clock }: Services, caller: Caller): WriteCause {
  return { at: clock(), by: caller.user.id, changes: [], address: caller.address };
}

const contentsOf = ({ operations }: RecordChange): unknown => operations.map(contentOf);
