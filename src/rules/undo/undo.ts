import { resourceOf, typeNames } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { Find } from '../find.ts';
import type { Uses } from './in-use.ts';

/** A record that was made below another. */
export interface Child {
  readonly type: TypeName;
  readonly id: string;
}

/** The records that were built upon a record since it was made. */
export interface BuiltUpon {
  /** Work that counts whoever did it: builds, publications, commands of people, products. */
  readonly work: Uses;
  /** Records that people made below it; those of the person who takes it back do not count. */
  readonly children: readonly Child[];
}

type Looks<T extends TypeName> = (record: Of<T>, find: Find) => BuiltUpon;

/** A person moved the workflow: an activity, a cancellation, or the start of a rebuild or republish. */
function isCommand(transition: Of<'productTransition'>): boolean {
  const { transitionType, workflowType, dateTransition, workflowUserId } = transition;
  if (dateTransition === null || workflowUserId === null) return false;
  const isRestart = transitionType === 2 && workflowType !== 1;
  return isRestart || transitionType === 1 || transitionType === 4;
}

const builtUponProduct: Looks<'product'> = ({ id, dateBuilt, datePublished }, find) => {
  const ofProduct = { product: id } as const;
  // A device may hold no build or publication of a product whose dates say that there are some.
  const builds = Math.max(find.all('productBuild', ofProduct).length, Number(dateBuilt !== null));
  const publications = Math.max(
    find.all('productPublication', ofProduct).length,
    Number(datePublished !== null),
  );
  const commands = find.all('productTransition', ofProduct).filter(isCommand).length;
  return {
    work: {
      productBuild: builds,
      productPublication: publications,
      productTransition: commands,
    },
    children: childrenOf('product', id, find),
  };
};

const builtUponProject: Looks<'project'> = ({ id }, find) => ({
  work: { product: find.all('product', { project: id }).length },
  children: childrenOf('project', id, find).filter(({ type }) => type !== 'product'),
});

const builtUponMembership: Looks<'organizationMembership'> = ({ user, organization }, find) => ({
  work: {},
  children: [
    ...find.all('userRole', { user, organization }).map(({ id }) => child('userRole', id)),
    ...find
      .all('groupMembership', { user })
      .filter(({ group }) => find.one('group', group)?.owner === organization)
      .map(({ id }) => child('groupMembership', id)),
    ...find
      .all('author', { user })
      .filter(({ project }) => find.one('project', project)?.organization === organization)
      .map(({ id }) => child('author', id)),
  ],
});

const builtUponGroupMembership: Looks<'groupMembership'> = ({ user, group }, find) => ({
  work: {},
  children: find
    .all('author', { user })
    .filter(({ project }) => find.one('project', project)?.group === group)
    .map(({ id }) => child('author', id)),
});

/** Types upon which more is built than what stands below them in the schema. */
const looks: { readonly [T in TypeName]?: Looks<T> } = {
  product: builtUponProduct,
  project: builtUponProject,
  organizationMembership: builtUponMembership,
  groupMembership: builtUponGroupMembership,
};

const child = (type: TypeName, id: string): Child => ({ type, id });

/** Lists what people can make below a record of `type` (wire 16.1). */
function childrenOf(type: TypeName, id: string, find: Find): Child[] {
  return typeNames.flatMap((name) => {
    const { below, fields, verbs, isStored } = resourceOf(name);
    if (!isStored || !verbs.includes('create')) return [];
    return below.flatMap((field) => {
      const link = fields[field];
      if (link?.is !== 'one' || link.to !== type) return [];
      return find.all(name, { [field]: id }).map((record) => child(name, (record as AnyRecord).id));
    });
  });
}

/** Looks for what was built upon `record`; a device sees of it what it holds. */
export function builtUpon<T extends TypeName>(type: T, record: Of<T>, find: Find): BuiltUpon {
  const look = looks[type];
  if (look !== undefined) return look(record, find);
  return { work: {}, children: childrenOf(type, (record as AnyRecord).id, find) };
}

/**
 * Counts by type what was built upon a record and so forbids to undo its creation (wire 8.1,
 * screens 1.6); null: nothing was.
 *
 * @param isOwn whether the person who undoes it made that child
 */
export function refusesUndo(
  { work, children }: BuiltUpon,
  isOwn: (child: Child) => boolean,
): Uses | null {
  const counts: Partial<Record<TypeName, number>> = { ...work };
  for (const one of children) if (!isOwn(one)) counts[one.type] = (counts[one.type] ?? 0) + 1;
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return found.length === 0 ? null : Object.fromEntries(found);
}
