import { expect } from 'chai';
import { newLink } from '#server/domain/accounts/account-links.ts';
import type { AccountLinkPurpose } from '#server/domain/accounts/account-links.ts';
import { addAccount } from '#server/domain/accounts/accounts.ts';
import { hashPassword } from '#server/domain/accounts/password.ts';
import { authorizeAddress, PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

describe('a password', () => {
  let place: Place;
  const auth = () => place.parts.config.auth;
  const isTaken = (email: string, password: string) =>
    signInByForm(place.server, email, password, { auth: auth() }).then(
      () => true,
      (error: unknown) => {
        expect(String(error)).to.include('422');
        return false;
      },
    );
  const accountWith = async (email: string, password: string) => {
    const { db, clock, random } = place.parts;
    const passwordHash = await hashPassword(password, random);
    const account = { email, name: 'Ana', passwordHash, isVerified: true, locale: null };
    await db.transact((tx) => addAccount(tx, account, clock, random));
  };
  const linkTo = async (path: string, purpose: AccountLinkPurpose, accountId: string) => {
    const { db, clock, random } = place.parts;
    const token = await db.transact((tx) => newLink(tx, { accountId, purpose }, clock, random));
    return `${path}?token=${token}`;
  };
  /** Every page of sign-in that has a form, as HTML by its path. */
  const formPages = async (town: string) => {
    const browser = new PlainBrowser(place.server);
    const started = await browser.open(authorizeAddress(auth()).address);
    const sub = await anAccount(place, `pages@${town}.test`);
    const unverified = await anAccount(place, `new@${town}.test`, { isVerified: false });
    const addresses = {
      'sign-in': started.address,
      'sign-up': '/oidc/sign-up',
      forgot: '/oidc/forgot',
      reset: await linkTo('/oidc/reset', 'reset', sub),
      verify: await linkTo('/oidc/verify', 'verify', unverified),
      'mailed link': await linkTo('/oidc/sign-in', 'sign-in', sub),
    };
    const pages = new Map<
      string,
      { readonly inputs: readonly string[]; readonly policy: string }
    >();
    for (const [name, address] of Object.entries(addresses)) {
      const { html, headers, status } = await browser.ask(address);
      expect(status, name).to.equal(200);
      const inputs = html.match(/<input[^>]*>/g) ?? [];
      pages.set(name, { inputs, policy: headers.get('content-security-policy') ?? '' });
    }
    return pages;
  };
  const attribute = (input: string, name: string) =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(input)?.[1] ?? null;

  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  it('is masked where it is typed, and may be pasted or filled in by a password manager', async () => {
    const pages = await formPages('masked');
    const found = new Map<string, string | null>();
    for (const [page, { inputs, policy }] of pages) {
      expect(policy, page)
        .to.match(/^default-src 'none'/)
        .and.not.include('unsafe');
      const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? null;
      const hasPassword = inputs.some((each) => attribute(each, 'type') === 'password');
      expect(scripts, page).to.equal(hasPassword ? "'self'" : null);
      for (const input of inputs.filter((each) => attribute(each, 'name') === 'password')) {
        expect(attribute(input, 'type'), page).to.equal('password');
        expect(input, page).not.to.match(/\s(on\w+|maxlength|readonly|pattern)\b/);
        found.set(page, attribute(input, 'autocomplete'));
      }
    }
    expect(Object.fromEntries(found)).to.include({
      'sign-in': 'current-password',
      'sign-up': 'new-password',
      reset: 'new-password',
    });
  }).timeout(20_000);

  it('is all that is asked for beside address and name: there are no hints and no secret questions', async () => {
    const pages = await formPages('hints');
    const inputs = [...pages.values()].flatMap((page) => page.inputs);
    const asked = new Set(inputs.map((input) => attribute(input, 'name')));
    expect([...asked]).to.have.members(['email', 'password', 'name', 'form_token']);
  }).timeout(20_000);

  it('counts exactly as it was typed, to its last character', async () => {
    const password = `  Étude ${'x'.repeat(190)}Q `;
    await accountWith('exact@passwords.test', password);
    for (const other of [
      password.trim(),
      password.slice(0, -1),
      password.slice(1),
      password.toLowerCase(),
      password.toUpperCase(),
      password.replace('Q', 'q'),
      password.replace('É', 'E'),
      password.slice(0, 72),
    ])
      expect(await isTaken('exact@passwords.test', other), JSON.stringify(other)).to.equal(false);
    expect(await isTaken('exact@passwords.test', password)).to.equal(true);
  }).timeout(60_000);

  it('is the same on a keyboard that writes an accent apart', async () => {
    await accountWith('accents@passwords.test', 'E\u0301tudes no 1');
    expect(await isTaken('accents@passwords.test', '\u00c9tudes no 1')).to.equal(true);
  }).timeout(20_000);

  it('works for as long as nobody changes it, ten years on too', async () => {
    await anAccount(place, 'old@passwords.test');
    place.wait(10 * 366 * 86_400_000);
    expect(await isTaken('old@passwords.test', PASSWORD)).to.equal(true);
  }).timeout(20_000);
});
