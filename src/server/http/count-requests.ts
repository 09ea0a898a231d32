import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import { ProblemError } from '#protocol/problem.ts';
import { bearerOf } from '../domain/accounts/caller.ts';
import { readToken } from '../domain/accounts/token.ts';
import type { Services } from '../domain/services.ts';

/**
 * Returns the client's address as limits count it: behind a trusted proxy the last one that is no
 * proxy; a whole /64 of IPv6, because a single customer has as many addresses.
 */
export function addressOf(request: FastifyRequest): string {
  return normalizeIP(request.ip);
}

/** Counts a request without a valid token. @throws ProblemError 429 */
export function countAddress({ limits }: Pick<Services, 'limits'>, request: FastifyRequest): void {
  limits.requireRate('requestsOfAddress', addressOf(request));
}

/** Counts a request that needs no token: as the person's whose valid token it brings, or the address's. */
export async function countPublic(services: Services, request: FastifyRequest): Promise<void> {
  const token = bearerOf(request);
  const claims = token === null ? null : await readToken(services, token).catch(() => null);
  if (claims === null) countAddress(services, request);
  else services.limits.requireRate('requestsOfUser', claims.sub);
}

/**
 * Below these paths every request without a valid token counts, whatever becomes of it (wire 15.2).
 */
const COUNTED = /^\/(api|hubs|oidc)([/?]|$)/;

/**
 * Counts a request that is refused before its caller is identified, as `countPublic` does.
 *
 * @throws ProblemError 429
 */
export async function countRefused(services: Services, request: FastifyRequest): Promise<void> {
  if (COUNTED.test(request.url)) await countPublic(services, request);
}

/**
 * Runs a check that comes before the caller is identified, and counts the request if it is refused.
 *
 * @throws what `check` throws; ProblemError 429 instead when the caller or the address is used up
 */
export async function countingRefusals<T>(
  services: Services,
  request: FastifyRequest,
  check: () => T,
): Promise<T> {
  try {
    return check();
  } catch (error) {
    await countRefused(services, request);
    throw error;
  }
}

/**
 * Identifies the caller of a request. A bad token counts as a request of the address; one that
 * holds is counted by `callerOf` as a request of the person, so that no neighbour can use up their
 * share.
 *
 * @throws ProblemError what `identify` throws; 429 instead of 401 when the address is used up
 */
export async function countingBadTokens<T>(
  services: Pick<Services, 'limits'>,
  request: FastifyRequest,
  identify: () => Promise<T>,
): Promise<T> {
  try {
    return await identify();
  } catch (error) {
    if (error instanceof ProblemError && error.problem.code === 'not-signed-in')
      countAddress(services, request);
    throw error;
  }
}
