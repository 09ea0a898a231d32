import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse, refusal } from './house.ts';
import type { House } from './house.ts';

const APK = { filename: 'Harvest.apk', text: 'the app' };
const LISTING = {
  url: 'play-listing/',
  icon: 'en-US/images/icon/icon.png',
  color: '#1A73E8',
  'default-language': 'es-419',
  languages: ['en-US', 'es-419', 'fr-FR'],
  'download-apk-strings': { en: 'Download the app', es: 'Descargar la app' },
  files: ['en-US/title.txt', 'en-US/short_description.txt', 'es-419/title.txt'],
};
const FILES = {
  'en-US/title.txt': ' Harvest <b>songs</b>\n',
  'en-US/short_description.txt': 'Songs & more.\n',
  'es-419/title.txt': 'Cantos\n',
  'fr-FR/title.txt': 'Not in the manifest',
  'en-US/images/icon/icon.png': 'a picture',
};

describe('[2.14] what is shown of a published app [R217, R335]', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  beforeEach(async () => {
    house = await openHouse();
  });

  const at = (product: string) => `/api/products/${product}/published`;
  const product = () => house.world.ids.publicProduct;

  const manifestOf = (listing: object) => ({
    filename: 'play-listing-manifest.json',
    text: JSON.stringify(listing),
  });

  async function aBuild(listing: object, files: Readonly<Record<string, string>> = FILES) {
    const made = { apk: APK, 'play-listing-manifest': manifestOf(listing) };
    const built = await house.builds(product(), made);
    const places = enginePathsIn(house.world.server.dataDir);
    const folder = places.absolute(`builds/${String(built.number)}/1/play-listing-manifest`);
    for (const [name, text] of Object.entries(files)) {
      const path = join(folder, 'play-listing', name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return { built, folder };
  }

  async function anApp(listing: object = LISTING) {
    const made = await aBuild(listing);
    return { ...made, ...(await house.publishes(made.built, { apk: APK })) };
  }

  async function shown(id = product()): Promise<Readonly<Record<string, unknown>>> {
    const answer = await house.get(null, at(id));
    const { data } = (await answer.json()) as {
      readonly data: { readonly id: string; readonly attributes: Record<string, unknown> };
    };
    return { id: data.id, ...data.attributes };
  }

  it('is its store listing, with size and link of the app', async () => {
    await anApp();
    const answer = await house.get(null, at(product()));
    expect(answer.headers.get('content-type')).to.equal('application/vnd.api+json');
    const { publicUrl } = house.world.server.parts.config;
    expect(await shown()).to.deep.equal({
      id: product(),
      icon: `${publicUrl}${at(product())}/icon`,
      color: '#1a73e8',
      size: 7,
      link: `${publicUrl}/api/products/${product()}/files/published/apk`,
      languages: ['en-US', 'es-419', 'fr-FR'],
      'default-language': 'es-419',
      titles: { 'en-US': 'Harvest <b>songs</b>', 'es-419': 'Cantos', 'fr-FR': '' },
      descriptions: { 'en-US': 'Songs & more.', 'es-419': '', 'fr-FR': '' },
      'download-apk-strings': LISTING['download-apk-strings'],
      'release-version': '1.1',
      'release-notes': null,
    });
  });

  it('is found under the name of its package', async () => {
    const { id } = await anApp();
    const name = `org.lakeside.p${house.world.id().slice(-12)}`;
    await house.world.write(async (w) => {
      await w.query(sql`insert into package_names (name, organization_id)
        values (${name}, ${house.world.ids.lakeside})`);
      await w.change('productPublication', id, { package: name });
    });
    expect((await shown(name)).id).to.equal(product());
  });

  it('is kept: what becomes of the files of the build does not matter', async () => {
    const { folder } = await anApp();
    const first = await shown();
    rmSync(folder, { recursive: true });
    expect(await shown()).to.deep.equal(first);
  });

  it('is of the newest listing and the newest app, each of its own publication', async () => {
    await anApp();
    const newer = await aBuild({ ...LISTING, languages: ['fr-FR'] });
    await house.world.write((w) => w.remove('productArtifact', newer.built.artifacts.apk ?? ''));
    await house.publishes(newer.built, {});
    expect(await shown()).to.include({ size: 7, 'default-language': 'fr-FR' });
  });

  it('has the colour of Slipway and its first language where the listing says nothing of use', async () => {
    await anApp({ ...LISTING, color: 'red', 'default-language': 'pt', icon: '' });
    expect(await shown()).to.include({
      color: '#0a5aa8',
      'default-language': 'en-US',
      icon: null,
    });
  });

  it('has an icon, with the same right as the app', async () => {
    await anApp();
    const answer = await house.get(null, `${at(product())}/icon`);
    expect(answer.headers.get('content-type')).to.equal('image/png');
    expect(await answer.text()).to.equal('a picture');
    await house.world.write((w) =>
      w.change('project', house.world.ids.public, { isPublic: false }),
    );
    for (const path of [at(product()), `${at(product())}/icon`])
      for (const who of [null, 'stranger'] as const)
        expect(await refusal(await house.get(who, path))).to.equal('404 not-found');
    expect((await house.get('member', `${at(product())}/icon`)).status).to.equal(200);
  });

  it('is none before it is published, without a listing, or without an app', async () => {
    const { built } = await aBuild(LISTING);
    expect(await refusal(await house.get(null, at(product())))).to.equal('404 not-found');
    await house.world.write((w) => w.remove('productArtifact', built.artifacts.apk ?? ''));
    await house.publishes(built, {});
    expect(await refusal(await house.get(null, at(product())))).to.equal('404 not-found');
    const other = await house.builds(product(), { apk: APK });
    await house.publishes(other, { apk: APK });
    expect((await house.get(null, at(product()))).status).to.equal(200);
  });

  it('is none where the listing cannot be read', async () => {
    for (const listing of [[], { languages: ['en'] }, { url: 'x/' }]) {
      await anApp(listing);
      expect(await refusal(await house.get(null, at(product())))).to.equal('404 not-found');
    }
  });

  it('never leads to files that are not of the listing', async () => {
    const { folder } = await aBuild(LISTING);
    writeFileSync(join(folder, '..', 'secret.txt'), 'secret');
    const climbing = ['../../secret.txt', '../../../play-listing-manifest/secret.txt'];
    for (const url of ['play-listing/', '../', '..', '/etc/'])
      for (const icon of [...climbing, '/etc/hostname', '../secret.txt']) {
        await anApp({ ...LISTING, url, icon });
        expect((await shown()).icon, `${url} ${icon}`).to.equal(null);
      }
  });

  describe('by an engine elsewhere', () => {
    const address = 'https://files.engine.test';
    let requested: string[];
    let isAway: boolean;
    let giveBack: () => void;
    beforeEach(() => {
      requested = [];
      isAway = false;
      const { engines } = house.world.server.parts;
      const of = engines.of.bind(engines);
      const texts = new Map<string, string>([
        [
          `${address}/7/manifest.json`,
          JSON.stringify({ ...LISTING, url: 'http://other.test/7/l' }),
        ],
        ...Object.entries(FILES).map(([name, text]) => [`${address}/7/l/${name}`, text] as const),
      ]);
      const text = async (url: string) => {
        requested.push(url);
        await new Promise((done) => setImmediate(done));
        return isAway ? null : (texts.get(url) ?? null);
      };
      const engine = { ...engines.bundled, text };
      engines.of = () => Promise.resolve({ key: '', url: address, tokenHint: null, engine });
      giveBack = () => {
        engines.of = of;
      };
    });
    afterEach(() => {
      giveBack();
    });

    async function anAppThere() {
      const { built } = await anApp();
      await house.world.write(async (w) => {
        for (const [type, name] of [
          ['play-listing-manifest', 'manifest.json'],
          ['apk', 'app.apk'],
        ] as const)
          await w.query(sql`update artifact_addresses set address = ${`${address}/7/${name}`}
            where product_artifact_id = ${built.artifacts[type]}`);
        await w.change('productArtifact', built.artifacts.apk ?? '', { fileSize: 4_200 });
      });
    }

    it('is read from its host alone, and once', async () => {
      await anAppThere();
      const first = await shown();
      expect(first).to.include({ size: 4_200, icon: `${address}/7/l/${LISTING.icon}` });
      expect(first.titles).to.deep.equal({
        'en-US': 'Harvest <b>songs</b>',
        'es-419': 'Cantos',
        'fr-FR': '',
      });
      expect(requested).to.have.length(4);
      expect(await shown()).to.deep.equal(first);
      expect(requested).to.have.length(4);
      expect((await house.get(null, `${at(product())}/icon`)).status).to.equal(404);
    });

    it('is read once for all who ask for it at the same time', async () => {
      await anAppThere();
      const asked = Array.from({ length: 20 }, () => house.get(null, at(product())));
      const answers = await Promise.all(asked);
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(requested).to.have.length(4);
    });

    it('is not read again for who looked for it before it was read, and goes on afterwards', async () => {
      await anAppThere();
      const { db } = house.world.server.parts;
      const read = db.read.bind(db);
      let look = (): void => undefined;
      let goOn = (): void => undefined;
      let isHeld = false;
      const looked = new Promise<void>((resolve) => {
        look = resolve;
      });
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      db.read = async (work) => {
        const found = await read(work);
        // The first answer that nothing is kept comes late.
        if (!isHeld && Array.isArray(found) && found.length === 0) {
          isHeld = true;
          look();
          await held;
        }
        return found;
      };
      try {
        const early = house.get(null, at(product()));
        await looked;
        expect((await house.get(null, at(product()))).status).to.equal(200);
        goOn();
        expect((await early).status).to.equal(200);
      } finally {
        db.read = read;
      }
      expect(requested).to.have.length(4);
    });

    it('has to be asked for again while the engine is away', async () => {
      await anAppThere();
      isAway = true;
      expect(await refusal(await house.get(null, at(product())))).to.equal('503 unavailable');
      isAway = false;
      expect((await shown()).color).to.equal('#1a73e8');
    });
  });
});
