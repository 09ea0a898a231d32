import { sql } from 'kysely';
import type { AuditFact } from '#rules/audit/audit.ts';
import type { AuditKind } from '#rules/audit/audit-kinds.ts';
import type { AuditValues } from '#rules/audit/audit-values.ts';
import { auditRefused } from '../audit/refusal-windows.ts';
import { recordAudit } from '../../access/audit.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import { accountByEmail, accountById } from '../../domain/accounts/accounts.ts';

/** Returns the user of an account: null as long as its owner never signed in. */
async function userIdOf(tx: DatabaseTransaction, account: string): Promise<string | null> {
  const [user] = await tx.query(
    sql<{ readonly id: string }>`select id from users where auth_id = ${account}`,
  );
  return user?.id ?? null;
}

/**
 * Returns the fact. For an account without a user it has the address, because nothing else
 * identifies it. Without an account it has nothing: what somebody typed as their address may be
 * their password.
 */
async function factOf(
  tx: DatabaseTransaction,
  kind: AuditKind,
  account: string | null,
): Promise<AuditFact> {
  const user = account === null ? null : await userIdOf(tx, account);
  const known = account === null || user !== null ? null : await accountById(tx, account);
  return {
    kind,
    subject: user === null ? null : { type: 'user', id: user },
    before: null,
    after: known === null ? null : { email: known.email },
  };
}

/** Audits what the owner of an account did to it, in the transaction that does it. */
export async function auditAccount(
  tx: DatabaseTransaction,
  kind:
    | 'password-reset'
    | 'password-changed'
    | 'signed-out-everywhere'
    | 'signed-out-device'
    | 'address-changed'
    | 'second-factor-on'
    | 'second-factor-off'
    | 'one-time-codes-on'
    | 'one-time-codes-off'
    | 'passkey-added'
    | 'passkey-removed'
    | 'recovery-codes-made'
    | 'recovery-code-used'
    | 'sign-up-verified',
  account: string,
  {
    at,
    address,
    values = {},
  }: {
    readonly at: number;
    readonly address: string | null;
    readonly values?: Partial<Pick<AuditFact, 'before' | 'after'>>;
  },
): Promise<void> {
  const known = await factOf(tx, kind, account);
  const after = { ...known.after, ...values.after };
  const fact = { ...known, ...values, after: Object.keys(after).length === 0 ? null : after };
  await recordAudit(tx, [fact], { at, by: fact.subject?.id ?? null, address });
}

/** Audits that somebody has to wait, because there were too many tries. */
export async function auditLockedOut(
  services: Services,
  { status }: { readonly status: number },
  email: string,
  address: string,
): Promise<void> {
  if (status === 429) await auditFailedSignIn(services, 'sign-in-locked-out', email, address);
}

/** Audits that somebody could not sign in; nobody knows who it was. */
export async function auditFailedSignIn(
  services: Services,
  kind: 'sign-in-failed' | 'sign-in-locked-out',
  email: string,
  address: string,
  after: AuditValues | null = null,
): Promise<void> {
  await auditRefused(services, { by: null, address }, 1, async (tx) => {
    const account = await accountByEmail(tx, email);
    const fact = await factOf(tx, kind, account?.id ?? null);
    return [after === null ? fact : { ...fact, after }];
  });
}
