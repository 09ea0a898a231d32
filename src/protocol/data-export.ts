/** An export of one's own data as a call tells of it (wire 11.13); it comes late, with its page. */
export interface DataExport {
  /** `none`: none was asked for, or it was kept for its time. */
  readonly state: 'none' | 'being-made' | 'ready';
  /** The moment at which it was asked for; null: there is none. */
  readonly requestedAt: string | null;
  /** The moment until which it is kept; null unless it is ready. */
  readonly expiresAt: string | null;
  readonly sizeBytes: number | null;
  /** The moment from which another may be asked for; null: at once. */
  readonly nextAt: string | null;
}

/** Gives the state; a POST asks for one, and its `fileLink` leads to the file. */
export const DATA_EXPORT = '/api/users/current-user/export';
