import type { Write } from '../db/database.ts';
import type { Parts } from './parts.ts';

/** Something at work in an open transaction; its `cause` says who does it and when. */
export interface Doing {
  readonly parts: Parts;
  readonly write: Write;
}

/** The moment of what is done, in the form of the wire. */
export const momentOf = ({ write }: Doing): string => new Date(write.cause.at).toISOString();
