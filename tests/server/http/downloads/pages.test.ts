import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { dirname, join } from 'node:path';
import { createHash, randomFillSync } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import fastify from 'fastify';
import sharp from 'sharp';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { downloadRoutes } from '#server/http/downloads/download-routes.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { qrCodeOf } from '#base/qr-code.ts';
import type { Of } from '#schema/index.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse } from '../files/house.ts';
import type { House } from '../files/house.ts';
import type { Name } from '../api/world.ts';

const LISTING = {
  url: 'play-listing/',
  icon: 'icon.png',
  color: '#ffe000',
  'default-language': 'es-419',
  languages: ['en-US', 'es-419', 'ar', 'pt-BR'],
  'download-apk-strings': { en: 'Get it', es: 'Bajar la app' },
  files: ['en-US/title.txt', 'en-US/short_description.txt', 'es-419/title.txt', 'ar/title.txt'],
};
const ICON_PX = 512;
/** A picture that no format makes small. */
const ICON = await sharp(randomFillSync(Buffer.alloc(ICON_PX * ICON_PX * 4)), {
  raw: { width: ICON_PX, height: ICON_PX, channels: 4 },
})
  .png()
  .toBuffer();
const SITE = { html: { filename: 'site.zip', text: 'z'.repeat(2_000) } };
const FILES: Readonly<Record<string, string | Buffer>> = {
  'icon.png': ICON,
  'en-US/title.txt': 'Harvest <b>songs</b>',
  'en-US/short_description.txt': 'Songs & more "here"',
  'es-419/title.txt': 'Cantos',
  'ar/title.txt': 'أغاني',
};

describe('[2.14] a download page [R16]', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let page: string;
  beforeEach(async () => {
    house = await openHouse();
    await bringBuilt(join(house.world.server.dataDir, 'app'));
    page = `/downloads/apk/${house.world.ids.publicProduct}/published`;
    await publish(LISTING, FILES);
  });

  async function publish(
    listing: object,
    listingFiles: Readonly<Record<string, string | Buffer>>,
  ): Promise<void> {
    const { publicProduct } = house.world.ids;
    const built = await house.builds(publicProduct, {
      apk: { filename: 'Harvest.apk', text: 'a'.repeat(4_200) },
      'play-listing-manifest': { filename: 'manifest.json', text: JSON.stringify(listing) },
    });
    const places = enginePathsIn(house.world.server.dataDir);
    for (const [name, text] of Object.entries(listingFiles)) {
      const folder = `builds/${String(built.number)}/1/play-listing-manifest/play-listing`;
      const path = places.absolute(`${folder}/${name}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const apk = { filename: 'Harvest.apk', text: 'a'.repeat(4_200) };
    await house.publishes(built, { apk });
  }

  /** Says `words` of all that is published. */
  const release = (words: Pick<Of<'productPublication'>, 'releaseVersion' | 'releaseNotes'>) =>
    house.world.write(async (w) => {
      const product = house.world.ids.publicProduct;
      for (const { id } of await w.all('productPublication', { product }))
        await w.change('productPublication', id, words);
    });
  const ask = (accepted: string, path = page, who: Name | null = null) =>
    house.get(who, path, { headers: { 'Accept-Language': accepted } });
  const textOf = async (accepted: string, path = page) => (await ask(accepted, path)).text();
  const close = () =>
    house.world.write((w) => w.change('project', house.world.ids.public, { isPublic: false }));

  it('names the host of a file that lies elsewhere, and leads there by itself [F3]', async () => {
    const address = 'https://files.elsewhere.test/harvest.apk?a=1&b=2';
    const { publicProduct } = house.world.ids;
    await house.world.write((w) =>
      w.query(sql`update artifact_addresses set address = ${address}
        from product_artifacts artifact where artifact.id = product_artifact_id
          and artifact.product_id = ${publicProduct} and artifact.artifact_type = 'apk'`),
    );
    for (const path of [page, `/downloads/products/${publicProduct}/files/published/apk`]) {
      const text = await textOf('es-419', path);
      expect(text, path).to.include('El archivo está en <bdi>files.elsewhere.test</bdi>.');
      expect(text, path).to.include('href="https://files.elsewhere.test/harvest.apk?a=1&amp;b=2"');
    }
  });

  it('shows the app, and leads to its file without a script [R169, R423]', async () => {
    const answer = await ask('en-US');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const text = await answer.text();
    expect(text).to.include('<h1 lang="en-US" dir="ltr">Harvest &lt;b&gt;songs&lt;/b&gt;</h1>');
    expect(text).to.include('Songs &amp; more &quot;here&quot;');
    for (const said of [
      'Get it',
      'Version <bdi>1.1</bdi>',
      '4.2 kB',
      'role="img"',
      'choose Install',
    ])
      expect(text).to.include(said);
    const [, link = ''] = /<a class="button" href="([^"]+)"/.exec(text) ?? [];
    const file = await house.get(null, link);
    expect(file.status).to.equal(302);
    const [, icon = '', ...sides] =
      /<img src="(\/api\/[^"]+)"[^>]* width="(\d+)" height="(\d+)"/.exec(text) ?? [];
    expect(sides).to.have.length(2);
    for (const side of sides) expect(Number(side)).to.be.within(48, 128);
    const [, sheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(text) ?? [];
    const rules = (await (await house.get(null, sheet)).text()).matchAll(/\.app img \{([^}]*)\}/g);
    const drawn = [...rules].flatMap(([, rule = '']) => [
      ...rule.matchAll(/(?:width|height): (\d+)px/g),
    ]);
    expect(drawn.map(([, px]) => Number(px))).to.deep.equal([96, 96, 128, 128]);
    const picture = await house.get(null, icon);
    expect(picture.headers.get('content-type')).to.equal('image/webp');
    const { width, height } = await sharp(await picture.arrayBuffer()).metadata();
    expect(Math.min(width, height)).to.be.at.least(48);
    const tag = picture.headers.get('etag') ?? '';
    const again = await house.get(null, icon, { headers: { 'If-None-Match': tag } });
    expect(again.status).to.equal(304);
  });

  it('says what is new in the app that it offers, as text without links, and its version', async () => {
    const notes = 'Search & more\n<script>alert(1)</script> https://evil.test javascript:alert(1)';
    await release({ releaseVersion: '2.0 <i>', releaseNotes: notes });
    const escaped = 'Search &amp; more\n&lt;script&gt;alert(1)&lt;/script&gt; https://evil.test';
    for (const path of [
      page,
      `/downloads/products/${house.world.ids.publicProduct}/files/published/apk`,
    ]) {
      const text = await textOf('es-419', path);
      expect(text, path).to.include('Versión <bdi>2.0 &lt;i&gt;</bdi>').and.to.include(escaped);
      expect(text, path).to.include('Novedades').and.to.include('<p class="text" dir="auto">');
      expect(text, path).to.not.match(/href="[^"]*evil/);
      expect(text, path).to.not.include('<script>');
    }
  });

  describe('weighs at most 40 kB with all that it refers to, whoever takes it in gzip', () => {
    it('of an app with the longest texts in the most languages, and an icon like noise', async () => {
      const languages = languagesOf(200);
      const files = Object.fromEntries(
        languages.flatMap((language) => [
          [`${language}/title.txt`, noiseOf(1_000)],
          [`${language}/short_description.txt`, noiseOf(10_000)],
        ]),
      );
      await publish(
        { ...LISTING, languages, 'default-language': languages[0], files: Object.keys(files) },
        { ...files, 'icon.png': ICON },
      );
      await release({ releaseVersion: noiseOf(50), releaseNotes: noiseOf(2_000) });
      const { html, bytes } = await weigh(page);
      expect(html.match(/hreflang=/g)).to.have.length(200);
      expect(html).to.include('What is new');
      expect(html).to.include('/published/icon.webp').and.to.include('role="img"');
      expect(bytes).to.be.below(40_000);
    });

    it('of a file of a project with the longest name', async () => {
      const name = noiseOf(250);
      await house.world.write((w) => w.change('project', house.world.ids.public, { name }));
      await release({ releaseVersion: noiseOf(50), releaseNotes: noiseOf(2_000) });
      const path = `/downloads/products/${house.world.ids.publicProduct}/files/published/apk`;
      const { html, bytes } = await weigh(path);
      expect(html).to.include(name);
      expect(bytes).to.be.below(40_000);
    });

    it('of one that has nothing to show, and looks whether a member is here', async () => {
      await close();
      const { html, bytes } = await weigh(page, 404);
      expect(html).to.include('/download-page.js');
      expect(bytes).to.be.below(40_000);
    });
  });

  /** The page, and the bytes on the wire of it and of all that it has a browser load. */
  async function weigh(path: string, status = 200) {
    const read = async (address: string) => {
      const answer = await received(new URL(address, house.world.server.url).href);
      return { ...answer, address };
    };
    const first = await read(path);
    expect(first.status).to.equal(status);
    const html = gunzipped(first).toString();
    const addresses = [...html.matchAll(/<(?:link|img|script)[^>]*?(?:href|src)="([^"]+)"/g)].map(
      ([, address = '']) => address.replaceAll('&amp;', '&'),
    );
    const all = await Promise.all([...new Set(addresses)].map(read));
    for (const { address, status: each } of all) expect(each, address).to.equal(200);
    const bytes = [first, ...all].reduce((sum, { body }) => sum + body.length, 0);
    return { html, bytes };
  }

  const spoken = {
    'en-GB,es;q=0.5': ['en-US', 'Harvest', 'Get it', 'Version <bdi>1.1</bdi>'],
    'de, es-MX;q=0.4, en;q=0.2': ['es-419', 'Cantos', 'Bajar la app', 'Versión <bdi>1.1</bdi>'],
    ja: ['es-419', 'Cantos', 'Bajar la app', 'Versión <bdi>1.1</bdi>'],
    'ar-EG': ['ar', 'أغاني', 'Get it', 'Version <bdi>1.1</bdi>'],
    'pt, fr;q=0.5': ['pt-BR', 'Cantos', 'Get it', 'Version <bdi>1.1</bdi>'],
  };
  for (const [accepted, [language = '', ...said]] of Object.entries(spoken))
    it(`is in ${language} for a browser that asks for ${accepted} [R170, R171, R411]`, async () => {
      const text = await textOf(accepted);
      expect(text).to.include(
        `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`,
      );
      for (const each of said) expect(text).to.include(each);
    });

  it('is there in languages that the engine spells in its own way [R170]', async () => {
    const files = { 'es_mx/title.txt': 'Cantos', ' ar\n/title.txt': 'أغاني' };
    const languages = [...Object.keys(files).map((path) => path.replace('/title.txt', '')), 'x'];
    const spelled = { ...LISTING, languages, 'default-language': 'es_mx' };
    await publish({ ...spelled, files: Object.keys(files) }, files);
    for (const [accepted, lang, title] of [
      ['de', 'es-mx', 'Cantos'],
      ['es-MX', 'es-mx', 'Cantos'],
      ['ar-EG', 'ar', 'أغاني'],
    ] as const) {
      const answer = await ask(accepted);
      expect([answer.status, answer.headers.get('content-language')]).to.deep.equal([200, lang]);
      expect(await answer.text())
        .to.include(`<h1 lang="${lang}" dir="`)
        .and.to.include(title);
    }
  });

  it('is there without characters of its texts that nobody sees and no database stores', async () => {
    const files = {
      'en-US/title.txt': 'Harvest\0 so\u0001ngs',
      'en-US/short_description.txt': 'One.\r\nTwo.\u007f',
    };
    await publish(
      {
        ...LISTING,
        files: Object.keys(files),
        'download-apk-strings': { en: 'a\0\ud83db', es: `${'x'.repeat(249)}😀`, fr: 'c\0' },
      },
      files,
    );
    const text = await textOf('en');
    for (const said of ['>Harvest songs</h1>', '<p class="text">One.\nTwo.</p>', '>ab · <'])
      expect(text).to.include(said);
    expect(await textOf('es')).to.include(`>${'x'.repeat(249)} · <`);
  });

  it('can be had in any other language of the app [R170]', async () => {
    const text = await textOf('en', `${page}?language=es-419`);
    expect(text).to.include('<html lang="es-419"').and.to.include('Cantos');
    expect(text).to.match(
      /href="\?language=ar"\s+lang="ar"\s+dir="rtl"\s+hreflang="ar"\s*>العربية</,
    );
    expect(await textOf('en', `${page}?language=xx`)).to.include('<html lang="en-US"');
  });

  it('has each text in its own direction, whatever stands beside it', async () => {
    const { publicProduct } = house.world.ids;
    const arabic = await textOf('ar');
    expect(arabic).to.include('<html lang="ar" dir="rtl">');
    expect(arabic).to.include('<h1 lang="ar" dir="rtl">أغاني</h1>');
    expect(arabic).to.include('<title>\u2068أغاني\u2069 · Slipway</title>');
    // The app has no title in that language: it is shown in another one.
    expect(await textOf('pt')).to.include('<h1 lang="es-419" dir="ltr">Cantos</h1>');

    await house.world.write((w) =>
      w.change('project', house.world.ids.public, { name: 'قصص النهر (2)' }),
    );
    const path = `/downloads/products/${publicProduct}/files/published/apk`;
    expect(await textOf('en', path)).to.include('<h1><bdi>قصص النهر (2)</bdi></h1>');
  });

  it('has a code for phones with its address, of an app and of a file', async () => {
    const { publicProduct } = house.world.ids;
    const { publicUrl } = house.world.server.parts.config;
    const file = `/downloads/products/${publicProduct}/files/published/apk`;
    for (const path of [page, file]) {
      const text = await textOf('en', path);
      expect(text).to.include('aria-label="QR code of this page"');
      expect(text, path).to.include(` d="${qrCodeOf(`${publicUrl}${path}`).path}"`);
    }
  });

  it('leads its team to the project, others to the directory, and strangers nowhere', async () => {
    const { public: project, publicProduct } = house.world.ids;
    const file = `/downloads/products/${publicProduct}/files/published/apk`;
    const linkFor = async (who: Name | null, path: string) => {
      const text = await (await ask('en', path, who)).text();
      return /<a href="([^"]+)">Open the project<\/a>/.exec(text)?.[1] ?? null;
    };
    for (const path of [page, file]) {
      for (const who of ['builder', 'admin', 'super'] as const)
        expect(await linkFor(who, path), who).to.equal(`/projects/${project}`);
      for (const who of ['member', 'stranger'] as const)
        expect(await linkFor(who, path), who).to.equal(`/directory/${project}`);
      expect(await linkFor(null, path)).to.equal(null);
      const door = await textOf('en', path);
      expect(door).to.include('<script src="/download-door.js" defer></script>');
    }
    await close();
    expect(await linkFor('builder', page)).to.equal(`/projects/${project}`);
    expect(await linkFor('member', page)).to.equal(null);
  });

  it('has a button in the colour of the app, with a text that can be read on it [R169]', async () => {
    const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(await textOf('en')) ?? [];
    const css = await house.get(null, style);
    expect(css.headers.get('content-type')).to.include('text/css');
    expect(await css.text()).to.include('--app: #ffe000; --on-app: #000000;');
    const strange = await textOf('en', '/downloads/page.css?color=%7D%7Dbody');
    expect(strange).to.include('--app: #0a5aa8; --on-app: #ffffff;');
  });

  it('of a single file names it by its type [R168]', async () => {
    const { publicProduct } = house.world.ids;
    const path = `/downloads/products/${publicProduct}/files/published/apk`;
    const text = await textOf('fr', path);
    expect(text).to.include('<html lang="fr-FR"').and.to.include('<h1><bdi>Öffentlich</bdi></h1>');
    const [, button = ''] =
      /<a class="button" href="\/api\/products\/[^"]+\/files\/published\/apk"[^>]*>(.*?)<\/a>/s.exec(
        text,
      ) ?? [];
    expect(button.replaceAll(/<[^>]+>/g, ' ')).to.match(
      /^\s*Télécharger pour Android · +4,2\sko +APK\s*$/,
    );
    expect(text).to.match(/<time datetime="20/);
  });

  it('says first what it is and whose, and gives the checksum of the file to compare with', async () => {
    const { publicProduct } = house.world.ids;
    await house.world.write((w) =>
      w.change('organization', house.world.ids.lakeside, { name: 'Lake <Press>' }),
    );
    const sha256 = createHash('sha256').update('a'.repeat(4_200)).digest('hex');
    for (const path of [page, `/downloads/products/${publicProduct}/files/published/apk`]) {
      const text = await textOf('en', path);
      expect(text, path).to.include('by <bdi>Lake &lt;Press&gt;</bdi>');
      expect(text, path).to.include('SHA-256 checksum');
      expect(text.replaceAll('<wbr />', ''), path).to.include(`<code>${sha256}</code>`);
      expect(text.indexOf('</h1>'), path).to.be.below(text.indexOf('Lake &lt;Press'));
    }
    await house.world.server.parts.db.transact((tx) =>
      tx.query(sql`update engine_releases set files =
        (select jsonb_agg(file - 'sha256') from jsonb_array_elements(files) file)`),
    );
    expect(await textOf('en')).not.to.include('SHA-256');
  });

  it('of a file of an app shows the app’s icon, and that of another what kind it is', async () => {
    const path = `/downloads/products/${house.world.ids.publicProduct}/files/published/apk`;
    expect(await textOf('en', path)).to.include('/published/icon.webp');
    await publish({ ...LISTING, icon: null }, {});
    for (const at of [page, path]) expect(await textOf('en', at)).to.include('class="tile"');
  });

  it('of a file that was published as a site elsewhere leads to the site before the file', async () => {
    const { publicProduct } = house.world.ids;
    const site = 'https://songs.lakeside.test/?a=1&b=2';
    const path = `/downloads/products/${publicProduct}/files/published/html`;
    await house.publishes(await house.builds(publicProduct, SITE), SITE);
    const put = (publishLink: string) =>
      house.world.write((w) => w.change('product', publicProduct, { publishLink }));
    const linksOf = async () =>
      [...(await textOf('en', path)).matchAll(/<a class="(button|plain)" href="([^"]+)"/g)].map(
        ([, look, href]) => [look, href],
      );
    const file = `/api/products/${publicProduct}/files/published/html`;
    await put(site);
    // An app that is in a store is a file all the same.
    expect(await linksOf()).to.deep.equal([['button', file]]);

    await house.world.write(async (w) => {
      const [html] = await w.all('productDefinition', { name: 'HTML Site to Cloud Provider' });
      await w.change('product', publicProduct, { productDefinition: html?.id ?? '' });
    });
    expect(await linksOf()).to.deep.equal([
      ['button', site.replaceAll('&', '&amp;')],
      ['plain', file],
    ]);
    expect(await textOf('en', path)).to.include('The site is at <bdi>songs.lakeside.test</bdi>.');
    // The server may have been reached by another name when it was published.
    const own = [house.world.server.parts.config.publicUrl, 'https://before.slipway.test:8443'];
    for (const other of [...own.map((home) => `${home}${path}`), 'ftp://x', 'x']) {
      await put(other);
      expect(await linksOf(), other).to.deep.equal([['button', file]]);
    }
  });

  it('says that there is nothing where a stranger may have nothing [R335, R336]', async () => {
    const { publicProduct, product } = house.world.ids;
    await close();
    for (const path of [
      page,
      `/downloads/products/${publicProduct}/files/published/apk`,
      `/downloads/apk/${product}/published`,
      '/downloads/apk/org.nobody/published',
      '/downloads/apk/%3Cscript%3E/published',
    ]) {
      for (const who of [null, 'stranger'] as const)
        expect((await ask('es', path, who)).status).to.equal(404);
      const text = await textOf('es', path);
      expect(text).to.include('<h1>Este archivo no está disponible</h1>');
      expect(text).not.to.include('Öffentlich').and.not.to.include('<script>');
    }
  });

  it('is there for members, and the page for others looks whether one is here', async () => {
    await close();
    const answer = await ask('en', page, 'member');
    expect(answer.status).to.equal(200);
    expect(await answer.text()).to.include('Get it');
    expect(await textOf('en')).to.include('<script src="/download-page.js"></script>');
  });

  it('says in its own words that it takes no more of one address in a minute', async () => {
    const app = fastify();
    const { parts: services } = house.world.server;
    const options = { ...services, timers: systemTimers, failed: () => undefined };
    const limits = openLimits(options, { most: { requestsOfAddress: 0 } });
    downloadRoutes(app, { ...services, limits });
    const answer = await app.inject({ url: page, headers: { 'accept-language': 'fr' } });
    expect(answer.statusCode).to.equal(429);
    expect(answer.headers['retry-after']).to.equal('60');
    expect(answer.body).to.include('Réessayer').and.to.include(`href="${page}"`);
  });
});

/** What a build adds to `folder` for download pages. */
async function bringBuilt(folder: string): Promise<void> {
  cpSync('public/icons', join(folder, 'icons'), { recursive: true });
  await build({
    entryPoints: ['src/download-page.ts', 'src/download-door.ts'],
    bundle: true,
    minify: true,
    outdir: folder,
  });
}

/** Tags of languages that there are, each in its own country. */
function languagesOf(number: number): readonly string[] {
  const regions = 'EG SA MA IQ DZ SD YE SY TN JO LB LY PS OM KW MR QA BH AE IL'.split(' ');
  const languages = 'ar he fa ur ps sd ug yi dv ku'.split(' ');
  return languages.flatMap((tag) => regions.map((region) => `${tag}-${region}`)).slice(0, number);
}

/** Text that takes three bytes for each character and that nothing compresses: Chinese by chance. */
function noiseOf(length: number): string {
  const chances = randomFillSync(new Uint16Array(length));
  return Array.from(chances, (chance) => String.fromCharCode(0x4e00 + (chance % 0x5000))).join('');
}

interface Received {
  readonly status: number;
  readonly encoding: string;
  /** As it comes on the wire. */
  readonly body: Buffer;
}

/** What a browser receives that takes gzip alone; `fetch` would unpack it. */
function received(address: string): Promise<Received> {
  return new Promise((done, fail) => {
    const headers = { 'accept-encoding': 'gzip', 'accept-language': 'en', connection: 'close' };
    get(address, { headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { statusCode: status = 0, headers: got } = answer;
        const encoding = got['content-encoding'] ?? 'identity';
        done({ status, encoding, body: Buffer.concat(chunks) });
      });
      answer.on('error', fail);
    }).on('error', fail);
  });
}

const gunzipped = ({ encoding, body }: Received): Buffer =>
  encoding === 'gzip' ? gunzipSync(body) : body;
