import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../../src/data/model/data.ts';
import type { ListFilter } from '#data/model/views.ts';
import * as jsonApi from '#data/sync/json-api.ts';
import type { LanguageNames } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { Device, turns, until } from '../../support/device.ts';
import { aWorld } from '../../support/world.ts';
import type { World } from '../../support/world.ts';

describe('a list', () => {
  let world: World;
  let device: Device;
  let data: Data;

  beforeEach(async () => {
    world = aWorld();
    world.addProject({ name: 'apple', owner: world.other });
    world.addProject({ name: 'Émile', owner: null });
    device = new Device(world.server);
    data = device.open(world.me);
    await until(() => data.lists.open('project', {}).view().asOf !== null, 'the first load');
  });
  afterEach(() => data.close());

  const names = (rows: readonly Of<'project'>[]): string[] => rows.map(({ name }) => name);

  it('is sorted as the server sorts, null last both ways [R350]', () => {
    const by = (sort: string) => names(data.lists.open('project', {}, { sort }).view().rows);
    expect(by('name')).to.deep.equal(['apple', 'Émile', 'Harvest']);
    expect(by('-name')).to.deep.equal(['Harvest', 'Émile', 'apple']);
    expect(by('owner.name')).to.deep.equal(['Harvest', 'apple', 'Émile']);
    expect(by('-owner.name')).to.deep.equal(['apple', 'Harvest', 'Émile']);
  });

  it('is searched, filtered and paged on the device [R73, R349]', () => {
    const open = data.lists.open.bind(data.lists);
    expect(names(open('project', {}, { search: ' EMI ' }).view().rows)).to.deep.equal(['Émile']);
    expect(names(open('project', {}, { search: 'okafor' }).view().rows)).to.deep.equal(['apple']);
    expect(names(open('project', { owner: world.me }).view().rows)).to.deep.equal(['Harvest']);
    expect(open('project', { dateArchived: { notNull: true } }).view().total).to.equal(0);
    const page = open('project', {}, { sort: 'name', page: { offset: 2, limit: 2 } }).view();
    expect(page.total).to.equal(3);
    expect(names(page.rows)).to.deep.equal(['Harvest']);
  });

  it('stays the same array until something in it changes', async () => {
    const list = data.lists.open('project', { owner: world.me }, { sort: 'name' });
    let calls = 0;
    const end = list.subscribe(() => (calls += 1));
    const before = list.view().rows;
    world.server.put('organization', { id: world.organization, name: 'Lakeside 2' });
    expect(list.view().rows).to.equal(before);
    expect(calls).to.equal(0);
    for (const project of before) await editProject(data, project, { name: 'Harvest 2' });
    expect(names(list.view().rows)).to.deep.equal(['Harvest 2']);
    expect(before[0]?.name).to.equal('Harvest');
    end();
  });

  it('says when it was last level with the server, although nothing in it changed', async () => {
    const list = data.lists.open('project', {});
    const end = list.subscribe(() => undefined);
    const before = list.view();
    device.now += 60_000;
    world.server.put('organization', { id: world.organization, name: 'Lakeside 2' });
    expect(list.view().rows).to.equal(before.rows);
    expect(list.view().asOf).to.equal(new Date(device.now).toISOString());
    end();

    await data.close();
    data = device.open(world.me);
    const restored = data.lists.open('project', {});
    const endRestored = restored.subscribe(() => undefined);
    await until(() => restored.view().rows.length > 0, 'the rows');
    await data.restored;
    expect(restored.view().asOf).to.equal(new Date(device.now).toISOString());
    endRestored();
  });

  it('is sorted anew when an owner by whose name it is sorted is renamed', () => {
    const list = data.lists.open('project', {}, { sort: 'owner.name' });
    const end = list.subscribe(() => undefined);
    expect(names(list.view().rows)[0]).to.equal('Harvest');
    world.server.put('user', { id: world.me, name: 'Zoe' });
    expect(names(list.view().rows)).to.deep.equal(['apple', 'Harvest', 'Émile']);
    end();
  });

  it('follows records in, along and out', () => {
    const list = data.lists.open('project', { owner: world.me }, { sort: 'name' });
    const end = list.subscribe(() => undefined);
    const many = Array.from({ length: 60 }, (_, i) => world.addProject({ name: `P${100 + i}` }));
    expect(list.view().total).to.equal(61);
    for (const id of many.slice(0, 59)) world.server.put('project', { id, owner: world.other });
    expect(names(list.view().rows)).to.deep.equal(['Harvest', 'P159']);
    world.server.take('project', world.project);
    expect(names(list.view().rows)).to.deep.equal(['P159']);
    end();
  });

  it('is told at most once a frame, and true whenever someone looks', async () => {
    await data.close();
    const frames: (() => void)[] = [];
    data = device.open(world.me, { frame: (run) => frames.push(run) });
    await data.restored;
    const list = data.lists.open('project', {}, { sort: 'name', search: 'har' });
    let calls = 0;
    const end = list.subscribe(() => (calls += 1));
    await turns(10);
    while (frames.length > 0) for (const run of frames.splice(0)) run();
    calls = 0;

    for (const name of ['Harvest 2', 'Harvest 3', 'Harvest 4'])
      world.server.put('project', { id: world.project, name });
    expect(calls).to.equal(1);
    expect(names(list.view().rows)).to.deep.equal(['Harvest 4']);
    for (const run of frames.splice(0)) run();
    expect(calls).to.equal(2);
    for (const run of frames.splice(0)) run();
    expect(calls).to.equal(2);
    world.server.put('project', { id: world.project, name: 'Other' });
    expect(calls).to.equal(3);
    expect(list.view().total).to.equal(0);
    end();
  });

  it('is searched anew when what it is found by changes', () => {
    const list = data.lists.open('project', {}, { search: 'okafor' });
    const end = list.subscribe(() => undefined);
    expect(list.view().total).to.equal(1);
    world.server.put('user', { id: world.other, name: 'Ben Obi' });
    expect(list.view().total).to.equal(0);
    world.server.put('user', { id: world.me, name: 'Ana Okafor' });
    expect(names(list.view().rows)).to.deep.equal(['Harvest']);
    end();
  });

  it('is filtered by several values of a field, languages without case', () => {
    world.addProject({ name: 'Lantern', language: 'FR' });
    const by = (filter: ListFilter<'project'>) =>
      names(data.lists.open('project', filter, { sort: 'name' }).view().rows);
    expect(by({ owner: { anyOf: [world.me, world.other] } })).to.deep.equal([
      'apple',
      'Harvest',
      'Lantern',
    ]);
    expect(by({ owner: { anyOf: [world.other] }, name: { anyOf: ['apple', 'Émile'] } }))
      .to.deep //
      .equal(['apple']);
    expect(by({ language: { anyOf: ['fr', 'de'] } })).to.deep.equal(['Lantern']);
    expect(by({ owner: { anyOf: [] } })).to.deep.equal([]);
    expect(by({ owner: { anyOf: [world.me.toUpperCase()] } })).to.deep.equal([]);
  });

  describe('filtered by products', () => {
    const open = (filter: ListFilter<'project'>) =>
      data.lists.open('project', filter, { sort: 'name' });

    it('has the projects with a product of a definition, as products come and go', () => {
      const definition = world.server.put('productDefinition', { name: 'Android App' });
      const list = open({ 'products.productDefinition': { anyOf: [definition] } });
      const end = list.subscribe(() => undefined);
      expect(list.view().total).to.equal(0);
      const { project } = world;
      const product = world.server.put('product', { project, productDefinition: definition });
      expect(names(list.view().rows)).to.deep.equal(['Harvest']);
      world.server.take('product', product);
      expect(list.view().total).to.equal(0);
      end();
    });

    it('has those of a status while a product has it, and those without products as not started', () => {
      const has = (...words: readonly string[]) => open({ 'products.status': { anyOf: words } });
      const failed = has('failed', 'building');
      const mine = has('waiting-for-you');
      const ends = [failed, mine].map(({ subscribe }) => subscribe(() => undefined));
      expect(names(has('not-started').view().rows)).to.deep.equal(['apple', 'Émile', 'Harvest']);

      const { project } = world;
      const product = world.server.put('product', { project, workflowState: 'Product Build' });
      expect(names(failed.view().rows)).to.deep.equal(['Harvest']);
      world.server.put('product', { id: product, workflowState: 'Approval', waitingFor: 'owner' });
      expect(failed.view().total).to.equal(0);
      expect(names(has('waiting').view().rows)).to.deep.equal(['Harvest']);
      expect(mine.view().total).to.equal(0);
      const task = world.server.put('userTask', { product, user: world.me, status: 'Approval' });
      expect(names(mine.view().rows)).to.deep.equal(['Harvest']);
      world.server.take('userTask', task);
      expect(mine.view().total).to.equal(0);
      expect(names(has('not-started').view().rows)).to.deep.equal(['apple', 'Émile']);
      for (const end of ends) end();
    });

    it('has those of a status once a membership shows it to the viewer, and until it ends', () => {
      const organization = world.server.put('organization', { name: 'Hillside' });
      const project = world.addProject({ name: 'Meadow', organization, owner: world.other });
      world.server.put('product', { project, workflowState: 'Approval', failure: 'build' });
      const failed = open({ 'products.status': { anyOf: ['failed'] } });
      const end = failed.subscribe(() => undefined);
      expect(names(failed.view().rows)).to.deep.equal([]);
      world.server.put('organizationMembership', { user: world.other, organization });
      expect(names(failed.view().rows)).to.deep.equal([]);
      const own = world.server.put('organizationMembership', { user: world.me, organization });
      expect(names(failed.view().rows)).to.deep.equal(['Meadow']);
      world.server.take('organizationMembership', own);
      expect(names(failed.view().rows)).to.deep.equal([]);
      end();
    });
  });

  describe('with a search', () => {
    const found = (search: string) => names(data.lists.open('project', {}, { search }).view().rows);

    it('finds by words of several texts, and others than projects by words too [R73]', () => {
      expect(found('okafor apple')).to.deep.equal(['apple']);
      expect(found('okafor harvest')).to.deep.equal([]);
      const people = data.lists.open('user', {}, { search: 'okafor ben' });
      expect(people.view().rows.map(({ id }) => id)).to.deep.equal([world.other]);
    });

    it('follows a product that comes or goes, and the name of its definition', () => {
      const definition = world.server.put('productDefinition', { name: 'Android App' });
      const list = data.lists.open('project', {}, { search: 'android harvest' });
      let calls = 0;
      const end = list.subscribe(() => (calls += 1));
      expect(list.view().total).to.equal(0);
      const product = world.server.put('product', {
        project: world.project,
        productDefinition: definition,
      });
      expect(calls).to.equal(1);
      expect(names(list.view().rows)).to.deep.equal(['Harvest']);
      world.server.put('productDefinition', { id: definition, name: 'Website' });
      expect(list.view().total).to.equal(0);
      world.server.put('productDefinition', { id: definition, name: 'Android' });
      expect(list.view().total).to.equal(1);
      world.server.take('product', product);
      expect(list.view().total).to.equal(0);
      end();
    });

    it('finds by the names of languages once they came, and asks for them at the first search', async () => {
      await data.close();
      const asked: ((names: LanguageNames) => void)[] = [];
      data = device.open(world.me, {
        languageNames: () => new Promise((done) => asked.push(done)),
      });
      await data.restored;
      expect(names(data.lists.open('project', {}).view().rows)).to.have.length(3);
      expect(asked).to.have.length(0);
      const list = data.lists.open('project', {}, { search: 'español harvest' });
      const end = list.subscribe(() => undefined);
      expect(list.view().total).to.equal(0);
      data.lists.prepareSearch();
      expect(asked).to.have.length(1);
      asked[0]?.(new Map([['es', 'spanish\0espanol']]));
      await turns(2);
      expect(names(list.view().rows)).to.deep.equal(['Harvest']);
      end();
    });

    it('makes what it looks through while nothing better is to do, and again only where a text changed', async () => {
      for (let n = 0; n < 200; n += 1) world.addProject({ name: `P${String(n)}` });
      await data.close();
      let made = 0;
      const whenIdle: (() => void)[] = [];
      class Counted extends Map<string, string> {
        override get(subtag: string): string | undefined {
          made += 1;
          return super.get(subtag);
        }
      }
      data = device.open(world.me, {
        languageNames: () => Promise.resolve(new Counted([['es', 'spanish']])),
        idle: (run) => whenIdle.push(run),
      });
      const all = data.lists.open('project', {});
      const ends = [all, data.lists.open('project', { owner: null })].map((list) =>
        list.subscribe(() => undefined),
      );
      await until(() => all.view().total === 203, 'the projects');
      expect(data.lists.open('project', { owner: world.other }).view().total).to.equal(1);
      const beIdle = () => {
        for (const run of whenIdle.splice(0)) run();
      };
      beIdle();
      for (let times = 0; times < 3; times += 1) data.lists.prepareSearch();
      await turns(4);
      expect(made).to.equal(0);
      beIdle();
      expect(made).to.equal(100);
      while (whenIdle.length > 0) beIdle();
      expect(made).to.equal(203 + 1);
      made = 203;
      expect(found('spanish harvest')).to.deep.equal(['Harvest']);
      expect(made).to.equal(203);
      world.server.put('user', { id: world.other, name: 'Ben Obi' });
      expect(found('obi spanish')).to.deep.equal(['apple']);
      expect(made).to.equal(204);
      for (const end of ends) end();
    });

    it('finds what is there when one searches, not when one typed', async () => {
      const all = data.lists.open('project', {});
      const end = all.subscribe(() => undefined);
      data.lists.prepareSearch();
      await turns(4);
      data.lists.prepareSearch('harvest');
      await turns(4);
      world.addProject({ name: 'Second harvest' });
      expect(found('harvest')).to.deep.equal(['Harvest', 'Second harvest']);
      expect(found('second harvest')).to.deep.equal(['Second harvest']);
      end();
    });

    it('asks again for the names of languages where they did not come', async () => {
      await data.close();
      let asked = 0;
      data = device.open(world.me, {
        languageNames: () => {
          asked += 1;
          return asked === 1
            ? Promise.reject(new Error('No answer'))
            : Promise.resolve(new Map([['es', 'spanish']]));
        },
      });
      await data.restored;
      expect(found('spanish')).to.deep.equal([]);
      await turns(2);
      expect(found('span')).to.deep.equal([]);
      await turns(2);
      expect(found('spanish')).to.include('Harvest');
      expect(asked).to.equal(2);
    });

    it('that is open asks again for the names of languages once the server is there again', async () => {
      await data.close();
      data = device.open(world.me, {
        languageNames: () =>
          world.server.isDown
            ? Promise.reject(new Error('No answer'))
            : Promise.resolve(new Map([['es', 'spanish']])),
      });
      await data.restored;
      world.server.isDown = true;
      world.server.hangUp();
      await until(() => data.changes.view().status === 'offline', 'offline');
      const list = data.lists.open('project', {}, { search: 'spanish harvest' });
      const end = list.subscribe(() => undefined);
      await turns(2);
      expect(list.view().total).to.equal(0);
      world.server.isDown = false;
      await device.pass(4_000);
      await until(() => list.view().total === 1, 'what is found by the names');
      end();
    });
  });

  it('of what the device does not keep is asked for once the server is there again', async () => {
    const id = world.server.put('productTransition', { product: null });
    world.server.isDown = true;
    world.server.hangUp();
    await until(() => data.changes.view().status === 'offline', 'offline');
    const list = data.lists.open('productTransition', {});
    const end = list.subscribe(() => undefined);
    await until(() => list.view().state === 'not-here', 'no answer');
    world.server.isDown = false;
    await device.pass(4_000);
    await until(() => list.view().state === 'ready', 'the answer');
    expect(list.view().rows.map((row) => row.id)).to.deep.equal([id]);
    end();
  });

  it('reaches beyond what the device keeps of a type where a screen wants all of it', async () => {
    const product = world.server.put('product', { project: world.project });
    const [newest, old] = [0, 1].map(() => world.server.put('productBuild', { product }));
    world.server.hide('productBuild', old ?? '');
    const builds = (beyond: boolean) =>
      data.lists.open('productBuild', { product }, beyond ? { beyond } : {});
    const end = builds(false).subscribe(() => undefined);
    const ids = (beyond: boolean) =>
      builds(beyond)
        .view()
        .rows.map(({ id }) => id);
    expect(ids(false)).to.deep.equal([newest]);

    const list = builds(true);
    const ends = [list.subscribe(() => undefined), builds(true).subscribe(() => undefined)];
    await until(() => list.view().total === 2, 'the older build');
    expect(ids(true)).to.have.members([newest, old]);
    const requests = world.server.requests.filter(({ path }) =>
      path.startsWith('/api/product-builds'),
    );
    expect(requests).to.have.lengthOf(1);
    for (const each of [end, ...ends]) each();
  });

  it('beyond what the device keeps is not said to be empty before the server said so', async () => {
    const product = world.server.put('product', { project: world.project });
    world.server.isDown = true;
    const list = data.lists.open('productBuild', { product }, { beyond: true });
    const end = list.subscribe(() => undefined);
    expect(list.view().state).to.equal('loading');
    await until(() => list.view().state === 'not-here', 'no answer');
    world.server.isDown = false;
    list.subscribe(() => undefined)();
    await until(() => list.view().state === 'ready', 'the answer');
    expect(list.view().total).to.equal(0);
    end();
  });

  it('of what the device does not keep waits for the script that asks, and asks again', async () => {
    const id = world.server.put('productTransition', { product: null });
    let isMissing = true;
    const other = new Device(world.server).open(world.me, {
      jsonApi: () =>
        isMissing ? Promise.reject(new Error('Loading chunk failed')) : Promise.resolve(jsonApi),
    });
    await until(() => other.lists.open('project', {}).view().asOf !== null, 'its first load');
    const list = other.lists.open('productTransition', {});
    list.subscribe(() => undefined)();
    await until(() => list.view().state === 'not-here', 'no answer');
    isMissing = false;
    const end = list.subscribe(() => undefined);
    await until(() => list.view().state === 'ready', 'the answer');
    expect(list.view().rows.map((row) => row.id)).to.deep.equal([id]);
    end();
    await other.close();
  });
});
