import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import { instant } from '../../domain/accounts/accounts.ts';
import { isLockedOut } from '../../domain/accounts/person.ts';
import { eraIn } from '../../domain/accounts/sign-ins.ts';

interface Row {
  readonly payload: AdapterPayload;
  readonly consumedAt: string | null;
}

/** The account that a record signs in; without an era it only belongs to the account. */
interface Holder {
  readonly accountId: string | null;
  readonly era: number | null;
}

/** The id of one of these suffices to use it, so only its hash is kept. */
const OPENS_BY_ITSELF: ReadonlySet<string> = new Set(['AuthorizationCode', 'RefreshToken']);

/**
 * A session that was ended from another device (`endDevice`). A request that was at work meanwhile
 * stores it once more, which must not bring it back.
 */
const IS_ENDED_SESSION = sql`(oidc_records.model = 'Session' and oidc_records.consumed_at is not null)`;

/**
 * Keeps the provider's sessions, grants, codes and refresh tokens in our database. One of an
 * earlier era than the account's is neither found nor stored, so a sign-in that was ended while it
 * was at work leaves nothing behind (wire 2).
 */
export class OidcRecords implements Adapter {
  private readonly model: string;
  private readonly db: Database;
  private readonly clock: Clock;

  constructor(model: string, db: Database, clock: Clock) {
    this.model = model;
    this.db = db;
    this.clock = clock;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    const end = expiresIn === undefined ? null : instant(this.clock() + expiresIn * 1_000);
    const holder = holderOf(this.model, payload);
    await this.db.transact(async (tx) => {
      if (!(await isCurrent(tx, holder))) return;
      // Every sign-in starts with an interaction: reason enough to sweep, and no timer is needed.
      if (this.model === 'Interaction')
        await tx.query(sql`delete from oidc_records where expires_at < ${this.now()}::timestamptz`);
      await tx.query(sql`
        insert into oidc_records (model, id, payload, grant_id, uid, account_id, era, expires_at)
        values (${this.model}, ${this.kept(id)}, ${this.keptPayload(payload)}::text::jsonb,
          ${payload.grantId ?? null}, ${payload.uid ?? null}, ${holder.accountId}, ${holder.era},
          ${end}::timestamptz)
        on conflict (model, id) do update set payload = excluded.payload, uid = excluded.uid,
          grant_id = excluded.grant_id, account_id = excluded.account_id, era = excluded.era,
          expires_at = excluded.expires_at
        where not ${IS_ENDED_SESSION}`);
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const found = await this.findWhere('id', this.kept(id));
    const isWhole = found === undefined || !OPENS_BY_ITSELF.has(this.model);
    return isWhole ? found : { ...found, jti: id };
  }

  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return this.findWhere('uid', uid);
  }

  /** The device flow is off: nothing has such a code. */
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** A code works for one request even when two bring it at once; a refresh token has its grace. */
  async consume(id: string): Promise<void> {
    const isCode = this.model === 'AuthorizationCode';
    const used = await this.db.transact(async (tx) => {
      // If it were used up, it would be refused for good once the person is unlocked (wire 2).
      if (isCode && (await isLockedOut(tx, await this.accountOf(tx, id))))
        throw new errors.TemporarilyUnavailable();
      return tx.query(sql`update oidc_records set consumed_at = ${this.now()}::timestamptz
        where model = ${this.model} and id = ${this.kept(id)} and consumed_at is null returning id`);
    });
    if (used.length === 0 && isCode)
      throw new errors.InvalidGrant('authorization code already consumed');
  }

  async destroy(id: string): Promise<void> {
    await this.db.transact((tx) =>
      tx.query(sql`delete from oidc_records where model = ${this.model} and id = ${this.kept(id)}`),
    );
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.db.transact((tx) =>
      tx.query(sql`delete from oidc_records where model = ${this.model} and grant_id = ${grantId}`),
    );
  }

  private async accountOf(tx: DatabaseTransaction, id: string): Promise<string> {
    const [row] = await tx.query<{ readonly accountId: string | null }>(
      sql`select account_id as "accountId" from oidc_records
        where model = ${this.model} and id = ${this.kept(id)}`,
    );
    return row?.accountId ?? '';
  }

  private async findWhere(
    column: 'id' | 'uid',
    value: string,
  ): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.transact((tx) =>
      tx.query<Row>(sql`select payload, consumed_at as "consumedAt" from oidc_records
        where model = ${this.model} and oidc_records.${sql.ref(column)} = ${value}
          and (expires_at is null or expires_at > ${this.now()}::timestamptz)
          and not ${IS_ENDED_SESSION}
          and (era is null or era = (select a.era from accounts a where a.id = account_id))`),
    );
    if (row === undefined) return undefined;
    return this.isConsumed(row) ? { ...row.payload, consumed: true } : row.payload;
  }

  /**
   * A refresh token that was just consumed counts as not consumed: its answer may have been lost,
   * or two tabs brought it at once (wire 2).
   */
  private isConsumed({ consumedAt }: Row): boolean {
    if (consumedAt === null) return false;
    // fault 36
    const graceMs = this.model === 'RefreshToken' ? limits.refreshGraceMs : 0;
    return this.clock() >= Date.parse(consumedAt) + graceMs;
  }

  private kept(id: string): string {
    return OPENS_BY_ITSELF.has(this.model) ? createHash('sha256').update(id).digest('hex') : id;
  }

  private keptPayload(payload: AdapterPayload): string {
    const { jti, ...rest } = payload;
    return JSON.stringify(OPENS_BY_ITSELF.has(this.model) ? rest : { jti, ...rest });
  }

  private now(): string {
    return instant(this.clock());
  }
}

function holderOf(model: string, payload: AdapterPayload): Holder {
  if (model === 'Grant') return { accountId: payload.accountId ?? null, era: null };
  // A sign-in under way is somebody's once its form was sent.
  const login = model === 'Interaction' ? payload.result?.login : payload;
  const accountId = login?.accountId;
  return accountId === undefined
    ? { accountId: null, era: null }
    : { accountId, era: eraIn(login?.acr) };
}

/**
 * Returns true when the record is of the present era. The lock makes a request that ends the
 * sign-ins wait, and see what is stored now.
 */
async function isCurrent(tx: DatabaseTransaction, { accountId, era }: Holder): Promise<boolean> {
  if (accountId === null || era === null) return true;
  const rows = await tx.query(
    sql`select id from accounts where id = ${accountId} and era = ${era} for share`,
  );
  return rows.length > 0;
}
