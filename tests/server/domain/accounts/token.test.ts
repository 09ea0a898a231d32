import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { tokenFor } from '../../../support/tokens.ts';
import type { TokenOptions, TokenSubject } from '../../../support/tokens.ts';
import { whoAmI } from '../../http/identity/people.ts';
import { openPlace } from '../../http/identity/place.ts';
import type { Place } from '../../http/identity/place.ts';

describe('[wire 2] an access token', () => {
  let place: Place;
  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
  });
  after(() => place.close());

  const mint = (subject: string | TokenSubject, options: TokenOptions = {}) =>
    tokenFor(place.parts, subject, options);

  async function refusal(token: string | null) {
    const { status, header, body } = await whoAmI(place, token);
    const [error] = body.errors ?? [];
    return { status, header, code: error?.code, reason: error?.meta?.reason };
  }
  const refusedAs = (reason: string) => ({
    status: 401,
    header: 'Bearer error="invalid_token"',
    code: 'not-signed-in',
    reason,
  });

  it('that fits says who it is and when it ends [R221]', async () => {
    const { status, body } = await whoAmI(place, await mint('tim@token.test'));
    expect(status).to.equal(200);
    expect(body.user).to.include({ email: 'tim@token.test', authId: 'test|tim@token.test' });
    expect(body.expiresAt).to.be.within(
      place.parts.clock() + 800_000,
      place.parts.clock() + 900_000,
    );
  });

  it('has to be there', async () => {
    expect(await refusal(null)).to.deep.equal({
      status: 401,
      header: 'Bearer',
      code: 'not-signed-in',
      reason: 'missing',
    });
  });

  it('has to be one', async () => {
    expect(await refusal('nonsense')).to.deep.equal(refusedAs('malformed'));
    expect(await refusal('a.b.c')).to.deep.equal(refusedAs('malformed'));
    const headers = { Authorization: 'Basic YTpi' };
    const basic = await fetch(`${place.server}/whoami`, { headers });
    expect(await basic.text()).to.contain('"reason":"malformed"');
  });

  it('ends; 60 s of clock difference are allowed [R230, R425]', async () => {
    const short = await mint('end@token.test', { lastsSeconds: 10 });
    expect((await refusal(short)).status).to.equal(200);
    place.wait(65_000);
    expect((await refusal(short)).status, 'within the tolerance').to.equal(200);
    place.wait(10_000);
    expect(await refusal(short)).to.deep.equal(refusedAs('expired'));
    expect(await refusal(await mint('end@token.test', { lastsSeconds: -61 }))).to.deep.equal(
      refusedAs('expired'),
    );
  });

  it('has to be of this issuer, for this API', async () => {
    const options = [{ issuer: 'https://evil.test' }, { audience: 'https://other.test/api' }];
    for (const option of options)
      expect(await refusal(await mint('eve@token.test', option))).to.deep.equal(
        refusedAs('refused'),
      );
  });

  it('has to be signed with the right key, by a public-key signature', async () => {
    const good = await mint('sig@token.test');
    const [header = '', payload = '', signature = ''] = good.split('.');
    const other = Buffer.from(JSON.stringify({ ...decoded(payload), sub: 'someone else' }));
    const forged = [header, other.toString('base64url'), signature].join('.');
    expect(await refusal(forged)).to.deep.equal(refusedAs('refused'));

    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await refusal([none, payload, ''].join('.'))).status).to.equal(401);

    const shared = await new SignJWT({ ...decoded(payload) })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('a secret that is long enough for HS256'));
    expect(await refusal(shared)).to.deep.equal(refusedAs('refused'));

    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    expect((await exportJWK(privateKey)).kty).to.equal('EC');
    const foreign = await new SignJWT({ ...decoded(payload) })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(privateKey);
    expect(await refusal(foreign)).to.deep.equal(refusedAs('refused'));
  });

  it('brings no key of its own: what its head names is neither read nor asked for', async () => {
    const [, payload = ''] = (await mint('head@token.test')).split('.');
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(publicKey);
    const requested: string[] = [];
    const thief = createServer((request, response) => {
      requested.push(request.url ?? '');
      response.end(JSON.stringify({ keys: [{ ...jwk, kid: 'thief' }] }));
    });
    await new Promise<void>((done) => thief.listen(0, '127.0.0.1', done));
    const at = `http://127.0.0.1:${String((thief.address() as AddressInfo).port)}/keys`;
    try {
      for (const head of [{ jwk }, { jku: at, kid: 'thief' }, { x5u: at, kid: '../../thief' }]) {
        const token = await new SignJWT({ ...decoded(payload) })
          .setProtectedHeader({ alg: 'ES256', ...head })
          .sign(privateKey);
        expect(await refusal(token)).to.deep.equal(refusedAs('refused'));
      }
      expect(requested).to.deep.equal([]);
    } finally {
      await new Promise((done) => thief.close(done));
    }
  });

  it('has to say that the address is verified, and with nothing but true [R221, R231, R294]', async () => {
    for (const verified of [false, 'true', 1, null]) {
      const token = await mint({ email: 'maybe@token.test', email_verified: verified });
      const { status, code } = await refusal(token);
      expect({ status, code }).to.deep.equal({ status: 401, code: 'email-not-verified' });
    }
  });

  function decoded(part: string): Readonly<Record<string, unknown>> {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
  }
});
