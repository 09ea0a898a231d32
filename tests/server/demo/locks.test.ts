import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import { accountList, DEMO_PASSWORD } from '#server/demo/accounts.ts';
import { accountByEmail, setPassword } from '#server/domain/accounts/accounts.ts';
import { hashPassword } from '#server/domain/accounts/password.ts';
import { start } from '#server/main.ts';
import type { RunningServer } from '#server/main.ts';
import { freshPlace } from '../../support/database.ts';
import type { Place } from '../../support/database.ts';
import { freePort } from '../../support/free-port.ts';
import { aCause } from '../../support/make.ts';
import { smallApp } from '../../support/server.ts';
import { tokenFor } from '../../support/tokens.ts';
import type { TokenSubject } from '../../support/tokens.ts';
import { TEST_KEY } from '../../support/test-key.ts';

describe('a start without the demo over what was a demo [F5]', function () {
  this.timeout(180_000);
  let place: Place;
  let port: number;
  let running: RunningServer;
  const PUBLIC_URL = 'https://slipway.test';
  const WARNING = 'TRUSTED_PROXIES is not set';
  const CHANGED = 'both@slipway.test';
  const LOCKED = 'locked@lakeside.test';
  const UNVERIFIED = 'unverified@lakeside.test';

  const startAgain = async (demo: '0' | '1', settings: Env = {}) => {
    const { databaseUrl, dataDir } = place;
    const env = {
      DATA_DIR: dataDir,
      PORT: String(port),
      DATABASE_URL: databaseUrl ?? '',
      DEMO: demo,
      SECRET_KEY: TEST_KEY,
      ...settings,
    };
    const appDir = smallApp(dataDir);
    const random = (bytes: Uint8Array) => randomFillSync(bytes);
    running = await start(readConfig(env), { clock: Date.now, random, appDir });
  };
  const log = () => readFileSync(join(place.dataDir, 'log', `server-${String(port)}.log`), 'utf8');

  /** Returns the status that the API gives to `email`, who has a valid token. */
  const statusFor = async (email: string): Promise<number> => {
    const { services } = running;
    const account = await services.db.transact((tx) => accountByEmail(tx, email));
    const subject: TokenSubject = {
      email,
      sub: account?.id ?? '',
      era: account?.era ?? 0,
      email_verified: account?.isVerified === true,
    };
    const token = await tokenFor(services, subject);
    const headers = { Authorization: `Bearer ${token}` };
    return (await fetch(`http://127.0.0.1:${String(port)}/api/users/current-user`, { headers }))
      .status;
  };
  const statuses = async () => {
    const all: Record<string, number> = {};
    for (const [, { email }] of accountList) all[email] = await statusFor(email);
    return all;
  };
  const everyone = (status: number, others: Readonly<Record<string, number>>) => ({
    ...Object.fromEntries(accountList.map(([, { email }]) => [email, status])),
    ...others,
  });
  const lockedNow = () =>
    running.services.db.read(async (tx) =>
      (await tx.all('user', { isLocked: true })).map(({ email }) => email),
    );

  before(async () => {
    place = await freshPlace();
    port = await freePort();
    await startAgain('1');
    const { db, random } = running.services;
    const changed = await hashPassword(`not ${DEMO_PASSWORD}`, random);
    await db.write(aCause(), async (write) => {
      await setPassword(write, (await accountByEmail(write, CHANGED))?.id ?? '', changed);
    });
  });
  after(async () => {
    await running.stop();
    await place.remove();
  });

  it('locks whoever still has the published password, says so, and leaves the others alone', async () => {
    const before = await statuses();
    expect(before).to.deep.equal(everyone(200, { [LOCKED]: 403, [UNVERIFIED]: 401 }));
    await running.stop();
    await startAgain('0');
    expect(await statuses()).to.deep.equal(everyone(403, { [CHANGED]: 200, [UNVERIFIED]: 401 }));
    expect(log()).to.include('7 demo accounts were locked, because everybody knows their password');
  });

  it('says nothing more at the next start, when all are locked', async () => {
    const said = log().split('demo accounts were locked').length;
    await running.stop();
    await startAgain('0', { PUBLIC_URL });
    expect(log().split('demo accounts were locked')).to.have.lengthOf(said);
  });

  it('warns that visitors share one address when TLS ends before it and no proxy is named [F9]', () => {
    expect(log().split(WARNING)).to.have.lengthOf(2);
  });

  it('is told to the feed like every lock', async () => {
    const users = await running.services.db.read((tx) => tx.all('user', { isLocked: true }));
    const { db } = running.services;
    for (const { id, email } of users.filter((user) => user.email !== LOCKED)) {
      const last = await db.write({ at: 0, by: null, changes: [] }, (write) =>
        write.lastChange('user', id, ['isLocked']),
      );
      expect(last, email ?? '').to.include({ by: null });
    }
  });

  it('is taken back by a start with the demo, for exactly those that it locked', async () => {
    await running.stop();
    await startAgain('1', { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1' });
    expect(log().split(WARNING), 'now a proxy is named').to.have.lengthOf(2);
    expect(await lockedNow()).to.deep.equal([LOCKED]);
    expect(await statuses()).to.deep.equal(everyone(200, { [LOCKED]: 403, [UNVERIFIED]: 401 }));
  });
});
