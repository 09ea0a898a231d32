import { oneTimeCode } from '../../../support/one-time-code.ts';
import { formTokenIn, PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import type { Tokens } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from './people.ts';
import type { Place } from './place.ts';

export const PAGE = '/oidc/second-factor';

/** A person whose second factor is on, signed in in a browser. */
export interface Guarded {
  readonly sub: string;
  readonly email: string;
  readonly browser: PlainBrowser;
  readonly tokens: Tokens;
  /** The secret in base 32, as the page showed it. */
  readonly secret: string;
  readonly codes: readonly string[];
  /** A code that was not used yet: time goes on until there is one. */
  readonly nextCode: () => string;
}

/** Returns the secret that the page shows to be typed. */
export function secretIn(html: string): string {
  return (/<code>([A-Z2-7 ]+)<\/code>/.exec(html)?.[1] ?? '').replace(/ /g, '');
}

/** Returns the recovery codes that the page shows. */
export function codesIn(html: string): readonly string[] {
  return [...html.matchAll(/<li><code>([A-Z2-7-]+)<\/code>/g)].map(([, code = '']) => code);
}

/** Makes an account and switches its second factor on, as its owner does. */
export async function guarded(
  place: Pick<Place, 'server' | 'parts' | 'wait'>,
  email: string,
): Promise<Guarded> {
  const sub = await anAccount(place, email);
  const browser = new PlainBrowser(place.server);
  const { auth } = place.parts.config;
  const tokens = await signInByForm(place.server, email, PASSWORD, { auth, browser });
  const { secret, codes } = await switchOn(place, browser);
  const nextCode = () => {
    place.wait(60_000);
    return oneTimeCode(secret, place.parts.clock());
  };
  return { sub, email, browser, tokens, secret, codes, nextCode };
}

/** Switches the second factor on of whoever is signed in in `browser`. @throws Error when it stays off */
export async function switchOn(
  { parts }: Pick<Place, 'parts'>,
  browser: PlainBrowser,
): Promise<Pick<Guarded, 'secret' | 'codes'>> {
  const shown = await browser.send(PAGE, { password: PASSWORD });
  const secret = secretIn(shown.html);
  const done = await browser.ask(PAGE, {
    secret,
    code: oneTimeCode(secret, parts.clock()),
    form_token: formTokenIn(shown.html),
  });
  const codes = codesIn(done.html);
  if (codes.length === 0) throw new Error(`Not switched on: ${done.status} ${done.html}`);
  return { secret, codes };
}
