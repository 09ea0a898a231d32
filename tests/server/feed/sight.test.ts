import { expect } from 'chai';
import type { RoleName } from '#schema/role.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import { makeWorld } from '../http/api/world.ts';
import type { Name, World } from '../http/api/world.ts';
import { Copy, parentKeys } from './copy.ts';

const READERS: readonly Name[] = [
  'super',
  'admin',
  'builder',
  'author',
  'member',
  'stranger',
  'nobody',
];

/** Chance that is the same in every run. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

type Edit = (w: WriteTransaction, world: World, roll: (below: number) => number) => Promise<void>;

const pick = <T>(all: readonly T[], roll: (below: number) => number): T | undefined =>
  all[roll(all.length)];

/** Makes the record, or removes the one that is there. */
async function toggle(
  w: WriteTransaction,
  world: World,
  type: 'organizationMembership' | 'groupMembership' | 'author' | 'userRole',
  fields: Record<string, unknown>,
): Promise<void> {
  const [held] = await w.all(type as 'author', fields);
  if (held !== undefined) await w.remove(type, held.id);
  else if (type === 'organizationMembership')
    await w.insert(type, { id: world.id(), ...fields, dateAccepted: null });
  else if (type !== 'userRole') await w.insert(type, { id: world.id(), ...fields });
  else {
    const [role] = await w.all('role', { roleName: fields.roleName as RoleName });
    await w.insert(type, { id: world.id(), role: role?.id ?? '', ...fields });
  }
}

const EDITS: readonly Edit[] = [
  (w, world, roll) =>
    toggle(w, world, 'organizationMembership', {
      user: world.people[pick(READERS, roll) ?? 'member'].id,
      organization: pick([world.ids.lakeside, world.ids.harbor], roll),
    }),
  async (w, world, roll) => {
    const user = world.people[pick(READERS, roll) ?? 'member'].id;
    for (const { id, dateAccepted } of await w.all('organizationMembership', { user }))
      await w.change('organizationMembership', id, {
        dateAccepted: dateAccepted === null ? '2026-01-31T09:30:00.000Z' : null,
      });
  },
  (w, world, roll) =>
    toggle(w, world, 'userRole', {
      user: world.people[pick(READERS, roll) ?? 'member'].id,
      organization: pick([world.ids.lakeside, world.ids.harbor], roll),
      roleName: pick(['OrganizationAdmin', 'AppBuilder', 'Author'], roll),
    }),
  (w, world, roll) =>
    toggle(w, world, 'groupMembership', {
      user: world.people[pick(READERS, roll) ?? 'member'].id,
      group: pick([world.ids.north, world.ids.south, world.ids.pier], roll),
    }),
  (w, world, roll) =>
    toggle(w, world, 'author', {
      user: world.people[pick(READERS, roll) ?? 'member'].id,
      project: pick([world.ids.project, world.ids.public, world.ids.pierProject], roll),
    }),
  (w, world, roll) =>
    w.change('project', pick([world.ids.project, world.ids.public], roll) ?? '', {
      isPublic: roll(2) === 0,
      owner: world.people[pick(READERS, roll) ?? 'member'].id,
      group: pick([world.ids.north, world.ids.south], roll) ?? world.ids.north,
    }),
  (w, world, roll) =>
    w.change('user', world.people[pick(READERS, roll) ?? 'member'].id, {
      profileVisibility: roll(2) === 0 ? 0 : 1,
      phone: String(roll(1_000)),
    }),
  async (w, world, roll) => {
    const held = await w.all('reviewer', { project: world.ids.project });
    const one = pick(held, roll);
    if (one !== undefined && roll(2) === 0) await w.remove('reviewer', one.id);
    else
      await w.insert('reviewer', {
        id: world.id(),
        name: 'Rose',
        email: 'rose@x.test',
        locale: 'en-US',
        project: pick([world.ids.project, world.ids.pierProject], roll) ?? '',
      });
  },
  async (w, world, roll) => {
    const { project, pierProject, definition } = world.ids;
    const on = pick([project, pierProject], roll) ?? project;
    const [held] = await w.all('product', { project: on, productDefinition: definition });
    if (held !== undefined) await w.remove('product', held.id);
    else await w.insert('product', { id: world.id(), project: on, productDefinition: definition });
  },
  (w, world, roll) =>
    w.insert('notification', {
      id: world.id(),
      user: world.people[pick(READERS, roll) ?? 'member'].id,
      message: 'Hello',
    }),
];

describe('[wire 9] a copy that is kept by the feed', () => {
  for (const seed of [1, 2, 3]) {
    it(`has what a fresh snapshot has, after whatever changed (seed ${String(seed)})`, async () => {
      const world = await makeWorld();
      const roll = dice(seed);
      const copies = READERS.map((name) => ({
        name,
        copy: new Copy(world.people[name], 1 + roll(12)),
      }));
      copies.push({
        name: 'super',
        copy: new Copy(world.people.super, 7, { Organization: world.ids.lakeside }),
      });
      for (const { copy } of copies) await copy.catchUp();

      for (let round = 0; round < 8; round += 1) {
        const edits = Array.from({ length: 1 + roll(4) }, () => pick(EDITS, roll));
        for (const edit of edits)
          await world.write((w) => edit?.(w, world, roll) ?? Promise.resolve());
        // Some fall behind, and catch up with several commits at once.
        for (const { copy } of copies) if (roll(3) > 0) await copy.catchUp();
      }

      for (const [n, { name, copy }] of copies.entries()) {
        await copy.catchUp();
        const headers: Record<string, string> =
          n === READERS.length ? { Organization: world.ids.lakeside } : {};
        const fresh = await new Copy(world.people[name], 1_000, headers).catchUp();
        expect(copy.first, `the copy of ${name}, ${String(n)}`).to.deep.equal(fresh.first);
      }
    });
  }

  for (const limit of [1_000, 1]) {
    it(`hears what went while it could not be seen, ${String(limit)} at a time`, async () => {
      const world = await makeWorld();
      const membership = { user: world.people.member.id, organization: world.ids.lakeside };
      const other = { user: world.people.author.id, organization: world.ids.lakeside };
      const copy = await new Copy(world.people.member, limit).catchUp();
      const turn = (fields: typeof other) =>
        world.write((w) => toggle(w, world, 'organizationMembership', fields));
      await turn(membership);
      await turn(other);
      await turn(membership);
      await copy.catchUp();
      const fresh = await new Copy(world.people.member).catchUp();
      expect(copy.first).to.deep.equal(fresh.first);
    });
  }

  it('never names a record twice in one answer, and parents before what is below them', async () => {
    const world = await makeWorld();
    const copy = await new Copy(world.people.member, 40).catchUp();
    await world.write(async (w) => {
      await w.change('product', world.ids.product, { workflowState: 'Approval' });
    });
    await world.write(async (w) => {
      await w.change('project', world.ids.project, { description: 'later than its product' });
      await w.change('product', world.ids.product, { workflowState: 'Publishing' });
    });
    await copy.catchUp();

    for (const { operations } of copy.documents) {
      const keys = operations.map((operation) =>
        operation.op === 'remove'
          ? `${operation.ref.type}/${operation.ref.id}`
          : `${operation.data.type}/${operation.data.id}`,
      );
      expect(new Set(keys).size).to.equal(keys.length);
      for (const [n, operation] of operations.entries()) {
        if (operation.op === 'remove') continue;
        for (const parent of parentKeys(operation.data))
          expect(keys.indexOf(parent)).to.be.below(n);
      }
    }
    expect(copy.documents.at(-1)?.operations.map(({ op }) => op)).to.deep.equal([
      'update',
      'update',
    ]);
  });
});
