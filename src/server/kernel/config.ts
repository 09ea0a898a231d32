import { BlockList, isIP } from 'node:net';
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { withoutSlashAtEnd } from '#base/slash.ts';
import type { PublicConfig } from '#protocol/paths.ts';
import { isEmail } from '#rules/valid/value.ts';
import { hostOf, isPrivateHost } from './private-host.ts';
import { BadStart } from './bad-start.ts';
import { MAKE_KEY, secretKeyIn } from './secret-key.ts';

/** Everything that can be set, typed and checked. Read once, at the start. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** The address at which people reach the server, without a slash at its end. */
  readonly publicUrl: string;
  /**
   * The address at which other processes of the installation reach this one; null: where it
   * listens.
   */
  readonly internalUrl: string | null;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  /** The path is absolute. */
  readonly dataDir: string;
  /** PostgreSQL; null: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** The provider that signs people in. */
  readonly auth: PublicConfig['auth'] & { readonly isBundled: boolean };
  readonly mail: { readonly smtpUrl: string | null; readonly from: string };
  readonly engine: {
    /** The engine of organizations without one of their own; null: the bundled one. */
    readonly outside: { readonly url: string; readonly token: string } | null;
    /** Hosts that may be called although their address is private; lower case. */
    readonly hosts: readonly string[];
  };
  readonly links: PublicConfig['links'];
  readonly avatarUrl: string | null;
  /**
   * The address of the person who becomes super admin at sign-in while there is none; lower case.
   */
  readonly adminEmail: string | null;
  /** A list of breached passwords, see `isBreached`; null: there is none. Absolute. */
  readonly breachedPasswords: string | null;
  readonly demo: boolean;
  /** The key that wraps secrets in the database; null: not set. 32 bytes. */
  readonly secretKey: Uint8Array | null;
  /** The key before, while keys are rotated. */
  readonly secretKeyOld: Uint8Array | null;
}

export type Env = Readonly<Record<string, string | undefined>>;

const SCOPE = 'openid profile email offline_access';

/** Settings whose part is not built: naming one stops the start, so that none is ignored. */
const NOT_BUILT: Readonly<Record<string, string>> = {
  REDIS_URL: 'processes tell each other through PostgreSQL',
  S3_ENDPOINT: 'files are kept in DATA_DIR',
  S3_BUCKET: 'files are kept in DATA_DIR',
  S3_ACCESS_KEY_ID: 'files are kept in DATA_DIR',
  S3_SECRET_ACCESS_KEY: 'files are kept in DATA_DIR',
};

/**
 * Reads the settings, or reports every mistake in them at once. @throws BadStart with a line for
 * each wrong one
 */
export function readConfig(env: Env): Config {
  const settings = new Settings(env);
  for (const [name, instead] of Object.entries(NOT_BUILT)) {
    if (settings.given(name) !== null)
      settings.wrong(name, `is not supported by this version (${instead}); remove it`);
  }
  const config = configOf(settings);
  if (settings.mistakes.length > 0) throw new BadStart(...settings.mistakes);
  return config;
}

function configOf(settings: Settings): Config {
  const port = settings.integer('PORT', 3_000, 1, 65_535);
  const publicUrl = settings.url('PUBLIC_URL', ['http', 'https']) ?? `http://localhost:${port}`;
  const databaseUrl = settings.url('DATABASE_URL', ['postgres', 'postgresql']);
  const host = settings.given('HOST') ?? '127.0.0.1';
  const isProduction = settings.given('NODE_ENV') === 'production';
  // The password of the demo accounts is published, so nobody else may reach them by default.
  const isReachedFromHere = isLoopback(host) && isLoopback(hostOf(new URL(publicUrl)));
  return {
    host,
    port,
    publicUrl,
    internalUrl: settings.url('INTERNAL_URL', ['http', 'https']),
    trustedProxies: settings.networks('TRUSTED_PROXIES'),
    dataDir: resolve(settings.given('DATA_DIR') ?? './var'),
    databaseUrl,
    auth: authOf(settings, publicUrl),
    mail: mailOf(settings),
    engine: engineOf(settings),
    links: {
      community: settings.link('COMMUNITY_URL', `${publicUrl}/help/community`),
      help: settings.link('HELP_URL', `${publicUrl}/help/`),
      importHelp: settings.link('IMPORT_HELP_URL', `${publicUrl}/help/import`),
      workflowAdmin: settings.link('WORKFLOW_ADMIN_URL', null),
    },
    avatarUrl: settings.url('AVATAR_URL', ['http', 'https']),
    adminEmail: settings.email('ADMIN_EMAIL')?.toLowerCase() ?? null,
    breachedPasswords: settings.file('BREACHED_PASSWORDS'),
    secretKey: settings.key('SECRET_KEY'),
    secretKeyOld: settings.key('SECRET_KEY_OLD'),
    demo: settings.flag('DEMO', isReachedFromHere && !isProduction && databaseUrl === null),
  };
}

/** Returns the bundled provider, or the outside one; its settings come together or not at all. */
function authOf(settings: Settings, publicUrl: string): Config['auth'] {
  const redirectPath = '/login';
  const issuer = settings.url('OIDC_ISSUER', ['http', 'https']);
  const [clientId, audience, scope] = ['OIDC_CLIENT_ID', 'OIDC_AUDIENCE', 'OIDC_SCOPE'].map(
    (name) => settings.given(name),
  );

  if (settings.given('OIDC_ISSUER') === null) {
    const alone = ['OIDC_CLIENT_ID', 'OIDC_AUDIENCE', 'OIDC_SCOPE'].filter(
      (name) => settings.given(name) !== null,
    );
    for (const name of alone) settings.wrong(name, 'needs OIDC_ISSUER too; set it or remove this');
    return {
      issuer: `${publicUrl}/oidc`,
      clientId: 'slipway-web',
      audience: `${publicUrl}/api`,
      scope: SCOPE,
      redirectPath,
      isBundled: true,
    };
  }
  if (clientId === null) settings.wrong('OIDC_CLIENT_ID', 'is missing; OIDC_ISSUER needs it');
  if (audience === null) settings.wrong('OIDC_AUDIENCE', 'is missing; OIDC_ISSUER needs it');
  return {
    issuer: issuer ?? '',
    clientId: clientId ?? '',
    audience: audience ?? '',
    scope: scope ?? SCOPE,
    redirectPath,
    isBundled: false,
  };
}

function mailOf(settings: Settings): Config['mail'] {
  const smtpUrl = settings.url('SMTP_URL', ['smtp', 'smtps']);
  const from = settings.given('MAIL_FROM');
  if (from === null && smtpUrl !== null)
    settings.wrong('MAIL_FROM', 'is missing; set the address that mail comes from');
  if (from !== null && !/^[^\r\n]*[^\s@<]@[^\s@>]+>?$/.test(from))
    settings.wrong('MAIL_FROM', 'must be an address, such as Slipway <mail@example.com>');
  return { smtpUrl, from: from ?? 'Slipway <slipway@localhost>' };
}

/** Returns the build engine outside, if there is one; its address and token come together. */
function engineOf(settings: Settings): Config['engine'] {
  const hosts = settings.hosts('BUILD_ENGINE_HOSTS');
  const url = settings.url('BUILD_ENGINE_URL', ['http', 'https']);
  const token = settings.given('BUILD_ENGINE_TOKEN');
  const isGiven = settings.given('BUILD_ENGINE_URL') !== null;
  if (isGiven && token === null)
    settings.wrong('BUILD_ENGINE_TOKEN', 'is missing; BUILD_ENGINE_URL needs it');
  if (!isGiven && token !== null)
    settings.wrong('BUILD_ENGINE_TOKEN', 'needs BUILD_ENGINE_URL too; set it or remove this');
  if (url !== null && isPrivateHost(url) && !hosts.includes(hostOf(new URL(url))))
    settings.wrong(
      'BUILD_ENGINE_URL',
      'has a private address; name its host in BUILD_ENGINE_HOSTS',
    );
  return { outside: url === null || token === null ? null : { url, token }, hosts };
}

/** Reads single settings and collects their mistakes. A blank one counts as not given. */
class Settings {
  readonly mistakes: string[] = [];
  private readonly env: Env;

  constructor(env: Env) {
    this.env = env;
  }

  given(name: string): string | null {
    const value = this.env[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  wrong(name: string, remedy: string): void {
    this.mistakes.push(`${name} ${remedy}.`);
  }

  integer(name: string, fallback: number, from: number, to: number): number {
    const value = this.given(name);
    if (value === null) return fallback;
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= from && number <= to) return number;
    this.wrong(name, `must be a whole number from ${from} to ${to}`);
    return fallback;
  }

  /** Returns an address without a slash at its end; null when not given or wrong. */
  url(name: string, schemes: readonly string[]): string | null {
    const value = this.given(name);
    if (value === null) return null;
    const scheme = URL.canParse(value) ? new URL(value).protocol.slice(0, -1) : '';
    if (schemes.includes(scheme) && new URL(value).host !== '') return withoutSlashAtEnd(value);
    if (schemes.includes(scheme) && scheme.startsWith('postgres')) return value;
    this.wrong(name, `must be an address that starts with ${schemes.join(':// or ')}://`);
    return null;
  }

  /** Returns a link; `none` is no link at all. */
  link(name: string, fallback: string | null): string | null {
    if (this.given(name) === null) return fallback;
    return this.given(name) === 'none' ? null : this.linkUrl(name);
  }

  email(name: string): string | null {
    const value = this.given(name);
    if (value === null || isEmail(value)) return value;
    this.wrong(name, 'must be an email address');
    return null;
  }

  /** Returns names or addresses, which have commas between them; lower case. */
  hosts(name: string): readonly string[] {
    const hosts = (this.given(name) ?? '').toLowerCase().split(/[\s,]+/);
    const named = hosts.filter((host) => host !== '').map((host) => host.replace(/^\[|\]$/g, ''));
    const isWrong = (host: string) =>
      isIP(host) === 0 && !/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host);
    if (named.some(isWrong))
      this.wrong(name, 'must be hosts without scheme and port, such as engine.internal, 10.0.0.7');
    return named;
  }

  key(name: string): Uint8Array | null {
    const value = this.given(name);
    if (value === null) return null;
    const key = secretKeyIn(value);
    if (key === null) this.wrong(name, `must be 32 random bytes in base64url or hex; ${MAKE_KEY}`);
    return key;
  }

  /** Returns the absolute path of a file that can be read. */
  file(name: string): string | null {
    const value = this.given(name);
    if (value === null) return null;
    try {
      accessSync(value, constants.R_OK);
    } catch {
      this.wrong(name, 'must be a file that can be read');
    }
    return resolve(value);
  }

  /** Returns IP addresses, or networks such as 10.0.0.0/8, which have commas between them. */
  networks(name: string): readonly string[] {
    const networks = (this.given(name) ?? '').split(/[\s,]+/).filter((each) => each !== '');
    if (!networks.every(isNetwork))
      this.wrong(name, 'must be addresses or networks, such as 127.0.0.1, 10.0.0.0/8');
    return networks;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.given(name);
    if (value === null) return fallback;
    if (value !== '0' && value !== '1') this.wrong(name, 'must be 0 or 1');
    return value === '1';
  }

  /** Returns a link as it is, its last slash too, unlike other addresses. */
  private linkUrl(name: string): string | null {
    return this.url(name, ['http', 'https']) === null ? null : this.given(name);
  }
}

/** Returns true when `host`, without brackets, is this machine and reached from nowhere else. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 0) return /^(.+\.)?localhost$/i.test(host);
  return LOOPBACK.check(host, isIP(host) === 6 ? 'ipv6' : 'ipv4');
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const longest = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
}
