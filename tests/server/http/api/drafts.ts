import { resourceOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { resourceObject } from '../../../support/resource-object.ts';
import { draftOf } from '../../../support/sample.ts';
import type { Name, World } from './world.ts';

/** Types whose new record cannot be had here: a workflow has to run, or a job answers. */
const NOT_ALONE: ReadonlySet<TypeName> = new Set([
  'product',
  'projectImport',
  'productActionRun',
  'taskCommand',
]);

const INTO_HARBOR: ReadonlySet<TypeName> = new Set([
  'organizationStore',
  'organizationProductDefinition',
]);
/** Whoever is not a member yet, and whoever may be an author. */
const NEWCOMERS: Readonly<Partial<Record<TypeName, Name>>> = {
  organizationMembership: 'stranger',
  author: 'author',
};

/** Types of which a client can create a record here. */
export const createdTypes = typeNames.filter((type) => {
  const { verbs, isCreatedByCall } = resourceOf(type);
  return verbs.includes('create') && !isCreatedByCall && !NOT_ALONE.has(type);
});

/** Fields of a new record, in Lakeside but for what is there already and may exist once. */
export async function draftIn({ people, ids }: World, type: TypeName, tx: DatabaseTransaction) {
  const [role] = await tx.all('role', { roleName: 'AppBuilder' });
  const links: Partial<Record<TypeName, string>> = {
    user: people[NEWCOMERS[type] ?? 'member'].id,
    role: role?.id ?? '',
    organization: INTO_HARBOR.has(type) ? ids.harbor : ids.lakeside,
    group: type === 'groupMembership' ? ids.south : ids.north,
    applicationType: ids.bookapp,
    storeType: ids.storeType,
    store: ids.store,
    workflowDefinition: ids.workflow,
    productDefinition: ids.definition,
    product: ids.product,
    project: type === 'author' ? ids.public : ids.project,
  };
  return draftOf(type, (to) => links[to] ?? '');
}

/** A document of such a record. */
export async function documentOf(world: World, type: TypeName, id: string) {
  const draft = await world.server.parts.db.read((tx) => draftIn(world, type, tx));
  return { data: resourceObject(type, id, draft) };
}
