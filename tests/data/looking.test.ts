import { expect } from 'chai';
import { AtWork } from '../support/at-work.ts';
import { until } from '../support/device.ts';

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

  it('gets what belongs to the one that they choose', async () => {
    work.data.look(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
  });

  it('gets what belongs to the one they chose while the device’s copy was still being read', async () => {
    await work.data.close();
    work.data = work.device.open(work.world.me);
    work.data.look(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
  });

  it('goes on with the one they looked at last', async () => {
    work.data.look(work.world.organization);
    await until(() => followed().at(-1) === work.world.organization, 'its feed');
    await work.saved();
    await work.data.close();
    const before = followed().length;
    work.data = work.device.open(work.world.me);
    await until(() => followed().length > before, 'its feed');
    expect(followed().slice(before)).to.deep.equal([work.world.organization]);
  });
});
