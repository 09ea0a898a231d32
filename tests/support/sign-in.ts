import { createHash, randomBytes } from 'node:crypto';
import { paths } from '#protocol/paths.ts';
import type { PublicConfig } from '#protocol/paths.ts';

/** What the token endpoint answers. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
  readonly expires_in: number;
  readonly token_type: string;
}

/** What signing in needs to know of a server; `GET /api/config` tells it. */
export type Auth = PublicConfig['auth'];

/**
 * A browser without scripts: keeps cookies, follows no redirect by itself, and reaches `server`
 * whatever host an address names.
 */
export class PlainBrowser {
  readonly cookies = new Map<string, string>();
  private readonly server: string;
  private readonly language: string;
  private readonly headers: Readonly<Record<string, string>>;

  /** @param headers are sent along with every request */
  constructor(server: string, language = 'en-US', headers: Readonly<Record<string, string>> = {}) {
    this.server = server;
    this.language = language;
    this.headers = headers;
  }

  async ask(address: string, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const { pathname, search } = new URL(address, this.server);
    const answer = await fetch(`${this.server}${pathname}${search}`, {
      redirect: 'manual',
      headers: {
        ...this.headers,
        Accept: 'text/html',
        'Accept-Language': this.language,
        Cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
      ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
    });
    this.keep(answer.headers.getSetCookie());
    return {
      status: answer.status,
      location: answer.headers.get('location'),
      headers: answer.headers,
      html: await answer.text(),
    };
  }

  /** Opens `address`, follows redirects, and stops at a page or on the way back to the app. */
  async open(address: string): Promise<Answer & { readonly address: string }> {
    const answer = await this.ask(address);
    if (answer.location === null || isReturn(answer.location)) return { ...answer, address };
    return this.open(answer.location);
  }

  /** Fills in the form of the page at `address` and sends it. */
  async send(address: string, form: Readonly<Record<string, string>>): Promise<Answer> {
    const page = await this.ask(address);
    return this.ask(address, { ...form, form_token: formTokenIn(page.html) });
  }

  private keep(cookies: readonly string[]): void {
    for (const cookie of cookies) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

export interface Answer {
  readonly status: number;
  readonly location: string | null;
  readonly headers: Headers;
  readonly html: string;
}

export function formTokenIn(html: string): string {
  return /name="form_token"\s+value="([^"]+)"/.exec(html)?.[1] ?? '';
}

function isReturn(location: string): boolean {
  const { searchParams } = new URL(location, 'http://here');
  return searchParams.has('code') || searchParams.has('error');
}

/** The start of a sign-in: the address to open, and the secret that redeems its code. */
export function authorizeAddress(
  auth: Auth,
  more: Readonly<Record<string, string>> = {},
): { readonly address: string; readonly verifier: string } {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: auth.clientId,
    response_type: 'code',
    redirect_uri: redirectOf(auth),
    scope: auth.scope,
    resource: auth.audience,
    audience: auth.audience,
    state: 'some-state',
    nonce: 'some-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { address: `/oidc/auth?${query.toString()}`, verifier };
}

export function redirectOf(auth: Auth): string {
  return `${new URL(auth.issuer).origin}${auth.redirectPath}`;
}

/** Brings `fields` to the token endpoint. */
export async function askTokens(
  server: string,
  fields: Readonly<Record<string, string>>,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const answer = await fetch(`${server}/oidc/token`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

/** One use of a refresh token. */
export function refresh(server: string, auth: Auth, token: string): ReturnType<typeof askTokens> {
  return askTokens(server, {
    grant_type: 'refresh_token',
    client_id: auth.clientId,
    refresh_token: token,
    resource: auth.audience,
  });
}

/** Brings a code to the token endpoint. */
export function redeemAnswer(
  server: string,
  auth: Auth,
  code: string,
  verifier: string,
): ReturnType<typeof askTokens> {
  return askTokens(server, {
    grant_type: 'authorization_code',
    client_id: auth.clientId,
    code,
    redirect_uri: redirectOf(auth),
    code_verifier: verifier,
    resource: auth.audience,
  });
}

/** The tokens of a code. @throws Error when it is refused */
export async function redeem(
  server: string,
  auth: Auth,
  code: string,
  verifier: string,
): Promise<Tokens> {
  const { status, body } = await redeemAnswer(server, auth, code, verifier);
  if (status !== 200) throw new Error(`No tokens: ${String(status)} ${JSON.stringify(body)}`);
  return body as unknown as Tokens;
}

async function authOf(server: string): Promise<Auth> {
  const answer = await fetch(`${server}${paths.config}`);
  return ((await answer.json()) as PublicConfig).auth;
}

/** A sign-in whose form was sent, and whose way back to the app was not followed yet. */
export interface PreparedSignIn {
  readonly browser: PlainBrowser;
  /** Where the way back begins. */
  readonly resume: string;
  readonly verifier: string;
}

export interface SigningIn {
  readonly auth?: Auth;
  readonly browser?: PlainBrowser;
}

/** Opens the sign-in page and sends the form. @throws Error with the page's text when it is refused */
export async function prepareSignIn(
  server: string,
  email: string,
  password: string,
  { auth, browser = new PlainBrowser(server) }: SigningIn = {},
): Promise<PreparedSignIn> {
  const { address, verifier } = authorizeAddress(auth ?? (await authOf(server)));
  const page = await browser.open(address);
  const form = { email, password, form_token: formTokenIn(page.html) };
  const sent = await browser.ask(page.address, form);
  if (sent.location === null) throw new Error(`Not signed in: ${String(sent.status)} ${sent.html}`);
  return { browser, resume: sent.location, verifier };
}

/** Follows the way back of a prepared sign-in to its code; null when it leads to none. */
export async function codeOf({ browser, resume }: PreparedSignIn): Promise<string | null> {
  const back = await browser.open(resume);
  return new URL(back.location ?? '', 'http://here').searchParams.get('code');
}

/**
 * Signs in as a person does, over HTTP: opens the sign-in page, sends the form, follows the way
 * back and redeems the code. @throws Error with the page's text when the form is refused
 */
export async function signInByForm(
  server: string,
  email: string,
  password: string,
  signingIn: SigningIn = {},
): Promise<Tokens> {
  const auth = signingIn.auth ?? (await authOf(server));
  const prepared = await prepareSignIn(server, email, password, { ...signingIn, auth });
  const code = await codeOf(prepared);
  if (code === null) throw new Error(`No code at the end of ${prepared.resume}`);
  return redeem(server, auth, code, prepared.verifier);
}
