import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export interface Browser {
  readonly path: string;
  /** As it calls itself: "Chromium 143.0.7499.40". */
  readonly version: string;
  /** What its process needs besides our own environment. */
  readonly env: Readonly<Record<string, string>>;
}

/** Flags that work headless, as root and without a network. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const INSTALLED = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

const UNPACKED = resolve('node_modules/.cache/browser');

/** The browser for tests: `CHROME_BIN`, else an installed one, else the one among the packages. */
export async function findBrowser(): Promise<Browser> {
  const named = process.env.CHROME_BIN;
  if (named !== undefined && named !== '') return described(named, {});
  if (process.env.SLIPWAY_OWN_BROWSER === undefined) {
    for (const name of INSTALLED) {
      const path = pathOf(name);
      if (path !== null) return described(path, {});
    }
  }
  return unpacked();
}

function pathOf(command: string): string | null {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder !== '');
  const found = folders.map((folder) => join(folder, command)).find((path) => existsSync(path));
  return found ?? null;
}

function described(path: string, env: Readonly<Record<string, string>>): Browser {
  const output = execFileSync(path, ['--version', '--no-sandbox'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { path, version: output.trim(), env };
}

/** The packaged browser takes its folder from `TMPDIR` and its libraries from a Lambda variable. */
async function unpacked(): Promise<Browser> {
  const whole = join(UNPACKED, 'complete');
  if (!existsSync(whole)) rmSync(UNPACKED, { recursive: true, force: true });
  mkdirSync(UNPACKED, { recursive: true });

  const before = { ...process.env };
  Object.assign(process.env, { AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x', TMPDIR: UNPACKED });
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const path = await chromium.executablePath();
    writeFileSync(join(UNPACKED, 'fonts', 'fonts.conf'), fontsIn(join(UNPACKED, 'fonts')));
    writeFileSync(whole, '');
    return described(path, {
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(UNPACKED, 'fonts'),
    });
  } finally {
    for (const name of ['AWS_LAMBDA_JS_RUNTIME', 'TMPDIR', 'LD_LIBRARY_PATH', 'FONTCONFIG_PATH']) {
      const value = before[name];
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

/** The packaged configuration looks for its fonts in the system's temp folder alone. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
</fontconfig>
`;
}
