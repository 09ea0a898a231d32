import { expect } from 'chai';
import { sql } from 'kysely';
import { jobNames, jobTroubles } from '#protocol/jobs.ts';
import type { JobLists, JobSummary } from '#protocol/jobs.ts';
import { limits } from '#protocol/limits.ts';
import { registerJobs } from '#server/register-jobs.ts';
import type { Services } from '#server/domain/services.ts';
import english from '#text/en-US.json' with { type: 'json' };
import spanish from '#text/es-419.json' with { type: 'json' };
import french from '#text/fr-FR.json' with { type: 'json' };
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, World } from './world.ts';

const HOUR_MS = 3_600_000;
const JSON_BODY = { 'Content-Type': 'application/json' };
const SECRET = 'Bearer eyJ.secret.token';

describe('the jobs of the server', () => {
  let world: World;
  let as: World['people'];

  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
    as = world.people;
  });

  const lists = async (who: Person = as.super): Promise<JobLists> => {
    const reply = await who.get('/api/jobs');
    expect(reply.status, reply.text).to.equal(200);
    return reply.body as unknown as JobLists;
  };
  interface Kept {
    readonly name?: string;
    readonly data?: object;
    readonly failures?: number;
    readonly state?: 'waiting' | 'active';
    readonly trouble?: string | null;
  }
  /** Puts a job into the queue that nobody takes: nobody does jobs of that name, or not yet. */
  const keep = async ({
    name = 'of-another-version',
    data = {},
    failures = 0,
    state = 'waiting',
    trouble = failures === 0 ? null : 'engine-unreachable',
  }: Kept): Promise<string> => {
    const id = world.id();
    const now = world.server.parts.clock();
    const iso = (ms: number) => new Date(ms).toISOString();
    await world.server.parts.db.transact((tx) =>
      tx.query(sql`insert into queued_jobs
        (id, name, data, failures, state, due_at, alive_at, trouble, failed_at)
        values (${id}::uuid, ${name}, ${JSON.stringify(data)}::jsonb, ${failures}, ${state},
          ${iso(now + HOUR_MS)}::timestamptz, ${iso(now + HOUR_MS)}::timestamptz, ${trouble},
          ${failures === 0 ? null : iso(now)}::timestamptz)`),
    );
    return id;
  };
  const found = (jobs: readonly JobSummary[], id: string) => jobs.find((job) => job.id === id);
  const dueAt = async (id: string): Promise<number> => {
    const [row] = await world.server.parts.db.read((tx) =>
      tx.query(sql<{ readonly at: string }>`select due_at as at from queued_jobs
        where id = ${id}::uuid`),
    );
    return Date.parse(row?.at ?? '');
  };
  const runAgain = (id: string, who: Person = as.super, headers = {}) =>
    who.ask('POST', `/api/jobs/${id}/run`, undefined, { ...JSON_BODY, ...headers });
  const audited = async (): Promise<readonly unknown[]> =>
    (await as.super.get('/api/audit-events?filter[kind]=job-run-again')).many.map(
      ({ attributes }) => attributes,
    );

  it('are listed for super admins: those that failed with why, and those that wait', async () => {
    const { project, product, build } = world.ids;
    const failed = await keep({ data: { project }, failures: 3 });
    const ofProduct = await keep({ data: { product }, failures: 1, trouble: 'fault' });
    const ofBuild = await keep({ data: { build } });
    const running = await keep({ data: { user: as.member.id }, state: 'active' });
    const { failed: bad, waiting } = await lists();
    const now = new Date(world.server.parts.clock()).getFullYear();
    const one = found(bad.jobs, failed);
    expect(one).to.deep.include({
      ...{ name: 'of-another-version', isRunning: false, failures: 3 },
      ...{ trouble: 'engine-unreachable', subject: { type: 'projects', id: project } },
    });
    expect(Date.parse(one?.dueAt ?? '')).to.equal(await dueAt(failed));
    expect(new Date(one?.failedAt ?? '').getFullYear()).to.equal(now);
    expect(found(bad.jobs, ofProduct)?.subject).to.deep.equal({ type: 'products', id: product });
    expect(found(waiting.jobs, ofBuild)).to.deep.include({
      ...{ failures: 0, trouble: null, failedAt: null },
      subject: { type: 'products', id: product },
    });
    expect(found(waiting.jobs, running)).to.deep.include({
      isRunning: true,
      subject: { type: 'users', id: as.member.id },
    });
    expect(found(waiting.jobs, failed)).to.equal(undefined);
    expect(bad.total).to.equal(bad.jobs.length);
  });

  it('are listed without what they are to do: no mail, no link and no token', async () => {
    const letter = { to: 'a@b.test', text: `Open https://x.test/?token=${SECRET}` };
    const id = await keep({
      name: 'letter-of-another-version',
      data: { letter, project: "1' or '1'='1" },
      failures: 1,
    });
    const reply = await as.super.get('/api/jobs');
    expect(reply.text).to.include(id);
    expect(reply.text).not.to.include(SECRET).and.not.include('a@b.test').and.not.include("or '1");
    expect(found((reply.body as unknown as JobLists).failed.jobs, id)?.subject).to.equal(null);
  });

  it(`are listed up to ${String(limits.jobsListed)}, and counted beyond`, async () => {
    const { db } = world.server.parts;
    await db.transact((tx) =>
      tx.query(sql`insert into queued_jobs (id, name, data, failures, due_at, trouble)
        select gen_random_uuid(), 'one-of-many', '{}', 1, now() + interval '9 hours', 'fault'
        from generate_series(1, ${limits.jobsListed + 5}::int)`),
    );
    const { failed } = await lists();
    expect(failed.jobs.length).to.equal(limits.jobsListed);
    expect(failed.total).to.be.greaterThan(limits.jobsListed + 4);
    await db.transact((tx) => tx.query(sql`delete from queued_jobs where name = 'one-of-many'`));
  });

  it('are neither seen nor run by anybody who is no super admin', async () => {
    const id = await keep({ failures: 2 });
    const before = await dueAt(id);
    for (const who of [as.admin, as.builder, as.author, as.member, as.stranger, as.nobody]) {
      expect((await who.get('/api/jobs')).refusal).to.equal('forbidden');
      expect((await runAgain(id, who)).refusal).to.equal('forbidden');
      // Whether there is such a job is not told either.
      expect((await runAgain(world.id(), who)).refusal).to.equal('forbidden');
    }
    for (const [method, path] of [
      ['GET', '/api/jobs'],
      ['POST', `/api/jobs/${id}/run`],
    ] as const)
      expect((await fetch(`${world.server.url}${path}`, { method })).status).to.equal(401);
    expect(await dueAt(id)).to.equal(before);
  });

  it('that failed are run again at once, which the audit log tells, once for the same request', async () => {
    const id = await keep({ name: 'run-once', failures: 4 });
    const before = (await audited()).length;
    const key = { 'Idempotency-Key': world.id() };
    const reply = await runAgain(id, as.super, key);
    expect([reply.status, reply.body]).to.deep.equal([200, { name: 'run-once' }]);
    expect(await dueAt(id)).to.be.at.most(world.server.parts.clock());
    expect((await runAgain(id, as.super, key)).status).to.equal(200);
    // Asked anew, it is due already: nothing is done, and nothing is written.
    expect((await runAgain(id)).status).to.equal(200);
    const told = await audited();
    expect(told.length).to.equal(before + 1);
    expect(told[0]).to.deep.include({
      ...{ kind: 'job-run-again', 'actor-id': as.super.id, 'actor-name': 'super person' },
      ...{ before: null, after: { job: 'run-once' }, 'organization-id': null },
    });
    expect((await lists()).failed.jobs.find((job) => job.id === id)?.failures).to.equal(4);
  });

  it('that are running, wait or are gone are not begun by it', async () => {
    const running = await keep({ failures: 1, state: 'active' });
    const [dueOfRunning, waiting] = [await dueAt(running), await keep({})];
    expect((await runAgain(running)).status).to.equal(200);
    expect(await dueAt(running)).to.equal(dueOfRunning);
    for (const id of [waiting, world.id(), "1' or true--", '..%2Fusers'])
      expect((await runAgain(encodeURIComponent(id))).status, id).to.equal(404);
    for (const method of ['PUT', 'PATCH', 'DELETE'])
      expect((await as.super.ask(method, '/api/jobs', {})).status, method).to.equal(405);
  });

  it('have a name, and reasons to fail, in plain words in every language', () => {
    const registered: string[] = [];
    const jobs = {
      on: (name: string) => registered.push(name),
      every: (name: string) => registered.push(name),
    };
    registerJobs({ ...world.server.parts, jobs } as unknown as Services);
    expect(registered.sort()).to.deep.equal([...jobNames].sort());
    for (const texts of [english, spanish, french] as Readonly<Record<string, string>>[]) {
      for (const name of registered)
        expect(texts[`admin.jobs.names.${name}`], name).to.be.a('string');
      for (const why of jobTroubles)
        expect(texts[`admin.jobs.troubles.${why}`], why).to.be.a('string');
    }
  });
});
