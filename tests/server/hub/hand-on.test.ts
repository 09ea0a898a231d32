import { expect } from 'chai';
import { readConfig } from '#server/config.ts';
import { internalAddress } from '#server/hub/hand-on.ts';

const own = { family: 'IPv4', netmask: '', mac: '', cidr: null } as const;
const interfaces = {
  lo: [{ ...own, address: '127.0.0.1', internal: true }],
  eth0: [{ ...own, address: '10.1.2.3', internal: false }],
};

describe('[issue 14, 7] other processes reach this one', () => {
  const cases: readonly (readonly [env: Readonly<Record<string, string>>, address: string])[] = [
    [{}, 'http://127.0.0.1:3000'],
    [{ PORT: '4000', HOST: '10.0.0.5' }, 'http://10.0.0.5:4000'],
    [{ HOST: '0.0.0.0' }, 'http://10.1.2.3:3000'],
    [{ HOST: '::' }, 'http://10.1.2.3:3000'],
    [{ HOST: '::1' }, 'http://[::1]:3000'],
    [{ HOST: '0.0.0.0', INTERNAL_URL: 'https://one.internal/' }, 'https://one.internal'],
  ];
  for (const [env, address] of cases)
    it(`at ${address} with ${JSON.stringify(env)}`, () => {
      expect(internalAddress(readConfig(env), interfaces)).to.equal(address);
    });

  it('at this machine where it has no other address', () => {
    const config = readConfig({ HOST: '0.0.0.0' });
    expect(internalAddress(config, { lo: interfaces.lo })).to.equal('http://127.0.0.1:3000');
  });
});
