import { browserEnvironment } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';

const KEY = 'slipway.clock';

/** How far the server's clock is ahead of the device's, in ms, by its last answer. */
function aheadMs({ storage }: Pick<SessionEnvironment, 'storage'>): number {
  const ahead = Number(storage.getItem(KEY) ?? 0);
  return Number.isFinite(ahead) ? ahead : 0;
}

/** The server's time in ms, as far as is known: the device's clock may be a day off. */
export function serverTime(environment: SessionEnvironment = browserEnvironment()): number {
  return environment.clock() + aheadMs(environment);
}

/**
 * Learns the server's clock from one of its answers. Call it with every answer of `/api` that came
 * over the network, not from a cache.
 *
 * @param sentAt the device's clock when the request went out, in ms
 */
export function learnServerTime(
  answer: Response,
  sentAt: number,
  environment: SessionEnvironment = browserEnvironment(),
): void {
  const serverMs = Date.parse(answer.headers.get('Date') ?? '');
  if (Number.isNaN(serverMs)) return;

  // The header has whole seconds: on average half of one is missing.
  const ahead = Math.round(serverMs + 500 - (sentAt + environment.clock()) / 2);
  const isNews = Math.abs(ahead - aheadMs(environment)) > 2_000;
  if (isNews) environment.storage.setItem(KEY, String(ahead));
}
