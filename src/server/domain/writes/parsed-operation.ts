import { isUuid } from '#base/id.ts';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { toOnesOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Stated } from './document.ts';

/** What one request, or one operation of a batch, wants; parsed, not yet judged. */
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
  /** Set when the to-one was addressed by itself. */
  readonly relationship: string | null;
  readonly match: Match | null;
  /** It takes back a creation by archiving what was made (wire 8.1). */
  readonly isUndo: boolean;
}

interface RemoveOperation {
  readonly op: 'remove';
  readonly type: TypeName;
  readonly id: string;
  readonly match: Match | null;
  /** It takes back a creation (wire 8.1). */
  readonly isUndo: boolean;
}

/** Whether the version is one that `If-Match` names (wire 7.1). */
export type Match = (version: number) => boolean;

interface GetOperation {
  readonly op: 'get';
  readonly type: TypeName;
  readonly id: string;
  readonly relationship: string | null;
}

/** Members put into, or taken out of, a to-many: a write of the to-one of each (wire 7.1). */
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

/** Ids of every record that it mentions: its own, and those it points to. */
export function mentionsOf(intention: ParsedOperation): readonly string[] {
  const own = intention.id === null ? [] : [intention.id];
  if (intention.op === 'link') return [...own, ...intention.ids];
  if (intention.op !== 'add' && intention.op !== 'update') return own;
  const { fields, manys } = intention.stated;
  return [...own, ...Object.values(fields).filter(isUuid), ...Object.values(manys).flat()];
}

/** Records that are looked at to judge it, by type: its own, and those it points to. */
export function recordsReadBy(
  intention: ParsedOperation,
): readonly (readonly [TypeName, string])[] {
  const { op, type, id } = intention;
  const own = id === null ? [] : [[type, id] as const];
  if (op === 'link') return [...own, ...intention.ids.map((one) => [intention.of, one] as const)];
  if (op !== 'add' && op !== 'update') return own;
  const pointed = toOnesOf(type).flatMap(([name, { to }]) => {
    const value = intention.stated.fields[name];
    return isUuid(value) ? [[to, value] as const] : [];
  });
  return [...own, ...pointed];
}

/** What a digest covers: op, ref and data, not base, and not the way in (wire 7.3). */
export function contentOf(intention: ParsedOperation): unknown {
  const { op, type, id } = intention;
  if (op === 'link') {
    return ['link', intention.how, type, id, intention.relationship, intention.ids];
  }
  if (op === 'add' || op === 'update') {
    return [op, type, id, intention.stated.fields, intention.stated.manys];
  }
  return [op, type, id, op === 'get' ? intention.relationship : null];
}

/** `ref` of an answer. */
export function refOf(type: TypeName, id: string, relationship: string | null) {
  const named = relationship === null ? {} : { relationship: wireFieldOf(type, relationship) };
  return { type: wireTypeOf(type), id, ...named };
}
