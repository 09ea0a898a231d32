import {
  authorizeAddress,
  formTokenIn,
  PlainBrowser,
  redirectOf,
  signInByForm,
} from '../../support/sign-in.ts';
import type { Auth } from '../../support/sign-in.ts';
import type { LiveForm } from './texts.ts';

/** Addresses with tokens that work, as mails bring them. */
export interface MailedLinks {
  readonly reset: string;
  readonly verify: string;
  readonly signIn: string;
}

/** The person who is signed in where the password is changed. */
export interface SignedIn {
  readonly email: string;
  readonly password: string;
}

/**
 * Opens every form of the bundled provider in one browser: the page of a sign-in that has begun, and
 * those that mailed links lead to; where an account is named, the page to change its password too. None of them ends before its fields are read.
 */
export async function openForms(
  server: string,
  auth: Auth,
  links: MailedLinks,
  account: SignedIn | null = null,
): Promise<readonly LiveForm[]> {
  const browser = new PlainBrowser(server);
  const { address, verifier } = authorizeAddress(auth);
  const page = await browser.open(address);
  const form_token = formTokenIn(page.html);
  if (form_token === '') throw new Error(`The sign-in page has no form: ${String(page.status)}`);
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');

  const form = (
    path: string,
    names: readonly string[],
    values: Readonly<Record<string, string>> = {},
  ): LiveForm => {
    const { pathname, search } = new URL(path, server);
    return {
      path: `${pathname}${search}`,
      names: [...names, 'form_token'],
      values: { ...values, form_token },
      headers: { Cookie },
    };
  };
  const { clientId: client_id } = auth;
  const redirect_uri = redirectOf(auth);
  const atTokens = (names: readonly string[], values: Readonly<Record<string, string>>) => ({
    path: '/oidc/token',
    names,
    values,
    headers: {},
  });
  const [email, password] = ['ana@fuzz.test', 'a wrong password'];
  return [
    form(page.address, ['email', 'password'], { email, password }),
    form('/oidc/sign-up', ['email', 'password', 'name'], { email, password, name: 'Ana Hill' }),
    form('/oidc/forgot', ['email'], { email }),
    form(links.reset, ['password'], { password }),
    form(links.verify, ['password'], { password }),
    form(links.signIn, []),
    ...(account === null ? [] : [await formToChange(server, auth, account)]),
    atTokens(['code', 'code_verifier', 'client_id', 'redirect_uri'], {
      grant_type: 'authorization_code',
      client_id,
      redirect_uri,
      code: 'no-such-code',
      code_verifier: verifier,
    }),
    atTokens(['refresh_token', 'grant_type'], {
      grant_type: 'refresh_token',
      client_id,
      refresh_token: 'no-such-token',
    }),
  ];
}

async function formToChange(
  server: string,
  auth: Auth,
  { email, password }: SignedIn,
): Promise<LiveForm> {
  const browser = new PlainBrowser(server);
  await signInByForm(server, email, password, { auth, browser });
  const path = '/oidc/password';
  const form_token = formTokenIn((await browser.ask(path)).html);
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return {
    path,
    names: ['password', 'new_password', 'form_token'],
    values: { password, new_password: password, form_token },
    headers: { Cookie },
  };
}
