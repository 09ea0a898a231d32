import { randomFillSync } from 'node:crypto';
import { expect } from 'chai';
import { listen, transports } from './listener.ts';
import { RawClient } from './raw-client.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';

/** The bytes of the secret that names a connection, drawn while the connection is being opened. */
const SECRET_BYTES = 24;

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

  it('waits for no client whose connection was being opened, and tells it to come again', async () => {
    const stops: Promise<void>[] = [];
    let isArmed = false;
    const random = (bytes: Uint8Array) => {
      if (isArmed && bytes.length === SECRET_BYTES) stops.push(server.stop());
      return randomFillSync(bytes);
    };
    const server: TestServer = await startServer({ random });
    const token = await tokenFor(server.parts, { email: `late-${crypto.randomUUID()}@x.test` });
    const client = new RawClient(server.url, token);
    // The server waits a while for this one, which does not poll.
    await client.poller();
    isArmed = true;

    const refusal = await client.socket().then(
      () => 'it was let in',
      (error: unknown) => String(error),
    );
    expect(stops).to.have.length(1);
    await Promise.all(stops);
    expect(refusal).to.contain('503');
  });
});
