import type { PublicConfig } from '#protocol/paths.ts';
import type { SessionEnvironment, SessionLocks } from '#session/environment.ts';
import type { KeyValueStore } from '../../src/session/key-value-store.ts';

/** A world with one browser: tabs that share a storage and a lock, a network, and two clocks. */

const config: PublicConfig = {
  name: 'Slipway',
  version: '1.0.0',
  minimumClientVersion: '1.0.0',
  demo: false,
  auth: {
    issuer: 'http://here.test/oidc',
    clientId: 'slipway-web',
    audience: 'http://here.test/api',
    scope: 'openid profile email offline_access',
    redirectPath: '/login',
  },
  links: { community: null, help: null, importHelp: null, workflowAdmin: null },
  avatars: null,
  languages: ['en-US', 'es-419', 'fr-FR'],
};

export const TOKENS_KEY = 'oidc.user:http://here.test/oidc:slipway-web';
export const USER_ID = '0197c1e0-0000-7000-8000-000000000001';

export interface SessionRequest {
  readonly path: string;
  readonly body: URLSearchParams;
  readonly authorization: string;
}

/** Answers a request: with a response, or null for no answer at all. */
export type Responder = (request: SessionRequest) => Response | null | Promise<Response | null>;

export class World {
  /** The server's clock, in ms. */
  now = Date.parse('2026-03-01T12:00:00.000Z');
  /** By how much the device's clock is off. */
  deviceOffMs = 0;
  readonly asked: SessionRequest[] = [];
  readonly left: string[] = [];
  readonly storage = new Shelf();
  private readonly answers = new Map<string, Responder>();
  private readonly queue = new Queue();
  private readonly tabs = new Set<Set<() => void>>();

  constructor() {
    this.answer('/api/config', () => this.json(config));
    this.answer('/oidc/.well-known/openid-configuration', () =>
      this.json({
        issuer: config.auth.issuer,
        authorization_endpoint: `${config.auth.issuer}/auth`,
        token_endpoint: `${config.auth.issuer}/token`,
        revocation_endpoint: `${config.auth.issuer}/token/revocation`,
        end_session_endpoint: `${config.auth.issuer}/session/end`,
      }),
    );
    this.answer('/api/users/current-user', () => this.json({ data: { id: USER_ID } }));
  }

  answer(path: string, answering: Responder): void {
    this.answers.set(path, answering);
  }

  /** Every address is dead from now on. */
  cut(): void {
    for (const path of this.answers.keys()) this.answer(path, () => null);
  }

  json(value: unknown, status = 200): Response {
    const headers = { Date: new Date(this.now).toUTCString(), 'Content-Type': 'application/json' };
    return new Response(JSON.stringify(value), { status, headers });
  }

  /** A token that the server's clock ends in `lastsMs`. */
  token(lastsMs = 900_000, claims: Readonly<Record<string, unknown>> = {}): string {
    const exp = Math.floor((this.now + lastsMs) / 1_000);
    const part = (value: unknown) => {
      const bytes = new TextEncoder().encode(JSON.stringify(value));
      return btoa(String.fromCharCode(...bytes))
        .replace(/\+/g, '-')
        .replace(/\//g, '_');
    };
    const all = { sub: 'sub-1', email: 'ana@hill.test', email_verified: true, exp, ...claims };
    return `${part({ alg: 'none' })}.${part(all)}.signature`;
  }

  /** Somebody is signed in, as the library leaves it in the storage. */
  signedIn(access = this.token(), refresh: string | undefined = 'refresh-1'): void {
    this.storage.setItem('slipway.config', JSON.stringify(config));
    this.storage.setItem(
      TOKENS_KEY,
      JSON.stringify({ access_token: access, refresh_token: refresh, profile: { sub: 'sub-1' } }),
    );
  }

  /** Each use gives the next refresh token, `refresh-2`, `refresh-3` …; the one before is spent. */
  rotating(): void {
    let n = 1;
    this.answer('/oidc/token', ({ body }) => {
      if (body.get('refresh_token') !== `refresh-${n}`)
        return this.json({ error: 'invalid_grant' }, 400);
      n += 1;
      const fresh = {
        access_token: this.token(900_000, { jti: n }),
        refresh_token: `refresh-${n}`,
      };
      return this.json({ ...fresh, expires_in: 900 });
    });
  }

  stored(): Readonly<Record<string, unknown>> {
    return JSON.parse(this.storage.getItem(TOKENS_KEY) ?? '{}') as Record<string, unknown>;
  }

  fail(): never {
    throw new Error(`Nobody asked that; asked were ${this.paths().join(' ')}`);
  }

  paths(): string[] {
    return this.asked.map(({ path }) => path);
  }

  tab(options: { readonly hasLocks?: boolean } = {}): SessionEnvironment {
    const listeners = new Set<() => void>();
    this.tabs.add(listeners);
    const storage: KeyValueStore = {
      getItem: (key) => this.storage.getItem(key),
      key: (index) => this.storage.key(index),
      get length() {
        return 0;
      },
      setItem: (key, value) => {
        this.storage.setItem(key, value);
        this.tellOthers(listeners);
      },
      removeItem: (key) => {
        this.storage.removeItem(key);
        this.tellOthers(listeners);
      },
    };
    return {
      storage,
      locks: options.hasLocks === false ? null : this.queue,
      fetch: (address, request) => this.fetch(address, request),
      clock: () => this.now + this.deviceOffMs,
      random: (bytes) => bytes.fill(7),
      storageFlushed: () => Promise.resolve(),
      abortAfter: () => this.queue.patience,
      onStorage: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      page: {
        origin: 'http://here.test',
        language: () => 'fr-FR',
        leaveFor: (address) => this.left.push(address),
      },
    };
  }

  /** A tab takes the lock and never lets go; who waits for it runs out of patience. */
  freezeLock(): void {
    void this.queue.request('slipway.refresh', { signal: this.queue.patience }, () => never);
    this.queue.losePatience();
  }

  fetch = async (address: string, request: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address, 'http://here.test');
    const headers = new Headers(request.headers);
    const body = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const sent = { path: pathname, body, authorization: headers.get('authorization') ?? '' };
    this.asked.push(sent);
    await Promise.resolve();
    const answer = (await this.answers.get(pathname)?.(sent)) ?? null;
    if (answer === null) throw new TypeError('Failed to fetch');
    return answer;
  };

  private tellOthers(own: Set<() => void>): void {
    for (const tab of this.tabs) if (tab !== own) for (const listener of tab) listener();
  }
}

const never = new Promise<never>(() => undefined);

class Shelf {
  private readonly values = new Map<string, string>();
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
  removeItem(key: string): void {
    this.values.delete(key);
  }
  key(index: number): string | null {
    return [...this.values.keys()][index] ?? null;
  }
  keys(): string[] {
    return [...this.values.keys()];
  }
}

/** One after the other, as a Web Lock. */
class Queue implements SessionLocks {
  private last: Promise<unknown> = Promise.resolve();
  private readonly controller = new AbortController();
  readonly patience = this.controller.signal;

  losePatience(): void {
    this.controller.abort();
  }

  request<T>(
    _name: string,
    { signal }: { readonly signal: AbortSignal },
    whileHeld: () => Promise<T>,
  ): Promise<T> {
    if (signal.aborted) return Promise.reject(new DOMException('Too long', 'TimeoutError'));
    const turn = this.last.then(whileHeld);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
