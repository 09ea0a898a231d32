import { browserEnvironment } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';

const KEY = 'slipway.return-to-path';

type Needed = Pick<SessionEnvironment, 'storage' | 'page'>;

/** Stores where someone wanted to go before they had to sign in: path, query and hash. */
export function keepReturnTo(path: string, environment: Needed = browserEnvironment()): void {
  if (isPathOfOurs(path, environment)) environment.storage.setItem(KEY, path);
}

/** Takes that path, once; null when there is none, or when it leads out of the app. */
export function takeReturnTo(environment: Needed = browserEnvironment()): string | null {
  const path = keptReturnTo(environment);
  environment.storage.removeItem(KEY);
  return path;
}

/** Returns that path, and leaves it where it is. */
export function keptReturnTo(environment: Needed = browserEnvironment()): string | null {
  const path = environment.storage.getItem(KEY);
  return path !== null && isPathOfOurs(path, environment) ? path : null;
}

/** `//evil.test` and `/\evil.test` are addresses of other hosts; `/login` would go in circles. */
function isPathOfOurs(path: string, { page }: Needed): boolean {
  if (!path.startsWith('/') || !URL.canParse(path, page.origin)) return false;
  const { origin, pathname } = new URL(path, page.origin);
  return origin === page.origin && pathname !== '/login';
}
