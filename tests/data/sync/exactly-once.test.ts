import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Operation } from '#protocol/operations.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';

describe('a change, whatever becomes of its request', () => {
  let work: AtWork;
  let second: string;
  let statuses: Set<string>;

  beforeEach(async () => {
    work = await AtWork.begin();
    second = work.world.addProject({ name: 'Second' });
    await until(() => work.name(second) !== undefined, 'the second project');
    // There is no hub, so that only the answer brings the verdict.
    work.server.hangUp();
    await turns(5);
    statuses = new Set();
    work.data.changes.subscribe(() => statuses.add(work.changes.status));
  });
  afterEach(() => work.data.close());

  /** Ids of the changes in each body that arrived. */
  const arrived = (): string[][] =>
    work.server.requests
      .filter(({ path }) => path === '/api/operations')
      .map(({ body }) => {
        const { operations } = JSON.parse(body) as { operations: readonly Operation[] };
        return operations.map(({ meta }) => meta?.id ?? '');
      });

  it('[fault 1] cut off before its answer is sent again with its id and applied once', async () => {
    work.server.faults.push('cut-after');
    const id = await work.create();
    await turns(10);
    expect(work.server.applied).to.have.length(1);
    await work.device.pass(1_500);
    await work.saved();
    const [first, again] = arrived();
    expect(again).to.deep.equal(first);
    expect(work.server.applied).to.deep.equal(first);
    const copies = [...work.server.records.values()].filter((record) => record.id === id);
    expect(copies).to.have.length(1);
    expect(work.change('done').problem).to.equal(null);
    for (const status of ['attention', 'problem', 'sign-in'])
      expect(statuses).to.not.include(status);
  });

  it('[fault 2] that never arrives is sent again and applied once, in its order', async () => {
    work.server.faults.push('cut-before', 'cut-before');
    await work.rename('First');
    await turns(5);
    await work.rename('Second 2', second);
    await work.rename('First, then this');
    const changeIds = work.changes.rows.map(({ id }) => id).reverse();
    await work.device.pass(5_000);
    await work.saved();
    expect(changeIds).to.have.length(3);
    expect(work.server.applied).to.deep.equal(changeIds);
    expect(work.inServer().name).to.equal('First, then this');
    expect(work.inServer(second).name).to.equal('Second 2');
  });

  it('[fault 3] of which the request comes late, after another attempt, changes nothing again', async () => {
    const real = work.device.environment().fetch;
    let late: (() => Promise<Response>) | null = null;
    await work.data.close();
    work.data = work.device.open(work.world.me, {
      fetch: (address, request) => {
        if (late !== null || request.method !== 'POST') return real(address, request);
        late = () => real(address, request);
        return new Promise((_, reject) => {
          request.signal?.addEventListener('abort', () => {
            reject(new DOMException('Given up', 'AbortError'));
          });
        });
      },
    });
    await work.data.restored;
    await work.rename('Mine');
    await turns(5);
    await work.device.pass(62_000);
    await work.saved();
    await work.rename('Mine, second');
    await work.saved();
    const applied = [...work.server.applied];
    await (late as (() => Promise<Response>) | null)?.();
    await work.device.pass(5_000);
    expect(work.server.applied).to.deep.equal(applied);
    expect(work.inServer().name).to.equal('Mine, second');
    expect(work.name()).to.equal('Mine, second');
    expect(work.changes).to.include({ waiting: 0, attention: 0 });
  });

  it('[fault 3] of which the answer comes twice changes nothing again', async () => {
    work.server.faults.push('cut-after', 'cut-after');
    await work.rename('Mine');
    await work.device.pass(5_000);
    await work.saved();
    expect(arrived()).to.have.length(3);
    expect(work.server.applied).to.have.length(1);
    expect(work.states()).to.deep.equal(['done']);
    expect(work.project().version).to.equal(
      work.server.get('project', work.world.project)?.meta?.version,
    );
  });

  for (const [fault, what, status] of [
    ['half', 'an answer cut in the middle', 'problem'],
    ['portal', 'a captive portal’s page with status 200', 'problem'],
    ['cut-before', 'no answer', 'offline'],
    [problem(500, 'internal'), 'an error of the server', 'offline'],
  ] as const)
    it(`[fault 4] that gets ${what} is sent again, and the status says it [R333]`, async () => {
      work.server.faults.push(fault);
      await work.rename('Mine');
      await until(() => work.changes.status === status, status);
      expect(work.changes).to.include({ waiting: 1, attention: 0 });
      await work.device.pass(65_000);
      await work.saved();
      expect(new Set(arrived().flat()).size).to.equal(1);
      expect(work.server.applied).to.have.length(1);
      expect(work.changes.status).to.equal('saved');
    });

  it('[fault 27] of which the request hangs is sent again with its id; the screen never waits [R318, R418]', async () => {
    const real = work.device.environment().fetch;
    let attempts = 0;
    await work.data.close();
    work.data = work.device.open(work.world.me, {
      fetch: (address, request) => {
        if (request.method !== 'POST') return real(address, request);
        attempts += 1;
        if (attempts > 1) return real(address, request);
        return new Promise((_, reject) => {
          request.signal?.addEventListener('abort', () => {
            reject(new DOMException('Given up', 'AbortError'));
          });
        });
      },
    });
    await work.data.restored;
    await work.rename('Mine');
    expect(work.name()).to.equal('Mine');
    await turns(5);
    await work.rename('Second 2', second);
    expect(work.name(second)).to.equal('Second 2');
    await work.device.pass(59_000);
    expect(attempts).to.equal(1);
    expect(work.changes.waiting).to.equal(2);
    await work.device.pass(5_000);
    await work.saved();
    expect(work.inServer().name).to.equal('Mine');
    expect(work.server.applied).to.have.length(2);
  });
});

describe('a change, when its tab dies', () => {
  let work: AtWork;
  let kill: () => void;

  /** Opens a tab that `kill` ends as a crash does: what it had not committed is undone. */
  const open = async (): Promise<void> => {
    const tab = work.storage.tab();
    const { fetch, hub } = work.device.environment();
    const never = new Promise<never>(() => undefined);
    work.data = work.device.open(work.world.me, {
      indexedDB: tab.factory,
      locks: null,
      channel: null,
      hub,
      fetch: async (address, request) => {
        if (tab.isKilled) return never;
        const answer = await fetch(address, request);
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- killed meanwhile
        return tab.isKilled ? never : answer;
      },
    });
    kill = () => {
      tab.kill();
    };
    await work.data.restored;
  };

  beforeEach(async () => {
    work = await AtWork.begin();
    await work.data.close();
    await open();
    work.server.hangUp();
  });
  afterEach(() => work.data.close());

  it('[fault 6] after it was kept and before it was sent: sent once, before anything newer', async () => {
    const second = work.world.addProject({ name: 'Second' });
    await work.device.pass(5_000);
    await until(() => work.name(second) !== undefined, 'the second project');
    work.server.hangUp();
    await work.rename('Kept');
    kill();
    const before = [...work.server.applied];
    expect(before).to.deep.equal([]);
    await open();
    expect(work.name()).to.equal('Kept');
    const [older] = work.changes.rows;
    await editProject(work.data, work.project(second), { name: 'Newer' });
    const newer = work.changeOf(second);
    await work.device.pass(5_000);
    await work.saved();
    expect(work.server.applied).to.deep.equal([older?.id, newer.id]);
    expect(work.inServer().name).to.equal('Kept');
  });

  it('[fault 7] after its answer and before that was written: sent again, applied once, done', async () => {
    let isAnswered = false;
    const stop = work.data.changes.subscribe(() => {
      if (isAnswered || work.changes.waiting > 0 || work.changes.rows.length === 0) return;
      isAnswered = true;
      kill();
    });
    await work.rename('Mine');
    await until(() => isAnswered, 'the answer');
    stop();
    expect(work.server.applied).to.have.length(1);
    await open();
    expect(work.name()).to.equal('Mine');
    expect(work.changes.waiting).to.equal(1);
    await work.device.pass(5_000);
    await work.saved();
    expect(work.server.applied).to.have.length(1);
    expect(work.states()).to.deep.equal(['done']);
    const bodies = work.server.requests.filter(({ path }) => path === '/api/operations');
    expect(bodies).to.have.length(2);
    expect(bodies[1]?.body).to.equal(bodies[0]?.body);
  });
});
