import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import type { Verdict } from '#protocol/operations.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { inOrder } from '#server/domain/workflow/transitions.ts';
import { aRecord, newId } from '../../support/make.ts';
import { aProjectSetUp, aPublishedProduct } from '../../support/published.ts';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { anApp, HTML, Town } from './town.ts';
import type { Name } from './town.ts';

const PWA = 'PWA to Cloud Provider';
const DEFINITIONS = [
  HTML,
  PWA,
  'Asset Package to Amazon S3 Bucket',
  'Android App to Amazon S3 Bucket',
  'Android App to Google Play (Low Admin)',
];
const PROJECTS = 9;
const LONG_AGO = '2026-01-31T09:30:00.000Z';
const MINUTE_MS = 60_000;

type Product = Of<'product'>;

describe('[7] fifty products that are rebuilt together [R9]', () => {
  let town: Town;
  /** Nine projects of the owner's with five products each, which may be rebuilt. */
  let allowed: readonly string[];
  /**
   * One product that may not be rebuilt, for each reason, in the order in which they were chosen.
   */
  let others: readonly { readonly id: string; readonly code: string; readonly reason: unknown }[];
  /** The products as a person chose them: those that may not be rebuilt lie between the others. */
  let chosen: readonly string[];

  before(async function () {
    this.timeout(START_WITHIN_MS);
    town = await Town.found();
    allowed = await fortyFive();
    others = await five();
    chosen = allowed.toSpliced(0, 0, ...others.slice(0, 2).map(({ id }) => id));
    chosen = chosen.toSpliced(20, 0, ...others.slice(2).map(({ id }) => id));
  });
  after(() => town.stop());
  afterEach('no job broke', () => {
    expect(town.faults).to.deep.equal([]);
  });

  async function project(name: string, owner: Name = 'owner') {
    const { organization, group, people } = town;
    return aProjectSetUp(town.server.parts, { name, organization, group, owner: people[owner] });
  }

  async function published(of: Of<'project'>, definition = HTML, fields: Partial<Product> = {}) {
    const [made] = await town.all('productDefinition', { name: definition });
    const all = { productDefinition: made?.id ?? '', ...fields };
    return (await aPublishedProduct(town.server.parts, of, all)).id;
  }

  async function fortyFive(): Promise<readonly string[]> {
    const made: string[] = [];
    for (let n = 1; n <= PROJECTS; n += 1) {
      const of = await project(`Field ${n}`);
      if (n === 1) expect((await town.upload(of.id, anApp())).status).to.equal(204);
      for (const definition of DEFINITIONS) made.push(await published(of, definition));
    }
    return made;
  }

  async function five() {
    const running = await published(await project('At work'));
    const action = `/api/products/${running}/actions/rebuild`;
    expect((await town.ask('owner', 'POST', action)).status).to.equal(200);

    const away = await project('Put away');
    const archived = await published(away);
    const data = { type: 'projects', id: away.id, attributes: { 'date-archived': LONG_AGO } };
    const put = await town.ask('owner', 'PATCH', `/api/projects/${away.id}`, { data });
    expect(put.status).to.equal(200);

    const theirs = await published(await project('Of someone else', 'member'));
    const [html] = await town.all('productDefinition', { name: HTML });
    const fields = { name: 'HTML Preview', type: html?.type ?? '', workflow: html?.workflow ?? '' };
    const { id: productDefinition } = await aRecord(
      town.server.parts.db,
      'productDefinition',
      fields,
    );
    const once = await published(await project('Never again'), HTML, { productDefinition });
    const never = await published(await project('Not yet'), HTML, { datePublished: null });
    const code = 'action-not-allowed';
    return [
      { id: running, code, reason: 'running' },
      { id: archived, code, reason: 'archived' },
      { id: theirs, code: 'forbidden', reason: null },
      { id: once, code, reason: 'no-workflow' },
      { id: never, code, reason: 'not-published' },
    ];
  }

  const run = async (products: readonly string[], key: string) => {
    const answer = await town.fetch('owner', 'POST', '/api/product-actions/run', {
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
      body: Buffer.from(JSON.stringify({ action: 'rebuild', products })),
    });
    return { status: answer.status, json: (await answer.json()) as Record<string, unknown> };
  };
  const refusalIn = ({ json }: Awaited<ReturnType<typeof run>>) =>
    json.errors as readonly ErrorObject[];
  const record = async (product: string) => {
    const [found] = await town.all('product', { id: product });
    if (found === undefined) throw new Error(`There is no product ${product}`);
    return found;
  };
  /** Only the town's builds count: other suites of the run leave theirs in the same database. */
  const buildsToHandOver = async () => {
    const projects = await town.all('project', { organization: town.organization });
    const products = await Promise.all(
      projects.map(({ id }) => town.all('product', { project: id })),
    );
    const ours = new Set(products.flat().map(({ id }) => id));
    const builds = await town.all('productBuild', { buildId: null });
    return builds.filter(({ product }) => ours.has(product ?? ''));
  };
  const rowsOf = async (product: string) =>
    inOrder([...(await town.all('productTransition', { product }))]);

  it('are listed as far as they may be, to who may [R86, R330]', async () => {
    const projects = await town.all('project', { organization: town.organization });
    const body = { projects: projects.map(({ id }) => id) };
    const offered = await town.ask('owner', 'POST', '/api/product-actions', body);
    expect(Object.keys(offered.json)).to.have.members(['rebuild', 'republish']);
    expect(offered.json.rebuild).to.have.members([...allowed]);
    const toAuthor = await town.ask('author', 'POST', '/api/product-actions', body);
    expect(toAuthor.json).to.deep.equal({});
  });

  it('are refused together while five may not be, each of these with its reason [R331]', async () => {
    const key = '0197c1e0-0000-7000-8000-000000000001';
    const answer = await run(chosen, key);
    expect(answer.status).to.equal(409);
    const [error, ...more] = refusalIn(answer);
    expect(more).to.deep.equal([]);
    expect([error?.code, error?.meta?.reason]).to.deep.equal(['action-not-allowed', 'running']);
    expect(error?.meta?.refused).to.deep.equal(others);

    const running = await town.all('productTransition', { transitionType: 2, workflowType: 2 });
    const ofThese = running.filter(({ product }) => chosen.includes(product ?? ''));
    expect(ofThese.map(({ product }) => product)).to.deep.equal([others[0]?.id]);
    expect((await town.told('owner')).map(({ messageId }) => messageId)).to.deep.equal([]);
    expect(refusalIn(await run(chosen, key))[0]?.meta).to.deep.equal(error?.meta);
  });

  it('are all started without them, in their order, by one answer [R331]', async () => {
    const key = '0197c1e0-0000-7000-8000-000000000002';
    const answer = await run(allowed, key);
    expect(answer).to.deep.equal({
      status: 200,
      json: { action: 'rebuild', products: allowed },
    });
    expect(await run(allowed, key)).to.deep.equal(answer);

    const builds = await buildsToHandOver();
    const begun = builds.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ product }) => product);
    expect(begun).to.deep.equal([others[0]?.id, ...allowed]);
  });

  for (const [place, n] of [
    ['first', 0],
    ['last', 44],
  ] as const)
    it(`[T1] [T2] write their start and the way to come: the ${place} of them [R206, R244, R412, R413]`, async () => {
      const product = allowed[n] ?? '';
      const { workflowState, productWorkflow } = await record(product);
      expect(workflowState).to.equal('Product Rebuild');
      expect(productWorkflow).to.be.a('string');
      const rows = await rowsOf(product);
      expect(
        rows.map((row) => [
          row.transitionType,
          row.workflowType,
          row.initialState,
          row.destinationState,
          row.command,
          row.allowedUserNames,
          row.workflowUserId,
          row.dateTransition === null ? 'to come' : 'done',
        ]),
      ).to.deep.equal([
        [2, 2, null, null, null, null, town.people.owner, 'done'],
        [1, 2, 'Product Rebuild', 'Verify and Publish', null, null, null, 'to come'],
        [1, 2, 'Verify and Publish', 'Product Publish', 'Approve', 'owner person', null, 'to come'],
        [1, 2, 'Product Publish', 'Published', null, null, null, 'to come'],
      ]);
      expect(await town.all('userTask', { product })).to.deep.equal([]);
    });

  it('[D1] [N4] make their projects active, and are told to nobody: they are the owner’s own doing', async () => {
    const fields = (await town.all('project', { owner: town.people.owner })).filter(({ name }) =>
      name.startsWith('Field'),
    );
    for (const { id, dateActive } of fields) {
      const products = await town.all('product', { project: id });
      expect(dateActive).to.equal(
        products
          .map(({ dateUpdated }) => dateUpdated)
          .toSorted()
          .at(-1),
      );
    }
    for (const who of ['owner', 'admin', 'member'] as const)
      expect(await town.told(who)).to.deep.equal([]);
    expect(town.letters).to.deep.equal([]);
  });

  it('are each cancelled by themselves, in the name of the admin who does so [R247]', async () => {
    for (const product of allowed.slice(6)) {
      const answer = await town.ask('admin', 'POST', `/api/products/${product}/actions/cancel`);
      expect(answer.status).to.equal(200);
    }
    const product = allowed[6] ?? '';
    const rows = await rowsOf(product);
    expect(
      rows.map((row) => [row.transitionType, row.workflowUserId, row.dateTransition !== null]),
    ).to.deep.equal([
      [2, town.people.owner, true],
      [4, town.people.admin, true],
    ]);
    expect(await record(product)).to.include({ workflowState: null, productWorkflow: null });
    const [last] = await town.all('project', { name: 'Field 9' });
    expect(last?.dateActive).to.equal(null);
  });

  it('end one by one: their tasks are the owner’s, and what failed the admin hears too', async () => {
    // All but the first project’s are left without content, and one of these is at work still.
    for (const product of allowed.slice(2, 5))
      await town.ask('owner', 'POST', `/api/products/${product}/actions/cancel`);
    await town.workOff();
    const [site, app] = allowed;
    const empty = allowed[5] ?? '';
    expect(
      await Promise.all([site ?? '', app ?? '', empty].map(town.state.bind(town))),
    ).to.deep.equal(['Verify and Publish', 'Verify and Publish', 'Synchronize Data']);
    const ofOurs = ({ messageValues }: Of<'notification'>) =>
      messageValues?.projectName !== 'At work';
    const told = async (who: Name) =>
      (await town.told(who)).filter(ofOurs).map(({ messageId }) => messageId);
    expect(await told('owner')).to.have.members([
      'buildCompletedSuccessfully',
      'buildCompletedSuccessfully',
      'buildFailedOwner',
      'userTaskAdded',
      'userTaskAdded',
      'userTaskAdded',
    ]);
    expect(await told('admin')).to.deep.equal(['buildFailedAdmin']);
    for (const product of [site, app, empty]) {
      const tasks = await town.all('userTask', { product: product ?? '' });
      expect(tasks.map(({ user }) => user)).to.deep.equal([town.people.owner]);
    }
  });

  it('[N2] are mailed about together: to the admin at once, to the owner after a minute', async () => {
    const to = () => town.letters.map((mail) => mail.to.split('@')[0]);
    expect(new Set(to())).to.deep.equal(new Set(['admin']));
    const before = town.letters.length;
    await town.live(2 * MINUTE_MS);
    expect(to().slice(before)).to.deep.equal(['owner']);
    expect(town.letters.at(-1)?.files).to.have.length(8);
  });

  it('[11.7] begin one by one where they were asked for offline: five of fifty are refused', async () => {
    for (const product of [0, 1, 5].map((n) => allowed[n] ?? ''))
      await town.ask('owner', 'POST', `/api/products/${product}/actions/cancel`);
    const operations = chosen.map((product) => ({
      op: 'add',
      data: {
        type: 'product-action-runs',
        id: newId(),
        attributes: { action: 'rebuild', state: null },
        relationships: { product: { data: { type: 'products', id: product } } },
      },
      meta: { id: newId() },
    }));
    const answer = await town.fetch('owner', 'POST', '/api/operations', {
      headers: { 'Content-Type': JSON_API, Prefer: 'handling=lenient' },
      body: Buffer.from(JSON.stringify({ operations })),
    });
    const verdicts = ((await answer.json()) as { readonly operations: readonly Verdict[] })
      .operations;
    const refused = verdicts.flatMap(({ errors = [] }, n) =>
      errors.map(({ code, meta }) => ({ id: chosen[n], code, reason: meta?.reason ?? null })),
    );
    expect([answer.status, verdicts.length]).to.deep.equal([200, 50]);
    expect(refused).to.deep.equal(others);
    for (const product of allowed) expect(await town.state(product)).to.equal('Product Rebuild');
  });
});
