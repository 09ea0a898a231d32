import { expect } from 'chai';
import { engineTaskOf } from '#server/domain/builds/jobs/engine-task.ts';
import type { EngineTask } from '#server/domain/builds/jobs/engine-task.ts';
import {
  NO_REPORT,
  NOTHING,
  recordBuildResult,
  recordReleaseResult,
} from '#server/domain/builds/jobs/record-engine-result.ts';
import type { EngineResult } from '#server/domain/builds/jobs/record-engine-result.ts';
import { runWrite } from '#server/domain/builds/jobs/retry-job.ts';
import { startWorkflow } from '#server/domain/workflow/running/run-workflow.ts';
import type { WriteContext } from '#server/domain/write-context.ts';
import { aMember } from '../../support/make.ts';
import { aProductIn, inTown } from './in-town.ts';
import { expectSameByMigration } from './migrated.ts';
import { aBrokenApp } from './town.ts';
import type { Town } from './town.ts';

/** What products say of their state, over workflows, jobs and the bundled engine. */

const REPUBLISH = 'android_google_play_republish';
/** A success of which the engine says nothing else. */
const ANSWER: EngineResult = {
  isSuccess: true,
  error: null,
  facts: NOTHING,
  ...NO_REPORT,
};
const WITH_APPROVAL = 'Android App to Amazon S3 Bucket';

describe('a product says whom it waits for, and what failed [domain 5.2]', () => {
  let town: Town;

  inTown((founded) => {
    town = founded;
  });

  /** A product of which one version is out. */
  async function published() {
    const { product } = await aProductIn(town);
    await town.command('owner', product, 'Continue');
    await town.workOff();
    await town.command('owner', product, 'Approve');
    await town.workOff();
    return product;
  }

  function written<T>(work: (context: WriteContext) => Promise<T>): Promise<T> {
    return runWrite(town.server.parts, work);
  }

  /** Returns what the engine is asked for. */
  async function underWay<T extends 'productBuild' | 'productPublication'>(
    type: T,
    product: string,
  ): Promise<EngineTask<T>> {
    const { db } = town.server.parts;
    const [record] = await db.read((tx) =>
      tx.all<'productBuild' | 'productPublication'>(type, { product, success: null }),
    );
    const task = await db.read((tx) => engineTaskOf(tx, type, record?.id ?? ''));
    if (task === null) throw new Error('Nothing is under way');
    return task;
  }

  async function one(product: string) {
    const [record] = await town.all('product', { id: product });
    if (record === undefined) throw new Error('There is no product');
    return record;
  }

  /** Returns who is waited for, and the name of who alone can go on. */
  async function waitOf(product: string) {
    const { waitingFor, assigned } = await one(product);
    const [name = assigned] = Object.entries(town.people).find(([, id]) => id === assigned) ?? [];
    return [waitingFor, name];
  }

  /** Expects that the product waits so after `work`, and that this is no work on it. */
  async function expectWait(
    product: string,
    wait: readonly (string | null)[],
    work: () => Promise<unknown>,
  ) {
    const before = await one(product);
    await work();
    expect(await waitOf(product)).to.deep.equal(wait);
    const { dateUpdated, version } = await one(product);
    expect(dateUpdated).to.equal(before.dateUpdated);
    expect(version).to.be.above(before.version);
  }

  const patch = async (who: 'owner' | 'admin' | 'super', type: string, id: string, data: object) =>
    expect(
      (await town.ask(who, 'PATCH', `/api/${type}/${id}`, { data: { type, id, ...data } })).status,
    ).to.equal(200);

  const addAuthor = (project: string, user: string) =>
    town.add('owner', 'authors', {}, { project: ['projects', project], user: ['users', user] });

  it('for its owner, for nobody while the engine works, and for the authors once they have it', async () => {
    const { project, product } = await aProductIn(town);
    expect(await waitOf(product)).to.deep.equal(['owner', 'owner']);
    await addAuthor(project, town.people.author);
    await town.command('owner', product, 'Transfer to Authors');
    expect(await waitOf(product)).to.deep.equal(['authors', 'author']);
    await town.command('author', product, 'Continue');
    await town.command('owner', product, 'Continue');
    expect(await waitOf(product)).to.deep.equal([null, null]);
    await town.workOff();
    expect(await waitOf(product)).to.deep.equal(['owner', 'owner']);
    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await waitOf(product)).to.deep.equal([null, null]);
  });

  it('for one author alone once the other is locked', async () => {
    const { project, product } = await aProductIn(town);
    const { organization, group, server } = town;
    const second = { roles: ['Author'], groups: [group] } as const;
    const { id: user } = await aMember(server.parts.db, organization, second);
    await addAuthor(project, town.people.author);
    await addAuthor(project, user);
    await town.command('owner', product, 'Transfer to Authors');
    expect(await waitOf(product)).to.deep.equal(['authors', null]);
    await expectWait(product, ['authors', 'author'], () =>
      patch('super', 'users', user, { attributes: { 'is-locked': true } }),
    );
  });

  it('for an admin, until there is another one', async () => {
    const { product } = await aProductIn(town, {
      definition: WITH_APPROVAL,
      store: 'slipway_files',
    });
    await town.command('owner', product, 'Continue');
    expect(await waitOf(product)).to.deep.equal(['admins', 'admin']);
    const [role] = await town.all('role', { roleName: 'OrganizationAdmin' });
    let given = '';
    await expectWait(product, ['admins', null], async () => {
      given = await town.add(
        'super',
        'user-roles',
        {},
        {
          user: ['users', town.people.member],
          role: ['roles', role?.id ?? ''],
          organization: ['organizations', town.organization],
        },
      );
    });
    await expectWait(product, ['admins', 'admin'], () =>
      town.ask('super', 'DELETE', `/api/user-roles/${given}`),
    );
  });

  it('for the new owner of its project', async () => {
    const { project, product } = await aProductIn(town);
    const owner = { data: { type: 'users', id: town.people.member } };
    await expectWait(product, ['owner', 'member'], () =>
      patch('owner', 'projects', project, { relationships: { owner } }),
    );
  });

  it('for nobody while its project is archived', async () => {
    const { project, product } = await aProductIn(town);
    const archive = (at: string | null) => () =>
      patch('owner', 'projects', project, { attributes: { 'date-archived': at } });
    await expectWait(product, [null, null], archive(new Date().toISOString()));
    await expectWait(product, ['owner', 'owner'], archive(null));
  });

  it('that a build failed, in its own words, until the next step', async () => {
    const { project, product } = await aProductIn(town, { content: aBrokenApp() });
    await town.command('owner', product, 'Continue');
    await town.workOff();
    const [build] = await town.all('productBuild', { product });
    const failed = await one(product);
    expect([failed.failure, failed.failureReason]).to.deep.equal(['build', build?.error]);
    await town.upload(project);
    await town.command('owner', product, 'Continue');
    const { failure, failureReason } = await one(product);
    expect([failure, failureReason]).to.deep.equal([null, null]);
    await town.workOff();
  });

  it('that it was rejected, with the first line of the comment, cut where it is long', async () => {
    const { product } = await aProductIn(town, {
      definition: WITH_APPROVAL,
      store: 'slipway_files',
    });
    await town.command('owner', product, 'Continue');
    await town.command('admin', product, 'Reject', `\n ${'ü'.repeat(260)}\nNot now`);
    const { failure, failureReason, workflowState } = await one(product);
    expect([failure, failureReason, workflowState]).to.deep.equal([
      'rejected',
      `${'ü'.repeat(249)}…`,
      null,
    ]);
  });

  it('which version is out, also while a newer one cannot be built', async () => {
    const { project, product } = await aProductIn(town);
    await town.command('owner', product, 'Continue');
    await town.workOff();
    expect((await one(product)).versionPublished).to.equal(null);
    await town.command('owner', product, 'Approve');
    await town.workOff();
    const { versionPublished, versionBuilt } = await one(product);
    expect(versionPublished).to.be.a('string').and.to.equal(versionBuilt);
    await town.upload(project, aBrokenApp());
    await town.ask('owner', 'POST', `/api/products/${product}/actions/rebuild`);
    await town.workOff();
    const after = await one(product);
    expect([after.failure, after.versionPublished]).to.deep.equal(['build', versionPublished]);
    await town.ask('owner', 'POST', `/api/products/${product}/actions/cancel`);
    expect((await one(product)).failure).to.equal(null);
  });

  it('the same version after a republish, which releases only what the store says of the app', async () => {
    const product = await published();
    const { versionPublished } = await one(product);
    const [republish] = await town.all('workflowDefinition', { name: REPUBLISH });
    if (republish === undefined) throw new Error('There is no republish workflow');
    const { owner } = town.people;
    const before = await one(product);
    await written((context) =>
      startWorkflow(context, before, republish, owner, {
        triggeredBy: 'rebuild',
        startedBy: owner,
      }),
    );
    // The tools for this are not here, so an engine of a few lines answers.
    const ended = { ...ANSWER, facts: { ...NOTHING, version: '9.9' } };
    const build = await underWay('productBuild', product);
    await written((context) => recordBuildResult(context, build, ended));
    await town.command('owner', product, 'Approve');
    const release = await underWay('productPublication', product);
    await written((context) => recordReleaseResult(context, release, ended));
    const after = await one(product);
    expect([after.workflowState, after.versionBuilt]).to.deep.equal([null, '9.9']);
    expect(after.datePublished).not.to.equal(before.datePublished);
    expect(after.versionPublished).to.be.a('string').and.to.equal(versionPublished);
    await town.workOff();
  });

  it('the same version where a newer one came out too late to move the workflow', async () => {
    const product = await published();
    const { versionPublished } = await one(product);
    await town.ask('owner', 'POST', `/api/products/${product}/actions/rebuild`);
    await town.workOff();
    await town.command('owner', product, 'Approve');
    const release = await underWay('productPublication', product);
    const move = { from: 'Product Publish', state: 'Synchronize Data', comment: 'It is stuck' };
    const path = `/api/products/${product}/workflow/state`;
    expect((await town.ask('super', 'POST', path, move)).status).to.equal(200);
    await written((context) => recordReleaseResult(context, release, ANSWER));
    const releases = await town.all('productPublication', { product, success: true });
    expect(releases.length).to.equal(2);
    const after = await one(product);
    expect(after.versionBuilt).not.to.equal(versionPublished);
    expect(after.versionPublished).to.be.a('string').and.to.equal(versionPublished);
    await town.workOff();
  });

  it('of older products too', async () => {
    await expectSameByMigration(town);
  });
});
