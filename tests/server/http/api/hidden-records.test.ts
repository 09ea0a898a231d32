import { expect } from 'chai';
import { changesChannel, hubMethods } from '#protocol/hub.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { FeedDocument } from '#protocol/operations.ts';
import { access, mayCreate, mayRead } from '#rules/access.ts';
import type { Find } from '#rules/find.ts';
import { newRecord } from '#rules/record/defaults.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { evaluateRule } from '#server/db/evaluate-rule.ts';
import { changeOf } from '../../../support/sample.ts';
import { resourceObject } from '../../../support/resource-object.ts';
import { listen } from '../hub/listener.ts';
import { createdTypes, draftIn } from './drafts.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { Name, Person, World } from './world.ts';

/** An admin, plain members of their organization, an admin of another, and who is in none. */
const PEOPLE: readonly Name[] = ['admin', 'builder', 'member', 'stranger', 'nobody'];

/** Types in the feed, removed too, of which somebody may not know. */
const types = createdTypes.filter((type) => {
  const { load, verbs } = resourceOf(type);
  return load !== 'none' && verbs.includes('delete') && access[type].read.is !== 'everyone';
});

describe('[Must show] every resource, to those who do not read it', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  /** Returns what `rule` says of `name`, by the rules alone. */
  const judge = <T>(name: Name, rule: (viewer: Viewer, find: Find) => T) =>
    world.server.parts.db.read(async (tx) => {
      const viewer = await loadViewer(tx, world.people[name].id);
      return evaluateRule(tx, (find) => rule(viewer, find));
    });

  /** Somebody who may create the record of `fields`. */
  async function creatorOf(type: TypeName, id: string, fields: object): Promise<Person> {
    const at = new Date().toISOString();
    for (const name of ['super', ...PEOPLE] as const) {
      const may = await judge(name, (viewer, find) =>
        mayCreate(viewer, type, newRecord(type, fields, { viewer, find, at, id }), find),
      );
      if (may) return world.people[name];
    }
    throw new Error(`Nobody may create a ${type}`);
  }

  async function readersOf(type: TypeName, id: string): Promise<Name[]> {
    const record = await world.server.parts.db.read((tx) => tx.one(type, id));
    if (record === null) throw new Error(`There is no ${type} ${id}`);
    const reads = await Promise.all(
      PEOPLE.map((name) =>
        judge(name, (viewer, find) => mayRead(viewer, type, record as never, find)),
      ),
    );
    return PEOPLE.filter((_, n) => reads[n]);
  }

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
      person,
      hub: listener.hub,
      /** Whether feed and hub brought `id` before the change of the record `last`. */
      heardOf: async (id: string, last: string) => {
        while (!JSON.stringify(await listener.next()).includes(last)) continue;
        const { text } = await feedOf(person, cursor);
        await listener.stop();
        return [text, JSON.stringify(listener.heard)].map((all) => all.includes(id));
      },
    };
  }

  /** A change that `person` sees; returns the id of what it changes. */
  async function lastChangeOf(person: Person, type: TypeName): Promise<string> {
    const { id } = person;
    const data = { type: 'users', id, attributes: { phone: `After ${type}` } };
    const changed = await person.ask('PATCH', `/api/users/${id}`, { data });
    expect(changed.status, changed.text).to.equal(200);
    return id;
  }

  for (const type of types)
    it(`${type}: nobody is told of one by address, operation, feed, tombstone or hub`, async () => {
      const url = `/api/${wireTypeOf(type)}`;
      const id = world.id();
      const fields = await world.server.parts.db.read((tx) => draftIn(world, type, tx));
      const watchers = await Promise.all(PEOPLE.map((name) => watcherOf(world.people[name], type)));

      const creator = await creatorOf(type, id, fields);
      const created = await creator.ask('POST', url, { data: resourceObject(type, id, fields) });
      expect(created.status, created.text).to.equal(201);
      const readers = await readersOf(type, id);
      const [inside] = watchers.filter((_, n) => readers.includes(PEOPLE[n] ?? 'nobody'));
      const outside = watchers.filter((_, n) => !readers.includes(PEOPLE[n] ?? 'nobody'));
      expect(outside.length, 'people who do not read it').to.be.above(0);
      const change = changeOf(type);
      if (resourceOf(type).verbs.includes('update') && Object.keys(change).length > 0) {
        const data = resourceObject(type, id, change);
        expect((await creator.ask('PATCH', `${url}/${id}`, { data })).status).to.equal(200);
      }

      const operation = { op: 'remove', ref: { type: wireTypeOf(type), id } };
      const isUnknown = async (person: Person) => {
        const replies = [
          await person.get(`${url}/${id}`),
          await person.ask('DELETE', `${url}/${id}`),
          await person.ask('POST', '/api/operations', { operations: [operation] }),
        ];
        for (const { status, refusal } of replies)
          expect([status, refusal]).to.deep.equal([404, 'not-found']);
      };
      for (const { person, hub } of outside) {
        await isUnknown(person);
        expect((await person.get(url)).text).not.to.include(id);
        const refused = await hub.invoke(hubMethods.subscribe, `${wireTypeOf(type)}/${id}`).then(
          () => 'subscribed',
          (error: unknown) => String(error),
        );
        expect(refused).to.include('not-found');
      }

      expect((await creator.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      // Who saw it is told that it is gone: to remove it again is done already.
      expect((await creator.ask('DELETE', `${url}/${id}`)).status).to.equal(204);
      for (const { person, heardOf } of outside) {
        await isUnknown(person);
        expect(await heardOf(id, await lastChangeOf(person, type))).to.deep.equal([false, false]);
      }
      if (inside === undefined) return;
      const last = await lastChangeOf(inside.person, type);
      expect(await inside.heardOf(id, last)).to.deep.equal([true, true]);
    });
});
