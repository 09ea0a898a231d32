import { expect } from 'chai';
import { sql } from 'kysely';
import { START_WITHIN_MS } from '../api/world.ts';
import { openHouse, refusal } from './house.ts';
import type { House } from './house.ts';

const APK = { filename: 'Harvest.apk', text: 'built', contentType: 'application/x-apk' };
const LOG = { filename: 'console.txt', text: 'Published\n', contentType: 'text/plain' };
const COPY = { ...APK, text: 'published' };

describe('a published file', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  beforeEach(async () => {
    house = await openHouse();
  });

  const at = (product: string, type = 'apk') => `/api/products/${product}/files/published/${type}`;

  const isOpen = (fields: {
    allowDownloads?: boolean;
    isPublic?: boolean;
    dateArchived?: string;
  }) => house.world.write((w) => w.change('project', house.world.ids.public, fields));

  async function aRelease(product: string, files: Readonly<Record<string, typeof APK>>) {
    const built = await house.builds(product, { apk: APK, consoleText: LOG });
    return { built, ...(await house.publishes(built, files)) };
  }

  const textAt = async (path: string) => {
    const answer = await house.get(null, path);
    expect(answer.status).to.equal(302);
    return (await house.get(null, answer.headers.get('location') ?? '')).text();
  };

  it('is for anyone at all while its project is public and allows downloads [R7, R21, R336]', async () => {
    const { publicProduct } = house.world.ids;
    await aRelease(publicProduct, { apk: COPY });
    expect(await textAt(at(publicProduct))).to.equal('published');
    const head = await house.ask(null, 'HEAD', at(publicProduct));
    expect(head.status).to.equal(200);
    expect(head.headers.get('content-length')).to.equal('9');
    expect(head.headers.get('content-type')).to.equal(APK.contentType);
    const link = (await (await house.get(null, `${at(publicProduct)}/link`)).json()) as {
      readonly url: string;
    };
    expect(link).to.include({ filename: APK.filename, sizeBytes: 9 });
    expect(await (await house.get(null, link.url)).text()).to.equal('published');
  });

  const closings = {
    'is private': { isPublic: false },
    'allows no downloads': { allowDownloads: false },
    'is archived': { dateArchived: '2026-02-01T00:00:00.000Z' },
  };
  for (const [state, fields] of Object.entries(closings))
    it(`is only for members once its project ${state} [R21]`, async () => {
      const { publicProduct } = house.world.ids;
      await aRelease(publicProduct, { apk: COPY });
      await isOpen(fields);
      for (const who of [null, 'stranger'] as const)
        for (const path of [at(publicProduct), `${at(publicProduct)}/link`])
          expect(await refusal(await house.get(who, path))).to.equal('404 not-found');
      for (const who of ['member', 'super'] as const)
        expect((await house.get(who, at(publicProduct))).status).to.equal(302);
    });

  it('is of the newest successful publication whose build has such a file', async () => {
    const { world } = house;
    const { publicProduct: product } = world.ids;
    const { built } = await aRelease(product, { apk: COPY });
    await house.publishes(built, { apk: { ...APK, text: 'newer' } });
    const failed = await house.publishes(built, { apk: { ...APK, text: 'failed' } });
    await world.write((w) => w.change('productPublication', failed.id, { success: false }));
    const without = await house.builds(product, { consoleText: LOG });
    await house.publishes(without, { consoleText: LOG });
    expect(await textAt(at(product))).to.equal('newer');
  });

  it('is found under the name of its package, of the product published last that is open', async () => {
    const { world } = house;
    const name = `org.lakeside.n${world.id().slice(-12)}`;
    const publish = async (product: string, text: string) => {
      const { id } = await aRelease(product, { apk: { ...APK, text } });
      await world.write((w) => w.change('productPublication', id, { package: name }));
    };
    await world.write((w) =>
      w.query(sql`insert into package_names (name, organization_id)
        values (${name}, ${world.ids.lakeside})`),
    );
    await publish(world.ids.publicProduct, 'open');
    await publish(world.ids.product, 'private');
    expect(await textAt(at(name))).to.equal('open');
    const answer = await house.get('member', at(name));
    const bytes = await house.get(null, answer.headers.get('location') ?? '');
    expect(await bytes.text()).to.equal('private');
  });

  it('is none that was built and not published, and never what the engine said', async () => {
    const { publicProduct } = house.world.ids;
    await aRelease(publicProduct, { consoleText: LOG });
    for (const type of ['apk', 'consoleText', 'pwa'])
      expect(await refusal(await house.get('member', at(publicProduct, type)))).to.equal(
        '404 not-found',
      );
  });

  it('is never one that was published for another product', async () => {
    const { world } = house;
    const { product, publicProduct } = world.ids;
    const secret = await aRelease(product, { apk: { ...APK, text: 'secret' } });
    const open = await aRelease(publicProduct, { apk: COPY });
    await world.write((w) =>
      w.query(sql`update product_publications set release_id =
        (select release_id from product_publications where id = ${secret.id})
        where id = ${open.id}`),
    );
    expect(await refusal(await house.get(null, at(publicProduct)))).to.equal('404 not-found');
  });

  it('lies elsewhere when another engine made it: at once at that of the organization, else over a page [F3]', async () => {
    const { world } = house;
    const { ids } = world;
    const { built } = await aRelease(ids.publicProduct, { apk: COPY });
    const address = 'https://files.engine.test/7.apk';
    await world.write((w) =>
      w.query(sql`update artifact_addresses set address = ${address}
        where product_artifact_id = ${built.artifacts.apk}`),
    );
    const led = async () => (await house.get(null, at(ids.publicProduct))).headers.get('location');
    const page = `/downloads/products/${ids.publicProduct}/files/published/apk`;
    const use = (buildEngineUrl: string) =>
      world.write((w) =>
        w.change('organization', ids.lakeside, { useDefaultBuildEngine: false, buildEngineUrl }),
      );
    expect(await led()).to.equal(page);
    await use('https://engine.test/api');
    expect(await led()).to.equal(page);
    await use('http://files.engine.test/api');
    expect(await led(), 'the same host, over what anybody on the way can change').to.equal(page);
    await use('https://files.engine.test/api');
    expect(await led()).to.equal(address);
  });

  it('is not there for a product or a package that nobody published', async () => {
    const { publicProduct } = house.world.ids;
    for (const path of [at(publicProduct), at(house.world.id()), at('org.nobody')])
      expect(await refusal(await house.get(null, path))).to.equal('404 not-found');
  });

  it('is refused to who shows a token that does not hold', async () => {
    const headers = { Authorization: 'Bearer made-up' };
    const answer = await house.get(null, at(house.world.ids.publicProduct), { headers });
    expect(answer.status).to.equal(401);
  });
});
