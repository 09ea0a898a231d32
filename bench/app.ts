import { chromium } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { builder, signIn } from '../tests/end-to-end/people.ts';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { freshPlace, openAt } from '../tests/support/database.ts';
import { freePort } from '../tests/support/free-port.ts';
import { spawnServer } from '../tests/support/server.ts';
import type { Database } from '#server/db/database.ts';
import type { Of } from '#schema/index.ts';
import { build } from '../webpack.config.ts';

/** The whole app: our server with records of its own, and a browser of the person they belong to. */
export interface App {
  readonly url: string;
  /** Signed in, with everything on the device and the app installed. */
  readonly context: BrowserContext;
  close(): Promise<void>;
}

/** The owner of the projects that are made, and the records that a project needs. */
export interface Ground {
  readonly organization: string;
  readonly group: string;
  readonly type: string;
  readonly owner: string;
  readonly definitions: readonly Of<'productDefinition'>[];
}

/** Starts it with what `add` makes, and with `script` in every page before anything else. */
export async function openApp(
  add: (db: Database, ground: Ground) => Promise<void>,
  script: string,
): Promise<App> {
  await build({ ifStale: true });
  const place = await freshPlace('');
  const port = String(await freePort());
  const env = { DATA_DIR: place.dataDir, PORT: port, PUBLIC_URL: `http://localhost:${port}` };
  // The first start brings the people and what a project needs.
  await (await spawnServer(env)).stop();
  const { db, close } = await openAt(place);
  await add(db, await groundOf(db));
  await close();
  const server = await spawnServer(env);
  const { path, env: browserEnv } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    args: BROWSER_FLAGS,
    env: { ...process.env, ...browserEnv },
  });
  const context = await browser.newContext();
  await context.addInitScript(script);
  await fill(context, server.url);
  return {
    url: server.url,
    context,
    close: async () => {
      await browser.close();
      await server.stop();
      await place.remove();
    },
  };
}

/** Signs in, waits for the first load and for the service worker, and until all is written. */
async function fill(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await signIn(page, url, builder);
  await page.goto(`${url}/projects/own`);
  await page.waitForFunction(
    async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      const status = document.querySelector('[data-testid=sync-status]');
      const isSaved = status?.getAttribute('data-state') === 'saved';
      return registration?.active?.state === 'activated' && isSaved;
    },
    null,
    { timeout: 120_000 },
  );
  await page.waitForTimeout(5_000);
  await page.close();
}

/** One person, in the organization that is there. */
function groundOf(db: Database): Promise<Ground> {
  return db.read(async (tx) => {
    const person = first(await tx.all('user', { email: builder }));
    const membership = first(await tx.all('groupMembership', { user: person.id }));
    const own = first(await tx.all('group', { id: membership.group }));
    return {
      organization: own.owner,
      group: own.id,
      type: first(await tx.all('applicationType', {})).id,
      owner: person.id,
      definitions: await tx.all('productDefinition', {}),
    };
  });
}

function first<T>([found]: readonly T[]): T {
  if (found === undefined) throw new Error('The demo data has none');
  return found;
}
