import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Random } from '#base/id.ts';
import { withoutSlashAtEnd } from '#base/slash.ts';
import type { Config } from '../../kernel/config.ts';
import type { Database, DatabaseTransaction } from '../../db/database.ts';
import type { Secrets } from '../../db/secret-places.ts';
import type { BundledEngine } from '#engine/bundled-engine.ts';
import { EngineError } from '#protocol/engine.ts';
import type { BuildEngine, EngineFailure } from '#protocol/engine.ts';
import { openToken } from './engine-token.ts';
import { openHttpEngine } from './client/http-engine.ts';
import type { EngineAddress } from './client/http-engine.ts';
import type { OutboundFetch } from './client/outbound-fetch.ts';
import { hintOf } from './token-hint.ts';

/** An engine that organizations use, and what people may see of it. */
export interface EngineInUse {
  /**
   * A UUID that is the same in every process and after every start; another URL or token has
   * another one.
   */
  readonly key: string;
  /** Null: the bundled one. */
  readonly url: string | null;
  readonly tokenHint: string | null;
  readonly engine: BuildEngine;
}

export interface Engines {
  /** Returns the default engine, or the organization's own (domain 8.2). */
  of(tx: DatabaseTransaction, organization: string): Promise<EngineInUse>;
  /** Returns the default engine, then each distinct one of organizations that use their own. */
  inUse(tx: DatabaseTransaction): Promise<readonly EngineInUse[]>;
  /** Returns the key of the engine of each organization. */
  keys(tx: DatabaseTransaction): Promise<ReadonlyMap<string, string>>;
  /**
   * Tests an engine that nobody has to use yet: returns null when it is available, or why it is
   * not.
   */
  tryOut(address: EngineAddress): Promise<EngineFailure | null>;
  /** Does the same for the default engine. */
  tryDefault(): Promise<EngineFailure | null>;
}

interface EnginesServices {
  readonly config: Pick<Config, 'engine'>;
  readonly db: Database;
  readonly random: Random;
  readonly outboundFetch: OutboundFetch;
  readonly bundled: BundledEngine;
}

interface Row extends EngineAddress {
  readonly organization: string;
}

export async function openEngines(services: EnginesServices): Promise<Engines> {
  const { config, db, random, outboundFetch, bundled } = services;
  const secret = await secretOf(db, random);
  const opened = new Map<string, EngineInUse>();

  /**
   * There is one client for each engine, so that its limit counts the requests of all
   * organizations.
   */
  const engineAt = ({ url, token }: EngineAddress): EngineInUse => {
    const address = withoutSlashAtEnd(url);
    const key = keyOf(secret, [address, token]);
    const engine =
      token === null ? disconnected : openHttpEngine({ url: address, token }, outboundFetch);
    const found = opened.get(key) ?? { key, url: address, tokenHint: hintOf(token), engine };
    opened.set(key, found);
    return found;
  };
  const theBundled: EngineInUse = {
    key: keyOf(secret, []),
    url: null,
    tokenHint: null,
    engine: bundled,
  };
  const theDefault = () =>
    config.engine.outside === null ? theBundled : engineAt(config.engine.outside);

  return {
    of: async (tx, organization) => {
      const [own] = await ownEngines(tx, db.secrets, organization);
      return own === undefined ? theDefault() : engineAt(own);
    },
    inUse: async (tx) => {
      const all = [theDefault(), ...(await ownEngines(tx, db.secrets, null)).map(engineAt)];
      return [...new Map(all.map((each) => [each.key, each])).values()];
    },
    keys: async (tx) => {
      const { key } = theDefault();
      const own = (await ownEngines(tx, db.secrets, null)).map(
        (row) => [row.organization, engineAt(row).key] as const,
      );
      const all = await tx.query(sql<{ readonly id: string }>`select id from organizations`);
      return new Map([...all.map(({ id }) => [id, key] as const), ...own]);
    },
    tryOut: (address) => failureOf(openHttpEngine(address, outboundFetch)),
    tryDefault: () => failureOf(theDefault().engine),
  };
}

async function failureOf(engine: BuildEngine): Promise<EngineFailure | null> {
  try {
    await engine.check();
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.because;
    throw error;
  }
}

/** Returns the engine of one organization, or those of all that use their own. */
async function ownEngines(
  tx: DatabaseTransaction,
  secrets: Secrets,
  organization: string | null,
): Promise<Row[]> {
  const rows = await tx.query(
    sql<Row>`select id as organization, build_engine_url as url,
        build_engine_api_access_token as token
      from organizations left join organization_secrets on organization_id = id
      where not use_default_build_engine and build_engine_url is not null
        and (${organization}::uuid is null or id = ${organization}) order by id`,
  );
  return rows.map((row) => ({ ...row, token: openToken(secrets, row.organization, row.token) }));
}

/** No request is sent without a token: the answer would be no. */
const refuse = () => Promise.reject(new EngineError('refused'));
const disconnected: BuildEngine = {
  check: refuse,
  createProject: refuse,
  project: refuse,
  createJob: refuse,
  job: refuse,
  builds: refuse,
  createBuild: refuse,
  build: refuse,
  createRelease: refuse,
  release: refuse,
  head: () => Promise.resolve(null),
  text: () => Promise.resolve(null),
};

const NAME = 'engines';

/** Keys are public: without a secret in them, a token could be guessed from one. */
async function secretOf(db: Database, random: Random): Promise<string> {
  const place = { column: 'keys', row: NAME } as const;
  const made = JSON.stringify(Buffer.from(random(new Uint8Array(32))).toString('base64url'));
  const wrapped = db.secrets.wrap(place, made);
  return db.transact(async (tx) => {
    // Two processes may start at once: the first row stays, and both read it.
    await tx.query(sql`insert into keys (name, value)
      values (${NAME}, ${wrapped}) on conflict (name) do nothing`);
    const [row] = await tx.query(
      sql<{ readonly value: string }>`select value from keys where name = ${NAME}`,
    );
    if (row === undefined) throw new Error('The secret of engines was stored and is not there');
    return JSON.parse(db.secrets.open(place, row.value)) as string;
  });
}

/** Returns a version 8 UUID. */
function keyOf(secret: string, parts: readonly (string | null)[]): string {
  const mac = createHmac('sha256', secret).update(JSON.stringify(parts)).digest().subarray(0, 16);
  mac[6] = 0x80 | ((mac[6] ?? 0) & 0x0f);
  mac[8] = 0x80 | ((mac[8] ?? 0) & 0x3f);
  const hex = mac.toString('hex');
  return [8, 12, 16, 20].reduceRight((id, cut) => `${id.slice(0, cut)}-${id.slice(cut)}`, hex);
}
