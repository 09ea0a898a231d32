import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#protocol/problem.ts';
import { hostOf } from '../kernel/private-host.ts';
import { isLoopback } from '../kernel/config.ts';
import type { Services } from '../domain/services.ts';
import { countingRefusals } from './count-requests.ts';

/**
 * Refuses WebSockets to pages of other origins with 403, whatever token they bring: browsers let
 * any page open one. Programs name no origin, and may.
 */
export function refuseForeignSockets(app: FastifyInstance, services: Services): void {
  const ours = new URL(services.config.publicUrl);
  app.addHook('onRequest', async (request) => {
    const { upgrade, origin } = request.headers;
    if (upgrade?.toLowerCase() !== 'websocket' || origin === undefined) return;
    await countingRefusals(services, request, () => {
      if (!isAllowed(origin, ours))
        throw new ProblemError({ code: 'forbidden', detail: 'The page is of another origin.' });
    });
  });
}

/** A server that people reach on this machine alone serves any page of this machine. */
function isAllowed(origin: string, ours: URL): boolean {
  if (origin === ours.origin) return true;
  return isLoopback(hostOf(ours)) && URL.canParse(origin) && isLoopback(hostOf(new URL(origin)));
}
