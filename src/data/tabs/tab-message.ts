import type { News } from '../model/server-update.ts';
import type { Outlook } from './outlook.ts';

/** What a tab that follows asks of the one that leads. */
export type Wish = 'send-now' | 'resync';

/** Where the leading tab's copy stood when it was asked, now that the backup has all of that. */
export interface Level {
  readonly cursor: string | null;
  /** Whether the backup lacked something then. */
  readonly wasWriting: boolean;
}

/** What tabs of one user tell each other; `lead` says in which lead, the later one counts. */
export type Message =
  /** The leading tab merged this; counted, so that a gap shows. */
  | { readonly is: 'merged'; readonly lead: number; readonly n: number; readonly news: News }
  /** How the leading tab finds the server, and how much it has told. */
  | { readonly is: 'outlook'; readonly lead: number; readonly n: number; readonly outlook: Outlook }
  | { readonly is: 'level'; readonly lead: number; readonly level: Level }
  /** Is the leading tab there? It answers with its outlook. */
  | { readonly is: 'ask' }
  /** A tab was opened, or missed something: the leading one answers once the backup has it. */
  | { readonly is: 'lost' }
  | { readonly is: 'wish'; readonly wish: Wish }
  /** An answer to a query of a tab that follows, to be kept. */
  | { readonly is: 'heard'; readonly news: News }
  /** Rows were written: the disk has them. */
  | { readonly is: 'wrote'; readonly seqs: readonly number[] }
  /** The leading tab is closed. */
  | { readonly is: 'gone' }
  /** The copy is about to be removed. */
  | { readonly is: 'cleared' };

/** The messages of some kinds. */
export type Of<Is extends Message['is']> = Extract<Message, { readonly is: Is }>;

export interface TabEvents {
  /**
   * This tab is to lead: takes over the backup, and gives which lead it is, later than `lead`; null:
   * the storage fails.
   */
  readonly claim: (isMissing: boolean, lead: number) => Promise<number | null>;
  /** It leads: it sends, hears, reads the feed and writes the server's news. */
  readonly lead: () => void;
  /** Another tab leads by now. */
  readonly robbed: () => void;
  readonly merged: (news: News) => void;
  readonly heard: (news: News) => void;
  readonly wished: (wish: Wish) => void;
  readonly outlook: (outlook: Outlook) => void;
  /** Another tab leads now: what has not been kept is to be told again. */
  readonly changed: () => void;
  /** The backup has what this tab may have missed; `isMissing` when it knows that it did. */
  readonly level: (level: Level, isMissing: boolean) => void;
  readonly wrote: (seqs: readonly number[]) => void;
  readonly cleared: () => void;
  /** Whether something waits to be sent. */
  readonly hasToSend: () => boolean;
  readonly lookOut: () => Outlook;
  /** Resolves once the backup has all that was merged; null: it has it already. */
  readonly settling: () => Promise<void> | null;
}
