import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { isUuid, newId } from '#base/id.ts';
import { isPlain } from '#rules/valid/length.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { LOCALES } from '#schema/user.ts';
import type { Config } from '../../kernel/config.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { Services } from '../services.ts';
import type { Claims } from './token.ts';
import { loadViewer } from '../../access/viewer.ts';

type User = Of<'user'>;

/** The part of a token that identifies somebody. */
export type Identity = Pick<
  Claims,
  'sub' | 'email' | 'name' | 'givenName' | 'familyName' | 'locale'
>;

/** Returns the user who signs in as `sub`, or null at first sight. */
export async function userOf(tx: DatabaseTransaction, sub: string): Promise<User | null> {
  const [user] = await tx.all('user', { authId: sub });
  return user ?? null;
}

/**
 * Returns what is stored about the person who signs in as `sub`, in one query: every request needs
 * it.
 */
export async function signInOf(
  tx: DatabaseTransaction,
  { auth }: Config,
  { sub, grant }: Pick<Claims, 'sub' | 'grant'>,
): Promise<SignIn> {
  const accountId = auth.isBundled && isUuid(sub) ? sub : null;
  const [known] = await tx.query<SignIn>(
    sql<SignIn>`select s.auth_id is not null as "isKnown", s.email_key as "emailKey", a.era,
        ${isGranted(grant)} as "isGranted"
      from (values (1)) as one (row) left join sign_ins s on s.auth_id = ${sub}
        left join accounts a on a.id = ${accountId}::uuid`,
  );
  return known ?? { isKnown: false, emailKey: null, era: null, isGranted: false };
}

/**
 * Returns the condition that the provider still knows a grant: signing out on its device, and a
 * code or refresh token that somebody brought twice, end it. A token that names none ends by itself
 * alone.
 */
function isGranted(grant: string | null): RawBuilder<boolean> {
  if (grant === null) return sql<boolean>`true`;
  return sql<boolean>`exists (select from oidc_records where model = 'Grant' and id = ${grant})`;
}

/**
 * Returns true when everything that a sign-in leaves behind exists, so that a request has only to
 * read.
 */
export async function isProvisioned(
  tx: DatabaseTransaction,
  { isKnown, emailKey }: SignIn,
  { email }: Identity,
  viewer: Viewer,
  config: Config,
): Promise<boolean> {
  if (!isKnown || emailKey !== keyOf(email)) return false;
  return viewer.isSuperAdmin || !isAdminEmail(email, config) || (await hasSuperAdmin(tx));
}

interface SignIn {
  /** False before the first sign-in. */
  readonly isKnown: boolean;
  readonly emailKey: string | null;
  /** The present era of the account's sign-ins; null with an outside issuer. */
  readonly era: number | null;
  readonly isGranted: boolean;
}

/** Returns true when the person who signs in as `sub` is locked. */
export async function isLockedOut(tx: DatabaseTransaction, sub: string): Promise<boolean> {
  const rows = await tx.query(sql`select id from users where auth_id = ${sub} and is_locked`);
  return rows.length > 0;
}

/**
 * Makes sure that there is a user for a verified identity (wire 2): the one who signs in as `sub`;
 * else the one with that email who has never signed in, and is theirs from now on; else a new one.
 * Writes come one after the other, so two first requests at once make one user.
 */
export function provision(
  { db, clock, random, config }: Services,
  identity: Identity,
): Promise<{ readonly user: User; readonly viewer: Viewer }> {
  return db.write({ at: clock(), by: null, changes: [] }, async (w) => {
    const id =
      (await userOf(w, identity.sub))?.id ??
      (await linkByEmail(w, identity)) ??
      (await newUser(w, newId(clock, random), identity));
    await rememberSignIn(w, id, identity);

    if (isAdminEmail(identity.email, config) && !(await hasSuperAdmin(w)))
      await makeSuperAdmin(w, newId(clock, random), id);

    const user = await w.one('user', id);
    if (user === null) throw new Error('A user was written and is not there');
    return { user, viewer: await loadViewer(w, id) };
  });
}

/** Returns the user who signs in with the verified address `email`, or null; ignores case. */
export async function userIdBySignInAddress(
  tx: DatabaseTransaction,
  email: string,
): Promise<string | null> {
  const [row] = await tx.query<{ readonly userId: string }>(
    sql`select user_id as "userId" from sign_ins where email_key = ${keyOf(email)}
      order by user_id limit 1`,
  );
  return row?.userId ?? null;
}

/** Returns the key by which addresses are compared: without regard to case. */
export function keyOf(email: string): string;
export function keyOf(email: string | null): string | null;
export function keyOf(email: string | null): string | null {
  return email?.trim().normalize('NFC').toLowerCase() ?? null;
}

async function linkByEmail(w: WriteTransaction, { sub, email }: Identity): Promise<string | null> {
  if (email === null) return null;
  const [found] = await w.query<{ readonly id: string }>(
    sql`select id from users where auth_id is null and lower(email) = lower(${keyOf(email)})
      order by id limit 1`,
  );
  if (found === undefined) return null;
  await w.change('user', found.id, { authId: sub });
  return found.id;
}

async function newUser(w: WriteTransaction, id: string, identity: Identity): Promise<string> {
  const { sub, email, name, givenName, familyName, locale } = identity;
  const whole = [givenName, familyName].filter((part) => part !== null).join(' ');
  await w.insert('user', {
    id,
    authId: sub,
    workflowUserId: id,
    email: email?.trim() ?? null,
    name: line(name ?? whole),
    givenName: line(givenName),
    familyName: line(familyName),
    locale: localeOf(locale),
  });
  return id;
}

async function rememberSignIn(
  w: WriteTransaction,
  userId: string,
  { sub, email }: Identity,
): Promise<void> {
  await w.query(sql`insert into sign_ins (auth_id, user_id, email_key)
    values (${sub}, ${userId}, ${keyOf(email)})
    on conflict (auth_id) do update set email_key = excluded.email_key`);
}

function isAdminEmail(email: string | null, config: Config): boolean {
  return config.adminEmail !== null && keyOf(email) === keyOf(config.adminEmail);
}

async function hasSuperAdmin(tx: DatabaseTransaction): Promise<boolean> {
  return (await tx.all('userRole', { roleName: 'SuperAdmin' })).length > 0;
}

async function makeSuperAdmin(w: WriteTransaction, id: string, user: string): Promise<void> {
  const [role] = await w.all('role', { roleName: 'SuperAdmin' });
  if (role === undefined) throw new Error('The role SuperAdmin was never seeded');
  await w.insert('userRole', {
    id,
    user,
    role: role.id,
    roleName: 'SuperAdmin',
    organization: null,
  });
}

const LONGEST_NAME = 250;

function line(text: string | null): string | null {
  // An outside issuer may say anything; what no database can store is no name. How long it can be
  // is bounded by the token, which comes in a header.
  if (text === null || !isPlain(text)) return null;
  const value = text.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, LONGEST_NAME);
  // The cut may go through the middle of a character.
  const whole = isPlain(value) ? value : value.slice(0, -1);
  return whole === '' ? null : whole;
}

/** `fr` and `fr-CA` are read as the French that we speak. */
function localeOf(locale: string | null): User['locale'] {
  const language = locale?.split('-')[0];
  return LOCALES.find((known) => known.split('-')[0] === language) ?? null;
}
