import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { DEFAULT_MIN_VERSION } from 'node:tls';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { newSigningKey } from '#engine/android/certificate.ts';
import { OutboundError, createOutboundFetch } from '#server/domain/builds/client/outbound-fetch.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { whoAmI } from './http/identity/people.ts';
import { openPlace } from './http/identity/place.ts';

/** Servers that say who they are with a certificate that nobody vouches for. */
describe('a server that is called over TLS with a certificate that nobody vouches for', () => {
  let server: Server;
  let url = '';
  const requested: string[] = [];

  before(async () => {
    const { privateKey, certificate } = await newSigningKey('127.0.0.1', new Date());
    server = createServer({ key: privateKey, cert: certificate }, (request, response) => {
      requested.push(request.url ?? '');
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys`, keys: [] }));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  after(() => new Promise((done) => server.close(done)));

  it('hears nothing as a build engine, not even a token', async () => {
    const outboundFetch = createOutboundFetch({ hosts: ['127.0.0.1'], timers: systemTimers });
    const headers = { authorization: 'Bearer secret' };
    const request = { method: 'GET', headers, withinMs: 10_000, mostBytes: 1_000 } as const;
    const error: unknown = await outboundFetch({ ...request, url: new URL(url) }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.be.instanceOf(OutboundError).and.include({ because: 'unreachable' });
    expect(requested).to.deep.equal([]);
  });

  it('is believed nothing as the issuer of tokens', async () => {
    const place = await openPlace({
      OIDC_ISSUER: url,
      OIDC_CLIENT_ID: 'slipway',
      OIDC_AUDIENCE: 'https://slipway.test/api',
    });
    try {
      const { privateKey, publicKey } = await generateKeyPair('ES256');
      const { kid = 'any' } = await exportJWK(publicKey);
      const token = await new SignJWT({ email: 'eve@tls.test', email_verified: true })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setSubject('eve')
        .setIssuer(url)
        .setAudience('https://slipway.test/api')
        .setExpirationTime('15m')
        .sign(privateKey);
      expect((await whoAmI(place, token)).status).to.equal(503);
      expect(requested).to.deep.equal([]);
    } finally {
      await place.close();
    }
  });

  it('would have to speak TLS 1.2 or newer', () => {
    expect(DEFAULT_MIN_VERSION).to.be.oneOf(['TLSv1.2', 'TLSv1.3']);
  });
});
