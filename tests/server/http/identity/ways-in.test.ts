import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { askTokens, authorizeAddress, PlainBrowser } from '../../../support/sign-in.ts';
import { anAccount, PASSWORD } from './people.ts';
import { openPlace } from './place.ts';
import type { Place } from './place.ts';

describe('there is no way in', () => {
  let place: Place;
  const auth = () => place.parts.config.auth;
  before(async function () {
    this.timeout(60_000);
    place = await openPlace();
    await anAccount(place, 'ana@ways.test');
  });
  after(() => place.close());

  it('but the pages that docs/operate.md lists, and what the app does with their code', async () => {
    const answer = await fetch(`${place.server}/oidc/.well-known/openid-configuration`);
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(metadata.response_types_supported).to.deep.equal(['code']);
    expect(metadata.grant_types_supported).to.have.members(['authorization_code', 'refresh_token']);
    expect(Object.keys(metadata).filter((name) => name.endsWith('_endpoint'))).to.have.members([
      'authorization_endpoint',
      'token_endpoint',
      'end_session_endpoint',
      'revocation_endpoint',
    ]);
    const listed = /^## Signing in\n(?<text>[\s\S]*?)^## /m.exec(
      readFileSync('docs/operate.md', 'utf8'),
    );
    const paths = listed?.groups?.text?.match(/`\/oidc\/[a-z-]+`/g) ?? [];
    expect(paths).to.have.members([
      '`/oidc/interaction`',
      '`/oidc/interaction`',
      '`/oidc/second-factor`',
      '`/oidc/sign-in`',
      '`/oidc/sign-up`',
      '`/oidc/verify`',
      '`/oidc/forgot`',
      '`/oidc/reset`',
      '`/oidc/password`',
      '`/oidc/address`',
      '`/oidc/confirm-address`',
      '`/oidc/devices`',
      '`/oidc/delete-account`',
    ]);
  });

  for (const grant_type of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:openid:params:grant-type:ciba',
  ])
    it(`by the grant type ${grant_type}, with the right password`, async () => {
      const fields = {
        grant_type,
        client_id: auth().clientId,
        username: 'ana@ways.test',
        password: PASSWORD,
        resource: auth().audience,
      };
      const { status, body } = await askTokens(place.server, fields);
      expect(status).to.equal(400);
      expect(body.error).to.equal('unsupported_grant_type');
    });

  for (const path of ['device/auth', 'device', 'backchannel', 'reg', 'request', 'me', 'introspect'])
    it(`at /oidc/${path}`, async () => {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(`${place.server}/oidc/${path}`, { method, redirect: 'manual' });
        expect(answer.status, method).to.equal(404);
      }
    });

  for (const response_type of ['token', 'id_token', 'code id_token', 'none'])
    it(`by an answer of the type ${response_type}`, async () => {
      const browser = new PlainBrowser(place.server);
      const { address } = authorizeAddress(auth(), { response_type });
      const { location, html } = await browser.ask(address);
      expect(location ?? html).to.match(/[?#&]error=unsupported_response_type/);
    });
});
