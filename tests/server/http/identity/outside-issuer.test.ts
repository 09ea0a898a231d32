import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { lock, whoAmI } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

/** An issuer with nothing but a discovery document and keys; can be switched off. */
class LittleIssuer {
  readonly asked: string[] = [];
  isDown = false;
  /** The address to which its discovery document redirects, if there is one. */
  leadsTo: string | null = null;
  /** The name that its discovery document gives it. */
  name: string | null = null;
  private server: Server | null = null;
  private keys: { readonly jwk: JWK; readonly key: CryptoKey }[] = [];
  url = '';

  async open(): Promise<void> {
    await this.newKey();
    const server = createServer((request, response) => {
      this.asked.push(request.url ?? '');
      response.statusCode = this.isDown ? 503 : 200;
      response.setHeader('content-type', 'application/json');
      const isKeys = request.url === '/keys';
      if (this.leadsTo !== null && request.url?.startsWith('/.well-known/') === true)
        response.writeHead(302, { location: this.leadsTo });
      const document = isKeys
        ? { keys: this.keys.map(({ jwk }) => jwk) }
        : { issuer: this.name ?? `${this.url}/`, jwks_uri: `${this.url}/keys` };
      response.end(JSON.stringify(document));
    });
    this.server = server;
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async newKey(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    const kid = `key-${this.keys.length}`;
    this.keys = [{ jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256' }, key: privateKey }];
  }

  token(email: string): Promise<string> {
    const [newest] = this.keys;
    if (newest === undefined) throw new Error('The issuer is not open');
    return new SignJWT({ email, email_verified: true, name: 'Ola' })
      .setProtectedHeader({ alg: 'RS256', kid: newest.jwk.kid ?? '' })
      .setSubject(`outside|${email}`)
      .setIssuer(this.url)
      .setAudience('https://slipway.test/api')
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(newest.key);
  }

  async close(): Promise<void> {
    await new Promise((done) => this.server?.close(done));
  }
}

describe('an outside issuer', () => {
  const issuer = new LittleIssuer();
  let place: Place;

  before(async function () {
    this.timeout(60_000);
    await issuer.open();
    place = await openPlace({
      OIDC_ISSUER: issuer.url,
      OIDC_CLIENT_ID: 'slipway',
      OIDC_AUDIENCE: 'https://slipway.test/api',
    });
  });
  after(async () => {
    await place.close();
    await issuer.close();
  });

  it('[fault 37] that cannot be reached refuses nobody: the client is told to try again', async () => {
    issuer.isDown = true;
    const { status, body } = await whoAmI(place, await issuer.token('ola@outside.test'));
    expect(status).to.equal(503);
    expect(body.errors?.[0]?.code).to.equal('unavailable');
    issuer.isDown = false;
  });

  it('is not asked elsewhere: a redirect of its discovery document is not followed', async () => {
    issuer.leadsTo = '/elsewhere';
    issuer.asked.length = 0;
    const { status } = await whoAmI(place, await issuer.token('ola@outside.test'));
    issuer.leadsTo = null;
    expect(status).to.equal(503);
    expect(issuer.asked).to.deep.equal(['/.well-known/openid-configuration']);
  });

  it('is not believed while its discovery document is another issuer’s', async () => {
    issuer.name = 'https://another.test';
    const { status } = await whoAmI(place, await issuer.token('ola@outside.test'));
    issuer.name = null;
    expect(status).to.equal(503);
    expect(issuer.asked.at(-1), 'its keys are not even asked for').not.to.equal('/keys');
  });

  it('signs people in, and is asked for its keys once [R3]', async () => {
    issuer.asked.length = 0;
    for (const email of ['ola@outside.test', 'per@outside.test', 'ola@outside.test']) {
      const { status, body } = await whoAmI(place, await issuer.token(email));
      expect(status).to.equal(200);
      expect(body.user).to.include({ email, authId: `outside|${email}` });
    }
    expect(issuer.asked).to.deep.equal(['/.well-known/openid-configuration', '/keys']);
  });

  it('is believed only for its own signatures', async () => {
    const [header = '', payload = ''] = (await issuer.token('eve@outside.test')).split('.');
    const forged = `${header}.${payload}.${Buffer.alloc(256, 1).toString('base64url')}`;
    const { body } = await whoAmI(place, forged);
    expect(body.errors?.[0]?.meta?.reason).to.equal('refused');
  });

  it('does not keep a lock from holding at once; unlocking is all that it takes back [wire 2]', async () => {
    const token = await issuer.token('ida@outside.test');
    await whoAmI(place, token);
    await lock(place, 'outside|ida@outside.test');
    const { status, body } = await whoAmI(place, token);
    expect([status, body.errors?.[0]?.code]).to.deep.equal([403, 'user-locked']);
    await lock(place, 'outside|ida@outside.test', false);
    expect((await whoAmI(place, token)).status, 'sign-ins are the issuer’s affair').to.equal(200);
  });

  it('leaves no bundled provider beside it', async () => {
    for (const path of ['/oidc/auth', '/oidc/sign-up', '/oidc/.well-known/openid-configuration'])
      expect((await fetch(`${place.server}${path}`)).status).to.equal(404);
    const asked = await fetch(`${place.server}/oidc/verification`, { method: 'POST' });
    expect(asked.status).to.equal(404);
  });
});
