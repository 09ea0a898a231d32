import { expect } from 'chai';
import { aRecord } from '../../support/make.ts';
import { inTown } from './in-town.ts';
import { expectSameByMigration } from './migrated.ts';
import { aBrokenApp, anApp, HTML } from './town.ts';
import type { Name, Town } from './town.ts';

describe('an app that cannot be built or published as it is', () => {
  let town: Town;

  inTown((founded) => {
    town = founded;
  });

  async function project(content: Buffer | null): Promise<string> {
    const id = await town.project();
    if (content !== null) expect((await town.upload(id, content)).status).to.equal(204);
    return id;
  }

  /** Returns the notifications of `who` since `before` about it. */
  async function expectNotified(who: Name, before: number) {
    return (await town.told(who)).slice(before).map(({ messageId }) => messageId);
  }

  /** A product whose first build has ended. */
  async function built(of: string, definition = HTML): Promise<string> {
    const product = await town.product(of, definition);
    await town.workOff();
    expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
    await town.workOff();
    return product;
  }

  async function published(of: string): Promise<string> {
    const product = await built(of);
    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await town.state(product)).to.equal(null);
    return product;
  }

  it('[W19] goes back to its owner with the reason, and is built once that is mended [R246, R407]', async () => {
    const of = await project(aBrokenApp());
    const [owner, admin] = [(await town.told('owner')).length, (await town.told('admin')).length];
    const product = await built(of);
    expect(await town.state(product)).to.equal('Synchronize Data');
    const [build] = await town.all('productBuild', { product });
    expect([build?.success, build?.phase, build?.buildVersion]).to.deep.equal([false, null, null]);
    expect(build?.error).to.match(/^The content is refused\. /);
    const address = `/api/product-builds/${build?.id ?? ''}/console`;
    expect(build?.logUrl).to.equal(address);
    expect(build?.logTail, 'the end of the log').to.include(build?.error);
    const comment = `system.build-failed,${address}`;
    expect((await town.history(product)).filter(([, , , , when]) => when === 'done')).to.deep.equal(
      [
        [2, null, null, null, 'done'],
        [1, 'Product Creation', null, null, 'done'],
        [1, 'App Builder Configuration', 'Continue', null, 'done'],
        [1, 'Product Build', null, comment, 'done'],
      ],
    );
    const [task] = await town.all('userTask', { product });
    expect([task?.user, task?.comment]).to.deep.equal([town.people.owner, comment]);
    const artifacts = await town.all('productArtifact', { product });
    expect(artifacts.map(({ artifactType }) => artifactType)).to.deep.equal(['consoleText']);
    const console = await town.fetch('member', 'GET', address);
    expect(console.status).to.equal(302);

    expect(await expectNotified('owner', owner)).to.have.members([
      'productCreatedSuccessfully',
      'userTaskAdded',
      'buildFailedOwner',
      'userTaskAdded',
    ]);
    expect(await expectNotified('admin', admin)).to.deep.equal(['buildFailedAdmin']);
    const [told] = (await town.told('admin')).slice(-1);
    expect(told?.linkUrl).to.equal(`/products/${product}/builds/${build?.id ?? ''}/log`);
    expect(told?.messageValues).to.deep.equal({
      projectName: 'Harvest',
      productName: HTML,
      buildStatus: 'FAILURE',
      buildError: build?.error,
      consoleTextUrl: address,
    });

    expect((await town.upload(of)).status).to.equal(204);
    await town.workOff();
    expect(await town.all('productBuild', { product })).to.have.length(1);
    await town.command('owner', product, 'Continue', 'Mended');
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    const builds = await town.all('productBuild', { product });
    expect(builds.map(({ success }) => success)).to.have.members([false, true]);
  });

  it('[W19] says so without a console text when there is nothing to build', async () => {
    const product = await built(await project(null));
    expect(await town.state(product)).to.equal('Synchronize Data');
    const failed = (await town.history(product)).find(([, , , comment]) => comment !== null);
    expect(failed?.[3]).to.equal('system.build-failed');
    const [build] = await town.all('productBuild', { product });
    expect(build?.logUrl).to.equal(null);
    expect(build?.error).to.match(/repository of the project is empty/);
  });

  it('[W36] goes back to its owner when the store does not take it [R407]', async () => {
    const { db } = town.server.parts;
    const [bookapp] = await town.all('applicationType', { name: 'bookapp' });
    const [cloud] = await town.all('storeType', { name: 'cloud' });
    const workflow = await aRecord(db, 'workflowDefinition', {
      name: 'html_nowhere',
      type: 1,
      workflowScheme: 'AppBuilders_Default_Html_Cloud',
      workflowBusinessFlow: 'AppBuilders_Web_Flow',
      storeType: cloud?.id ?? null,
      enabled: true,
      properties: '{"publish:targets": "nowhere"}',
    });
    const definition = await aRecord(db, 'productDefinition', {
      name: 'HTML Site to Nowhere',
      type: bookapp?.id ?? '',
      workflow: workflow.id,
    });
    await aRecord(db, 'organizationProductDefinition', {
      organization: town.organization,
      productDefinition: definition.id,
    });

    const product = await built(await project(anApp()), 'HTML Site to Nowhere');
    const [owner, admin] = [(await town.told('owner')).length, (await town.told('admin')).length];
    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await town.state(product)).to.equal('Synchronize Data');
    const [publication] = await town.all('productPublication', { product });
    expect([publication?.success, publication?.error]).to.deep.equal([
      false,
      'The bundled engine does not publish to nowhere.',
    ]);
    const { 'date-published': date, ...says } = await town.see('owner', 'products', product);
    expect(date).to.equal(null);
    expect([says.failure, says['failure-reason'], says['version-published']]).to.deep.equal([
      'release',
      publication?.error,
      null,
    ]);
    const failed = (await town.history(product)).find(([, , , comment]) => comment !== null);
    expect(failed?.[3]).to.equal('system.publish-failed');
    expect(await expectNotified('owner', owner)).to.have.members([
      'releaseFailedOwner',
      'userTaskAdded',
    ]);
    expect(await expectNotified('admin', admin)).to.deep.equal(['releaseFailedAdmin']);
    const gone = await town.fetch(null, 'GET', `/api/products/${product}/files/published/html`);
    expect(gone.status).to.equal(404);
  });

  it('[J2] is rebuilt by itself when a published project gets other content [R237]', async () => {
    const of = await project(anApp());
    const product = await published(of);
    const url = `/api/products/${product}/files/published/html`;
    const first = await town.fetch(null, 'HEAD', url);
    expect((await town.upload(of, anApp('Songs of the river, and of the sea.'))).status).to.equal(
      204,
    );
    expect(await town.state(product)).to.equal('Product Rebuild');
    const rows = await town.all('productTransition', { product, transitionType: 2 });
    expect(rows.map((row) => row.workflowUserId)).to.deep.equal([
      town.people.owner,
      town.people.owner,
    ]);
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    expect((await town.see('owner', 'products', product))['version-built']).to.equal('1.1');
    const second = await town.fetch(null, 'HEAD', url);
    expect(second.headers.get('Content-Length')).to.equal(first.headers.get('Content-Length'));

    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await town.all('productPublication', { product, success: true })).to.have.length(2);
    const third = await town.fetch(null, 'HEAD', url);
    expect(third.headers.get('Content-Length')).to.not.equal(first.headers.get('Content-Length'));
  });

  it('[W64] is left as it is by a build whose rebuild was cancelled', async () => {
    const product = await published(await project(anApp()));
    const url = `/api/products/${product}/actions`;
    expect((await town.ask('owner', 'POST', `${url}/rebuild`)).status).to.equal(200);
    await town.server.parts.jobs.untilIdle();
    expect((await town.ask('owner', 'POST', `${url}/cancel`)).status).to.equal(200);
    const before = await town.see('owner', 'products', product);
    await town.workOff();
    expect(await town.state(product)).to.equal(null);
    expect(await town.all('productBuild', { product, success: true })).to.have.length(2);
    const after = await town.see('owner', 'products', product);
    expect(after['version-built']).to.equal(before['version-built']);
    expect((await town.history(product)).at(-1)?.[0]).to.equal(4);
  });

  it('can be removed while the engine is at work on it', async () => {
    const product = await town.product(await project(anApp()));
    await town.workOff();
    await town.command('owner', product, 'Continue');
    await town.server.parts.jobs.untilIdle();
    const gone = await town.ask('owner', 'DELETE', `/api/products/${product}`);
    expect(gone.status).to.equal(204);
    await town.workOff();
    expect(await town.all('productBuild', { product })).to.deep.equal([]);
  });

  it('[U8] goes on without a word while its project is put away', async () => {
    const of = await project(anApp());
    const product = await town.product(of);
    await town.workOff();
    await town.command('owner', product, 'Continue');
    const put = (dateArchived: string | null) =>
      town.ask('admin', 'PATCH', `/api/projects/${of}`, {
        data: { type: 'projects', id: of, attributes: { 'date-archived': dateArchived } },
      });
    const told = (await town.told('owner')).length;
    expect((await put('2026-01-01T00:00:00.000Z')).status).to.equal(200);
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    expect(await town.all('userTask', { product })).to.deep.equal([]);
    expect(await expectNotified('owner', told)).to.deep.equal([]);
    expect((await put(null)).status).to.equal(200);
    expect(await town.all('userTask', { product })).to.have.length(1);
    expect(await expectNotified('owner', told)).to.deep.equal(['userTaskAdded']);
  });

  it('is prepared by an author, who may upload meanwhile and not before [R214]', async () => {
    const of = await project(null);
    await town.add(
      'owner',
      'authors',
      {},
      { project: ['projects', of], user: ['users', town.people.author] },
    );
    const product = await town.product(of);
    await town.workOff();
    expect((await town.upload(of, anApp(), 'author')).status).to.equal(403);
    await town.command('owner', product, 'Transfer to Authors', 'Over to you');
    const told = (await town.told('author')).at(-1);
    expect([told?.messageId, told?.messageValues?.comment]).to.deep.equal([
      'userTaskAdded',
      'Over to you',
    ]);
    expect((await town.upload(of, anApp(), 'author')).status).to.equal(204);
    expect((await town.command('author', product, 'Continue')).status).to.equal(201);
    expect((await town.upload(of, anApp(), 'author')).status).to.equal(403);
    await town.command('owner', product, 'Continue');
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    const uploads = (await town.history(product)).filter(([type]) => type === 5);
    expect(uploads.map(([, state]) => state)).to.deep.equal(['Project Upload']);
  });

  it('says so also where it failed before products said what failed [domain 5.2]', async () => {
    await expectSameByMigration(town);
  });
});
