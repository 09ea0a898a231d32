import { NoResponseError, silence } from '../model/answer.ts';
import type { ApiResponse } from '../model/answer.ts';
import { COMMIT_HEADER, JSON_API } from '#protocol/document.ts';
import { limits, VERSION } from '#protocol/limits.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { serverErrorOf } from '#protocol/server-error.ts';
import type { UnconfirmedCommits } from './unconfirmed-commits.ts';
import type { Environment } from '../model/environment.ts';

/** The person has to sign in again before there is a token. */
export class SignInNeededError extends Error {
  constructor() {
    super('Signing in is needed');
    this.name = 'SignInNeeded';
  }
}

export interface ApiRequestOptions {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Calls marked so (wire 11) answer plain JSON. */
  readonly answers?: 'json';
  /** Asked before the request is sent: by the time there is a token it may no longer be wanted. */
  readonly isWanted?: () => boolean;
}

/** Returns the options of a request that is narrowed to an organization (wire 4); null: to none. */
export const narrowedTo = (organization: string | null): ApiRequestOptions =>
  organization === null ? {} : { headers: { Organization: organization } };

type RemoteEnvironment = Pick<Environment, 'fetch' | 'timers' | 'accessToken'>;

/** Sends a request and returns the answer: the only place where a request is made. */
async function requestWithToken(
  environment: RemoteEnvironment,
  address: string,
  options: ApiRequestOptions,
): Promise<ApiResponse> {
  const token = await tokenFrom(environment, options);
  const answer = await requestOnce(environment, address, options, token);
  if (answer.status !== 401 || answer.errors[0]?.code !== 'not-signed-in') return answer;
  // The token may have expired by the server's clock alone: one refresh, then the person has to
  // sign in.
  const again = await requestOnce(
    environment,
    address,
    options,
    await tokenFrom(environment, options, token),
  );
  if (again.status === 401 && again.errors[0]?.code === 'not-signed-in')
    throw new SignInNeededError();
  return again;
}

async function tokenFrom(
  { accessToken }: RemoteEnvironment,
  { isWanted }: ApiRequestOptions,
  refused?: string,
): Promise<string> {
  let token: string | null;
  try {
    token = await accessToken(refused === undefined ? {} : { refused });
  } catch (error) {
    throw silence(error);
  }
  if (isWanted?.() === false) throw silence();
  if (token === null) throw new SignInNeededError();
  return token;
}

async function requestOnce(
  { fetch, timers }: RemoteEnvironment,
  address: string,
  { method = 'GET', body, headers, answers }: ApiRequestOptions,
  token: string,
): Promise<ApiResponse> {
  const abort = new AbortController();
  const timer = timers.set(() => {
    // fault 27
    abort.abort();
  }, limits.requestTimeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method,
      signal: abort.signal,
      headers: {
        Accept: JSON_API,
        Authorization: `Bearer ${token}`,
        'X-Slipway-Version': VERSION,
        ...(body === undefined ? {} : { 'Content-Type': JSON_API }),
        ...headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    text = await response.text();
  } catch (error) {
    throw silence(error);
  } finally {
    timers.clear(timer);
  }
  return answerFrom(response, text, answers);
}

function answerFrom(response: Response, text: string, answers?: 'json'): ApiResponse {
  const { status, headers } = response;
  const afterMs = secondsIn(headers.get('Retry-After'));
  const type = headers.get('Content-Type') ?? '';
  const isPlain = answers === 'json' && type.startsWith('application/json');
  if (!isPlain && !type.startsWith(JSON_API)) {
    const serverError = serverErrorOf({ status, text });
    // A proxy's 502 page comes from the network, and so does a captive portal's 200.
    throw new NoResponseError(
      status === 429 || status === 503
        ? { is: 'busy', afterMs, serverError }
        : {
            is: 'silent',
            // fault 4
            garbled: status < 500,
            serverError,
          },
    );
  }
  try {
    const document = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const errors = Array.isArray(document.errors) ? (document.errors as ErrorObject[]) : [];
    return { status, document, errors, afterMs, commit: headers.get(COMMIT_HEADER) };
  } catch (error) {
    const serverError = serverErrorOf({ status, text });
    throw new NoResponseError({ is: 'silent', garbled: status < 500, serverError }, error);
  }
}

function secondsIn(header: string | null): number | null {
  const seconds = Number(header);
  return header === null || !Number.isFinite(seconds) ? null : Math.max(0, seconds * 1_000);
}

/** The server, as a device reaches it. */
export class Remote {
  readonly #environment: RemoteEnvironment;
  readonly #unconfirmedCommits: UnconfirmedCommits;

  constructor(environment: RemoteEnvironment, unconfirmedCommits: UnconfirmedCommits) {
    this.#environment = environment;
    this.#unconfirmedCommits = unconfirmedCommits;
  }

  /**
   * Sends a request to `address`; a refusal is an answer, too.
   *
   * @throws NoResponseError when nothing was decided
   * @throws SignInNeededError when there is no token
   */
  async request(address: string, options: ApiRequestOptions = {}): Promise<ApiResponse> {
    const { connections } = this.#unconfirmedCommits;
    const answer = await requestWithToken(this.#environment, address, options);
    if (answer.commit !== null) this.#unconfirmedCommits.add([answer.commit], connections);
    return answer;
  }
}
