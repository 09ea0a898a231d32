import { expect } from 'chai';
import { sql } from 'kysely';
import { buildFiguresFrom, buildFiguresPath } from '#protocol/builds/build-figures.ts';
import type { BuildFigures } from '#protocol/builds/build-figures.ts';
import { limits } from '#protocol/limits.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, World } from './world.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

describe('the figures of an organization’s builds [wire 11.16]', () => {
  let world: World;
  /** The beginning of the present week, in UTC. */
  let monday: number;

  beforeEach(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    const now = new Date(world.server.parts.clock());
    now.setUTCHours(0, 0, 0, 0);
    monday = now.getTime() - ((now.getUTCDay() + 6) % 7) * 24 * HOUR_MS;
    // Only what a test makes is in these weeks.
    await world.write((w) => w.query(sql`update product_builds set date_created = '2020-01-01Z'`));
  });

  const ask = (who: Name, organization: string, query = '') =>
    world.people[who].get(`${buildFiguresPath(organization)}${query}`);
  async function figures(who: Name, organization = world.ids.lakeside): Promise<BuildFigures> {
    const reply = await ask(who, organization);
    expect(reply.status, reply.text).to.equal(200);
    const read = buildFiguresFrom(reply.body);
    if (read === null) throw new Error('They are no figures');
    return read;
  }
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);

  async function aBuild(at: number, success: boolean | null, product = world.ids.product) {
    const id = world.id();
    await world.write(async (w) => {
      await w.insert('productBuild', { id, product, success });
      await w.query(sql`update product_builds set date_created = ${new Date(at).toISOString()}
        where id = ${id}`);
    });
  }
  const aStep = (state: string, end: number, waitedMs: number, fields: object = {}) =>
    world.write((w) =>
      w.insert('productTransition', {
        id: world.id(),
        product: world.ids.product,
        transitionType: 1,
        workflowType: 1,
        initialState: state,
        dateStarted: new Date(end - waitedMs).toISOString(),
        dateTransition: new Date(end).toISOString(),
        ...fields,
      } as never),
    );

  it('count what was built, failed and is under way, week by week, one without any too', async () => {
    await aBuild(monday, true);
    await aBuild(monday, null);
    await aBuild(monday - 1, false);
    await aBuild(monday - WEEK_MS, true);
    await aBuild(monday - 11 * WEEK_MS, true);
    // Before the weeks that are told.
    await aBuild(monday - 11 * WEEK_MS - 1, true);
    const { weeks } = await figures('admin');
    expect(weeks).to.have.length(limits.buildFigureWeeks);
    expect(weeks.map(({ begins }) => begins)).to.deep.equal(
      weeks.map((_, n) => day(monday - (11 - n) * WEEK_MS)),
    );
    expect(weeks.at(-1)).to.deep.equal({ begins: day(monday), built: 1, failed: 0, building: 1 });
    expect(weeks.at(-2)).to.deep.include({ built: 1, failed: 1, building: 0 });
    expect(weeks[0]).to.deep.include({ built: 1, failed: 0, building: 0 });
    expect(weeks[1]).to.deep.include({ built: 0, failed: 0, building: 0 });
  });

  it('tell how long a step waits at the middle, the longest first', async () => {
    const now = world.server.parts.clock();
    for (const hours of [1, 2, 30]) await aStep('Approval', now, hours * HOUR_MS);
    await aStep('App Builder Configuration', now, 3 * HOUR_MS);
    const { steps } = await figures('admin');
    expect(steps).to.deep.equal([
      { state: 'App Builder Configuration', count: 1, medianMs: 3 * HOUR_MS },
      { state: 'Approval', count: 3, medianMs: 2 * HOUR_MS },
    ]);
  });

  it('leave out what is foreseen, accesses to the project, and what is older', async () => {
    const now = world.server.parts.clock();
    await aStep('Approval', now, HOUR_MS, { dateTransition: null });
    await aStep('Project Download', now, HOUR_MS, { transitionType: 5 });
    await aStep('Approval', monday - 11 * WEEK_MS - 1, HOUR_MS);
    expect((await figures('admin')).steps).to.deep.equal([]);
  });

  it('are told to admins of the organization and to super admins', async () => {
    await aBuild(monday, true);
    for (const who of ['admin', 'super'] as const)
      expect((await figures(who)).weeks.at(-1)?.built, who).to.equal(1);
  });

  it('are refused to other members, and to admins of another organization', async () => {
    for (const who of ['member', 'builder', 'author', 'stranger'] as const) {
      const reply = await ask(who, world.ids.lakeside);
      expect([reply.status, reply.refusal], who).to.deep.equal([403, 'forbidden']);
    }
    // Whose public projects one might look at is seen; an organization without any is not.
    const reply = await ask('admin', world.ids.harbor);
    expect([reply.status, reply.refusal]).to.deep.equal([404, 'not-found']);
  });

  it('have nothing of another organization, whose public builds one sees all the same', async () => {
    await aBuild(monday, true, world.ids.publicProduct);
    await aStep('Approval', world.server.parts.clock(), HOUR_MS);
    const seen = await world.people.stranger.get(`/api/products/${world.ids.publicProduct}`);
    expect(seen.status).to.equal(200);
    for (const who of ['stranger', 'super'] as const) {
      const { weeks, steps } = await figures(who, world.ids.harbor);
      expect(weeks.map(({ built }) => built)).to.deep.equal(weeks.map(() => 0));
      expect(steps).to.deep.equal([]);
    }
  });

  it('take no parameter, and no organization that there is not', async () => {
    const reply = await ask('admin', world.ids.lakeside, '?weeks=52');
    expect([reply.status, reply.refusal]).to.deep.equal([400, 'unknown-parameter']);
    expect((await ask('super', world.id())).status).to.equal(404);
  });
});
