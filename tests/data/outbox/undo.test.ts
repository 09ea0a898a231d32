import { expect } from 'chai';
import type { Operation } from '#protocol/operations.ts';
import {
  inviteOwner,
  inviteToOrganization,
  renewOwnerInvitation,
  withdrawInvitation,
  withdrawOwnerInvitation,
} from '#data/actions/invitations.ts';
import { acceptMembership, addToGroup, endMembership } from '#data/actions/members.ts';
import { editOrganization } from '#data/actions/organizations.ts';
import { archive, reactivate } from '#data/actions/projects.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { AtWork, refusal } from '../../support/at-work.ts';
import { turns, until } from '../../support/device.ts';
import { problem } from '../../support/scripted-server.ts';

const operationsIn = (body: string): readonly Operation[] =>
  (JSON.parse(body) as { readonly operations: readonly Operation[] }).operations;

describe('undo', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  const undo = (id: string): Promise<void> => work.data.changes.undo(id);
  /** The next request stays without an answer; what was in it may have arrived or not. */
  const inFlight = async (): Promise<string> => {
    work.server.faults.push(() => problem(503, 'unavailable', {}, { 'Retry-After': '5' }));
    await work.rename('Mine');
    await turns(5);
    return work.changes.rows[0]?.id ?? '';
  };

  it('of what was never sent takes it out', async () => {
    await work.offline();
    await work.rename('Mine');
    const { id, canUndo } = work.changeOf(work.world.project);
    expect(canUndo).to.equal(true);
    await undo(id);
    expect(work.name()).to.equal('Harvest');
    expect(work.changes.rows).to.have.length(1);
    await work.online();
    await work.saved();
    expect(work.server.applied).to.have.length(1);
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('of what was never sent takes along what depends on it, and says so before', async () => {
    await work.offline();
    const id = await work.create();
    const reviewer = await work.addReviewer(id);
    expect(work.changeOf(id).dependants).to.deep.equal([work.changeOf(reviewer).id]);
    await undo(work.changeOf(id).id);
    expect(work.name(id)).to.equal(undefined);
    expect(work.data.find.one('reviewer', reviewer)).to.equal(null);
    expect(work.changes.rows).to.have.length(1);
  });

  it('of a change in flight waits for its verdict, then takes it back', async () => {
    await undo(await inFlight());
    expect(work.name()).to.equal('Harvest');
    await work.device.pass(6_000);
    await work.saved();
    expect(work.server.applied).to.have.length(2);
    expect(work.inServer().name).to.equal('Harvest');
    expect(work.name()).to.equal('Harvest');
  });

  it('of a change in flight that is then refused has nothing to do', async () => {
    const id = await inFlight();
    work.server.refuse = () => refusal(403, 'forbidden');
    await undo(id);
    await work.device.pass(6_000);
    await work.saved();
    expect(work.changes.rows).to.deep.equal([]);
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('of a change in flight that someone has changed since is a conflict', async () => {
    work.server.hangUp();
    await turns(5);
    const busy = (body: string) =>
      body.includes('operations') ? problem(503, 'unavailable', {}, { 'Retry-After': '60' }) : null;
    work.server.faults.push('cut-after', ...Array<typeof busy>(6).fill(busy));
    await work.rename('Mine');
    await turns(5);
    const { id } = work.changeOf(work.world.project);
    work.server.put('project', { id: work.world.project, name: 'Theirs' });
    await work.device.pass(5_000);
    expect(work.data.changes.exportText(id), 'what came meanwhile').to.include('"name": "Theirs"');
    await undo(id);
    work.server.faults.length = 0;
    await work.device.pass(90_000);
    await work.answered();
    expect(work.inServer().name).to.equal('Theirs');
    expect(work.change('conflict').conflict).to.deep.equal([
      { field: 'name', was: 'Mine', mine: 'Harvest', theirs: 'Theirs' },
    ]);
  });

  it('of a change in flight is not forgotten by a reload', async () => {
    await undo(await inFlight());
    await work.reload();
    expect(work.name()).to.equal('Harvest');
    await work.device.pass(6_000);
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('of a done change is a new change, and can be undone in turn', async () => {
    await archive(work.data, [work.project()]);
    await work.saved();
    const done = work.change('done');
    expect(done.canUndo).to.equal(true);
    await undo(done.id);
    await work.saved();
    expect(work.inServer()['date-archived']).to.equal(null);
    const undone = work.change('done');
    expect(undone.says).to.deep.equal([
      'changes.undone',
      { name: 'Harvest', what: 'changes.project.archive' },
    ]);
    expect(work.changes.rows.find(({ id }) => id === done.id)?.canUndo).to.equal(false);
    await undo(undone.id);
    await work.saved();
    expect(work.inServer()['date-archived']).to.not.equal(null);
    expect(work.change('done').says[0]).to.equal('changes.project.archive');
  });

  it('of a done change survives a reload', async () => {
    await work.rename('Mine');
    await work.saved();
    await work.reload();
    await undo(work.change('done').id);
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('of a done change that someone has changed since is a conflict', async () => {
    await work.rename('Mine');
    await work.saved();
    const { id } = work.change('done');
    work.server.put('project', { id: work.world.project, name: 'Theirs' });
    await until(() => work.name() === 'Theirs', 'the news');
    await undo(id);
    await work.came('conflict');
    expect(work.inServer().name).to.equal('Theirs');
    expect(work.change('conflict').conflict).to.deep.equal([
      { field: 'name', was: 'Mine', mine: 'Harvest', theirs: 'Theirs' },
    ]);
  });

  it('starts from what the server made of the change', async () => {
    work.server.alter = ({ name }) => ({ name: `${String(name)}, altered` });
    await work.rename('Mine');
    await work.saved();
    expect(work.name()).to.equal('Mine, altered');
    work.server.alter = (fields) => fields;
    await undo(work.change('done').id);
    await work.saved();
    expect(work.inServer().name).to.equal('Harvest');
  });

  it('of a new project archives it; of a new reviewer removes them', async () => {
    const id = await work.create();
    const reviewer = await work.addReviewer(id);
    await work.saved();
    for (const about of [reviewer, id]) {
      await undo(work.changeOf(about).id);
      await work.saved();
    }
    expect(work.inServer(id)['date-archived']).to.not.equal(null);
    expect(work.server.get('reviewer', reviewer)).to.equal(undefined);
  });

  it('of a creation is marked as one, so that the server can judge it; a removal is not [wire 8.1]', async () => {
    const [first, second] = [await work.addReviewer(), await work.addReviewer()];
    await work.saved();
    await undo(work.changeOf(first).id);
    await work.data.remove('reviewer', second, ['changes.project.edit', { name: 'Rosa' }]);
    await work.saved();
    const marks = work.server.requests
      .flatMap(({ body }) => (body.includes('"remove"') ? operationsIn(body) : []))
      .filter(({ op }) => op === 'remove')
      .map(({ ref, meta }) => [ref?.id, meta?.undo]);
    expect(Object.fromEntries(marks)).to.deep.equal({ [first]: true, [second]: undefined });
  });

  it('of a new project is marked as one too; that of a reactivation is not [wire 8.1]', async () => {
    const created = await work.create();
    await work.saved();
    await undo(work.changeOf(created).id);
    await archive(work.data, [work.project()]);
    await work.saved();
    await reactivate(work.data, [work.project()]);
    await work.saved();
    await undo(work.changeOf(work.world.project).id);
    await work.saved();
    const marks = work.server.requests
      .flatMap(({ body }) => (body.includes('"update"') ? operationsIn(body) : []))
      .map(({ ref, meta }) => [ref?.id, meta?.undo]);
    expect(marks).to.deep.equal([
      [created, true],
      [work.world.project, undefined],
      [work.world.project, undefined],
      [work.world.project, undefined],
    ]);
  });

  it('of a removed reviewer puts them back with their id', async () => {
    const reviewer = await work.addReviewer();
    await work.saved();
    await work.data.remove('reviewer', reviewer, ['changes.project.edit', { name: 'Rosa' }]);
    await work.saved();
    expect(work.server.get('reviewer', reviewer)).to.equal(undefined);
    await undo(work.changeOf(reviewer).id);
    await work.saved();
    expect(work.server.get('reviewer', reviewer)?.attributes).to.include({ name: 'Rosa' });
    expect(work.data.find.one('reviewer', reviewer)?.name).to.equal('Rosa');
  });

  it('goes back fifty changes', async () => {
    for (let i = 0; i < 60; i += 1) {
      await work.rename(`Name ${i}`);
      await work.saved();
    }
    expect(work.changes.rows).to.have.length(50);
    expect(work.changes.rows.every(({ canUndo }) => canUndo)).to.equal(true);
    await work.reload();
    expect(work.changes.rows).to.have.length(50);
  });
});

describe('undo is not offered of what it would not bring back [screens 1.6]:', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
  });
  afterEach(() => work.data.close());

  /** Says whether the change that `act` makes can be undone before it is sent, and once it is done. */
  const undone = async (act: () => Promise<unknown>): Promise<readonly boolean[]> => {
    await work.saved();
    await work.offline();
    const before = new Set(work.changes.rows.map(({ id }) => id));
    await act();
    const row = () => work.changes.rows.find(({ id }) => !before.has(id));
    const unsent = row()?.canUndo === true;
    await work.online();
    await work.saved();
    expect(row()?.state).to.equal('done');
    return [unsent, row()?.canUndo === true];
  };
  const here = <T extends TypeName>(type: T, id: string): Of<T> => {
    const record = work.data.find.one(type, id);
    if (record === null) throw new Error(`The ${type} is not here`);
    return record;
  };
  const membershipOf = (user: string) => {
    const [membership] = work.data.find.all('organizationMembership', { user });
    if (membership === undefined) throw new Error('They are no member');
    return membership;
  };
  const email = 'rosa@example.org';

  it('the end of a membership, with which roles and groups went', async () => {
    const membership = membershipOf(work.world.other);
    const end = () => endMembership(work.data, membership);
    expect(await undone(end)).to.deep.equal([true, false]);
  });

  it('the consent to a membership', async () => {
    const stay = () => acceptMembership(work.data, membershipOf(work.world.me));
    expect(await undone(stay)).to.deep.equal([true, false]);
  });

  it('the withdrawal of an invitation, which would be mailed again', async () => {
    const { organization } = work.world;
    const id = await inviteToOrganization(work.data, { email, organization });
    await work.saved();
    const withdraw = () => withdrawInvitation(work.data, here('organizationMembershipInvite', id));
    expect(await undone(withdraw)).to.deep.equal([true, false]);
  });

  it('the renewal and the withdrawal of an invitation to create an organization', async () => {
    const id = await inviteOwner(work.data, { ownerEmail: email, name: null, url: null });
    await work.saved();
    // Another moment, and so another end.
    await work.device.pass(1_000);
    const renew = () => renewOwnerInvitation(work.data, here('organizationInvite', id));
    expect(await undone(renew)).to.deep.equal([true, false]);
    const withdraw = () => withdrawOwnerInvitation(work.data, here('organizationInvite', id));
    expect(await undone(withdraw)).to.deep.equal([true, false]);
  });

  it('another address of a build engine, with which its access token went', async () => {
    const edit = (fields: Partial<Of<'organization'>>) => () =>
      editOrganization(work.data, here('organization', work.world.organization), fields);
    const moved = edit({ buildEngineUrl: 'https://engine.example.org' });
    expect(await undone(moved)).to.deep.equal([true, false]);
    expect(await undone(edit({ name: 'Lakeside Books' }))).to.deep.equal([true, true]);
  });
});

describe('what was given for now', () => {
  it('is taken back by its toast as by the panel: the server judges both', async () => {
    const work = await AtWork.begin();
    const { other: user, organization } = work.world;
    const group = work.server.put('group', {
      name: 'North',
      abbreviation: 'N',
      owner: organization,
    });
    await until(() => work.data.find.one('group', group) !== null, 'the group');
    const takeBack = await addToGroup(work.data, { user, organization, group, label: 'North' });
    await work.saved();
    await takeBack();
    await work.saved();
    expect(work.change('done').says[0]).to.equal('changes.undone');
    expect(work.data.find.all('groupMembership', { user, group })).to.deep.equal([]);
    await work.data.close();
  });
});

describe('a removal that cannot be taken back once sent', () => {
  let work: AtWork;
  let group: string;

  beforeEach(async () => {
    work = await AtWork.begin();
    group = work.server.put('group', {
      name: 'Empty',
      abbreviation: 'E',
      owner: work.world.organization,
    });
    await until(() => work.data.find.one('group', group) !== null, 'the group');
  });
  afterEach(() => work.data.close());

  const remove = (): Promise<void> =>
    work.data.remove('group', group, ['changes.project.edit', { name: 'Empty' }]);

  it('is held for eight seconds, and undone as if it had never been', async () => {
    await remove();
    expect(work.data.find.one('group', group)).to.equal(null);
    await work.device.pass(7_000);
    expect(work.server.get('group', group)).to.not.equal(undefined);
    await work.data.changes.undo(work.change('waiting').id);
    await work.device.pass(60_000);
    expect(work.data.find.one('group', group)?.name).to.equal('Empty');
    expect(work.server.applied).to.deep.equal([]);
  });

  it('is sent after that, and holds back nothing else', async () => {
    await remove();
    await work.rename('Mine');
    await until(() => work.inServer().name === 'Mine', 'the other change');
    expect(work.server.get('group', group)).to.not.equal(undefined);
    await work.device.pass(9_000);
    await work.saved();
    expect(work.server.get('group', group)).to.equal(undefined);
    expect(work.changeOf(group).canUndo).to.equal(false);
  });

  it('goes at once after a reload', async () => {
    await remove();
    await work.reload();
    await work.saved();
    expect(work.server.get('group', group)).to.equal(undefined);
  });
});
