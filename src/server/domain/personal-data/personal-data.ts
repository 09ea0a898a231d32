import { sql } from 'kysely';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { mentionsIn, writtenWithNames } from '#rules/mention.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { attributesOf, storedTypes, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { Clock } from '#base/id.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { accountById } from '../accounts/accounts.ts';
import { devicesOf } from '../accounts/devices.ts';
import { passkeysOf } from '../accounts/passkeys.ts';
import { secondFactorOf } from '../accounts/second-factor.ts';
import { leaveOutAddresses } from './leave-out-addresses.ts';

/** A record or a row of a table, as the file has it. */
type Row = object;

type User = Of<'user'>;

/** What is said about one subject, by the name of its file. */
export type PersonalData = Readonly<Record<string, unknown>>;

/** These name the person in a record that is about somebody else, or that another field names. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'organizationMembership.addedBy',
  'product.assigned',
  'userTask.assigned',
]);

/**
 * Of what the person owns, the settings are the organization's, and its secrets are nobody's. Of a
 * build that they began, what the engine said is not about them.
 */
const FIELDS: Readonly<Partial<Record<TypeName, ReadonlySet<string>>>> = {
  organization: new Set(['name', 'websiteUrl', 'logoUrl']),
  productBuild: new Set([
    'buildVersion',
    'success',
    'triggeredBy',
    'dateStarted',
    'dateFinished',
    'product',
  ]),
};

/** The person's own words are theirs, whatever they wrote. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  'productComment.text',
  'productTransition.comment',
  'projectImport.importData',
]);

/**
 * Returns everything that the installation keeps about a person, and of others no more than names:
 * every record that names the person by a to-one of the schema, what their sign-in consists of, and
 * what the tables without a resource say. Secrets and hashes are not in it.
 */
export async function personalDataOf(
  tx: DatabaseTransaction,
  user: User,
  clock: Clock,
): Promise<PersonalData> {
  const account = user.authId === null ? null : await accountById(tx, user.authId);
  const own = [user.email, account?.email ?? null].filter((address) => address !== null);
  const cleaned = (value: unknown) => leaveOutAddresses(value, own);
  const records: Record<string, unknown> = {};
  for (const type of storedTypes) {
    const found = await recordsAbout(tx, type, user.id);
    if (found.length > 0)
      records[wireTypeOf(type)] = await presented(tx, type, found, user, cleaned);
  }
  const data: Record<string, unknown> = {
    ...records,
    'sign-in': {
      account:
        account === null
          ? null
          : { email: account.email, name: account.name, locale: account.locale },
      devices:
        account === null
          ? []
          : (await devicesOf(tx, account.id, clock)).map(({ userAgent, address, lastUsedAt }) => ({
              browser: userAgent,
              address,
              'last-used-at': lastUsedAt,
            })),
      'second-factor': account === null ? null : await secondFactorDataOf(tx, account.id),
    },
    'repository-uploads': await uploadsBy(tx, user.id),
    'declined-memberships': await declinedBy(tx, user.id),
    'recent-changes': await changesBy(tx, user.id),
    'audit-events': cleaned(await auditEventsOf(tx, user.id)),
  };
  return Object.fromEntries(
    Object.entries(data).filter(([, found]) => !Array.isArray(found) || found.length > 0),
  );
}

/** The keys of passkeys are public, and of no use to a person. */
async function secondFactorDataOf(tx: DatabaseTransaction, accountId: string) {
  const factor = await secondFactorOf(tx, accountId);
  if (factor === null) return null;
  return {
    since: factor.since,
    'one-time-codes-since': factor.codesSince,
    'recovery-codes-left': factor.codesLeft,
    passkeys: (await passkeysOf(tx, accountId)).map(({ name, createdAt, lastUsedAt }) => ({
      name,
      'created-at': createdAt,
      'last-used-at': lastUsedAt,
    })),
  };
}

async function recordsAbout(
  tx: DatabaseTransaction,
  type: TypeName,
  user: string,
): Promise<readonly AnyRecord[]> {
  if (type === 'user') return tx.all('user', { id: user });
  const fields = toOnesOf(type)
    .filter(([field, { to }]) => to === 'user' && !OF_OTHERS.has(`${type}.${field}`))
    .map(([field]) => field);
  // Who did a step is kept without a relation.
  if (type === 'productTransition') fields.push('workflowUserId');
  const found = new Map<string, AnyRecord>();
  for (const field of fields)
    for (const record of await tx.all(type, { [field]: user })) found.set(record.id, record);
  return [...found.values()];
}

async function presented(
  tx: DatabaseTransaction,
  type: TypeName,
  records: readonly AnyRecord[],
  user: User,
  cleaned: (value: unknown) => unknown,
): Promise<readonly Row[]> {
  const isTheirs = (field: string) => FIELDS[type]?.has(field) ?? true;
  const shown = attributesOf(type).filter(
    ([field, { isWriteOnly, kind }]) =>
      !isWriteOnly &&
      isTheirs(field) &&
      (kind !== 'email' || type === 'user') &&
      field !== 'workflowUserId',
  );
  const related = toOnesOf(type).filter(([field]) => isTheirs(field));
  const names = await namesOf(tx, related, records, user);
  const mentioned = type === 'productComment' ? await mentionedIn(tx, records) : null;
  return records.map((record) => ({
    id: record.id,
    ...Object.fromEntries(
      shown.map(([field]) => [
        wireFieldOf(type, field),
        OWN_WORDS.has(`${type}.${field}`)
          ? (mentioned?.(record[field] as string) ?? record[field])
          : cleaned(record[field]),
      ]),
    ),
    ...Object.fromEntries(
      related.map(([field]) => [
        wireFieldOf(type, field),
        names.get(String(record[field])) ?? null,
      ]),
    ),
    'date-created': record.dateCreated,
    'date-updated': record.dateUpdated,
  }));
}

/** Returns what writes the names of people in place of their ids, which are not for an export. */
async function mentionedIn(
  tx: DatabaseTransaction,
  comments: readonly AnyRecord[],
): Promise<(text: string) => string> {
  const ids = new Set(comments.flatMap(({ text }) => mentionsIn(text as string)));
  const people = await tx.many('user', [...ids]);
  const names = new Map(people.map((person) => [person.id, displayNameOf(person)]));
  return (text) => writtenWithNames(text, (id) => names.get(id) ?? '');
}

/** Returns what stands for each record that `records` lead to: of another person the name alone. */
async function namesOf(
  tx: DatabaseTransaction,
  related: readonly (readonly [field: string, { readonly to: TypeName }])[],
  records: readonly AnyRecord[],
  user: User,
): Promise<ReadonlyMap<string, Row>> {
  const names = new Map<string, Row>();
  for (const [field, { to }] of related) {
    const ids = new Set(
      records.map((record) => record[field]).filter((id) => typeof id === 'string'),
    );
    for (const target of await tx.many(to, [...ids])) {
      const isOther = to === 'user' && target.id !== user.id;
      names.set(target.id, {
        ...(isOther ? {} : { id: target.id }),
        name: await nameOf(tx, to, target),
      });
    }
  }
  return names;
}

async function nameOf(
  tx: DatabaseTransaction,
  type: TypeName,
  record: AnyRecord,
): Promise<string | null> {
  if (type === 'user') return displayNameOf(record as unknown as User);
  if (type === 'product') {
    const { project, productDefinition } = record as unknown as Of<'product'>;
    const names = [
      await tx.one('project', project),
      await tx.one('productDefinition', productDefinition),
    ].flatMap((found) => found?.name ?? []);
    return names.join(', ');
  }
  const { name, roleName } = record as { readonly name?: unknown; readonly roleName?: unknown };
  if (typeof name === 'string') return name;
  return typeof roleName === 'string' ? roleName : null;
}

function uploadsBy(tx: DatabaseTransaction, user: string): Promise<Row[]> {
  return tx.query(sql<Row>`select p.name as project, u.number, u.uploaded_at as "uploaded-at",
      u.filename, u.is_sample as "is-sample"
    from repository_uploads u join projects p on p.id = u.project_id
    where u.uploaded_by = ${user} order by u.uploaded_at, u.number`);
}

function declinedBy(tx: DatabaseTransaction, user: string): Promise<Row[]> {
  return tx.query(sql<Row>`select o.name as organization, d.declined_at as "declined-at"
    from declined_memberships d join organizations o on o.id = d.organization_id
    where d.user_id = ${user} order by d.declined_at`);
}

/** Returns what the person changed as far back as the feed is kept, without the values. */
async function changesBy(tx: DatabaseTransaction, user: string): Promise<readonly Row[]> {
  const rows = await tx.query(
    sql<{ readonly type: TypeName; readonly id: string; readonly op: string; readonly at: string }>`
      select type, id, op, fields, at from feed where by = ${user} and kind = 'record' order by n, k`,
  );
  return rows.map(({ type, ...row }) => ({ type: wireTypeOf(type), ...row }));
}

/** Returns what the person did and what was done to them; an address only where it was theirs. */
function auditEventsOf(tx: DatabaseTransaction, user: string): Promise<Row[]> {
  return tx.query(sql<Row>`select e.kind, e.at, e.actor_name as "actor-name",
      o.name as organization, e.subject_type as "subject-type", e.subject_name as "subject-name",
      e.before, e.after, case when e.actor_id = ${user} then e.address end as address
    from audit_events e left join organizations o on o.id = e.organization_id
    where e.actor_id = ${user} or (e.subject_type = 'users' and e.subject_id = ${user})
    order by e.n`);
}
