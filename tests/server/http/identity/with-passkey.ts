import { SoftwarePasskey } from '../../../support/authenticator.ts';
import type { Signed } from '../../../support/authenticator.ts';
import { formTokenIn, PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import type { Answer, Tokens } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from './people.ts';
import type { Place } from './place.ts';
import { codesIn, PAGE } from './with-second-factor.ts';

export const ADD = `${PAGE}?do=passkey`;

/** Somebody with one passkey and no one-time codes, signed in in a browser. */
export interface WithPasskey {
  readonly sub: string;
  readonly email: string;
  readonly browser: PlainBrowser;
  readonly tokens: Tokens;
  readonly passkey: SoftwarePasskey;
  readonly codes: readonly string[];
}

interface Options {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly allowCredentials?: readonly {
    readonly id: string;
    readonly transports?: readonly string[];
  }[];
  readonly excludeCredentials?: readonly { readonly id: string }[];
}

/** Returns what the page hands to its script; null: the page asks for no passkey. */
export function optionsIn(html: string): Options | null {
  const [, found] = /data-options="([^"]+)"/.exec(html) ?? [];
  if (found === undefined) return null;
  return JSON.parse(
    found
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, '&'),
  ) as Options;
}

/** Returns the challenge that the page shows. @throws Error when it asks for no passkey */
export function challengeIn(html: string): string {
  const options = optionsIn(html);
  if (options === null) throw new Error(`No passkey is asked for: ${html}`);
  return options.challenge;
}

export function newPasskey({ parts }: Pick<Place, 'parts'>, id?: string): SoftwarePasskey {
  const { origin, hostname } = new URL(parts.config.publicUrl);
  return new SoftwarePasskey({ origin, rpId: hostname }, id);
}

/** Gives name and proof; returns the page that has the browser make a passkey. */
export function beginPasskey(
  browser: PlainBrowser,
  name: string,
  proof: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return browser.send(ADD, { name, password: PASSWORD, ...proof });
}

/** Sends what the browser made, as the script of that page does. */
export function finishPasskey(
  browser: PlainBrowser,
  { html }: Answer,
  name: string,
  made: Signed,
): Promise<Answer> {
  const form = { name, new_passkey: JSON.stringify(made), form_token: formTokenIn(html) };
  return browser.ask(ADD, form);
}

/** Fills in the form at `address`, with a signature in place of a code. */
export async function sendWithPasskey(
  browser: PlainBrowser,
  address: string,
  passkey: SoftwarePasskey,
  form: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const { html } = await browser.ask(address);
  const signed = JSON.stringify(passkey.sign(challengeIn(html)));
  return browser.ask(address, { ...form, passkey: signed, form_token: formTokenIn(html) });
}

/** Makes an account and adds a passkey, as its owner does. */
export async function passkeyOwner(
  place: Pick<Place, 'server' | 'parts'>,
  email: string,
): Promise<WithPasskey> {
  const sub = await anAccount(place, email);
  const browser = new PlainBrowser(place.server);
  const { auth } = place.parts.config;
  const tokens = await signInByForm(place.server, email, PASSWORD, { auth, browser });
  const passkey = newPasskey(place);
  const page = await beginPasskey(browser, 'My phone');
  const made = passkey.register(challengeIn(page.html));
  const done = await finishPasskey(browser, page, 'My phone', made);
  const codes = codesIn(done.html);
  if (codes.length === 0) throw new Error(`Not added: ${done.status} ${done.html}`);
  return { sub, email, browser, tokens, passkey, codes };
}
