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
  readonly intention: ParsedOperation | null;
  readonly malformation: ProblemError | null;
  /** Ids of the records that it mentions. */
  readonly mentions: readonly string[];
  /** The id of the record that it would create. */
  readonly creates: string | null;
}

export interface ParsedBatch {
  readonly lines: readonly BatchLine[];
  /** Neighbours with one id are one change; a malformed line stands in its change as nothing. */
  readonly changes: readonly RecordChange[];
  readonly firstLineOf: readonly number[];
}

/** What stands in a change for an operation that cannot be read; it is never performed. */
const UNREADABLE: ParsedOperation = { op: 'get', type: 'role', id: '', relationship: null };

export function gatherChanges(operations: readonly unknown[]): ParsedBatch {
  const lines = operations.map(lineOf);
  const changes: { id: string | null; operations: ParsedOperation[] }[] = [];
  const firstLineOf: number[] = [];
  const ended = new Set<string>();
  for (const [n, line] of lines.entries()) {
    const id = line.echo.id ?? null;
    const last = changes.at(-1);
    const intention = line.intention ?? UNREADABLE;
    if (id !== null && last?.id === id) {
      last.operations.push(intention);
      continue;
    }
    if (id !== null && ended.has(id)) lines[n] = { ...line, malformation: repeated() };
    if (id !== null) ended.add(id);
    changes.push({ id, operations: [intention] });
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
    const intention = parseOperation(operation);
    const creates = intention.op === 'add' ? intention.id : null;
    return { echo, intention, malformation: null, mentions: mentionsOf(intention), creates };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const about = echo.about ?? null;
    const creates = echo.op === 'add' ? about : null;
    return {
      echo,
      intention: null,
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
