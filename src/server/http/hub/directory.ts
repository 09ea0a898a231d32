import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import type { Timers } from '#base/timers.ts';

/** The location of the connection that a token names. */
export type ConnectionLocation =
  | { readonly is: 'unknown' }
  /** Negotiated, and not opened. */
  | { readonly is: 'reserved' }
  | { readonly is: 'here' }
  | { readonly is: 'elsewhere'; readonly process: string; readonly address: string };

/**
 * The connections of the installation, with the process that has each. A token counts for its user
 * only.
 */
export interface ConnectionDirectory {
  /** This process's name among the others. */
  readonly process: string;
  /** Reserves a connection for `user`. @throws ProblemError 429 when they have too many */
  reserve(token: string, user: string): Promise<void>;
  /** Opens a reserved connection in this process, unless it was opened already. */
  open(token: string, user: string): Promise<'opened' | ConnectionLocation>;
  /** `reserve` and `open` in one. @throws ProblemError 429 */
  openNew(token: string, user: string): Promise<void>;
  locationOf(token: string, user: string): Promise<ConnectionLocation>;
  /** Nobody will open the reserved connection. */
  cancelReservation(token: string): Promise<void>;
  /**
   * The client of an open connection has left: it does not count any more, and can be found until
   * `release`.
   */
  markLeft(token: string): Promise<void>;
  /**
   * An open connection is over. It never fails: a row that cannot be removed now is removed later.
   */
  release(token: string): Promise<void>;
  /** Removes everything of this process. */
  stop(): Promise<void>;
}

const BEAT_EVERY_MS = 10_000;
const GONE_AFTER = `${String((3 * BEAT_EVERY_MS) / 1_000)} s`;
const RESERVED_FOR = `${String(limits.hubSilenceMs / 1_000)} s`;
const RETRY_AFTER_SECONDS = 5;

/** An open connection of this process. */
interface LocalConnection {
  readonly user: string;
  readonly hasLeft: boolean;
}

/**
 * The directory in the database, which every process shares. Its clock is the database's, because
 * those of the processes' machines may differ by more than a process is silent.
 */
export class SharedConnectionDirectory implements ConnectionDirectory {
  readonly process: string;
  private readonly services: Services;
  private readonly timers: Timers;
  private readonly address: string;
  /** The number of connections that are open here, and of those about to be. */
  private opened = 0;
  /**
   * The open connections by the hash of their token; they are kept because the database may lose
   * their rows.
   */
  private readonly kept = new Map<string, LocalConnection>();
  private readonly toRelease = new Set<string>();
  /** It is set once the other processes know this one. */
  private joined: Promise<void> | null = null;
  private stopBeats: () => void = () => undefined;
  private isStopped = false;

  /** @param address at which the other processes reach this one */
  constructor(services: Services, timers: Timers, address: string) {
    this.services = services;
    this.timers = timers;
    this.address = address;
    this.process = newId(services.clock, services.random);
  }

  reserve(token: string, user: string): Promise<void> {
    return this.insert(token, user, null);
  }

  async open(token: string, user: string): Promise<'opened' | ConnectionLocation> {
    const { db } = this.services;
    return this.opening(async () => {
      const taken = await db.transact((tx) =>
        tx.query(sql`update hub_connections set process_id = ${this.process}::uuid
          where hash = ${hashOf(token)} and user_id = ${user}::uuid and process_id is null
            and expires_at > now()
          returning hash`),
      );
      if (taken.length === 0) return this.locationOf(token, user);
      this.kept.set(hashOf(token), { user, hasLeft: false });
      return 'opened';
    });
  }

  async openNew(token: string, user: string): Promise<void> {
    await this.opening(async () => {
      await this.insert(token, user, this.process);
      this.kept.set(hashOf(token), { user, hasLeft: false });
      return 'opened';
    });
  }

  async locationOf(token: string, user: string): Promise<ConnectionLocation> {
    const { db } = this.services;
    const [row] = await db.transact((tx) =>
      tx.query<{ readonly process: string | null; readonly address: string | null }>(
        sql`select c.process_id as process, p.address from hub_connections c
          left join hub_processes p on p.id = c.process_id
          where c.hash = ${hashOf(token)} and c.user_id = ${user}::uuid
            and (c.process_id is not null or c.expires_at > now())`,
      ),
    );
    if (row === undefined) return { is: 'unknown' };
    const { process, address } = row;
    if (process === null) return { is: 'reserved' };
    if (process === this.process) return { is: 'here' };
    return address === null ? { is: 'unknown' } : { is: 'elsewhere', process, address };
  }

  async cancelReservation(token: string): Promise<void> {
    await this.services.db.transact((tx) =>
      tx.query(sql`delete from hub_connections
        where hash = ${hashOf(token)} and process_id is null`),
    );
  }

  async markLeft(token: string): Promise<void> {
    const known = this.kept.get(hashOf(token));
    if (known !== undefined) this.kept.set(hashOf(token), { ...known, hasLeft: true });
    await this.quietly(async () => {
      await this.services.db.transact((tx) =>
        tx.query(sql`update hub_connections set has_left = true where hash = ${hashOf(token)}`),
      );
    });
  }

  async release(token: string): Promise<void> {
    this.opened -= 1;
    this.kept.delete(hashOf(token));
    this.toRelease.add(hashOf(token));
    await this.forget();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.stopBeats();
    await this.leave();
  }

  /** Registers this process before a row of a connection can name it. */
  private async opening<T>(work: () => Promise<T>): Promise<T> {
    this.opened += 1;
    let isOpened = false;
    try {
      await this.join();
      const result = await work();
      isOpened = result === 'opened';
      return result;
    } finally {
      if (!isOpened) this.opened -= 1;
    }
  }

  private async join(): Promise<void> {
    if (this.joined === null) {
      this.joined = this.sayHere();
      this.beatLater();
    }
    try {
      await this.joined;
    } catch (error) {
      this.joined = null;
      throw error;
    }
  }

  /**
   * Adds a connection of `user` if they may have one more; the rows of a user are counted one after
   * the other.
   */
  private async insert(token: string, user: string, process: string | null): Promise<void> {
    const isTaken = await this.services.db.transact(async (tx) => {
      await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`hub ${user}`}, 0))`);
      if ((await countOf(tx, user)) >= limits.hubConnectionsPerUser) return false;
      await tx.query(sql`insert into hub_connections (hash, user_id, process_id, expires_at)
        values (${hashOf(token)}, ${user}::uuid, ${process}::uuid,
          now() + ${RESERVED_FOR}::interval)`);
      return true;
    });
    if (!isTaken) throw tooMany();
  }

  private beatLater(): void {
    this.stopBeats();
    if (this.isStopped) return;
    this.stopBeats = this.timers.after(BEAT_EVERY_MS, () => {
      void this.beat();
    });
  }

  /**
   * Gives a sign of life as long as this process has connections, and removes what dead processes
   * left.
   */
  private async beat(): Promise<void> {
    await this.forget();
    if (this.opened === 0) {
      await this.leave();
      return;
    }
    await this.quietly(() => this.sayHere());
    this.beatLater();
  }

  private async sayHere(): Promise<void> {
    let restored: readonly string[] = [];
    await this.services.db.transact(async (tx) => {
      const [row] = await tx.query<{ readonly isNew: boolean }>(
        sql`insert into hub_processes (id, address, seen_at)
          values (${this.process}::uuid, ${this.address}, now())
          on conflict (id) do update set seen_at = excluded.seen_at
          returning xmax = 0 as "isNew"`,
      );
      // The row is gone after a crash of the database, or when others took this process for dead.
      if (row?.isNew === true) restored = await this.restore(tx);
      await tx.query(sql`delete from hub_processes
        where seen_at <= now() - ${GONE_AFTER}::interval`);
      await tx.query(sql`delete from hub_connections c
        where process_id is null and expires_at <= now()
          or process_id is not null
            and not exists (select from hub_processes p where p.id = c.process_id)`);
    });
    // What ended meanwhile was perhaps released before its row was there again.
    for (const hash of restored) if (!this.kept.has(hash)) this.toRelease.add(hash);
  }

  /** Adds the rows of the open connections that are missing; returns the hashes of all. */
  private async restore(tx: DatabaseTransaction): Promise<readonly string[]> {
    const rows = [...this.kept];
    const hashes = rows.map(([hash]) => hash);
    if (rows.length === 0) return hashes;
    await tx.query(sql`insert into hub_connections
        (hash, user_id, process_id, expires_at, has_left)
      select each.hash, each.user_id, ${this.process}::uuid, now(), each.has_left from unnest(
        ${hashes}::text[], ${rows.map(([, { user }]) => user)}::uuid[],
        ${rows.map(([, { hasLeft }]) => hasLeft)}::boolean[]
      ) as each (hash, user_id, has_left)
      on conflict (hash) do nothing`);
    return hashes;
  }

  private async forget(): Promise<void> {
    const hashes = [...this.toRelease];
    if (hashes.length === 0) return;
    for (const hash of hashes) this.toRelease.delete(hash);
    const isDone = await this.quietly(async () => {
      await this.services.db.transact((tx) =>
        tx.query(sql`delete from hub_connections where hash = any(${hashes}::text[])`),
      );
    });
    if (!isDone) for (const hash of hashes) this.toRelease.add(hash);
  }

  private async leave(): Promise<void> {
    if (this.joined === null) return;
    this.joined = null;
    await this.quietly(async () => {
      await this.services.db.transact(async (tx) => {
        await tx.query(sql`delete from hub_connections where process_id = ${this.process}::uuid`);
        await tx.query(sql`delete from hub_processes where id = ${this.process}::uuid`);
      });
    });
  }

  /** Work that fails here is repeated by the next beat, or by the beat of another process. */
  private async quietly(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.services.log.warn({ err: error }, 'The directory of hub connections could not be kept');
      return false;
    }
  }
}

async function countOf(tx: DatabaseTransaction, user: string): Promise<number> {
  const [row] = await tx.query<{ readonly count: number }>(
    sql`select count(*)::int as count from hub_connections c where user_id = ${user}::uuid
      and not has_left and case when process_id is null then expires_at > now()
        else exists (select from hub_processes p where p.id = c.process_id
          and p.seen_at > now() - ${GONE_AFTER}::interval) end`,
  );
  return row?.count ?? 0;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

function tooMany(): ProblemError {
  return new ProblemError(
    { code: 'too-many-requests', meta: { limit: limits.hubConnectionsPerUser } },
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}
