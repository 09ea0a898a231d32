import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { sql } from 'kysely';
import { resourceOf, storedTypes, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import { tableOf } from '#server/db/tables.ts';
import { callCells } from './strangers/calls.ts';
import { failedTwins, leaksIn, unlikeNowhere, WAYS } from './strangers/cell.ts';
import type { Cell } from './strangers/cell.ts';
import { bridgeCells, headerCells, listCells, pathCells, specialCells } from './strangers/lists.ts';
import { failedLiveTwins, liveCells, liveLeaks, spokenTypes } from './strangers/live.ts';
import { planting } from './strangers/planted.ts';
import { catalogueCells, mirrorCells, readingCells } from './strangers/reading.ts';
import { writingCells } from './strangers/writing.ts';
import { CATALOGUE_TYPES, makeWorld, privateTypes, PUBLIC_TYPES } from './strangers/world.ts';
import type { World } from './strangers/world.ts';

const WITHIN_MS = 120_000;

/** Types of which a leak is planted for feed and hub too. */
const LISTENED: readonly TypeName[] = ['group', 'project', 'author'];

/** Types with verbs that name a record; of the others every such write is 405 for everyone. */
const changedTypes = privateTypes.filter((type) =>
  resourceOf(type).verbs.some((verb) => verb === 'update' || verb === 'delete'),
);

const LIVE_WAYS = ['feed snapshot', 'feed since', 'hub changes', 'hub types', 'hub record'];
const EVERY_WAY = [...WAYS.filter((way) => way !== 'header'), ...LIVE_WAYS];

/** Types through which a public project could be written into, or read past. */
const AROUND_PUBLIC: readonly TypeName[] = [...PUBLIC_TYPES, 'user', 'author', 'reviewer', 'group'];

const groups: readonly (readonly [string, (world: World) => Cell[]])[] = [
  [
    'reads nothing of a closed organization by its id, and is told that it is not there',
    (world) => readingCells(world, world.lakeside, privateTypes),
  ],
  [
    'reads of an organization with a public project what is public alone',
    (world) => [
      ...readingCells(world, world.quayside, AROUND_PUBLIC),
      ...mirrorCells(world, world.quayside, privateTypes),
    ],
  ],
  [
    'finds nothing in lists, by filters or by sorting, not even by counting',
    (world) => [
      ...listCells(world, world.lakeside, privateTypes),
      ...specialCells(world, world.lakeside),
      ...headerCells(world, world.lakeside, privateTypes),
    ],
  ],
  [
    'learns nothing of what their own records point to, by including, filtering or sorting',
    (world) => bridgeCells(world, world.bridges),
  ],
  [
    'gets nothing along any path of includes from what they see, nor from what everyone sees',
    (world) => [
      ...pathCells(world, world.lakeside, [...privateTypes, ...CATALOGUE_TYPES]),
      ...catalogueCells(world, world.lakeside),
    ],
  ],
  ['gets nothing by calls that name a record', (world) => callCells(world, world.lakeside)],
  [
    'writes nothing of a closed organization, by address or operation, and nothing into their own from there',
    (world) => writingCells(world, world.lakeside, typeNames),
  ],
  [
    'writes nothing of, or into, a public project',
    (world) => writingCells(world, world.quayside, AROUND_PUBLIC),
  ],
];

describe('[Must show] a user of another organization, who holds every role there', () => {
  let world: World;
  let count = 0;
  let unentitled = 0;
  const cells = new Map<string, readonly Cell[]>();

  before(async function () {
    this.timeout(WITHIN_MS);
    world = await makeWorld();
    for (const [name, make] of groups) cells.set(name, make(world));
  });
  after(async function () {
    this.timeout(WITHIN_MS);
    await world.close();
  });

  /** One text for all that is in the tables of resources. */
  async function allRows(): Promise<string> {
    const hash = createHash('sha256');
    await world.server.parts.db.read(async (tx) => {
      for (const type of storedTypes) {
        const rows = await tx.query(sql`select * from ${sql.table(tableOf(type))} order by id`);
        hash.update(JSON.stringify(rows));
      }
    });
    return hash.digest('hex');
  }

  for (const [name] of groups) {
    it(name, async () => {
      const all = cells.get(name) ?? [];
      const before = await allRows();
      expect(await leaksIn(world, all)).to.deep.equal([]);
      expect(await allRows()).to.equal(before);
      expect(await unlikeNowhere(world, all)).to.deep.equal([]);
      expect(await failedTwins(world, all)).to.deep.equal([]);
      expect(await allRows()).to.equal(before);
      count += all.length;
      unentitled += all.filter(({ twin }) => 'nobody' in twin).length;
    }).timeout(WITHIN_MS);
  }

  it('hears nothing in the feed or on any channel, while members and super admins do', async () => {
    expect(await liveLeaks(world, spokenTypes)).to.deep.equal([]);
    expect(await failedLiveTwins(world, spokenTypes)).to.deep.equal([]);
    count += liveCells(world, spokenTypes);
  }).timeout(WITHIN_MS);

  it('would be caught: a type whose scope is set to everyone is found in every way in', async () => {
    const found = new Map<string, TypeName[]>();
    for (const type of privateTypes) {
      const few = fewOf([...cells.values()].flat(), type);
      const leaks = await planting(type, async () => [
        ...(await world.undoing(() => leaksIn(world, few))),
        ...(LISTENED.includes(type) ? await liveLeaks(world, [type]) : []),
      ]);
      for (const way of new Set(leaks.map((leak) => leak.split(':')[0] ?? '')))
        found.set(way, [...(found.get(way) ?? []), type]);
    }
    for (const way of EVERY_WAY) expect(found.get(way) ?? [], way).not.to.deep.equal([]);
    for (const way of ['get', 'get by operations'])
      expect(found.get(way), way).to.deep.equal(privateTypes);
    for (const way of ['write', 'write by operations'])
      expect(found.get(way), way).to.deep.equal(changedTypes);
    // People are listed by their memberships, whoever may read them.
    const listed = privateTypes.filter((type) => type !== 'user');
    for (const way of ['list', 'filter', 'sort'])
      expect(found.get(way), way).to.include.members(listed);
    for (const way of LIVE_WAYS) expect(found.get(way), way).to.have.members(LISTENED);
  }).timeout(WITHIN_MS);

  /** Some cells of every way in on what `type` keeps closed: the first and the last of each. */
  function fewOf(all: readonly Cell[], type: TypeName): Cell[] {
    return WAYS.flatMap((way) => {
      const some = all.filter((cell) => cell.type === type && cell.way === way);
      const most = { write: 12, 'write by operations': 30 }[way as string] ?? 2;
      return [...new Set([...some.slice(0, most), ...some.slice(-most)])];
    });
  }

  it('had this many chances', () => {
    const all = `${String(count)} cells`;
    process.stdout.write(`      ${all}, ${String(unentitled)} of which are open to nobody\n`);
    expect(count).to.be.greaterThan(4_000);
  });
});
