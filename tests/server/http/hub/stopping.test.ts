import { expect } from 'chai';
import { listen, transports } from './listener.ts';
import { startServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';

describe('[fault 32] [wire 10.1] a server that stops', () => {
  it('tells every client without an error, over every transport, and waits for none that is gone', async () => {
    const server = await startServer();
    const token = await tokenFor(server.parts, { email: `stop-${crypto.randomUUID()}@x.test` });
    const listeners = await Promise.all(
      Object.values(transports).map((transport) => listen(server.url, token, { transport })),
    );
    for (const one of listeners) await one.subscribe('changes');

    await server.stop();
    const errors = await Promise.all(listeners.map(({ closed }) => closed));
    expect(errors).to.deep.equal([undefined, undefined, undefined]);
  });
});
