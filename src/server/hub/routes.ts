import { ServerResponse } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { HUB_PATH } from '#protocol/hub.ts';
import { limits, VERSION } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { checkVersion } from '../http/version.ts';
import { bearerOf, callerOf } from '../identity/caller.ts';
import type { Parts } from '../parts.ts';
import { connectionIdOf, Hub } from './hub.ts';
import type { Seat } from './hub.ts';
import { overServerSentEvents } from './server-sent-events.ts';
import type { Comer } from './session.ts';
import type { Timers } from '../timers.ts';
import { overWebSocket } from './web-socket.ts';

/** Beyond it a message is not even read; up to it the client is told why it is too large. */
const MOST_READ_BYTES = 4 * limits.hubFrameBytes;

const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'].map((transport) => ({
  transport,
  transferFormats: ['Text'],
}));

/** `/hubs/data` and its negotiation (wire 10.1). */
export async function hubRoutes(app: FastifyInstance, parts: Parts, timers: Timers): Promise<void> {
  const hub = new Hub(parts, timers);
  const sockets = acceptSockets(app);
  app.addHook('preClose', async () => {
    await hub.stop();
    sockets.close();
  });
  await app.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser(
      '*',
      { parseAs: 'string', bodyLimit: MOST_READ_BYTES },
      (_, body, done) => {
        done(null, body);
      },
    );
    inner.addHook('onRequest', async (_, reply) => {
      reply.raw.setHeader('Cache-Control', 'no-store');
    });

    inner.post(`${HUB_PATH}/negotiate`, async (request, reply) => {
      void reply.header('X-Slipway-Version', VERSION);
      checkVersion(request);
      return negotiated(parts, hub.take(await comerOf(parts, request)), request);
    });
    inner.get(HUB_PATH, (request, reply) =>
      connect({ parts, hub, timers, sockets }, request, reply),
    );
    inner.post(HUB_PATH, async (request, reply) => {
      const { session } = seatIn(hub, request, await comerOf(parts, request));
      if (session === null) throw new ProblemError({ code: 'not-found' });
      session.connection.hear(typeof request.body === 'string' ? request.body : '');
      return reply.code(200).type('text/plain').send('');
    });
    inner.delete(HUB_PATH, async (request, reply) => {
      const seat = seatIn(hub, request, await comerOf(parts, request));
      hub.dismiss(seat);
      return reply.code(202).type('text/plain').send('');
    });
    await Promise.resolve();
  });
}

interface Entrance {
  readonly parts: Parts;
  readonly hub: Hub;
  readonly timers: Timers;
  readonly sockets: Sockets;
}

/** A GET opens the transport that the request is of; for long polling it is also every poll. */
async function connect(entrance: Entrance, request: FastifyRequest, reply: FastifyReply) {
  const { parts, hub, timers, sockets } = entrance;
  const comer = await comerOf(parts, request);
  if (sockets.isUpgrade(request)) {
    const seat = parameter(request, 'id') === null ? hub.take(comer) : unused(hub, request, comer);
    reply.hijack();
    sockets.open(request, (socket) => {
      hub.seatAt(seat, comer, (ears) => overWebSocket(socket, ears, timers));
    });
    return reply;
  }
  if (request.headers.accept?.includes('text/event-stream') === true) {
    const seat = unused(hub, request, comer);
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    hub.seatAt(seat, comer, (ears) => overServerSentEvents(reply.raw, ears, timers));
    return reply;
  }
  return poll(hub, request, reply, comer);
}

async function poll(hub: Hub, request: FastifyRequest, reply: FastifyReply, comer: Comer) {
  const seat = seatIn(hub, request, comer);
  if (seat.session !== null && seat.polling === null) throw new ProblemError({ code: 'not-found' });
  const polling = hub.pollingAt(seat, comer);
  const broken = () => {
    if (!reply.raw.writableEnded) polling.forget();
  };
  reply.raw.once('close', broken);
  const frames = await polling.ask();
  return frames === null ? reply.code(204).send() : reply.type('text/plain').send(frames);
}

function negotiated(parts: Parts, { token }: Seat, request: FastifyRequest) {
  const isFirstVersion = parameter(request, 'negotiateVersion') === '1';
  const names = isFirstVersion
    ? { negotiateVersion: 1, connectionId: connectionIdOf(parts), connectionToken: token }
    : { negotiateVersion: 0, connectionId: token };
  return { ...names, availableTransports: TRANSPORTS };
}

/** @throws ProblemError the refusals of wire 2 */
async function comerOf(parts: Parts, request: FastifyRequest): Promise<Comer> {
  // Where a browser cannot set the header: WebSockets and events, which are GETs.
  const inAddress = request.method === 'GET' ? parameter(request, 'access_token') : null;
  const bearer = bearerOf(request) ?? inAddress;
  return { caller: await callerOf(parts, bearer), bearer };
}

function seatIn(hub: Hub, request: FastifyRequest, comer: Comer): Seat {
  const token = parameter(request, 'id');
  if (token === null)
    throw new ProblemError({ code: 'invalid-parameter', source: { parameter: 'id' } });
  return hub.seatOf(token, comer);
}

/** A seat whose transport is not chosen yet. */
function unused(hub: Hub, request: FastifyRequest, comer: Comer): Seat {
  const seat = seatIn(hub, request, comer);
  if (seat.session !== null) throw new ProblemError({ code: 'not-found' });
  return seat;
}

function parameter({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

interface Sockets {
  isUpgrade(request: FastifyRequest): boolean;
  open(request: FastifyRequest, opened: (socket: WebSocket) => void): void;
  close(): void;
}

/** Lets upgrades take the way of every request, so that they are checked and refused like others. */
function acceptSockets(app: FastifyInstance): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_READ_BYTES });
  const upgrades = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer }>();

  app.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    const response = new ServerResponse(request);
    socket.on('error', () => undefined);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.once('finish', () => {
      socket.end();
    });
    if (request.headers.upgrade?.toLowerCase() === 'websocket')
      upgrades.set(request, { socket, head });
    app.routing(request, response);
  });

  return {
    isUpgrade: ({ raw }) => upgrades.has(raw),
    open({ raw }, opened) {
      const upgrade = upgrades.get(raw);
      if (upgrade !== undefined) server.handleUpgrade(raw, upgrade.socket, upgrade.head, opened);
    },
    close() {
      server.close();
    },
  };
}
