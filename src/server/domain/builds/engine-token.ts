import { sql } from 'kysely';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { Secrets } from '../../db/secret-places.ts';

const placeOf = (organization: string) =>
  ({ column: 'organization_secrets', row: organization }) as const;

/** Returns the stored token of an organization's own engine, in clear; null: there is none. */
export function openToken(
  secrets: Secrets,
  organization: string,
  stored: string | null,
): string | null {
  return stored === null ? null : secrets.open(placeOf(organization), stored);
}

/** Returns true when the token of an organization's own engine is stored. */
async function isKept(tx: DatabaseTransaction, organization: string): Promise<boolean> {
  const [row] = await tx.query(
    sql<{ readonly isKept: boolean }>`select build_engine_api_access_token is not null as "isKept"
      from organization_secrets where organization_id = ${organization}`,
  );
  return row?.isKept ?? false;
}

/** Audits a change of the token; nothing else of it is recorded. */
export async function auditToken(
  write: WriteTransaction,
  organization: string,
  token: string | null,
): Promise<void> {
  const had = await isKept(write, organization);
  if (!had && token === null) return;
  const kind = token === null ? 'secret-cleared' : had ? 'secret-replaced' : 'secret-set';
  const subject = { type: 'organization', id: organization } as const;
  const after = { secret: 'build-engine-api-access-token' };
  write.audit({ kind, subject, before: null, after });
}

/** Stores, replaces or (null) removes the token of an organization's own engine. */
export async function saveToken(
  tx: DatabaseTransaction,
  secrets: Secrets,
  organization: string,
  token: string | null,
): Promise<void> {
  const stored = token === null ? null : secrets.wrap(placeOf(organization), token);
  await tx.query(sql`insert into organization_secrets
    (organization_id, build_engine_api_access_token) values (${organization}, ${stored})
    on conflict (organization_id)
    do update set build_engine_api_access_token = excluded.build_engine_api_access_token`);
}
