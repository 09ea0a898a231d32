import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { HUB_PATH } from '#protocol/hub.ts';
import { limits, VERSION } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { countingBadTokens, countingRefusals } from '../count-requests.ts';
import { readBody } from '../media.ts';
import { checkVersion } from '../version.ts';
import { bearerOf, callerOf } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import { SharedConnectionDirectory } from './directory.ts';
import {
  forwardToProcess,
  internalAddress,
  PROCESS_HEADER,
  signalOfLeaving,
} from './forward-to-process.ts';
import { connectionIdOf, Hub } from './hub.ts';
import type { ConnectionLookup, OpenConnection, TransportName } from './hub.ts';
import { overServerSentEvents } from './server-sent-events.ts';
import type { ConnectingClient } from './hub-session.ts';
import type { Timers } from '#base/timers.ts';
import { acceptSockets } from './upgrades.ts';
import type { Sockets } from './upgrades.ts';
import { overWebSocket } from './web-socket.ts';

const TRANSPORTS: readonly TransportName[] = ['WebSockets', 'ServerSentEvents', 'LongPolling'];
const OFFERED = TRANSPORTS.map((transport) => ({ transport, transferFormats: ['Text'] }));

declare module 'fastify' {
  interface FastifyRequest {
    /** The client that connects to the hub; it is set before the body is read. */
    connectingClient: ConnectingClient | null;
  }
}

interface HubRoutesContext {
  readonly services: Services;
  /** This process's name among the others. */
  readonly process: string;
  readonly hub: Hub;
  readonly timers: Timers;
  readonly sockets: Sockets;
}

/** `/hubs/data` and its negotiation (wire 10.1), also where the base address ends in a slash. */
export async function hubRoutes(
  app: FastifyInstance,
  services: Services,
  timers: Timers,
): Promise<void> {
  const directory = new SharedConnectionDirectory(
    services,
    timers,
    internalAddress(services.config),
  );
  const hub = new Hub(services, timers, directory);
  const sockets = acceptSockets(app, timers);
  const entrance = { services, process: directory.process, hub, timers, sockets };
  app.addHook('preClose', async () => {
    await hub.stop();
    sockets.close();
  });
  await app.register(async (inner) => {
    inner.removeAllContentTypeParsers();
    inner.addContentTypeParser('*', (_: FastifyRequest, body: Readable) =>
      readBody(body, limits.hubUnfinishedBytes, timers),
    );
    inner.addHook('onRequest', async (_, reply) => {
      reply.raw.setHeader('Cache-Control', 'no-store');
    });

    inner.decorateRequest('connectingClient', null);
    const onRequest = (request: FastifyRequest) => identify(entrance, request);
    const first = { onRequest: [checkNegotiation(entrance), onRequest] };
    inner.post(`${HUB_PATH}/negotiate`, first, (request) => negotiate(entrance, request));
    for (const path of [HUB_PATH, `${HUB_PATH}/`]) {
      inner.get(path, { exposeHeadRoute: false, onRequest }, (request, reply) =>
        connect(entrance, request, reply),
      );
      inner.post(path, { onRequest }, (request, reply) => receivePost(entrance, request, reply));
      inner.delete(path, { onRequest }, (request, reply) => leave(entrance, request, reply));
    }
    await Promise.resolve();
  });
}

const checkNegotiation =
  ({ services }: HubRoutesContext) =>
  async (request: FastifyRequest, reply: FastifyReply) => {
    void reply.header('X-Slipway-Version', VERSION);
    await countingRefusals(services, request, () => {
      checkVersion(request);
      versionAskedFor(request);
    });
  };

async function negotiate({ services, hub }: HubRoutesContext, request: FastifyRequest) {
  const version = versionAskedFor(request);
  const token = await hub.reserve(connectingClientIn(request));
  const names =
    version === 0
      ? { negotiateVersion: 0, connectionId: token }
      : { negotiateVersion: 1, connectionId: connectionIdOf(services), connectionToken: token };
  return { ...names, availableTransports: OFFERED };
}

/** Returns the highest version of negotiation that both sides know. @throws ProblemError 400 */
function versionAskedFor({ query }: FastifyRequest): 0 | 1 {
  const { negotiateVersion: requested } = query as Readonly<Record<string, unknown>>;
  if (requested === undefined) return 0;
  if (typeof requested !== 'string' || !/^\d+$/.test(requested))
    throw new ProblemError({
      code: 'invalid-parameter',
      source: { parameter: 'negotiateVersion' },
    });
  return Number(requested) === 0 ? 0 : 1;
}

/** A GET opens the transport that the request is for; for long polling it is also every poll. */
async function connect(entrance: HubRoutesContext, request: FastifyRequest, reply: FastifyReply) {
  const { hub, timers, sockets } = entrance;
  const client = connectingClientIn(request);
  const transport = transportOf(request, sockets);
  if (transport === 'LongPolling') return poll(entrance, request, reply, client);

  const connection = await unused(hub, request, client, transport);
  reply.hijack();
  if (transport === 'WebSockets') {
    sockets.open(request, (socket) => {
      hub.attach(connection, client, (listener) => overWebSocket(socket, listener, timers));
    });
    return reply;
  }
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  hub.attach(connection, client, (listener) => overServerSentEvents(reply.raw, listener, timers));
  return reply;
}

function transportOf(request: FastifyRequest, sockets: Sockets): TransportName {
  if (sockets.isUpgrade(request)) return 'WebSockets';
  const accept = request.headers.accept?.toLowerCase() ?? '';
  return accept.includes('text/event-stream') ? 'ServerSentEvents' : 'LongPolling';
}

/**
 * Returns a connection whose transport comes now. @throws ProblemError 409 when it has come already
 */
async function unused(
  hub: Hub,
  request: FastifyRequest,
  client: ConnectingClient,
  transport: TransportName,
): Promise<OpenConnection> {
  if (transport === 'WebSockets' && parameter(request, 'id') === null)
    return hub.openNew(client, transport);
  const found = await hub.open(tokenIn(request), client, transport);
  if (found.is === 'opened') return found.connection;
  if (found.is === 'seated' || found.is === 'elsewhere')
    throw new ProblemError({ code: 'id-taken' });
  throw new ProblemError({ code: 'not-found' });
}

async function poll(
  entrance: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  client: ConnectingClient,
) {
  const { services, hub } = entrance;
  const token = tokenIn(request);
  const found = isHandedOn(request)
    ? here(hub, token, client)
    : await hub.open(token, client, 'LongPolling');
  if (found.is === 'elsewhere') return forwardToProcess(services, found, request, reply);
  const connection = connectionIn(found);
  if (found.is === 'opened') hub.attachLongPolling(connection, client);
  if (connection.polling === null) throw new ProblemError({ code: 'id-taken' });

  const frames = await connection.polling.receivePoll(signalOfLeaving(reply));
  return frames === null ? reply.code(204).send() : reply.type('text/plain').send(frames);
}

async function receivePost(
  { services, hub }: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const client = connectingClientIn(request);
  let connection = hub.closedConnectionOf(tokenIn(request), client);
  if (connection === null) {
    const found = await findIn(hub, request, client);
    if (found.is === 'elsewhere') return forwardToProcess(services, found, request, reply);
    connection = connectionIn(found);
  }
  const { session, transport } = connection;
  if (transport === 'WebSockets')
    throw new ProblemError({ code: 'method-not-allowed' }, { Allow: 'GET, OPTIONS' });
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (session?.connection.receive(body) !== true) throw new ProblemError({ code: 'not-found' });
  return reply.code(200).type('text/plain').send('');
}

async function leave(
  { services, hub }: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const found = await findIn(hub, request, connectingClientIn(request));
  if (found.is === 'elsewhere') return forwardToProcess(services, found, request, reply);
  if (found.is === 'reserved') {
    await hub.cancelReservation(tokenIn(request));
  } else {
    const { polling } = connectionIn(found);
    // The other transports end by closing what carries them.
    if (polling === null) throw new ProblemError({ code: 'invalid-parameter', source: ID });
    polling.end();
  }
  return reply.code(202).type('text/plain').send('');
}

const ID = { parameter: 'id' } as const;

/** @throws ProblemError 404 unless the connection is in this process */
function connectionIn(found: ConnectionLookup): OpenConnection {
  if (found.is === 'opened' || found.is === 'seated') return found.connection;
  throw new ProblemError({ code: 'not-found' });
}

async function findIn(
  hub: Hub,
  request: FastifyRequest,
  client: ConnectingClient,
): Promise<ConnectionLookup> {
  const token = tokenIn(request);
  return isHandedOn(request) ? here(hub, token, client) : hub.find(token, client);
}

/**
 * A connection of a forwarded request is in this process or nowhere, so that nothing goes round in
 * circles.
 */
function here(hub: Hub, token: string, client: ConnectingClient): ConnectionLookup {
  const connection = hub.connectionOf(token, client);
  return connection === null ? { is: 'unknown' } : { is: 'seated', connection };
}

const isHandedOn = ({ headers }: FastifyRequest): boolean => headers[PROCESS_HEADER] !== undefined;

/**
 * Identifies the client before the body is read, so that no stranger's body is read. @throws
 * ProblemError the refusals of wire 2
 */
async function identify(
  { services, process }: HubRoutesContext,
  request: FastifyRequest,
): Promise<void> {
  // A browser cannot set the header for WebSockets and events, which are GETs.
  const inAddress = request.method === 'GET' ? parameter(request, 'access_token') : null;
  const bearer = bearerOf(request) ?? inAddress;
  // Only the other processes know this name, and the one that forwards has counted the request.
  const isCounted = request.headers[PROCESS_HEADER] !== process;
  const find = () => callerOf(services, bearer, request.ip, isCounted);
  const caller = await (isCounted ? countingBadTokens(services, request, find) : find());
  request.connectingClient = { caller, bearer };
}

function connectingClientIn({ connectingClient: client }: FastifyRequest): ConnectingClient {
  if (client === null) throw new Error('The caller was not identified');
  return client;
}

function tokenIn(request: FastifyRequest): string {
  const token = parameter(request, 'id');
  if (token === null) throw new ProblemError({ code: 'invalid-parameter', source: ID });
  return token;
}

function parameter({ query }: FastifyRequest, name: string): string | null {
  const value = (query as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' && value !== '' ? value : null;
}
