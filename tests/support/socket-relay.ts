import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';

/** What becomes of a message of the server's: `later` lets the next one overtake it. */
type MessageFate = 'pass' | 'drop' | 'twice' | 'later' | { readonly instead: string };

/** The WebSockets that go through a proxy. */
export interface Sockets {
  /** How many are open now. */
  count(): number;
  /** Every message of the server's so far, lost ones too. */
  readonly said: string[];
  /** Ends those that are open, without a word. */
  kill(): void;
  /** While stalled they stay open and nothing gets through, either way; then all of it does. */
  stall(isStalled: boolean): void;
  /** Asked for each message of the server's; `pass` unless told otherwise. */
  decide(fate: (message: string) => MessageFate): void;
}

interface Pair {
  readonly near: WebSocket;
  readonly far: WebSocket;
  /** What waits for its time. */
  readonly held: (() => void)[];
  overtaken: string | null;
}

/** Relays the WebSockets that come to `proxy` to the server at `port`, message by message. */
export function relaySockets(
  proxy: Server,
  port: number,
  mayPass: (request: IncomingMessage) => boolean,
): Sockets {
  const acceptor = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const pairs = new Set<Pair>();
  const said: string[] = [];
  let isStalled = false;
  let fateOf: (message: string) => MessageFate = () => 'pass';

  const pass = (pair: Pair, act: () => void): void => {
    if (isStalled) pair.held.push(act);
    else act();
  };

  const hear = (pair: Pair, message: string): void => {
    said.push(message);
    const fate = fateOf(message);
    const send = (text: string): void => {
      pair.near.send(text);
    };
    if (fate === 'drop') return;
    if (fate === 'later' && pair.overtaken === null) {
      pair.overtaken = message;
      return;
    }
    send(typeof fate === 'object' ? fate.instead : message);
    if (fate === 'twice') send(message);
    if (pair.overtaken !== null) send(pair.overtaken);
    pair.overtaken = null;
  };

  const join = (near: WebSocket, far: WebSocket): Pair => {
    const pair: Pair = { near, far, held: [], overtaken: null };
    pairs.add(pair);
    near.on('message', (data: Buffer) => {
      pass(pair, () => {
        far.send(data.toString());
      });
    });
    far.on('message', (data: Buffer) => {
      pass(pair, () => {
        hear(pair, data.toString());
      });
    });
    const end = (): void => {
      pairs.delete(pair);
      near.terminate();
      far.terminate();
    };
    for (const one of [near, far]) one.on('close', end).on('error', end);
    return pair;
  };

  proxy.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (!mayPass(request)) {
      socket.destroy();
      return;
    }
    const far = new WebSocket(`ws://127.0.0.1:${port}${request.url ?? '/'}`, {
      headers: headersOf(request),
      perMessageDeflate: false,
    });
    socket.on('close', () => {
      far.terminate();
    });
    far.on('error', () => socket.destroy());
    far.on('unexpected-response', (_, answer) => {
      socket.end(`HTTP/1.1 ${String(answer.statusCode)} ${answer.statusMessage ?? ''}\r\n\r\n`);
    });
    far.once('open', () => {
      // What the server says before the browser's side is open waits in `early`.
      const early: Buffer[] = [];
      const keep = (data: Buffer): void => {
        early.push(data);
      };
      far.on('message', keep);
      acceptor.handleUpgrade(request, socket, head, (near) => {
        far.off('message', keep);
        const pair = join(near, far);
        for (const data of early) hear(pair, data.toString());
      });
    });
  });

  return {
    count: () => pairs.size,
    said,
    kill: () => {
      for (const { near, far } of [...pairs]) {
        near.terminate();
        far.terminate();
      }
    },
    stall: (next) => {
      isStalled = next;
      if (next) return;
      for (const { held } of pairs) for (const act of held.splice(0)) act();
    },
    decide: (fate) => {
      fateOf = fate;
    },
  };
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const own = /^(host|connection|upgrade|sec-websocket-.*)$/;
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      own.test(name) || typeof value !== 'string' ? [] : [[name, value] as const],
    ),
  );
}
