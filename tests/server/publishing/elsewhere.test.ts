import { expect } from 'chai';
import { sql } from 'kysely';
import type { EngineProject, ProjectRequest } from '#protocol/engine.ts';
import type { Fault } from '../../support/engine.ts';
import { EngineServer } from '../../support/engine.ts';
import { testDatabase } from '../../support/database.ts';
import { OwnTime } from '../../support/own-time.ts';
import { START_WITHIN_MS } from '../http/api/world.ts';
import { bytesOf, openPlace } from '../../engine/workshop.ts';
import type { Place } from '../../engine/workshop.ts';
import { Town } from './town.ts';
import type { Name } from './town.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ANDROID = 'Android App to Amazon S3 Bucket (No Admin)';

describe('publishing with a build engine elsewhere', () => {
  let place: Place;
  let engine: EngineServer;
  let time: OwnTime;
  let town: Town;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    place = openPlace((await testDatabase()).db);
    await place.bundled.open();
    engine = await EngineServer.start(place.bundled);
    time = new OwnTime();
    const env = {
      BUILD_ENGINE_URL: engine.url,
      BUILD_ENGINE_TOKEN: engine.token,
      BUILD_ENGINE_HOSTS: '127.0.0.1',
    };
    town = await Town.found({ env, timers: time }, place.bundled);
  });
  after(async () => {
    await town.stop();
    await engine.stop();
    await place.remove();
  });
  beforeEach(async () => {
    engine.fault = 'none';
    // Whatever a test left behind is over, and every engine answers.
    await town.live(6 * MINUTE_MS);
  });
  afterEach('no job broke', () => {
    expect(town.faults).to.deep.equal([]);
  });

  /** A product that waits for its owner to have it built; with `WAIT`, the engine waits too. */
  async function configured(environment: Readonly<Record<string, string>> = {}): Promise<string> {
    const project = await town.project();
    const { location } = await town.see('owner', 'projects', project);
    const [, number = ''] = /repositories\/(\d+)$/.exec(location as string) ?? [];
    await place.bundled.repositories.add(Number(number), bytesOf('content'));
    const product = await town.product(project, ANDROID, 'slipway_files');
    await town.workOff();
    expect(await town.state(product)).to.equal('App Builder Configuration');
    const usual = { BUILD_COMPUTE_TYPE: 'small', BUILD_IMAGE_TAG: 'latest' };
    const properties = JSON.stringify({ environment: { ...usual, ...environment } });
    const data = { type: 'products', id: product, attributes: { properties } };
    const set = await town.ask('admin', 'PATCH', `/api/products/${product}`, { data });
    expect(set.status).to.equal(200);
    return product;
  }

  async function expectNotified(who: Name, before: number, id: string) {
    const all = (await town.told(who)).slice(before);
    return all.filter(({ messageId }) => messageId === id);
  }

  async function status() {
    const { many } = await town.ask('super', 'GET', '/api/system-statuses');
    return many.find(({ attributes }) => attributes?.['build-engine-url'] === engine.url)
      ?.attributes;
  }

  /** Lets time pass for everything that waits for it. */
  async function inOwnTime(work: Promise<void>): Promise<void> {
    const turn = { isOver: false };
    const end = work.finally(() => (turn.isOver = true));
    while (!turn.isOver) {
      await new Promise((done) => setImmediate(done));
      time.pass(1_000);
    }
    await end;
  }

  const available = async (who: Name) =>
    (await town.see(who, 'organizations', town.organization))['build-engine-available'];

  it('builds and releases there, and leads people to its files', async () => {
    const product = await configured();
    await town.command('owner', product, 'Continue');
    await town.workOff();
    expect(await town.state(product)).to.equal('Verify and Publish');
    const artifacts = await town.all('productArtifact', { product });
    const apk = artifacts.find(({ artifactType }) => artifactType === 'apk');
    expect(apk?.filename).to.equal('Harvest 1.0.apk');
    const led = await town.fetch(
      'member',
      'GET',
      `/api/product-artifacts/${apk?.id ?? ''}/content`,
    );
    expect(led.headers.get('Location')).to.match(new RegExp(`^${engine.url}/files/builds/`));
    await town.command('owner', product, 'Approve');
    await town.workOff();
    expect(await town.state(product)).to.equal(null);
    const [publication] = await town.all('productPublication', { product });
    expect([publication?.success, publication?.package]).to.deep.equal([
      true,
      place.workshop.packageName,
    ]);
    expect((await town.see('owner', 'products', product))['publish-link']).to.be.a('string');
  });

  it('[11.2] is shown as connected, and its token to nobody [R182, R216, R250]', async () => {
    expect(await status()).to.deep.include({
      'system-available': true,
      'build-engine-api-access-token-hint': 'gine',
    });
    expect(await available('admin')).to.equal(true);
    expect(await available('member')).to.equal(null);
    const { many } = await town.ask('admin', 'GET', '/api/system-statuses');
    expect(many).to.deep.equal([]);
  });

  for (const fault of ['disconnect', 500, 401] as const satisfies readonly Fault[]) {
    it(`waits for one that is away for ten minutes (${String(fault)}), says so, and goes on [R250, R407]`, async () => {
      const product = await configured();
      const told = {
        super: (await town.told('super')).length,
        admin: (await town.told('admin')).length,
      };
      engine.fault = fault;
      await town.command('owner', product, 'Continue');
      await town.live(10 * MINUTE_MS);
      expect(await town.state(product)).to.equal('Product Build');
      const [build] = await town.all('productBuild', { product });
      expect([build?.success, build?.buildId]).to.deep.equal([null, null]);
      expect((await status())?.['system-available']).to.equal(false);
      expect(await available('admin')).to.equal(false);
      for (const who of ['super', 'admin'] as const) {
        const [lost, ...again] = await expectNotified(who, told[who], 'buildengineDisconnected');
        expect(again).to.deep.equal([]);
        expect(lost?.messageValues).to.deep.equal({
          url: who === 'super' ? engine.url : '',
          minutes: '1',
        });
        expect(lost?.linkUrl).to.equal(
          who === 'super'
            ? '/admin/settings/build-engines'
            : `/organizations/${town.organization}/settings/infrastructure`,
        );
      }
      expect(await expectNotified('owner', 0, 'buildengineDisconnected')).to.deep.equal([]);

      engine.fault = 'none';
      await town.live(MINUTE_MS + 15_000);
      expect((await status())?.['system-available']).to.equal(true);
      expect(await available('admin')).to.equal(true);
      for (const who of ['super', 'admin'] as const)
        expect(await expectNotified(who, told[who], 'buildengineReconnected')).to.have.length(1);
      await town.live(8 * MINUTE_MS);
      await place.bundled.idle();
      await town.live(MINUTE_MS);
      expect(await town.state(product)).to.equal('Verify and Publish');
      expect(await town.all('productBuild', { product })).to.have.length(1);
    });
  }

  for (const fault of ['garbage', 'hang'] as const) {
    it(`waits while one gives no answer to how a build stands (${fault})`, async () => {
      const product = await configured({ WAIT: '1' });
      await town.command('owner', product, 'Continue');
      await town.server.parts.jobs.untilIdle();
      const [build] = await town.all('productBuild', { product });
      expect(build?.phase).to.equal('active');
      engine.fault = fault;
      town.pass(30_000);
      await inOwnTime(town.server.parts.jobs.untilIdle());
      expect(await town.state(product)).to.equal('Product Build');
      engine.fault = 'none';
      place.workshop.goOn();
      await place.bundled.idle();
      await town.live(MINUTE_MS);
      expect(await town.state(product)).to.equal('Verify and Publish');
    });
  }

  it('knows when a build began by the first look that saw it at work [domain 11.4]', async () => {
    const product = await configured({ WAIT: '1' });
    const { jobs, clock } = town.server.parts;
    const begun = place.workshop.orders.length;
    const asked = clock();
    await town.command('owner', product, 'Continue');
    await jobs.untilIdle();
    await place.workshop.begun(begun + 1);
    town.pass(30_000);
    await jobs.untilIdle();
    const [seen] = await town.all('productBuild', { product });
    expect(seen?.phase).to.equal('active');
    expect(seen?.logUrl).to.equal(null);
    expect(Date.parse(seen?.dateStarted ?? '')).to.be.within(asked, clock());
    await town.live(MINUTE_MS);
    place.workshop.goOn();
    await place.bundled.idle();
    await town.live(MINUTE_MS);
    const [ended] = await town.all('productBuild', { product });
    expect([ended?.success, ended?.dateStarted]).to.deep.equal([true, seen?.dateStarted]);
    expect(ended?.dateFinished).to.be.a('string');
  });

  it('does not know when a build began that ended between two looks [domain 11.4]', async () => {
    const [other, product] = [await configured({ WAIT: '1' }), await configured()];
    const begun = place.workshop.orders.length;
    await town.command('owner', other, 'Continue');
    await town.server.parts.jobs.untilIdle();
    await place.workshop.begun(begun + 1);
    await town.command('owner', product, 'Continue');
    await town.server.parts.jobs.untilIdle();
    const [waiting] = await town.all('productBuild', { product });
    expect([waiting?.phase, waiting?.dateStarted]).to.deep.equal(['accepted', null]);
    place.workshop.goOn();
    await place.bundled.idle();
    await town.live(MINUTE_MS);
    const [ended] = await town.all('productBuild', { product });
    expect([ended?.success, ended?.dateStarted]).to.deep.equal([true, null]);
  });

  it('[W60] counts a build as failed that could not be begun ten times, and says why once [R250, R407]', async () => {
    const product = await configured();
    const [owner, admin] = [(await town.told('owner')).length, (await town.told('admin')).length];
    engine.fault = 'disconnect';
    await town.command('owner', product, 'Continue');
    for (let tries = 0; tries < 9; tries += 1) {
      expect(await town.state(product)).to.equal('Product Build');
      await town.server.parts.jobs.untilIdle();
      town.pass(HOUR_MS);
    }
    await town.server.parts.jobs.untilIdle();
    expect(await town.state(product)).to.equal('Synchronize Data');
    const [build] = await town.all('productBuild', { product });
    expect([build?.success, build?.error]).to.deep.equal([
      false,
      'The build engine cannot be reached',
    ]);
    expect(await expectNotified('owner', owner, 'buildFailedUnableToConnect')).to.have.length(1);
    expect(await expectNotified('admin', admin, 'buildFailedUnableToConnect')).to.have.length(1);
    expect(await expectNotified('owner', owner, 'buildFailedOwner')).to.have.length(1);
    // It was away for nine hours: people were notified once, and once more after six.
    expect(await expectNotified('admin', admin, 'buildengineDisconnected')).to.have.length(2);
  });

  it('[W61] counts a build as failed that has not ended after a day', async () => {
    const product = await configured({ WAIT: '1' });
    await town.command('owner', product, 'Continue');
    await town.live(MINUTE_MS);
    expect(await town.state(product)).to.equal('Product Build');
    engine.fault = 'disconnect';
    town.pass(25 * HOUR_MS);
    await town.server.parts.jobs.untilIdle();
    expect(await town.state(product)).to.equal('Synchronize Data');
    const [build] = await town.all('productBuild', { product });
    expect(build?.error).to.equal('It was not finished after 24 hours');
    place.workshop.goOn();
    await place.bundled.idle();
  });

  it('[W61] counts a build as failed that the engine does not know any more', async () => {
    const product = await configured({ WAIT: '1' });
    await town.command('owner', product, 'Continue');
    await town.live(MINUTE_MS);
    place.workshop.goOn();
    await place.bundled.idle();
    const [begun] = await town.all('productBuild', { product });
    const { db } = town.server.parts;
    await db.transact((tx) =>
      tx.query(sql`delete from engine_builds where id = ${begun?.buildId ?? 0}`),
    );
    await town.live(MINUTE_MS);
    expect(await town.state(product)).to.equal('Synchronize Data');
    const [build] = await town.all('productBuild', { product });
    expect(build?.error).to.equal('The build engine does not know of it any more');
  });

  it('[8.2] asks for a repository until it is made, and says once that it cannot [R238]', async () => {
    engine.fault = 'garbage';
    const owner = (await town.told('owner')).length;
    const project = await town.project('Late');
    for (let tries = 0; tries < 11; tries += 1) {
      await town.server.parts.jobs.untilIdle();
      town.pass(HOUR_MS);
    }
    expect(await expectNotified('owner', owner, 'projectFailedUnableToCreate')).to.have.length(1);
    expect((await town.see('owner', 'projects', project))['workflow-project-url']).to.equal(null);
    engine.fault = 'none';
    await town.live(HOUR_MS);
    expect(await expectNotified('owner', owner, 'projectCreatedSuccessfully')).to.have.length(1);
    expect((await town.see('owner', 'projects', project)).location).to.be.a('string');
  });

  /** The engine says of its projects what `as` says, until `work` lets it or ends. */
  async function saying(as: Partial<EngineProject>, work: (end: () => void) => Promise<void>) {
    const { bundled } = place;
    const real = { ...bundled };
    const lie = async (answer: Promise<EngineProject>) => ({ ...(await answer), ...as });
    const end = () => {
      Object.assign(bundled, real);
    };
    Object.assign(bundled, {
      createProject: (asked: ProjectRequest) => lie(real.createProject(asked)),
      project: (id: number) => lie(real.project(id)),
    });
    await work(end).finally(end);
  }

  it('[8.2] asks for the same repository again until it is ready, however long that takes', async () => {
    await saying({ status: 'active', result: null, url: null }, async (end) => {
      const owner = (await town.told('owner')).length;
      const made = engine.heard.filter(({ path }) => path === '/project').length;
      const project = await town.project('Slow');
      await town.live(10 * MINUTE_MS);
      engine.fault = 'disconnect';
      await town.live(MINUTE_MS);
      expect(await expectNotified('owner', owner, 'projectFailedBuildEngine')).to.deep.equal([]);
      engine.fault = 'none';
      end();
      await town.live(2 * MINUTE_MS);
      expect((await town.see('owner', 'projects', project)).location).to.be.a('string');
      expect(engine.heard.filter(({ path }) => path === '/project')).to.have.length(made + 1);
    });
  });

  it('[8.2] tells owner and admins of a repository that the engine refuses to make', async () => {
    const failed = { status: 'completed', result: 'FAILURE', error: 'No room', url: null };
    await saying(failed, async (end) => {
      const [owner, admin] = [(await town.told('owner')).length, (await town.told('admin')).length];
      const project = await town.project('Refused');
      const [said] = await expectNotified('owner', owner, 'projectCreationFailedOwner');
      expect(said?.messageValues).to.deep.equal({
        projectName: 'Refused',
        projectStatus: 'completed',
        projectError: 'No room',
      });
      expect(await expectNotified('admin', admin, 'projectCreationFailedAdmin')).to.have.length(1);
      end();
      const data = { type: 'projects', id: project, attributes: { name: 'Taken' } };
      const renamed = await town.ask('owner', 'PATCH', `/api/projects/${project}`, { data });
      expect(renamed.status).to.equal(200);
      await town.server.parts.jobs.untilIdle();
      expect((await town.see('owner', 'projects', project)).location).to.be.a('string');
    });
  });
});
