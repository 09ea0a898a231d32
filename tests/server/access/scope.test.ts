import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { access, fieldScope, mayRead, mayReadField } from '#rules/access.ts';
import { viewerOf } from '#rules/viewer.ts';
import type { Viewer } from '#rules/viewer.ts';
import { storedTypes } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { fieldVisibleSql, visibleSql } from '#server/access/scope-sql.ts';
import { columnsOf, tableOf } from '#server/db/tables.ts';
import { loadViewer } from '#server/access/viewer.ts';
import { testDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';
import { aRandomWorld } from '../../support/random-world.ts';
import type { RandomWorld } from '../../support/random-world.ts';

/** Fields whose scope is narrower than their record's. */
const narrowedFields = (type: TypeName): string[] =>
  columnsOf(type)
    .map(({ field }) => field)
    .filter((field) => fieldScope(type, field).is !== 'everyone');

type Seen = ReadonlyMap<string, Readonly<Record<string, boolean>>>;

describe('what a viewer sees', () => {
  const outcomes = new Map<string, Set<boolean>>();
  let base: TestDatabase;

  before(async () => {
    base = await testDatabase();
  });

  /**
   * Returns, by SQL, whether every record of `type` in the world and each narrowed field of it is
   * seen.
   */
  async function seenBySql(type: TypeName, world: RandomWorld, viewer: Viewer): Promise<Seen> {
    const fields = narrowedFields(type).map(
      (field) => sql`, ${fieldVisibleSql(type, field, 'a', viewer)} as ${sql.id(field)}`,
    );
    const ids = world.ids(type);
    const rows = await base.db.read((tx) =>
      tx.query<{ id: string } & Record<string, boolean>>(sql`
        select a.id, ${visibleSql(type, 'a', viewer)} as record ${sql.join(fields, sql``)}
        from ${sql.table(tableOf(type))} as a where a.id = any(${ids}::uuid[])`),
    );
    return new Map(rows.map(({ id, ...seen }) => [id, seen]));
  }

  /** Does the same by rules. */
  function seenByRules(type: TypeName, world: RandomWorld, viewer: Viewer): Seen {
    const { find } = world;
    return new Map(
      world.ids(type).map((id) => {
        const record = find.one(type, id);
        if (record === null) throw new Error(`There is no ${type} ${id}`);
        const fields = narrowedFields(type).map(
          (field) => [field, mayReadField(viewer, type, field, record, find)] as const,
        );
        return [id, { record: mayRead(viewer, type, record, find), ...Object.fromEntries(fields) }];
      }),
    );
  }

  function note(type: TypeName, seen: Seen): void {
    for (const [what, is] of [...seen.values()].flatMap((one) => Object.entries(one))) {
      const key = `${type}.${what}`;
      outcomes.set(key, (outcomes.get(key) ?? new Set()).add(is));
    }
  }

  it('is the same in SQL and by the rules, for every record and field of random worlds', async () => {
    const roles = await base.db.read((tx) => tx.all('role', {}));
    await fc.assert(
      fc.asyncProperty(fc.gen(), async (generate) => {
        const world = aRandomWorld((most) => generate(fc.nat, { max: most - 1 }), roles, newId);
        await base.db.write(aCause(), async (write) => {
          for (const [type, record] of world.inOrder) await write.insert(type, record as never);
        });
        for (const user of world.ids('user')) {
          const viewer = await base.db.read((tx) => loadViewer(tx, user));
          expect(viewer).to.deep.equal(viewerOf(user, world.find));
          for (const type of storedTypes) {
            const seen = seenByRules(type, world, viewer);
            expect(await seenBySql(type, world, viewer), type).to.deep.equal(seen);
            note(type, seen);
          }
        }
      }),
      // The same worlds in every run: that they try every outcome is asserted below.
      { seed: 20260131, numRuns: 8, endOnFailure: true },
    );
  }).timeout(120_000);

  it('was something and nothing, for every scope that the worlds above tried', () => {
    for (const type of storedTypes) {
      const fields = narrowedFields(type).map((field) => [field, fieldScope(type, field)] as const);
      const scopes = [['record', access[type].read] as const, ...fields];
      for (const [what, scope] of scopes) {
        const expected = scope.is === 'everyone' ? [true] : [false, true];
        expect(
          [...(outcomes.get(`${type}.${what}`) ?? [])].sort(),
          `${type}.${what}`,
        ).to.deep.equal(expected);
      }
    }
  });
});
