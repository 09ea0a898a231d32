import { expect, test } from '@playwright/test';
import { startProxy } from '../support/proxy.ts';
import type { Proxy } from '../support/proxy.ts';
import { freePort, freshFolder, spawnServer } from '../support/server.ts';
import type { SpawnedServer } from '../support/server.ts';
import { readChangeLog } from './change-log.ts';
import { builder, projectIdAt, rename, signIn, untilLoaded, untilSent } from './people.ts';

test.describe('an answer that never arrives', () => {
  let dataDir: string;
  let server: SpawnedServer;
  let proxy: Proxy;

  test.beforeAll(async () => {
    dataDir = freshFolder();
    const port = await freePort();
    proxy = await startProxy(port);
    server = await spawnServer({
      DATA_DIR: dataDir,
      PORT: String(port),
      PUBLIC_URL: proxy.url,
      DEMO: '1',
    });
  });

  test.afterAll(async () => {
    await proxy.close();
    await server.kill();
  });

  test('is asked for again, answered from the record, and the change applied once', async ({
    page,
  }) => {
    await signIn(page, proxy.url, builder);
    await page.goto(`${proxy.url}/projects/own`);
    await page.locator('[data-record^="projects:"]').first().getByRole('link').first().click();
    const project = await projectIdAt(page);
    await untilLoaded(page);

    let dropped = 0;
    proxy.decide((request) => {
      if (request.url !== '/api/operations' || dropped > 0) return 'pass';
      dropped += 1;
      return 'drop-answer';
    });
    const again = page.waitForResponse(
      (response) => response.url().endsWith('/api/operations') && response.ok(),
    );
    await rename(page, 'Renamed once');
    const answer = await again;
    await untilSent(page);

    expect(dropped).toBe(1);
    expect(answer.headers()['idempotency-replayed']).toBe('true');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Renamed once/);
    await server.stop();
    const log = await readChangeLog(dataDir, [project]);
    expect(log.changesOf(project)).toBe(1);
    expect(log.versionsGrewByOnePerChange).toBe(true);
  });
});
