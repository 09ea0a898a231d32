import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { accountByEmail } from '#server/domain/accounts/accounts.ts';
import {
  prepareSecondFactor,
  switchSecondFactorOn,
} from '#server/domain/accounts/second-factor.ts';
import { oneTimeCode } from '../support/one-time-code.ts';
import type { Person, Team, World } from './world.ts';

/** What there is for commands that need a connection to be about. */

const DAY_MS = 86_400_000;

/** A job that failed, and is done as soon as it is tried: a mail to somebody who has left. Returns its id. */
export async function aFailedJob({ parts: { db, clock } }: World): Promise<string> {
  const id = randomUUID();
  const at = (ms: number) => new Date(clock() + ms).toISOString();
  await db.transact((tx) =>
    tx.query(sql`insert into queued_jobs (id, name, data, failures, due_at, trouble, failed_at)
      values (${id}::uuid, 'mail-notifications', ${JSON.stringify({ user: randomUUID() })}::jsonb,
        7, ${at(DAY_MS)}::timestamptz, 'mail-refused', ${at(-DAY_MS)}::timestamptz)`),
  );
  return id;
}

/** Tells whether a job is there whose last attempt failed. */
export async function isFailed({ parts: { db } }: World, id: string): Promise<boolean> {
  const found = await db.read((tx) =>
    tx.query(sql`select id from queued_jobs where id = ${id}::uuid and failures > 0`),
  );
  return found.length > 0;
}

/** Switches the second factor of `person` on. */
export async function giveSecondFactor(
  { parts: { db, clock, random } }: World,
  { email }: Person,
): Promise<void> {
  const means = { secrets: db.secrets, clock, random };
  await db.transact(async (tx) => {
    const { id = '' } = (await accountByEmail(tx, email)) ?? {};
    const secret = (await prepareSecondFactor(tx, id, means)) ?? '';
    const code = oneTimeCode(secret, clock());
    const done = await switchSecondFactorOn(tx, id, { secret, code }, means);
    if (done.is !== 'on') throw new Error(`The second factor of ${email} stays off: ${done.is}`);
  });
}

/** Ben invites `email` into the team, with what follows from `attributes`. */
export async function invite(team: Team, email: string, attributes: object = {}): Promise<void> {
  await team.api.add({
    type: 'organization-membership-invites',
    id: randomUUID(),
    attributes: { email, ...attributes },
    relationships: {
      organization: { data: { type: 'organizations', id: team.organization } },
    },
  });
}
