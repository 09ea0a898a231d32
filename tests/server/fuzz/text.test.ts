import { expect } from 'chai';
import { newLink } from '#server/domain/accounts/account-links.ts';
import { newId } from '../../support/make.ts';
import { closeAtTheEnd } from '../../support/hooks.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';
import { anAccount, PASSWORD } from '../http/identity/people.ts';
import { openForms } from './live-forms.ts';
import { send } from './sending.ts';
import type { Sent } from './sending.ts';
import {
  addressAttacks,
  callAttacks,
  fieldAttacks,
  FILLS,
  formAttacks,
  operationAttacks,
  TEXT_FIELDS,
} from './texts.ts';
import type { Attack } from './texts.ts';

/** `npm run fuzz` sends all of them with every fill, and times what others wait meanwhile. */
const BODY = 1_000_000;

describe('a text as long as a body holds', () => {
  let server: TestServer;
  let token = '';

  before(async () => {
    server = await startServer();
    closeAtTheEnd(() => server.stop());
    token = await tokenFor(server.parts, 'fuzz@text.test', { lastsSeconds: 3_600 });
  });

  /** The fill of the place: all fills are sent by all places together. */
  const fillAt = (place: number): string => FILLS[place % FILLS.length] ?? ' ';
  let sender = 1;
  const answersOf = async (attacks: readonly Attack[]) => {
    const answers: (Sent & { readonly name: string })[] = [];
    for (const attack of attacks) {
      sender = (sender % 250) + 1;
      answers.push({
        name: attack.name,
        ...(await send(server.url, token, attack, `127.0.1.${sender}`)),
      });
    }
    return answers;
  };
  const isRefused = ({ status }: Sent): boolean =>
    status === null || (status >= 400 && status < 500);

  it('is refused in every field of every type, by every way of writing it [F1]', async () => {
    const answers = await answersOf(
      TEXT_FIELDS.flatMap((field, n) => [
        ...fieldAttacks(field, fillAt(n), BODY),
        ...(n % 6 === 0 ? operationAttacks(field, fillAt(n + 12), 2 * BODY) : []),
      ]),
    );
    const wrong = answers.filter(
      (answer) => !isRefused(answer) && !answer.text.includes('"operations"'),
    );
    expect(wrong.map(({ name, status }) => `${name}: ${String(status)}`)).to.deep.equal([]);

    const tooLong = TEXT_FIELDS.filter(({ limit }) => limit !== null).map(
      ({ type, name }) => `${type}.${name}`,
    );
    const said = answers.filter(({ text }) => text.includes('too-long')).map(({ name }) => name);
    const unsaid = tooLong.filter((field) => !said.some((name) => name.startsWith(`${field} `)));
    expect(unsaid).to.deep.equal([]);
  });

  /** Every form, with links that work for an account of its own. */
  const liveForms = async () => {
    const { parts: services, url } = server;
    const { clock, random } = services;
    const email = `linked-${newId()}@fuzz.test`;
    const account = await anAccount(server, email);
    const link = async (path: string, purpose: 'reset' | 'verify' | 'sign-in') => {
      const wanted = { accountId: account, purpose };
      const secret = await services.db.transact((tx) => newLink(tx, wanted, clock, random));
      return `${path}?token=${secret}`;
    };
    const links = {
      reset: await link('/oidc/reset', 'reset'),
      verify: await link('/oidc/verify', 'verify'),
      signIn: await link('/oidc/sign-in', 'sign-in'),
    };
    return openForms(url, services.config.auth, links, { email, password: PASSWORD });
  };

  it('is read, and refused, in every field of every form of the sign-in [F1]', async () => {
    const forms = await liveForms();
    const marks = FILLS.at(-1) ?? '';
    const attacks = formAttacks(forms, marks, BODY);
    const answers = await answersOf(attacks);
    const statuses = new Map(answers.map(({ name, status }) => [name, status]));
    for (const { path, names, values } of forms.filter(({ values: { form_token } }) => form_token))
      for (const name of names) {
        const [page = ''] = path.split('?');
        const said = [5_000, BODY].map((length) =>
          statuses.get(`${page} ${name} ${JSON.stringify(marks)} × ${length}`),
        );
        // 422 names the field; 403 comes of a form token that is none of ours.
        const wanted = name === 'form_token' ? 403 : 422;
        expect(said[0], `${page} ${name} ${JSON.stringify(values)}`).to.equal(wanted);
        expect(said[1], `${page} ${name}`).to.be.oneOf([413, null]);
      }
  });

  it('is answered without a bug in forms, headers, addresses and calls [F1]', async () => {
    const answers = await answersOf([
      ...formAttacks(await liveForms(), ' ', BODY).filter((_, n) => n % 3 !== 1),
      ...FILLS.flatMap((fill, n) => addressAttacks(fill).filter((_, m) => (n + m) % 6 === 0)),
      ...FILLS.flatMap((fill, n) => callAttacks(fill, BODY).filter((_, m) => (n + m) % 6 === 0)),
    ]);
    const wrong = answers.filter(({ status }) => (status ?? 400) >= 500);
    expect(wrong.map(({ name, status }) => `${name}: ${String(status)}`)).to.deep.equal([]);
  });
});
