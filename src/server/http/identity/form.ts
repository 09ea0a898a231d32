import { createHmac, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPlain } from '#rules/valid/length.ts';
import { isEmail as isAddress } from '#rules/valid/value.ts';
import { languageOf, translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey, TextValues } from '#text/say.ts';
import type { Services } from '../../domain/services.ts';
import { cookiesOf } from './cookies.ts';
import type { Cookies } from './cookies.ts';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { permissionsPolicy } from '../security.ts';
import { pageOf, policyFor } from './page.ts';
import type { PageScript } from './page.ts';
import { showButton } from './first-factor/show-button.ts';
import { newPasskeyButton, passkeyButton } from './second-factor/passkey-button.ts';

export interface IdentityField {
  readonly name: 'email' | 'password' | 'new_password' | 'name' | 'code';
  readonly label: MailTextKey;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly help?: MailTextKey;
}

/** The second factor that a form asks for. */
export interface AskedFactor {
  /** One-time codes are on; else a code is a recovery code. */
  readonly hasCodes: boolean;
  /** Makes what the browser needs to have a passkey sign; null: there is none to be asked for. */
  readonly passkeyOptions: (() => Promise<string>) | null;
}

export interface IdentityForm {
  readonly title: MailTextKey;
  readonly fields: readonly IdentityField[];
  /** It is asked for below the fields; null: the account has none. */
  readonly secondFactor?: AskedFactor | null;
  readonly action: MailTextKey;
  /** What is sent along, by its name. */
  readonly hidden?: Readonly<Record<string, string>>;
  /** The texts above and below the form. */
  readonly before?: Html;
  readonly after?: Html;
}

/** A form whose one button has the browser make a passkey. */
export type NewPasskeyForm = Required<Pick<IdentityForm, 'title' | 'hidden' | 'before' | 'after'>>;

/** The values that were typed; passwords are never sent back. */
export type Typed = Readonly<Partial<Record<IdentityField['name'], string>>>;
export type Mistakes = Readonly<Partial<Record<IdentityField['name'], MailTextKey>>>;

export interface Refusal {
  readonly status: 403 | 422 | 429;
  /** The text above the form, where no field is to blame. */
  readonly notice?: string;
  readonly mistakes?: Mistakes;
  readonly retryAfterSeconds?: number;
}

/** How a page answers, where that is not 200. */
interface HowAnswered {
  readonly status?: number;
  readonly retryAfterSeconds?: number | undefined;
  /** The browser forgets what the app keeps on the device: nobody is signed in any more. */
  readonly clearsDevice?: boolean;
  /** The scripts of the page; that for passkeys lets it ask the browser for them too. */
  readonly scripts?: readonly PageScript[];
}

const TOKEN = 'form_token';
const WITH_PASSKEYS = permissionsPolicy({ allowsPasskeys: true });

/** One visit of one page: its language, what was sent, and how it is answered. */
export class Visit {
  readonly language: MailLanguage;
  private readonly services: Services;
  private readonly request: FastifyRequest;
  private readonly reply: FastifyReply;
  private readonly secret: string;
  private readonly cookies: Cookies;
  /** The secret that this answer gives the browser; null: it has one, or needs none. */
  private madeSecret: string | null = null;

  constructor(
    services: Services,
    secret: string,
    request: FastifyRequest,
    reply: FastifyReply,
    wishedLocales = '',
  ) {
    this.services = services;
    this.secret = secret;
    this.cookies = cookiesOf(services.config);
    this.request = request;
    this.reply = reply;
    const wishes = [
      this.parameter('ui_locales') || wishedLocales,
      request.headers['accept-language'],
    ];
    this.language = languageOf(wishes.find((wish) => wish)?.replace(/ /g, ','));
  }

  /** Returns a parameter of the address; '' when it is not there. */
  parameter(name: string): string {
    const value = (this.request.query as Readonly<Record<string, unknown>>)[name];
    return typeof value === 'string' ? value : '';
  }

  /** Returns a field of the form that was sent; '' when it is not there. */
  sent(name: string): string {
    const body = this.request.body as Readonly<Record<string, unknown>> | undefined;
    const value = body?.[name];
    return typeof value === 'string' ? value : '';
  }

  say(key: MailTextKey, values: TextValues = {}): string {
    return translate(this.language, key, values);
  }

  /** Returns a link to another of our pages, in the language of this one. */
  link(path: string, text: MailTextKey): Html {
    return html`<p><a href="${path}?ui_locales=${this.language}">${this.say(text)}</a></p>`;
  }

  /** Returns what went wrong, as it stands above a form. */
  notice(text: string): Html {
    return html`<p class="error notice" role="alert">${text}</p>`;
  }

  /**
   * Returns a form that is one button, which sends `fields` to this page.
   *
   * @param about what it is about, for who hears the button alone
   */
  button(label: MailTextKey, fields: Readonly<Record<string, string>>, about = ''): Html {
    const name = about === '' ? '' : html` aria-label="${this.say(label)}: ${about}"`.html;
    return html`<form method="post" action="${this.address()}">
      ${this.hidden(fields)}
      <button type="submit" ${{ html: name }}>${this.say(label)}</button>
    </form>`;
  }

  async showForm(
    form: IdentityForm,
    typed: Typed = {},
    refusal: Refusal | null = null,
  ): Promise<void> {
    const { notice, mistakes = {} } = refusal ?? {};
    const { code, options } = await factorOf(form);
    const isFirst = form.fields.length === 0;
    const passkey =
      options === null ? nothing : passkeyButton((key) => this.say(key), options, isFirst);
    const all = [...form.fields, ...code].map((field) =>
      this.field(field, typed[field.name] ?? '', mistakes),
    );
    await this.show(
      form.title,
      html`${form.before ?? nothing} ${notice === undefined ? nothing : this.notice(notice)}
        <form method="post" action="${this.address()}" novalidate>
          ${this.hidden(form.hidden ?? {})} ${isFirst ? [passkey, ...all] : [...all, passkey]}
          <button type="submit">${this.say(form.action)}</button>
        </form>
        ${form.after ?? nothing}`,
      { ...refusal, scripts: scriptsOf(form, options !== null) },
    );
  }

  /** Shows a form whose button has the browser make a passkey by `options`, and sends it. */
  async showNewPasskey(form: NewPasskeyForm, options: string): Promise<void> {
    await this.show(
      form.title,
      html`${form.before}
        <form method="post" action="${this.address()}" novalidate>
          ${this.hidden(form.hidden)} ${newPasskeyButton((key) => this.say(key), options)}
        </form>
        ${form.after}`,
      { scripts: ['passkey-page'] },
    );
  }

  async show(
    title: MailTextKey,
    body: Html,
    { status = 200, retryAfterSeconds, clearsDevice = false, scripts = [] }: HowAnswered = {},
  ): Promise<void> {
    const { language } = this;
    if (retryAfterSeconds !== undefined) void this.reply.header('retry-after', retryAfterSeconds);
    if (clearsDevice) void this.reply.header('clear-site-data', '"cache", "storage"');
    if (scripts.includes('passkey-page'))
      void this.reply.header('permissions-policy', WITH_PASSKEYS);
    const policy = policyFor(this.services.config.publicUrl, { usesScript: scripts.length > 0 });
    const isForm = this.request.method === 'GET' || status !== 200;
    const address = isForm ? this.address() : null;
    await this.reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('referrer-policy', 'no-referrer')
      .header('content-security-policy', policy)
      .send(pageOf({ language, title, body, address, scripts }));
  }

  async leadTo(address: string): Promise<void> {
    await this.reply.header('cache-control', 'no-store').redirect(address, 303);
  }

  /** A secret that only this browser knows; null before it was given its first page. */
  get browserSecret(): string | null {
    return this.cookie();
  }

  /** Returns true when the form was sent from a page that we gave to this browser. */
  isFromOurPage(): boolean {
    const cookie = this.cookie();
    if (cookie === null) return false;
    const [sent, wanted] = [this.sent(TOKEN), this.tokenFor(cookie)].map((text) =>
      Buffer.from(text),
    );
    if (sent === undefined || wanted === undefined) return false;
    return sent.length === wanted.length && timingSafeEqual(sent, wanted);
  }

  /** Returns the fields that nobody sees, with the one by which a form is known as ours. */
  private hidden(values: Readonly<Record<string, string>>): readonly Html[] {
    return Object.entries({ [TOKEN]: this.formToken(), ...values }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    );
  }

  private field(
    { name, label, type, autocomplete, help }: IdentityField,
    typed: string,
    all: Mistakes,
  ) {
    const mistake = all[name];
    const isFirst = Object.keys(all)[0] === name;
    const described = mistake === undefined ? (help === undefined ? null : 'help') : 'error';
    const attributes = [
      type === 'password' ? '' : html` value="${typed}"`.html,
      mistake === undefined ? '' : ' aria-invalid="true"',
      described === null ? '' : ` aria-describedby="${name}-${described}"`,
      isFirst ? ' autofocus' : '',
    ].join('');
    return html`<div class="field">
      <label for="${name}">${this.say(label)}</label>
      <div class="${type}">
        <input
          id="${name}"
          name="${name}"
          type="${type}"
          autocomplete="${autocomplete}"
          required${{ html: attributes }}
        />${showButton((key) => this.say(key), name, type)}
      </div>
      ${mistake === undefined ? nothing : html`<p class="error" id="${name}-error" role="alert">${this.say(mistake)}</p>`}
      ${help === undefined || mistake !== undefined ? nothing : html`<p class="help" id="${name}-help">${this.say(help)}</p>`}
    </div> `;
  }

  private address(): string {
    const to = new URL(this.request.url, 'http://here');
    to.searchParams.set('ui_locales', this.language);
    return `${to.pathname}${to.search}`;
  }

  /** Returns the secret that only this browser knows; it is given one when it has none. */
  keptSecret(): string {
    const known = this.cookie() ?? this.madeSecret;
    if (known !== null) return known;
    const made = Buffer.from(this.services.random(new Uint8Array(16))).toString('base64url');
    const { form, path, isSecure } = this.cookies;
    void this.reply.header(
      'set-cookie',
      `${form}=${made}; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`,
    );
    this.madeSecret = made;
    return made;
  }

  private formToken(): string {
    return this.tokenFor(this.keptSecret());
  }

  private cookie(): string | null {
    const prefix = `${this.cookies.form}=`;
    const all = (this.request.headers.cookie ?? '').split(';').map((each) => each.trim());
    const value = all.find((each) => each.startsWith(prefix))?.slice(prefix.length) ?? '';
    return /^[\w-]{16,64}$/.test(value) ? value : null;
  }

  private tokenFor(cookie: string): string {
    return createHmac('sha256', this.secret).update(`form ${cookie}`).digest('base64url');
  }
}

const LONGEST_EMAIL = 254;

export function isEmail(text: string): boolean {
  return text.length <= LONGEST_EMAIL && isPlain(text) && isAddress(text);
}

export const fields = {
  email: {
    name: 'email',
    label: 'identity.email',
    type: 'email',
    autocomplete: 'username',
  },
  password: {
    name: 'password',
    label: 'identity.password',
    type: 'password',
    autocomplete: 'current-password',
  },
  newPassword: {
    name: 'password',
    label: 'identity.password',
    type: 'password',
    autocomplete: 'new-password',
    help: 'identity.passwordHelp',
  },
  name: { name: 'name', label: 'identity.name', type: 'text', autocomplete: 'name' },
  code: {
    name: 'code',
    label: 'identity.code',
    type: 'text',
    autocomplete: 'one-time-code',
    help: 'identity.code.help',
  },
} as const satisfies Readonly<Record<string, IdentityField>>;

const recoveryCode = {
  ...fields.code,
  label: 'identity.code.recovery',
  help: 'identity.code.recoveryHelp',
} as const;

function scriptsOf({ fields: all }: IdentityForm, usesPasskeys: boolean): readonly PageScript[] {
  return [
    ...(usesPasskeys ? ['passkey-page' as const] : []),
    ...(all.some(({ type }) => type === 'password') ? ['password-page' as const] : []),
  ];
}

/** Returns how the second factor is asked for: a field for a code, and options of a passkey. */
async function factorOf({ secondFactor }: IdentityForm) {
  if (!secondFactor) return { code: [], options: null };
  const code = [secondFactor.hasCodes ? fields.code : recoveryCode];
  return { code, options: (await secondFactor.passkeyOptions?.()) ?? null };
}

/** By this whoever is signed in shows once more that it is them. */
export const presentPassword = { ...fields.password, label: 'identity.change.present' } as const;
