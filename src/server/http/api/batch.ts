import { isUuid } from '#base/id.ts';
import type { Ref } from '#protocol/operations.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { RecordChange } from '../../domain/writes/perform-change.ts';
import { isObject } from '#base/is-object.ts';
import { malformed } from '../../domain/writes/document.ts';
import { mentionsOf } from '../../domain/writes/parsed-operation.ts';
import type { ParsedOperation } from '../../domain/writes/parsed-operation.ts';
import { echoOf, parseOperation } from './operation.ts';

/** One operation of a batch, as far as it could be read. */
export interface BatchLine {
  readonly echo: { readonly op: string; readonly ref?: Ref; readonly id?: string };
  readonly operation: ParsedOperation | null;
  readonly malformation: ProblemError | null;
  /** The ids of the records that it mentions. */
  readonly mentions: readonly string[];
  /** The id of the record that it would create. */
  readonly creates: string | null;
}

export interface ParsedBatch {
  readonly lines: readonly BatchLine[];
  /** Neighbours with one id are one change; a malformed line has a placeholder in its change. */
  readonly changes: readonly RecordChange[];
  readonly firstLineOf: readonly number[];
}

/** The placeholder in a change for an operation that cannot be read; it is never performed. */
const UNREADABLE: ParsedOperation = { op: 'get', type: 'role', id: '', relationship: null };

export function gatherChanges(operations: readonly unknown[]): ParsedBatch {
  const lines = operations.map(lineOf);
  const changes: { id: string | null; operations: ParsedOperation[] }[] = [];
  const firstLineOf: number[] = [];
  const ended = new Set<string>();
  for (const [n, line] of lines.entries()) {
    const id = line.echo.id ?? null;
    const last = changes.at(-1);
    const operation = line.operation ?? UNREADABLE;
    if (id !== null && last?.id === id) {
      last.operations.push(operation);
      continue;
    }
    if (id !== null && ended.has(id)) lines[n] = { ...line, malformation: repeated() };
    if (id !== null) ended.add(id);
    changes.push({ id, operations: [operation] });
    firstLineOf.push(n);
  }
  return { lines, changes, firstLineOf };
}

const repeated = (): ProblemError =>
  malformed('/meta/id', 'The id of a change is in two places that are not neighbours.');

function lineOf(operation: unknown): BatchLine {
  const echo = echoOf(operation);
  try {
    checkChangeId(operation);
    const parsed = parseOperation(operation);
    const creates = parsed.op === 'add' ? parsed.id : null;
    return {
      echo,
      operation: parsed,
      malformation: null,
      mentions: mentionsOf(parsed),
      creates,
    };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const about = echo.about ?? null;
    const creates = echo.op === 'add' ? about : null;
    return {
      echo,
      operation: null,
      malformation: error,
      mentions: about === null ? [] : [about],
      creates,
    };
  }
}

function checkChangeId(operation: unknown): void {
  if (!isObject(operation) || !isObject(operation.meta)) return;
  const { id } = operation.meta;
  if (id !== undefined && !isUuid(id)) throw malformed('/meta/id', 'A change id must be a UUID.');
}
