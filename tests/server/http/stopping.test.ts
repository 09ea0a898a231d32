import { randomFillSync } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { limits } from '#protocol/limits.ts';
import { OwnTime } from '../../support/own-time.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { holdWrites, Line, Writer } from '../writer.ts';

describe('[wire 15.2] a request that takes too long', () => {
  const time = new OwnTime();
  let server: TestServer;
  let writer: Writer;
  before(async () => {
    server = await startServer({ timers: time });
    writer = await Writer.on(server);
  });
  after(() => server.stop());

  it('to arrive is 408 after 30 s, and the connection is closed', async () => {
    const line = new Line(server);
    line.send(`${writer.head(1_000)}{"operations":`);
    await time.until(limits.bodyWithinMs);
    time.pass(limits.bodyWithinMs);

    const answer = await line.end();
    expect(answer)
      .to.match(/^HTTP\/1\.1 408 /)
      .and.contain('"timed-out"');
    expect(answer).to.match(/\nconnection: close/i);
  });

  it('[fault 26] [fault 27] to be answered is 503 after 50 s, and the change is done once', async () => {
    const held = holdWrites(server);
    await held.whenHeld;
    const change = writer.rename('Late');
    const answering = writer.post([change]);
    await time.until(limits.answerWithinMs);
    time.pass(limits.answerWithinMs);

    const answer = await answering;
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('retry-after')).to.equal('5');
    held.release();
    const [verdict] = await writer.verdicts([change]);
    expect(verdict?.meta.status).to.equal(200);
    expect(await writer.renames()).to.deep.equal([change.meta?.id]);
  });
});

describe('[fault 26] [fault 32] a server that stops', () => {
  it('finishes what is in flight, and tells who asks meanwhile to come again', async () => {
    // Every request is given an id as it comes in.
    const comings = new EventEmitter();
    const random = (bytes: Uint8Array) => {
      comings.emit('coming');
      return randomFillSync(bytes);
    };
    const time = new OwnTime();
    const server = await startServer({ random, timers: time });
    const writer = await Writer.on(server);
    const held = holdWrites(server);
    await held.whenHeld;

    const [flying, late] = [writer.rename('Last'), writer.rename('Too late')];
    const line = new Line(server);
    line.send(writer.request([flying]));
    await time.until(limits.answerWithinMs);
    const stopped = server.stop();
    line.send(writer.request([late]));
    await once(comings, 'coming');
    held.release();

    const [, first = '', second = ''] = (await line.end()).split('HTTP/1.1 ');
    expect(first).to.match(/^200 /).and.contain('"name":"Last"');
    expect(second).to.match(/^503 /).and.contain('"unavailable"');
    expect(second)
      .to.match(/\nretry-after: 5\r/i)
      .and.match(/\nconnection: close\r/i);
    await stopped;
    expect(await writer.renames()).to.deep.equal([flying.meta?.id]);
  });
});
