import { sql } from 'kysely';
import { errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Clock } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import type { Database } from '../database/database.ts';
import { instant } from './accounts.ts';

interface Row {
  readonly payload: AdapterPayload;
  readonly consumedAt: string | null;
}

/** Keeps the provider's sessions, grants, codes and refresh tokens in our database. */
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
    await this.db.transact(async (tx) => {
      // Every sign-in starts with an interaction: reason enough to sweep, and no timer is needed.
      if (this.model === 'Interaction')
        await tx.query(sql`delete from oidc_records where expires_at < ${this.now()}::timestamptz`);
      await tx.query(sql`
        insert into oidc_records (model, id, payload, grant_id, uid, account_id, expires_at)
        values (${this.model}, ${id}, ${JSON.stringify(payload)}::text::jsonb,
          ${payload.grantId ?? null}, ${payload.uid ?? null}, ${payload.accountId ?? null},
          ${end}::timestamptz)
        on conflict (model, id) do update set payload = excluded.payload, uid = excluded.uid,
          grant_id = excluded.grant_id, account_id = excluded.account_id,
          expires_at = excluded.expires_at`);
    });
  }

  find(id: string): Promise<AdapterPayload | undefined> {
    return this.findWhere('id', id);
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
    const used = await this.db.transact((tx) =>
      tx.query(sql`update oidc_records set consumed_at = ${this.now()}::timestamptz
        where model = ${this.model} and id = ${id} and consumed_at is null returning id`),
    );
    if (used.length === 0 && this.model === 'AuthorizationCode')
      throw new errors.InvalidGrant('authorization code already consumed');
  }

  async destroy(id: string): Promise<void> {
    await this.db.transact((tx) =>
      tx.query(sql`delete from oidc_records where model = ${this.model} and id = ${id}`),
    );
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.db.transact((tx) =>
      tx.query(sql`delete from oidc_records where model = ${this.model} and grant_id = ${grantId}`),
    );
  }

  private async findWhere(
    column: 'id' | 'uid',
    value: string,
  ): Promise<AdapterPayload | undefined> {
    const [row] = await this.db.transact((tx) =>
      tx.query<Row>(sql`select payload, consumed_at as "consumedAt" from oidc_records
        where model = ${this.model} and ${sql.ref(column)} = ${value}
          and (expires_at is null or expires_at > ${this.now()}::timestamptz)`),
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
    const graceMs = this.model === 'RefreshToken' ? limits.refreshGraceMs : 0;
    return this.clock() >= Date.parse(consumedAt) + graceMs;
  }

  private now(): string {
    return instant(this.clock());
  }
}
