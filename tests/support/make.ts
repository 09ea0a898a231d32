import { randomFillSync } from 'node:crypto';
import { newId as makeId } from '#base/id.ts';
import { resourceOf, toOnesOf } from '#schema/index.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import type { WriteCause, FieldChanges, Database, NewRecord } from '#server/db/database.ts';
import { valuesOf } from './sample.ts';

/** Records with sensible values, really stored: a test states only what it is about. */

export const newId = (): string =>
  makeId(
    () => Date.now(),
    (bytes) => randomFillSync(bytes),
  );

/** Something that the server does by itself, or that `by` does with `changes`. */
export function aCause(by: string | null = null, ...changes: readonly string[]): WriteCause {
  return { at: Date.now(), by, changes };
}

type Fields<T extends TypeName> = FieldChanges<T> & { readonly id?: string };

/**
 * A stored record of any type. Fields that are left out and may not be missing get a value; so do
 * the to-ones that it hangs on: a record of that type is made for them.
 */
export async function aRecord<T extends TypeName>(
  db: Database,
  type: T,
  fields: Fields<T> = {},
): Promise<Of<T>> {
  const record: Record<string, unknown> = { id: newId(), ...fillIns(type), ...fields };
  for (const [field, { to, mustHave }] of toOnesOf(type)) {
    if (record[field] === undefined && (mustHave || resourceOf(type).below.includes(field)))
      record[field] = await aTarget(db, to, record);
  }
  await db.write(aCause(), (w) => w.insert(type, record as NewRecord<T>));
  const stored = await db.read((tx) => tx.one(type, record.id as string));
  if (stored === null) throw new Error(`A ${type} was made and is not there`);
  return stored;
}

/** A target that fits what the record has already: a group is one of the same organization. */
async function aTarget(
  db: Database,
  to: TypeName,
  record: Readonly<Record<string, unknown>>,
): Promise<string> {
  const organization = record.organization;
  if (to === 'group' && typeof organization === 'string')
    return (await aGroup(db, { owner: organization })).id;
  const product = record.product;
  if (to === 'productBuild' && typeof product === 'string')
    return (await aRecord(db, 'productBuild', { product })).id;
  const seeded = SEEDED[to];
  if (seeded !== undefined) return theSeeded(db, to, seeded);
  if (to === 'project') return (await aProject(db)).id;
  return (await aRecord(db, to)).id;
}

/** Seeded types, and the field and value by which the usual one is known. */
const SEEDED: Readonly<Partial<Record<TypeName, readonly [field: string, value: string]>>> = {
  role: ['roleName', 'AppBuilder'],
  applicationType: ['name', 'bookapp'],
  storeType: ['name', 's3_bucket'],
  store: ['name', 'slipway_files'],
  workflowDefinition: ['name', 'android_s3'],
  productDefinition: ['name', 'Android App to Amazon S3 Bucket'],
};

async function theSeeded(
  db: Database,
  type: TypeName,
  [field, value]: readonly [string, string],
): Promise<string> {
  const [found] = await db.read((tx) => tx.all(type, { [field]: value }));
  if (found === undefined) throw new Error(`No ${type} is called ${value}`);
  return found.id;
}

let made = 0;

/** What a stored record of `type` may not lack, and the database does not add. */
const fillIns = (type: TypeName): Readonly<Record<string, unknown>> =>
  valuesOf(
    type,
    ({ nullable, fallback, isWriteOnly }) => !nullable && fallback === null && !isWriteOnly,
  );

export function aUser(db: Database, fields: Fields<'user'> = {}): Promise<Of<'user'>> {
  made += 1;
  return aRecord(db, 'user', {
    name: `Person ${made}`,
    email: `person${made}@example.org`,
    locale: 'en-US',
    ...fields,
  });
}

export async function anOrganization(
  db: Database,
  fields: Fields<'organization'> = {},
): Promise<Of<'organization'>> {
  made += 1;
  const owner = fields.owner ?? (await aUser(db)).id;
  return aRecord(db, 'organization', { name: `Organization ${made}`, ...fields, owner });
}

export async function aGroup(db: Database, fields: Fields<'group'> = {}): Promise<Of<'group'>> {
  made += 1;
  const owner = fields.owner ?? (await anOrganization(db)).id;
  return aRecord(db, 'group', {
    name: `Group ${made}`,
    abbreviation: `G${made}`,
    ...fields,
    owner,
  });
}

export interface Membership {
  /** Unless stated, a new person. */
  readonly user?: string;
  readonly roles?: readonly Exclude<RoleName, 'SuperAdmin'>[];
  /** Groups of that organization. */
  readonly groups?: readonly string[];
}

/** A member of `organization` with roles and groups there. */
export async function aMember(
  db: Database,
  organization: string,
  { user, roles = [], groups = [] }: Membership = {},
): Promise<Of<'user'>> {
  const id = user ?? (await aUser(db)).id;
  const dateAccepted = '2026-01-31T09:30:00.000Z';
  await aRecord(db, 'organizationMembership', { user: id, organization, dateAccepted });
  for (const roleName of roles) await aRole(db, id, roleName, organization);
  for (const group of groups) await aRecord(db, 'groupMembership', { user: id, group });
  const member = await db.read((tx) => tx.one('user', id));
  if (member === null) throw new Error(`There is no user ${id}`);
  return member;
}

export async function aRole(
  db: Database,
  user: string,
  roleName: RoleName,
  organization: string | null,
): Promise<Of<'userRole'>> {
  const role = await theSeeded(db, 'role', ['roleName', roleName]);
  return aRecord(db, 'userRole', { user, role, roleName, organization });
}

/** A project, with an organization, a group and an owner who is in both unless they are given. */
export async function aProject(
  db: Database,
  fields: Fields<'project'> = {},
): Promise<Of<'project'>> {
  made += 1;
  const organization = fields.organization ?? (await anOrganization(db)).id;
  const group = fields.group ?? (await aGroup(db, { owner: organization })).id;
  const owner =
    fields.owner === undefined
      ? (await aMember(db, organization, { roles: ['AppBuilder'], groups: [group] })).id
      : fields.owner;
  return aRecord(db, 'project', {
    name: `Project ${made}`,
    language: 'en-US',
    ...fields,
    organization,
    group,
    owner,
  });
}

export async function aProduct(
  db: Database,
  fields: Fields<'product'> = {},
): Promise<Of<'product'>> {
  const project = fields.project ?? (await aProject(db)).id;
  return aRecord(db, 'product', { ...fields, project });
}
