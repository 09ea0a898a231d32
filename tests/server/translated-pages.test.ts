// Covers the pages of server/http/help, server/http/reference and server/http/downloads.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import fastify from 'fastify';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { LOCALES } from '#schema/user.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import { downloadRoutes } from '#server/http/downloads/download-routes.ts';
import { readGuide } from '#server/http/help/guide.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import english from '#text/en-US.json' with { type: 'json' };
import { translate } from '#text/say.ts';
import { ROWS } from '../end-to-end/route-table.ts';
import { PseudoReader, READER, ReadingBrowser, sayInPseudo } from '../support/pseudo-server.ts';
import { START_WITHIN_MS } from './http/api/world.ts';
import type { Name } from './http/api/world.ts';
import { openHouse } from './http/files/house.ts';
import type { House } from './http/files/house.ts';

const HOST = 'files.elsewhere.test';
/** The languages of an app, of which it has ours in one version alone. */
const LANGUAGES = ['ar', 'pt-BR'];
const TEXTS: Readonly<Record<string, string>> = {
  'ar/title.txt': 'أغاني',
  'pt-BR/title.txt': 'Cantos',
  'pt-BR/short_description.txt': 'Cantos da colheita',
  'fr/title.txt': 'Chants',
};
/** Names of people and things, what people typed, file names, and languages by their own names. */
const DATA = [
  ...[
    'Öffentlich',
    'Lakeside Press',
    'Harvest.apk',
    'APK',
    'build-console.txt',
    'publication-console.txt',
    'TXT',
    '1.1',
    '1.4',
    'Novo canto',
    'Bixar',
  ],
  ...Object.values(TEXTS),
  ...['العربية', 'Português (Brasil)', 'Français', HOST],
];

describe('a page of the server', function () {
  this.timeout(START_WITHIN_MS);
  const reader = new PseudoReader(DATA);
  const visited = new Set<string>();
  let house: House;
  let putBack: () => void;
  before(async () => {
    house = await openHouse();
    for (const { title } of readGuide().pages) reader.know(title);
    for (const { name } of await house.world.write((w) => w.all('productDefinition', {})))
      reader.know(name);
    putBack = sayInPseudo();
  });
  after(() => {
    putBack();
  });

  /** Opens `path`, as one of the people or as nobody. */
  const open = (path: string, who: Name | null = null) => {
    const { server, people } = house.world;
    const headers: Record<string, string> =
      who === null ? {} : { Authorization: `Bearer ${people[who].token}` };
    return new ReadingBrowser(server.url, reader, visited, headers).ask(path);
  };
  const saidAll = () => {
    expect(reader.found.splice(0)).to.deep.equal([]);
  };

  /** Publishes an app of `languages`, whose button says `strings`. */
  async function publish(
    languages: readonly string[],
    strings: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { publicProduct } = house.world.ids;
    const files = Object.keys(TEXTS).filter((name) => languages.includes(dirname(name)));
    const listing = {
      ...{ url: 'play-listing/', color: '#ffe000', 'default-language': languages[0], languages },
      ...{ 'download-apk-strings': strings, files },
    };
    const built = await house.builds(publicProduct, {
      apk: { filename: 'Harvest.apk', text: 'a'.repeat(4_200) },
      consoleText: { filename: 'console.txt', text: 'Done' },
      'play-listing-manifest': { filename: 'manifest.json', text: JSON.stringify(listing) },
    });
    const places = enginePathsIn(house.world.server.dataDir);
    for (const name of files) {
      const folder = `builds/${String(built.number)}/1/play-listing-manifest/play-listing`;
      const path = places.absolute(`${folder}/${name}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, TEXTS[name] ?? '');
    }
    const { id: publication } = await house.publishes(built, {
      apk: { filename: 'Harvest.apk', text: 'a'.repeat(4_200) },
      consoleText: { filename: 'console.txt', text: 'Done' },
    });
    await house.world.write((w) =>
      w.query(sql`update product_publications
        set release_version = '1.4', release_version_key = '1.4', release_notes = 'Novo canto'
        where id = ${publication}`),
    );
    last = { build: built.id, artifact: built.artifacts.apk ?? '', publication };
  }
  let last = { build: '', artifact: '', publication: '' };

  it('of the help says all in a text of its reader’s language', async () => {
    for (const { kind, pattern } of ROWS) {
      if (kind !== 'server' || !pattern.startsWith('/help/')) continue;
      const hasEnglish = pattern.startsWith('/help/guide/') || pattern === '/help/api';
      const answer = await fetch(`${house.world.server.url}${pattern}`, {
        headers: { 'Accept-Language': READER },
      });
      expect(answer.status, pattern).to.equal(200);
      reader.html(pattern, await answer.text(), hasEnglish);
      visited.add(pattern);
    }
    saidAll();
  });

  it('of a published app says all in a text of its reader’s language, or in the app’s own', async () => {
    const page = `/downloads/apk/${house.world.ids.publicProduct}/published`;
    await publish(LANGUAGES, {});
    for (const language of LANGUAGES) await open(`${page}?language=${language}`);
    await open(page, 'builder');
    await publish(['fr', ...LANGUAGES], { pt: 'Bixar' });
    await open(page, 'member');
    await open(`${page}?language=pt-BR`);
    saidAll();
  });

  it('of a file says all in a text of its reader’s language', async () => {
    const { publicProduct } = house.world.ids;
    const page = `/downloads/products/${publicProduct}/files/published/apk`;
    await open(page);
    const { build, artifact, publication } = last;
    for (const file of [
      `product-artifacts/${artifact}/content`,
      `product-builds/${build}/console`,
      `product-publications/${publication}/console`,
    ])
      for (const who of [null, 'builder'] as const) await open(`/downloads/${file}`, who);
    await house.world.write((w) =>
      w.query(sql`update artifact_addresses set address = ${`https://${HOST}/harvest.apk`}
        from product_artifacts artifact where artifact.id = product_artifact_id
          and artifact.product_id = ${publicProduct} and artifact.artifact_type = 'apk'`),
    );
    await open(page);
    await house.world.write(async (w) => {
      const [html] = await w.all('productDefinition', { name: 'HTML Site to Cloud Provider' });
      await w.change('product', publicProduct, {
        ...{ productDefinition: html?.id ?? '', publishLink: `https://${HOST}/songs/` },
      });
    });
    await open(page);
    saidAll();
  });

  it('in place of a file says all in a text of its reader’s language', async () => {
    await open('/downloads/apk/org.nobody/published');
    const app = fastify();
    const { parts: services } = house.world.server;
    const options = { ...services, timers: systemTimers, failed: () => undefined };
    const limits = openLimits(options, { most: { requestsOfAddress: 0 } });
    downloadRoutes(app, { ...services, limits });
    const url = '/downloads/apk/org.nobody/published';
    const answer = await app.inject({ url, headers: { 'accept-language': READER } });
    expect(answer.statusCode).to.equal(429);
    reader.html('too many requests', answer.body);
    saidAll();
  });

  it('of the app says without scripts what it needs, in each language', () => {
    const [, said = ''] =
      /<noscript>([^]*)<\/noscript>/.exec(readFileSync('public/index.html', 'utf8')) ?? [];
    // What has no language of its own is in that of the page.
    const languages = [...said.matchAll(/<p(?: lang="([^"]+)")?>/g)].map(([, lang]) => lang);
    expect(languages).to.have.members([undefined, ...LOCALES.filter((each) => each !== 'en-US')]);
  });

  it('would be found out by a word in no text, an English date or number, and a wrong language', () => {
    const planted = new PseudoReader(['Ana']);
    const texts = ['Ana', 'Hello', '27 novembre 2026', 'November 27, 2026', '1,500', '1 500'];
    const said = translate(READER, 'help.title');
    planted.html(
      'planted',
      `<html lang="${READER}"><title>Slipway</title><img alt="Picture">
        ${texts.map((text) => `<p>${text}</p>`).join('')}
        <p>${said}</p><p lang="es">${said}</p>`,
    );
    expect(planted.found).to.deep.equal([
      'hard-coded: Slipway | planted <title>',
      'hard-coded: Picture | planted <img> alt',
      ...['Hello', 'November 27, 2026', '1,500'].map((text) => `hard-coded: ${text} | planted <p>`),
      `in lang="es": ${said} | planted <p>`,
    ]);
    expect([...planted.keys]).to.deep.equal(['help.title']);
  });

  it('is one of those that were looked at: each address and each text has its case', () => {
    const isSeen = (pattern: string) => {
      const parts = pattern.split('/');
      return [...visited].some((path) => {
        const found = path.split('/');
        return (
          found.length === parts.length &&
          parts.every((part, i) => part.startsWith(':') || part === found[i])
        );
      });
    };
    const pages = ROWS.filter(({ kind }) => kind === 'server').map(({ pattern }) => pattern);
    const ours = pages.filter((page) => !page.startsWith('/oidc/'));
    expect(ours.length).to.be.greaterThan(10);
    expect(ours.filter((page) => !isSeen(page))).to.deep.equal([]);
    const unsaid = Object.keys(english).filter(
      (key) => /^(downloads|help)\./.test(key) && !reader.keys.has(key),
    );
    expect(unsaid).to.deep.equal([]);
  });
});
