import { newId } from '#base/id.ts';
import type { ErrorDocument, Linkage, ResourceObject } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import type { Ref, Verdict, VerdictsDocument } from '#protocol/operations.ts';
import { errorObject, ProblemError, statusOf } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import { loadViewer } from '../../access/viewer.ts';
import type { Services } from '../../domain/services.ts';
import type { OperationResult } from '../../domain/writes/change-context.ts';
import { gatherChanges } from './batch.ts';
import type { ParsedBatch, BatchLine } from './batch.ts';
import {
  BatchRefusedError,
  performChange,
  performEach,
  performAllOrNone,
} from '../../domain/writes/perform-change.ts';
import type {
  RecordChange,
  PerformChange,
  ChangeOutcome,
} from '../../domain/writes/perform-change.ts';
import { isObject } from '#base/is-object.ts';
import { malformed } from '../../domain/writes/document.ts';
import { refOf } from '../../domain/writes/parsed-operation.ts';
import { recordRefusals, refusalIn } from './refusals.ts';
import { presentResults } from './present-results.ts';

export interface Handling {
  readonly handling: 'strict' | 'lenient';
  /** The `id` of the errors in the answer; the request's, if there is one. */
  readonly requestId?: string;
}

/**
 * Answers `/api/operations` and the hub's `PerformOperations`: a refused batch is an error
 * document.
 */
export async function performOperations(
  services: Services,
  caller: Caller,
  document: unknown,
  { handling, requestId }: Handling,
): Promise<VerdictsDocument | ErrorDocument> {
  const id = requestId ?? newId(services.clock, services.random);
  try {
    return await verdictsOn(services, caller, document, { handling, requestId: id });
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const errors = error.problems.map((problem) => errorObject(problem, id));
    return { jsonapi: { version: '1.1' }, errors };
  }
}

/** Does the same for a caller that answers problems itself. @throws ProblemError a refused batch */
export async function verdictsOn(
  services: Services,
  caller: Caller,
  document: unknown,
  { handling, requestId }: Required<Handling>,
): Promise<VerdictsDocument> {
  const batch = gatherChanges(operationsIn(document));
  const outcomes =
    handling === 'lenient'
      ? await performLenient(services, caller, batch)
      : await performStrict(services, caller, batch);
  const refusals = outcomes.flatMap((outcome, n) =>
    outcome.is === 'refused' && !outcome.isReplayed
      ? refusalIn(batch.lines[n]?.operation, outcome.problems)
      : [],
  );
  await recordRefusals(services, caller, refusals);
  const done = outcomes.flatMap((outcome) => (outcome.is === 'done' ? outcome.done : []));
  const presented = await services.db.read(async (tx) =>
    presentResults(tx, await loadViewer(tx, caller.user.id), done),
  );
  const operations = batch.lines.map((line, n) =>
    verdictOf(line, outcomes[n] ?? refused({ code: 'internal' }), presented, n, requestId),
  );
  return { operations };
}

function operationsIn(document: unknown): readonly unknown[] {
  const operations = Array.isArray(document)
    ? (document as readonly unknown[])
    : isObject(document)
      ? document.operations
      : undefined;
  if (!Array.isArray(operations)) throw malformed('/operations', 'operations must be an array.');
  if (operations.length <= limits.operationsPerBody) return operations;
  throw new ProblemError({ code: 'too-large', meta: { limit: limits.operationsPerBody } });
}

/** The outcome of one operation. */
type Outcome =
  | { readonly is: 'done'; readonly done: OperationResult; readonly isReplayed: boolean }
  | {
      readonly is: 'refused';
      readonly problems: readonly [Problem, ...Problem[]];
      readonly isReplayed: boolean;
    };

const refused = (...problems: [Problem, ...Problem[]]): Outcome => ({
  is: 'refused',
  problems,
  isReplayed: false,
});

async function performStrict(
  services: Services,
  caller: Caller,
  batch: ParsedBatch,
): Promise<Outcome[]> {
  const malformedAt = batch.lines.findIndex(({ malformation }) => malformation !== null);
  const malformation = batch.lines[malformedAt]?.malformation;
  if (malformation) throw atOperation(malformation, malformedAt);
  try {
    const outcomes = await performAllOrNone(services, caller, batch.changes);
    return outcomes.flatMap((one) => outcomesOf(one, 0));
  } catch (error) {
    if (!(error instanceof BatchRefusedError)) throw error;
    const at = (batch.firstLineOf[error.change] ?? 0) + error.place;
    await recordRefusals(
      services,
      caller,
      refusalIn(batch.lines[at]?.operation, error.refusal.problems),
    );
    throw atOperation(error.refusal, at);
  }
}

/**
 * Performs all changes in one transaction. If that fails, because of a bug in one of them or in
 * presenting them, each gets its own: the others get their verdicts all the same.
 */
async function performLenient(
  services: Services,
  caller: Caller,
  batch: ParsedBatch,
): Promise<Outcome[]> {
  const begun = { is: false };
  try {
    return await performEach(services, caller, batch.changes, (perform) => {
      begun.is = true;
      return performInOrder(batch, perform);
    });
  } catch (error) {
    if (!begun.is || isUnavailable(error)) throw error;
    services.log.error({ err: error }, 'A batch failed; its changes are tried one by one');
    return performInOrder(batch, (change) => performOrFail(services, caller, change));
  }
}

/** The database is away, or slow: trying each change would take as long, and end alike. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'unavailable';
}

/** A bug in one change leaves the others their verdicts; that one stays undecided. */
async function performOrFail(
  services: Services,
  caller: Caller,
  change: RecordChange,
): Promise<ChangeOutcome> {
  try {
    return await performChange(services, caller, change);
  } catch (error) {
    if (error instanceof ProblemError) throw error;
    services.log.error({ err: error }, 'A bug in one change of a batch');
    throw new ProblemError({ code: 'internal' });
  }
}

async function performInOrder(batch: ParsedBatch, perform: PerformChange): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const missing = new Map<string, number>();
  for (const [n, change] of batch.changes.entries()) {
    const first = batch.firstLineOf[n] ?? 0;
    const lines = batch.lines.slice(first, first + change.operations.length);
    const because = lines.flatMap(({ mentions }) =>
      mentions.flatMap((id) => missing.get(id) ?? []),
    )[0];
    const own =
      because === undefined
        ? await performLines(lines, change, first, perform)
        : lines.map(() => notTried(because));
    outcomes.push(...own);
    for (const [k, line] of lines.entries()) {
      if (own[k]?.is === 'refused' && line.creates !== null) missing.set(line.creates, first + k);
    }
  }
  return outcomes;
}

async function performLines(
  lines: readonly BatchLine[],
  change: RecordChange,
  first: number,
  perform: PerformChange,
): Promise<readonly Outcome[]> {
  const bad = lines.findIndex(({ malformation }) => malformation !== null);
  const malformation = lines[bad]?.malformation;
  if (malformation) {
    return lines.map((_, k) =>
      k === bad ? refused(...malformation.problems) : notTried(first + bad),
    );
  }
  try {
    return outcomesOf(await perform(change), first);
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return lines.map(() => refused(...error.problems));
  }
}

const notTried = (operation: number): Outcome =>
  refused({ code: 'not-tried', meta: { because: { operation } } });

function outcomesOf({ results, isReplayed }: ChangeOutcome, first: number): Outcome[] {
  return results.map((result) => {
    if (result.is === 'done') return { is: 'done', done: result.done, isReplayed };
    if (result.is === 'refused') return { is: 'refused', problems: result.problems, isReplayed };
    return { ...notTried(first + result.because), isReplayed };
  });
}

/** Returns `error` with pointers that start at the document, and the operation that it is about. */
function atOperation(error: ProblemError, n: number): ProblemError {
  const [first, ...rest] = error.problems.map((problem): Problem => {
    const { source, meta } = pointed(problem, n);
    return {
      ...problem,
      ...(source === undefined ? {} : { source }),
      meta: { ...meta, operation: n },
    };
  });
  return new ProblemError(first === undefined ? error.problem : [first, ...rest], error.headers);
}

function pointed(problem: Problem, n: number): Problem {
  const pointer = problem.source?.pointer;
  if (pointer === undefined) return problem;
  return { ...problem, source: { pointer: `/operations/${String(n)}${pointer}` } };
}

function verdictOf(
  line: BatchLine,
  outcome: Outcome,
  presented: ReadonlyMap<OperationResult, ResourceObject | Linkage>,
  n: number,
  requestId: string,
): Verdict {
  const { op, id } = line.echo;
  const meta = { ...(id === undefined ? {} : { id }) };
  const replayed = outcome.isReplayed ? ({ replayed: true } as const) : {};
  if (outcome.is === 'done') {
    const { done } = outcome;
    const ref = refOf(done.type, done.id, done.relationship);
    const data = presented.get(done) ?? null;
    const version = done.version === undefined ? {} : { version: done.version };
    return { op, ref, data, meta: { ...meta, status: done.status, ...version, ...replayed } };
  }
  const error = new ProblemError(outcome.problems);
  const errors = outcome.problems.map((problem) => errorObject(pointed(problem, n), requestId));
  const ref = refOfLine(line);
  return {
    op,
    ...(ref === undefined ? {} : { ref }),
    errors,
    meta: { ...meta, status: statusOf(error), ...replayed },
  };
}

function refOfLine({ operation, echo }: BatchLine): Ref | undefined {
  if (!operation?.id) return echo.ref;
  const relationship = 'relationship' in operation ? operation.relationship : null;
  return refOf(operation.type, operation.id, relationship);
}
