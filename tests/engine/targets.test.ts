import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import sharp from 'sharp';
import { build } from '#engine/build/build.ts';
import { logInto } from '#engine/build/log.ts';
import type { BuildOrder } from '#engine/build/order.ts';
import { filesOfZip, inFolder, zipOfFiles } from '../support/zips.ts';

type Files = Readonly<Record<string, string | Buffer>>;

/** Everything a build left: the files of its zip, the other artifacts as text, the log. */
interface Built {
  readonly zip: ReadonlyMap<string, Buffer>;
  readonly bytes: Buffer;
  readonly texts: Readonly<Record<string, string>>;
  readonly lines: readonly string[];
}

const pages: Files = {
  'en/index.md': '# Lake\n\nSome text.',
  'es/index.md': '# Lago\n\nUn texto.',
  'app.json': JSON.stringify({
    name: { en: 'Lake birds', es: 'Aves del lago' },
    description: { en: 'Birds of the lake. And more.', es: 'Aves.' },
    color: '#1b6b63',
    license: 'CC0',
  }),
};
const site: Files = {
  'index.html': '<!doctype html>\r\n<html>\r\n<head><title>A site</title></head><p>Hello',
  'deep/page.html': '<p>No head at all',
  'style.css': 'p { color: red }',
};

function built(target: string, files: Files): Promise<Built> {
  return inFolder(async (folder) => {
    const content = join(folder, 'content.zip');
    writeFileSync(content, zipOfFiles(files));
    mkdirSync(join(folder, 'work'));
    const order: BuildOrder = {
      content,
      folder: join(folder, 'work'),
      targets: [target],
      environment: { PROJECT_NAME: 'Reader', PROJECT_LANGUAGE: 'en', PRODUCT_ID: 'p-1' },
      version: { name: '1.2', code: 3 },
      at: '2026-03-04T05:06:07.000Z',
    };
    const lines: string[] = [];
    const artifacts: Record<string, string> = {};
    const log = logInto((line) => lines.push(line));
    await build(order, log, (all) => {
      for (const { type, path } of all) artifacts[type] = path;
    });
    const packed = artifacts[target] ?? '';
    const isZip = packed.endsWith('.zip');
    const texts = Object.entries(artifacts)
      .filter(([, path]) => path !== packed || !isZip)
      .map(([type, path]) => [type, readFileSync(path, 'utf8')] as const);
    return {
      zip: isZip ? await filesOfZip(packed) : new Map<string, Buffer>(),
      bytes: readFileSync(packed),
      texts: Object.fromEntries(texts),
      lines,
    };
  });
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A picture of one colour. */
const square = (side: number): Promise<Buffer> =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#c80a14' } })
    .png()
    .toBuffer();

describe('the target html', () => {
  it('packs the site that pages become', async () => {
    const { zip } = await built('html', pages);
    expect([...zip.keys()]).to.include.members(['index.html', 'en/index.html', 'es/index.html']);
    expect(zip.get('es/index.html')?.toString()).to.contain('Aves del lago');
  });

  it('packs a site as it is, without app.json', async () => {
    const { zip } = await built('html', { ...site, 'app.json': '{"name": "Mine"}' });
    const texts = [...zip].map(([path, bytes]) => [path, bytes.toString()]);
    expect(Object.fromEntries(texts)).to.deep.equal(site);
  });

  it('makes the same bytes of the same content', async () => {
    const [one, two] = [await built('html', pages), await built('html', pages)];
    expect(sha256(one.bytes)).to.equal(sha256(two.bytes));
  });

  it('comes with its version, a description of it and a preview', async () => {
    const { texts } = await built('html', pages);
    expect(JSON.parse(texts.version ?? '')).to.deep.equal({ version: '1.2', versionCode: 3 });
    expect(texts.about).to.equal(
      'Lake birds\nVersion 1.2 (3)\nBuilt 2026-03-04T05:06:07.000Z\n' +
        'Languages: English (en), Español (es)\nPages: 2\nLicence: CC0\n',
    );
    expect(texts.preview).to.contain('<h1 lang="en" dir="ltr">Lake birds</h1>');
  });
});

describe('the target pwa', () => {
  const manifestOf = (zip: ReadonlyMap<string, Buffer>): unknown =>
    JSON.parse(zip.get('app.webmanifest')?.toString() ?? '');

  it('has a manifest with icons that are there and as large as it says', async () => {
    const { zip } = await built('pwa', pages);
    const manifest = manifestOf(zip) as { readonly icons: readonly Record<string, string>[] };
    expect(manifest).to.include({
      name: 'Lake birds',
      short_name: 'Lake birds',
      start_url: './',
      display: 'standalone',
      theme_color: '#1b6b63',
      lang: 'en',
    });
    expect(manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).to.deep.equal([
      '192x192 any',
      '192x192 maskable',
      '512x512 any',
      '512x512 maskable',
    ]);
    for (const { src = '', sizes } of manifest.icons) {
      const { width, height } = await sharp(zip.get(src)).metadata();
      expect(`${width}x${height}`).to.equal(sizes);
    }
  });

  it('has maskable icons without a clear pixel, in the app’s colour at the edges', async () => {
    const { zip } = await built('pwa', pages);
    const picture = sharp(zip.get('app-icons/maskable-192.png')).ensureAlpha();
    const pixels = await picture.raw().toBuffer();
    expect([...pixels.subarray(0, 4)]).to.deep.equal([0x1b, 0x6b, 0x63, 255]);
    expect(pixels.filter((value, i) => i % 4 === 3 && value !== 255)).to.have.length(0);
  });

  it('takes the icon that app.json names', async () => {
    const files = { ...site, 'icon.png': await square(64), 'app.json': '{"icon": "icon.png"}' };
    const { zip } = await built('pwa', files);
    const pixels = await sharp(zip.get('app-icons/192.png')).ensureAlpha().raw().toBuffer();
    expect([...pixels.subarray(0, 4)]).to.deep.equal([200, 10, 20, 255]);
  });

  const noIcons: Readonly<Record<string, () => Promise<Buffer>>> = {
    'is not a PNG': () => Promise.resolve(Buffer.from('x'.repeat(100))),
    'is a picture of another format': async () =>
      sharp(await square(64))
        .webp()
        .toBuffer(),
    'is cut off': async () => (await square(64)).subarray(0, 80),
    'has less than 48 pixels a side': () => square(47),
    'has more than 4096 pixels a side': () => square(4_097),
  };
  for (const [what, iconOf] of Object.entries(noIcons))
    it(`makes a plain icon when the one named ${what}, and says so`, async () => {
      const icon = await iconOf();
      const files = { ...site, 'icon.png': icon, 'app.json': '{"icon": "icon.png"}' };
      const { zip, lines } = await built('pwa', files);
      expect(zip.has('app-icons/512.png')).to.equal(true);
      expect(lines.filter((line) => line.includes('a plain one is used'))).to.have.length(1);
    });

  it('makes a plain icon when the one named is not in the content, and says so', async () => {
    const { zip, lines } = await built('pwa', {
      ...site,
      'app.json': '{"icon": "../../icon.png"}',
    });
    expect(zip.has('app-icons/512.png')).to.equal(true);
    expect(lines.filter((line) => line.includes('a plain one is used'))).to.have.length(1);
  });

  it('keeps every file of the app by what its bytes are known by', async () => {
    const { zip } = await built('pwa', pages);
    const worker = zip.get('app-worker.js')?.toString() ?? '';
    const self: { APP_FILES?: [string, string][] } = {};
    runInNewContext(worker.slice(0, worker.indexOf('\n')), { self });
    const kept = new Map(self.APP_FILES);
    const expected = [...zip].filter(([path]) => path !== 'app-worker.js');
    expect([...kept.keys()].sort()).to.deep.equal(expected.map(([path]) => path).sort());
    for (const [path, bytes] of expected)
      expect(kept.get(path)).to.equal(sha256(bytes).slice(0, 16));
  });

  it('puts its links into the pages of a site, from wherever they are, and nothing else', async () => {
    const { zip } = await built('pwa', site);
    const home = zip.get('index.html')?.toString() ?? '';
    const added =
      /<link rel="manifest" href="\.\/app\.webmanifest">.*<script src="\.\/app-register\.js" defer><\/script>/.exec(
        home,
      )?.[0];
    expect(home.replace(added ?? '', '')).to.equal(site['index.html']);
    expect(home).to.match(/^<!doctype html>\r\n<html>\r\n<head><link rel="manifest"/);
    expect(zip.get('deep/page.html')?.toString()).to.contain('href="../app.webmanifest"');
  });

  it('leaves the bytes of a page in another encoding as they are', async () => {
    const latin = Buffer.from('<head><meta charset="iso-8859-1"></head>caf\u00e9', 'latin1');
    const { zip } = await built('pwa', { 'index.html': latin });
    expect(zip.get('index.html')?.subarray(-4)).to.deep.equal(Buffer.from('caf\u00e9', 'latin1'));
  });

  it('leaves a site alone that is an app already', async () => {
    const own = {
      'index.html': '<head><link rel="manifest" href="my.json"></head><script src="a.js"></script>',
      'a.js': "navigator.serviceWorker.register('sw.js')",
    };
    const { zip } = await built('pwa', own);
    expect([...zip.keys()]).to.deep.equal(['a.js', 'index.html']);
    expect(zip.get('index.html')?.toString()).to.equal(own['index.html']);
  });

  it('can be built again from what it made', async () => {
    const { zip } = await built('pwa', site);
    const again = await built('pwa', Object.fromEntries(zip));
    expect([...again.zip.keys()]).to.deep.equal([...zip.keys()]);
    expect(again.zip.get('index.html')).to.deep.equal(zip.get('index.html'));
  });
});

describe('the target asset-package', () => {
  it('has a manifest with the size and checksum of every file', async () => {
    const { zip } = await built('asset-package', pages);
    const manifest = JSON.parse(zip.get('manifest.json')?.toString() ?? '') as {
      readonly files: readonly { path: string; size: number; sha256: string }[];
    };
    expect(manifest).to.deep.include({
      id: 'p-1',
      name: 'Lake birds',
      version: '1.2',
      versionCode: 3,
      languages: ['en', 'es'],
      names: { en: 'Lake birds', es: 'Aves del lago' },
      start: 'content/index.html',
    });
    const actual = [...zip]
      .filter(([path]) => path !== 'manifest.json')
      .map(([path, bytes]) => ({ path, size: bytes.length, sha256: sha256(bytes) }));
    const byPath = (all: readonly { path: string }[]) =>
      [...all].sort((a, b) => a.path.localeCompare(b.path));
    expect(byPath(manifest.files)).to.deep.equal(byPath(actual));
  });

  it('can be looked at before it is unpacked', async () => {
    const { texts } = await built('asset-package', pages);
    const preview = texts['asset-preview'] ?? '';
    expect(preview).to.contain('content/en/index.html').and.to.contain('Lake birds');
    expect(preview).not.to.match(/(src|href)="(?!data:)/);
  });
});

describe('[12] the target play-listing', () => {
  it('writes the texts of every language, and a manifest of them', async () => {
    const { texts } = await built('play-listing', pages);
    expect(JSON.parse(texts['play-listing-manifest'] ?? '')).to.deep.include({
      icon: 'en/images/icon/icon.png',
      color: '#1b6b63',
      'default-language': 'en',
      languages: ['en', 'es'],
      files: [
        'en/title.txt',
        'en/short_description.txt',
        'en/full_description.txt',
        'es/title.txt',
        'es/short_description.txt',
        'es/full_description.txt',
      ],
    });
    expect(texts['play-listing']).to.contain('Aves del lago');
  });

  it('cuts what the store would not take, and says so', async () => {
    const name = 'A very long name of an app that says too much';
    const { texts, lines } = await built('play-listing', {
      ...site,
      'app.json': JSON.stringify({ name, description: 'x'.repeat(100) }),
    });
    expect(lines).to.include(
      'Note: The listing’s title in en is cut: the store takes 30 characters.',
    );
    expect(texts['play-listing']).to.contain('A very long name of an app…');
  });
});

describe('an order that cannot be carried out', () => {
  const failure = (target: string) =>
    built(target, pages).then(
      () => 'built',
      (error: unknown) => (error as Error).message,
    );

  it('names the target that is not known', async () => {
    expect(await failure('ipa')).to.contain('There is no target "ipa"; there are html, pwa,');
  });
});
