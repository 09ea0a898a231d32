import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '#server/kernel/config.ts';
import { isBreached } from '#server/domain/accounts/breached-passwords.ts';
import { PlainBrowser, signInByForm } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

const BREACHED = Array.from({ length: 1_000 }, (_, n) => `breached password ${String(n)}`);
const hashOf = (password: string) =>
  createHash('sha1').update(password).digest('hex').toUpperCase();

describe('a password that was breached', function () {
  this.timeout(60_000);
  let place: Place;
  let folder: string;
  const write = (passwords: readonly string[], end = '\n') => {
    const path = join(folder, `list-${String(passwords.length)}-${String(end.length)}.txt`);
    // Counts of different lengths make lines of different lengths.
    const lines = passwords.map(hashOf).map((hash, n) => `${hash}:${'7'.repeat((n % 8) + 1)}`);
    writeFileSync(path, lines.sort().join(end) + (passwords.length === 0 ? '' : end));
    return path;
  };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'slipway-breached-'));
    place = await openPlace({ BREACHED_PASSWORDS: write(BREACHED) });
  });
  after(async () => {
    await place.close();
    rmSync(folder, { recursive: true });
  });

  it('is found in the list wherever it stands, and no other is', () => {
    for (const end of ['\n', '\r\n']) {
      const path = write(BREACHED, end);
      expect(BREACHED.filter((password) => !isBreached(path, password))).to.deep.equal([]);
      const others = BREACHED.map((password) => `${password}!`);
      expect(others.filter((password) => isBreached(path, password))).to.deep.equal([]);
    }
    for (const count of [0, 1, 2, 3]) {
      const path = write(BREACHED.slice(0, count));
      const found = BREACHED.slice(0, 4).filter((password) => isBreached(path, password));
      expect(found, String(count)).to.deep.equal(BREACHED.slice(0, count));
    }
  });

  it('is refused at signing up, by a mailed link and when it is changed', async () => {
    const [password = ''] = BREACHED;
    // The mailed link is in the language of its owner.
    const words = /found in a list of stolen passwords|une liste de mots de passe volés/;
    const browser = new PlainBrowser(place.server);
    const form = { email: 'new@breached.test', name: 'Ana', password };
    const signUp = await browser.send('/oidc/sign-up', form);
    expect(signUp.status).to.equal(422);
    expect(signUp.html).to.match(words);

    await anAccount(place, 'ana@breached.test');
    await browser.send('/oidc/forgot', { email: 'ana@breached.test' });
    const { values } = await place.mailTo('ana@breached.test');
    const link = 'link' in values ? values.link : '';
    expect((await browser.send(link, { password })).html).to.match(words);

    const { auth } = place.parts.config;
    await signInByForm(place.server, 'ana@breached.test', PASSWORD, { auth, browser });
    const change = { password: PASSWORD, new_password: password };
    expect((await browser.send('/oidc/password', change)).html).to.match(words);
    const other = { password: PASSWORD, new_password: 'battery staple' };
    expect((await browser.send('/oidc/password', other)).status).to.equal(200);
  });

  it('stops the start where the list cannot be read', () => {
    const env = { BREACHED_PASSWORDS: join(folder, 'nothing.txt') };
    expect(() => readConfig(env)).to.throw('BREACHED_PASSWORDS must be a file that can be read');
  });
});
