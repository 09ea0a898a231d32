const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const PAUSES_MS = [
  15 * SECOND_MS,
  30 * SECOND_MS,
  ...[1, 2, 4, 8, 16, 30, 60, 60].map((minutes) => minutes * MINUTE_MS),
];

/** Returns how long to wait after this many failures in a row (domain W60). */
export const pauseMs = (failures: number): number => PAUSES_MS[failures - 1] ?? 60 * MINUTE_MS;

/** The failure after which people are told that it does not work (domain W60). */
export const UNABLE_AT_FAILURE = 10;
