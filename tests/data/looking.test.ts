import { expect } from 'chai';
import { AtWork } from '../support/at-work.ts';
import { until } from '../support/device.ts';
import { anId } from '../support/scripted-server.ts';

describe('a super admin, who looks at one organization at a time', () => {
  let work: AtWork;

  beforeEach(async () => {
    work = await AtWork.begin();
    const role = work.server.put('role', { roleName: 'SuperAdmin' });
    const { me: user } = work.world;
    work.server.put('userRole', { user, role, roleName: 'SuperAdmin', organization: null });
    await until(() => work.data.find.all('userRole', { user }).length > 0, 'the role');
  });
  afterEach(() => work.data.close());

  const followed = () =>
    work.server.requests
      .filter(({ path }) => path.startsWith('/api/changes'))
      .map(({ headers }) => headers.Organization ?? null);

  it('gets what belongs to the one that they choose [R298, R317]', async () => {
    work.data.selectOrganization(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
  });

  it('gets what belongs to the one they chose while the device’s copy was still being read', async () => {
    await work.data.close();
    work.data = work.device.open(work.world.me);
    work.data.selectOrganization(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
  });

  const nobody = anId();
  const none = () => ({
    record: work.data.records.view('project', nobody).state,
    list: work.data.lists.open('project', { id: nobody }).view().state,
  });

  it('is not told that nothing is there before what belongs to the chosen one has come', async () => {
    expect(none()).to.deep.equal({ record: 'not-here', list: 'ready' });
    work.data.selectOrganization(work.world.organization);
    expect(none()).to.deep.equal({ record: 'loading', list: 'loading' });
    await until(() => none().list !== 'loading', 'what belongs to it');
    expect(none()).to.deep.equal({ record: 'not-here', list: 'ready' });
  });

  it('nor that something was removed which only was out of view', async () => {
    const { project } = work.world;
    work.server.hide('project', project);
    await until(() => work.data.records.view('project', project).state === 'gone', 'the removal');
    work.data.selectOrganization(work.world.organization);
    expect(work.data.records.view('project', project).state).to.equal('loading');
    await until(() => work.data.records.view('project', project).state === 'here', 'the project');
  });

  it('is told without a connection that it is not on the device, and gets it later', async () => {
    work.server.isDown = true;
    work.server.hangUp();
    work.data.selectOrganization(work.world.organization);
    await until(() => none().list === 'not-here', 'no answer');
    expect(none()).to.deep.equal({ record: 'not-here', list: 'not-here' });
    work.server.isDown = false;
    await work.device.pass(60_000);
    await until(() => none().list === 'ready', 'what belongs to it');
  });

  it('is told so in a tab that follows too', async () => {
    const other = work.device.open(work.world.me);
    const stateThere = () => other.lists.open('project', { id: nobody }).view().state;
    const isSuperAdmin = () =>
      other.find.all('userRole', { user: work.world.me }).some((r) => r.roleName === 'SuperAdmin');
    await until(() => stateThere() === 'ready' && isSuperAdmin(), 'the second tab');
    other.selectOrganization(work.world.organization);
    expect(stateThere()).to.equal('loading');
    work.data.selectOrganization(work.world.organization);
    await until(() => stateThere() === 'ready', 'what the leading tab told');
    await other.close();
  });

  it('goes on with the one they looked at last', async () => {
    work.data.selectOrganization(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
    await work.saved();
    await work.data.close();
    const before = followed().length;
    work.data = work.device.open(work.world.me);
    await until(() => followed().length > before, 'its feed');
    expect(followed().slice(before)).to.deep.equal([work.world.organization]);
  });
});
