import { spawn } from 'node:child_process';
import { chromium } from '@playwright/test';
import type { BrowserContext } from '@playwright/test';
import { BROWSER_FLAGS, findBrowser } from '../support/browser.ts';

export interface KillableBrowser {
  readonly context: BrowserContext;
  /** Ends it as a power cut would: SIGKILL to all of its processes. */
  kill(): Promise<void>;
}

/**
 * Starts a browser of its own process group, whose profile outlives it in `profile`. A browser that
 * crashes over what a power cut left of its own files is started again, as a person would.
 */
export async function launchKillable(profile: string): Promise<KillableBrowser> {
  try {
    return await launch(profile);
  } catch (error) {
    if (!(error instanceof CrashError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return launch(profile);
  }
}

/** The browser ended by a signal before it could be used. */
class CrashError extends Error {}

async function launch(profile: string): Promise<KillableBrowser> {
  const { path, env } = await findBrowser();
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
  const address = await new Promise<string>((done, fail) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const heard = /DevTools listening on (\S+)\s/.exec(said)?.[1];
      if (heard !== undefined) done(heard);
    });
    child.once('exit', (code, signal) => {
      const message = `The browser ended with ${String(code ?? signal)}, saying: ${said}`;
      fail(signal === null ? new Error(message) : new CrashError(message));
    });
  });
  const browser = await chromium.connectOverCDP(address);
  const context = browser.contexts()[0];
  if (context === undefined) throw new Error('The browser has no window');
  return {
    context,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((done) => child.once('exit', done));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
}
