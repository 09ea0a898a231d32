import { expect } from 'chai';
import { listen, makePublishedWorld, toldBy, transports } from './listener.ts';
import type { World } from '../api/world.ts';

describe('the stock SignalR client', () => {
  let world: World;
  before(async () => {
    world = await makePublishedWorld();
  });

  for (const [name, transport] of Object.entries(transports)) {
    describe(`over ${name}`, () => {
      it('hears of a change that somebody else makes [R19, R344]', async () => {
        const { member, builder } = world.people;
        const listener = await listen(world.server.url, member.token, { transport });
        const { cursor } = await listener.subscribe('changes');

        const answer = await builder.ask(
          'PATCH',
          `/api/projects/${world.ids.project}`,
          {
            data: {
              type: 'projects',
              id: world.ids.project,
              attributes: { description: `heard over ${name}` },
            },
          },
          { 'Idempotency-Key': world.id() },
        );
        expect(answer.status).to.equal(200);
        const message = await listener.next();
        await listener.stop();

        expect(toldBy(message)).to.deep.equal([`update projects/${world.ids.project}`]);
        expect(message.operations[0]).to.deep.equal({ op: 'update', data: answer.one });
        expect(message.meta.previous).to.equal(cursor);
        expect(message.meta.cursor > cursor).to.equal(true);
        expect(message.meta.more).to.equal(false);
        expect(message.meta.changes).to.have.length(1);
      });

      it('performs operations and gets their verdicts [R345]', async () => {
        const { builder } = world.people;
        const listener = await listen(world.server.url, builder.token, { transport });
        const id = world.id();
        const operation = {
          op: 'update',
          data: {
            type: 'projects',
            id: world.ids.project,
            attributes: { description: `done over ${name}` },
          },
          meta: { id },
        };
        const document = JSON.stringify({ operations: [operation] });
        const result = await listener.hub.invoke<string>('PerformOperations', document);
        await listener.stop();

        const { operations } = JSON.parse(result) as {
          operations: { meta: object; data: { attributes: object; meta: { version: number } } }[];
        };
        const version = operations[0]?.data.meta.version;
        expect(operations[0]?.meta).to.deep.equal({ id, status: 200, version });
        expect(operations[0]?.data.attributes).to.include({ description: `done over ${name}` });
      });

      it('[fault 38] is told why a method is refused, and stays connected', async () => {
        const listener = await listen(world.server.url, world.people.member.token, { transport });
        const refusals = await Promise.all(
          ['NoSuchMethod', 'SubscribeTo'].map((method) =>
            listener.hub.invoke(method, `projects/${world.ids.pierProject}`).then(
              () => 'nothing',
              (error: unknown) => String(error),
            ),
          ),
        );
        const { channel } = await listener.subscribe('changes');
        await listener.stop();

        for (const refusal of refusals) expect(refusal).to.contain('not-found');
        expect(channel).to.equal('changes');
      });

      it('[fault 34] is closed for good when its user is locked', async () => {
        const locked = await makePublishedWorld();
        const { member } = locked.people;
        const listener = await listen(locked.server.url, member.token, { transport });
        await listener.subscribe('changes');
        await locked.write((w) => w.change('user', member.id, { isLocked: true }));

        const error = await listener.closed;
        expect(String(error)).to.contain('user-locked');
        const again = await listen(locked.server.url, member.token, { transport }).then(
          () => 'connected',
          (refusal: unknown) => String(refusal),
        );
        expect(again).to.contain('403');
      });
    });
  }
});
