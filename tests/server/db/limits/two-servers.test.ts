import { expect } from 'chai';
import { PROCESS_HEADER } from '#server/http/hub/forward-to-process.ts';
import { newId } from '../../../support/make.ts';
import { PlainBrowser } from '../../../support/sign-in.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { HELLO, PING, RawClient } from '../../http/hub/raw-client.ts';

const MOST = 6;

describe('[wire 15.2] two servers on one database', function () {
  this.timeout(60_000);
  let now = Date.UTC(2026, 5, 1, 12);
  let servers: readonly TestServer[];
  const at = (n: number): TestServer => {
    const server = servers[n % servers.length];
    if (server === undefined) throw new Error('There is no server');
    return server;
  };

  before(async () => {
    const options = {
      clock: () => now,
      installation: newId(),
      limits: { requestsOfAddress: MOST, redeemTries: MOST, signInMails: MOST },
      env: { PUBLIC_URL: 'http://slipway.test' },
    };
    servers = [await startServer(options), await startServer(options)];
  });
  after(async () => {
    for (const server of servers) await server.stop();
  });
  beforeEach(() => {
    now += 3_600_000;
  });
  const address = ({ parts: services }: TestServer) =>
    `http://127.0.0.1:${String(services.config.port)}`;

  it('together let one person try to redeem so often in a minute, and not once more', async () => {
    const token = await tokenFor(at(0).parts, `redeeming-${newId()}@limits.test`);
    const tryAt = async (n: number) => {
      const path = `/api/organization-membership-invites/redeem/${newId()}`;
      const headers = { Authorization: `Bearer ${token}` };
      return (await fetch(`${address(at(n))}${path}`, { method: 'PATCH', headers })).status;
    };
    await tryAt(0);
    const statuses = await Promise.all(Array.from({ length: MOST + 2 }, (_, n) => tryAt(n)));
    expect(statuses.sort()).to.deep.equal([...Array<number>(MOST - 1).fill(404), 429, 429, 429]);
  });

  it('together send so many mails to one address in an hour, and not one more', async () => {
    const email = `flooded-${newId()}@limits.test`;
    const statuses: number[] = [];
    // The form's pages count as requests of the address, so each browser comes in a minute of its own.
    for (let n = 0; n <= MOST; n += 1) {
      now += 60_000;
      const answer = await new PlainBrowser(address(at(n))).send('/oidc/forgot', { email });
      statuses.push(answer.status);
    }
    expect(statuses).to.deep.equal([...Array<number>(MOST).fill(200), 429]);
  });

  it('together refuse an address what is beyond its minute, once they have shared their counts', async () => {
    const ask = async (n: number) => (await fetch(`${address(at(n))}/api/config`)).status;
    for (let n = 0; n < MOST; n += 1) expect(await ask(0)).to.equal(200);
    expect(await ask(0)).to.equal(429);
    await at(0).parts.limits.stop();
    expect(await ask(1), 'before it knows of the other').to.equal(200);
    await at(1).parts.limits.stop();
    expect(await ask(1)).to.equal(429);
    now += 60_000;
    expect(await ask(1), 'a minute later').to.equal(200);
  });
});

describe('[wire 15.2] a request that one server hands on to another', () => {
  const env = { PUBLIC_URL: 'http://slipway.test' };
  /**
   * Starts two servers with counts of their own and a low limit, so that each shows what it counted
   * itself.
   */
  const startBoth = async () => ({
    near: await startServer({ env }),
    far: await startServer({ env, limits: { requestsOfUser: MOST } }),
  });
  let both: Awaited<ReturnType<typeof startBoth>>;
  let token = '';
  beforeEach(async () => {
    both = await startBoth();
    token = await tokenFor(both.near.parts, `handed-${newId()}@limits.test`);
  });
  afterEach(async () => {
    await both.near.stop();
    await both.far.stop();
  });
  const clientOf = ({ parts: services }: TestServer) =>
    new RawClient(`http://127.0.0.1:${String(services.config.port)}`, token);
  const postings = async (headers?: Readonly<Record<string, string>>) => {
    const connection = await clientOf(both.far).negotiate();
    await clientOf(both.far).ask('GET', `?id=${connection}`);
    const client = clientOf(headers === undefined ? both.near : both.far);
    const statuses: number[] = [];
    for (const frame of [HELLO, ...Array<string>(MOST - 1).fill(PING)])
      statuses.push((await client.ask('POST', `?id=${connection}`, frame, headers)).status);
    return statuses;
  };

  it('is counted by the one that it came to, and not once more by the other', async () => {
    expect(await postings()).to.deep.equal(Array<number>(MOST).fill(200));
  });

  it('is counted when a client only says that it was handed on', async () => {
    expect((await postings({ [PROCESS_HEADER]: newId() })).at(-1)).to.equal(429);
  });
});
