/** Names on the hub (wire 10). */
export const HUB_PATH = '/hubs/data';

export const hubMethods = {
  subscribe: 'SubscribeTo',
  unsubscribe: 'UnsubscribeFrom',
  perform: 'PerformOperations',
} as const;

export const hubEvents = { updated: 'RemoteDataHasUpdated' } as const;

/** The channel of the caller's whole feed; a super admin's is that of one organization. */
export const changesChannel = (organization: string | null): string =>
  organization === null ? 'changes' : `changes/${organization}`;

/** The answer of `SubscribeTo`. */
export interface Subscription {
  readonly channel: string;
  readonly cursor: string;
}

/** Says why the server closes a connection; the client may come back after all but the first. */
export const closeReasons = {
  locked: 'user-locked',
  notSignedIn: 'not-signed-in',
  tooLarge: 'too-large',
  invalid: 'invalid-document',
} as const;
