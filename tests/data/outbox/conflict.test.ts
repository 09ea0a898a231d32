import { expect } from 'chai';
import { editProject, setGroup } from '#data/actions/projects.ts';
import type { Of } from '#schema/index.ts';
import { AtWork } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';

describe('[fault 22] two people change the same field', () => {
  let work: AtWork;

  /** Away from the network, and someone else changes the project meanwhile. */
  const meanwhile = async (
    mine: Parameters<typeof editProject>[2],
    theirs: Partial<Of<'project'>>,
  ): Promise<void> => {
    await work.offline();
    await editProject(work.data, work.project(), mine);
    const { other, project } = work.world;
    work.server.by = { type: 'users', id: other, name: 'Ben Okafor' };
    work.server.put('project', { ...theirs, id: project });
    await work.online();
    await work.answered();
  };
  const conflict = () => work.change('conflict');

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  it('shows what was, mine and theirs, by whom and when, and overwrites nothing', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    expect(conflict().conflict).to.deep.equal([
      { field: 'name', was: 'Harvest', mine: 'Mine', theirs: 'Theirs' },
    ]);
    expect(conflict().other).to.deep.equal({ by: 'Ben Okafor', at: '2026-01-31T09:30:00.000Z' });
    expect(work.inServer().name).to.equal('Theirs');
    expect(work.name()).to.equal('Theirs');
    expect(work.data.records.view('project', work.world.project).change).to.equal('conflict');
  });

  it('shows a person chosen in place of another as a field like any', async () => {
    const group = work.server.put('group', {
      name: 'Second',
      abbreviation: 'S',
      owner: work.world.organization,
    });
    const third = work.server.put('group', {
      name: 'Third',
      abbreviation: '3',
      owner: work.world.organization,
    });
    await until(() => work.data.find.one('group', third) !== null, 'the groups');
    await work.offline();
    await setGroup(work.data, work.project(), group);
    work.server.put('project', { id: work.world.project, group: third });
    await work.online();
    await work.answered();
    expect(conflict().conflict).to.deep.equal([
      { field: 'group', was: work.world.group, mine: group, theirs: third },
    ]);
  });

  it('follows theirs while it changes on, and forgets who once that is not known', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    work.server.by = null;
    work.server.put('project', { id: work.world.project, name: 'Theirs again' });
    await until(() => work.name() === 'Theirs again', 'the news');
    expect(conflict().conflict[0]?.theirs).to.equal('Theirs again');
    expect(conflict().other?.by).to.equal(null);
  });

  it('keeps both over a reload', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    const before = { ...conflict() };
    await work.reload();
    expect({ ...conflict() }).to.deep.equal(before);
  });

  it('keeps mine: a new change over what the server has now', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    const { id } = conflict();
    await work.data.changes.keepMine(id);
    expect(work.name()).to.equal('Mine');
    await work.saved();
    expect(work.inServer().name).to.equal('Mine');
    expect(work.server.applied).to.not.include(id);
  });

  it('keeps mine, unless someone changed it once more in between', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    work.server.put('project', { id: work.world.project, name: 'Once more' });
    await until(() => work.name() === 'Once more', 'the news');
    work.offline().catch(() => undefined);
    await turns(20);
    await work.data.changes.keepMine(conflict().id);
    work.server.put('project', { id: work.world.project, name: 'And again' });
    await work.online();
    await work.answered();
    expect(conflict().conflict).to.deep.equal([
      { field: 'name', was: 'Once more', mine: 'Mine', theirs: 'And again' },
    ]);
    expect(work.inServer().name).to.equal('And again');
  });

  it('takes theirs: mine is given up', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    await work.data.changes.takeTheirs(conflict().id);
    expect(work.changes).to.include({ attention: 0, waiting: 0 });
    expect(work.name()).to.equal('Theirs');
    expect(work.inServer().name).to.equal('Theirs');
  });

  it('takes theirs of the field in conflict, and keeps the rest of what was changed with it', async () => {
    await meanwhile({ name: 'Mine', description: 'Mine too' }, { name: 'Theirs' });
    expect(conflict().conflict.map(({ field }) => field)).to.deep.equal(['name']);
    await work.data.changes.takeTheirs(conflict().id);
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Theirs', description: 'Mine too' });
    expect(work.project()).to.include({ name: 'Theirs', description: 'Mine too' });
    expect(work.change('done').says).to.deep.equal(['changes.project.edit', { name: 'Harvest' }]);
  });

  it('saves a merge over both in one change, with the rest of what was changed', async () => {
    await meanwhile({ name: 'Mine', description: 'Mine too' }, { name: 'Theirs' });
    const before = work.server.applied.length;
    await work.data.changes.keepMerged(conflict().id, { name: ' Mine and theirs ' });
    expect(work.name()).to.equal('Mine and theirs');
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Mine and theirs', description: 'Mine too' });
    expect(work.server.applied).to.have.length(before + 1);
    expect(work.change('done').says[1]).to.include({ to: 'Mine and theirs' });
  });

  it('keeps a merge that is made offline until it can be sent', async () => {
    await meanwhile({ description: 'Mine' }, { description: 'Theirs' });
    const { id } = conflict();
    await work.offline();
    await work.data.changes.keepMerged(id, { description: 'Mine and theirs' });
    expect(work.project().description).to.equal('Mine and theirs');
    expect(work.inServer().description).to.equal('Theirs');
    await work.reload();
    expect(work.project().description).to.equal('Mine and theirs');
    await work.online();
    await work.saved();
    expect(work.inServer().description).to.equal('Mine and theirs');
  });

  it('lets a merge take the place of what was typed there after the conflict', async () => {
    work.server.faults.push('cut-before');
    await work.rename('Mine');
    await turns(5);
    await work.rename('Mine, second');
    work.server.put('project', { id: work.world.project, name: 'Theirs' });
    await work.device.pass(4_000);
    await work.answered();
    await work.data.changes.keepMerged(conflict().id, { name: 'All of it' });
    await work.saved();
    expect(work.inServer().name).to.equal('All of it');
  });

  it('takes out of a merge only fields that are in conflict', async () => {
    await meanwhile({ name: 'Mine' }, { name: 'Theirs' });
    const merged = { name: 'Both', description: 'Not asked for' };
    await work.data.changes.keepMerged(conflict().id, merged);
    await work.saved();
    expect(work.inServer().name).to.equal('Both');
    expect(work.inServer().description).not.to.equal('Not asked for');
  });

  it('gives the same value: nothing is in conflict', async () => {
    await meanwhile({ name: 'Same' }, { name: 'Same' });
    expect(work.changes.attention).to.equal(0);
    expect(work.inServer().name).to.equal('Same');
  });

  it('holds what was changed after it, and takes it along into either choice', async () => {
    for (const [choice, name] of [
      ['keepMine', 'Mine, second'],
      ['takeTheirs', 'Theirs'],
    ] as const) {
      work.server.faults.push('cut-before');
      await work.rename('Mine');
      await turns(5);
      await work.rename('Mine, second');
      work.server.put('project', { id: work.world.project, name: 'Theirs' });
      await work.device.pass(4_000);
      await work.answered();
      expect(work.change('held').heldBy).to.equal(conflict().id);
      await work.data.changes[choice](conflict().id);
      await work.saved();
      expect(work.inServer().name).to.equal(name);
      work.server.put('project', { id: work.world.project, name: 'Harvest' });
      await until(() => work.name() === 'Harvest', 'the next round');
    }
  });
});

describe('[fault 30] news about a record with a waiting edit', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  it('leaves the person’s value on screen, shows the other fields, and loses neither', async () => {
    // No answers, but the hub goes on.
    work.server.isDown = true;
    await work.rename('Mine');
    const shown: (string | undefined)[] = [];
    work.data.records.subscribe('project', work.world.project, () => shown.push(work.name()));
    work.server.put('project', { id: work.world.project, name: 'Theirs', language: 'fr-FR' });
    await until(() => work.project().language === 'fr-FR', 'the news');
    expect(new Set(shown)).to.deep.equal(new Set(['Mine']));
    await work.online();
    await work.answered();
    expect(work.change('conflict').conflict).to.deep.equal([
      { field: 'name', was: 'Harvest', mine: 'Mine', theirs: 'Theirs' },
    ]);
    expect(work.inServer()).to.include({ name: 'Theirs', language: 'fr-FR' });
  });

  it('about other fields alone conflicts with nothing', async () => {
    work.server.isDown = true;
    await work.rename('Mine');
    work.server.put('project', { id: work.world.project, language: 'fr-FR' });
    await until(() => work.project().language === 'fr-FR', 'the news');
    await work.online();
    await work.saved();
    expect(work.inServer()).to.include({ name: 'Mine', language: 'fr-FR' });
  });
});
