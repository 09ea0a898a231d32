import { expect } from 'chai';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';

describe('settings', () => {
  const starts: readonly (readonly [boolean, Env])[] = [
    [true, {}],
    [true, { HOST: 'localhost', PUBLIC_URL: 'http://localhost:8080' }],
    [true, { HOST: '127.0.0.2', PUBLIC_URL: 'http://127.1.2.3' }],
    [true, { HOST: '::1', PUBLIC_URL: 'http://[::1]:3000' }],
    [true, { PUBLIC_URL: 'http://slipway.localhost:3000' }],
    [false, { HOST: '0.0.0.0' }],
    [false, { HOST: '::' }],
    [false, { HOST: '192.168.1.5' }],
    [false, { PUBLIC_URL: 'https://slipway.example.org' }],
    [false, { PUBLIC_URL: 'http://localhost.example.org' }],
    [false, { PUBLIC_URL: 'http://10.0.0.7:3000' }],
    [false, { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' }],
    [false, { NODE_ENV: 'production' }],
    [false, { DATABASE_URL: 'postgres://here/slipway' }],
    [true, { DEMO: '1', HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.example.org' }],
    [true, { DEMO: '1', NODE_ENV: 'production' }],
    [false, { DEMO: '0' }],
  ];
  for (const [isDemo, env] of starts)
    it(`start ${isDemo ? 'the demo' : 'without the demo'} with ${JSON.stringify(env)} [F5]`, () => {
      expect(readConfig(env).demo).to.equal(isDemo);
    });

  it('name the proxies that are trusted by address or network [F9]', () => {
    const TRUSTED_PROXIES = '127.0.0.1, 10.0.0.0/8,fd00::/8 ::1';
    expect(readConfig({ TRUSTED_PROXIES }).trustedProxies).to.deep.equal([
      '127.0.0.1',
      '10.0.0.0/8',
      'fd00::/8',
      '::1',
    ]);
    expect(readConfig({}).trustedProxies).to.deep.equal([]);
  });
  for (const wrong of ['true', 'proxy.example.org', '10.0.0.0/33', '::1/129', '10.0.0.1/', '1.2.3'])
    it(`refuse ${wrong} as a trusted proxy [F9]`, () => {
      expect(() => readConfig({ TRUSTED_PROXIES: `127.0.0.1, ${wrong}` })).to.throw(
        'TRUSTED_PROXIES must be addresses or networks',
      );
    });
});
