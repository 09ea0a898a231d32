import type { WriteTransaction } from '../db/database.ts';
import type { Services } from './services.ts';

/** Work in an open transaction; the transaction's `cause` says who does it and when. */
export interface WriteContext {
  readonly services: Services;
  readonly write: WriteTransaction;
}

/** The moment of the work, in the form of the wire. */
export const timestampOf = ({ write }: WriteContext): string =>
  new Date(write.cause.at).toISOString();
