/** Every time-out, debounce, page size and bound that both ends speak of (wire 15.2, domain 13). */
export const limits = {
  requestTimeoutMs: 60_000,
  answerWithinMs: 50_000,
  bodyWithinMs: 30_000,
  bodyBytes: 1_048_576,
  operationsBodyBytes: 2_097_152,
  repositoryBytes: 104_857_600,
  operationsPerBody: 100,
  /** The most that our client puts into one body. */
  batchBytes: 921_600,
  addressBytes: 16_384,
  requestsPerUserAndMinute: 3_000,
  requestsPerAddressAndMinute: 300,
  inviteRequestsPerHour: 20,
  redeemTriesPerMinute: 20,
  verificationMailEveryMs: 60_000,
  hubConnectionsPerUser: 50,
  hubChannelsPerConnection: 100,
  hubFrameBytes: 1_048_576,
  hubUnfinishedBytes: 2_097_152,
  hubMessagesPerSecond: 100,
  hubMessageOperations: 500,
  hubMessageBytes: 262_144,
  hubPingEveryMs: 15_000,
  hubSilenceMs: 30_000,
  hubLongPollMs: 90_000,
  feedPageMost: 1_000,
  feedPollEveryMs: 5_000,
  feedKeptDays: 30,
  verdictsKeptDays: 90,
  auditEventsKeptDays: 400,
  auditEventsCounted: 10_000,
  jobsListed: 200,
  /** The products that are listed of one package name. */
  packageNameProducts: 5,
  packageNameReasonCharacters: 1_000,
  /** The most of a log that one answer has, in bytes. */
  logPartBytes: 262_144,
  logReadsPerUserAndMinute: 300,
  /** So often a log that is looked at is read again while it grows. */
  logPollEveryMs: 2_000,
  refusalsAuditedPerMinute: 30,
  pageSize: 20,
  pageSizeMost: 500,
  includeDepth: 6,
  sortKeys: 5,
  filters: 20,
  includePaths: 40,
  valuesInFilter: 200,
  /** The values of one filter of a list that a page takes from its address, and their length. */
  filterValues: 20,
  filterCharacters: 2_100,
  searchDebounceMs: 250,
  setupPollEveryMs: 3_000,
  organizationsBeforeSearch: 4,
  languageSuggestions: 5,
  clockToleranceSeconds: 60,
  refreshGraceMs: 60_000,
  leaderAnswersWithinMs: 1_500,
  changesListed: 50,
  /** So often an open page asks again for what is outside the working set. */
  serverViewsEveryMs: 5_000,
  /** Records outside the working set that a device keeps. */
  outsideRecordsMost: 3_000,
  removalHeldMs: 8_000,
  requestConfirmAfterMs: 86_400_000,
  bulkMost: 500,
  commentCharacters: 4_000,
} as const;

/** This client's and server's version, and the oldest client that the server still serves. */
export const VERSION = '1.0.0';
export const MINIMUM_CLIENT_VERSION = '1.0.0';
