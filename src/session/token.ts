import type { PublicConfig } from '#protocol/paths.ts';
import { claimsIn } from './claims.ts';
import type { TokenClaims } from './claims.ts';
import { browserEnvironment, NoAnswerError } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';
import { endpointOf } from './issuer.ts';
import { objectIn, readStored } from './json.ts';
import type { JsonFields } from './json.ts';
import { knownConfig } from './public-config.ts';
import { learnServerTime, serverTime } from './server-time.ts';

/**
 * `signed-in`: requests can be made, or could be with a connection. `expired`: the person is known,
 * and the issuer wants them to sign in again.
 */
export type SessionState = 'signed-out' | 'signed-in' | 'expired';

/** The status of the account on the server; `unknown` until it was asked. */
export type AccountStatus = 'unknown' | 'active' | 'locked' | 'email-not-verified';

export interface TokenOptions {
  /** A token that the server refused: whatever its claims say, another one is needed. */
  readonly refused?: string;
}

/** The tokens of this browser, shared by its tabs. */
export interface Tokens {
  readonly state: () => SessionState;
  /** The claims of the last token, expired or not. */
  readonly claims: () => TokenClaims | null;
  /**
   * The status of the person whose tokens they are: the only place for it, for pages and local
   * copy.
   */
  readonly accountStatus: () => AccountStatus;
  /** Sets the status of `sub` as the server said it. */
  readonly setAccountStatus: (sub: string, accountStatus: AccountStatus) => void;
  readonly idToken: () => string | null;
  readonly refreshToken: () => string | null;
  readonly accessToken: (options?: TokenOptions) => Promise<string | null>;
  /** Forgets them, here and in other tabs. */
  readonly forget: () => void;
  /** Calls `listener` when they change, here or in another tab; returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void;
  /**
   * Calls `listener` when there is a new access token and `counts` is true, and when the person is
   * no longer locked out.
   */
  readonly onFresh: (listener: () => void, counts?: () => boolean) => () => void;
  /** Reports that they were changed from outside. */
  readonly changed: () => void;
}

/** A token is renewed so long before its end. */
const EARLY_MS = 30_000;
/** A frozen tab may hold the lock; after that the server's grace for refresh tokens covers us. */
const LOCK_WITHIN_MS = 15_000;
const ANSWER_WITHIN_MS = 20_000;
const LOCK = 'slipway.refresh';

/** The key under which oidc-client-ts stores the tokens. */
export function storageKey({ auth }: PublicConfig): string {
  return `oidc.user:${auth.issuer}:${auth.clientId}`;
}

/** Keeps tokens valid. Everything it knows is in the storage, and is read again each time. */
export function createTokens(environment: SessionEnvironment): Tokens {
  const { storage } = environment;
  const listeners = new Set<() => void>();
  const statuses = new Map<string, AccountStatus>();
  let refreshing: Promise<string | null> | null = null;

  const changed = () => {
    for (const listener of listeners) listener();
  };

  const stored = (): Stored | null => {
    const config = knownConfig(environment);
    if (config === null) return null;
    const fields = readStored(storage, storageKey(config));
    return fields === null ? null : { config, ...tokensIn(fields), fields };
  };

  const store = (before: Stored, fields: JsonFields) => {
    storage.setItem(storageKey(before.config), JSON.stringify({ ...before.fields, ...fields }));
    changed();
  };

  const isGood = ({ access, endsAt }: Stored) =>
    access !== '' &&
    (endsAt === null ||
      // fault 19
      serverTime(environment) < endsAt - EARLY_MS);

  const goodOf = (tokens: Stored, refused: string | undefined) =>
    isGood(tokens) && tokens.access !== refused ? tokens.access : null;

  /** Asks the issuer once. Only `invalid_grant` means that the person has to sign in again. */
  const refresh = async (before: Stored): Promise<string | null> => {
    const answer = await ask(environment, before);
    // Someone may have signed in or out in another tab meanwhile: those tokens are newer.
    const present = stored();
    if (present?.refresh !== before.refresh) return present?.access ?? null;

    if (answer === 'invalid_grant') {
      store(before, { access_token: '', refresh_token: undefined });
      return null;
    }
    store(before, answer);
    return tokensIn(answer).access;
  };

  const refreshUnderLock = (refused: string | undefined): Promise<string | null> => {
    const work = async () => {
      const present = stored();
      if (!present?.refresh) return null;
      // fault 35
      return goodOf(present, refused) ?? refresh(present);
    };
    return underLock(environment, work);
  };

  const accessToken = async ({ refused }: TokenOptions = {}): Promise<string | null> => {
    const present = stored();
    if (present === null) return null;
    const good = goodOf(present, refused);
    if (good !== null) return good;
    if (present.refresh === null) {
      if (present.access !== '') store(present, { access_token: '' });
      return null;
    }
    refreshing ??= refreshUnderLock(refused).finally(() => {
      refreshing = null;
    });
    return refreshing;
  };

  const claims = () => {
    const present = stored();
    if (present === null) return null;
    return claimsIn(present.access) ?? claimsIn(present.id ?? '');
  };
  const accountStatus = () => statuses.get(claims()?.sub ?? '') ?? 'unknown';

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    const end = environment.onStorage(listener);
    return () => {
      listeners.delete(listener);
      end();
    };
  };

  return {
    accessToken,
    changed,
    subscribe,
    claims,
    accountStatus,
    setAccountStatus: (sub, status) => {
      statuses.set(sub, status);
      changed();
    },
    onFresh: (listener, counts = () => true) => {
      const currentToken = () => (counts() ? (stored()?.access ?? '') : '');
      const isOut = () => !['unknown', 'active'].includes(accountStatus());
      let last = currentToken();
      let wasOut = isOut();
      return subscribe(() => {
        const [present, isStillOut] = [currentToken(), isOut()];
        const isFresh = present !== '' && present !== last;
        const isLetIn = wasOut && !isStillOut;
        [last, wasOut] = [present, isStillOut];
        if (isFresh || isLetIn) listener();
      });
    },
    state: () => {
      const present = stored();
      if (present === null) return 'signed-out';
      return present.refresh !== null || isGood(present) ? 'signed-in' : 'expired';
    },
    idToken: () => stored()?.id ?? null,
    refreshToken: () => stored()?.refresh ?? null,
    forget: () => {
      const present = stored();
      if (present !== null) storage.removeItem(storageKey(present.config));
      changed();
    },
  };
}

interface TokenSet {
  /** '' when it was refused. */
  readonly access: string;
  readonly refresh: string | null;
  readonly id: string | null;
  /** When the access token expires, by the server's clock. */
  readonly endsAt: number | null;
}

interface Stored extends TokenSet {
  readonly config: PublicConfig;
  readonly fields: JsonFields;
}

function tokensIn(fields: JsonFields): TokenSet {
  const text = (name: string) => {
    const value = fields[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const access = text('access_token') ?? '';
  return {
    access,
    refresh: text('refresh_token'),
    id: text('id_token'),
    endsAt: claimsIn(access)?.endsAt ?? null,
  };
}

/**
 * Sends a request to the token endpoint; the library's own would take fetch and clock from the
 * page.
 */
async function ask(
  environment: SessionEnvironment,
  { config: { auth }, refresh }: Stored,
): Promise<JsonFields | 'invalid_grant'> {
  const endpoint = await endpointOf(environment, auth.issuer, 'token_endpoint');
  if (endpoint === null) throw new NoAnswerError(auth.issuer);

  const sentAt = environment.clock();
  let answer: Response;
  let fields: JsonFields | null;
  try {
    answer = await environment.fetch(endpoint, {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: auth.clientId,
        refresh_token: refresh ?? '',
        resource: auth.audience,
        audience: auth.audience,
      }),
      signal: environment.abortAfter(ANSWER_WITHIN_MS),
    });
    fields = objectIn(await answer.text());
  } catch (cause) {
    throw new NoAnswerError(endpoint, cause);
  }
  learnServerTime(answer, sentAt, environment);

  if (answer.ok && fields !== null && tokensIn(fields).access !== '')
    return { ...fields, expires_at: endOf(fields, environment) };
  // fault 37
  if (answer.status < 500 && fields?.error === 'invalid_grant') return 'invalid_grant';
  throw new NoAnswerError(endpoint);
}

/** The end in seconds, as the library stores it; our own code uses the token's claims. */
function endOf(
  { expires_in: lasts }: JsonFields,
  { clock }: SessionEnvironment,
): number | undefined {
  return typeof lasts === 'number' ? Math.floor(clock() / 1_000) + lasts : undefined;
}

async function underLock<T>(
  { locks, abortAfter }: SessionEnvironment,
  work: () => Promise<T>,
): Promise<T> {
  if (locks === null) return work();
  const signal = abortAfter(LOCK_WITHIN_MS);
  const turn = { hasCome: false };
  try {
    return await locks.request(LOCK, { signal }, () => {
      turn.hasCome = true;
      return work();
    });
  } catch (error) {
    if (turn.hasCome || !signal.aborted) throw error;
    return work();
  }
}

let own: Tokens | null = null;

/** The browser's own. */
export function browserTokens(): Tokens {
  own ??= createTokens(browserEnvironment());
  return own;
}
