import { expect } from 'chai';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { HTML, Town } from './town.ts';

const PWA = 'PWA to Cloud Provider';
const PACKAGE = 'Asset Package to Amazon S3 Bucket';

describe('publishing an app, from an empty project to its page [R1]', () => {
  let town: Town;
  let project: string;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    town = await Town.found();
    project = await town.project();
  });
  after(() => town.stop());

  it('[8.2] gives a new project its repository and tells its owner [R196, R334]', async () => {
    const { 'workflow-project-url': url, location } = await town.see('owner', 'projects', project);
    expect(url).to.match(/^bundled:\/repositories\/\d+$/);
    expect(location).to.equal(url);
    expect((await town.told('owner')).map(({ messageId }) => messageId)).to.deep.equal([
      'projectCreatedSuccessfully',
    ]);
  });

  it('takes its content', async () => {
    expect((await town.upload(project)).status).to.equal(204);
  });

  for (const [definition, store, type, name] of [
    [PWA, 'slipway_web', 'pwa', /\.zip$/],
    [HTML, 'slipway_web', 'html', /\.zip$/],
    [PACKAGE, 'slipway_files', 'asset-package', /./],
  ] as const) {
    it(`makes, shows and publishes ${definition} [R2, R200, R203, R204, R205]`, async () => {
      const product = await town.product(project, definition, store);
      await town.workOff();
      expect(await town.state(product)).to.equal('App Builder Configuration');
      const heard = (await town.told('owner')).length;

      expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
      expect(await town.state(product)).to.equal('Product Build');
      await town.workOff();
      const [build] = await town.all('productBuild', { product });
      expect([build?.success, build?.error, build?.buildVersion]).to.deep.equal([
        true,
        null,
        '1.0',
      ]);
      expect(await town.state(product)).to.equal('Verify and Publish');
      const built = await town.see('member', 'products', product);
      expect(built['version-built']).to.equal('1.0');
      expect(built['date-built']).to.be.a('string');

      const artifacts = await town.all('productArtifact', { product });
      expect(artifacts.map(({ artifactType }) => artifactType)).to.include.members([
        type,
        'about',
        'version',
        'consoleText',
      ]);
      const made = artifacts.find(({ artifactType }) => artifactType === type);
      expect(made?.filename).to.match(name);
      expect(made?.fileSize).to.be.above(0);
      const bytes = await download(`/api/product-artifacts/${made?.id ?? ''}/content/link`);
      expect(bytes.length).to.equal(made?.fileSize);

      expect((await town.command('owner', product, 'Approve', 'Fine')).status).to.equal(201);
      await town.workOff();
      expect(await town.state(product)).to.equal(null);
      const [publication] = await town.all('productPublication', { product });
      expect(publication).to.include({
        ...{ success: true, error: null, channel: 'production' },
        logUrl: `/api/product-publications/${publication?.id ?? ''}/console`,
      });
      expect(publication?.releaseId).to.be.a('number');
      const published = await town.see('member', 'products', product);
      expect(published['date-published']).to.be.a('string');
      expect(published['publish-link']).to.equal(
        `${town.server.parts.config.publicUrl}/downloads/products/${product}/files/published/${type}`,
      );
      const page = await town.fetch(
        null,
        'GET',
        `/api/products/${product}/files/published/${type}`,
      );
      expect(page.status).to.equal(302);
      const file = await town.fetch(null, 'GET', page.headers.get('Location') ?? '');
      expect(file.status).to.equal(200);
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).to.equal(true);

      expect(await town.history(product)).to.deep.equal([
        [2, null, null, null, 'done'],
        [1, 'Product Creation', null, null, 'done'],
        [1, 'App Builder Configuration', 'Continue', null, 'done'],
        [1, 'Product Build', null, null, 'done'],
        [1, 'Verify and Publish', 'Approve', 'Fine', 'done'],
        [1, 'Product Publish', null, null, 'done'],
        [3, null, null, null, 'done'],
      ]);
      const notifications = (await town.told('owner')).slice(heard);
      expect(notifications.map(({ messageId }) => messageId)).to.have.members([
        'buildCompletedSuccessfully',
        'userTaskAdded',
        'releaseCompletedSuccessfully',
      ]);
      const last = notifications.find(
        ({ messageId }) => messageId === 'releaseCompletedSuccessfully',
      );
      expect(last?.messageValues).to.include({
        projectName: 'Harvest',
        productName: definition,
        publishLink: published['publish-link'],
      });
      expect(last?.linkUrl).to.equal(`/products/${product}/files`);
      const console = await download(
        `/api/product-publications/${publication?.id ?? ''}/console/link`,
      );
      expect(console.toString()).to.include(`Published ${type}`);
    });
  }

  async function download(link: string): Promise<Buffer> {
    const { json } = await town.ask('member', 'GET', link);
    const file = await town.fetch(null, 'GET', json.url as string);
    expect(file.status).to.equal(200);
    return Buffer.from(await file.arrayBuffer());
  }
});
