import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { androidAppAt, siteOf } from '../../support/android-app.ts';
import type { AndroidApp } from '../../support/android-app.ts';
import { bringAndroidTools } from '../../support/android-tools.ts';
import { anOrganization, aProduct, aProject } from '../../support/make.ts';
import { filesOfZip, inFolder, zipOfFiles } from '../../support/zips.ts';
import { HTML, Town } from './town.ts';

const TO_FILES = 'Android App to Amazon S3 Bucket (No Admin)';
const TO_PLAY = 'Android App to Google Play (Low Admin)';
const MINUTES_MS = 10 * 60_000;

const content = zipOfFiles({
  'en/index.md': '# Harvest\n\nSongs of the field.\n',
  'es/index.md': '# Cosecha\n\nCantos del campo.\n',
  'app.json': JSON.stringify({
    name: { en: 'Harvest songs', es: 'Cantos de la cosecha' },
    description: { en: 'Songs of the field.', es: 'Cantos del campo.' },
    color: '#1b6b63',
  }),
});

describe('publishing Android apps', () => {
  let town: Town;
  let project: string;
  let product: string;
  let first: AndroidApp;

  before(async function () {
    this.timeout(MINUTES_MS);
    await bringAndroidTools();
    town = await Town.found();
    project = await town.project();
    expect((await town.upload(project, content)).status).to.equal(204);
  });
  after(() => town.stop());

  it('makes one that can be installed, shows it and publishes it', async () => {
    product = await town.product(project, TO_FILES, 'slipway_files');
    await town.workOff();
    expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    const artifacts = await town.all('productArtifact', { product });
    expect(artifacts.map(({ artifactType }) => artifactType)).to.have.members([
      ...['apk', 'package_name', 'about', 'version', 'preview', 'consoleText'],
    ]);
    const made = artifacts.find(({ artifactType }) => artifactType === 'apk');
    expect([made?.filename, made?.contentType]).to.deep.equal([
      'harvest-songs-1.0.apk',
      'application/vnd.android.package-archive',
    ]);

    expect((await town.command('owner', product, 'Approve')).status).to.equal(201);
    await town.workOff();
    expect(await town.state(product)).to.equal(null);
    first = await published(product);
    expect(first).to.include({
      packageName: `app.slipway.p${product.replaceAll('-', '')}`,
      versionCode: 1,
      versionName: '1.0',
    });
    expect(first.names).to.deep.equal({
      '': 'Harvest songs',
      en: 'Harvest songs',
      es: 'Cantos de la cosecha',
    });
    const [publication] = await town.all('productPublication', { product });
    expect(publication?.package).to.equal(first.packageName);
  });

  it('has the site in it that the same project has on the web', async () => {
    const site = await town.product(project, HTML);
    await town.workOff();
    await town.command('owner', site, 'Continue');
    await town.workOff();
    await town.command('owner', site, 'Approve');
    await town.workOff();
    const zip = await file(`/api/products/${site}/files/published/html`);
    const files = await inFolder((folder) => {
      writeFileSync(join(folder, 'site.zip'), zip);
      return filesOfZip(join(folder, 'site.zip'));
    });
    expect(siteOf(first)).to.deep.equal(files);
  });

  it('makes a newer one of it that phones take in its place', async () => {
    const action = `/api/products/${product}/actions/rebuild`;
    expect((await town.ask('owner', 'POST', action)).status).to.equal(200);
    await town.workOff();
    await town.command('owner', product, 'Approve');
    await town.workOff();
    const next = await published(product);
    expect(next).to.include({
      packageName: first.packageName,
      versionCode: 2,
      versionName: '1.1',
      certificate: first.certificate,
    });
  });

  it('takes another with its listing to the store, signed by the same organization', async () => {
    const toStore = await town.product(project, TO_PLAY, 'slipway_play');
    await town.workOff();
    for (const [who, command] of [
      ['owner', 'New App'],
      ['admin', 'Continue'],
      ['owner', 'Approve'],
      ['admin', 'Continue'],
    ] as const) {
      expect((await town.command(who, toStore, command)).status, command).to.equal(201);
      await town.workOff();
    }
    expect(await town.state(toStore)).to.equal(null);
    const app = await published(toStore);
    expect(app.certificate).to.equal(first.certificate);
    expect(app.packageName).not.to.equal(first.packageName);

    for (const by of [toStore, app.packageName]) {
      const { json } = await town.ask('member', 'GET', `/api/products/${by}/published`);
      expect((json.data as { readonly attributes?: unknown }).attributes).to.deep.include({
        titles: { en: 'Harvest songs', es: 'Cantos de la cosecha' },
        descriptions: { en: 'Songs of the field.', es: 'Cantos del campo.' },
        'default-language': 'en',
        color: '#1b6b63',
      });
    }
  });

  it('signs the apps of another organization with another key', async () => {
    const { db, engines } = town.server.parts;
    const organization = (await anOrganization(db)).id;
    const others = await aProduct(db, { project: (await aProject(db, { organization })).id });
    const { bundled } = engines;
    const place = await bundled.createProject({
      appId: 'bookapp',
      projectName: 'Others',
      languageCode: 'en',
    });
    await bundled.repositories.add(place.id, bytesOf(content));
    const job = await bundled.createJob({
      requestId: others.id,
      gitUrl: place.url ?? '',
      appId: 'bookapp',
      publisherId: null,
    });
    const { id } = await bundled.createBuild(job.id, { targets: ['apk'], environment: {} });
    await bundled.idle();
    const app = await androidAppAt((await bundled.artifactFile(id, 'apk'))?.path ?? '');
    expect(app.packageName).to.equal(`app.slipway.p${others.id.replaceAll('-', '')}`);
    expect(app.certificate)
      .to.match(/^[\da-f]{64}$/)
      .and.not.equal(first.certificate);
  });

  it('tells nobody a key', async () => {
    const products = await town.all('product', { project });
    const builds = (
      await Promise.all(products.map(({ id }) => town.all('productBuild', { product: id })))
    ).flat();
    const consoles = await Promise.all(
      builds.map(async ({ id }) => {
        const { json } = await town.ask('member', 'GET', `/api/product-builds/${id}/console/link`);
        return file(json.url as string);
      }),
    );
    const told = JSON.stringify(builds) + Buffer.concat(consoles).toString();
    expect(told).to.include('Packing').and.not.include('PRIVATE');
    expect(town.faults).to.deep.equal([]);
  });

  /** What anyone gets who follows the address to its file. */
  async function file(address: string): Promise<Buffer> {
    let answer = await town.fetch(null, 'GET', address);
    if (answer.status === 302)
      answer = await town.fetch(null, 'GET', answer.headers.get('Location') ?? '');
    expect(answer.status).to.equal(200);
    return Buffer.from(await answer.arrayBuffer());
  }

  async function published(of: string): Promise<AndroidApp> {
    const bytes = await file(`/api/products/${of}/files/published/apk`);
    return inFolder((folder) => {
      writeFileSync(join(folder, 'app.apk'), bytes);
      return androidAppAt(join(folder, 'app.apk'));
    });
  }
});

async function* bytesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
