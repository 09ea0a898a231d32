import { expect } from 'chai';
import { EngineServer } from '../../../support/engine.ts';
import { testDatabase } from '../../../support/database.ts';
import { START_WITHIN_MS } from '../../http/api/world.ts';
import { Town } from '../../publishing/town.ts';
import type { Answer, Name } from '../../publishing/town.ts';
import { openPlace } from '../../../engine/workshop.ts';
import type { Place } from '../../../engine/workshop.ts';

const MINUTE_MS = 60_000;

describe('[11.9] an organization’s own build engine', () => {
  let place: Place;
  let engine: EngineServer;
  let town: Town;
  let url: string;

  before(async function () {
    this.timeout(START_WITHIN_MS);
    place = openPlace((await testDatabase()).db);
    engine = await EngineServer.start(place.bundled);
    await place.bundled.open();
    town = await Town.found({ env: { BUILD_ENGINE_HOSTS: '127.0.0.1' } });
    url = `/api/organizations/${town.organization}`;
  });
  after(async () => {
    await town.stop();
    await engine.stop();
    await place.remove();
  });
  beforeEach(() => {
    engine.fault = 'none';
    // Ten a minute.
    town.pass(MINUTE_MS);
  });

  const check = async (who: Name, body: object = {}): Promise<Answer> => {
    const sent = { headers: { 'Content-Type': 'application/json' } };
    const answer = await town.fetch(who, 'POST', `${url}/build-engine/check`, {
      ...sent,
      body: Buffer.from(JSON.stringify(body)),
    });
    const json = (await answer.json()) as Answer['json'];
    const [error] = json.errors ?? [];
    const rule = error?.meta?.rule;
    return {
      status: answer.status,
      json,
      one: { type: '', id: '' },
      many: [],
      refusal:
        error === undefined ? null : `${error.code}${typeof rule === 'string' ? `/${rule}` : ''}`,
    };
  };

  const set = (attributes: object) =>
    town.ask('admin', 'PATCH', url, {
      data: { type: 'organizations', id: town.organization, attributes },
    });

  const good = () => ({ url: engine.url, token: engine.token });
  const asked = () => engine.heard.filter(({ path }) => path === '/system/check');

  it('is tried out by its admins and super admins, and by nobody else', async () => {
    for (const who of ['admin', 'super'] as const)
      expect((await check(who, good())).json).to.deep.equal({ available: true, reason: null });
    expect((await check('owner', good())).refusal).to.equal('forbidden');
    const organization = (await town.see('admin', 'organizations', town.organization))[
      'build-engine-url'
    ];
    expect(organization).to.equal(null);
  });

  it('says why it is not available', async () => {
    const reasonOf = async (body: object) => (await check('admin', body)).json.reason;
    expect(await reasonOf({ url: engine.url, token: 'another' })).to.equal('refused');
    expect(await reasonOf({ url: engine.url })).to.equal('refused');
    expect(await reasonOf({ url: 'http://127.0.0.1:1', token: 'x' })).to.equal('unreachable');
    expect(await reasonOf({ url: 'http://10.0.0.7/', token: 'x' })).to.equal('address-not-allowed');
    engine.fault = 500;
    expect(await reasonOf(good())).to.equal('no-usable-answer');
    engine.fault = 'disconnect';
    expect(await reasonOf(good())).to.equal('unreachable');
  });

  it('is the default one where there is none of its own', async () => {
    expect((await check('admin')).json).to.deep.equal({ available: true, reason: null });
  });

  it('refuses what is no address, and more than ten in a minute', async () => {
    expect((await check('admin', { url: 'engine' })).refusal).to.equal('invalid/url');
    expect((await check('admin', { token: 7 })).refusal).to.equal('invalid/type');
    for (let n = 0; n < 8; n += 1) await check('admin');
    expect((await check('admin')).refusal).to.equal('too-many-requests');
  });

  it('gives the stored token to the stored address only', async () => {
    const stored = {
      'build-engine-url': engine.url,
      'build-engine-api-access-token': engine.token,
    };
    expect((await set({ ...stored, 'use-default-build-engine': false })).status).to.equal(200);
    await town.server.parts.jobs.untilIdle();
    engine.heard.length = 0;
    expect((await check('admin')).json.available).to.equal(true);
    expect((await check('admin', { url: `${engine.url}/` })).json.available).to.equal(true);
    expect((await check('admin', { url: `${engine.url}/elsewhere` })).json.available).to.equal(
      false,
    );
    const tokens = engine.heard.map(({ authorization }) => authorization);
    expect(tokens).to.deep.equal([`Bearer ${engine.token}`, `Bearer ${engine.token}`, null]);
  });

  it('[11.2] has a status of its own while somebody uses it [R216]', async () => {
    const statuses = async () =>
      (await town.ask('super', 'GET', '/api/system-statuses')).many
        .map(({ attributes = {} }) => [
          attributes['build-engine-url'],
          attributes['system-available'],
        ])
        .sort();
    expect(await statuses()).to.deep.include([engine.url, true]);
    expect(await statuses()).to.deep.include([null, true]);
    const available = async () =>
      (await town.see('admin', 'organizations', town.organization))['build-engine-available'];
    expect(await available()).to.equal(true);

    await set({ 'build-engine-api-access-token': 'a-wrong-one-of-this-engine' });
    await town.server.parts.jobs.untilIdle();
    expect(await statuses()).to.deep.include([engine.url, false]);
    expect(await available()).to.equal(false);
    const told = (await town.told('admin')).length;
    await town.live(2 * MINUTE_MS);
    const [lost] = (await town.told('admin')).slice(told);
    expect([lost?.messageId, lost?.messageValues?.url]).to.deep.equal([
      'buildengineDisconnected',
      engine.url,
    ]);

    await set({ 'build-engine-api-access-token': null });
    await town.server.parts.jobs.untilIdle();
    expect(await statuses()).to.deep.include([engine.url, false]);

    await set({ 'use-default-build-engine': true });
    await town.server.parts.jobs.untilIdle();
    const left = await statuses();
    expect(left).to.deep.include([null, true]);
    expect(left.map(([of]) => of)).not.to.include(engine.url);
    expect(await available()).to.equal(true);
  });

  it('[11.2] is asked every five minutes while it answers, and every minute while it does not', async () => {
    const own = {
      'use-default-build-engine': false,
      'build-engine-api-access-token': engine.token,
    };
    await set(own);
    await town.server.parts.jobs.untilIdle();
    engine.heard.length = 0;
    await town.live(20 * MINUTE_MS);
    expect(asked()).to.have.length(4);
    engine.fault = 'disconnect';
    await town.live(5 * MINUTE_MS);
    engine.heard.length = 0;
    await town.live(5 * MINUTE_MS);
    expect(asked()).to.have.length(5);
    const { 'date-updated': before } = await statusOf();
    await town.live(5 * MINUTE_MS);
    expect((await statusOf())['date-updated']).to.equal(before);
    engine.fault = 'none';
    await town.live(MINUTE_MS);
    const after = await statusOf();
    expect(after['system-available']).to.equal(true);
    expect(after['date-updated']).to.not.equal(before);
  });

  async function statusOf() {
    const { many } = await town.ask('super', 'GET', '/api/system-statuses');
    const found = many.find(({ attributes }) => attributes?.['build-engine-url'] === engine.url);
    return found?.attributes ?? {};
  }
});
