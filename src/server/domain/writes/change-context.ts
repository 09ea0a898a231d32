import type { ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '../../db/database.ts';
import type { Services } from '../services.ts';

/**
 * The context of a person's change: its transaction, and the person as the transaction sees them.
 */
export interface ChangeContext {
  readonly services: Services;
  readonly write: WriteTransaction;
  /** The viewer as the transaction sees them: what an earlier operation changed already counts. */
  readonly viewer: Viewer;
  /** The moment of the change, in the form of the wire. */
  readonly at: string;
}

/**
 * The result of an operation that was not refused; it suffices to show the record as it is later.
 */
export interface OperationResult {
  readonly status: 200 | 201 | 204;
  readonly type: TypeName;
  readonly id: string;
  /** `get` of a relationship shows its linkage. */
  readonly shows: 'record' | 'linkage' | 'nothing';
  readonly relationship: string | null;
  /** The answer of a type that is not stored; never holds a secret. */
  readonly data: ResourceObject | null;
  /** The version in which the operation left the record, where it left one. */
  readonly version?: number;
}

export function operationResult(
  status: OperationResult['status'],
  type: TypeName,
  id: string,
): OperationResult {
  const shows = status === 204 ? 'nothing' : 'record';
  return { status, type, id, shows, relationship: null, data: null };
}
