import type { FastifyRequest } from 'fastify';
import type { Viewer } from '#rules/viewer.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import type { Services } from '../services.ts';
import { isProvisioned, provision, signInOf, userOf } from './person.ts';
import { readToken, refuseEnded } from './token.ts';
import { loadViewer } from '../../access/viewer.ts';

/** The person who makes a request. */
export interface Caller {
  readonly viewer: Viewer;
  readonly user: Of<'user'>;
  /** The era of the sign-in that the token comes from; null with an outside issuer. */
  readonly era: number | null;
  /** The end of the token, in ms since 1970; a connection that lives longer has to be renewed. */
  readonly expiresAt: number;
  /** The address of the request; null when it is unknown. */
  readonly address: string | null;
}

/**
 * Returns the person behind an access token, as the database knows them now: a lock or a new role
 * holds at once. A person who is seen for the first time is made a user.
 *
 * @param token what `bearerOf` found
 * @param address from which the request came
 * @param isCounted false: it counts as no request, because another process has counted it
 * @throws ProblemError 401 `not-signed-in`, 401 `email-not-verified`, 403 `user-locked`; 429 when
 *   they ask too often; 503 `unavailable` while an outside issuer's keys cannot be read
 */
export async function callerOf(
  services: Services,
  token: string | null,
  address: string | null = null,
  isCounted = true,
): Promise<Caller> {
  const claims = await readToken(services, token);
  // A request beyond the limit must not cost the database anything.
  if (isCounted) services.limits.requireRate('requestsOfUser', claims.sub);
  const known = await services.db.read(async (tx) => {
    const signIn = await signInOf(tx, services.config, claims);
    refuseEnded(claims, signIn.era, signIn.isGranted);
    if (!claims.isEmailVerified) throw new ProblemError({ code: 'email-not-verified' });
    const user = await userOf(tx, claims.sub);
    if (user === null) return null;
    const viewer = await loadViewer(tx, user.id);
    return (await isProvisioned(tx, signIn, claims, viewer, services.config))
      ? { user, viewer }
      : null;
  });
  const { user, viewer } = known ?? (await provision(services, claims));

  if (user.isLocked) throw new ProblemError({ code: 'user-locked' });
  return { viewer, user, era: claims.era, expiresAt: claims.expiresAt, address };
}

/**
 * Returns the bearer token of a request; null without the header, '' when the header holds no such
 * token.
 */
export function bearerOf(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  if (header === undefined) return null;
  return /^Bearer +([^\s]+) *$/i.exec(header)?.[1] ?? '';
}
