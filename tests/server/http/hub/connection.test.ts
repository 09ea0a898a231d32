import { expect } from 'chai';
import { Connection } from '#server/http/hub/connection.ts';
import { FrameReader } from '#server/http/hub/frames.ts';
import { LongPolling } from '#server/http/hub/long-polling.ts';
import type { TransportListener, Transport } from '#server/http/hub/transport.ts';
import { OwnTime } from '../../../support/own-time.ts';

const END = '\u001e';
const HELLO = `{"protocol":"json","version":1}${END}`;

/** A transport that keeps what is sent. */
function place(waiting = 0, isPostedTo = false) {
  const time = new OwnTime();
  const sent: string[] = [];
  const state = {
    waiting,
    isClosed: false,
    isAsked: false,
    ended: 0,
    finished: 0,
    called: 0,
    admitted: 0,
    mostAdmitted: Infinity,
    onEnd: (): void => undefined,
  };
  let listener: TransportListener | null = null;
  const service = {
    call: () => Promise.resolve((state.called += 1)),
    drained: () => undefined,
    admits: (size: number) => (state.admitted += size) <= state.mostAdmitted,
    completed: (size: number) => {
      state.admitted -= size;
    },
    ended: () => {
      state.ended += 1;
      state.onEnd();
    },
    finished: () => (state.finished += 1),
    failed: (error: unknown) => {
      throw error;
    },
  };
  const clock = () => time.now;
  const connection = new Connection(service, { clock, timers: time }, (given): Transport => {
    listener = given;
    return {
      needsPings: true,
      isPostedTo,
      isPolled: () => state.isAsked,
      send: (frames) => sent.push(frames),
      waiting: () => state.waiting,
      close: () => {
        state.isClosed = true;
        given.closed();
      },
    };
  });
  return { time, sent, state, connection, listener: listener as unknown as TransportListener };
}

describe('[wire 10.1] a connection', () => {
  it('pings every 15 s while the client makes itself heard', () => {
    const { time, sent, listener } = place();
    listener.received(Buffer.from(HELLO));
    for (let n = 0; n < 4; n += 1) {
      time.pass(15_000);
      listener.received(Buffer.from(`{"type":6}${END}`));
    }
    expect(sent).to.deep.equal([`{}${END}`, ...Array<string>(4).fill(`{"type":6}${END}`)]);
  });

  it('ends after 30 s of silence, and then nothing of it is left', () => {
    const { time, sent, state, listener } = place();
    listener.received(Buffer.from(HELLO));
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

  it('ends 30 s after its start without a handshake, whatever comes and however often it is polled [issue 14, 11]', () => {
    const { time, state, listener } = place();
    state.isAsked = true;
    for (let n = 0; n < 3; n += 1) {
      time.pass(9_999);
      listener.alive();
      listener.received(Buffer.from('{'));
    }
    expect(state.isClosed).to.equal(false);
    time.pass(3);
    expect([state.isClosed, state.ended, time.waiting]).to.deep.equal([true, 1, 0]);
  });

  it('takes 100 messages a second, in pieces or whole, and closes at the next [F6]', () => {
    const { time, sent, state, listener } = place();
    const ping = `{"type":6}${END}`;
    listener.received(Buffer.from(HELLO));
    listener.received(Buffer.from(ping.repeat(89)));
    for (const byte of Buffer.from(ping.slice(0, 10))) listener.received(Buffer.from([byte]));
    expect(state.isClosed).to.equal(false);
    time.pass(1_000);
    listener.received(Buffer.from(END + ping.repeat(99)));
    expect(state.isClosed).to.equal(false);
    listener.received(Buffer.from(ping));
    const last = `{"type":7,"error":"too-many-requests","allowReconnect":true}${END}`;
    expect([state.isClosed, sent.at(-1)]).to.deep.equal([true, last]);
  });

  it('carries out what was accepted after it ended, and says when all is done [issue 14, 11]', async () => {
    const { state, listener } = place();
    const call = `{"type":1,"target":"x","arguments":[]}${END}`;
    listener.received(Buffer.from(HELLO + call.repeat(3)));
    listener.closed();
    expect([state.ended, state.finished]).to.deep.equal([1, 0]);
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    expect([state.called, state.finished]).to.deep.equal([3, 1]);
  });

  it('accepts for two seconds what its client posted before it left, and nothing after a server stops [issue 14, 11]', async () => {
    const call = Buffer.from(`{"type":1,"target":"x","arguments":[]}${END}`);
    const settle = async () => {
      for (let n = 0; n < 20; n += 1) await Promise.resolve();
    };
    const left = place(0, true);
    left.listener.received(Buffer.from(HELLO));
    left.listener.closed();
    left.time.pass(1_999);
    expect(left.connection.receive(call)).to.equal(true);
    await settle();
    expect([left.state.called, left.state.finished]).to.deep.equal([1, 0]);
    left.time.pass(1);
    await settle();
    expect(left.connection.receive(call)).to.equal(false);
    expect([left.state.called, left.state.finished, left.time.waiting]).to.deep.equal([1, 1, 0]);

    const stopped = place(0, true);
    stopped.listener.received(Buffer.from(HELLO));
    stopped.connection.close(null, true);
    expect(stopped.connection.receive(call)).to.equal(false);

    const told = place(0, true);
    told.listener.received(Buffer.from(`${HELLO}{"type":7}${END}`));
    expect(told.connection.receive(call)).to.equal(true);
    told.connection.refuseLatePosts();
    await settle();
    expect([told.state.called, told.state.finished]).to.deep.equal([1, 1]);

    const locked = place(0, true);
    locked.listener.received(Buffer.from(HELLO));
    locked.listener.closed();
    locked.connection.close('user-locked', false);
    expect(locked.connection.receive(call)).to.equal(false);
  });

  it('waits for no late POST of a client that leaves by itself while the server stops', async () => {
    const { time, state, connection, listener } = place(0, true);
    state.onEnd = () => {
      connection.refuseLatePosts();
    };
    listener.received(Buffer.from(HELLO));
    listener.closed();
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    expect([state.ended, state.finished, time.waiting]).to.deep.equal([1, 1, 0]);
    expect(connection.receive(Buffer.from(HELLO))).to.equal(false);
  });

  it('is closed when the invocations that wait are longer than 8 MiB together', async () => {
    const { sent, state, listener } = place();
    const call = `{"type":1,"target":"x","arguments":["${'x'.repeat(1_000_000)}"]}${END}`;
    listener.received(Buffer.from(HELLO));
    for (let n = 0; n < 8; n += 1) listener.received(Buffer.from(call));
    expect(state.isClosed).to.equal(false);
    listener.received(Buffer.from(call));
    expect([state.isClosed, sent.at(-1)?.includes('too-many-requests')]).to.deep.equal([
      true,
      true,
    ]);
    for (let n = 0; n < 60; n += 1) await Promise.resolve();
    expect(state.called).to.equal(8);
  });

  it('is closed when its person has more waiting than they may over all connections', async () => {
    const { sent, state, listener } = place();
    const call = `{"type":1,"target":"x","arguments":[]}${END}`;
    state.mostAdmitted = 2 * call.length;
    listener.received(Buffer.from(HELLO + call.repeat(2)));
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    expect([state.called, state.admitted]).to.deep.equal([2, 0]);
    listener.received(Buffer.from(call.repeat(3)));
    expect([state.isClosed, sent.at(-1)?.includes('too-many-requests')]).to.deep.equal([
      true,
      true,
    ]);
  });

  it('carries out nothing more once its person was locked', async () => {
    const { state, connection, listener } = place();
    const call = `{"type":1,"target":"x","arguments":[]}${END}`;
    listener.received(Buffer.from(HELLO + call.repeat(3)));
    connection.close('user-locked', false);
    for (let n = 0; n < 20; n += 1) await Promise.resolve();
    expect([state.called, state.finished]).to.deep.equal([0, 1]);
  });

  it('is full when more than 1 MiB waits, and is cut off when far more does', () => {
    const { state, connection, listener } = place();
    listener.received(Buffer.from(HELLO));
    state.waiting = 2_000_000;
    connection.call('News', 'x');
    expect([connection.isFull, state.isClosed]).to.deep.equal([true, false]);
    state.waiting = 20_000_000;
    connection.call('News', 'x');
    expect(state.isClosed).to.equal(true);
  });

  it('is said to be over once, however it ends', () => {
    const { state, connection, listener } = place();
    connection.close('user-locked', false);
    listener.closed();
    connection.close(null, true);
    expect(state.ended).to.equal(1);
  });
});

describe('[wire 10.1] the reader of frames', () => {
  it('looks at every byte once, however small the pieces are that come later [F6]', () => {
    const reader = new FrameReader();
    let looks = 0;
    const first = Buffer.from(`"${'x'.repeat(900_000)}`);
    const find = first.indexOf.bind(first);
    first.indexOf = (value: string | number | Uint8Array) => {
      looks += 1;
      return find(value);
    };
    const concat = Buffer.concat.bind(Buffer);
    const joins: number[] = [];
    Buffer.concat = (list) => {
      joins.push(list.length);
      return concat(list);
    };
    try {
      expect([...reader.read(first)]).to.deep.equal([]);
      for (let n = 0; n < 50; n += 1) expect([...reader.read(Buffer.from('x'))]).to.deep.equal([]);
      const [frame] = reader.read(Buffer.from(`"${END}`));
      expect(frame).to.have.length(900_052);
    } finally {
      Buffer.concat = concat;
    }
    expect([looks, joins]).to.deep.equal([1, [52]]);
  });
});

describe('[wire 10.1] long polling', () => {
  const poller = () => {
    const time = new OwnTime();
    const listener = {
      received: () => undefined,
      drained: () => undefined,
      alive: () => undefined,
    };
    let gone = 0;
    const polling = new LongPolling({ ...listener, closed: () => (gone += 1) }, time);
    return { time, polling, gone: () => gone };
  };

  it('holds a poll for less than 90 s', async () => {
    const { time, polling } = poller();
    expect(await polling.receivePoll()).to.equal('');
    const held = polling.receivePoll();
    expect(polling.isPolled()).to.equal(true);
    time.pass(89_999);
    expect(polling.isPolled()).to.equal(false);
    expect(await held).to.equal('');
  });

  it('keeps what is sent between two polls, and gives all of it at once', async () => {
    const { polling } = poller();
    await polling.receivePoll();
    polling.send('a');
    polling.send('b');
    expect(polling.waiting()).to.equal(2);
    expect(await polling.receivePoll()).to.equal('ab');
    expect(polling.waiting()).to.equal(0);
  });

  it('gives what was sent before its end, and then ends', async () => {
    const { polling, gone } = poller();
    await polling.receivePoll();
    polling.send('last');
    polling.close();
    expect(await polling.receivePoll()).to.equal('last');
    expect(gone()).to.equal(0);
    expect(await polling.receivePoll()).to.equal(null);
    expect(gone()).to.equal(1);
  });

  it('ends by itself when a closed one is not asked again', () => {
    const { time, polling, gone } = poller();
    polling.close();
    time.pass(30_000);
    expect([gone(), time.waiting]).to.deep.equal([1, 0]);
  });

  it('ends an older poll when a newer one comes [issue 14, 11]', async () => {
    const { polling } = poller();
    await polling.receivePoll();
    const older = polling.receivePoll();
    const newer = polling.receivePoll();
    polling.send('x');
    expect([await older, await newer]).to.deep.equal([null, 'x']);
  });
});
