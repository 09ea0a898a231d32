import { ProblemError } from '#protocol/problem.ts';

/**
 * PostgreSQL gives these codes when not the statement is wrong but the moment: the time limit of a
 * statement passed, it stops or has no room, a lock could not be had, two transactions waited for
 * each other.
 */
const BAD_MOMENTS = new Set(['25P03', '55P03', '57014', '57P01', '57P02', '57P03', '57P05']);
const BAD_MOMENT_CLASSES = new Set(['08', '40', '53']);

/** The system gives these codes when there is no connection. */
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
/** The client library says it in these words, because it gives no codes. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed)/;

/**
 * Returns true when no answer came in time, so that nothing more can be sent over the connection.
 */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Returns true when the same work may well succeed a little later. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === null) return LOST_CONNECTION.test(error.message);
  if (NO_CONNECTION.has(code)) return true;
  return isState(code) && (BAD_MOMENTS.has(code) || BAD_MOMENT_CLASSES.has(code.slice(0, 2)));
}

/** Returns true when the database undid a transaction because another one was in its way. */
export function isCollision(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null;
  return code === '40P01' || code === '40001';
}

/** Returns true when the database itself refused something, so that the connection works. */
export function isAnswer(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null;
  // Errors of these two classes mean that the server ends the connection.
  return code !== null && isState(code) && !/^(08|57P)/.test(code);
}

/**
 * Returns 503 for an error that may well not recur a little later, with the reason for the log;
 * else `error` itself.
 */
export function unavailableProblemOf(error: unknown): unknown {
  if (!isConnectionError(error)) return error;
  const unavailable = new ProblemError({ code: 'unavailable' }, { 'Retry-After': '2' });
  unavailable.cause = error;
  return unavailable;
}

/** Returns 503: so many wait already that this would not be answered in time. */
export function overloaded(): ProblemError {
  return new ProblemError({ code: 'unavailable' }, { 'Retry-After': '5' });
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);
