import { expect } from 'chai';
import { makeWorld } from '../api/world.ts';
import type { World } from '../api/world.ts';
import { editsIn } from './edits.ts';
import { END, HELLO, invocation, PING, RawClient } from './raw-client.ts';

const UNSUBSCRIBE = 'UnsubscribeFrom';
const PERFORM = 'PerformOperations';
const CHUNK = 65_536;
const DEEP = `{"type":6,"x":${'['.repeat(50)}${']'.repeat(50)}}`;

describe('[wire 10.1] a client of the hub that writes its frames by hand', () => {
  let world: World;
  let client: RawClient;
  before(async () => {
    world = await makeWorld();
    client = new RawClient(world.server.url, world.people.builder.token);
  });

  describe('is heard however its bytes are cut', () => {
    const frame = () => Buffer.from(invocation('Größe-日本-🎈', [], '1'));
    const isAnswered = async (send: (bytes: Buffer) => void, next: () => Promise<unknown>) => {
      send(frame());
      expect(await next()).to.deep.equal({ type: 3, invocationId: '1', error: 'not-found' });
    };

    it('in binary messages of one byte, in the middle of letters too [issue 14, 11]', async () => {
      const socket = await client.greeted();
      const name = Buffer.from(invocation(UNSUBSCRIBE, ['ü日🎈'], 'ü日🎈'));
      for (const byte of name) socket.send(Buffer.from([byte]));
      expect(await socket.next()).to.deep.equal({ type: 3, invocationId: 'ü日🎈', result: null });
      socket.close();
      await socket.closed;
    });

    it('in two POSTs that split a letter [issue 14, 11]', async () => {
      const token = await client.poller();
      const bytes = Buffer.from(invocation(UNSUBSCRIBE, ['x'], 'ü日🎈'));
      const middle = bytes.indexOf(0x9f);
      await client.ask('POST', `?id=${token}`, new Uint8Array(bytes.subarray(0, middle)));
      await client.ask('POST', `?id=${token}`, new Uint8Array(bytes.subarray(middle)));
      const answer = await client.ask('GET', `?id=${token}`);
      expect(await answer.text()).to.equal(`{"type":3,"invocationId":"ü日🎈","result":null}${END}`);
      await client.ask('DELETE', `?id=${token}`);
    });

    it('in one message with many frames, the handshake among them', async () => {
      const socket = await client.socket();
      socket.send(HELLO + PING + invocation(UNSUBSCRIBE, ['x'], 'a') + PING);
      expect(await socket.next()).to.deep.equal({});
      expect(await socket.next()).to.deep.equal({ type: 3, invocationId: 'a', result: null });
      socket.close();
      await socket.closed;
    });

    it('as text and as binary messages alike', async () => {
      const socket = await client.greeted();
      await isAnswered(
        (bytes) => {
          socket.send(bytes);
        },
        () => socket.next(),
      );
      await isAnswered(
        (bytes) => {
          socket.send(bytes.toString());
        },
        () => socket.next(),
      );
      socket.close();
      await socket.closed;
    });
  });

  describe('is told with which reason it is closed', () => {
    const cases: readonly (readonly [what: string, error: string, frame: string | Uint8Array])[] = [
      ['text that is not JSON', 'invalid-document', `nonsense${END}`],
      ['an empty frame', 'invalid-document', END],
      ['a list', 'invalid-document', `[1]${END}`],
      ['a message without a type', 'invalid-document', `{}${END}`],
      ['a type that is no number', 'invalid-document', `{"type":"1"}${END}`],
      ['an invocation without arguments', 'invalid-document', `{"type":1,"target":"x"}${END}`],
      [
        'arguments that are no list',
        'invalid-document',
        `{"type":1,"target":"x","arguments":{}}${END}`,
      ],
      [
        'a target that is no string',
        'invalid-document',
        `{"type":1,"target":1,"arguments":[]}${END}`,
      ],
      ['a numeric invocationId [issue 14, 11]', 'invalid-document', invocation('x', [], 5)],
      ['an invocationId of null [issue 14, 11]', 'invalid-document', invocation('x', [], null)],
      [
        'an invocationId that is an object [issue 14, 11]',
        'invalid-document',
        invocation('x', [], {}),
      ],
      [
        'a stream with a numeric invocationId [issue 14, 11]',
        'invalid-document',
        `{"type":4,"invocationId":5,"target":"x","arguments":[]}${END}`,
      ],
      [
        'bytes that are not UTF-8',
        'invalid-document',
        Buffer.concat([
          Buffer.from('{"type":6,"x":"'),
          Buffer.from([0xff]),
          Buffer.from(`"}${END}`),
        ]),
      ],
      ['JSON that is nested 51 deep [F17]', 'invalid-document', DEEP + END],
      ['a frame over 1 MiB', 'too-large', `{"type":6,"x":"${'x'.repeat(1_048_576)}"}${END}`],
      [
        'a frame over 1 MiB in bytes and not in letters',
        'too-large',
        `{"type":6,"x":"${'ü'.repeat(600_000)}"}${END}`,
      ],
    ];
    for (const [what, error, frame] of cases)
      it(`for ${what}`, async () => {
        const socket = await client.greeted();
        socket.send(frame);
        expect(await socket.rest()).to.deep.equal([{ type: 7, error, allowReconnect: true }]);
      });

    it('for more than 1 MiB without an end [F6]', async () => {
      const socket = await client.greeted();
      for (let sent = 0; sent <= 1_048_576; sent += CHUNK) socket.send('x'.repeat(CHUNK));
      expect(await socket.rest()).to.deep.equal([
        { type: 7, error: 'too-large', allowReconnect: true },
      ]);
    });

    it('for 20,000 messages of one byte after 900 kB without an end [F6]', async () => {
      const socket = await client.greeted();
      socket.send('x'.repeat(900_000));
      for (let n = 0; n < 20_000; n += 1) socket.send('x');
      expect(await socket.rest()).to.deep.equal([
        { type: 7, error: 'too-many-requests', allowReconnect: true },
      ]);
    });

    it('for 20,000 frames in one message [F6]', async () => {
      const socket = await client.greeted();
      socket.send(PING.repeat(20_000));
      expect(await socket.rest()).to.deep.equal([
        { type: 7, error: 'too-many-requests', allowReconnect: true },
      ]);
    });
  });

  describe('stays connected', () => {
    const harmless: readonly (readonly [what: string, frame: string])[] = [
      ['a ping', PING],
      ['a type of a later protocol', `{"type":99}${END}`],
      ['a completion that nobody waits for', `{"type":3,"invocationId":"9","result":1}${END}`],
      ['a stream item that nobody waits for', `{"type":2,"invocationId":"9","item":1}${END}`],
      ['the end of a stream that is not there', `{"type":5,"invocationId":"9"}${END}`],
      [
        'members that the protocol does not know',
        `{"type":6,"headers":{"a":"b"},"x":[[[]]]}${END}`,
      ],
      ['an unknown method without an answer', invocation('NoSuchMethod', [])],
      ['a frame of exactly 1 MiB', `{"type":6,"x":"${'x'.repeat(1_048_576 - 17)}"}${END}`],
    ];
    for (const [what, frame] of harmless)
      it(`after ${what}`, async () => {
        const socket = await client.greeted();
        socket.send(frame);
        socket.send(invocation(UNSUBSCRIBE, ['x'], 'after'));
        expect(await socket.next()).to.deep.equal({ type: 3, invocationId: 'after', result: null });
        socket.close();
        await socket.closed;
      });

    it('after it asked for a stream, which is not found', async () => {
      const socket = await client.greeted();
      socket.send(`{"type":4,"invocationId":"s","target":"x","arguments":[]}${END}`);
      expect(await socket.next()).to.deep.equal({ type: 3, invocationId: 's', error: 'not-found' });
      socket.close();
      await socket.closed;
    });
  });

  describe('has its work carried out that was read whole', () => {
    const endings: readonly (readonly [how: string, frame: string | null])[] = [
      ['the socket breaks off', null],
      ['it says that it closes', `{"type":7}${END}`],
      ['a bad frame follows in the same message', `nonsense${END}`],
      ['a frame over 1 MiB follows in the same message', `"${'x'.repeat(1_100_000)}"${END}`],
      ['a frame without an end follows that is over 1 MiB', 'x'.repeat(1_100_000)],
    ];
    for (const [how, frame] of endings)
      it(`when ${how} [issue 14, 11]`, async () => {
        const edits = editsIn(world);
        const socket = await client.greeted();
        const good = Array.from({ length: 5 }, () => invocation(PERFORM, [edits.next()])).join('');
        socket.send(good + (frame ?? ''));
        if (frame === null) {
          // Sent and flushed, then gone.
          socket.close();
        }
        await socket.closed;
        expect(await edits.counts()).to.deep.equal([1, 1, 1, 1, 1]);
      });

    it('not when its person was locked before it was its turn', async () => {
      const town = await makeWorld();
      const { builder } = town.people;
      const edits = editsIn(town);
      const socket = await new RawClient(town.server.url, builder.token).greeted();
      await town.write((w) => w.change('user', builder.id, { isLocked: true }));
      socket.send(invocation(PERFORM, [edits.next()]));
      const last = (await socket.rest()).at(-1);
      expect(last).to.deep.equal({ type: 7, error: 'user-locked', allowReconnect: false });
      const names = await town.server.parts.db.read((tx) =>
        tx.all('reviewer', { project: town.ids.project }),
      );
      expect(names).to.have.length(1);
    });
  });

  describe('is refused in the handshake', () => {
    const handshakes: readonly (readonly [what: string, frame: string])[] = [
      ['of another protocol', `{"protocol":"messagepack","version":1}${END}`],
      ['of another version', `{"protocol":"json","version":2}${END}`],
      ['that is empty', `{}${END}`],
      ['that is not JSON', `hello${END}`],
    ];
    for (const [what, frame] of handshakes)
      it(what, async () => {
        const socket = await client.socket();
        socket.send(frame);
        const [answer, ...more] = await socket.rest();
        expect(answer).to.have.property('error').that.is.a('string');
        expect(more).to.deep.equal([]);
      });
  });
});
