import { ProblemError } from '#protocol/problem.ts';

/**
 * What PostgreSQL says when not the statement is wrong but the moment: the time limit of a statement
 * passed, it stops or has no room, a lock could not be had, two transactions waited for each other.
 */
const BAD_MOMENTS = new Set(['25P03', '55P03', '57014', '57P01', '57P02', '57P03', '57P05']);
const BAD_MOMENT_CLASSES = new Set(['08', '40', '53']);

/** What the system says of a connection that is not there. */
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
/** What the client library says of it, which gives no codes. */
const LOST_CONNECTION =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Query read timeout|Client was closed)/;

/** Whether no answer came in time, so that nothing more can be asked over the connection. */
export function isConnectionLost(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Whether the same work may well succeed a little later. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (code === null) return LOST_CONNECTION.test(error.message);
  if (NO_CONNECTION.has(code)) return true;
  return isState(code) && (BAD_MOMENTS.has(code) || BAD_MOMENT_CLASSES.has(code.slice(0, 2)));
}

/** Whether the database undid a transaction because another one was in its way. */
export function isCollision(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null;
  return code === '40P01' || code === '40001';
}

/** Whether the database itself refused something, so that the connection is there. */
export function isAnswer(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : null;
  // Of these two classes the server says that it ends the connection.
  return code !== null && isState(code) && !/^(08|57P)/.test(code);
}

/** 503 for what may well succeed a little later, with the reason for the log; else `error` itself. */
export function unavailableProblemOf(error: unknown): unknown {
  if (!isConnectionError(error)) return error;
  const unavailable = new ProblemError({ code: 'unavailable' }, { 'Retry-After': '2' });
  unavailable.cause = error;
  return unavailable;
}

/** 503: so many wait already that this would not be answered in time. */
export function overloaded(): ProblemError {
  return new ProblemError({ code: 'unavailable' }, { 'Retry-After': '5' });
}

function codeOf(error: Error): string | null {
  return 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const isState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);
