import { expect } from 'chai';
import { sql } from 'kysely';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse, refusal } from './house.ts';
import type { House } from './house.ts';

const APK = { filename: 'Harvest 1.1.apk', text: 'an app', contentType: 'application/x-apk' };
const LOG = { filename: 'console.txt', text: '<b>Built</b>\n', contentType: 'text/html' };
const HTML = 'text/html; charset=utf-8';

const contentOf = (artifact: string | undefined) =>
  `/api/product-artifacts/${artifact ?? ''}/content`;

describe('the file of an artifact', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let own: string;
  let open: string;
  let openLog: string;
  before(async () => {
    house = await openHouse();
    const { product, publicProduct } = house.world.ids;
    own = contentOf((await house.builds(product, { apk: APK })).artifacts.apk);
    const built = await house.builds(publicProduct, { apk: APK, consoleText: LOG });
    open = contentOf(built.artifacts.apk);
    openLog = contentOf(built.artifacts.consoleText);
  });

  it('is a redirect away for a member, and for a super admin', async () => {
    for (const who of ['member', 'builder', 'super'] as const) {
      const answer = await house.get(who, own);
      expect(answer.status).to.equal(302);
      const bytes = await house.get(null, answer.headers.get('location') ?? '');
      expect(bytes.status).to.equal(200);
      expect(bytes.headers.get('content-type')).to.equal(APK.contentType);
      expect(bytes.headers.get('content-disposition')).to.match(
        /^attachment; .*Harvest%201.1.apk$/,
      );
      expect(await bytes.text()).to.equal(APK.text);
    }
  });

  it('is shown where it is a preview, as a page in which nothing runs and that reaches nothing', async () => {
    const { product } = house.world.ids;
    const page = { filename: 'preview.html', text: '<h1>Harvest</h1>', contentType: HTML };
    const types = ['preview', 'asset-preview', 'play-listing', 'html', 'about'] as const;
    const files = Object.fromEntries(types.map((type) => [type, page]));
    const { artifacts } = await house.builds(product, files);
    for (const type of types) {
      const link = await house.get('member', `${contentOf(artifacts[type])}/link`);
      const { url } = (await link.json()) as { readonly url: string };
      const { headers } = await house.get(null, url);
      const isShown = type !== 'html' && type !== 'about';
      expect(headers.get('content-disposition'), type).to.match(
        isShown ? /^inline; / : /^attachment; /,
      );
      const policy = (headers.get('content-security-policy') ?? '').split('; ');
      expect(policy, type).to.include.members(["default-src 'none'", 'sandbox']);
      expect(policy.join(), type).to.not.match(/allow-|script-src|'self'|https?:/);
      expect(policy.includes("style-src 'unsafe-inline'"), type).to.equal(isShown);
      expect(headers.get('x-content-type-options'), type).to.equal('nosniff');
      expect(headers.get('set-cookie'), type).to.equal(null);
      expect(headers.get('referrer-policy'), type).to.equal('no-referrer');
    }
  });

  it('is saved where it is called a preview and is no page', async () => {
    const { product } = house.world.ids;
    const svg = { filename: 'preview.svg', text: '<svg/>', contentType: 'image/svg+xml' };
    const { artifacts } = await house.builds(product, { preview: svg });
    const answer = await house.get('member', contentOf(artifacts.preview));
    const { headers } = await house.get(null, answer.headers.get('location') ?? '');
    expect(headers.get('content-disposition')).to.match(/^attachment; /);
    expect(headers.get('content-security-policy')).to.not.include('style-src');
  });

  it('is told of without a link', async () => {
    const answer = await house.ask('member', 'HEAD', own);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-length')).to.equal(String(APK.text.length));
    expect(answer.headers.get('content-type')).to.equal(APK.contentType);
    expect(Date.parse(answer.headers.get('last-modified') ?? '')).to.be.greaterThan(0);
    expect(answer.headers.get('location')).to.equal(null);
  });

  it('has a link for who cannot send a token along', async () => {
    const answer = await house.get('member', `${own}/link`);
    expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    const link = (await answer.json()) as { readonly url: string; readonly expiresAt: string };
    expect(link).to.include({ filename: APK.filename, sizeBytes: APK.text.length });
    expect(new Date(link.expiresAt).toISOString()).to.equal(link.expiresAt);
    expect(await (await house.get(null, link.url)).text()).to.equal(APK.text);
  });

  it('is not there for strangers of a private project, and needs a token', async () => {
    for (const path of [own, `${own}/link`]) {
      expect(await refusal(await house.get('stranger', path))).to.equal('404 not-found');
      expect(await refusal(await house.get(null, path))).to.equal('401 not-signed-in/missing');
    }
    expect((await house.ask('stranger', 'HEAD', own)).status).to.equal(404);
  });

  it('is for outsiders of a public project while it allows downloads [R21]', async () => {
    const { world } = house;
    const { ids } = world;
    const allow = (allowDownloads: boolean) =>
      world.write((w) => w.change('project', ids.public, { allowDownloads }));
    await allow(true);
    expect((await house.get('stranger', open)).status).to.equal(302);
    await allow(false);
    for (const path of [open, `${open}/link`])
      expect(await refusal(await house.get('stranger', path))).to.equal('403 forbidden');
    expect((await house.get('member', open)).status).to.equal(302);
    await allow(true);
  });

  it('is for members alone when it is what the engine said', async () => {
    expect(await refusal(await house.get('stranger', openLog))).to.equal('403 forbidden');
    expect((await house.get('member', openLog)).status).to.equal(302);
  });

  it('lies elsewhere when another engine made it: at once at that of the organization, else over a page that names the host [domain 2.9]', async () => {
    const { world } = house;
    const { ids } = world;
    const artifact = world.id();
    const address = 'https://files.engine.test/job/7/Äpp.apk';
    await world.write(async (w) => {
      const { product, build: productBuild } = ids;
      await w.insert('productArtifact', {
        id: artifact,
        product,
        productBuild,
        artifactType: 'apk',
        filename: 'App.apk',
        fileSize: 7,
      });
      await w.query(sql`insert into artifact_addresses values (${artifact}, ${address})`);
    });
    const led = async () =>
      (await house.get('member', contentOf(artifact))).headers.get('location') ?? '';
    const linked = async () =>
      (await house.get('member', `${contentOf(artifact)}/link`)).json() as Promise<unknown>;
    const page = `/downloads/product-artifacts/${artifact}/content`;
    expect(await led()).to.equal(page);
    expect(await linked()).to.deep.equal({
      url: `${world.server.parts.config.publicUrl}${page}`,
      expiresAt: null,
      filename: 'App.apk',
      sizeBytes: 7,
    });
    const shown = await (await house.get('member', page)).text();
    expect(shown).to.include('files.engine.test').and.to.include(new URL(address).href);
    for (const who of ['stranger', null] as const) {
      const missing = await house.get(who, page);
      expect(missing.status).to.be.oneOf([401, 403, 404]);
      expect(await missing.text()).not.to.include('files.engine.test');
    }
    await world.write((w) =>
      w.change('organization', ids.lakeside, {
        useDefaultBuildEngine: false,
        buildEngineUrl: 'https://files.engine.test/api',
      }),
    );
    expect(await led()).to.equal(new URL(address).href);
    const head = await house.ask('member', 'HEAD', contentOf(artifact));
    expect(head.headers.get('content-length')).to.equal('7');
    expect(await linked()).to.deep.equal({
      url: new URL(address).href,
      expiresAt: null,
      filename: 'App.apk',
      sizeBytes: 7,
    });
  });

  it('is never one that was built for another product', async () => {
    const { world } = house;
    const { ids } = world;
    const { artifacts } = await house.builds(ids.product, { apk: APK });
    const { artifacts: others } = await house.builds(ids.publicProduct, { apk: APK });
    await world.write((w) =>
      w.query(sql`update artifact_addresses set address =
        (select address from artifact_addresses where product_artifact_id = ${artifacts.apk})
        where product_artifact_id = ${others.apk}`),
    );
    expect(await refusal(await house.get('member', contentOf(others.apk)))).to.equal(
      '404 not-found',
    );
  });

  it('is not there without an address, and for no id', async () => {
    for (const id of [house.world.ids.artifact, house.world.id(), 'x'])
      expect(await refusal(await house.get('member', contentOf(id)))).to.equal('404 not-found');
    expect(await refusal(await house.get('member', `${own}?page=2`))).to.equal(
      '400 unknown-parameter',
    );
  });
});

describe('what the engine said', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let build: string;
  let publication: string;
  before(async () => {
    house = await openHouse();
    const built = await house.builds(house.world.ids.publicProduct, { consoleText: LOG });
    const published = await house.publishes(built, { consoleText: LOG });
    build = `/api/product-builds/${built.id}/console`;
    publication = `/api/product-publications/${published.id}/console`;
  });

  it('is a plain text to look at for members, of builds and publications [R125]', async () => {
    for (const path of [build, publication]) {
      const answer = await house.get('member', path);
      expect(answer.status).to.equal(302);
      const text = await house.get(null, answer.headers.get('location') ?? '');
      expect(text.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
      expect(text.headers.get('content-disposition')).to.match(/^inline; .*-console\.txt$/);
      expect(await text.text()).to.equal(LOG.text);
      const link = (await (await house.get('super', `${path}/link`)).json()) as { url: string };
      expect(await (await house.get(null, link.url)).text()).to.equal(LOG.text);
    }
  });

  it('is nothing for outsiders, who see builds of a public project but no publications', async () => {
    expect(await refusal(await house.get('stranger', build))).to.equal('403 forbidden');
    expect(await refusal(await house.get('stranger', `${build}/link`))).to.equal('403 forbidden');
    expect(await refusal(await house.get('stranger', publication))).to.equal('404 not-found');
    expect(await refusal(await house.get(null, build))).to.equal('401 not-signed-in/missing');
  });

  it('is not there when the engine said nothing', async () => {
    const { build: without, publication: neither } = house.world.ids;
    for (const path of [`product-builds/${without}`, `product-publications/${neither}`])
      expect(await refusal(await house.get('member', `/api/${path}/console`))).to.equal(
        '404 not-found',
      );
  });
});
