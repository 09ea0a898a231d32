import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import type { EngineCheck } from '#protocol/paths.ts';
import { attributesOf } from '#schema/index.ts';
import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import type { OnlineResult } from '../model/views.ts';
import { removeForNow } from './removing.ts';

type Organization = Of<'organization'>;

/** Takes back what was just done. */
type Undo = () => Promise<unknown>;

/**
 * Sets fields of an organization, once that is durable here.
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function editOrganization(
  data: Data,
  { id, name }: Organization,
  fields: Partial<Organization>,
): Promise<void> {
  await data.edit('organization', id, fields, ['changes.organization.edit', { name: name ?? '' }]);
}

/**
 * Creates an organization whose owner a super admin names. Returns its id once that is durable
 * here; throws as `editOrganization`.
 */
export async function addOrganization(data: Data, fields: Partial<Organization>): Promise<string> {
  const name = (fields.name ?? '').trim();
  return data.add('organization', fields, ['changes.organization.add', { name }]);
}

/** Removes an organization that has no projects. Throws as `editOrganization`. */
export async function removeOrganization(data: Data, { id, name }: Organization): Promise<void> {
  await data.remove('organization', id, ['changes.organization.remove', { name: name ?? '' }]);
}

/**
 * Sets fields of an organization together with the access token of its build engine, which is not
 * kept on the device; '' clears it. Returns what sends it: however often that is called, it is done
 * once.
 *
 * @param id null: a new organization
 */
export function sendWithToken(
  data: Data,
  id: string | null,
  fields: Partial<Organization>,
  token: string,
): () => Promise<OnlineResult<unknown>> {
  const type = 'organization';
  const { owner, ...rest } = fields;
  const known = new Set(attributesOf(type).map(([name]) => name));
  const attributes: Readonly<Record<string, unknown>> = Object.fromEntries(
    Object.entries(rest)
      .filter(([name]) => known.has(name))
      .map(([name, value]) => [wireFieldOf(type, name), value]),
  );
  const resource = {
    type: wireTypeOf(type),
    ...(id === null ? {} : { id }),
    attributes: {
      ...attributes,
      [wireFieldOf(type, 'buildEngineApiAccessToken')]: token === '' ? null : token,
    },
    ...(owner === undefined
      ? {}
      : {
          relationships: {
            [wireFieldOf(type, 'owner')]: { data: { type: wireTypeOf('user'), id: owner } },
          },
        }),
  };
  return id === null
    ? data.online.command(paths.list(type), { data: resource })
    : data.online.command(paths.record(type, id), { data: resource }, 'PATCH');
}

/**
 * Tries whether a build engine answers; nothing is stored (wire 11.9).
 *
 * @param url null: the stored one
 * @param token null: the stored one, which goes to the stored address alone
 */
export async function checkBuildEngine(
  data: Data,
  organization: string,
  url: string | null,
  token: string | null,
): Promise<OnlineResult<EngineCheck>> {
  const answer = await data.online.query(paths.checkEngine(organization), { url, token });
  return answer.is === 'told' ? { ...answer, value: answer.value as EngineCheck } : answer;
}

/** Switches a product definition on for an organization; throws as `editOrganization`. */
export async function switchDefinitionOn(
  data: Data,
  organization: string,
  productDefinition: string,
): Promise<Undo> {
  const type = 'organizationProductDefinition';
  const says = switchingNames(data, organization, productDefinition);
  const id = await data.add(type, { organization, productDefinition }, [
    'changes.definition.on',
    says,
  ]);
  return async () => {
    const held = data.find.one(type, id);
    if (held !== null) await switchDefinitionOff(data, held);
  };
}

/** Switches a product definition off; products that there are stay. Throws as `editOrganization`. */
export async function switchDefinitionOff(
  data: Data,
  { id, organization, productDefinition }: Of<'organizationProductDefinition'>,
): Promise<Undo> {
  const says = switchingNames(data, organization, productDefinition);
  return removeForNow(
    data,
    { type: 'organizationProductDefinition', id },
    ['changes.definition.off', says],
    () => switchDefinitionOn(data, organization, productDefinition),
  );
}

const switchingNames = (data: Data, organization: string, definition: string) => ({
  name: data.find.one('productDefinition', definition)?.name ?? '',
  organization: data.nameOf('organization', organization),
});

/** Lets an organization publish to a store; throws as `editOrganization`. */
export async function giveStore(data: Data, organization: string, store: string): Promise<Undo> {
  const type = 'organizationStore';
  const id = await data.add(type, { organization, store }, [
    'changes.organizationStore.add',
    storeNames(data, organization, store),
  ]);
  return async () => {
    const held = data.find.one(type, id);
    if (held !== null) await takeStore(data, held);
  };
}

/** Takes a store from an organization; what is published there stays. Throws as `editOrganization`. */
export async function takeStore(
  data: Data,
  { id, organization, store }: Of<'organizationStore'>,
): Promise<Undo> {
  return removeForNow(
    data,
    { type: 'organizationStore', id },
    ['changes.organizationStore.remove', storeNames(data, organization, store)],
    () => giveStore(data, organization, store),
  );
}

const storeNames = (data: Data, organization: string, store: string) => ({
  name: data.find.one('store', store)?.name ?? '',
  organization: data.nameOf('organization', organization),
});

/** What a group is called, in full and in short. */
export type GroupNames = Pick<Of<'group'>, 'name' | 'abbreviation'>;

/** Creates a group of an organization. Returns its id; throws as `editOrganization`. */
export async function addGroup(data: Data, owner: string, names: GroupNames): Promise<string> {
  return data.add('group', { ...names, owner }, [
    'changes.groups.add',
    { name: names.name.trim() },
  ]);
}

/** Renames a group; throws as `editOrganization`. */
export async function renameGroup(
  data: Data,
  { id, name }: Of<'group'>,
  names: GroupNames,
): Promise<void> {
  await data.edit('group', id, names, ['changes.groups.edit', { name }]);
}

/** Removes a group without projects; for 8 s nothing is sent. Throws as `editOrganization`. */
export async function removeGroup(
  data: Data,
  { id, name, abbreviation, owner }: Of<'group'>,
): Promise<Undo> {
  return removeForNow(data, { type: 'group', id }, ['changes.groups.remove', { name }], () =>
    addGroup(data, owner, { name, abbreviation }),
  );
}
