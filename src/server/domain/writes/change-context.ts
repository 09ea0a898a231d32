import type { ResourceObject } from '#protocol/document.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '../../db/database.ts';
import type { Services } from '../services.ts';

/** Someone's change at work: the transaction it happens in, and who they are in it. */
export interface ChangeContext {
  readonly services: Services;
  readonly write: WriteTransaction;
  /** As the transaction sees them: what the operation before changed holds already. */
  readonly viewer: Viewer;
  /** The moment of the change, in the form of the wire. */
  readonly at: string;
}

/** What became of an intention that was not refused; enough to show the record as it is later. */
export interface OperationResult {
  readonly status: 200 | 201 | 204;
  readonly type: TypeName;
  readonly id: string;
  /** For `get` of a relationship: its linkage. */
  readonly shows: 'record' | 'linkage' | 'nothing';
  readonly relationship: string | null;
  /** The answer of a type that is not stored; never holds a secret. */
  readonly data: ResourceObject | null;
}

export function operationResult(
  status: OperationResult['status'],
  type: TypeName,
  id: string,
): OperationResult {
  const shows = status === 204 ? 'nothing' : 'record';
  return { status, type, id, shows, relationship: null, data: null };
}
