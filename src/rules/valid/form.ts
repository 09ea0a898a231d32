import type { Of, TypeName } from '#schema/index.ts';
import type { Find } from '../find.ts';
import type { Viewer } from '../viewer.ts';
import type { Broken } from './broken.ts';

/** The facts that a rule about a record may look at. */
export interface Checking<T extends TypeName> {
  readonly viewer: Viewer;
  readonly find: Find;
  /** The present moment, as it travels. */
  readonly at: string;
  /** Null: a new record. */
  readonly before: Of<T> | null;
  /** The whole record with its new values, normalised and completed. */
  readonly after: Of<T>;
  /** The fields that are written; of a new record all that were stated. */
  readonly written: readonly string[];
}

/** The rules of one resource beyond its single values. */
export type RecordRules<T extends TypeName> = (checking: Checking<T>) => readonly (Broken | null)[];
