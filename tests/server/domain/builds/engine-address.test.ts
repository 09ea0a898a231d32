import { networkInterfaces } from 'node:os';
import { expect } from 'chai';
import { isPrivateAddress, isPrivateHost } from '#server/kernel/private-host.ts';
import { readConfig } from '#server/kernel/config.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { aMember, anOrganization, newId } from '../../../support/make.ts';
import { startServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';

describe('addresses that the server does not call by itself', () => {
  it('are those of this machine, of private networks and of nobody', () => {
    const addresses = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.0.9',
      '169.254.169.254',
      '172.31.255.255',
      '192.0.0.8',
      '192.0.2.2',
      '192.88.99.1',
      '192.168.7.7',
      '198.19.0.1',
      '198.51.100.7',
      '203.0.113.9',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::127.0.0.1',
      '2002:7f00:1::',
      '2001:db8::1',
      '100::1',
      '::ffff:10.1.2.3',
      '64:ff9b::169.254.169.254',
      '64:ff9b:1::1',
      'fd00::7',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'no address',
    ];
    for (const address of addresses) expect(isPrivateAddress(address), address).to.equal(true);
  });

  it('are none of the internet', () => {
    const addresses = [
      '8.8.8.8',
      '100.63.255.255',
      '172.32.0.1',
      '192.0.1.1',
      '198.20.0.1',
      '223.255.255.255',
      '2001:4860:4860::8888',
      '::ffff:8.8.8.8',
      '64:ff9b::808:808',
    ];
    for (const address of addresses) expect(isPrivateAddress(address), address).to.equal(false);
  });

  it('are this machine’s own, also those that the internet knows it by [F22]', () => {
    const own = () => ['127.0.0.1', '8.8.4.4', '2001:4860:4860::8844', 'fe80::1%eth0'];
    const addresses = ['8.8.4.4', '::ffff:8.8.4.4', '64:ff9b::808:404', '2001:4860:4860::8844'];
    for (const address of addresses) {
      expect(isPrivateAddress(address, own), address).to.equal(true);
      expect(
        isPrivateAddress(address, () => []),
        address,
      ).to.equal(false);
    }
    expect(isPrivateAddress('8.8.8.8', own)).to.equal(false);
    expect(isPrivateHost('https://8.8.4.4/x', own)).to.equal(true);
    const ours = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    for (const { address } of ours) expect(isPrivateAddress(address), address).to.equal(true);
  });

  it('are found however an address writes them', () => {
    const hosts = [
      'localhost',
      'LOCALHOST.',
      'a.localhost',
      '127.1',
      '0x7f.1',
      '2130706433',
      '[::1]',
    ];
    for (const host of hosts) expect(isPrivateHost(`https://${host}:8443/x`), host).to.equal(true);
    expect(isPrivateHost('https://localhost.example.com')).to.equal(false);
  });

  it('may be called when the settings name their host', () => {
    const { engine } = readConfig({
      BUILD_ENGINE_URL: 'http://[FD00::7]:8443/',
      BUILD_ENGINE_TOKEN: 'secret',
      BUILD_ENGINE_HOSTS: 'Engine.internal, [fd00::7],10.0.0.7',
    });
    expect(engine).to.deep.equal({
      outside: { url: 'http://[FD00::7]:8443', token: 'secret' },
      hosts: ['engine.internal', 'fd00::7', '10.0.0.7'],
    });
    expect(readConfig({}).engine).to.deep.equal({ outside: null, hosts: [] });
  });

  it('may be set for an organization when the settings name their host', async () => {
    const server = await startServer({ env: { BUILD_ENGINE_HOSTS: 'localhost, 10.0.0.7' } });
    try {
      const { db } = server.parts;
      const token = await tokenFor(server.parts, `${newId()}@press.test`);
      const user = (await callerOf(server.parts, token)).user.id;
      const { id } = await anOrganization(db);
      await aMember(db, id, { user, roles: ['OrganizationAdmin'] });
      const set = async (url: string): Promise<number> => {
        const answer = await fetch(`${server.url}/api/organizations/${id}`, {
          method: 'PATCH',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/vnd.api+json',
          },
          body: JSON.stringify({
            data: { type: 'organizations', id, attributes: { 'build-engine-url': url } },
          }),
        });
        return answer.status;
      };

      expect(await set('http://10.0.0.7:8443')).to.equal(200);
      expect(await set('http://localhost:8443')).to.equal(200);
      expect(await set('http://10.0.0.8:8443')).to.equal(422);
    } finally {
      await server.stop();
    }
  });
});
