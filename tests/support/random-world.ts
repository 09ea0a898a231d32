import type { Find } from '#rules/find.ts';
import { attributesOf, resourceOf, storedTypes } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import { NOW, recordOf, Records } from './records.ts';
import { sampleOf } from './sample.ts';

/** A whole number from 0 up to, not including, `most`. */
type Chance = (most: number) => number;

type Sown = readonly [type: TypeName, record: Readonly<Record<string, unknown>>];

export interface RandomWorld {
  readonly find: Find;
  /** What a database is given, parents before children. */
  readonly inOrder: readonly Sown[];
  ids(type: TypeName): string[];
}

/**
 * A few organizations with people, projects and everything below them, joined by `chance`. It keeps
 * to what the database demands and is otherwise as strange as it can be: owners who belong nowhere,
 * roles without membership, authors without the role.
 */
export function aRandomWorld(
  chance: Chance,
  roles: readonly Of<'role'>[],
  newId: () => string,
): RandomWorld {
  const find = new Records();
  const inOrder: Sown[] = [];
  const kept = new Set<string>();
  const ids = new Map<TypeName, string[]>();
  roles.forEach((role) => find.put('role', role));

  /** Adds a record, unless one like it may exist once and does. */
  function sow<T extends TypeName>(type: T, fields: Partial<Of<T>>): Of<T> | null {
    const record = recordOf(type, { id: newId(), ...fields });
    const { unique } = resourceOf(type);
    const key = unique?.map((field) => String((record as Record<string, unknown>)[field])).join();
    if (key !== undefined && kept.has(`${type} ${key}`)) return null;
    if (key !== undefined) kept.add(`${type} ${key}`);
    find.put(type, record);
    inOrder.push([type, insertable(type, record)]);
    ids.set(type, [...(ids.get(type) ?? []), record.id]);
    return record;
  }
  const several = <T>(count: number, make: () => T | null): T[] =>
    Array.from({ length: count }, make).filter((made) => made !== null);
  const any = <T>(among: readonly T[]): T => among[chance(among.length)] as T;
  const maybe = <T>(among: readonly T[]): T | null => (chance(3) === 0 ? null : any(among));
  const yes = () => chance(2) === 0;

  const users = several(6, () => sow('user', { profileVisibility: yes() ? 1 : 0 }));
  const organizations = several(3, () => sow('organization', { owner: any(users).id }));
  const groups = several(5, () =>
    sow('group', { owner: any(organizations).id, abbreviation: 'G' }),
  );
  several(10, () =>
    sow('organizationMembership', {
      user: any(users).id,
      organization: any(organizations).id,
      dateAccepted: chance(4) === 0 ? null : NOW,
    }),
  );
  several(8, () => sow('groupMembership', { user: any(users).id, group: any(groups).id }));
  several(14, () => {
    const { id: role, roleName } = any(roles);
    const organization = roleName === 'SuperAdmin' ? null : any(organizations).id;
    // A super admin in every world would leave little hidden.
    if (roleName === 'SuperAdmin' && chance(4) > 0) return null;
    return sow('userRole', { user: any(users).id, role, roleName, organization });
  });

  several(2, () =>
    sow('organizationMembershipInvite', {
      email: 'a@b.test',
      organization: any(organizations).id,
      invitedBy: any(users).id,
    }),
  );
  const kind = several(1, () => sow('applicationType', {}));
  const storeTypes = several(1, () => sow('storeType', {}));
  several(2, () => sow('store', { storeType: any(storeTypes).id }));
  const workflows = several(1, () => sow('workflowDefinition', { type: 1 }));
  const definitions = several(3, () =>
    sow('productDefinition', { type: any(kind).id, workflow: any(workflows).id }),
  );

  const place = () => {
    const group = any(groups);
    return { group: group.id, organization: group.owner, type: any(kind).id };
  };
  const projects = several(5, () =>
    sow('project', {
      ...place(),
      language: 'en',
      owner: maybe(users)?.id ?? null,
      isPublic: yes(),
      dateArchived: chance(3) === 0 ? '2026-01-31T09:30:00.000Z' : null,
    }),
  );
  several(2, () => sow('projectImport', { ...place(), owner: any(users).id, importData: '{}' }));
  several(6, () => sow('author', { user: any(users).id, project: any(projects).id }));
  const products = several(5, () =>
    sow('product', { project: any(projects).id, productDefinition: any(definitions).id }),
  );
  for (const { id: product } of products) {
    const build = sow('productBuild', { product });
    const productBuild = build?.id ?? null;
    sow('productArtifact', { product, productBuild });
    sow('productPublication', { product, productBuild });
    sow('productTransition', { product, transitionType: 1 });
    sow('userTask', { product, user: any(users).id });
  }
  for (const type of storedTypes)
    if (!ids.has(type) && type !== 'role')
      several(3, () => sow(type, sampleOf(type, (to) => any(ids.get(to) ?? [])) as never));

  return { find, inOrder, ids: (type) => ids.get(type) ?? [...roleIds(type, roles)] };
}

const roleIds = (type: TypeName, roles: readonly Of<'role'>[]) =>
  type === 'role' ? roles.map(({ id }) => id) : [];

/** What an insert takes: no secret, nothing that the database sets. */
function insertable(type: TypeName, record: object): Readonly<Record<string, unknown>> {
  const left = new Set(['version', 'dateCreated', 'dateUpdated']);
  for (const [name, { isWriteOnly }] of attributesOf(type)) if (isWriteOnly) left.add(name);
  return Object.fromEntries(Object.entries(record).filter(([name]) => !left.has(name)));
}
