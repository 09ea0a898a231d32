import { expect } from 'chai';
import { wireFieldOf } from '#protocol/names.ts';
import type { ResourceObject } from '#protocol/document.ts';
import { attributesOf } from '#schema/index.ts';
import { START_WITHIN_MS, makeWorld } from './http/api/world.ts';
import type { Person, World } from './http/api/world.ts';
import { Copy } from './feed/copy.ts';
import { listen } from './http/hub/listener.ts';
import type { Listener } from './http/hub/listener.ts';
import { closeAtTheEnd } from '../support/hooks.ts';
import { startServer } from '../support/server.ts';

const DAY_MS = 86_400_000;

/** The fields that anyone reads of a person whom they meet (domain 2.4). */
const OPEN = ['name', 'given-name', 'family-name'];
const HIDDEN = attributesOf('user')
  .map(([field]) => wireFieldOf('user', field))
  .filter((field) => !OPEN.includes(field));
/** The fields that nobody reads of anyone but themself and a super admin. */
const NEVER = ['auth-id'];

/** Harbor's admin is the stranger; the people whom they add are of Lakeside, or of nowhere. */
describe('a membership to which the person has not agreed', function () {
  this.timeout(START_WITHIN_MS);
  let world: World;
  const clock = { aheadMs: 0 };
  const listeners: Listener[] = [];

  before(async () => {
    const server = await startServer({ clock: () => Date.now() + clock.aheadMs });
    closeAtTheEnd(() => server.stop());
    world = await makeWorld({ server, lastsSeconds: (120 * DAY_MS) / 1_000 });
    await world.write(async (w) => {
      for (const { id } of [world.people.builder, world.people.nobody])
        await w.change('user', id, {
          phone: '+1 555 0199',
          timezone: 'America/Lima',
          locale: 'en-US',
          decimalSeparator: ',',
          profileVisibility: 1,
        });
    });
  });
  after(async () => {
    for (const one of listeners) await one.stop();
  });

  const subscribe = async (who: Person, channel: string) => {
    const one = await listen(world.server.url, who.token);
    listeners.push(one);
    await one.subscribe(channel);
    return one;
  };

  const add = (who: Person, { user, email }: { user?: string; email?: string }) => {
    const organization = { data: { type: 'organizations', id: world.ids.harbor } };
    const named = user === undefined ? {} : { user: { data: { type: 'users', id: user } } };
    return who.ask('POST', '/api/organization-memberships', {
      data: {
        type: 'organization-memberships',
        attributes: email === undefined ? {} : { email },
        relationships: { organization, ...named },
      },
    });
  };

  const answer = (who: Person, id: string, at: string | null = new Date().toISOString()) =>
    who.ask('PATCH', `/api/organization-memberships/${id}`, {
      data: { type: 'organization-memberships', id, attributes: { 'date-accepted': at } },
    });

  const leave = (who: Person, id: string) =>
    who.ask('DELETE', `/api/organization-memberships/${id}`);

  const write = (who: Person, { id }: Person, attributes: Readonly<Record<string, unknown>>) =>
    who.ask('PATCH', `/api/users/${id}`, { data: { type: 'users', id, attributes } });

  /** Hidden fields of the person that `record` shows. */
  const shownIn = (record: ResourceObject | undefined) =>
    HIDDEN.filter((field) => (record?.attributes?.[field] ?? null) !== null);

  /** Returns the person's values of these fields, so that there is something to hide. */
  async function filledOf(person: Person): Promise<string[]> {
    return shownIn((await person.get(`/api/users/${person.id}`)).one);
  }

  /** Returns everything that `who` gets about the person, by every way to it. */
  async function ways(who: Person, { id }: Person) {
    const path = `/api/users/${id}`;
    const one = (await who.get(path)).one;
    const listed = (await who.get('/api/users?page[limit]=500')).many.find((row) => row.id === id);
    const beside = (
      await who.get('/api/organization-memberships?include=user&page[limit]=500')
    ).body.included?.find((row) => row.type === 'users' && row.id === id);
    const operations = [{ op: 'get', ref: { type: 'users', id } }];
    const operated = (await who.ask('POST', '/api/operations', { operations })).body.operations;
    const fed = (await new Copy(who).catchUp()).records.get(`users/${id}`);
    const [operation] = (operated ?? []) as readonly { readonly data?: ResourceObject }[];
    return { one, listed, beside, operated: operation?.data, fed };
  }

  describe('that an admin of another organization has made', () => {
    let person: Person;
    let membership: string;
    let listener: Listener;

    before(async () => {
      person = world.people.builder;
      listener = await subscribe(world.people.stranger, 'changes');
      const added = await add(world.people.stranger, { email: person.email });
      expect(added.status, added.text).to.equal(201);
      membership = added.one.id;
    });

    it('shows the organization nothing of the person but the names, whoever asks by whichever way [F4]', async () => {
      const filled = await filledOf(person);
      expect(filled).to.include.members(['email', 'phone', 'timezone', 'locale', 'is-locked']);
      const all = await ways(world.people.stranger, person);
      for (const [way, record] of Object.entries(all)) {
        expect(record?.attributes?.name, way).to.equal('builder person');
        expect(shownIn(record), way).to.deep.equal([]);
      }
      const notifications = (await listener.next()).operations.flatMap((one) =>
        one.op !== 'remove' && one.data.id === person.id ? [one.data] : [],
      );
      expect(notifications).to.have.length(1);
      expect(shownIn(notifications[0])).to.deep.equal([]);
    });

    it('lets nobody find the person by what is hidden of them [F4]', async () => {
      const { stranger } = world.people;
      for (const filter of [`filter[email]=${person.email}`, 'filter[timezone]=America/Lima']) {
        const found = await stranger.get(`/api/users?${filter}`);
        expect(found.status, filter).to.equal(200);
        expect(
          found.many.map(({ id }) => id),
          filter,
        ).not.to.include(person.id);
      }
    });

    it('lets no admin write any field of the person, nor lock them [F4]', async () => {
      const { stranger } = world.people;
      const values: Readonly<Record<string, unknown>> = {
        'is-locked': true,
        'profile-visibility': 0,
        'email-notification': false,
        'decimal-separator': '.',
        locale: 'fr-FR',
        email: 'harbor@harbor.test',
      };
      for (const [field, { write: by }] of attributesOf('user')) {
        if (by === 'server') continue;
        const name = wireFieldOf('user', field);
        const written = await write(stranger, person, { [name]: values[name] ?? 'Renamed' });
        expect(written.refusal, name).to.equal('forbidden');
        const data = {
          type: 'users',
          id: person.id,
          attributes: { [name]: values[name] ?? 'Renamed' },
        };
        const operations = [{ op: 'update', ref: { type: 'users', id: person.id }, data }];
        const operated = await stranger.ask('POST', '/api/operations', { operations });
        expect(operated.refusal, name).to.equal('forbidden');
      }
      expect((await person.get('/api/users/current-user')).one.attributes?.name).to.equal(
        'builder person',
      );
    });

    it('is a membership to the person, who sees the organization and who added them [F4] [R191]', async () => {
      const seen = await person.get(`/api/organization-memberships/${membership}`);
      expect(seen.one.attributes?.['date-accepted']).to.equal(null);
      expect(seen.one.relationships?.['added-by']?.data).to.deep.equal({
        type: 'users',
        id: world.people.stranger.id,
      });
      expect((await person.get(`/api/projects/${world.ids.pierProject}`)).status).to.equal(200);
    });

    it('is told to the person in a notification and in one mail, which asks whether they stay [F4]', async () => {
      const values = { userName: 'stranger person', orgName: 'Harbor Media' };
      const [notification] = (await person.get('/api/notifications')).many.filter(
        ({ attributes }) => attributes?.['message-id'] === 'membershipAdded',
      );
      expect(notification?.attributes).to.deep.include({
        'message-values': values,
        'link-url': '/tasks',
      });
      const mails = world.letters.filter(({ to }) => to === person.email);
      expect(mails.map(({ template }) => template)).to.deep.equal(['membershipAdded']);
    });

    it('is the cause of no other mail until the person has agreed [F4]', async () => {
      const { stranger, super: superAdmin } = world.people;
      const { pierProject } = world.ids;
      const own = async (owner: string) =>
        superAdmin.ask('PATCH', `/api/projects/${pierProject}`, {
          data: {
            type: 'projects',
            id: pierProject,
            relationships: { owner: { data: { type: 'users', id: owner } } },
          },
        });
      expect((await own(person.id)).status).to.equal(200);
      const rows = await world.server.parts.db.read((tx) =>
        tx.all('notification', { user: person.id, messageId: 'projectOwnershipReceived' }),
      );
      expect(rows.map(({ sendEmail }) => sendEmail)).to.deep.equal([false]);
      expect((await own(stranger.id)).status).to.equal(200);
    });

    it('is agreed to by the person alone, and the moment is the server’s [F4] [R191]', async () => {
      const { stranger, super: superAdmin } = world.people;
      for (const other of [stranger, superAdmin])
        expect((await answer(other, membership)).refusal).to.equal('forbidden');

      const agreed = await answer(person, membership, '2001-01-01T00:00:00.000Z');
      expect(agreed.status, agreed.text).to.equal(200);
      const at = Date.parse(String(agreed.one.attributes?.['date-accepted']));
      expect(at).to.be.greaterThan(Date.now() - DAY_MS);
      expect(at).to.be.at.most(Date.now());
      for (const again of ['2001-01-01T00:00:00.000Z', null])
        expect((await answer(person, membership, again)).refusal).to.equal('invalid/range');
    });

    it('shows the organization what members see once the person has agreed, without being asked again [F4]', async () => {
      const filled = (await filledOf(person)).filter((field) => !NEVER.includes(field));
      let seen: readonly string[] = [];
      while (seen.length === 0) {
        const { operations } = await listener.next();
        seen = operations.flatMap((one) =>
          one.op !== 'remove' && one.data.id === person.id ? shownIn(one.data) : [],
        );
      }
      expect(seen).to.deep.equal(filled);
      const all = await ways(world.people.stranger, person);
      for (const [way, record] of Object.entries(all))
        expect(shownIn(record), way).to.deep.equal(filled);
    });

    it('lets an admin of one of two organizations neither edit nor lock a person who agreed to both [F4] [R148, R305]', async () => {
      const { stranger, admin } = world.people;
      for (const who of [stranger, admin])
        for (const fields of [{ name: 'Renamed' }, { 'is-locked': true }])
          expect((await write(who, person, fields)).refusal).to.equal('forbidden');
    });
  });

  describe('that is one of others', () => {
    it('of somebody without any other does not let the admin edit or lock them [F4]', async () => {
      const { stranger, nobody } = world.people;
      const added = await add(stranger, { email: nobody.email });
      expect(added.status, added.text).to.equal(201);
      for (const fields of [{ name: 'Renamed' }, { 'is-locked': true }])
        expect((await write(stranger, nobody, fields)).refusal).to.equal('forbidden');
      expect((await nobody.get('/api/users/current-user')).status).to.equal(200);
      await answer(nobody, added.one.id);
      expect((await write(stranger, nobody, { phone: '1' })).status).to.equal(200);
      expect((await leave(nobody, added.one.id)).status).to.equal(204);
    });

    it('cannot be forged by who makes it [F4]', async () => {
      const { stranger, author } = world.people;
      const organization = { data: { type: 'organizations', id: world.ids.harbor } };
      const added = await stranger.ask('POST', '/api/organization-memberships', {
        data: {
          type: 'organization-memberships',
          attributes: { email: author.email, 'date-accepted': new Date().toISOString() },
          relationships: {
            organization,
            'added-by': { data: { type: 'users', id: author.id } },
          },
        },
      });
      expect(added.status, added.text).to.equal(201);
      expect(added.one.attributes?.['date-accepted']).to.equal(null);
      expect(added.one.relationships?.['added-by']?.data).to.include({ id: stranger.id });
      expect((await leave(author, added.one.id)).status).to.equal(204);
    });

    it('is not made by the id of somebody who shares no organization that they agreed to [F4]', async () => {
      const { stranger, builder, member, super: superAdmin } = world.people;
      // The owner of a public project is seen by everyone.
      await world.write((w) => w.change('project', world.ids.public, { owner: member.id }));
      expect((await stranger.get(`/api/users/${member.id}`)).status).to.equal(200);
      expect((await add(stranger, { user: member.id })).refusal).to.equal('forbidden');
      expect((await add(superAdmin, { user: member.id })).status).to.equal(201);
      // The builder has agreed to Harbor above: whoever is there may name them anywhere else.
      expect((await add(stranger, { user: builder.id })).refusal).to.equal('already-exists');
    });

    it('is agreed to by a super admin who adds themself, and by whoever redeems an invitation [F4]', async () => {
      const { stranger, super: superAdmin, author } = world.people;
      const own = await add(superAdmin, { user: superAdmin.id });
      expect(own.one.attributes?.['date-accepted']).to.be.a('string');

      const organization = { data: { type: 'organizations', id: world.ids.harbor } };
      await stranger.ask('POST', '/api/organization-membership-invites', {
        data: {
          type: 'organization-membership-invites',
          attributes: { email: author.email },
          relationships: { organization },
        },
      });
      const link = world.letters.findLast(({ to }) => to === author.email)?.values.link ?? '';
      const token = new URL(link).pathname.split('/').at(-1) ?? '';
      const path = `/api/organization-membership-invites/redeem/${token}`;
      expect((await author.ask('PATCH', path)).status).to.equal(200);
      const [held] = await world.server.parts.db.read((tx) =>
        tx.all('organizationMembership', { user: author.id, organization: world.ids.harbor }),
      );
      expect(held?.dateAccepted).to.be.a('string');
      expect(held?.addedBy).to.equal(stranger.id);
    });

    it('can be left whatever the person was made to own, and what they owned goes to who added them [F4]', async () => {
      const { stranger, nobody } = world.people;
      clock.aheadMs += 31 * DAY_MS;
      const added = await add(stranger, { email: nobody.email });
      expect(added.status, added.text).to.equal(201);
      const { harbor, pier, pierProject } = world.ids;
      await world.write(async (w) => {
        await w.insert('groupMembership', { id: world.id(), user: nobody.id, group: pier });
        await w.change('project', pierProject, { owner: nobody.id });
        await w.change('organization', harbor, { owner: nobody.id });
      });
      const left = await leave(nobody, added.one.id);
      expect(left.status, left.text).to.equal(204);
      const { project, organization } = await world.server.parts.db.read(async (tx) => ({
        project: await tx.one('project', pierProject),
        organization: await tx.one('organization', harbor),
      }));
      expect([project?.owner, organization?.owner]).to.deep.equal([stranger.id, stranger.id]);
      expect((await nobody.get(`/api/organizations/${harbor}`)).status).to.equal(404);
    });

    it('is not made again for 30 days after the person has left it, by anyone [F4]', async () => {
      const { stranger, super: superAdmin, nobody } = world.people;
      const again = () => add(stranger, { email: nobody.email });
      expect((await again()).refusal).to.equal('invalid/declined');
      expect((await add(superAdmin, { user: nobody.id })).refusal).to.equal('invalid/declined');
      const owner = { owner: { data: { type: 'users', id: nobody.id } } };
      const id = world.ids.harbor;
      const named = await superAdmin.ask('PATCH', `/api/organizations/${id}`, {
        data: { type: 'organizations', id, relationships: owner },
      });
      expect(named.refusal).to.equal('invalid/declined');
      clock.aheadMs += 30 * DAY_MS - 60_000;
      expect((await again()).refusal).to.equal('invalid/declined');
      clock.aheadMs += 120_000;
      expect((await again()).status).to.equal(201);
    });
  });
});
