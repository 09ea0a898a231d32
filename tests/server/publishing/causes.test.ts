import { expect } from 'chai';
import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import { aProductIn, inTown } from './in-town.ts';
import { expectSameByMigration } from './migrated.ts';
import { aBrokenApp, anApp } from './town.ts';
import type { Name, Town } from './town.ts';

/** What the server says of builds, over workflows, jobs and the bundled engine. */
describe('a build says what made it [domain 11.4]', () => {
  let town: Town;

  inTown((founded) => {
    town = founded;
  });

  async function published() {
    const made = await aProductIn(town);
    await town.command('owner', made.product, 'Continue');
    await town.workOff();
    await town.command('owner', made.product, 'Approve');
    await town.workOff();
    expect(await town.state(made.product)).to.equal(null);
    return made;
  }

  async function newest(product: string): Promise<Of<'productBuild'>> {
    const builds = await town.all('productBuild', { product });
    const [build] = builds.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    if (build === undefined) throw new Error('There is no build');
    return build;
  }

  /** Returns what began the newest build, and the name of who did that. */
  async function causeOf(product: string) {
    const { triggeredBy, startedBy } = await newest(product);
    const [name = null] = Object.entries(town.people).find(([, id]) => id === startedBy) ?? [];
    return [triggeredBy, name];
  }

  const run = (who: Name, product: string, action: string) =>
    town.ask(who, 'POST', `/api/products/${product}/actions/${action}`);

  it('a person’s command, and a retry once the build before it failed', async () => {
    const { project, product } = await aProductIn(town, { content: aBrokenApp() });
    await town.command('owner', product, 'Continue');
    expect(await causeOf(product)).to.deep.equal(['person', 'owner']);
    await town.workOff();
    expect((await newest(product)).success).to.equal(false);

    await town.upload(project);
    await town.command('owner', product, 'Continue');
    expect(await causeOf(product)).to.deep.equal(['retry', 'owner']);
    await town.workOff();
    expect((await newest(product)).success).to.equal(true);
  });

  it('a super admin’s move into the build', async () => {
    const { product } = await aProductIn(town);
    const from = await town.state(product);
    const moved = await town.ask('super', 'POST', `/api/products/${product}/workflow/state`, {
      from,
      state: 'Product Build',
      comment: 'It is stuck',
    });
    expect(moved.status).to.equal(200);
    expect(await causeOf(product)).to.deep.equal(['person', 'super']);
    await town.workOff();
  });

  it('a rebuild by who asked for it, of one product and of many', async () => {
    const { product } = await published();
    expect((await run('admin', product, 'rebuild')).status).to.equal(200);
    expect(await causeOf(product)).to.deep.equal(['rebuild', 'admin']);
    await run('admin', product, 'cancel');
    const body = { action: 'rebuild', products: [product] };
    expect((await town.ask('owner', 'POST', '/api/product-actions/run', body)).status).to.equal(
      200,
    );
    expect(await causeOf(product)).to.deep.equal(['rebuild', 'owner']);
    await town.workOff();
  });

  it('an upload by the author who sent it, although the rebuild is in the owner’s name', async () => {
    const { project, product } = await published();
    await town.add(
      'owner',
      'authors',
      {},
      {
        project: ['projects', project],
        user: ['users', town.people.author],
      },
    );
    const [author] = await town.all('author', { project });
    const attributes = { 'automatic-builds': true };
    const data = { type: 'projects', id: project, attributes };
    await town.ask('owner', 'PATCH', `/api/projects/${project}`, { data });
    const { db } = town.server.parts;
    await db.write({ at: town.server.parts.clock(), by: null, changes: [] }, (w) =>
      w.change('author', author?.id ?? '', { canUpload: true }),
    );
    expect((await town.upload(project, anApp('More songs.'), 'author')).status).to.equal(204);
    expect(await causeOf(product)).to.deep.equal(['upload', 'author']);
    const starts = await town.all('productTransition', { product, transitionType: 2 });
    expect(starts.map(({ workflowUserId }) => workflowUserId)).to.deep.equal([
      town.people.owner,
      town.people.owner,
    ]);
    await town.workOff();
  });

  it('when the engine began and ended, to members and outsiders alike; a build that waits has no start', async () => {
    const { product } = await aProductIn(town);
    await town.command('owner', product, 'Continue');
    const waiting = await newest(product);
    expect([waiting.dateStarted, waiting.dateFinished, waiting.fileSize]).to.deep.equal([
      null,
      null,
      null,
    ]);
    await town.workOff();
    const { id, buildId, dateCreated, dateStarted, dateFinished } = await newest(product);
    const [row] = await town.server.parts.db.read((tx) =>
      tx.query(
        sql<{ readonly started: string; readonly updated: string }>`select started, updated
          from engine_builds where id = ${buildId}`,
      ),
    );
    expect([dateStarted, dateFinished]).to.deep.equal([row?.started, row?.updated]);
    expect((dateCreated ?? '') <= (dateStarted ?? '')).to.equal(true);
    expect((await town.see('member', 'product-builds', id))['date-started']).to.equal(dateStarted);
  });

  it('how large its files are, the logs left out', async () => {
    const { product } = await aProductIn(town);
    await town.command('owner', product, 'Continue');
    await town.workOff();
    const files = await town.all('productArtifact', { product });
    const sizes = files
      .filter(({ artifactType }) => artifactType !== 'consoleText')
      .map(({ fileSize }) => fileSize ?? 0);
    expect(sizes.length).to.equal(files.length - 1);
    expect((await newest(product)).fileSize).to.equal(sizes.reduce((sum, size) => sum + size, 0));
  });

  it('no size where there is a log alone, and an end also where it failed', async () => {
    const { product } = await aProductIn(town, { content: aBrokenApp() });
    await town.command('owner', product, 'Continue');
    await town.workOff();
    const { fileSize, dateFinished } = await newest(product);
    expect(fileSize).to.equal(null);
    expect(dateFinished).to.be.a('string');
  });

  it('found out also for a build that is older than the fields', async () => {
    await expectSameByMigration(town);
  });
});
