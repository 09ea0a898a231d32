import { expect } from 'chai';
import { closeAtTheEnd } from '../../support/hooks.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';
import { send } from './sending.ts';
import type { Sent } from './sending.ts';
import {
  addressAttacks,
  callAttacks,
  fieldAttacks,
  FILLS,
  formAttacks,
  operationAttack,
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
        ...(n % 6 === 0 ? [operationAttack(field, fillAt(n + 12), 2 * BODY)] : []),
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

  it('is answered without a bug in forms, headers, addresses and calls [F1]', async () => {
    const answers = await answersOf([
      ...formAttacks(' ', BODY).filter((_, n) => n % 3 !== 1),
      ...FILLS.flatMap((fill, n) => addressAttacks(fill).filter((_, m) => (n + m) % 6 === 0)),
      ...FILLS.flatMap((fill, n) => callAttacks(fill, BODY).filter((_, m) => (n + m) % 6 === 0)),
    ]);
    const wrong = answers.filter(({ status }) => (status ?? 400) >= 500);
    expect(wrong.map(({ name, status }) => `${name}: ${String(status)}`)).to.deep.equal([]);
  });
});
