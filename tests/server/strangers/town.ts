import { sql } from 'kysely';
import { attributesOf, resourceOf, storedTypes } from '#schema/index.ts';
import type { Attribute } from '#schema/define.ts';
import type { TypeName } from '#schema/index.ts';
import type { WriteTransaction } from '#server/db/database.ts';
import type { TestServer } from '../../support/server.ts';
import { newId } from '../../support/make.ts';
import { draftOf, linksOf } from '../../support/sample.ts';
import { someone } from './person.ts';
import type { Someone } from './person.ts';
import { aMark, anInstant, anInt, Secrets } from './secrets.ts';

type Values = Readonly<Record<string, unknown>>;

/** Records that belong to nobody, and spare ones that nothing needs. */
export interface Catalogue {
  readonly ids: Readonly<Partial<Record<TypeName, string>>>;
  readonly spare: Readonly<Partial<Record<TypeName, string>>>;
  /** The records that every town has switched on and uses nowhere. */
  readonly other: Readonly<Record<'store' | 'productDefinition', string>>;
}

/** An organization with one record of every type that is stored. */
export interface Town {
  readonly name: string;
  readonly ids: Readonly<Record<TypeName, string>>;
  /** The records that can be removed: the record itself, or one like it that nothing needs. */
  readonly spare: Readonly<Partial<Record<TypeName, string>>>;
  readonly people: Readonly<Record<Name, Someone>>;
  readonly secrets: Secrets;
  /** A new record of `type`, valid here, by its fields; null for types that nobody creates. */
  draft(type: TypeName): Values | null;
}

type Name = 'admin' | 'owner' | 'author' | 'member' | 'loner';
const NAMES: readonly Name[] = ['admin', 'owner', 'author', 'member', 'loner'];

export interface Traits {
  readonly name: string;
  readonly isPublic: boolean;
  /** The member holds every role here and is in every group, and writes for the project. */
  readonly memberIsAll: boolean;
}

/** Values that are what they are because the rest hangs on them. */
const KEPT: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  project: ['dateArchived'],
  user: ['authId'],
  productTransition: ['dateTransition'],
};

/** A value in every field of `type` that can hold one, each of them a secret. */
export function marked(type: TypeName, town: string, secrets: Secrets): Values {
  const fields = attributesOf(type).filter(
    ([name, { isWriteOnly }]) => !isWriteOnly && KEPT[type]?.includes(name) !== true,
  );
  return Object.fromEntries(
    fields.flatMap(([name, attribute]) => {
      const made = valueOf(attribute, town);
      if (made === null) return [];
      secrets.add(made.secret, `${town} ${type}.${name}`);
      return [[name, made.value]];
    }),
  );
}

/** Returns a value; null for a field with too few values to tell one record from another. */
function valueOf({ kind }: Attribute, town: string): { value: unknown; secret: string } | null {
  const mark = aMark(town);
  const of = (value: unknown, secret = mark) => ({ value, secret });
  switch (kind) {
    case 'line':
    case 'text':
      return of(mark);
    case 'email':
      return of(`${mark}@contact.test`);
    case 'url':
      return of(`https://${mark}.test/`);
    case 'json':
      return of(JSON.stringify({ environment: { [mark]: mark } }));
    case 'list':
      return of([mark]);
    case 'map':
      return of({ [mark]: mark });
    case 'int': {
      const value = anInt();
      return of(value, String(value));
    }
    case 'instant': {
      const value = anInstant();
      return of(value, value);
    }
    case 'uuid': {
      const value = newId();
      return of(value, value);
    }
    case 'bool':
    case 'choice':
      return null;
  }
}

const SCHEME = 'AppBuilders_Default_Html_Cloud';

export async function makeCatalogue(write: WriteTransaction): Promise<Catalogue> {
  const one = async (name: string) => {
    const [applicationType, storeType, storeLanguage, store] = [newId(), newId(), newId(), newId()];
    const [workflowDefinition, productDefinition] = [newId(), newId()];
    await write.insert('applicationType', { id: applicationType, name });
    await write.insert('storeType', { id: storeType, name });
    await write.insert('storeLanguage', { id: storeLanguage, name, storeType });
    await write.insert('store', { id: store, name, storeType });
    const workflow = { id: workflowDefinition, name, storeType, workflowScheme: SCHEME };
    await write.insert('workflowDefinition', { ...workflow, type: 1 });
    await write.insert('productDefinition', {
      id: productDefinition,
      name,
      type: applicationType,
      workflow: workflowDefinition,
      rebuildWorkflow: workflowDefinition,
      republishWorkflow: workflowDefinition,
    });
    const [role] = await write.all('role', { roleName: 'Author' });
    return {
      role: role?.id ?? '',
      applicationType,
      storeType,
      storeLanguage,
      store,
      workflowDefinition,
      productDefinition,
    };
  };
  const ids = await one('strangers in use');
  const loose = await one('strangers spare');
  // Nothing that needs something else can be spared with it.
  const alone = { storeType: newId(), workflowDefinition: newId() };
  await write.insert('storeType', { id: alone.storeType, name: 'strangers alone' });
  await write.insert('workflowDefinition', { id: alone.workflowDefinition, name: 'x', type: 1 });
  return { ids, spare: { ...loose, ...alone }, other: await one('strangers other') };
}

/** Signs its people in and writes all that is in it. */
export async function makeTown(
  server: TestServer,
  catalogue: Catalogue,
  { name, isPublic, memberIsAll }: Traits,
): Promise<Town> {
  const secrets = new Secrets();
  const signIn = async (who: Name) => {
    const mark = aMark(name);
    secrets.add(mark, `${name} sign-in of the ${who}`);
    return [who, await someone(server, `${who} of ${name}`, mark)] as const;
  };
  const people = Object.fromEntries(await Promise.all(NAMES.map(signIn))) as Town['people'];
  const ids = Object.fromEntries(storedTypes.map((type) => [type, newId()])) as Town['ids'];
  const of = (who: Name) => people[who].id;
  const all: Town['ids'] = { ...ids, ...catalogue.ids, user: of('member') };
  const spare = { organization: newId(), group: newId() };
  const { parts: services } = server;
  const cause = { at: services.clock(), by: null, changes: [] };

  await services.db.write(cause, async (w) => {
    const placed = new Set<TypeName>(['user']);
    const put = (type: TypeName, id: string, fields: Values) => {
      placed.add(type);
      secrets.add(id, `${name} ${type}.id`);
      return w.insert(type, { id, ...marked(type, name, secrets), ...fields });
    };
    for (const who of NAMES) {
      secrets.add(of(who), `${name} user.id of the ${who}`);
      await w.change('user', of(who), marked('user', name, secrets));
    }
    const { organization, group, project, product, productBuild } = all;
    await put('organization', organization, { owner: of('admin') });
    await put('organization', spare.organization, { owner: of('admin') });
    await put('group', group, { owner: organization });
    await put('group', spare.group, { owner: organization });
    for (const who of ['admin', 'owner', 'author', 'member'] as const) {
      const id = who === 'member' ? all.organizationMembership : newId();
      const addedBy = of('admin');
      await put('organizationMembership', id, { user: of(who), organization, addedBy });
    }
    const give = async (
      who: Name,
      roleName: 'OrganizationAdmin' | 'AppBuilder' | 'Author',
      id = newId(),
    ) => {
      const [role] = await w.all('role', { roleName });
      await put('userRole', id, { user: of(who), role: role?.id, roleName, organization });
    };
    await give('admin', 'OrganizationAdmin');
    await give('owner', 'AppBuilder');
    await give('author', 'Author');
    await give('member', 'Author', all.userRole);
    if (memberIsAll)
      for (const role of ['OrganizationAdmin', 'AppBuilder'] as const) await give('member', role);
    for (const who of ['admin', 'owner', 'author', 'member'] as const)
      await put('groupMembership', newId(), { user: of(who), group });
    await put('groupMembership', all.groupMembership, { user: of('member'), group: spare.group });

    const { applicationType: type, store, productDefinition, storeLanguage } = all;
    const productWorkflow = all.workflowDefinition;
    await put('organizationMembershipInvite', all.organizationMembershipInvite, {
      organization,
      invitedBy: of('admin'),
    });
    await put('organizationStore', all.organizationStore, { organization, store });
    const enabled = all.organizationProductDefinition;
    await put('organizationProductDefinition', enabled, { organization, productDefinition });
    const { other } = catalogue;
    await put('organizationStore', newId(), { organization, store: other.store });
    const otherDefinition = { organization, productDefinition: other.productDefinition };
    await put('organizationProductDefinition', newId(), otherDefinition);
    const place = { organization, group, type };
    await put('project', project, { ...place, owner: of('owner'), isPublic });
    await put('projectImport', all.projectImport, { ...place, owner: of('admin') });
    await put('reviewer', all.reviewer, { project });
    await put('author', all.author, { user: of('member'), project });
    const made = { productDefinition, store, storeLanguage, productWorkflow };
    // A running workflow has to be at a step that exists; a public one keeps a secret there.
    const step = isPublic ? {} : { workflowState: 'Author Download' };
    await put('product', product, { project, ...made, ...step, assigned: of('owner') });
    if (!isPublic)
      await w.query(sql`insert into running_workflows (product_id, scheme, flags)
        values (${product}, ${SCHEME}, '{}')`);
    await put('productBuild', productBuild, { product, startedBy: of('owner') });
    await put('productArtifact', all.productArtifact, { product, productBuild });
    // The newest successful publication is in everyone's working set.
    const publication = { product, productBuild, success: true };
    await put('productPublication', all.productPublication, publication);
    await put('productTransition', all.productTransition, { product, transitionType: 1 });
    const task = { user: of('member'), assigned: of('member'), commands: ['Continue'] };
    await put('userTask', all.userTask, { product, ...task });
    await put('notification', all.notification, { user: of('member') });
    const view = { list: 'own', isShared: true, organization, owner: of('member') };
    await put('savedView', all.savedView, view);
    for (const type of storedTypes)
      if (!placed.has(type) && catalogue.ids[type] === undefined)
        await put(
          type,
          all[type],
          linksOf(type, (to) => (to === 'user' ? of('member') : all[to])),
        );
  });

  return {
    name,
    ids: all,
    spare: { ...all, ...catalogue.spare, ...spare },
    people,
    secrets,
    draft: (type) => draftIn(type, { ...all, spareGroup: spare.group }, catalogue, people),
  };
}

/** Whose new record it is: nobody twice. */
const NEWCOMERS: Readonly<Partial<Record<TypeName, Name>>> = {
  organization: 'admin',
  organizationMembership: 'loner',
  author: 'author',
};

function draftIn(
  type: TypeName,
  ids: Town['ids'] & { readonly spareGroup: string },
  { spare, other }: Catalogue,
  people: Town['people'],
): Values | null {
  const { verbs, isCreatedByCall } = resourceOf(type);
  if (!verbs.includes('create') || isCreatedByCall) return null;
  // A product is of what the town has switched on, and that is switched on once.
  const unused: Readonly<Partial<Record<TypeName, string>>> = type === 'product' ? other : spare;
  return draftOf(type, (to) => {
    if (to === 'user') return people[NEWCOMERS[type] ?? 'owner'].id;
    if (to === 'group' && type === 'groupMembership') return ids.spareGroup;
    return (to === 'store' || to === 'productDefinition' ? unused[to] : null) ?? ids[to];
  });
}
