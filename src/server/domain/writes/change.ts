import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Cause, Tx, Write } from '../../db/database.ts';
import type { Caller } from '../accounts/caller.ts';
import { viewerIn } from '../../access/viewer.ts';
import type { Parts } from '../parts.ts';
import { settleWorkflows } from '../workflow/running/concerned.ts';
import type { Act, Done } from './act.ts';
import { contentOf, looksAt } from './intention.ts';
import type { Intention } from './intention.ts';
import { isFinal, Verdicts } from './verdict.ts';
import { perform } from './perform.ts';

/** One intention of a person (wire 7.3): done together or not at all, under one id. */
export interface Change {
  readonly id: string | null;
  readonly intentions: readonly Intention[];
}

/** What became of one intention of a change; this is what is recorded. */
type Result =
  | { readonly is: 'done'; readonly done: Done }
  | {
      readonly is: 'refused';
      readonly problems: readonly [Problem, ...Problem[]];
      /** Only of what is not recorded, such as when to come again. */
      readonly headers?: ProblemError['headers'];
    }
  /** Because of the intention at that place of the same change. */
  | { readonly is: 'not-tried'; readonly because: number };

export interface Settled {
  readonly results: readonly Result[];
  readonly isReplayed: boolean;
}

/** Settles one change in a transaction of its own; a final refusal is recorded like a success. */
export function settleAlone(parts: Parts, caller: Caller, change: Change): Promise<Settled> {
  return settleEach(parts, caller, [change], (settle) => settle(change));
}

/** @throws ProblemError `change-id-reused` */
export type Settle = (change: Change) => Promise<Settled>;

/**
 * One transaction in which `work` settles `changes` one after the other: each whole or not at all,
 * refused without harm to the others, and judged by what those before it left. What is no refusal
 * undoes all of them.
 */
export function settleEach<T>(
  parts: Parts,
  caller: Caller,
  changes: readonly Change[],
  work: (settle: Settle) => Promise<T>,
): Promise<T> {
  const author = caller.user.id;
  return parts.db.write(causeOf(parts, caller), async (write) => {
    const verdicts = await verdictsOn(write, caller, changes);
    await foresee(write, changes);
    const result = await work(async (change) => {
      const known = verdicts.known(change.id, contentsOf(change));
      if (known !== null) return { results: known, isReplayed: true };
      const { results, isKept } = await write.causedBy(change.id, () =>
        attemptAll(parts, write, caller, change),
      );
      if (isKept) verdicts.add(change.id, contentsOf(change), results);
      return { results, isReplayed: false };
    });
    await settleWorkflows({ parts, write });
    await verdicts.record(write, author);
    return result;
  });
}

async function attemptAll(parts: Parts, write: Write, caller: Caller, change: Change) {
  const results: Result[] = [];
  const countAgain = parts.limits.triesOf(write);
  try {
    await write.savepoint(async (inner) => {
      for (const intention of change.intentions) {
        results.push(await attempt(parts, inner, caller, intention));
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
async function foresee(write: Write, changes: readonly Change[]): Promise<void> {
  const wanted = new Map<TypeName, string[]>();
  for (const [type, id] of changes.flatMap(({ intentions }) => intentions.flatMap(looksAt)))
    if (resourceOf(type).isStored && isUuid(id))
      wanted.set(type, [...(wanted.get(type) ?? []), id]);
  for (const [type, ids] of wanted) await write.foresee(type, ids);
}

/** What became of a call. */
export type CallVerdict<T> =
  | { readonly is: 'done'; readonly answer: T }
  | { readonly is: 'refused'; readonly problems: readonly [Problem, ...Problem[]] };

/** Settles a call that is no operation on a record, in a transaction of its own. */
export function settleOnce<T>(
  parts: Parts,
  caller: Caller,
  id: string | null,
  content: unknown,
  work: (act: Act) => Promise<T>,
): Promise<{ readonly verdict: CallVerdict<T>; readonly isReplayed: boolean }> {
  const cause = { ...causeOf(parts, caller), changes: id === null ? [] : [id] };
  return parts.db.write(cause, async (write) => {
    const verdicts = await Verdicts.on<CallVerdict<T>>(write, caller.user.id, [id]);
    const known = verdicts.known(id, content);
    if (known !== null) return { verdict: known, isReplayed: true };
    const verdict = await write
      .savepoint(async (inner) => ({
        is: 'done' as const,
        answer: await work(await actIn(parts, inner, caller)),
      }))
      .catch((error: unknown): CallVerdict<T> => {
        if (error instanceof ProblemError && isFinal(error)) {
          return { is: 'refused', problems: error.problems };
        }
        throw error;
      });
    verdicts.add(id, content, verdict);
    await settleWorkflows({ parts, write });
    await verdicts.record(write, caller.user.id);
    return { verdict, isReplayed: false };
  });
}

/** Where in a strict batch it failed. */
export class RefusedAt extends Error {
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
export function settleTogether(
  parts: Parts,
  caller: Caller,
  changes: readonly Change[],
): Promise<readonly Settled[]> {
  let countAgain: ((tx: Tx) => Promise<void>) | null = null;
  const settled = parts.db.write(causeOf(parts, caller), async (write) => {
    countAgain = parts.limits.triesOf(write);
    const verdicts = await verdictsOn(write, caller, changes);
    await foresee(write, changes);
    const all: Settled[] = [];
    for (const [n, change] of changes.entries())
      all.push(
        await write.causedBy(change.id, () =>
          strictly(parts, { write, caller, verdicts }, change, n),
        ),
      );
    await settleWorkflows({ parts, write });
    await verdicts.record(write, caller.user.id);
    return all;
  });
  return settled.catch(async (error: unknown) => {
    if (countAgain !== null) await parts.db.transact(countAgain);
    throw error;
  });
}

interface Strict {
  readonly write: Write;
  readonly caller: Caller;
  readonly verdicts: Verdicts<readonly Result[]>;
}

async function strictly(
  parts: Parts,
  { write, caller, verdicts }: Strict,
  change: Change,
  n: number,
): Promise<Settled> {
  const at = async <T>(place: number, work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ProblemError ? new RefusedAt(n, place, error) : error;
    }
  };
  const known = await at(0, () => verdicts.known(change.id, contentsOf(change)));
  if (known !== null) {
    const place = known.findIndex(({ is }) => is === 'refused');
    const refused = known[place];
    if (refused?.is === 'refused')
      throw new RefusedAt(n, place, new ProblemError(refused.problems));
    return { results: known, isReplayed: true };
  }
  const results: Result[] = [];
  for (const [place, intention] of change.intentions.entries()) {
    results.push(await at(place, () => attempt(parts, write, caller, intention)));
  }
  verdicts.add(change.id, contentsOf(change), results);
  return { results, isReplayed: false };
}

async function attempt(
  parts: Parts,
  write: Write,
  caller: Caller,
  intention: Intention,
): Promise<Result> {
  return { is: 'done', done: await perform(await actIn(parts, write, caller), intention) };
}

function refuseAll(results: Result[], { intentions }: Change, error: ProblemError): void {
  const place = results.length;
  const others = intentions.map((): Result => ({ is: 'not-tried', because: place }));
  results.splice(0, results.length, ...others);
  const { problems, headers } = error;
  results[place] = isFinal(error)
    ? { is: 'refused', problems }
    : { is: 'refused', problems, headers };
}

async function actIn(parts: Parts, write: Write, caller: Caller): Promise<Act> {
  const viewer = await viewerIn(write, caller.user.id);
  return { parts, write, viewer, at: new Date(write.cause.at).toISOString() };
}

function verdictsOn(write: Write, caller: Caller, changes: readonly Change[]) {
  const ids = changes.map(({ id }) => id);
  return Verdicts.on<readonly Result[]>(write, caller.user.id, ids);
}

/** What each change writes is told as caused by it alone. */
function causeOf({ clock }: Parts, caller: Caller): Cause {
  return { at: clock(), by: caller.user.id, changes: [], address: caller.address };
}

const contentsOf = ({ intentions }: Change): unknown => intentions.map(contentOf);
