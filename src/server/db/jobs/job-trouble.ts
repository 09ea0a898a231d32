import { EngineError } from '#protocol/engine.ts';
import type { EngineFailure } from '#protocol/engine.ts';
import type { JobTrouble } from '#protocol/jobs.ts';
import { RetryLater } from './jobs.ts';

const OF_ENGINES: Readonly<Record<EngineFailure, JobTrouble>> = {
  unreachable: 'engine-unreachable',
  'address-not-allowed': 'engine-unreachable',
  refused: 'engine-refused',
  unknown: 'engine-failed',
  'no-usable-answer': 'engine-failed',
};

/** The codes that Node and the mailer give to what failed, as far as people can do something. */
const OF_CODES: Readonly<Record<string, JobTrouble>> = {
  ECONNREFUSED: 'unreachable',
  ECONNRESET: 'unreachable',
  ECONNECTION: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EDNS: 'unreachable',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  ESOCKET: 'unreachable',
  ETIMEDOUT: 'unreachable',
  EAUTH: 'mail-refused',
  EENVELOPE: 'mail-refused',
  EMESSAGE: 'mail-refused',
  ENOSPC: 'disk-full',
};

/** PostgreSQL's codes: two characters of the class, three of what it is. */
const SQL_STATE = /^[0-9A-Z]{5}$/;

/**
 * The reason for a failure as a word of a closed list. What the error says itself may hold
 * addresses, tokens or what was sent, and stays in the log.
 */
export function troubleOf(error: unknown): JobTrouble {
  if (error instanceof RetryLater) return 'not-yet';
  if (error instanceof EngineError) return OF_ENGINES[error.because];
  if (!(error instanceof Error)) return 'fault';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (Object.hasOwn(OF_CODES, code)) return OF_CODES[code] ?? 'fault';
  if (error.name === 'TimeoutError') return 'unreachable';
  if (SQL_STATE.test(code)) return 'database';
  return error.cause === undefined ? 'fault' : troubleOf(error.cause);
}
