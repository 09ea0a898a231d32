import { expect } from 'chai';
import { forgetNotifications } from '#server/domain/notifications/forget.ts';
import { notify } from '#server/domain/notifications/notify.ts';
import { makeWorld, START_WITHIN_MS } from '../../http/api/world.ts';
import type { World } from '../../http/api/world.ts';

const DAY_MS = 86_400_000;

describe('[10.1] notifications', function () {
  this.timeout(START_WITHIN_MS);
  let world: World;
  beforeEach(async () => {
    world = await makeWorld();
  });

  it('name the state of a workflow as their reader calls it, and keep what it is [R215]', async () => {
    const { parts: services } = world.server;
    const user = world.people.member.id;
    const values = { projectName: 'Harvest', productName: 'App', activityName: 'Product Build' };
    await world.write(async (write) => {
      await write.change('user', user, { locale: 'fr-FR' });
      const about = { organization: world.ids.lakeside, linkUrl: '/tasks' };
      const message = { id: 'userTaskAdded', values, ...about } as const;
      await notify({ services, write }, user, message);
    });
    const [notification] = (await world.people.member.get('/api/notifications')).many;
    expect(notification?.attributes?.message).to.include('Compilation du produit');
    expect(notification?.attributes?.['message-values']).to.deep.equal(values);
  });

  it('are removed after 90 days once they were read, and not before', async () => {
    const { parts: services } = world.server;
    const { builder } = world.people;
    const id = world.id();
    const dateRead = new Date(services.clock()).toISOString();
    await world.write(async (w) => {
      await w.insert('notification', { id, user: builder.id, message: 'Read' });
      await w.change('notification', id, { dateRead });
    });
    const ids = async () => (await builder.get('/api/notifications')).many.map((one) => one.id);
    const after = (days: number) => ({
      db: services.db,
      clock: () => services.clock() + days * DAY_MS,
    });
    await forgetNotifications(after(89));
    expect(await ids()).to.have.members([id, world.ids.notification]);
    await forgetNotifications(after(91));
    expect(await ids()).to.deep.equal([world.ids.notification]);
  });
});
