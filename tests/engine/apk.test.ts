import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import sharp from 'sharp';
import { newSigningKey } from '#engine/android/certificate.ts';
import type { SigningKey } from '#engine/android/certificate.ts';
import { packageNameOf } from '#engine/android/package-name.ts';
import { build } from '#engine/build/build.ts';
import { BuildFailure } from '#engine/build/failure.ts';
import { logInto } from '#engine/build/log.ts';
import type { BuildOrder, BuiltFile } from '#engine/build/order.ts';
import { runBuild } from '#engine/build/runner.ts';
import type { BuildLimits } from '#engine/build/runner.ts';
import { androidAppAt, siteOf } from '../support/android-app.ts';
import type { AndroidApp } from '../support/android-app.ts';
import { bringAndroidTools } from '../support/android-tools.ts';
import { filesOfZip, inFolder, zipOfFiles } from '../support/zips.ts';

type Files = Readonly<Record<string, string | Buffer>>;

const pages: Files = {
  'en/index.md': '# Lake\n\nSome text.',
  'es-419/index.md': '# Lago\n\nUn texto.',
  'app.json': JSON.stringify({
    name: { en: 'Lake birds', 'es-419': 'Aves del lago' },
    color: '#1b6b63',
  }),
};
const site: Files = { 'index.html': '<!doctype html><p>Hello' };
const MINUTES_MS = 10 * 60_000;

interface Built {
  readonly app: AndroidApp;
  readonly bytes: Buffer;
  readonly made: readonly BuiltFile[];
  readonly lines: readonly string[];
  /** Everything below the build's folder when it had ended. */
  readonly left: readonly Buffer[];
}

describe('the target apk', () => {
  let key: SigningKey;

  before(async function () {
    this.timeout(MINUTES_MS);
    await bringAndroidTools();
    key = await newSigningKey('Slipway test', new Date('2026-03-04'));
  });

  const orderFor = (folder: string, files: Files, targets: readonly string[]): BuildOrder => {
    const content = join(folder, 'content.zip');
    writeFileSync(content, zipOfFiles(files));
    mkdirSync(join(folder, 'work'));
    return {
      content,
      folder: join(folder, 'work'),
      targets,
      environment: { PROJECT_NAME: 'Reader', PROJECT_LANGUAGE: 'en' },
      version: { name: '1.2', code: 3 },
      at: '2026-03-04T05:06:07.000Z',
      identity: { packageName: 'org.lakeside.birds', ...key },
    };
  };

  const built = (files: Files): Promise<Built> =>
    inFolder(async (folder) => {
      const lines: string[] = [];
      const made: BuiltFile[] = [];
      const order = orderFor(folder, files, ['apk']);
      await build(
        order,
        logInto((line) => lines.push(line)),
        (all) => made.push(...all),
      );
      const path = made.find(({ type }) => type === 'apk')?.path ?? '';
      const paths = readdirSync(order.folder, { recursive: true, encoding: 'utf8' });
      const left = paths.map((name) => join(order.folder, name));
      return {
        app: await androidAppAt(path),
        bytes: readFileSync(path),
        made,
        lines,
        left: left.filter((name) => statSync(name).isFile()).map((name) => readFileSync(name)),
      };
    });

  let firstBuild: Promise<Built> | null = null;
  /** The app of `pages`, built once for all who only look at it: each build takes seconds. */
  const builtOnce = () => (firstBuild ??= built(pages));

  it('makes an app that phones install, named in each language', async () => {
    const { app, made } = await builtOnce();
    expect(app).to.include({
      packageName: 'org.lakeside.birds',
      versionCode: 3,
      versionName: '1.2',
      activity: 'app.slipway.Reader',
    });
    expect(app.sdk).to.deep.equal([21, 36]);
    expect(app.names).to.deep.equal({
      '': 'Lake birds',
      en: 'Lake birds',
      'es-419': 'Aves del lago',
    });
    expect(app.schemes).to.deep.equal(['v1', 'v2', 'v3']);
    const files = made.map(({ type, filename, contentType }) => [type, filename, contentType]);
    expect(files.slice(0, 2)).to.deep.equal([
      ['apk', 'lake-birds-1.2.apk', 'application/vnd.android.package-archive'],
      ['package_name', 'package_name.txt', 'text/plain; charset=utf-8'],
    ]);
    const others = files.slice(2).map(([type]) => type);
    expect(others).to.deep.equal(['about', 'version', 'preview']);
  });

  it('has the very site that the target html packs', async () => {
    await inFolder(async (folder) => {
      const made = new Map<string, string>();
      await build(
        orderFor(folder, pages, ['html', 'apk']),
        logInto(() => undefined),
        (all) => {
          for (const { type, path } of all) made.set(type, path);
        },
      );
      const app = await androidAppAt(made.get('apk') ?? '');
      expect(siteOf(app)).to.deep.equal(await filesOfZip(made.get('html') ?? ''));
    });
  });

  it('has every file, whatever it is called', async () => {
    const odd: Files = {
      ...site,
      '.well-known/x.txt': 'a',
      '_private/CVS/y~': 'b',
      'picasa.ini': 'c',
      '.svn/entries': 'd',
      'índex ü 収穫 🌾.html': 'e',
      "it's & (odd) #1 %41.txt": 'f',
      'assets/classes.dex': 'g',
      'META-INF/CERT.RSA': 'h',
      [`deep/${'收穫'.repeat(40)}.txt`]: 'i',
    };
    const { app } = await built(odd);
    const texts = [...siteOf(app)].map(([path, bytes]) => [path, bytes.toString()]);
    expect(Object.fromEntries(texts)).to.deep.equal(odd);
  });

  it('is the same file when it is made again', async () => {
    const [one, two] = [await builtOnce(), await built(pages)];
    const sha256 = ({ bytes }: Built) => createHash('sha256').update(bytes).digest('hex');
    expect(sha256(one)).to.equal(sha256(two));
  });

  it('asks for no permission, unless a site of its own may load more', async () => {
    expect((await builtOnce()).app.permissions).to.deep.equal([]);
    const online = ['android.permission.INTERNET'];
    expect((await built(site)).app.permissions).to.deep.equal(online);
  });

  it('takes names as they are, whatever they would mean to the tools', async () => {
    const names = {
      en: `O'Brien's "birds" <b>&amp;</b> \\n \\u0041 %s %d %`,
      es: '@string/name',
      fr: '?android:attr/theme',
      de: '@null',
      he: '🌾 ציפורים',
      'zh-Hant-TW': '收穫]]><!--',
      'sr-Latn': '</string><string name="icon">x',
    };
    const { app } = await built({ ...site, 'app.json': JSON.stringify({ name: names }) });
    expect(app.names).to.deep.equal({ ...names, '': names.en, iw: names.he });
  });

  it('puts a name of several lines into one', async () => {
    const name = 'Lake\r\n  birds\u0007\ud83c!';
    const { app } = await built({ ...site, 'app.json': JSON.stringify({ name }) });
    expect(app.names['']).to.equal('Lake birds \ufffd!');
  });

  it('says which languages phones cannot tell apart', async () => {
    const name = { en: 'Birds', 'de-x-lake': 'Vögel', 'en-a-bbb-x-c': 'Birdies' };
    const { app, lines } = await built({ ...site, 'app.json': JSON.stringify({ name }) });
    expect(app.names).to.deep.equal({ '': 'Birds', en: 'Birds' });
    expect(lines.filter((line) => line.includes('tell the language'))).to.deep.equal([
      'Note: Phones cannot tell the language de-x-lake apart: it has no name of its own.',
      'Note: Phones cannot tell the language en-a-bbb-x-c apart: it has no name of its own.',
    ]);
  });

  it('has its icon in every density, and one that launchers cut themselves', async () => {
    const { app } = await builtOnce();
    const pictures = [...app.files].filter(([path]) => path.endsWith('.png'));
    const sides = await Promise.all(
      pictures.map(async ([path, bytes]) => {
        const { width, height } = await sharp(bytes).metadata();
        return `${path.replace(/^res\/mipmap-(\w+)-v4\//, '$1 ')} ${width}x${height}`;
      }),
    );
    expect(sides).to.deep.equal([
      'hdpi icon.png 72x72',
      'hdpi icon_front.png 162x162',
      'mdpi icon.png 48x48',
      'mdpi icon_front.png 108x108',
      'xhdpi icon.png 96x96',
      'xhdpi icon_front.png 216x216',
      'xxhdpi icon.png 144x144',
      'xxhdpi icon_front.png 324x324',
      'xxxhdpi icon.png 192x192',
      'xxxhdpi icon_front.png 432x432',
    ]);
    expect([...app.files.keys()]).to.include('res/mipmap-anydpi-v26/icon.xml');
  });

  it('leaves nothing of the key in its folder or its log', async () => {
    const { left, lines } = await builtOnce();
    const told = Buffer.concat([...left, Buffer.from(lines.join('\n'))]);
    const secret = Buffer.from(key.privateKey.replace(/-----.*?-----|\s/g, ''), 'base64');
    // From its end: what comes before is in the certificate too.
    expect(told.includes(secret.subarray(-64, -16))).to.equal(false);
    expect(told.includes(key.privateKey.slice(-120, -60))).to.equal(false);
    expect(told.includes('PRIVATE KEY')).to.equal(false);
  });

  it('says which packages are missing where the tools are not installed', async () => {
    const before = process.env.PATH;
    const lines: string[] = [];
    const failed = await inFolder(async (folder) => {
      process.env.PATH = folder;
      const log = logInto((line) => lines.push(line));
      return build(orderFor(folder, pages, ['apk']), log, () => undefined).catch(
        (error: unknown) => error,
      );
    }).finally(() => {
      process.env.PATH = before;
    });
    expect(failed).to.be.instanceOf(BuildFailure);
    expect((failed as Error).message).to.equal(
      'Android build tools are missing on the server; the log names them.',
    );
    expect(lines.at(-1)).to.equal(
      'On Debian, install them with: apt install default-jre-headless aapt zipalign ' +
        'android-framework-res apksigner libsmali-java',
    );
  });

  it('fails for an app of nobody', async () => {
    const failed = await inFolder(async (folder) => {
      const { identity, ...order } = orderFor(folder, pages, ['apk']);
      expect(identity).not.to.equal(undefined);
      return build(
        order,
        logInto(() => undefined),
        () => undefined,
      ).catch((error: unknown) => error);
    });
    expect((failed as Error).message).to.equal('Only the app of an organization can be signed.');
  });

  describe('while a tool is at work', () => {
    const limits: BuildLimits = { timeMs: MINUTES_MS, memoryMb: 1_024, diskMb: 200 };

    it('leaves it not behind when the build is cancelled', async () => {
      const { error } = await stuck('sleep 300', limits, 'cancels');
      expect(error).to.equal('The build was cancelled.');
    });

    it('leaves it not behind when the build takes too long', async () => {
      const { error } = await stuck('sleep 300', { ...limits, timeMs: 10_000 });
      expect(error).to.equal('The build was stopped at its limit of time, 10 seconds.');
    });

    it('counts its memory', async () => {
      const takes = `${process.execPath} -e "globalThis.a = Buffer.alloc(7e8, 1); setInterval(Object, 1e6)"`;
      const { error } = await stuck(takes, { ...limits, memoryMb: 600 });
      expect(error).to.equal('The build was stopped at its limit of memory, 600 MB.');
    });

    it('leaves it not behind when whoever asked for the build is gone', async () => {
      await stuck('sleep 300', limits, 'dies');
    });
  });

  /**
   * A build whose Java does `instead` until it is ended. Resolves when nothing of that is left:
   * all that comes of it holds the pipe open.
   */
  const stuck = (
    instead: string,
    limits: BuildLimits,
    asker: 'waits' | 'cancels' | 'dies' = 'waits',
  ) =>
    inFolder(async (folder): Promise<{ readonly error: string | null }> => {
      const pipe = join(folder, 'pipe');
      execFileSync('/usr/bin/mkfifo', [pipe]);
      const holding = createReadStream(pipe);
      const [started, ended] = [once(holding, 'data'), once(holding, 'end')];
      const restore = replaceJava(folder, `exec 3>${pipe}\necho started >&3\n${instead}`);
      const order = orderFor(folder, pages, ['apk']);
      try {
        if (asker === 'dies') {
          const server = spawnAsker(order, limits);
          await started;
          server.kill('SIGKILL');
          await ended;
          return { error: null };
        }
        const abort = new AbortController();
        const result = runBuild(order, limits, () => undefined, abort.signal);
        await started;
        if (asker === 'cancels') abort.abort();
        await ended;
        return await result;
      } finally {
        restore();
        holding.destroy();
      }
    });
});

/** Puts a Java on the search path that does `instead`; returns what takes it away. */
function replaceJava(folder: string, instead: string): () => void {
  const before = process.env.PATH ?? '';
  const own = join(folder, 'bin');
  mkdirSync(own);
  writeFileSync(join(own, 'java'), `#!/bin/sh\n${instead}\n`, { mode: 0o755 });
  process.env.PATH = `${own}:${before}`;
  return () => {
    process.env.PATH = before;
  };
}

/** A process that waits for the build, as a server does. */
function spawnAsker(order: BuildOrder, limits: BuildLimits): ChildProcess {
  const runner = new URL('../../src/engine/build/runner.ts', import.meta.url).href;
  const args = [order, limits].map((value) => JSON.stringify(value)).join(', ');
  const source = `import { runBuild } from '${runner}';
    await runBuild(${args}, () => undefined, new AbortController().signal);`;
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    stdio: 'inherit',
  });
}

describe('the package name of an app', () => {
  const product = '0190a5c2-7d3e-7c0f-9a8b-cc2d3e4f5a6b';

  it('is made of its product, unless the product’s properties have one', () => {
    expect(packageNameOf(product, {})).to.equal('app.slipway.p0190a5c27d3e7c0f9a8bcc2d3e4f5a6b');
    expect(packageNameOf(product, { PACKAGE_NAME: '' })).to.match(/^app\.slipway\.p/);
    expect(packageNameOf(product, { PACKAGE_NAME: 'org.lakeside.Birds_2' })).to.equal(
      'org.lakeside.Birds_2',
    );
  });

  for (const name of [
    'birds',
    'org..birds',
    'org.2birds',
    'org.lake side',
    'org.lake" evil="',
    'org.vögel',
    'org.birds\n',
    `org.${'x'.repeat(200)}`,
    'app.slipway.p0190a5c27d3e7c0f9a8bcc2d3e4f5a6b',
    'App.Slipway.mine',
  ])
    it(`is not ${JSON.stringify(name.slice(0, 40))}`, () => {
      expect(() => packageNameOf(product, { PACKAGE_NAME: name })).to.throw(BuildFailure);
    });
});
