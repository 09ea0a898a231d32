import { createServer, request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { relaySockets } from './socket-relay.ts';
import type { Sockets } from './socket-relay.ts';

/** A request as the proxy heard it, whole. */
export interface Asked {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/**
 * What becomes of a request.
 *
 * - `cut-before`: the connection ends before the server hears of it
 * - `drop-answer`: the server does it, and nobody is told
 * - `hang`: the server does it, and the connection stays open without an answer
 * - `portal`: somebody in between answers with a page of theirs and status 200
 * - `repeat`: the server gets it twice; the second answer comes back
 * - `cutAt`: the answer ends after that part of its bytes (0 to 1); `isClean`: as if that were all
 * - `garbleAt`: the byte at that part of the answer is another one
 * - `delayMs`: the answer comes so much later
 * - `status`: the proxy answers by itself
 */
export type Fate =
  | 'pass'
  | 'cut-before'
  | 'drop-answer'
  | 'hang'
  | 'portal'
  | 'repeat'
  | { readonly cutAt: number; readonly isClean?: boolean }
  | { readonly garbleAt: number }
  | { readonly delayMs: number }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    };

export interface Proxy {
  readonly url: string;
  /** Asked for each request; `pass` unless told otherwise. */
  decide(fate: (request: Asked) => Fate): void;
  /** While closed, every connection is cut at once: no request, no WebSocket gets through. */
  setOpen(isOpen: boolean): void;
  /** Every request so far, cut ones too, in the order in which they were heard. */
  readonly asked: readonly Asked[];
  /** How many requests wait for an answer, or for its end. */
  unanswered(): number;
  readonly sockets: Sockets;
  /** Open, passing everything, with nothing asked yet. */
  reset(): void;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

const PORTAL = '<!doctype html><title>Hotel</title><h1>Please accept our conditions</h1>';

/** Stands between a browser and the server at `port` on this machine, and breaks what it is told to. */
export async function startProxy(port: number, ownPort = 0): Promise<Proxy> {
  let fateOf: (request: Asked) => Fate = () => 'pass';
  let isOpen = true;
  const open = new Set<Socket>();
  const asked: Asked[] = [];
  let unanswered = 0;

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const whole = await readAll(request);
    const { method = 'GET', url = '/', headers } = request;
    const heard: Asked = { method, url, headers, body: whole.toString() };
    asked.push(heard);
    const fate = isOpen ? fateOf(heard) : 'cut-before';
    await meet(fate, heard, whole, response);
  };

  const meet = async (fate: Fate, heard: Asked, body: Buffer, response: ServerResponse) => {
    if (fate === 'pass') {
      stream(port, heard, body, response);
    } else if (fate === 'cut-before') {
      response.destroy();
    } else if (fate === 'portal') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(PORTAL);
    } else if (typeof fate === 'object' && 'status' in fate) {
      response.writeHead(fate.status, fate.headers).end(fate.body);
    } else {
      if (fate === 'repeat') await askServer(port, heard, body);
      const answer = await askServer(port, heard, body);
      if (fate === 'hang') return;
      if (typeof fate === 'object' && 'delayMs' in fate) await pause(fate.delayMs);
      give(answer, fate, response);
    }
  };

  const server = createServer((request, response) => {
    unanswered += 1;
    response.on('close', () => {
      unanswered -= 1;
    });
    take(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (!isOpen) socket.destroy();
  });
  const sockets = relaySockets(server, port, (request) => {
    const { method = 'GET', url = '/', headers } = request;
    const heard: Asked = { method, url, headers, body: '' };
    asked.push(heard);
    return isOpen && fateOf(heard) === 'pass';
  });

  await new Promise<void>((done) => server.listen(ownPort, '127.0.0.1', done));
  const { port: heardAt } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${heardAt}`,
    asked,
    unanswered: () => unanswered,
    sockets,
    decide: (fate) => {
      fateOf = fate;
    },
    setOpen: (next) => {
      isOpen = next;
      if (!next) open.forEach((socket) => socket.destroy());
    },
    reset: () => {
      fateOf = () => 'pass';
      isOpen = true;
      asked.length = 0;
      sockets.said.length = 0;
      sockets.decide(() => 'pass');
      sockets.stall(false);
    },
    close: () =>
      new Promise((done) => {
        open.forEach((socket) => socket.destroy());
        server.close(() => {
          done();
        });
      }),
  };
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Without what says how long the body is. */
function unframed(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const framing = new Set(['content-length', 'transfer-encoding']);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !framing.has(name)));
}

function onward(port: number, { method, url, headers }: Asked, body: Buffer) {
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const request = httpRequest({
    host: '127.0.0.1',
    port,
    method,
    path: url,
    headers: { ...unframed(headers), ...length },
  });
  request.end(body);
  return request;
}

/** Passes the answer on as it comes: server-sent events never end. */
function stream(port: number, heard: Asked, body: Buffer, response: ServerResponse): void {
  const request = onward(port, heard, body);
  request.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
    answer.on('error', () => response.destroy());
  });
  request.on('error', () => response.destroy());
  response.on('close', () => request.destroy());
}

/** The whole answer, so that the server has committed for sure. */
function askServer(port: number, heard: Asked, body: Buffer): Promise<Answer> {
  return new Promise((done, fail) => {
    // Uncompressed, so that what is cut or garbled is the text itself.
    const headers = { ...heard.headers, 'accept-encoding': 'identity' };
    const request = onward(port, { ...heard, headers }, body);
    request.on('error', fail);
    request.on('response', (answer) => {
      readAll(answer).then((whole) => {
        done({ status: answer.statusCode ?? 502, headers: answer.headers, body: whole });
      }, fail);
    });
  });
}

function give({ status, headers, body }: Answer, fate: Fate, response: ServerResponse): void {
  if (fate === 'drop-answer') {
    response.destroy();
    return;
  }
  if (typeof fate !== 'object' || 'delayMs' in fate) {
    response.writeHead(status, headers).end(body);
    return;
  }
  const rest = unframed(headers);
  if ('garbleAt' in fate) {
    const other = Buffer.from(body);
    const at = Math.min(body.length - 1, Math.floor(body.length * fate.garbleAt));
    other[at] = (other[at] ?? 0) ^ 0x5f;
    response.writeHead(status, rest).end(other);
  } else if ('cutAt' in fate) {
    const part = body.subarray(0, Math.floor(body.length * fate.cutAt));
    if (fate.isClean === true) {
      response.writeHead(status, rest).end(part);
      return;
    }
    response.writeHead(status, { ...rest, 'content-length': String(body.length + 1) });
    response.write(part, () => response.destroy());
  }
}
