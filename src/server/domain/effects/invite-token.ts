import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Mail } from '../../kernel/mail/mail-templates.ts';
import type { ChangeContext } from '../writes/change-context.ts';

/** A token invites someone to be a member, or to found an organization. */
export type InviteKind = 'membership' | 'organization';

const COLUMNS = {
  membership: 'membership_invite_id',
  organization: 'organization_invite_id',
} as const;

const TOKEN_BYTES = 32;

/**
 * Makes a new token for the invite `id`; an earlier one ends. It is stored hashed and never shown
 * again.
 */
export async function newToken(
  context: ChangeContext,
  kind: InviteKind,
  id: string,
): Promise<string> {
  const bytes = context.services.random(new Uint8Array(TOKEN_BYTES));
  const token = Buffer.from(bytes).toString('base64url');
  const column = sql.id(COLUMNS[kind]);
  await context.write.query(sql`delete from invite_tokens where ${column} = ${id}`);
  await context.write.query(
    sql`insert into invite_tokens (hash, ${column}) values (${hashOf(token)}, ${id})`,
  );
  return token;
}

/** Returns the id of the invite that `token` belongs to, or null. */
export async function inviteOf(
  tx: DatabaseTransaction,
  kind: InviteKind,
  token: string,
): Promise<string | null> {
  const column = sql.id(COLUMNS[kind]);
  const [row] = await tx.query<{ readonly id: string | null }>(
    sql`select ${column} as id from invite_tokens where hash = ${hashOf(token)}`,
  );
  return row?.id ?? null;
}

/** @throws ProblemError 403 `invite-redeemed` or `invite-expired` */
export function requireUsable(
  invite: { readonly redeemed: boolean; readonly expiresAt: string | null },
  at: string,
): void {
  if (invite.redeemed) throw new ProblemError({ code: 'invite-redeemed' });
  if (invite.expiresAt !== null && invite.expiresAt <= at) {
    throw new ProblemError({ code: 'invite-expired' });
  }
}

/** Sends `letter` once the invite is committed. A mail that is not accepted is logged. */
export function mailLater({ write, services }: ChangeContext, mail: Mail): void {
  write.afterCommit(() => {
    services.mail.send(mail).catch((error: unknown) => {
      services.log.error({ err: error }, 'An invitation was not sent');
    });
  });
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
