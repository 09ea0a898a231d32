import { ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { claimChange, recordVerdict } from '../database/changes.ts';
import type { Write } from '../database/database.ts';
import type { Caller } from '../identity/caller.ts';
import { loadViewer } from '../identity/viewer.ts';
import type { Parts } from '../parts.ts';
import type { Act, Done } from './act.ts';
import { contentOf } from './intention.ts';
import type { Intention } from './intention.ts';
import { digestOf, isFinal } from './verdict.ts';
import { perform } from './perform.ts';

/** One intention of a person (wire 7.3): done together or not at all, under one id. */
export interface Change {
  readonly id: string | null;
  readonly intentions: readonly Intention[];
}

/** What became of one intention of a change; this is what is recorded. */
type Result =
  | { readonly is: 'done'; readonly done: Done }
  | { readonly is: 'refused'; readonly problems: readonly [Problem, ...Problem[]] }
  /** Because of the intention at that place of the same change. */
  | { readonly is: 'not-tried'; readonly because: number };

export interface Settled {
  readonly results: readonly Result[];
  readonly isReplayed: boolean;
}

/** Settles one change in a transaction of its own; a final refusal is recorded like a success. */
export function settleAlone(parts: Parts, caller: Caller, change: Change): Promise<Settled> {
  return parts.db.write(causeOf(parts, caller, [change]), async (write) => {
    const recorded = await replay(write, caller, change);
    if (recorded !== null) return recorded;

    const results: Result[] = [];
    let isKept = true;
    try {
      await write.savepoint(async (inner) => {
        for (const intention of change.intentions) {
          results.push(await attempt(parts, inner, caller, intention));
        }
      });
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      isKept = isFinal(error);
      // Those before it were undone with it.
      refuseAll(results, change, error);
    }
    if (isKept) await record(write, caller, change, results);
    return { results, isReplayed: false };
  });
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
  const digest = digestOf(content);
  const cause = { at: parts.clock(), by: caller.user.id, changes: id === null ? [] : [id] };
  return parts.db.write(cause, async (write) => {
    const known = id === null ? null : await claimed<CallVerdict<T>>(write, caller, id, digest);
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
    if (id !== null) await recordVerdict(write, id, caller.user.id, digest, verdict);
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
  return parts.db.write(causeOf(parts, caller, changes), async (write) => {
    const all: Settled[] = [];
    for (const [n, change] of changes.entries())
      all.push(await strictly(parts, write, caller, change, n));
    return all;
  });
}

async function strictly(
  parts: Parts,
  write: Write,
  caller: Caller,
  change: Change,
  n: number,
): Promise<Settled> {
  const at = async <T>(place: number, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof ProblemError ? new RefusedAt(n, place, error) : error;
    }
  };
  const recorded = await at(0, () => replay(write, caller, change));
  if (recorded !== null) {
    const place = recorded.results.findIndex(({ is }) => is === 'refused');
    const refused = recorded.results[place];
    if (refused?.is === 'refused')
      throw new RefusedAt(n, place, new ProblemError(refused.problems));
    return recorded;
  }
  const results: Result[] = [];
  for (const [place, intention] of change.intentions.entries()) {
    results.push(await at(place, () => attempt(parts, write, caller, intention)));
  }
  await record(write, caller, change, results);
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
  results[place] = { is: 'refused', problems: error.problems };
}

async function actIn(parts: Parts, write: Write, caller: Caller): Promise<Act> {
  const viewer = await loadViewer(write, caller.user.id);
  return { parts, write, viewer, at: new Date(write.cause.at).toISOString() };
}

async function replay(write: Write, caller: Caller, change: Change): Promise<Settled | null> {
  if (change.id === null) return null;
  const results = await claimed<Result[]>(write, caller, change.id, digest(change));
  return results === null ? null : { results, isReplayed: true };
}

/** The recorded verdict; null for a change that is new. @throws ProblemError `change-id-reused` */
async function claimed<V>(
  write: Write,
  caller: Caller,
  id: string,
  digest: string,
): Promise<V | null> {
  const claim = await claimChange<V>(write, id, caller.user.id, digest);
  if (claim.is === 'reused') throw new ProblemError({ code: 'change-id-reused' });
  return claim.is === 'known' ? claim.verdict : null;
}

async function record(write: Write, caller: Caller, change: Change, results: readonly Result[]) {
  if (change.id === null) return;
  await recordVerdict(write, change.id, caller.user.id, digest(change), results);
}

const digest = ({ intentions }: Change): string => digestOf(intentions.map(contentOf));

function causeOf({ clock }: Parts, caller: Caller, changes: readonly Change[]) {
  const ids = changes.flatMap(({ id }) => id ?? []);
  return { at: clock(), by: caller.user.id, changes: ids };
}
