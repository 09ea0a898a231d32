import { expect } from 'chai';
import { performChange } from '#server/domain/writes/perform-change.ts';
import type { Services } from '#server/domain/services.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { openAt, testDatabase } from '../../../support/database.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { World } from './world.ts';

describe('[wire 6.1] the same made by two at once', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  it('is made once, and the others are told so', async () => {
    const { admin } = world.people;
    const { lakeside, south } = world.ids;
    const membership = () => ({
      data: {
        type: 'group-memberships',
        relationships: {
          user: { data: { type: 'users', id: world.people.member.id } },
          group: { data: { type: 'groups', id: south } },
        },
      },
    });
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => admin.ask('POST', '/api/group-memberships', membership())),
    );
    expect(replies.filter(({ status }) => status === 201)).to.have.length(1);
    expect(replies.filter(({ refusal }) => refusal === 'already-exists')).to.have.length(5);

    const id = world.id();
    const attributes = { name: 'East', abbreviation: 'E' };
    const relationships = { owner: { data: { type: 'organizations', id: lakeside } } };
    const group = { data: { type: 'groups', id, attributes, relationships } };
    const groups = await Promise.all(
      Array.from({ length: 6 }, () => admin.ask('POST', '/api/groups', group)),
    );
    expect(groups.filter(({ status }) => status === 201)).to.have.length(1);
    expect(groups.filter(({ refusal }) => refusal === 'id-taken')).to.have.length(5);
  });

  it('is refused to a second process as to the first', async function () {
    this.timeout(START_WITHIN_MS);
    const { parts: services } = world.server;
    const { databaseUrl, dataDir } = await testDatabase();
    // An embedded database belongs to one process; two connections of it stand for two.
    const other = databaseUrl === null ? null : await openAt({ databaseUrl, dataDir });
    const second: Services = { ...services, db: other?.db ?? services.db };
    const caller = await callerOf(services, world.people.admin.token);
    const id = world.id();
    const stated = {
      fields: { name: 'West', abbreviation: 'W', owner: world.ids.lakeside },
      pointers: {},
      manys: {},
      problems: [],
    };
    const operations = [{ op: 'add', type: 'group', id, stated }] as const;
    const change = world.id();
    const outcomes = await Promise.all(
      [services, second, services, second].map((on) =>
        performChange(on, caller, { id: change, operations }),
      ),
    );
    expect(outcomes.filter(({ isReplayed }) => isReplayed)).to.have.length(3);
    expect(outcomes.every(({ results }) => results[0]?.is === 'done')).to.equal(true);
    await other?.close();
  });
});
