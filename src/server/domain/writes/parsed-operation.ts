import { isUuid } from '#base/id.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Stated } from './document.ts';

/** One request, or one operation of a batch, after parsing and before any check. */
export type ParsedOperation =
  | {
      readonly op: 'add';
      readonly type: TypeName;
      readonly id: string | null;
      readonly stated: Stated;
    }
  | UpdateOperation
  | RemoveOperation
  | GetOperation
  | RelationshipOperation;

export interface UpdateOperation {
  readonly op: 'update';
  readonly type: TypeName;
  readonly id: string;
  readonly stated: Stated;
  readonly base: Stated | null;
  /** It is set when the to-one was addressed by itself. */
  readonly relationship: string | null;
  readonly match: Match | null;
  /** The operation undoes a creation by archiving what was made (wire 8.1). */
  readonly isUndo: boolean;
}

interface RemoveOperation {
  readonly op: 'remove';
  readonly type: TypeName;
  readonly id: string;
  readonly match: Match | null;
  /** The operation undoes a creation (wire 8.1). */
  readonly isUndo: boolean;
}

/** It returns true for a version that `If-Match` names (wire 7.1). */
export type Match = (version: number) => boolean;

interface GetOperation {
  readonly op: 'get';
  readonly type: TypeName;
  readonly id: string;
  readonly relationship: string | null;
}

/**
 * Members are added to or removed from a to-many: each is a write of the member's to-one (wire
 * 7.1).
 */
export interface RelationshipOperation {
  readonly op: 'link';
  readonly how: 'add' | 'update' | 'remove';
  readonly type: TypeName;
  readonly id: string;
  /** The to-many. */
  readonly relationship: string;
  readonly of: TypeName;
  readonly inverse: string;
  readonly ids: readonly string[];
  readonly base: readonly string[] | null;
}

/** Returns the ids of every record that the operation mentions: its own, and those it points to. */
export function mentionsOf(operation: ParsedOperation): readonly string[] {
  const own = operation.id === null ? [] : [operation.id];
  if (operation.op === 'link') return [...own, ...operation.ids];
  if (operation.op !== 'add' && operation.op !== 'update') return own;
  const { fields, manys } = operation.stated;
  return [...own, ...Object.values(fields).filter(isUuid), ...Object.values(manys).flat()];
}

/**
 * Returns the records that are read to judge the operation, by type: its own, and those it points
 * to.
 */
export function recordsReadBy(
  operation: ParsedOperation,
): readonly (readonly [TypeName, string])[] {
  const { op, type, id } = operation;
  const own = id === null ? [] : [[type, id] as const];
  if (op === 'link') return [...own, ...operation.ids.map((one) => [operation.of, one] as const)];
  if (op !== 'add' && op !== 'update') return own;
  const pointed = toOnesOf(type).flatMap(([name, { to }]) => {
    const value = operation.stated.fields[name];
    return isUuid(value) ? [[to, value] as const] : [];
  });
  return [...own, ...pointed];
}

/** Returns what a digest covers: op, ref and data, but neither base nor the way in (wire 7.3). */
export function contentOf(operation: ParsedOperation): unknown {
  const { op, type, id } = operation;
  if (op === 'link') {
    return ['link', operation.how, type, id, operation.relationship, operation.ids];
  }
  if (op === 'add' || op === 'update') {
    return [op, type, id, operation.stated.fields, operation.stated.manys];
  }
  return [op, type, id, op === 'get' ? operation.relationship : null];
}

/** `ref` of an answer. */
export function refOf(type: TypeName, id: string, relationship: string | null) {
  const named = relationship === null ? {} : { relationship: wireFieldOf(type, relationship) };
  return { type: wireTypeOf(type), id, ...named };
}
