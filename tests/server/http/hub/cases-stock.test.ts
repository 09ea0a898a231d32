import { expect } from 'chai';
import * as signalr10 from '@microsoft/signalr';
import * as signalr6 from 'signalr-6';
import * as signalr8 from 'signalr-8';
import { HUB_PATH, hubEvents } from '#protocol/hub.ts';
import { makeWorld } from '../api/world.ts';
import type { World } from '../api/world.ts';
import { editsIn } from './edits.ts';
import { transports } from './listener.ts';

/** The part of the stock client that every version has. */
type Client = Pick<typeof signalr10, 'HubConnectionBuilder' | 'HubConnectionState' | 'LogLevel'>;
type Transport = (typeof transports)[keyof typeof transports];

const clients: readonly (readonly [version: string, client: Client])[] = [
  // The versions differ in what they export besides, and not in what is used of them.
  ['6', signalr6 as unknown as Client],
  ['8', signalr8 as unknown as Client],
  ['10', signalr10],
];

/** `SEND_AND_STOP=100` says how often a client of version 10 sends and stops over each transport. */
const ROUNDS = Number(process.env.SEND_AND_STOP ?? 3);
const SENT = 5;

for (const [version, client] of clients)
  for (const [name, transport] of Object.entries(transports))
    describe(`[wire 10.1] the stock SignalR client ${version} over ${name}`, () => {
      let world: World;
      const open: signalr10.HubConnection[] = [];
      const build = (path = HUB_PATH, token = world.people.builder.token) =>
        builderOf(client, transport, `${world.server.url}${path}`, token);
      const connected = async (path?: string, token?: string) => {
        const hub = build(path, token);
        open.push(hub);
        await hub.start();
        return hub;
      };
      before(async () => {
        world = await makeWorld();
      });
      afterEach(async () => {
        await Promise.all(open.splice(0).map((hub) => hub.stop()));
      });

      it('connects, is asked nothing, and stops [R343]', async () => {
        const hub = await connected();
        const closed = new Promise((done) => {
          hub.onclose(done);
        });
        expect(hub.state).to.equal(client.HubConnectionState.Connected);
        expect(hub.connectionId).to.be.a('string');
        await hub.stop();
        expect(await closed).to.equal(undefined);
      });

      it('connects at a base address with a slash at its end [issue 14, 11]', async () => {
        const hub = await connected(`${HUB_PATH}/`);
        expect(await hub.invoke('UnsubscribeFrom', 'x')).to.equal(null);
      });

      it('connects again after it stopped', async () => {
        const hub = await connected();
        await hub.stop();
        await hub.start();
        expect(await hub.invoke('UnsubscribeFrom', 'x')).to.equal(null);
      });

      it('is told why it is not let in', async () => {
        const refusal = await connected(HUB_PATH, 'nonsense').catch(String);
        expect(refusal).to.contain('401');
      });

      it('gets the answers of what it invokes at once, each its own', async () => {
        const hub = await connected();
        const asked = Array.from({ length: 30 }, (_, n) => (n % 3 === 0 ? 'No such' : 'x'));
        const answers = await Promise.all(
          asked.map((value) => {
            const method = value === 'x' ? 'UnsubscribeFrom' : 'NoSuchMethod';
            return hub.invoke<unknown>(method, value).catch((error: unknown) => String(error));
          }),
        );
        const expected = asked.map((value) => (value === 'x' ? 'null' : 'not-found'));
        expect(answers.map((answer) => /not-found|null/.exec(String(answer))?.[0])).to.deep.equal(
          expected,
        );
      });

      it('stays connected after a method or a channel that is not there', async () => {
        const hub = await connected();
        for (const [method, value] of [
          ['NoSuchMethod', 'x'],
          ['SubscribeTo', 'no-such-type'],
          ['SubscribeTo', `projects/${world.ids.pierProject}`],
        ] as const)
          expect(await hub.invoke(method, value).catch(String)).to.contain('not-found');
        expect(await hub.invoke('SubscribeTo', 'changes')).to.have.property('cursor');
      });

      it('ends a stream that it asks for with an error', async () => {
        const hub = await connected();
        const ended = new Promise<unknown>((done) => {
          hub.stream('NoSuchStream').subscribe({
            next: done,
            complete: () => {
              done('complete');
            },
            error: done,
          });
        });
        expect(String(await ended)).to.contain('not-found');
        expect(await hub.invoke('UnsubscribeFrom', 'x')).to.equal(null);
      });

      it('sends and hears letters of every kind, and an argument of 900 kB', async () => {
        const hub = await connected();
        const received = new Promise<string>((done) => {
          hub.on(hubEvents.updated, done);
        });
        await hub.invoke('SubscribeTo', `projects/${world.ids.project}`);
        const description = 'Größe 日本 🎈 ‎‫שלום‬ "\\" \u2028';
        const data = { type: 'projects', id: world.ids.project, attributes: { description } };
        const document = JSON.stringify({ operations: [{ op: 'update', data }] });
        const padded = document + ' '.repeat(900_000);
        const result = await hub.invoke<string>('PerformOperations', padded);
        expect(JSON.parse(result)).to.have.nested.property('operations[0].meta.status', 200);
        expect(JSON.parse(await received)).to.have.nested.property(
          'operations[0].data.attributes.description',
          description,
        );
      });

      it('is closed for good when its user is locked', async () => {
        const town = await makeWorld();
        const { member } = town.people;
        const hub = await connected(HUB_PATH, member.token);
        const closed = new Promise((done) => {
          hub.onclose(done);
        });
        await town.write((w) => w.change('user', member.id, { isLocked: true }));
        expect(String(await closed)).to.contain('user-locked');
      });

      const rounds = version === '10' ? ROUNDS : 1;
      for (const [how, isAwaited] of [
        ['one after the other', true],
        ['at once', false],
      ] as const)
        it(`has everything carried out once that it sent ${how} before it stopped, ${String(rounds)} times [issue 14, 11]`, async () => {
          const edits = editsIn(world);
          for (let round = 0; round < rounds; round += 1) {
            const hub = await connected();
            const sent: Promise<void>[] = [];
            // `send` does not wait for the result.
            for (let n = 0; n < SENT; n += 1) {
              sent.push(hub.send('PerformOperations', edits.next()));
              if (isAwaited) await sent.at(-1);
            }
            await hub.stop();
            await Promise.all(sent);
          }
          const counts = await edits.counts();
          expect(counts).to.deep.equal(Array<number>(rounds * SENT).fill(1));
          if (rounds > 3)
            process.stdout.write(`      carried out once: ${String(counts.length)}\n`);
        });
    });

function builderOf(client: Client, transport: Transport, url: string, token: string) {
  return new client.HubConnectionBuilder()
    .withUrl(url, { transport, accessTokenFactory: () => token })
    .configureLogging(client.LogLevel.None)
    .build();
}
