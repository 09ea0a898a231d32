import { expect } from 'chai';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readConfig } from '#server/kernel/config.ts';
import { forwardToProcess, internalAddress } from '#server/http/hub/forward-to-process.ts';
import type { Services } from '#server/domain/services.ts';

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

it('a request whose client has left already is not handed on [issue 14, 7]', async () => {
  let warnings = 0;
  const services = { log: { warn: () => (warnings += 1) } } as unknown as Services;
  const place = { is: 'elsewhere', process: 'other', address: 'http://127.0.0.1:1' } as const;
  const request = { method: 'GET', url: '/hubs/data?id=x', headers: {} } as FastifyRequest;
  const raw = { destroyed: true, writableEnded: false, once: () => undefined };
  const error: unknown = await forwardToProcess(services, place, request, {
    raw,
  } as unknown as FastifyReply)
    .then(() => null)
    .catch((refused: unknown) => refused);
  expect(error).to.have.nested.property('problem.code', 'not-found');
  // A process that cannot be reached would have been warned of.
  expect(warnings).to.equal(0);
});
