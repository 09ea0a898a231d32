import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import fastify from 'fastify';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { downloadRoutes } from '#server/http/downloads/download-routes.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse } from '../files/house.ts';
import type { House } from '../files/house.ts';

const LISTING = {
  url: 'play-listing/',
  icon: 'icon.png',
  color: '#ffe000',
  'default-language': 'es-419',
  languages: ['en-US', 'es-419', 'ar', 'pt-BR'],
  'download-apk-strings': { en: 'Get it', es: 'Bajar la app' },
  files: ['en-US/title.txt', 'en-US/short_description.txt', 'es-419/title.txt', 'ar/title.txt'],
};
const FILES = {
  'icon.png': 'a picture',
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
    const { publicProduct } = house.world.ids;
    page = `/downloads/apk/${publicProduct}/published`;
    const built = await house.builds(publicProduct, {
      apk: { filename: 'Harvest.apk', text: 'a'.repeat(4_200) },
      'play-listing-manifest': { filename: 'manifest.json', text: JSON.stringify(LISTING) },
    });
    const places = enginePathsIn(house.world.server.dataDir);
    for (const [name, text] of Object.entries(FILES)) {
      const folder = `builds/${String(built.number)}/1/play-listing-manifest/play-listing`;
      const path = places.absolute(`${folder}/${name}`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const apk = { filename: 'Harvest.apk', text: 'a'.repeat(4_200) };
    await house.publishes(built, { apk });
  });

  const ask = (accepted: string, path = page, who: 'member' | 'stranger' | null = null) =>
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
      expect(text, path).to.include('El archivo está en files.elsewhere.test.');
      expect(text, path).to.include('href="https://files.elsewhere.test/harvest.apk?a=1&amp;b=2"');
    }
  });

  it('shows the app, and leads to its file without a script [R169]', async () => {
    const answer = await ask('en-US');
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const text = await answer.text();
    expect(text).to.include('<h1>Harvest &lt;b&gt;songs&lt;/b&gt;</h1>');
    expect(text).to.include('Songs &amp; more &quot;here&quot;');
    for (const said of ['Get it', 'Version 1.1', '4.2 kB', 'role="img"', 'choose Install'])
      expect(text).to.include(said);
    expect(text).not.to.include('<script');
    const [, link = ''] = /<a class="button" href="([^"]+)"/.exec(text) ?? [];
    const file = await house.get(null, link);
    expect(file.status).to.equal(302);
    const [, icon = ''] = /<img src="(\/api\/[^"]+)"/.exec(text) ?? [];
    expect(await (await house.get(null, icon)).text()).to.equal('a picture');
  });

  it('weighs less than 40 kB until its button can be used', async () => {
    const [html, css] = await Promise.all([textOf('en'), textOf('en', '/downloads/page.css')]);
    expect(html.length + css.length).to.be.below(40_000);
  });

  const spoken = {
    'en-GB,es;q=0.5': ['en-US', 'Harvest', 'Get it', 'Version 1.1'],
    'de, es-MX;q=0.4, en;q=0.2': ['es-419', 'Cantos', 'Bajar la app', 'Versión 1.1'],
    ja: ['es-419', 'Cantos', 'Bajar la app', 'Versión 1.1'],
    'ar-EG': ['ar', 'أغاني', 'Get it', 'Version 1.1'],
    'pt, fr;q=0.5': ['pt-BR', 'Cantos', 'Get it', 'Version 1.1'],
  };
  for (const [accepted, [language = '', ...said]] of Object.entries(spoken))
    it(`is in ${language} for a browser that asks for ${accepted} [R170, R171, R411]`, async () => {
      const text = await textOf(accepted);
      expect(text).to.include(
        `<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`,
      );
      for (const each of said) expect(text).to.include(each);
    });

  it('can be had in any other language of the app [R170]', async () => {
    const text = await textOf('en', `${page}?language=es-419`);
    expect(text).to.include('<html lang="es-419"').and.to.include('Cantos');
    expect(text).to.match(/href="\?language=ar"\s+lang="ar"\s+hreflang="ar"\s*>العربية</);
    expect(await textOf('en', `${page}?language=xx`)).to.include('<html lang="en-US"');
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
    expect(text).to.include('<html lang="fr-FR"').and.to.include('<h1>Téléchargements</h1>');
    expect(text).to.match(
      /href="\/api\/products\/[^"]+\/files\/published\/apk"[^>]*>APK \(4,2\sko\)</,
    );
    expect(text)
      .to.include('Öffentlich')
      .and.to.match(/<time datetime="20/);
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
