import pg from 'pg';
import { limits } from '#protocol/limits.ts';
import type { Bus } from '../../kernel/bus/bus.ts';
import { localBus } from '../../kernel/bus/local-bus.ts';

const CHANNEL = 'slipway_feed';
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * The bus between processes on one PostgreSQL. It listens on a connection of its own, which is made
 * again whenever it is cut. Hints may be lost meanwhile, so it reads the feed head after each
 * connecting, and every 5 s anyway, and publishes it.
 */
export function postgresBus(url: string, broken: (error: Error) => void): Bus {
  const here = localBus();
  const line = new PostgresNotifications(
    url,
    (n) => {
      here.publish(n);
    },
    broken,
  );
  line.start();
  return {
    publish(n) {
      here.publish(n);
      line.tell(n);
    },
    subscribe: (listener) => here.subscribe(listener),
    async close() {
      await line.stop();
      await here.close();
    },
  };
}

/** `waiting` to connect → `connecting` → `listening` → cut: `waiting`, longer each time in a row. */
class PostgresNotifications {
  readonly #url: string;
  readonly #received: (n: number) => void;
  readonly #broken: (error: Error) => void;
  #client: pg.Client | null = null;
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | null = null;
  #isStopped = false;
  /** The newest number that was not yet sent to the others. */
  #toSend: number | null = null;
  #isSending = false;

  constructor(url: string, received: (n: number) => void, broken: (error: Error) => void) {
    this.#url = url;
    this.#received = received;
    this.#broken = broken;
  }

  start(): void {
    void this.#connect();
  }

  tell(n: number): void {
    this.#toSend = Math.max(n, this.#toSend ?? 0);
    void this.#sendPending();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#wait(null);
    const client = this.#client;
    this.#client = null;
    await client?.end();
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#url,
      keepAlive: true,
      application_name: 'slipway-bus',
      connectionTimeoutMillis: 10_000,
      // A connection that no longer answers is as good as cut.
      query_timeout: limits.feedPollEveryMs,
    });
    client.on('error', (error) => {
      this.#cut(client, error);
    });
    client.on('end', () => {
      this.#cut(client, new Error('The listening connection ended'));
    });
    client.on('notification', ({ payload }) => {
      this.#received(Number(payload));
    });
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      this.#pauseMs = FIRST_PAUSE_MS;
      await this.#poll(client);
      await this.#sendPending();
    } catch (error) {
      this.#cut(client, error as Error);
    }
  }

  /** Publishes the feed head, now and every 5 s while the connection lasts. */
  async #poll(client: pg.Client): Promise<void> {
    try {
      const { rows } = await client.query<{ n: string }>(`select n from feed_head`);
      this.#received(Number(rows[0]?.n ?? 0));
    } catch (error) {
      if (!isNoTable(error)) {
        this.#cut(client, error as Error);
        return;
      }
    }
    if (this.#client === client) this.#wait(() => void this.#poll(client), limits.feedPollEveryMs);
  }

  async #sendPending(): Promise<void> {
    const client = this.#client;
    if (this.#isSending || client === null) return;
    this.#isSending = true;
    try {
      while (this.#toSend !== null) {
        const n = this.#toSend;
        this.#toSend = null;
        await client.query('select pg_notify($1, $2)', [CHANNEL, String(n)]);
      }
    } catch (error) {
      // The others read the feed head every 5 s.
      this.#cut(client, error as Error);
    } finally {
      this.#isSending = false;
    }
  }

  #cut(client: pg.Client, error: Error): void {
    if (this.#client !== client) return;
    this.#client = null;
    void client.end().catch(() => undefined);
    if (this.#isStopped) return;
    this.#broken(error);
    this.#wait(() => void this.#connect(), this.#pauseMs);
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }

  #wait(then: (() => void) | null, ms = 0): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = then === null ? null : setTimeout(then, ms);
    this.#timer?.unref();
  }
}

const NO_TABLE = '42P01';

/** The database is new, and the tables are only being made. */
function isNoTable(error: unknown): boolean {
  return (error as { code?: unknown }).code === NO_TABLE;
}
