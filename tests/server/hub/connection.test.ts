import { expect } from 'chai';
import { Connection } from '#server/hub/connection.ts';
import { LongPolling } from '#server/hub/long-polling.ts';
import type { Ears, Transport } from '#server/hub/transport.ts';
import { OwnTime } from '../../support/own-time.ts';

const END = '\u001e';
const HELLO = `{"protocol":"json","version":1}${END}`;

/** A transport that keeps what is sent. */
function place(waiting = 0) {
  const time = new OwnTime();
  const sent: string[] = [];
  const state = { waiting, isClosed: false, ended: 0 };
  let ears: Ears | null = null;
  const service = {
    call: () => Promise.resolve('done'),
    drained: () => undefined,
    ended: () => (state.ended += 1),
    failed: (error: unknown) => {
      throw error;
    },
  };
  const connection = new Connection(service, time, (given): Transport => {
    ears = given;
    return {
      needsPings: true,
      isAsked: () => false,
      send: (frames) => sent.push(frames),
      waiting: () => state.waiting,
      close: () => {
        state.isClosed = true;
        given.gone();
      },
    };
  });
  return { time, sent, state, connection, ears: ears as unknown as Ears };
}

describe('[wire 10.1] a connection', () => {
  it('pings every 15 s while the client makes itself heard', () => {
    const { time, sent, ears } = place();
    ears.heard(HELLO);
    for (let n = 0; n < 4; n += 1) {
      time.pass(15_000);
      ears.heard(`{"type":6}${END}`);
    }
    expect(sent).to.deep.equal([`{}${END}`, ...Array<string>(4).fill(`{"type":6}${END}`)]);
  });

  it('ends after 30 s of silence, and then nothing of it is left', () => {
    const { time, sent, state, ears } = place();
    ears.heard(HELLO);
    time.pass(29_999);
    expect(state.isClosed).to.equal(false);
    time.pass(1);
    expect(state.isClosed).to.equal(true);
    expect(sent.at(-1)).to.equal(`{"type":7,"allowReconnect":true}${END}`);
    expect([state.ended, time.waiting]).to.deep.equal([1, 0]);
  });

  it('ends without a handshake too', () => {
    const { time, state } = place();
    time.pass(30_000);
    expect(state.isClosed).to.equal(true);
  });

  it('is full when more than 1 MiB waits, and is cut off when far more does', () => {
    const { state, connection, ears } = place();
    ears.heard(HELLO);
    state.waiting = 2_000_000;
    connection.call('News', 'x');
    expect([connection.isFull, state.isClosed]).to.deep.equal([true, false]);
    state.waiting = 20_000_000;
    connection.call('News', 'x');
    expect(state.isClosed).to.equal(true);
  });

  it('is said to be over once, however it ends', () => {
    const { state, connection, ears } = place();
    connection.close('user-locked', false);
    ears.gone();
    connection.close(null, true);
    expect(state.ended).to.equal(1);
  });
});

describe('[wire 10.1] long polling', () => {
  const poller = () => {
    const time = new OwnTime();
    const ears = { heard: () => undefined, drained: () => undefined, alive: () => undefined };
    let gone = 0;
    const polling = new LongPolling({ ...ears, gone: () => (gone += 1) }, time);
    return { time, polling, gone: () => gone };
  };

  it('holds a poll for less than 90 s', async () => {
    const { time, polling } = poller();
    expect(await polling.ask()).to.equal('');
    const held = polling.ask();
    expect(polling.isAsked()).to.equal(true);
    time.pass(89_999);
    expect(polling.isAsked()).to.equal(false);
    expect(await held).to.equal('');
  });

  it('keeps what is sent between two polls, and gives all of it at once', async () => {
    const { polling } = poller();
    await polling.ask();
    polling.send('a');
    polling.send('b');
    expect(polling.waiting()).to.equal(2);
    expect(await polling.ask()).to.equal('ab');
    expect(polling.waiting()).to.equal(0);
  });

  it('gives what was sent before its end, and then ends', async () => {
    const { polling, gone } = poller();
    await polling.ask();
    polling.send('last');
    polling.close();
    expect(await polling.ask()).to.equal('last');
    expect(gone()).to.equal(0);
    expect(await polling.ask()).to.equal(null);
    expect(gone()).to.equal(1);
  });

  it('ends by itself when a closed one is not asked again', () => {
    const { time, polling, gone } = poller();
    polling.close();
    time.pass(30_000);
    expect([gone(), time.waiting]).to.deep.equal([1, 0]);
  });

  it('answers an older poll when a newer one comes', async () => {
    const { polling } = poller();
    await polling.ask();
    const older = polling.ask();
    const newer = polling.ask();
    polling.send('x');
    expect([await older, await newer]).to.deep.equal(['', 'x']);
  });
});
