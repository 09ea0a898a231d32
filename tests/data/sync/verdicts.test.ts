import { expect } from 'chai';
import { createProject } from '#data/actions/projects.ts';
import type { Operation } from '#protocol/operations.ts';
import { AtWork, refusal } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';

describe('the verdict on a change', () => {
  let work: AtWork;
  let second: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    second = work.world.addProject({ name: 'Second' });
    await until(() => work.name(second) !== undefined, 'the second project');
  });
  afterEach(() => work.data.close());

  /** Ids of the changes in each body that was sent. */
  const sent = (): string[][] =>
    work.server.requests
      .filter(({ path }) => path === '/api/operations')
      .map(({ body }) => {
        const { operations } = JSON.parse(body) as { operations: readonly Operation[] };
        return operations.map(({ meta }) => meta?.id ?? '');
      });

  for (const [status, code] of [
    [400, 'invalid-document'],
    [403, 'forbidden'],
    [404, 'not-found'],
    [409, 'in-use'],
    [410, 'gone'],
    [422, 'invalid'],
  ] as const)
    it(`[fault 21] ${status} ${code} of one change: it needs the person, others go on`, async () => {
      work.server.refuse = ({ ref }) =>
        ref?.id === work.world.project ? refusal(status, code) : null;
      work.server.faults.push('cut-before');
      await work.rename('Mine');
      await turns(5);
      // Depends on the first, because it writes the same field.
      await work.rename('Mine, second');
      await work.rename('Second 2', second);
      await work.device.pass(4_000);
      await work.answered();
      const refused = work.change('refused');
      expect(refused.problem?.code).to.equal(code);
      expect(work.change('held').heldBy).to.equal(refused.id);
      expect(work.changes).to.include({ status: 'attention', attention: 2 });
      expect(work.name()).to.equal('Harvest');
      expect(work.inServer(second).name).to.equal('Second 2');
    });

  it('424: it is held by what it mentions, and goes with that', async () => {
    work.server.refuse = ({ op }) => (op === 'add' ? refusal(403, 'forbidden') : null);
    await work.offline();
    const id = await work.create();
    const reviewer = await work.addReviewer(id);
    await work.online();
    await work.answered();
    const { id: refused } = work.changeOf(id);
    expect(work.changeOf(reviewer)).to.include({ state: 'held', heldBy: refused });
    work.server.refuse = () => null;
    await work.data.changes.tryAgain(refused);
    await work.saved();
    expect(work.server.get('reviewer', reviewer)).to.not.equal(undefined);
  });

  it('[fault 23] id-taken by what was wanted: that is the acknowledgement', async () => {
    await work.offline();
    const id = await work.create();
    work.server.put('project', { ...work.data.find.one('project', id), version: 0 });
    await work.online();
    await work.saved();
    expect(work.name(id)).to.equal('Mango');
    expect(work.changeOf(id).state).to.equal('done');
  });

  it('[fault 23] id-taken by something else: refused', async () => {
    await work.offline();
    const id = await work.create();
    work.server.put('project', {
      ...work.data.find.one('project', id),
      name: 'Another',
      version: 0,
    });
    await work.online();
    await work.answered();
    expect(work.changeOf(id).problem?.code).to.equal('id-taken');
    expect(work.inServer(id).name).to.equal('Another');
  });

  it('[fault 23] already-exists with another id: the one that is there stays, alone', async () => {
    const existing = await work.addReviewer();
    await work.saved();
    work.server.refuse = ({ op }) =>
      op === 'add'
        ? refusal(409, 'already-exists', {
            meta: { existing: { type: 'reviewers', id: existing } },
          })
        : null;
    const id = await work.addReviewer();
    await work.saved();
    expect(work.data.find.one('reviewer', id)).to.equal(null);
    expect(work.data.find.one('reviewer', existing)?.name).to.equal('Rosa');
  });

  it('[fault 23] a reading back without an answer decides nothing', async () => {
    await work.offline();
    const id = await work.create();
    work.server.put('project', { ...work.data.find.one('project', id), version: 0 });
    work.server.isDown = false;
    // Its own record is asked for, and that is cut.
    work.server.faults.push(...Array<() => null>(1).fill(() => null), 'cut-before');
    await work.device.pass(20_000);
    await work.saved();
    expect(work.changeOf(id).state).to.equal('done');
  });

  for (const status of [500, 503, 429, 408] as const)
    it(`${status} of one change in a body is none: the same id again, the others are done [R333]`, async () => {
      let times = 2;
      work.server.refuse = ({ ref }) =>
        ref?.id === work.world.project && times-- > 0 ? refusal(status, 'internal') : null;
      await work.offline();
      await work.rename('Mine');
      await work.rename('Second 2', second);
      await work.online();
      await until(() => work.inServer(second).name === 'Second 2', 'the other change');
      await work.device.pass(10_000);
      await work.saved();
      expect(work.inServer().name).to.equal('Mine');
      expect(new Set(work.server.applied).size).to.equal(work.server.applied.length);
    });

  it('an entry that is missing is no verdict: the same id again', async () => {
    work.server.faults.push(() => new Response('{"operations":[]}', { headers: JSON_API }));
    await work.rename('Mine');
    await turns(5);
    await work.device.pass(2_000);
    await work.saved();
    const [first, again] = sent();
    expect(first).to.deep.equal(again);
    expect(work.server.applied).to.deep.equal(first);
  });

  for (const [status, code, viewerStatus] of [
    [401, 'email-not-verified', 'email-not-verified'],
    [403, 'user-locked', 'user-locked'],
    [426, 'client-too-old', 'client-too-old'],
  ] as const)
    it(`${status} ${code}: sending stops, every change is kept`, async () => {
      work.server.faults.push(problem(status, code));
      await work.rename('Mine');
      await until(() => work.data.viewerStatus.view() === viewerStatus, code);
      await work.device.pass(120_000);
      expect(sent()).to.have.length(1);
      expect(work.changes.waiting).to.equal(1);
      expect(work.name()).to.equal('Mine');
    });

  it('user-locked of one change in a body stops everything and refuses nothing', async () => {
    work.server.refuse = ({ ref }) =>
      ref?.id === work.world.project ? refusal(403, 'user-locked') : null;
    await work.rename('Mine');
    await until(() => work.data.viewerStatus.view() === 'user-locked', 'locked');
    expect(work.changes).to.include({ waiting: 1, attention: 0 });
  });

  for (const [status, code] of [
    [400, 'invalid-document'],
    [406, 'not-acceptable'],
    [413, 'too-large'],
    [415, 'unsupported-media-type'],
  ] as const)
    it(`${status} of a whole body: split until the culprit is alone, which is refused and reported`, async () => {
      await work.offline();
      await work.rename('Culprit');
      for (let i = 0; i < 6; i += 1) await work.create(`Mango ${i}`);
      work.server.isDown = false;
      const refuse = (body: string) => (body.includes('Culprit') ? problem(status, code) : null);
      work.server.faults.push(...Array<typeof refuse>(12).fill(refuse));
      await work.device.pass(10_000);
      await work.answered();
      expect(work.changes.attention).to.equal(1);
      expect(work.change('refused').about.id).to.equal(work.world.project);
      expect(work.change('refused').problem?.code).to.equal(code);
      expect(work.server.applied).to.have.length(7);
      expect(work.device.reports.join()).to.include('refused a whole body');
    });
});

const JSON_API = { 'Content-Type': 'application/vnd.api+json' };

describe('a body', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  it('has at most a hundred operations and 900 KiB, whole changes in their order', async () => {
    await work.offline();
    const ids: string[] = [];
    const { organization, group, type } = work.world;
    const fields = { language: 'fr-FR', organization, group, type };
    for (let i = 0; i < 150; i += 1) {
      const description = i < 120 ? '' : 'é'.repeat(9_000);
      ids.push(await createProject(work.data, { ...fields, name: `P${i}`, description }));
    }
    await work.online();
    await work.saved();
    const bodies = work.server.requests.filter(({ path }) => path === '/api/operations');
    for (const { body } of bodies) {
      expect(new TextEncoder().encode(body).length).to.be.at.most(921_600);
      const { operations } = JSON.parse(body) as { operations: readonly Operation[] };
      expect(operations.length).to.be.at.most(100);
    }
    const order = work.server.applied.slice(1).map((id) => ids.indexOf(aboutOf(id)));
    expect(order).to.deep.equal([...order].sort((a, b) => a - b));
    expect(order).to.have.length(150);
  });

  const aboutOf = (change: string): string => {
    const [verdict] = work.server.verdicts.get(change) ?? [];
    return (verdict?.data as { id: string } | undefined)?.id ?? '';
  };
});
