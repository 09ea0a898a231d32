import { expect } from 'chai';
import { workflowPaths } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { newId } from '../../support/make.ts';
import { zipOfFiles } from '../../support/zips.ts';
import { aProductIn, inTown } from './in-town.ts';
import { HTML } from './town.ts';
import type { Answer, Name, Town } from './town.ts';

const contentOf = (title: string) =>
  zipOfFiles({ 'index.md': `# ${title}\n`, 'app.json': JSON.stringify({ name: { en: title } }) });

interface TwiceReleased {
  readonly project: string;
  readonly product: string;
  /** Its builds and publications, the older first. */
  readonly builds: readonly Of<'productBuild'>[];
  readonly releases: readonly Of<'productPublication'>[];
}

describe('rolling a product back to an earlier version', () => {
  let town: Town;
  inTown((founded) => {
    town = founded;
  });

  const sorted = <R extends { readonly id: string }>(rows: readonly R[]) =>
    rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));

  const releasesOf = async (product: string) =>
    sorted(await town.all('productPublication', { product }));

  async function approve(product: string, version: string, notes: string): Promise<void> {
    const said = { 'release-version': version, 'release-notes': notes };
    expect((await town.command('owner', product, 'Approve', null, said)).status).to.equal(201);
    await town.workOff();
  }

  const act = (product: string, action: string, who: Name = 'owner') =>
    town.ask(who, 'POST', `/api/products/${product}/actions/${action}`);

  /** What is uploaded to a product that was published is built at once. */
  async function rebuild(project: string, title: string): Promise<void> {
    expect((await town.upload(project, contentOf(title))).status).to.equal(204);
    await town.workOff();
  }

  async function releasedTwice(definition = HTML, store = 'slipway_web'): Promise<TwiceReleased> {
    const content = contentOf('First');
    const { project, product } = await aProductIn(town, { definition, store, content });
    expect((await town.command('owner', product, 'Continue')).status).to.equal(201);
    await town.workOff();
    await approve(product, 'one', 'The first');
    await rebuild(project, 'Second');
    await approve(product, 'two', 'The second');
    expect(await town.state(product)).to.equal(null);
    const builds = sorted(await town.all('productBuild', { product }));
    const releases = await releasesOf(product);
    expect([builds.length, releases.length]).to.deep.equal([2, 2]);
    return { project, product, builds, releases };
  }

  const link = (type: string, id: string | undefined) => ({ data: { type, id: id ?? newId() } });

  function rollBack(
    product: string,
    to: string | undefined,
    insteadOf: string | undefined | null,
    { who = 'owner', action = 'republish' }: { who?: Name; action?: string } = {},
  ): Promise<Answer> {
    const relationships = {
      build: link('product-builds', to),
      ...(insteadOf === null ? {} : { 'instead-of': link('product-publications', insteadOf) }),
    };
    const data = { type: 'product-action-runs', attributes: {}, relationships };
    return town.ask(who, 'POST', `/api/products/${product}/actions/${action}`, { data });
  }

  async function fileOf(product: string, type: string): Promise<Buffer> {
    const path = `/api/products/${product}/files/published/${type}`;
    const page = await town.fetch(null, 'GET', path);
    const file = await town.fetch(null, 'GET', page.headers.get('Location') ?? '');
    return Buffer.from(await file.arrayBuffer());
  }

  async function rebuildWorkflow(): Promise<string> {
    const [made] = await town.all('productDefinition', { name: HTML });
    return made?.rebuildWorkflow ?? '';
  }

  const change = (workflow: string, fields: Partial<Of<'workflowDefinition'>>) =>
    town.server.parts.db.write({ at: Date.now(), by: null, changes: [] }, (w) =>
      w.change('workflowDefinition', workflow, fields),
    );

  const refusalOf = async (answer: Promise<Answer>) => {
    const { status, refusal } = await answer;
    return `${String(status)} ${refusal ?? ''}`;
  };

  for (const [definition, store, type] of [
    [HTML, 'slipway_web', 'html'],
    ['PWA to Cloud Provider', 'slipway_web', 'pwa'],
    ['Asset Package to Amazon S3 Bucket', 'slipway_files', 'asset-package'],
  ] as const)
    it(`brings back the main file, the version and the notes of ${definition}`, async () => {
      const { product, builds, releases } = await releasedTwice(definition, store);
      const second = await fileOf(product, type);
      expect((await rollBack(product, builds[0]?.id, releases[1]?.id)).status).to.equal(200);
      expect(await town.state(product)).to.equal('Product Publish');
      await town.workOff();
      expect(await town.state(product)).to.equal(null);
      const third = (await releasesOf(product)).at(-1);
      expect(third).to.include({
        ...{ success: true, productBuild: builds[0]?.id },
        ...{ releaseVersion: 'one', releaseNotes: 'The first' },
      });
      const path = `/api/product-artifacts`;
      const made = (
        await town.all('productArtifact', { productBuild: builds[0]?.id ?? null })
      ).find(({ artifactType }) => artifactType === type);
      const kept = await town.fetch('member', 'GET', `${path}/${made?.id ?? ''}/content/link`);
      const { url } = (await kept.json()) as { readonly url: string };
      const first = Buffer.from(await (await town.fetch(null, 'GET', url)).arrayBuffer());
      const now = await fileOf(product, type);
      expect(now.equals(first)).to.equal(true);
      expect(now.equals(second)).to.equal(false);
    });

  it('builds nothing, says so in the history, and leaves what was built last', async () => {
    const { product, builds, releases } = await releasedTwice();
    const before = await town.see('member', 'products', product);
    await rollBack(product, builds[0]?.id, releases[1]?.id);
    await town.workOff();
    expect(await town.all('productBuild', { product })).to.have.length(2);
    expect((await town.history(product)).slice(-3)).to.deep.equal([
      [2, null, null, 'system.rolled-back', 'done'],
      [1, 'Product Publish', null, null, 'done'],
      [3, null, null, null, 'done'],
    ]);
    const after = await town.see('member', 'products', product);
    expect(after['version-built']).to.equal(before['version-built']);
    expect([before['version-published'], after['version-published']]).to.deep.equal(['two', 'one']);
    expect(after['date-published']).to.not.equal(before['date-published']);
    // And to the newer one in the same way.
    const third = (await releasesOf(product)).at(-1);
    expect((await rollBack(product, builds[1]?.id, third?.id)).status).to.equal(200);
    await town.workOff();
    expect((await town.see('member', 'products', product))['version-published']).to.equal('two');
  });

  it('is for who answers for the project; the owner hears of what an admin did, and the audit log has it', async () => {
    const { product, builds, releases } = await releasedTwice();
    for (const who of ['member', 'author'] as const)
      expect(await refusalOf(rollBack(product, builds[0]?.id, releases[1]?.id, { who }))).to.equal(
        '403 forbidden',
      );
    const heard = (await town.told('owner')).length;
    const answer = await rollBack(product, builds[0]?.id, releases[1]?.id, { who: 'admin' });
    expect(answer.status).to.equal(200);
    await town.workOff();
    const told = (await town.told('owner')).slice(heard);
    expect(told.map(({ messageId }) => messageId)).to.deep.equal([
      ...['productRolledBack', 'releaseCompletedSuccessfully'],
    ]);
    expect(told[0]?.messageValues).to.include({ version: 'one', projectName: 'Harvest' });
    expect(told[0]?.messageValues?.userName).to.be.a('string').and.not.equal('');
    expect(told[0]?.linkUrl).to.equal(`/products/${product}/files`);
    const events = await town.ask(
      'super',
      'GET',
      '/api/audit-events?filter[kind]=release-rolled-back',
    );
    const third = (await releasesOf(product)).at(-1);
    const event = events.many.find(({ attributes }) => attributes?.['subject-id'] === product);
    expect(event?.attributes?.before).to.deep.equal({
      ...{ publication: releases[1]?.id, build: builds[1]?.id, version: 'two' },
    });
    expect(event?.attributes?.after).to.deep.equal({
      ...{ publication: third?.id, build: builds[0]?.id, version: 'one' },
    });
  });

  it('is refused for each reason, in its order', async () => {
    const other = await releasedTwice();
    const { project, product, builds, releases } = await releasedTwice();
    const [first, second] = builds.map(({ id }) => id);
    const newest = releases[1]?.id;
    // What does not fit together, before what the product is like.
    for (const action of ['rebuild', 'cancel'])
      expect(await refusalOf(rollBack(product, first, newest, { action }))).to.equal(
        '422 invalid/mismatch',
      );
    expect(await refusalOf(rollBack(product, newId(), newest))).to.equal('422 invalid/reference');
    expect(await refusalOf(rollBack(product, other.builds[0]?.id, newest))).to.equal(
      '422 invalid/mismatch',
    );
    expect(await refusalOf(rollBack(product, first, other.releases[1]?.id))).to.equal(
      '422 invalid/mismatch',
    );
    // What is out, and what never was.
    expect(await refusalOf(rollBack(product, second, null))).to.equal(
      '409 action-not-allowed/already-out',
    );
    await rebuild(project, 'Third');
    const third = sorted(await town.all('productBuild', { product })).at(-1)?.id;
    expect(await refusalOf(rollBack(product, first, newest))).to.equal(
      '409 action-not-allowed/running',
    );
    expect((await act(product, 'cancel')).status).to.equal(200);
    expect(await refusalOf(rollBack(product, third, null))).to.equal(
      '409 action-not-allowed/not-published',
    );
    // What is to be replaced.
    expect(await refusalOf(rollBack(product, first, null))).to.equal('422 invalid/required');
    const late = await rollBack(product, first, releases[0]?.id);
    expect([late.status, late.refusal]).to.deep.equal([409, 'workflow-state-changed']);
    expect(late.json.errors?.[0]?.meta?.current).to.deep.include({
      'workflow-state': null,
      'instead-of': newest,
    });
    // The workflow that it needs is that of a rebuild.
    const workflow = await rebuildWorkflow();
    await change(workflow, { enabled: false });
    expect(await refusalOf(rollBack(product, first, newest))).to.equal(
      '409 action-not-allowed/no-workflow',
    );
    await change(workflow, { enabled: true });
    expect(await town.all('productPublication', { product })).to.have.length(2);
    expect((await rollBack(product, first, newest)).status).to.equal(200);
    expect(await refusalOf(rollBack(product, first, newest))).to.equal(
      '409 action-not-allowed/running',
    );
    await town.workOff();
  });

  it('is refused, and nothing is started, where what it names has no such form', async () => {
    const { product, builds, releases } = await releasedTwice();
    const build = link('product-builds', builds[0]?.id);
    const insteadOf = link('product-publications', releases[1]?.id);
    const type = 'product-action-runs';
    for (const [said, pointer] of [
      [
        { relationships: { build: { data: { ...build.data, type: 'projects' } } } },
        'build/data/type',
      ],
      [{ relationships: { build: link('product-builds', 'the first') } }, 'build/data/id'],
      [{ relationships: { build, 'instead-of': link('products', product) } }, 'of/data/type'],
      [
        { attributes: { build: builds[0]?.id }, relationships: { 'instead-of': insteadOf } },
        'build',
      ],
    ] as const) {
      const path = `/api/products/${product}/actions/republish`;
      const answer = await town.ask('owner', 'POST', path, { data: { type, ...said } });
      expect([answer.status, answer.json.errors?.[0]?.code]).to.deep.equal([422, 'invalid']);
      expect(answer.json.errors?.[0]?.source?.pointer).to.match(new RegExp(`${pointer}$`));
    }
    expect(await town.state(product)).to.equal(null);
    expect(await releasesOf(product)).to.have.length(2);
  });

  it('replaces a release of the app, whatever was published of its listing since', async () => {
    const { product, builds, releases } = await releasedTwice();
    const listing = newId();
    await town.server.parts.db.write({ at: Date.now(), by: null, changes: [] }, async (w) => {
      for (const { id } of builds)
        await w.insert('productArtifact', {
          ...{ id: newId(), product, productBuild: id, artifactType: 'apk' },
        });
      await w.insert('productBuild', { id: listing, product, success: true });
      await w.insert('productPublication', {
        ...{ id: newId(), product, productBuild: listing, success: true },
      });
    });
    expect(await refusalOf(rollBack(product, listing, releases[1]?.id))).to.equal(
      '409 action-not-allowed/not-published',
    );
    expect(await refusalOf(rollBack(product, builds[1]?.id, releases[1]?.id))).to.equal(
      '409 action-not-allowed/already-out',
    );
    expect((await rollBack(product, builds[0]?.id, releases[1]?.id)).status).to.equal(200);
    await town.workOff();
  });

  it('that waited is refused after a newer release', async () => {
    const { project, product, builds, releases } = await releasedTwice();
    await rebuild(project, 'Third');
    await approve(product, 'three', '');
    expect(await refusalOf(rollBack(product, builds[0]?.id, releases[1]?.id))).to.equal(
      '409 workflow-state-changed',
    );
    expect((await town.see('member', 'products', product))['version-published']).to.equal('three');
  });

  it('that fails leaves the page as it was, and can be cancelled and tried again', async () => {
    const { product, builds, releases } = await releasedTwice();
    const before = await fileOf(product, 'html');
    const { 'date-published': date, 'version-published': version } = await town.see(
      ...(['member', 'products', product] as const),
    );
    const workflow = await rebuildWorkflow();
    await change(workflow, { properties: '{"publish:targets": "nowhere"}' });
    expect((await rollBack(product, builds[0]?.id, releases[1]?.id)).status).to.equal(200);
    await change(workflow, { properties: null });
    await town.workOff();
    expect(await town.state(product)).to.equal('Synchronize Data');
    expect((await fileOf(product, 'html')).equals(before)).to.equal(true);
    const after = await town.see('member', 'products', product);
    expect([after['date-published'], after['version-published'], after.failure]).to.deep.equal([
      ...[date, version, 'release'],
    ]);
    expect((await act(product, 'cancel')).status).to.equal(200);
    expect((await rollBack(product, builds[0]?.id, releases[1]?.id)).status).to.equal(200);
    await town.workOff();
    expect((await fileOf(product, 'html')).equals(before)).to.equal(false);
  });

  it('that fails is forgotten once the newest build is approved in its place', async () => {
    const { project, product } = await releasedTwice();
    await rebuild(project, 'Third');
    await approve(product, 'three', '');
    const builds = sorted(await town.all('productBuild', { product }));
    const out = (await releasesOf(product)).at(-1)?.id;
    const workflow = await rebuildWorkflow();
    await change(workflow, { properties: '{"publish:targets": "nowhere"}' });
    expect((await rollBack(product, builds[0]?.id, out)).status).to.equal(200);
    await town.workOff();
    await change(workflow, { properties: null });
    const moved = await town.fetch('super', 'POST', workflowPaths.state(product), {
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': newId() },
      body: Buffer.from(
        JSON.stringify({
          ...{ state: 'Verify and Publish', from: 'Synchronize Data', comment: 'Once more' },
        }),
      ),
    });
    expect(moved.status).to.equal(200);
    await approve(product, 'four', 'The newest');
    expect((await releasesOf(product)).at(-1)).to.include({
      ...{ productBuild: builds[2]?.id, releaseVersion: 'four', releaseNotes: 'The newest' },
    });
  });
});
