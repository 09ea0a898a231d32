import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Asked } from './proxy.ts';

/** Gives each request to the next of several servers, as a balancer without sticky sessions does. */
export interface RoundRobin {
  readonly url: string;
  readonly port: number;
  /** Every POST to `/api/operations` so far. */
  readonly asked: readonly Asked[];
  /** The ports of the servers on this machine that are given requests from now on. */
  giveTo(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** A server that cannot be reached is passed over, like one that its balancer knows to be down. */
export async function startRoundRobin(): Promise<RoundRobin> {
  let ports: readonly number[] = [];
  let turn = 0;
  const asked: Asked[] = [];
  const open = new Set<Duplex>();
  const next = (): number => {
    turn += 1;
    return ports[turn % ports.length] ?? 0;
  };

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = 'GET', url = '/', headers } = request;
    if (url === '/api/operations') asked.push({ method, url, headers, body: body.toString() });
    const tryAt = (tries: number): void => {
      const far = httpRequest({ port: next(), host: '127.0.0.1', method, path: url, headers });
      far.on('response', (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      });
      far.on('error', (error: Error & { readonly code?: string }) => {
        if (error.code === 'ECONNREFUSED' && tries < ports.length) tryAt(tries + 1);
        else response.destroy();
      });
      response.once('close', () => far.destroy());
      far.end(body);
    };
    tryAt(1);
  };

  const relay = (near: Socket, first: Buffer, tries: number): void => {
    const far = connect({ port: next(), host: '127.0.0.1' });
    let isOpen = false;
    far.once('connect', () => {
      isOpen = true;
      far.write(first);
      near.pipe(far);
      far.pipe(near);
    });
    far.once('error', () => {
      if (!isOpen && tries < ports.length) relay(near, first, tries + 1);
      else near.destroy();
    });
    far.once('close', () => {
      if (isOpen) near.destroy();
    });
    near.once('close', () => far.destroy());
  };

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => open.delete(socket));
  });
  server.on('upgrade', (request: IncomingMessage, near: Socket, head: Buffer) => {
    const { rawHeaders: raw } = request;
    const lines = raw.flatMap((name, n) => (n % 2 === 0 ? [`${name}: ${raw[n + 1] ?? ''}`] : []));
    const first = [`GET ${request.url ?? '/'} HTTP/1.1`, ...lines, '', ''].join('\r\n');
    relay(near, Buffer.concat([Buffer.from(first), head]), 1);
  });
  await new Promise<void>((done) => server.listen(0, 'localhost', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${String(port)}`,
    port,
    asked,
    giveTo: (given) => {
      ports = given;
    },
    close: () => {
      for (const socket of open) socket.destroy();
      return new Promise((done) => {
        server.close(() => {
          done();
        });
      });
    },
  };
}
