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
    /** Who comes to the hub; set before the body is read. */
    comer: ConnectingClient | null;
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
  parts: Services,
  timers: Timers,
): Promise<void> {
  const directory = new SharedConnectionDirectory(parts, timers, internalAddress(parts.config));
  const hub = new Hub(parts, timers, directory);
  const sockets = acceptSockets(app, timers);
  const entrance = { services: parts, process: directory.process, hub, timers, sockets };
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

    inner.decorateRequest('comer', null);
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

/** The highest version of negotiation that both sides know. @throws ProblemError 400 */
function versionAskedFor({ query }: FastifyRequest): 0 | 1 {
  const { negotiateVersion: asked } = query as Readonly<Record<string, unknown>>;
  if (asked === undefined) return 0;
  if (typeof asked !== 'string' || !/^\d+$/.test(asked))
    throw new ProblemError({
      code: 'invalid-parameter',
      source: { parameter: 'negotiateVersion' },
    });
  return Number(asked) === 0 ? 0 : 1;
}

/** A GET opens the transport that the request is of; for long polling it is also every poll. */
async function connect(entrance: HubRoutesContext, request: FastifyRequest, reply: FastifyReply) {
  const { hub, timers, sockets } = entrance;
  const comer = connectingClientIn(request);
  const transport = transportOf(request, sockets);
  if (transport === 'LongPolling') return poll(entrance, request, reply, comer);

  const seat = await unused(hub, request, comer, transport);
  reply.hijack();
  if (transport === 'WebSockets') {
    sockets.open(request, (socket) => {
      hub.attach(seat, comer, (ears) => overWebSocket(socket, ears, timers));
    });
    return reply;
  }
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  hub.attach(seat, comer, (ears) => overServerSentEvents(reply.raw, ears, timers));
  return reply;
}

function transportOf(request: FastifyRequest, sockets: Sockets): TransportName {
  if (sockets.isUpgrade(request)) return 'WebSockets';
  const accept = request.headers.accept?.toLowerCase() ?? '';
  return accept.includes('text/event-stream') ? 'ServerSentEvents' : 'LongPolling';
}

/** A connection whose transport comes now. @throws ProblemError 409 when it has come already */
async function unused(
  hub: Hub,
  request: FastifyRequest,
  comer: ConnectingClient,
  transport: TransportName,
): Promise<OpenConnection> {
  if (transport === 'WebSockets' && parameter(request, 'id') === null)
    return hub.openNew(comer, transport);
  const found = await hub.open(tokenIn(request), comer, transport);
  if (found.is === 'opened') return found.connection;
  if (found.is === 'seated' || found.is === 'elsewhere')
    throw new ProblemError({ code: 'id-taken' });
  throw new ProblemError({ code: 'not-found' });
}

async function poll(
  entrance: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
  comer: ConnectingClient,
) {
  const { services: parts, hub } = entrance;
  const token = tokenIn(request);
  const found = isHandedOn(request)
    ? here(hub, token, comer)
    : await hub.open(token, comer, 'LongPolling');
  if (found.is === 'elsewhere') return forwardToProcess(parts, found, request, reply);
  const seat = connectionIn(found);
  if (found.is === 'opened') hub.attachLongPolling(seat, comer);
  if (seat.polling === null) throw new ProblemError({ code: 'id-taken' });

  const frames = await seat.polling.ask(signalOfLeaving(reply));
  return frames === null ? reply.code(204).send() : reply.type('text/plain').send(frames);
}

async function receivePost(
  { services: parts, hub }: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const comer = connectingClientIn(request);
  let seat = hub.closedConnectionOf(tokenIn(request), comer);
  if (seat === null) {
    const found = await findIn(hub, request, comer);
    if (found.is === 'elsewhere') return forwardToProcess(parts, found, request, reply);
    seat = connectionIn(found);
  }
  const { session, transport } = seat;
  if (transport === 'WebSockets')
    throw new ProblemError({ code: 'method-not-allowed' }, { Allow: 'GET, OPTIONS' });
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (session?.connection.receive(body) !== true) throw new ProblemError({ code: 'not-found' });
  return reply.code(200).type('text/plain').send('');
}

async function leave(
  { services: parts, hub }: HubRoutesContext,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const found = await findIn(hub, request, connectingClientIn(request));
  if (found.is === 'elsewhere') return forwardToProcess(parts, found, request, reply);
  if (found.is === 'reserved') {
    await hub.cancelReservation(tokenIn(request));
  } else {
    const { polling } = connectionIn(found);
    // The others end by closing what carries them.
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
  comer: ConnectingClient,
): Promise<ConnectionLookup> {
  const token = tokenIn(request);
  return isHandedOn(request) ? here(hub, token, comer) : hub.find(token, comer);
}

/** What another process handed on is in this one or nowhere, so that nothing goes round in circles. */
function here(hub: Hub, token: string, comer: ConnectingClient): ConnectionLookup {
  const seat = hub.connectionOf(token, comer);
  return seat === null ? { is: 'unknown' } : { is: 'seated', connection: seat };
}

const isHandedOn = ({ headers }: FastifyRequest): boolean => headers[PROCESS_HEADER] !== undefined;

/** Before the body is read, so that no stranger's is. @throws ProblemError the refusals of wire 2 */
async function identify(
  { services: parts, process }: HubRoutesContext,
  request: FastifyRequest,
): Promise<void> {
  // Where a browser cannot set the header: WebSockets and events, which are GETs.
  const inAddress = request.method === 'GET' ? parameter(request, 'access_token') : null;
  const bearer = bearerOf(request) ?? inAddress;
  // Its name is known to the other processes alone, and the one that hands on has counted.
  const isCounted = request.headers[PROCESS_HEADER] !== process;
  const find = () => callerOf(parts, bearer, request.ip, isCounted);
  const caller = await (isCounted ? countingBadTokens(parts, request, find) : find());
  request.comer = { caller, bearer };
}

function connectingClientIn({ comer }: FastifyRequest): ConnectingClient {
  if (comer === null) throw new Error('The caller was not identified');
  return comer;
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
