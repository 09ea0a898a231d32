import type { FastifyRequest } from 'fastify';
import { MINIMUM_CLIENT_VERSION } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';

const VERSION_FORM = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/;

/**
 * Refuses a client below the oldest one served with 426; without the header nothing is checked
 * (wire 15.3).
 */
export function checkVersion(request: FastifyRequest, minimum = MINIMUM_CLIENT_VERSION): void {
  const version = request.headers['x-slipway-version'];
  if (version === undefined) return;
  if (typeof version !== 'string' || !VERSION_FORM.test(version))
    throw new ProblemError({ code: 'invalid-header', source: { header: 'X-Slipway-Version' } });
  if (isBelow(version, minimum))
    throw new ProblemError({ code: 'client-too-old', meta: { minimum } });
}

function isBelow(version: string, minimum: string): boolean {
  const [a, b] = [version, minimum].map((each) => each.split('.').map(Number));
  const at = [0, 1, 2].find((i) => a?.[i] !== b?.[i]) ?? 0;
  return (a?.[at] ?? 0) < (b?.[at] ?? 0);
}
