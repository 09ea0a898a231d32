import { expect } from 'chai';
import { attributesOf, typeNames } from '#schema/index.ts';
import { setUp } from '../files/house.ts';
import { makeWorld, START_WITHIN_MS } from './world.ts';
import type { World } from './world.ts';

/** At and beyond the ends of whole numbers of 32 and 64 bits, and of those that are exact here. */
const NUMBERS = [
  '-1',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '1e21',
  '-9223372036854775809',
  `1${'0'.repeat(400)}`,
] as const;

describe('a number at the end of what is counted', () => {
  let world: World;
  before(async function () {
    this.timeout(START_WITHIN_MS);
    world = await makeWorld();
  });

  const refusedOrEmpty = async (path: string) => {
    const reply = await world.people.builder.get(path);
    if (reply.status === 200) expect(reply.many, path).to.deep.equal([]);
    else expect(reply.status, path).to.be.within(400, 404);
  };

  it('is set by the server alone: no field that a person may set is one', () => {
    const settable = typeNames.flatMap((type) =>
      attributesOf(type)
        .filter(([, { kind, write }]) => kind === 'int' && write !== 'server')
        .map(([name]) => `${type}.${name}`),
    );
    expect(settable).to.deep.equal([]);
  });

  it('is refused as the number of a page, or leads to an empty one', async () => {
    for (const number of NUMBERS) {
      await refusedOrEmpty(`/api/projects?page[size]=10&page[number]=${number}`);
      await refusedOrEmpty(`/api/projects?page[limit]=10&page[offset]=${number}`);
    }
  });

  it('makes no page larger than the largest', async () => {
    for (const number of NUMBERS)
      for (const path of [`page[size]=${number}&page[number]=1`, `page[limit]=${number}`]) {
        const { status, many } = await world.people.builder.get(`/api/projects?${path}`);
        if (status === 200) expect(many.length, path).to.be.at.most(500);
        else expect(status, path).to.equal(400);
      }
  });

  it('is compared as the number that it is, or refused', async () => {
    for (const number of NUMBERS.filter((each) => !each.startsWith('-')))
      await refusedOrEmpty(`/api/product-artifacts?filter[file-size]=gt:${number}`);
  });

  it('is the number of no upload', async () => {
    await setUp(world, world.ids.project);
    for (const number of NUMBERS) {
      const path = `/api/projects/${world.ids.project}/repository/uploads/${number}/link`;
      expect((await world.people.builder.get(path)).status, path).to.equal(404);
    }
  });
});
