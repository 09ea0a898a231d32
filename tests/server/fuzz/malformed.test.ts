import { connect } from 'node:net';
import { expect } from 'chai';
import { makeWorld } from '../http/api/world.ts';
import type { World } from '../http/api/world.ts';
import { malformed } from './malformed.ts';
import { send } from './sending.ts';

/** `npm run fuzz -- --malformed` sends 5,200 of each of three seeds to a process of its own. */
const COUNT = 600;
const SEED = 20261123;

/**
 * Returns the properties that every object, list, text and function of this process has from birth.
 */
const prototypes = () =>
  [Object, Array, String, Number, Function].map(({ prototype }) =>
    Reflect.ownKeys(prototype as object).map(String),
  );

describe('malformed requests', () => {
  let world: World;

  before(async () => {
    world = await makeWorld();
  });

  it(`are no bug to the server: ${COUNT} of seed ${SEED} [F17]`, async () => {
    const wrong: string[] = [];
    const before = prototypes();
    for (const [n, attack] of malformed(SEED, COUNT).entries()) {
      const { status, text } = await send(
        world.server.url,
        world.people.super.token,
        attack,
        `127.0.2.${(n % 250) + 1}`,
      );
      // A poll of the hub is answered when there is an update.
      if (status !== null && status >= 500)
        wrong.push(`${attack.name}: ${text} ← ${String(attack.body).slice(0, 300)}`);
    }
    expect(wrong).to.deep.equal([]);
    expect(prototypes(), 'nothing is added to what all objects share').to.deep.equal(before);
    const answer = await fetch(`${world.server.url}/api/health/live`);
    expect(answer.status).to.equal(200);
  });

  it('that are not even HTTP leave the server answering', async () => {
    const { hostname, port } = new URL(world.server.url);
    const texts = [
      '\0\0\0\0',
      'GET',
      'GET / HTTP/9.9\r\n\r\n',
      `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n\r\n`,
      'POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01',
    ];
    for (const text of texts)
      await new Promise<void>((done) => {
        const socket = connect(Number(port), hostname, () => socket.end(text));
        socket.on('data', () => undefined);
        socket.on('error', () => undefined);
        socket.on('close', () => {
          done();
        });
      });
    expect((await fetch(`${world.server.url}/api/health/live`)).status).to.equal(200);
  });
});
