import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';

export interface KillableBrowser {
  readonly context: BrowserContext;
  /** Ends it as a power cut would: SIGKILL to all of its processes. */
  kill(): Promise<void>;
}

/** A browser of its own process group, whose profile outlives it in `profile`. */
export async function launchKillable(profile: string): Promise<KillableBrowser> {
  const { path, env } = await findBrowser();
  const portFile = join(profile, 'DevToolsActivePort');
  rmSync(portFile, { force: true });
  const child = spawn(
    path,
    [
      ...BROWSER_FLAGS,
      '--headless',
      '--lang=en-US',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } },
  );
  await new Promise<void>((done, fail) => {
    child.stderr.on('data', (chunk: Buffer) => {
      if (chunk.includes('DevTools listening') && existsSync(portFile)) done();
    });
    child.on('exit', (code) => {
      fail(new Error(`The browser ended with ${String(code)}`));
    });
  });
  const [port] = readFileSync(portFile, 'utf8').split('\n');
  const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port ?? ''}`);
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('The browser has no window');
  return {
    context,
    kill: async () => {
      const ended = new Promise((done) => child.once('exit', done));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
