import { expect } from 'chai';
import { request } from 'node:http';
import { sql } from 'kysely';
import { limits } from '#protocol/limits.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import type { Name } from '../api/world.ts';
import { zipOf, zipOfFiles } from '../../../support/zips.ts';
import { openHouse, refusal, setUp } from './house.ts';
import type { House } from './house.ts';

const ZIP = { 'Content-Type': 'application/zip' };
const content = (text: string) => zipOfFiles({ 'index.md': `# ${text}\n` });

describe('[8.2] the content of a project', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let path: string;
  beforeEach(async () => {
    house = await openHouse();
    const { project } = house.world.ids;
    path = `/api/projects/${project}/repository`;
    await setUp(house.world, project);
  });

  const put = (who: Name | null, body: Buffer, headers: Readonly<Record<string, string>> = ZIP) =>
    house.ask(who, 'PUT', path, { headers, body });

  const mayUpload = (canUpload: boolean) =>
    house.world.write((w) => w.change('author', house.world.ids.authorRow, { canUpload }));

  /** One more in the project, which could be rebuilt once it is published. */
  async function aProduct(w: WriteTransaction, datePublished: string | null): Promise<string> {
    const { id, ids } = house.world;
    const [product, definition] = [id(), id()];
    const [startup] = await w.all('workflowDefinition', { name: 'html_cloud' });
    const [rebuild] = await w.all('workflowDefinition', { name: 'html_cloud_rebuild' });
    await w.insert('productDefinition', {
      id: definition,
      name: 'Rebuilt',
      type: ids.bookapp,
      workflow: startup?.id ?? '',
      rebuildWorkflow: rebuild?.id ?? null,
    });
    const { project } = ids;
    await w.insert('product', {
      id: product,
      project,
      productDefinition: definition,
      datePublished,
    });
    return product;
  }

  const accesses = async (product: string) => {
    const rows = await house.world.server.parts.db.read((tx) =>
      tx.all('productTransition', { product, transitionType: 5 }),
    );
    return rows
      .toSorted((a, b) => ((a.dateTransition ?? '') < (b.dateTransition ?? '') ? -1 : 1))
      .map(({ initialState, workflowUserId }) => [initialState, workflowUserId]);
  };

  it('is what its owner uploaded last', async () => {
    for (const text of ['One', 'Two']) {
      const answer = await put('builder', content(text));
      expect(answer.status).to.equal(204);
      const down = await house.get('builder', path);
      expect(down.status).to.equal(200);
      expect(down.headers.get('content-type')).to.equal('application/zip');
      expect(down.headers.get('content-disposition')).to.match(/filename="Harvest.zip"/);
      expect(down.headers.get('etag')).to.equal(answer.headers.get('etag'));
      expect(Buffer.from(await down.arrayBuffer()).equals(content(text))).to.equal(true);
    }
  });

  it('is not there before the first upload', async () => {
    expect(await refusal(await house.get('builder', path))).to.equal('404 not-found');
  });

  it('is told in the audit log of who downloaded it, also by a link', async () => {
    await put('builder', content('One'));
    const { ids, people, server } = house.world;
    await house.get('admin', path);
    await house.ask('admin', 'HEAD', path);
    await house.get('author', `${path}/link`);
    const told = await server.parts.db.read((tx) =>
      tx.query(sql`select kind, actor_id as actor, organization_id as organization, address,
        subject_type as type, subject_name as name from audit_events
        where subject_id = ${ids.project} and kind = 'repository-downloaded' order by n`),
    );
    const common = { kind: 'repository-downloaded', organization: ids.lakeside };
    const subject = { address: '127.0.0.1', type: 'projects', name: 'Harvest' };
    expect(told).to.deep.equal([
      { ...common, actor: people.admin.id, ...subject },
      { ...common, actor: people.author.id, ...subject },
    ]);
  });

  it('can be had by its owner, authors and admins', async () => {
    await put('builder', content('One'));
    for (const who of ['builder', 'author', 'admin', 'super'] as const) {
      expect((await house.get(who, path)).status).to.equal(200);
      expect((await house.ask(who, 'HEAD', path)).status).to.equal(200);
    }
    expect(await refusal(await house.get('member', path))).to.equal('403 forbidden');
    expect(await refusal(await house.get('member', `${path}/link`))).to.equal('403 forbidden');
    expect(await refusal(await house.get('stranger', path))).to.equal('404 not-found');
    expect(await refusal(await house.get(null, path))).to.equal('401 not-signed-in/missing');
  });

  it('is given by its owner, and by authors while they may', async () => {
    await mayUpload(false);
    for (const who of ['author', 'admin', 'super', 'member'] as const)
      expect(await refusal(await put(who, content('One')))).to.equal('403 forbidden');
    expect(await refusal(await put('stranger', content('One')))).to.equal('404 not-found');
    expect(await refusal(await put(null, content('One')))).to.equal('401 not-signed-in/missing');
    expect(await refusal(await house.get('builder', path))).to.equal('404 not-found');
    await mayUpload(true);
    expect((await put('author', content('One'))).status).to.equal(204);
  });

  it('of a public project is nothing for outsiders', async () => {
    const { ids } = house.world;
    const open = `/api/projects/${ids.public}/repository`;
    await setUp(house.world, ids.public);
    expect(await refusal(await house.get('stranger', open))).to.equal('403 forbidden');
  });

  it('[5.1] is told of in the history of every product, by whom and when [R243]', async () => {
    const { world } = house;
    const { product, publicProduct } = world.ids;
    const second = await world.write((w) => aProduct(w, null));
    await put('builder', content('One'));
    await house.ask('admin', 'HEAD', path);
    await house.get('admin', path);
    await house.get('author', `${path}/link`);
    const { builder, admin, author } = world.people;
    for (const id of [product, second])
      expect(await accesses(id)).to.deep.equal([
        ['Project Upload', builder.id],
        ['Project Download', admin.id],
        ['Project Download', author.id],
      ]);
    expect(await accesses(publicProduct)).to.deep.equal([]);
  });

  it('has a link for browsers', async () => {
    await put('builder', content('One'));
    const answer = await house.get('author', `${path}/link`);
    const link = (await answer.json()) as { readonly url: string };
    expect(link).to.include({ filename: 'Harvest.zip', sizeBytes: content('One').length });
    const bytes = await house.get(null, link.url);
    expect(bytes.headers.get('content-type')).to.equal('application/zip');
    expect(Buffer.from(await bytes.arrayBuffer()).equals(content('One'))).to.equal(true);
  });

  it('is not replaced by who knows an older one', async () => {
    const first = (await put('builder', content('One'))).headers.get('etag') ?? '';
    const over = (tag: string, text: string) =>
      put('builder', content(text), { ...ZIP, 'If-Match': tag });
    expect((await over(first, 'Two')).status).to.equal(204);
    expect(await refusal(await over(first, 'Three'))).to.equal('412 precondition-failed');
    expect((await over('*', 'Four')).status).to.equal(204);
    expect(await accesses(house.world.ids.product)).to.have.length(3);
  });

  const hostile: Readonly<Record<string, Buffer>> = {
    'a text': Buffer.from('This is no zip'),
    'an empty body': Buffer.alloc(0),
    'a climbing path': zipOf([{ name: '../../keys', bytes: 'x' }]),
    'an absolute path': zipOf([{ name: '/etc/passwd', bytes: 'x' }]),
    'a link': zipOf([{ name: 'index.md', bytes: '/etc/passwd', mode: 0o120777 }]),
    'the half of a zip': content('One').subarray(0, 40),
    'a zip without files': zipOf([]),
  };
  for (const [name, body] of Object.entries(hostile))
    it(`is never ${name}`, async () => {
      const answer = await put('builder', body);
      expect(await refusal(answer)).to.equal('422 invalid/shape');
      expect(await refusal(await house.get('builder', path))).to.equal('404 not-found');
      expect(await accesses(house.world.ids.product)).to.deep.equal([]);
    });

  it('is of the type of zip files, as it is', async () => {
    for (const headers of [
      { 'Content-Type': 'application/vnd.api+json' },
      { 'Content-Type': 'text/plain' },
      { ...ZIP, 'Content-Encoding': 'gzip' },
    ])
      expect(await refusal(await put('builder', content('One'), headers))).to.equal(
        '415 unsupported-media-type',
      );
  });

  it('is at most 100 MiB', async () => {
    const { token } = house.world.people.builder;
    const headers = {
      Authorization: `Bearer ${token}`,
      ...ZIP,
      'Content-Length': String(limits.repositoryBytes + 1),
    };
    const status = await new Promise<number | undefined>((done, fail) => {
      const url = `${house.world.server.url}${path}`;
      const clientRequest = request(url, { method: 'PUT', headers }, (answer) => {
        answer.resume();
        done(answer.statusCode);
        clientRequest.destroy();
      });
      clientRequest.on('error', fail);
      clientRequest.flushHeaders();
    });
    expect(status).to.equal(413);
  });

  it('has to wait until the project is set up', async () => {
    const { ids } = house.world;
    await house.world.write((w) => w.change('project', ids.project, { workflowProjectUrl: null }));
    expect(await refusal(await house.get('builder', path))).to.equal('409 not-ready');
    expect(await refusal(await put('builder', content('One')))).to.equal('409 not-ready');
  });

  it('lies with another engine where there is one', async () => {
    const { world } = house;
    const { ids } = world;
    await world.write((w) =>
      w.change('project', ids.project, { workflowProjectUrl: 'ssh://engine.test/7' }),
    );
    const external = '409 action-not-allowed/external-engine';
    expect(await refusal(await house.get('builder', path))).to.equal(external);
    await world.write(async (w) => {
      const own = { useDefaultBuildEngine: false, buildEngineUrl: 'https://engine.test' };
      await w.change('organization', ids.lakeside, own);
      await w.change('project', ids.project, { workflowProjectUrl: null });
    });
    expect(await refusal(await house.get('builder', path))).to.equal(external);
    expect(await refusal(await put('builder', content('One')))).to.equal(external);
  });

  describe('[J2] while the project builds by itself', () => {
    let published: string;
    let never: string;
    beforeEach(async () => {
      await house.world.write(async (w) => {
        published = await aProduct(w, '2026-01-01T00:00:00.000Z');
        never = await aProduct(w, null);
      });
      await mayUpload(true);
    });

    const read = (id: string) =>
      house.world.server.parts.db.read(async (tx) => ({
        product: await tx.one('product', id),
        started: await tx.all('productTransition', { product: id, transitionType: 2 }),
      }));

    it('an upload rebuilds what was published, in the owner’s name [R237]', async () => {
      expect((await put('author', content('One'))).status).to.equal(204);
      const { product, started } = await read(published);
      expect(product?.workflowState).to.be.a('string');
      expect(
        started.map(({ workflowUserId, workflowType }) => [workflowUserId, workflowType]),
      ).to.deep.equal([[house.world.people.builder.id, 2]]);
      expect((await read(never)).product?.productWorkflow).to.equal(null);
    });

    it('an upload leaves alone what is at work already', async () => {
      await put('author', content('One'));
      expect((await put('author', content('Two'))).status).to.equal(204);
      expect((await read(published)).started).to.have.length(1);
    });

    it('no upload rebuilds when that is off, or when it was refused', async () => {
      const { world } = house;
      const { ids } = world;
      await put('author', Buffer.from('no zip'));
      expect((await read(published)).product?.productWorkflow).to.equal(null);
      await world.write((w) => w.change('project', ids.project, { automaticBuilds: false }));
      expect((await put('author', content('One'))).status).to.equal(204);
      expect((await read(published)).product?.productWorkflow).to.equal(null);
    });
  });
});
