import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** What becomes of a request: passed on, cut before it arrives, or answered to nobody. */
type Fate = 'pass' | 'cut-before' | 'drop-answer';

export interface Proxy {
  readonly url: string;
  /** Asked for each request; `pass` unless told otherwise. */
  decide(fate: (request: IncomingMessage) => Fate): void;
  /** While closed, every connection is cut at once: no request, no WebSocket gets through. */
  setOpen(isOpen: boolean): void;
  /** How many requests to a path that starts with `prefix` were passed on. */
  passed(prefix: string): number;
  close(): Promise<void>;
}

/** Stands between a browser and the server at `port` on this machine, and breaks what it is told to. */
export async function startProxy(port: number, ownPort = 0): Promise<Proxy> {
  let fateOf: (request: IncomingMessage) => Fate = () => 'pass';
  let isOpen = true;
  const open = new Set<Socket>();
  const counts: string[] = [];

  const forward = (request: IncomingMessage, response: ServerResponse): void => {
    const fate = isOpen ? fateOf(request) : 'cut-before';
    if (fate === 'cut-before') {
      request.socket.destroy();
      return;
    }
    counts.push(request.url ?? '');
    const { method, url, headers } = request;
    const onward = httpRequest(
      { host: '127.0.0.1', port, method, path: url, headers },
      (answer) => {
        if (fate === 'drop-answer') {
          // The whole answer is heard first, so the server has committed for sure.
          answer.resume().on('end', () => request.socket.destroy());
          return;
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    onward.on('error', () => request.socket.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  };

  const server = createServer(forward);
  server.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    if (!isOpen) socket.destroy();
  });
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const onward = connect(port, '127.0.0.1', () => {
      const lines = request.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 ? [`${name}: ${all[i + 1] ?? ''}`] : [],
      );
      onward.write(`GET ${request.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    socket.on('close', () => onward.destroy());
  });

  await new Promise<void>((done) => server.listen(ownPort, '127.0.0.1', done));
  const { port: heard } = server.address() as AddressInfo;
  return {
    url: `http://localhost:${heard}`,
    decide: (fate) => {
      fateOf = fate;
    },
    setOpen: (next) => {
      isOpen = next;
      if (!next) open.forEach((socket) => socket.destroy());
    },
    passed: (prefix) => counts.filter((path) => path.startsWith(prefix)).length,
    close: () =>
      new Promise((done) => {
        open.forEach((socket) => socket.destroy());
        server.close(() => {
          done();
        });
      }),
  };
}
