import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { serverErrorOf } from '#protocol/server-error.ts';
import { isUuid } from '#base/id.ts';
import type { TokenClaims } from './claims.ts';
import { browserEnvironment, NoAnswerError } from './environment.ts';
import type { SessionEnvironment } from './environment.ts';
import type { KeyValueStore } from './key-value-store.ts';
import { endpointOf } from './issuer.ts';
import { objectIn, readStored } from './json.ts';
import { createOrganizationChoice } from './organization.ts';
import { knownConfig, loadConfig } from './public-config.ts';
import { takeReturnTo } from './return-to.ts';
import { learnServerTime } from './server-time.ts';
import { browserTokens, createTokens } from './token.ts';
import type { SessionState, AccountStatus, TokenOptions, Tokens } from './token.ts';

export type { AccountStatus } from './token.ts';

/** Who is signed in, as far as this device knows; the same object until something changes. */
export interface SessionSnapshot {
  readonly state: SessionState;
  /** The person who signed in last and has not signed out; known offline, too. */
  readonly userId: string | null;
  readonly accountStatus: AccountStatus;
  readonly claims: TokenClaims | null;
}

export type SignInOutcome =
  | {
      readonly is: 'signed-in';
      readonly accountStatus: AccountStatus;
      readonly returnTo: string | null;
    }
  /** `late`: started too long ago, or in another browser. */
  | { readonly is: 'failed'; readonly reason: 'no-answer' | 'refused' | 'late' };

export interface Session {
  readonly snapshot: () => SessionSnapshot;
  readonly subscribe: (listener: () => void) => () => void;
  /** Leaves for the issuer. @throws NoAnswerError when the server cannot be reached */
  readonly signIn: () => Promise<void>;
  /** Completes the return to `/login?code=…`; called twice with one address, it is done once. */
  readonly completeSignIn: (address: string) => Promise<SignInOutcome>;
  /**
   * Asks the server who this is. With `renew` by a fresh token, which knows whether the address
   * has been verified meanwhile. @throws NoAnswerError
   */
  readonly identify: (options?: { readonly renew?: boolean }) => Promise<AccountStatus>;
  /** Sends the mail to verify the address again. @throws NoAnswerError */
  readonly sendVerification: () => Promise<'sent' | 'too-soon'>;
  /** Forgets everything about the person here, at once; ends the issuer's session if it answers. */
  readonly signOut: () => Promise<void>;
}

const PERSON = 'slipway.person';
const ASK_PASSWORD = 'slipway.ask-password';
const ANSWER_WITHIN_MS = 20_000;
const END_SESSION_WITHIN_MS = 5_000;

/** Creates the session: signing in, signing out, and identifying the person. */
export function createSession(
  environment: SessionEnvironment,
  tokens: Tokens = createTokens(environment),
): Session {
  const { storage, page } = environment;
  const returns = new Map<string, Promise<SignInOutcome>>();

  const identify: Session['identify'] = async ({ renew = false } = {}) => {
    const present = await tokens.accessToken();
    const another = (refused: string | null) =>
      refused === null ? null : tokens.accessToken({ refused });
    const ask = (token: string | null) =>
      token === null ? NOBODY : fetchCurrentUser(environment, token);
    const token = renew ? await another(present) : present;
    let result = await ask(token);
    // The token may have been revoked before its end, as by a lock: one refresh, as for all
    // requests.
    if (result === NOBODY) result = await ask(await another(token));
    const sub = tokens.claims()?.sub;
    if (sub === undefined) return 'unknown';
    const { accountStatus, userId } = result;
    if (userId !== null) storage.setItem(PERSON, JSON.stringify({ sub, userId }));
    tokens.setAccountStatus(sub, accountStatus);
    return accountStatus;
  };

  const complete = async (address: string): Promise<SignInOutcome> => {
    try {
      const { finish } = await import('./code-flow.ts');
      const outcome = await finish(environment, address);
      if (outcome !== 'stored') return { is: 'failed', reason: outcome };
      await environment.storageFlushed();
      storage.removeItem(ASK_PASSWORD);
      tokens.changed();
      return {
        is: 'signed-in',
        accountStatus: await identify(),
        returnTo: takeReturnTo(environment),
      };
    } catch (error) {
      if (error instanceof NoAnswerError) return { is: 'failed', reason: 'no-answer' };
      throw error;
    }
  };

  const signOut = async () => {
    const [idToken, refreshToken] = [tokens.idToken(), tokens.refreshToken()];
    tokens.forget();
    storage.removeItem(PERSON);
    storage.setItem(ASK_PASSWORD, '1');
    createOrganizationChoice(environment).choose(null);
    const next = await endIssuerSession(environment, idToken, refreshToken);
    // This comes last, because the page has just stored its address for a sign-in.
    takeReturnTo(environment);
    await environment.storageFlushed();
    page.leaveFor(next);
  };

  return {
    identify,
    signOut,
    snapshot: createSnapshot(environment, tokens),
    subscribe: tokens.subscribe,
    signIn: async () => {
      const config = await loadConfig(environment);
      const { start } = await import('./code-flow.ts');
      const address = await start(environment, config, storage.getItem(ASK_PASSWORD) !== null);
      if (address === null) throw new NoAnswerError(config.auth.issuer);
      page.leaveFor(address);
    },
    completeSignIn: (address) => {
      const outcome = returns.get(address) ?? complete(address);
      returns.set(address, outcome);
      return outcome;
    },
    sendVerification: async () => {
      const token = (await tokens.accessToken()) ?? '';
      const { status } = await request(environment, paths.verification, token, 'POST');
      if (status === 204) return 'sent';
      if (status === 429) return 'too-soon';
      throw new NoAnswerError(paths.verification);
    },
  };
}

/** One object until something in it changes, as React wants it. */
function createSnapshot({ storage }: SessionEnvironment, tokens: Tokens): () => SessionSnapshot {
  let last: { readonly key: string; readonly value: SessionSnapshot } | null = null;
  return () => {
    const claims = tokens.claims();
    const state = tokens.state();
    const userId = state === 'signed-out' ? null : personStored(storage, claims?.sub);
    const value = { state, userId, accountStatus: tokens.accountStatus(), claims };

    const key = JSON.stringify(value);
    if (last?.key !== key) last = { key, value };
    return last.value;
  };
}

/** The user id of whoever signed in last, unless the tokens are somebody else's. */
function personStored(storage: KeyValueStore, sub: string | undefined): string | null {
  const person = readStored(storage, PERSON);
  const isSame = sub === undefined || person?.sub === sub;
  return isSame && isUuid(person?.userId) ? person.userId : null;
}

/** The tokens of one person, for their local copy. */
export interface TokensOfPerson {
  /**
   * A token of that person that is good now, renewed if need be; null when they have to sign in,
   * also while somebody else is signed in.
   *
   * @throws NoAnswerError when it has to be renewed and the issuer gives no answer: try again later
   */
  readonly accessToken: (options?: TokenOptions) => Promise<string | null>;
  /**
   * Calls `listener` when there is a new one, and when the person is no longer kept out; returns
   * what ends that.
   */
  readonly onToken: (listener: () => void) => () => void;
  /** The server said of that person that they are locked, or have not verified their address. */
  readonly keptOut: (why: 'user-locked' | 'email-not-verified') => void;
}

/** The tokens as long as they are those of `userId`: nobody's changes are sent as another's. */
export function tokensOf(
  userId: string,
  { storage }: Pick<SessionEnvironment, 'storage'> = browserEnvironment(),
  tokens: Tokens = browserTokens(),
): TokensOfPerson {
  const isTheirs = () => personStored(storage, tokens.claims()?.sub) === userId;
  return {
    accessToken: async (options) => {
      if (!isTheirs()) return null;
      const token = await tokens.accessToken(options);
      // Somebody else may have signed in while it was renewed.
      return isTheirs() ? token : null;
    },
    onToken: (listener) => tokens.onFresh(listener, isTheirs),
    keptOut: (why) => {
      const sub = tokens.claims()?.sub;
      const accountStatus = ACCOUNT_STATUSES[why];
      if (sub !== undefined && isTheirs() && tokens.accountStatus() !== accountStatus)
        tokens.setAccountStatus(sub, accountStatus);
    },
  };
}

interface IdentifyResult {
  readonly accountStatus: AccountStatus;
  readonly userId: string | null;
}

/** There is no token, or nobody has it: the person has to sign in. */
const NOBODY: IdentifyResult = { accountStatus: 'unknown', userId: null };

const ACCOUNT_STATUSES = {
  'user-locked': 'locked',
  'email-not-verified': 'email-not-verified',
} as const satisfies Readonly<Record<string, AccountStatus>>;

async function fetchCurrentUser(
  environment: SessionEnvironment,
  token: string,
): Promise<IdentifyResult> {
  const answer = await request(environment, paths.currentUser, token, 'GET');
  const document = objectIn(answer.text) as {
    readonly data?: { readonly id?: unknown };
    readonly errors?: unknown;
  } | null;
  const errors = document?.errors;
  const id = document?.data?.id;
  if (answer.status === 200 && isUuid(id)) return { accountStatus: 'active', userId: id };

  const problems = Array.isArray(errors) ? (errors as readonly Partial<ErrorObject>[]) : undefined;
  const code = problems?.[0]?.code;
  // fault 41
  if (code === 'not-signed-in') return NOBODY;
  const accountStatus = (ACCOUNT_STATUSES as Partial<Record<string, AccountStatus>>)[String(code)];
  if (accountStatus === undefined) {
    const serverError = serverErrorOf({ ...answer, ...(problems && { errors: problems }) });
    throw new NoAnswerError(paths.currentUser, undefined, serverError);
  }
  return { accountStatus, userId: null };
}

async function request(
  environment: SessionEnvironment,
  path: string,
  token: string,
  method: 'GET' | 'POST',
): Promise<{ readonly status: number; readonly text: string }> {
  const sentAt = environment.clock();
  try {
    const answer = await environment.fetch(path, {
      method,
      headers: { Accept: 'application/vnd.api+json', Authorization: `Bearer ${token}` },
      signal: environment.abortAfter(ANSWER_WITHIN_MS),
    });
    const text = await answer.text();
    learnServerTime(answer, sentAt, environment);
    return { status: answer.status, text };
  } catch (cause) {
    throw new NoAnswerError(path, cause);
  }
}

/**
 * Revokes the refresh token, and returns where to go then: to the issuer to end its session, or,
 * when it does not answer, to the sign-in page. The next sign-in asks for the password anyway.
 */
async function endIssuerSession(
  environment: SessionEnvironment,
  idToken: string | null,
  refreshToken: string | null,
): Promise<string> {
  const { page, fetch, abortAfter } = environment;
  const auth = knownConfig(environment)?.auth;
  const home = `${page.origin}${auth?.redirectPath ?? '/login'}`;
  if (auth === undefined) return home;
  try {
    const revoke = await endpointOf(environment, auth.issuer, 'revocation_endpoint');
    const end = await endpointOf(environment, auth.issuer, 'end_session_endpoint');
    if (revoke !== null && refreshToken !== null) {
      const body = new URLSearchParams({ client_id: auth.clientId, token: refreshToken });
      const signal = abortAfter(END_SESSION_WITHIN_MS);
      await fetch(revoke, { method: 'POST', body, signal });
    }
    if (end === null || idToken === null) return home;
    const query = { id_token_hint: idToken, post_logout_redirect_uri: home };
    return `${end}?${new URLSearchParams(query).toString()}`;
  } catch {
    // There was no answer: here the person is signed out all the same.
    return home;
  }
}

let own: Session | null = null;

/** The browser's own. */
export function browserSession(): Session {
  own ??= createSession(browserEnvironment(), browserTokens());
  return own;
}
