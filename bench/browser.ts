import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from '@playwright/test';
import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import webpack from 'webpack';
import { BROWSER_FLAGS, findBrowser } from '../tests/support/browser.ts';
import { moduleRules } from '../webpack.config.ts';

/** Chromium with pages that are built from `bench/`; in one run for everything that is compared. */
export interface Bench {
  readonly version: string;
  /** Runs `work` in a fresh page of `entry`, in `context` or one of its own, with its own storage. */
  readonly inPage: <T>(
    entry: string,
    work: (page: Page, session: CDPSession) => Promise<T>,
    context?: BrowserContext,
  ) => Promise<T>;
  readonly inContext: <T>(work: (context: BrowserContext) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** The place of the peers' packages; the bench installs them. */
export const PEERS = resolve('bench/peers');

/** The files that a page fetches, by path; the viewer goes into its address. */
export interface Given {
  readonly files: Readonly<Record<string, string>>;
  readonly viewer: string;
  /** The server to which requests to `/api` go, and how long their way takes in all. */
  readonly server?: { readonly port: number; readonly roundTripMs: number };
}

export async function openBench(
  entries: Readonly<Record<string, string>>,
  given: Given,
): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-bench-'));
  await bundle(entries, folder);
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    if (path.startsWith('/api/') && given.server !== undefined) {
      passOn(request, response, given.server);
      return;
    }
    const text = given.files[path];
    const isScript = path.endsWith('.js');
    const type = isScript ? 'text/javascript' : text === undefined ? 'text/html' : 'text/plain';
    // The two headers give the page a precise clock and memory of its own.
    response.writeHead(200, {
      'Content-Type': `${type}; charset=utf-8`,
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    if (isScript) response.end(readFileSync(join(folder, path)));
    else
      response.end(text ?? `<!doctype html><div id="app"></div><script src="${path}.js"></script>`);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;

  const { path, version, env } = await findBrowser();
  const browser = await chromium.launch({
    executablePath: path,
    args: BROWSER_FLAGS,
    env: { ...process.env, ...env },
  });
  const inContext: Bench['inContext'] = async (work) => {
    const context = await browser.newContext();
    try {
      return await work(context);
    } finally {
      await context.close();
    }
  };
  const inPage: Bench['inPage'] = async (entry, work, context) => {
    if (context === undefined) return inContext((own) => inPage(entry, work, own));
    const page = await context.newPage();
    page.on('pageerror', (error) => {
      process.stderr.write(`${entry}: ${error.stack ?? error.message}\n`);
    });
    try {
      await page.goto(`${origin}/${entry}?viewer=${given.viewer}`);
      return await work(page, await context.newCDPSession(page));
    } finally {
      await page.close();
    }
  };
  return {
    version,
    inPage,
    inContext,
    close: async () => {
      await browser.close();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Passes a request on, and its answer back, each as late as a line of that length makes it. */
function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { port, roundTripMs }: NonNullable<Given['server']>,
): void {
  const { method, url, headers } = request;
  const late = (run: () => void): void => void setTimeout(run, roundTripMs / 2);
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    late(() => {
      const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
        late(() => {
          response.writeHead(answer.statusCode ?? 502, answer.headers);
          answer.pipe(response);
        });
      });
      onward.end(Buffer.concat(chunks));
    });
  });
}

/** As the app is built, but readable, so that a profile names functions. */
async function bundle(entry: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const stats = await new Promise<webpack.Stats>((done, fail) => {
    webpack(
      {
        mode: 'production',
        context: resolve('.'),
        entry: { ...entry },
        output: { path: folder, filename: '[name].js' },
        resolve: {
          extensions: ['.ts', '.tsx', '.js'],
          modules: ['node_modules', join(PEERS, 'node_modules')],
        },
        module: { rules: moduleRules },
        optimization: { minimize: false },
        performance: false,
      },
      (error, result) => {
        if (error !== null || result === undefined) fail(error ?? new Error('Nothing was built'));
        else done(result);
      },
    );
  });
  if (stats.hasErrors()) throw new Error(stats.toString({ preset: 'errors-only' }));
}
