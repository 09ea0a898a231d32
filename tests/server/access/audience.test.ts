import { expect } from 'chai';
import fc from 'fast-check';
import { sql } from 'kysely';
import { access } from '#rules/access.ts';
import { anyOf, audienceOf, inScope, isAmong, nobody, superAdmin } from '#rules/scope.ts';
import type { Scope } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import { resourceOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import { belongingScope } from '#server/access/feed-scope.ts';
import { visibleSql } from '#server/access/scope-sql.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import type { FeedRow, ScopeFacts } from '#server/db/feed-row.ts';
import { tableOf } from '#server/db/tables.ts';
import { feedViewerOf, inFeedAt, inFeedSql } from '#server/feed/reader.ts';
import type { FeedViewer } from '#server/feed/reader.ts';
import { feedTypes } from '#server/feed/types.ts';
import { tombstoneOf } from '#server/feed/write-feed.ts';
import { testDatabase } from '../../support/database.ts';
import type { TestDatabase } from '../../support/database.ts';
import { aCause, newId } from '../../support/make.ts';
import { aRandomScope } from '../../support/random-scope.ts';
import type { Chance } from '../../support/random-scope.ts';
import { aRandomWorld } from '../../support/random-world.ts';
import type { RandomWorld } from '../../support/random-world.ts';
import { NOW, Records } from '../../support/records.ts';

/** A mistake to be found: in what a write takes for the scope of a type, or in reading its rows. */
interface Mistake {
  readonly written: (scope: Scope) => Scope;
  readonly sides: (row: FeedRow) => readonly [before: ScopeFacts | null, after: ScopeFacts | null];
}

const NONE: Mistake = { written: (scope) => scope, sides: ({ before, after }) => [before, after] };

/** Rewrites every scope within `scope`, the innermost first. */
function rewritten(scope: Scope, change: (one: Scope) => Scope): Scope {
  if (scope.is === 'anyOf' || scope.is === 'allOf')
    return change({ ...scope, scopes: scope.scopes.map((one) => rewritten(one, change)) });
  if (scope.is === 'at' || scope.is === 'some')
    return change({ ...scope, scope: rewritten(scope.scope, change) });
  return change(scope);
}

const MISTAKES: Readonly<Record<string, Mistake>> = {
  'a path that is left out of what is stored': {
    ...NONE,
    written: (scope) => rewritten(scope, (one) => (one.is === 'at' ? nobody : one)),
  },
  'anyOf that is taken for allOf': {
    ...NONE,
    written: (scope) =>
      rewritten(scope, (one) => (one.is === 'anyOf' ? { ...one, is: 'allOf' } : one)),
  },
  'before and after the wrong way round': {
    ...NONE,
    sides: ({ before, after }) => [after, before],
  },
};

type Scopes = ReadonlyMap<TypeName, Scope>;

/** Does `work` while `scopes` say who sees records of their types. */
async function inScopes<T>(scopes: Scopes, work: () => Promise<T>): Promise<T> {
  // Some types share one object.
  const entries = [...scopes.keys()].map((type) => [type, access[type]] as const);
  for (const [type, read] of scopes) Object.assign(access, { [type]: { ...access[type], read } });
  try {
    return await work();
  } finally {
    for (const [type, entry] of entries) Object.assign(access, { [type]: entry });
  }
}

/** Of every record: which of the readers see it, and which have it in their feed. */
type Seen = ReadonlyMap<string, { readonly seen: boolean[]; readonly fed: boolean[] }>;

describe('who sees a record, by SQL, by the rules and by what is stored of it', () => {
  let base: TestDatabase;
  const count = { was: 0, is: 0, changed: 0, unsaid: 0, stones: new Set<boolean>() };
  before(async () => {
    base = await testDatabase();
  });

  function aReader(world: RandomWorld, chance: Chance): FeedViewer {
    const half = (type: TypeName) => new Set(world.ids(type).filter(() => chance(2) === 0));
    const viewer: Viewer = {
      id: world.ids('user')[chance(world.ids('user').length)] ?? '',
      isSuperAdmin: chance(4) === 0,
      memberOf: half('organization'),
      adminOf: half('organization'),
      builderIn: half('organization'),
      authorIn: half('organization'),
      groups: half('group'),
    };
    return feedViewerOf(viewer, world.ids('organization')[0] ?? null);
  }

  /** A random scope; sometimes one that members have beside it, as most types do. */
  function aScope(type: TypeName, chance: Chance): Scope {
    const scope = aRandomScope(type, chance);
    return chance(3) === 0 ? anyOf(superAdmin, belongingScope(type), scope) : scope;
  }

  const recordsOf = (type: TypeName, ids: readonly string[]): Promise<AnyRecord[]> =>
    base.db.read(async (tx) => {
      const found: AnyRecord[] = [];
      for (const id of ids) found.push(...[(await tx.one(type, id)) ?? []].flat());
      return found;
    });

  async function seenBySql(
    types: Iterable<TypeName>,
    ids: (type: TypeName) => string[],
    readers: readonly FeedViewer[],
  ): Promise<Seen> {
    const seen = new Map<string, { seen: boolean[]; fed: boolean[] }>();
    for (const type of types) {
      const columns = (of: (reader: FeedViewer) => unknown) =>
        sql`jsonb_build_array(${sql.join(readers.map(of))})`;
      const rows = await base.db.read((tx) =>
        tx.query<{ id: string; seen: boolean[]; fed: boolean[] }>(sql`
          select a.id, ${columns(({ viewer }) => visibleSql(type, 'a', viewer))} as seen,
            ${columns((reader) => inFeedSql(type, 'a', reader))} as fed
          from ${sql.table(tableOf(type))} as a where a.id = any(${ids(type)}::uuid[])`),
      );
      for (const { id, ...one } of rows) seen.set(`${type}/${id}`, one);
    }
    return seen;
  }

  /** Compares the rules with SQL, for all records as they are now. */
  async function compareWithRules(
    scopes: Scopes,
    ids: (type: TypeName) => string[],
    readers: readonly FeedViewer[],
    seen: Seen,
  ): Promise<void> {
    const find = new Records();
    for (const type of storedTypes)
      for (const record of await recordsOf(type, ids(type))) find.put(type, record as Of<TypeName>);
    for (const [type, scope] of scopes)
      for (const record of find.all(type, {}))
        for (const [n, { viewer }] of readers.entries()) {
          const bySql = seen.get(`${type}/${record.id}`)?.seen[n];
          const what = `disagree on ${type} in ${JSON.stringify(scope)}`;
          expect(inScope(scope, viewer, type, record, find), what).to.equal(bySql);
          expect(isAmong(viewer, audienceOf(scope, type, record, find)), what).to.equal(bySql);
        }
  }

  /** Changes, adds or removes something at random of what scopes read. */
  async function move(write: WriteTransaction, world: RandomWorld, added: Added, chance: Chance) {
    const one = <T>(among: readonly T[]): T => among[chance(among.length)] as T;
    const type = one(MOVED);
    const there = added.filter(([of]) => of === type).map(([, id]) => id);
    const record: AnyRecord | null = await write.one(
      type,
      one([...world.ids(type), ...there, newId()]),
    );
    if (record === null) return;
    const fields = Object.entries(CHANGES[type] ?? {});
    const how = chance(4);
    if (how === 0 && REMOVED.has(type)) await write.remove(type, record.id);
    else if (how === 1 && ADDED.has(type)) {
      const like: Record<string, unknown> = { id: newId() };
      for (const [field, { to }] of toOnesOf(type))
        like[field] = resourceOf(type).below.includes(field) ? one(world.ids(to)) : record[field];
      const where = Object.fromEntries(resourceOf(type).below.map((field) => [field, like[field]]));
      if ((await write.all(type, where)).length > 0) return;
      await write.insert(type, { ...record, ...like });
      added.push([type, like.id as string]);
    } else if (fields.length > 0) {
      const [field, values] = one(fields);
      const value = typeof values === 'string' ? one(world.ids(values)) : one(values);
      const next: Record<string, unknown> = { ...record, [field]: value };
      const { unique } = resourceOf(type);
      const same = Object.fromEntries((unique ?? ['id']).map((name) => [name, next[name]]));
      const others = await write.all(type, same);
      if (others.some(({ id: other }) => other !== record.id)) return;
      await write.change(type, record.id, { [field]: value });
    }
  }

  /** Compares what commit `n` stored with SQL before and after it. */
  async function compareWithRows(
    n: number,
    scopes: Scopes,
    readers: readonly FeedViewer[],
    [before, after]: readonly [Seen, Seen],
    mistake: Mistake,
  ): Promise<void> {
    const rows = await base.db.read((tx) =>
      tx.query(sql<FeedRow>`select * from feed where n = ${n} and kind <> 'viewer'`),
    );
    const said = new Map(rows.map((row) => [`${row.type}/${row.id}`, row]));
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const [type, id] = key.split('/') as [TypeName, string];
      const row = said.get(key);
      const [was, is] = row === undefined ? [null, null] : mistake.sides(row);
      const stone = await base.db.read((tx) => tombstoneOf(tx, type, id));
      for (const [r, reader] of readers.entries()) {
        const [wasFed, isFed] = [before, after].map((seen) => seen.get(key)?.fed[r] ?? false);
        const what = `disagree on ${type} in ${JSON.stringify(scopes.get(type))}`;
        if (row === undefined) {
          expect(isFed, `${what}, without a row`).to.equal(wasFed);
          count.unsaid += 1;
          continue;
        }
        expect(was !== null && inFeedAt(type, was, reader), `${what}, before`).to.equal(wasFed);
        expect(is !== null && inFeedAt(type, is, reader), `${what}, after`).to.equal(isFed);
        count.was += wasFed ? 1 : 0;
        count.is += isFed ? 1 : 0;
        count.changed += row.op === 'update' && wasFed !== isFed ? 1 : 0;
        if (row.op !== 'remove') continue;
        const couldSee = before.get(key)?.seen[r];
        expect(stone !== null && isAmong(reader.viewer, stone.audience), what).to.equal(couldSee);
        count.stones.add(couldSee === true);
      }
    }
  }

  /** Fails where one of the evaluations says something else than the others. */
  async function property(chance: Chance, roles: readonly Of<'role'>[], mistake: Mistake) {
    const world = aRandomWorld(chance, roles, newId);
    await base.db.write(aCause(), async (write) => {
      for (const [type, record] of world.inOrder) await write.insert(type, record as never);
    });
    const added: Added = [];
    const ids = (type: TypeName) => [
      ...world.ids(type),
      ...added.filter(([of]) => of === type).map(([, id]) => id),
    ];
    const readers = Array.from({ length: 4 }, () => aReader(world, chance));
    const types = [...MOVED, ...feedTypes.filter(() => chance(3) === 0)];
    const scopes = new Map([...new Set(types)].map((type) => [type, aScope(type, chance)]));
    const written = new Map([...scopes].map(([type, scope]) => [type, mistake.written(scope)]));
    const look = () => inScopes(scopes, () => seenBySql(scopes.keys(), ids, readers));

    let before = await look();
    await compareWithRules(scopes, ids, readers, before);
    for (let moves = 0; moves < 6; moves += 1) {
      const n = await inScopes(written, () =>
        base.db.write(aCause(), async (write) => {
          for (let more = chance(3); more >= 0; more -= 1) await move(write, world, added, chance);
          return write.n;
        }),
      );
      const after = await look();
      await inScopes(scopes, () => compareWithRows(n, scopes, readers, [before, after], mistake));
      before = after;
    }
    await compareWithRules(scopes, ids, readers, before);
  }

  async function tried(mistake: Mistake, numRuns: number) {
    const roles = await base.db.read((tx) => tx.all('role', {}));
    return fc.check(
      fc.asyncProperty(fc.gen(), (generate) =>
        property((most) => generate(fc.nat, { max: most - 1 }), roles, mistake),
      ),
      { seed: 20260131, numRuns, endOnFailure: true },
    );
  }

  it('is the same for any scope, before and after whatever is changed', async () => {
    const { failed, errorInstance } = await tried(NONE, 18);
    expect(failed, String(errorInstance)).to.equal(false);
    expect(Math.min(count.was, count.is, count.unsaid)).to.be.above(100);
    expect(count.changed).to.be.above(10);
    expect([...count.stones].sort()).to.deep.equal([false, true]);
  }).timeout(300_000);

  for (const [name, mistake] of Object.entries(MISTAKES))
    it(`would not be with ${name}`, async () => {
      const { failed, errorInstance } = await tried(mistake, 12);
      expect([failed, String(errorInstance)].join()).to.match(/^true,AssertionError: disagree on/);
    }).timeout(300_000);
});

type Added = [TypeName, string][];

/** What may become of which fields: the type whose records they may name, or these values. */
const CHANGES: Readonly<
  Partial<Record<TypeName, Readonly<Record<string, TypeName | readonly unknown[]>>>>
> = {
  user: { profileVisibility: [0, 1], isLocked: [true, false] },
  organization: { owner: 'user', publicByDefault: [true, false] },
  organizationMembership: { user: 'user', dateAccepted: [null, NOW] },
  groupMembership: { user: 'user' },
  author: { user: 'user' },
  project: {
    owner: 'user',
    isPublic: [true, false],
    dateArchived: [null, NOW],
    dateActive: [null, NOW],
  },
  projectImport: { owner: 'user' },
  reviewer: { project: 'project' },
  product: {
    datePublished: [null, NOW],
    workflowState: [null, 'Approval'],
    waitingFor: [null, 'owner'],
    assigned: 'user',
  },
  productBuild: { success: [null, true, false], startedBy: 'user' },
  userTask: { user: 'user', comment: [null, 'Well'] },
  notification: { user: 'user' },
};

const MOVED = Object.keys(CHANGES) as TypeName[];
const ADDED: ReadonlySet<TypeName> = new Set([
  'organizationMembership',
  'author',
  'reviewer',
  'notification',
]);
const REMOVED: ReadonlySet<TypeName> = new Set([
  ...ADDED,
  'groupMembership',
  'product',
  'userTask',
  'projectImport',
]);
