import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { Environment } from '#data/model/environment.ts';
import { Tabs } from '#data/tabs/tabs.ts';
import { limits } from '#protocol/limits.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { refusal } from '../../support/at-work.ts';
import { Device, turns, until } from '../../support/device.ts';
import { Tab } from '../../support/tab.ts';
import { FaultyIndexedDB } from '../../support/faulty-indexeddb.ts';
import { problem } from '../../support/scripted-server.ts';
import { aWorld } from '../../support/world.ts';
import type { World } from '../../support/world.ts';

describe('[fault 9] two tabs of one user', () => {
  let world: World;
  let device: Device;
  let first: Data;
  let second: Data;

  beforeEach(async () => {
    world = aWorld();
    device = new Device(world.server);
    first = device.open(world.me);
    await until(() => first.lists.open('project', {}).view().asOf !== null, 'the first load');
    await first.restored;
    second = device.open(world.me);
    await until(() => second.find.one('project', world.project) !== null, 'the second tab');
  });
  afterEach(async () => {
    await first.close();
    await second.close();
  });

  const nameIn = (data: Data) => data.find.one('project', world.project)?.name;
  const rename = async (data: Data, name: string): Promise<void> => {
    const project = data.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(data, project, { name });
  };
  const saved = (data: Data) =>
    until(() => data.changes.view().waiting === 0 && data.changes.view().attention === 0, 'saved');

  it('send through one, and both show what either did', async () => {
    await rename(second, 'From the second');
    await until(() => nameIn(first) === 'From the second', 'the change in the first tab');
    await saved(second);
    await saved(first);
    expect(world.server.applied).to.have.length(1);
    await rename(first, 'From the first');
    await until(() => nameIn(second) === 'From the first', 'the change in the second tab');
    await saved(second);
    expect(world.server.applied).to.have.length(2);
  });

  it('hear the news through one', async () => {
    world.server.put('project', { id: world.project, name: 'News' });
    await until(() => nameIn(second) === 'News', 'the news in the second tab');
  });

  it('go on when the leading one is closed', async () => {
    await first.close();
    await rename(second, 'After');
    await saved(second);
    expect(world.server.get('project', world.project)?.attributes?.name).to.equal('After');
    first = device.open(world.me);
    await until(() => nameIn(first) === 'After', 'the tab opened anew');
  });

  it('both let go when one signs out and clears', async () => {
    await second.clear();
    const again = device.open(world.me);
    await again.restored;
    expect(again.changes.view().rows).to.deep.equal([]);
    await again.close();
  });
});

describe('tabs of which the leading one goes away', () => {
  let world: World;
  let device: Device;
  let open: Tab[];

  beforeEach(() => {
    world = aWorld();
    device = new Device(world.server);
    open = [];
  });
  afterEach(async () => {
    for (const tab of open) tab.kill();
    await turns(2);
  });

  const openTab = async (changes: Partial<Environment> = {}): Promise<Tab> => {
    const tab = new Tab(device, world.me, changes);
    open.push(tab);
    await until(() => tab.data.find.one('project', world.project) !== null, 'the project');
    await tab.data.restored;
    await turns(5);
    return tab;
  };
  const rename = async ({ data }: Tab, name: string): Promise<void> => {
    const project = data.find.one('project', world.project);
    if (project === null) throw new Error('The project is not here');
    await editProject(data, project, { name });
  };
  const nameIn = ({ data }: Tab) => data.find.one('project', world.project)?.name;
  const nameOnServer = () => world.server.get('project', world.project)?.attributes?.name;
  const isLeading = async ({ data }: Tab) => (await data.diagnostics.snapshot()).isLeading;
  const idsSent = () =>
    world.server.requests
      .filter(({ path }) => path === '/api/operations')
      .map(
        ({ body }) => (JSON.parse(body) as { operations: { meta: { id: string } }[] }).operations,
      )
      .flatMap((operations) => operations.map(({ meta }) => meta.id));
  /** The leading tab has sent a change, and its answer never arrives there. */
  const sendAndHold = async (first: Tab, then: () => void): Promise<void> => {
    world.server.faults.push(() => {
      then();
      return null;
    });
    await rename(first, 'Sent twice');
    await until(() => idsSent().length > 0, 'the request');
  };
  /** Without locks it takes a while until a tab dares to lead. */
  const dare = () => device.pass(limits.leaderAnswersWithinMs);

  it('[fault 10] send on within 2 s, with the same ids, after it was killed', async () => {
    const first = await openTab();
    const second = await openTab();
    await sendAndHold(first, () => {
      first.kill();
    });
    await device.pass(2_000);
    const [id, again] = idsSent();
    expect(again).to.equal(id);
    expect(world.server.applied).to.deep.equal([id]);
    expect(await isLeading(second)).to.equal(true);
    expect(second.data.changes.view().waiting).to.equal(0);
    expect(nameIn(second)).to.equal('Sent twice');
  });

  for (const [how, changes] of [
    ['', {}],
    [', also without locks', { locks: null }],
  ] as const) {
    it(`[fault 10] send on within 2 s after it was frozen, which writes no more${how}`, async () => {
      const opening = openTab(changes);
      if ('locks' in changes) await dare();
      const first = await opening;
      const second = await openTab(changes);
      await sendAndHold(first, () => {
        first.freeze();
      });
      await device.pass(2_000);
      const [id, again] = idsSent();
      expect(again).to.equal(id);
      expect(world.server.applied).to.deep.equal([id]);
      expect(await isLeading(second)).to.equal(true);

      world.server.put('project', { id: world.project, name: 'Later' });
      await until(() => nameIn(second) === 'Later', 'the news');
      first.thaw();
      await turns(20);
      expect(await isLeading(first), 'one leads').to.equal(false);
      await until(() => nameIn(first) === 'Later', 'the tab that woke reads what it missed');
      await rename(first, 'By the one that woke');
      await until(() => nameOnServer() === 'By the one that woke', 'its own change');
      expect(world.server.applied).to.have.length(2);

      for (const tab of open) tab.kill();
      world.server.isDown = true;
      const third = await openTab(changes);
      expect(nameIn(third)).to.equal('By the one that woke');
    });
  }

  it('[fault 10] send nothing any more that only waited for a token when the lead was lost', async () => {
    const tokens: ((token: string) => void)[] = [];
    let isRefreshing = false;
    const first = await openTab({
      accessToken: () =>
        isRefreshing ? new Promise((resolve) => tokens.push(resolve)) : Promise.resolve('token'),
    });
    const second = await openTab();
    isRefreshing = true;
    await rename(first, 'Sent once');
    await until(() => tokens.length > 0, 'the wait for a token');
    first.freeze();
    await device.pass(2_000);
    expect(await isLeading(second)).to.equal(true);
    const sent = idsSent();
    expect(sent).to.have.length(1);

    first.thaw();
    await turns(20);
    for (const resolve of tokens) resolve('token');
    await device.pass(2_000);
    expect(idsSent(), 'what the tab that leads has sent').to.deep.equal(sent);
    expect(first.data.changes.view().waiting).to.equal(0);
  });

  describe('[fault 42] of which one loses the lead', () => {
    const statusOf = ({ data }: Tab) => data.changes.view().status;
    /** The statuses that `tab` shows from now on, each once. */
    const saidBy = ({ data }: Tab): ReadonlySet<string> => {
      const said = new Set<string>();
      data.changes.subscribe(() => said.add(data.changes.view().status));
      return said;
    };
    const tellMore = async ({ data }: Tab, description: string): Promise<void> => {
      const project = data.find.one('project', world.project);
      if (project === null) throw new Error('The project is not here');
      await editProject(data, project, { description });
    };
    const moreOnServer = () => world.server.get('project', world.project)?.attributes?.description;
    const noLock = { locks: null };
    const unheard = 1_000;

    it('as it takes something to send: that is no problem, and both say the same', async () => {
      const opening = openTab(noLock);
      await dare();
      const first = await opening;
      const second = await openTab(noLock);
      first.deafTo = unheard;
      // A server update would be the first to show it.
      const say = world.server.say.bind(world.server);
      world.server.say = () => undefined;
      await rename(second, 'By the new one');
      await device.pass(2_000);
      expect(await isLeading(second)).to.equal(true);
      world.server.say = say;
      const said = saidBy(first);
      await tellMore(first, 'By the one that led');
      first.deafTo = 0;
      await until(() => moreOnServer() === 'By the one that led', 'what it did');
      await device.pass(20_000);
      expect(await isLeading(first)).to.equal(false);
      expect(said).not.to.include('problem');
      expect([statusOf(first), statusOf(second)]).to.deep.equal(['saved', 'saved']);
    });

    for (const [what, path] of [
      ['sends', '/api/operations'],
      ['catches up', '/api/changes'],
    ] as const)
      it(`as it ${what}, and its request comes to nothing: it says what the other one says`, async () => {
        let isHeld = false;
        let fail: (() => void) | null = null;
        const { network } = device;
        const first = await openTab({
          fetch: (address, request) =>
            isHeld && address.startsWith(path)
              ? new Promise((_, reject) => {
                  fail = () => {
                    reject(new TypeError('The network changed'));
                  };
                })
              : network.fetch(address, request),
        });
        const second = await openTab();
        isHeld = true;
        await rename(first, 'Held');
        if (what === 'catches up') first.data.diagnostics.resync();
        await until(() => fail !== null, 'the request');
        // It says that it is slow, which shows that it is there.
        await device.pass(1_000);
        // That something was written, and whether it is there.
        first.deafTo = 2;
        await tellMore(second, 'By the new one');
        await device.pass(2_000);
        await until(() => moreOnServer() === 'By the new one', 'what the new one did');
        const said = saidBy(first);
        (fail as (() => void) | null)?.();
        await device.pass(1_000);
        expect(said).not.to.include('offline');
        await device.pass(20_000);
        expect(await isLeading(second)).to.equal(true);
        expect([statusOf(first), statusOf(second)]).to.deep.equal(['saved', 'saved']);
      });

    it('while it stumbles over what it hears: the problem was its own, and goes', async () => {
      const first = await openTab({
        hub: () => ({
          ...world.server.hub(),
          on: () => {
            throw new Error('A bug');
          },
        }),
      });
      await until(() => statusOf(first) === 'problem', 'the problem');
      const second = await openTab();
      await rename(second, 'News');
      first.freeze();
      await device.pass(2_000);
      first.thaw();
      await device.pass(20_000);
      expect(await isLeading(second)).to.equal(true);
      expect([statusOf(first), statusOf(second)]).to.deep.equal(['saved', 'saved']);
    });
  });

  it('[fault 10] leave the lead where it is while it answers', async () => {
    const first = await openTab();
    const second = await openTab();
    world.server.isDown = true;
    await rename(second, 'Waits');
    await device.pass(60_000);
    expect(await isLeading(first)).to.equal(true);
    world.server.isDown = false;
    await device.pass(5_000);
    expect(nameOnServer()).to.equal('Waits');
  });

  it('hear the news although the leading one sleeps and nobody has anything to send', async () => {
    const first = await openTab();
    const second = await openTab();
    first.freeze();
    await device.pass(15_000);
    world.server.put('project', { id: world.project, name: 'News' });
    await until(() => nameIn(second) === 'News', 'the news');
  });

  it('lose nothing that the leading one told and did not write', async () => {
    const first = await openTab();
    const second = await openTab();
    // A tab that dies in the same moment does not write what it sends now.
    world.server.put('project', { id: world.project, name: 'Told' });
    first.kill();
    await until(() => nameIn(second) === 'Told', 'what was told');
    await device.pass(2_000);
    expect(await isLeading(second)).to.equal(true);
    await turns(10);
    second.kill();
    world.server.isDown = true;
    const third = await openTab();
    expect(nameIn(third)).to.equal('Told');
  });

  it('have for good what the leading one could not write before they were opened', async () => {
    const storage = new FaultyIndexedDB();
    device.indexedDB = storage.factory;
    const first = await openTab();
    const free = storage.fail({ at: 'commit', name: 'QuotaExceededError' });
    world.server.put('project', { id: world.project, name: 'Unwritten' });
    await until(() => nameIn(first) === 'Unwritten', 'what could not be written');
    await turns(5);
    const second = await openTab();
    world.server.put('organization', { id: world.organization, name: 'Heard' });
    const heard = () => second.data.find.one('organization', world.organization)?.name;
    await until(() => heard() === 'Heard', 'what was told');
    free();
    first.kill();
    await device.pass(2_000);
    expect(await isLeading(second)).to.equal(true);
    await until(() => nameIn(second) === 'Unwritten', 'what the disk did not have');
  });

  it('take away for good what lay below something that the leading one told and did not write', async () => {
    const storage = new FaultyIndexedDB();
    device.indexedDB = storage.factory;
    const disk = storage.tab();
    const first = await openTab({ indexedDB: disk.factory });
    const second = await openTab();
    disk.kill();
    world.server.take('organization', world.organization);
    await until(() => nameIn(second) === undefined, 'that all of it went');
    first.kill();
    await device.pass(2_000);
    expect(await isLeading(second)).to.equal(true);
    await device.pass(2_000);
    second.kill();
    world.server.isDown = true;
    const third = device.open(world.me);
    await third.restored;
    expect(third.find.all('project', {})).to.deep.equal([]);
    expect(third.find.all('organization', {})).to.deep.equal([]);
    await third.close();
  });

  it('read from the backup what one of them missed', async () => {
    await openTab();
    const second = await openTab();
    const gone = world.addProject({ name: 'Goes' });
    await until(() => second.data.find.one('project', gone) !== null, 'the second project');
    second.deafTo = 3;
    world.server.put('project', { id: world.project, name: 'Missed' });
    world.server.take('project', gone);
    const made = world.addProject({ name: 'Comes' });
    await turns(10);
    expect(nameIn(second), 'it missed something').to.equal('Harvest');
    world.server.put('organization', { id: world.organization, name: 'Heard' });
    await until(() => nameIn(second) === 'Missed', 'what it missed');
    await until(() => second.data.find.one('project', made) !== null, 'what was made');
    expect(second.data.find.one('project', gone)).to.equal(null);
    expect(second.data.find.one('organization', world.organization)?.name).to.equal('Heard');
  });

  it('keep nothing of a lost organization that late messages bring back after the backup was read', async () => {
    await openTab();
    const second = await openTab();
    second.freeze();
    second.deafTo = 1;
    world.server.put('project', { id: world.project, name: 'Missed' });
    // What the leading tab answers to the third tells the second that it missed something.
    const third = await openTab();
    const reviewer = world.server.put('reviewer', { project: world.project, name: 'Rosa' });
    const reviewerIn = ({ data }: Tab) => data.find.one('reviewer', reviewer);
    await until(() => reviewerIn(third) !== null, 'the reviewer');
    world.server.hide('organization', world.organization);
    await until(() => reviewerIn(third) === null, 'that all of it went');
    await turns(20);
    second.thaw();
    await until(() => nameIn(second) === undefined, 'what it read');
    world.server.put('user', { id: world.me, name: 'Ana Later' });
    const myNameIn = ({ data }: Tab) => data.find.one('user', world.me)?.name;
    await until(() => myNameIn(second) === 'Ana Later', 'what was said last');
    expect(reviewerIn(second)).to.equal(null);
  });

  it('hold what one did over a change of which the other had the refusal, and send the rest', async () => {
    const first = await openTab();
    const second = await openTab();
    const other = world.addProject({ name: 'Second' });
    await until(() => second.data.find.one('project', other) !== null, 'the second project');
    const stateIn = ({ data }: Tab, change: string) =>
      data.changes.view().rows.find(({ id }) => id === change)?.state;
    world.server.refuse = ({ ref }) =>
      ref?.id === world.project ? refusal(403, 'forbidden') : null;
    await sendAndHold(first, () => {
      first.freeze();
    });
    await until(() => nameIn(second) === 'Sent twice', 'the change in the second tab');
    first.deafTo = Infinity;
    await rename(second, 'Over it');
    const over = second.data.changes.view().rows[0]?.id ?? '';
    await turns(5);
    first.deafTo = 0;
    first.thaw();
    await until(() => first.data.changes.view().attention > 0, 'the refusal');
    expect(stateIn(first, over), 'it has not heard of it').to.equal(undefined);
    const project = second.data.find.one('project', other);
    if (project !== null) await editProject(second.data, project, { name: 'Apart' });
    const nameOfOther = () => world.server.get('project', other)?.attributes?.name;
    await until(() => nameOfOther() === 'Apart', 'what has nothing to do with it');
    await until(() => first.data.changes.view().waiting === 0, 'every answer');
    expect(stateIn(first, over)).to.equal('held');
    await until(() => stateIn(second, over) === 'held', 'that it is held in the second tab');
    expect(idsSent()).not.to.include(over);
  });

  it('take back what the leading one is sending, though they did not hear of it', async () => {
    const first = await openTab();
    const second = await openTab();
    world.server.faults.push(() => problem(503, 'unavailable', {}, { 'Retry-After': '5' }));
    second.deafTo = Infinity;
    await rename(second, 'Sent meanwhile');
    await until(() => idsSent().length > 0, 'that it was sent');
    const { id } = second.data.changes.view().rows[0] ?? { id: '' };
    await second.data.changes.undo(id);
    expect(nameIn(second)).to.equal('Harvest');
    second.deafTo = 0;
    await device.pass(6_000);
    await until(() => first.data.changes.view().waiting === 0, 'every answer');
    expect(world.server.get('project', world.project)?.attributes?.name).to.equal('Harvest');
  });

  it('show again what they saw go, however much longer they have been open than the leading one', async () => {
    const first = await openTab();
    const project = world.addProject({ name: 'Goes' });
    const isIn = ({ data }: Tab) => data.find.one('project', project) !== null;
    await until(() => isIn(first), 'the second project');
    for (const name of ['A', 'B', 'C', 'D', 'E']) {
      world.server.put('project', { id: world.project, name });
      await until(() => nameIn(first) === name, 'the news');
    }
    world.server.hide('project', project);
    await until(() => !isIn(first), 'that it is not visible');
    const second = await openTab();
    first.freeze();
    await device.pass(15_000);
    expect(await isLeading(second)).to.equal(true);
    first.thaw();
    await until(() => first.data.changes.view().status === 'saved', 'the tab that woke');
    await turns(20);
    world.server.hangUp();
    world.server.put('project', { id: project, name: 'Comes back' });
    world.server.prune();
    await device.pass(5_000);
    await until(() => isIn(second), 'what came back');
    await turns(20);
    expect(isIn(first)).to.equal(true);
  });

  /** Two tabs of a device whose storage fails as planned; the first lost the lead, and follows. */
  const openRobbed = async () => {
    const storage = new FaultyIndexedDB();
    device.indexedDB = storage.factory;
    const first = await openTab();
    const second = await openTab();
    await sendAndHold(first, () => {
      first.freeze();
    });
    await device.pass(2_000);
    expect(await isLeading(second)).to.equal(true);
    first.thaw();
    await until(() => first.data.changes.view().waiting === 0, 'the tab that woke');
    return { storage, first, second };
  };
  const triedToLead = () =>
    until(() => device.reports.some((told) => told.includes('taken over')), 'the first try');

  it('take their time over storage that is full, though one was robbed and leads again', async () => {
    const { storage, first, second } = await openRobbed();
    world.server.isDown = true;
    await rename(first, 'Waits');
    let tries = 0;
    const onHit = () => (tries += 1);
    const free = storage.fail({ at: 'commit', name: 'QuotaExceededError', onHit });
    second.kill();
    await triedToLead();
    await device.pass(300_000);
    expect(tries).to.be.within(2, 30);
    free();
    world.server.isDown = false;
    await device.pass(600_000);
    expect(nameOnServer()).to.equal('Waits');
  });

  it('read what they missed once a copy that was taken over late has it', async () => {
    const storage = new FaultyIndexedDB();
    device.indexedDB = storage.factory;
    const first = await openTab();
    const second = await openTab();
    const third = await openTab();
    storage.fail({ at: 'commit', name: 'QuotaExceededError', times: 1 });
    first.kill();
    await triedToLead();
    third.deafTo = Infinity;
    world.server.put('project', { id: world.project, name: 'Missed' });
    await until(() => nameIn(second) === 'Missed', 'the news');
    await turns(5);
    third.deafTo = 0;
    world.server.put('organization', { id: world.organization, name: 'Heard' });
    await device.pass(60_000);
    const { organization } = world;
    expect(third.data.find.one('organization', organization)?.name).to.equal('Heard');
    expect(nameIn(third)).to.equal('Missed');
  });

  it('write nothing where the storage kept one from taking over from one that was frozen', async () => {
    const storage = new FaultyIndexedDB();
    device.indexedDB = storage.factory;
    const changes = { locks: null };
    const opening = openTab(changes);
    await dare();
    const first = await opening;
    const second = await openTab(changes);
    const other = world.addProject({ name: 'Second' });
    const put = (name: string) => world.server.put('project', { id: other, name });
    const nameOfOther = ({ data }: Tab) => data.find.one('project', other)?.name;
    await until(() => nameOfOther(second) === 'Second', 'the second project');
    await sendAndHold(first, () => {
      first.freeze();
    });
    first.deafTo = Infinity;
    put('What the frozen one hears last');
    world.server.hangUp();
    storage.fail({ at: 'commit', name: 'QuotaExceededError', times: 1 });
    await device.pass(2_000);
    await triedToLead();
    put('Later');
    await until(() => nameOfOther(second) === 'Later', 'the news');
    await turns(5);
    world.server.isDown = true;
    first.thaw();
    await turns(5);
    first.deafTo = 0;
    world.server.put('organization', { id: world.organization, name: 'More' });
    await turns(5);
    world.server.isDown = false;
    await device.pass(60_000);
    expect(nameOnServer()).to.equal('Sent twice');
    expect(nameOfOther(first)).to.equal('Later');

    for (const tab of open) tab.kill();
    world.server.isDown = true;
    expect(nameOfOther(await openTab())).to.equal('Later');
  });

  it('send once the storage is back, however often it failed the one that came to lead', async () => {
    const { storage, first, second } = await openRobbed();
    world.server.isDown = true;
    await rename(first, 'Waits');
    const heal = [
      storage.fail({ at: 'commit', name: 'AbortError' }),
      storage.fail({ at: 'open', name: 'UnknownError' }),
    ];
    second.kill();
    await triedToLead();
    world.server.isDown = false;
    await device.pass(120_000);
    expect(nameOnServer()).not.to.equal('Waits');
    for (const end of heal) end();
    device.reports.length = 0;
    const { health } = first.data;
    for (let i = 0; i < 60 && health.view().storageState !== 'kept'; i += 1)
      await device.pass(1_000);
    await until(() => nameOnServer() === 'Waits', 'what waited');
    expect(device.reports).to.deep.equal([]);
  });

  it('read what the one before told last and they did not hear', async () => {
    const first = await openTab();
    const second = await openTab();
    const third = await openTab();
    const other = world.addProject({ name: 'Second' });
    const otherIn = ({ data }: Tab) => data.find.one('project', other)?.name;
    await until(() => otherIn(third) === 'Second', 'the second project');
    third.deafTo = Infinity;
    world.server.put('project', { id: world.project, name: 'Told last' });
    await until(() => nameIn(second) === 'Told last', 'the news in the second tab');
    await turns(20);
    third.deafTo = 0;
    first.kill();
    await turns(20);
    expect(await isLeading(second)).to.equal(true);
    world.server.put('project', { id: other, name: 'Told by the next' });
    await until(() => otherIn(third) === 'Told by the next', 'the next news');
    await until(() => nameIn(third) === 'Told last', 'what was missed');
  });

  it('read more than fits a message from the backup', async () => {
    await openTab();
    const second = await openTab();
    const many = Array.from({ length: 600 }, (_, i) => world.addProject({ name: `P${i}` }));
    world.server.commit(
      many.map((id) => ({ op: 'remove', ref: { type: wireTypeOf('project'), id } })),
      [],
    );
    const left = () => second.data.find.all('project', {}).length;
    await until(() => left() === 1, 'the removals');
  });

  it('show how the leading one finds the server, also when opened later', async () => {
    const first = await openTab();
    const second = await openTab();
    const status = ({ data }: Tab) => data.changes.view().status;
    world.server.isDown = true;
    world.server.hangUp();
    await until(() => status(second) === 'offline', 'offline');
    const third = await openTab();
    expect(status(third)).to.equal('offline');
    world.server.isDown = false;
    second.data.changes.sendNow();
    await until(() => status(first) === 'saved', 'the leading one is asked to try');
    await until(() => status(second) === 'saved' && status(third) === 'saved', 'all saved');
    device.token = null;
    await rename(third, 'Waits for a sign-in');
    await until(() => open.every((tab) => status(tab) === 'sign-in'), 'sign-in everywhere');
    device.signIn();
    await until(() => open.every((tab) => status(tab) === 'saved'), 'saved everywhere');
    expect(nameOnServer()).to.equal('Waits for a sign-in');
  });

  it('find out themselves how the server is once they lead', async () => {
    const first = await openTab();
    const second = await openTab();
    for (let i = 0; i < 3; i += 1) world.server.faults.push(problem(403, 'user-locked'));
    await rename(first, 'Waits');
    await until(() => second.data.viewerStatus.view() === 'user-locked', 'locked in both');
    world.server.faults.length = 0;
    first.kill();
    await until(() => nameOnServer() === 'Waits', 'what waited');
    expect(second.data.viewerStatus.view()).to.equal('ready');
  });

  it('keep what one that follows asked for, once', async () => {
    const first = await openTab();
    const second = await openTab();
    const id = world.server.put('productTransition', { product: null });
    const list = second.data.lists.open('productTransition', {});
    const end = list.subscribe(() => undefined);
    await until(() => list.view().state === 'ready', 'the answer');
    expect(list.view().rows.map((row) => row.id)).to.deep.equal([id]);
    await until(() => first.data.find.one('productTransition', id) !== null, 'the leading tab');
    end();
    await turns(10);
    for (const tab of open) tab.kill();
    world.server.isDown = true;
    const third = await openTab();
    expect(third.data.find.all('productTransition', {})).to.have.length(1);
  });
});

describe('a tab that comes to lead', () => {
  it('takes in nothing more of what another one told: the copy it takes over lacks that', async () => {
    const environment = new Device(aWorld().server).environment();
    let told = 0;
    let claimed: (lead: number) => void = () => undefined;
    const nothing = (): void => undefined;
    const tabs = new Tabs(environment, 'me', {
      ...{
        lead: nothing,
        leadLost: nothing,
        answerReceived: nothing,
        requested: nothing,
        leaderStatusReceived: nothing,
      },
      ...{
        leaderChanged: nothing,
        backupWritten: nothing,
        outboxWritten: nothing,
        cleared: nothing,
      },
      claim: () => new Promise((resolve) => (claimed = resolve)),
      updateApplied: () => (told += 1),
      hasToSend: () => false,
      leaderStatus: () => {
        throw new Error('It leads already');
      },
      whenBackupWritten: () => null,
    });
    await turns(2);
    environment.channel?.('slipway-me').postMessage({
      ...{ is: 'merged', lead: 1, n: 1 },
      news: { items: [] },
    });
    await turns(2);
    expect(told).to.equal(0);
    tabs.close();
    claimed(2);
  });
});
