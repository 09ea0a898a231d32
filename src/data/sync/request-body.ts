import type { Base, RelationshipObject } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import type { Operation } from '#protocol/operations.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Change, FieldValues } from '../model/change.ts';
import { resourceOfPatch, stateableOf } from '../model/record.ts';
import type { StoreOperation } from '../model/record.ts';

const encoder = new TextEncoder();
const EMPTY_BODY_BYTES = '{"operations":[]}'.length;

/** The body of a request with `rows`. */
export function bodyOf(rows: readonly Change[]): string {
  return JSON.stringify({ operations: rows.flatMap(operationsOf) });
}

/** The capacity of one request: whole changes, as many as fit; a call goes alone. */
export class BatchCapacity {
  readonly #most: number;
  #rows = 0;
  #operations = 0;
  #bytes = EMPTY_BODY_BYTES;
  #isFull = false;

  /** @param most the largest number of rows, whatever would fit */
  constructor(most: number) {
    this.#most = most;
  }

  /** Adds `row` if it fits, and returns whether it did. */
  readonly tryAdd = (row: Change): boolean => {
    if (this.#isFull || this.#rows >= this.#most) return false;
    if (row.call !== null) {
      this.#isFull = this.#rows === 0;
      return this.#isFull;
    }
    const operations = operationsOf(row);
    const bytes = encoder.encode(JSON.stringify(operations)).length;
    const isTooMuch =
      this.#operations + operations.length > limits.operationsPerBody ||
      this.#bytes + bytes > limits.batchBytes;
    // A row that is larger than any body goes alone: the server says what is wrong with it.
    if (isTooMuch && this.#rows > 0) return false;
    this.#rows += 1;
    this.#operations += operations.length;
    this.#bytes += bytes;
    return true;
  };
}

/** A row as it travels: neighbouring operations with one id. */
function operationsOf(row: Change): Operation[] {
  return row.operations.map((operation, i) => wireOperation(operation, row, row.base[i] ?? {}));
}

function wireOperation(
  operation: StoreOperation,
  { id, undoes, undoesCreation }: Change,
  base: FieldValues,
): Operation {
  const { type } = operation.record;
  const ref = { type: wireTypeOf(type), id: operation.record.id };
  switch (operation.op) {
    case 'addRecord':
      return { op: 'add', data: resourceOfPatch(stateableOf(operation.record)), meta: { id } };
    case 'updateRecord':
      return {
        op: 'update',
        ref,
        data: resourceOfPatch(operation.record),
        meta: { id, base: baseOf(type, base), ...(undoesCreation && { undo: true }) },
      };
    case 'removeRecord':
      return { op: 'remove', ref, meta: undoes === null ? { id } : { id, undo: true } };
  }
}

function baseOf(type: TypeName, base: FieldValues): Base {
  const attributes: Record<string, unknown> = {};
  const relationships: Record<string, RelationshipObject> = {};
  const links = new Map(toOnesOf(type).map(([name, { to }]) => [name, to]));
  for (const [field, value] of Object.entries(base)) {
    const name = wireFieldOf(type, field);
    const to = links.get(field);
    if (to === undefined) attributes[name] = value;
    else
      relationships[name] = {
        data: typeof value === 'string' ? { type: wireTypeOf(to), id: value } : null,
      };
  }
  return { attributes, relationships };
}
