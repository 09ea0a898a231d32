import { paths } from '#protocol/paths.ts';
import type { EngineCheck } from '#protocol/paths.ts';
import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';
import { documentOf } from '../model/record.ts';
import type { OnlineResult } from '../model/views.ts';
import { addForNow, removeForNow } from './removing.ts';
import type { Undo } from './removing.ts';

type Organization = Of<'organization'>;

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
  const stated = { ...fields, buildEngineApiAccessToken: token === '' ? null : token };
  const document = documentOf(type, id, stated);
  return id === null
    ? data.online.command(paths.list(type), document)
    : data.online.command(paths.record(type, id), document, 'PATCH');
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

/** What an organization holds or not, in the sentences of changes. */
const namesOf = (data: Data, organization: string, held: { readonly name: string } | null) => ({
  name: held?.name ?? '',
  organization: data.nameOf('organization', organization),
});

/** Switches a product definition on for an organization; throws as `editOrganization`. */
export async function switchDefinitionOn(
  data: Data,
  organization: string,
  productDefinition: string,
): Promise<Undo> {
  const names = namesOf(data, organization, data.find.one('productDefinition', productDefinition));
  return addForNow(data, 'organizationProductDefinition', { organization, productDefinition }, [
    'changes.definition.on',
    names,
  ]);
}

/** Switches a product definition off; products that there are stay. Throws as `editOrganization`. */
export async function switchDefinitionOff(
  data: Data,
  { id, organization, productDefinition }: Of<'organizationProductDefinition'>,
): Promise<Undo> {
  const names = namesOf(data, organization, data.find.one('productDefinition', productDefinition));
  return removeForNow(
    data,
    { type: 'organizationProductDefinition', id },
    ['changes.definition.off', names],
    () => switchDefinitionOn(data, organization, productDefinition),
  );
}

/** Lets an organization publish to a store; throws as `editOrganization`. */
export async function giveStore(data: Data, organization: string, store: string): Promise<Undo> {
  const names = namesOf(data, organization, data.find.one('store', store));
  return addForNow(data, 'organizationStore', { organization, store }, [
    'changes.organizationStore.add',
    names,
  ]);
}

/** Takes a store from an organization; what is published there stays. Throws as `editOrganization`. */
export async function takeStore(
  data: Data,
  { id, organization, store }: Of<'organizationStore'>,
): Promise<Undo> {
  const names = namesOf(data, organization, data.find.one('store', store));
  return removeForNow(
    data,
    { type: 'organizationStore', id },
    ['changes.organizationStore.remove', names],
    () => giveStore(data, organization, store),
  );
}

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
