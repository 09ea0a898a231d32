import { expect } from 'chai';
import { changesChannel, hubMethods } from '#protocol/hub.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { FeedDocument } from '#protocol/operations.ts';
import { mayRead } from '#rules/access.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { aWorld } from '../../../rules/world.ts';
import { changeOf } from '../../../support/sample.ts';
import { resourceObject } from '../../../support/resource-object.ts';
import { listen } from '../hub/listener.ts';
import { createdTypes, documentOf } from './drafts.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Person, World } from './world.ts';

const { viewers, sample, db } = aWorld();
const reads = (person: 'OA' | 'OM', type: TypeName) =>
  mayRead(viewers[person], type, sample[type], db);

/** Types that admins of an organization read, and its other members do not. */
const closedTypes = createdTypes.filter(
  (type) => resourceOf(type).load !== 'none' && reads('OA', type) && !reads('OM', type),
);

describe('[Must show] every resource that plain members do not read', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  /** Everything in the feed from `since` on, as text, and where it ends. */
  async function feedOf(person: Person, since: string | null) {
    let text = '';
    for (let cursor = since; ;) {
      const reply = await person.get(`/api/changes${cursor === null ? '' : `?since=${cursor}`}`);
      const { operations, meta } = reply.body as unknown as FeedDocument;
      text += JSON.stringify(operations);
      ({ cursor } = meta);
      if (!meta.more) return { text, cursor };
    }
  }

  /** A person who reads the feed and listens on the channels of all changes and of `type`. */
  async function watcherOf(person: Person, type: TypeName) {
    const { cursor } = await feedOf(person, null);
    const listener = await listen(world.server.url, person.token);
    await listener.subscribe(changesChannel(null));
    await listener.subscribe(wireTypeOf(type));
    return {
      listener,
      /** All that has come, once the change of the record `last` has. */
      until: async (last: string) => {
        while (!JSON.stringify(await listener.next()).includes(last)) continue;
        const { text } = await feedOf(person, cursor);
        await listener.stop();
        return { feed: text, hub: JSON.stringify(listener.heard) };
      },
    };
  }

  it('is some', () => {
    expect(closedTypes).to.include('organizationMembershipInvite');
  });

  for (const type of closedTypes)
    it(`${type}: a member is told nothing of one by address, operation, feed, tombstone or hub`, async () => {
      const { admin, member } = world.people;
      const url = `/api/${wireTypeOf(type)}`;
      const id = world.id();
      const watchers = [await watcherOf(admin, type), await watcherOf(member, type)] as const;

      const created = await admin.ask('POST', url, await documentOf(world, type, id));
      expect(created.status, created.text).to.equal(201);
      const change = { data: resourceObject(type, id, changeOf(type)) };
      if (resourceOf(type).verbs.includes('update'))
        expect((await admin.ask('PATCH', `${url}/${id}`, change)).status).to.equal(200);

      const unknown = async () => {
        const operation = { op: 'remove', ref: { type: wireTypeOf(type), id } };
        const operations = { operations: [operation] };
        const replies = [
          await member.get(`${url}/${id}`),
          await member.ask('DELETE', `${url}/${id}`),
          await member.ask('POST', '/api/operations', operations),
        ];
        return replies.map(({ status, refusal }) => [status, refusal]);
      };
      const notFound = [404, 'not-found'];
      expect(await unknown()).to.deep.equal([notFound, notFound, notFound]);
      expect((await member.get(url)).text).not.to.include(id);
      const { hub } = watchers[1].listener;
      const refused = await hub.invoke(hubMethods.subscribe, `${wireTypeOf(type)}/${id}`).then(
        () => 'subscribed',
        (error: unknown) => String(error),
      );
      expect(refused).to.include('not-found');

      expect((await admin.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      // Who saw it is told that it is gone: to remove it again is done already.
      expect((await admin.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      expect(await unknown()).to.deep.equal([notFound, notFound, notFound]);

      const { north } = world.ids;
      const group = { type: 'groups', id: north, attributes: { name: `North, ${type}` } };
      expect((await admin.ask('PATCH', `/api/groups/${north}`, { data: group })).status).to.equal(
        200,
      );
      const [ofAdmin, ofMember] = await Promise.all(watchers.map((one) => one.until(north)));
      expect([ofAdmin?.feed, ofAdmin?.hub].map((text) => text?.includes(id))).to.deep.equal([
        true,
        true,
      ]);
      expect([ofMember?.feed, ofMember?.hub].map((text) => text?.includes(id))).to.deep.equal([
        false,
        false,
      ]);
    });
});
