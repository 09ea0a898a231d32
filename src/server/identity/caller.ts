import type { FastifyRequest } from 'fastify';
import type { Viewer } from '#rules/viewer.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { Parts } from '../parts.ts';
import { isProvisioned, provision, userOf } from './person.ts';
import { readToken } from './token.ts';
import { loadViewer } from './viewer.ts';

/** Who makes a request. */
export interface Caller {
  readonly viewer: Viewer;
  readonly user: Of<'user'>;
  /** When the token ends, in ms since 1970; a connection that lives longer has to be renewed. */
  readonly expiresAt: number;
}

/**
 * The person behind an access token, as the database knows them now: a lock or a new role holds at
 * once. Who is seen for the first time is made a user.
 *
 * @param token what `bearerOf` found
 * @throws ProblemError 401 `not-signed-in`, 401 `email-not-verified`, 403 `user-locked`; 503
 *   `unavailable` while an outside issuer's keys cannot be read
 */
export async function callerOf(parts: Parts, token: string | null): Promise<Caller> {
  const claims = await readToken(parts, token);
  if (!claims.isEmailVerified) throw new ProblemError({ code: 'email-not-verified' });

  const known = await parts.db.read(async (tx) => {
    const user = await userOf(tx, claims.sub);
    if (user === null) return null;
    const viewer = await loadViewer(tx, user.id);
    return (await isProvisioned(tx, claims, viewer, parts.config)) ? { user, viewer } : null;
  });
  const { user, viewer } = known ?? (await provision(parts, claims));

  if (user.isLocked) throw new ProblemError({ code: 'user-locked' });
  return { viewer, user, expiresAt: claims.expiresAt };
}

/** The bearer token of a request; null without the header, '' when the header holds no such token. */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return /^Bearer +([^\s]+) *$/i.exec(header)?.[1] ?? '';
}
