import { setTimeout } from 'node:timers/promises';
import { apiOf } from './api.ts';

/** Looks in a row in which nothing is built, so that the moment between two steps is no rest. */
const LOOKS_AT_REST = 3;
const BETWEEN_LOOKS_MS = 1_000;
const WITHIN_MS = 150_000;

/**
 * Resolves once the people of the demo at `url` have done what they do by themselves: after the
 * server's start they go on with their products as builds end.
 *
 * @throws Error after `WITHIN_MS`
 */
export async function untilDemoRests(url: string): Promise<void> {
  const api = await apiOf(url, 'super@slipway.test');
  const before = Date.now() + WITHIN_MS;
  let looksAtRest = 0;
  while (looksAtRest < LOOKS_AT_REST) {
    if (Date.now() > before) throw new Error('The demo does not come to rest');
    const products = await api.list('/api/products?page[limit]=500');
    const states = products.map(({ attributes }) => String(attributes?.['workflow-state']));
    const isBuilding = states.some((state) => state.startsWith('Product '));
    looksAtRest = isBuilding || !states.includes('Author Upload') ? 0 : looksAtRest + 1;
    await setTimeout(BETWEEN_LOOKS_MS);
  }
}
