import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { flagsOf } from '#server/access/read-visible.ts';
import { fieldVisibleSql } from '#server/access/scope-sql.ts';
import { tableOf } from '#server/db/tables.ts';
import { inFeedSql, mayDifferInFeedSql, feedViewerOf } from '#server/feed/reader.ts';
import type { DifferenceKind, FeedViewer, RightsChange } from '#server/feed/reader.ts';
import { feedTypes } from '#server/feed/types.ts';
import type { TypeName } from '#schema/index.ts';
import { testDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';
import { aRandomWorld } from '../../support/random-world.ts';
import type { RandomWorld } from '../../support/random-world.ts';

type Chance = (most: number) => number;

describe('[wire 9.2] where a change of rights is looked for', () => {
  let base: TestDatabase;
  before(async () => {
    base = await testDatabase();
  });

  /** Whatever rights `user` may have in `world`, and some that nobody can have. */
  function aReader(world: RandomWorld, user: string, chance: Chance): FeedViewer {
    const some = (type: TypeName) => new Set(world.ids(type).filter(() => chance(2) === 0));
    const viewer = {
      id: user,
      isSuperAdmin: chance(4) === 0,
      memberOf: some('organization'),
      adminOf: some('organization'),
      builderIn: some('organization'),
      authorIn: some('organization'),
      groups: some('group'),
    };
    return feedViewerOf(viewer, chance(2) === 0 ? null : (world.ids('organization')[0] ?? null));
  }

  function differs(type: TypeName, { before, now }: RightsChange, how: DifferenceKind['how']) {
    const [was, is] = [inFeedSql(type, 'a', before), inFeedSql(type, 'a', now)];
    if (how === 'lost') return sql<boolean>`(${was} and not ${is})`;
    const fields = flagsOf(type).map(
      ({ field }) => sql`(${was} or ${is}) and ${fieldVisibleSql(type, field, 'a', before.viewer)}
        <> ${fieldVisibleSql(type, field, 'a', now.viewer)}`,
    );
    return sql<boolean>`(${sql.join([sql`${was} <> ${is}`, ...fields], sql` or `)})`;
  }

  /**
   * Counts the records of `type` that differ, and those of them that meet none of the conditions.
   */
  async function count(
    type: TypeName,
    ids: string[],
    change: RightsChange,
    how: DifferenceKind['how'],
  ) {
    const conditions: RawBuilder<boolean>[] = mayDifferInFeedSql(type, 'a', change, {
      how,
      excludedOrganizations: new Set(),
    });
    const isLookedAt = sql.join([sql`false`, ...conditions], sql` or `);
    const [row] = await base.db.read((tx) =>
      tx.query(sql<{ all: number; missed: number }>`
        select count(*) as all, count(*) filter (where not (${isLookedAt})) as missed
        from ${sql.table(tableOf(type))} as a
        where a.id = any(${ids}::uuid[]) and ${differs(type, change, how)}`),
    );
    return row ?? { all: 0, missed: 0 };
  }

  it('is wherever something differs, for whatever rights before and after', async () => {
    const roles = await base.db.read((tx) => tx.all('role', {}));
    const found = { lost: 0, changed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const chance: Chance = (most) => generate(fc.nat, { max: most - 1 });
        const world = aRandomWorld(chance, roles, newId);
        await base.db.write(aCause(), async (write) => {
          for (const [type, record] of world.inOrder) await write.insert(type, record as never);
        });
        for (const user of world.ids('user')) {
          const change = {
            before: aReader(world, user, chance),
            now: aReader(world, user, chance),
          };
          for (const type of feedTypes)
            for (const how of ['lost', 'changed'] as const) {
              const { all, missed } = await count(type, world.ids(type), change, how);
              expect(missed, `${type}, ${how}`).to.equal(0);
              found[how] += all;
            }
        }
      }),
      { seed: 20260131, numRuns: 8, endOnFailure: true },
    );
    expect([found.lost > 50, found.changed > 100]).to.deep.equal([true, true]);
  }).timeout(120_000);
});
