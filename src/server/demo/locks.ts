import { sql } from 'kysely';
import type { AnyRecord, Of } from '#schema/index.ts';
import { effectsOf } from '../domain/effects/effects-of.ts';
import type { WriteTransaction } from '../db/database.ts';
import { accountByEmail } from '../domain/accounts/accounts.ts';
import { isPassword } from '../domain/accounts/password.ts';
import { loadViewer } from '../access/viewer.ts';
import type { Services } from '../domain/services.ts';
import { accountList, DEMO_PASSWORD } from './accounts.ts';

/**
 * Locks the users of demo accounts, for a start without demo: everybody knows their password. A
 * user who has changed it is left alone, and so is one who was locked before. The account that is
 * not verified has no user and opens nothing.
 *
 * @returns the addresses of those it locked
 */
export async function lockDemo(services: Services): Promise<readonly string[]> {
  const open = await accountsWithPublishedPassword(services);
  if (open.length === 0) return [];
  return services.db.write(cause(services), async (write) => {
    const locked: string[] = [];
    for (const { id, email } of open) {
      const [user] = await write.all('user', { authId: id });
      if (user === undefined || user.isLocked) continue;
      await setLocked(services, write, user, true);
      await write.query(
        sql`insert into demo_locks (user_id) values (${user.id}) on conflict do nothing`,
      );
      locked.push(email);
    }
    return locked;
  });
}

/** Unlocks, for a start with demo, those whom `lockDemo` locked, and nobody else. */
export async function unlockDemo(services: Services): Promise<void> {
  const rows = await services.db.read((tx) => tx.query(sql`select 1 from demo_locks limit 1`));
  if (rows.length === 0) return;
  await services.db.write(cause(services), async (write) => {
    const ours = await write.query<{ readonly id: string }>(
      sql`delete from demo_locks returning user_id as id`,
    );
    for (const { id } of ours) {
      const user = await write.one('user', id);
      if (user?.isLocked === true) await setLocked(services, write, user, false);
    }
  });
}

interface OpenAccount {
  readonly id: string;
  readonly email: string;
}

/** Returns the demo accounts that still have the password of the demo. */
async function accountsWithPublishedPassword({ db }: Services): Promise<readonly OpenAccount[]> {
  const found = await db.transact(async (tx) => {
    const accounts = [];
    for (const [, { email }] of accountList) accounts.push(await accountByEmail(tx, email));
    return accounts.filter((account) => account !== null);
  });
  // The demo gives all of them one hash, and checking one takes a quarter second.
  const published = new Set<string>();
  for (const hash of new Set(found.map(({ passwordHash }) => passwordHash)))
    if (await isPassword(DEMO_PASSWORD, hash)) published.add(hash);
  return found.filter(({ passwordHash }) => published.has(passwordHash));
}

/** Locks or unlocks a user with all effects, as when an admin does it. */
async function setLocked(
  services: Services,
  write: WriteTransaction,
  user: Of<'user'>,
  isLocked: boolean,
): Promise<void> {
  await write.change('user', user.id, { isLocked });
  const viewer = await loadViewer(write, user.id);
  const context = { services, write, viewer, at: new Date(write.cause.at).toISOString() };
  const [before, after] = [user, { ...user, isLocked }] as unknown as [AnyRecord, AnyRecord];
  await effectsOf('user').changed?.(context, before, after, { isLocked });
}

const cause = ({ clock }: Services) => ({ at: clock(), by: null, changes: [] });
