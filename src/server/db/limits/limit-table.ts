import { limits } from '#protocol/limits.ts';

/** At most `most` times within `withinMs`. */
export interface Limit {
  readonly most: number;
  readonly withinMs: number;
  /**
   * An exact limit guards a secret or sends mail, so it is counted in the database before anything
   * is done. A plain one is counted in the process, and shared with the others within a second.
   */
  readonly counting: 'exact' | 'plain';
  /** The key of a count names this. */
  readonly per:
    'address' | 'user' | 'account' | 'account and address' | 'organization' | 'recipient';
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Every limit on how often something may be done (wire 15.2). */
export const limitTable = {
  requestsOfUser: {
    most: limits.requestsPerUserAndMinute,
    withinMs: MINUTE_MS,
    counting: 'plain',
    per: 'user',
  },
  /** The requests without a valid token. */
  requestsOfAddress: {
    most: limits.requestsPerAddressAndMinute,
    withinMs: MINUTE_MS,
    counting: 'plain',
    per: 'address',
  },
  /** Reads of parts of logs, each of which reads a file. */
  logReadsOfUser: {
    most: limits.logReadsPerUserAndMinute,
    withinMs: MINUTE_MS,
    counting: 'plain',
    per: 'user',
  },
  /** Comparisons of uploads, each of which reads the directories of two zips. */
  comparisonsOfUser: { most: 60, withinMs: MINUTE_MS, counting: 'plain', per: 'user' },
  /** Versions restored: few bytes have the server copy a whole zip. */
  restorationsOfUser: { most: 10, withinMs: MINUTE_MS, counting: 'plain', per: 'user' },
  engineTests: { most: 10, withinMs: MINUTE_MS, counting: 'plain', per: 'user' },
  /** Wrong passwords of one account from one address, and from everywhere. */
  passwordsFromAddress: {
    most: 10,
    withinMs: 15 * MINUTE_MS,
    counting: 'exact',
    per: 'account and address',
  },
  passwordsOfAccount: { most: 100, withinMs: HOUR_MS, counting: 'exact', per: 'account' },
  /** Wrong codes of a second factor, of both kinds, and wrong passkeys. */
  codesFromAddress: {
    most: 10,
    withinMs: 15 * MINUTE_MS,
    counting: 'exact',
    per: 'account and address',
  },
  /**
   * Wrong one-time codes, from everywhere: three of a million are right at a time. A recovery code
   * cannot be guessed, so it is still taken when these are used up.
   */
  oneTimeCodesOfAccount: { most: 30, withinMs: DAY_MS, counting: 'exact', per: 'account' },
  /** Mails that tell an owner of such guesses. */
  guessedCodeMails: { most: 1, withinMs: DAY_MS, counting: 'exact', per: 'account' },
  /** Forms of the sign-in pages that have an effect, of any account. */
  formsOfAddress: { most: 300, withinMs: 15 * MINUTE_MS, counting: 'exact', per: 'address' },
  /** Mails that a form of the sign-in pages sends. */
  signInMails: { most: 5, withinMs: HOUR_MS, counting: 'exact', per: 'recipient' },
  /** Links to sign in, mailed in place of a password that is asked too often. */
  signInLinks: { most: 3, withinMs: HOUR_MS, counting: 'exact', per: 'account' },
  verificationMails: {
    most: 1,
    withinMs: limits.verificationMailEveryMs,
    counting: 'exact',
    per: 'account',
  },
  accessRequests: {
    most: limits.inviteRequestsPerHour,
    withinMs: HOUR_MS,
    counting: 'exact',
    per: 'address',
  },
  /** Exports of one's own data, which read everything about a person. */
  dataExports: { most: 1, withinMs: HOUR_MS, counting: 'exact', per: 'user' },
  redeemTries: {
    most: limits.redeemTriesPerMinute,
    withinMs: MINUTE_MS,
    counting: 'exact',
    per: 'user',
  },
  /** New comments, and edits that mention somebody anew: each notifies people. */
  comments: { most: 60, withinMs: HOUR_MS, counting: 'exact', per: 'user' },
  invitationsOfOrganization: {
    most: 200,
    withinMs: DAY_MS,
    counting: 'exact',
    per: 'organization',
  },
  invitationsToAddress: { most: 3, withinMs: DAY_MS, counting: 'exact', per: 'recipient' },
  /** Mails to reviewers of projects, who have no account; each holds what its sender wrote. */
  reviewMailsOfOrganization: {
    most: 1_000,
    withinMs: DAY_MS,
    counting: 'exact',
    per: 'organization',
  },
} as const satisfies Readonly<Record<string, Limit>>;

export type LimitName = keyof typeof limitTable;

type NamesOf<Counting extends Limit['counting']> = {
  [N in LimitName]: (typeof limitTable)[N]['counting'] extends Counting ? N : never;
}[LimitName];

export type ExactLimit = NamesOf<'exact'>;
export type PlainLimit = NamesOf<'plain'>;
