import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { JSON_API } from '#protocol/document.ts';
import { errorObject, problems } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import type { Asked, Fate, Proxy } from '../support/proxy.ts';
import { changeLogOf } from '../support/change-log.ts';
import { expectWaiting, rename, untilLoaded, untilSent } from './people.ts';
import type { World } from './world.ts';

/** What tests of faults ask of the way that changes take to the server. */

export const isSending = ({ url }: Asked): boolean => url === '/api/operations';

export const isRefresh = ({ url, body }: Asked): boolean =>
  url.startsWith('/oidc/token') && body.includes('refresh_token');

/** Bodies that went out with changes, in order: the ids in each. */
export function bodiesOf({ asked }: Proxy): string[][] {
  return asked.filter(isSending).map(({ body }) => {
    const { operations } = JSON.parse(body) as { operations: { meta: { id: string } }[] };
    return operations.map(({ meta }) => meta.id);
  });
}

/** The first sendings meet these fates; the rest pass. */
export function meet(proxy: Proxy, ...fates: readonly Fate[]): void {
  let n = 0;
  proxy.decide((request) => {
    if (!isSending(request)) return 'pass';
    n += 1;
    return fates[n - 1] ?? 'pass';
  });
}

/** Nothing that is done arrives, until another fate is decided; news still comes in. */
export function holdBack(proxy: Proxy): void {
  proxy.decide((request) => (isSending(request) ? 'cut-before' : 'pass'));
}

/** Renames the project at `page`, and lets nothing of it arrive, until another fate is decided. */
export async function renameUnsent(page: Page, { proxy }: World, to: string): Promise<void> {
  holdBack(proxy);
  await rename(page, to);
  await expectWaiting(page, 1);
}

/** Until something was sent, whatever became of it. */
export async function untilTried({ proxy }: World): Promise<void> {
  await expect.poll(() => bodiesOf(proxy).length).toBeGreaterThan(0);
}

/** Lets everything pass again, until all that was done at `page` has arrived. */
export async function letPass(page: Page, { proxy }: World): Promise<void> {
  proxy.reset();
  await untilSent(page);
  await untilLoaded(page);
}

/** As our server refuses a whole request. */
export function refusal(problem: Problem, headers: Readonly<Record<string, string>> = {}): Fate {
  return {
    status: problems[problem.code][0],
    headers: { 'Content-Type': JSON_API, ...headers },
    body: JSON.stringify({ errors: [errorObject(problem, 'a-request')] }),
  };
}

/** As a server answers that has taken back all tokens. */
export function asSignedOut(request: Asked): Fate {
  if (isRefresh(request))
    return {
      status: 400,
      headers: { 'Content-Type': 'application/json' },
      body: '{"error":"invalid_grant"}',
    };
  return request.url.startsWith('/api/') ? refusal({ code: 'not-signed-in' }) : 'pass';
}

/** `count` changes wrote the record, each of them once. */
export async function expectOnce(
  { parts }: World,
  record: string,
  count: number,
): Promise<readonly string[]> {
  const written = (await changeLogOf(parts.db, [record])).changesOf(record);
  expect(new Set(written).size).toBe(written.length);
  expect(written).toHaveLength(count);
  return written;
}

/** Until a page hears news over a WebSocket of its own. */
export async function untilHearing({ proxy }: World, pages = 1): Promise<void> {
  const subscribed = () => proxy.sockets.said.filter((text) => text.includes('"channel":"changes'));
  await expect.poll(() => subscribed().length).toBeGreaterThanOrEqual(pages);
}
