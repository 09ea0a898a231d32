import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import fastify, { LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '#base/id.ts';
import { limits, VERSION } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import { closeRefusals, openRefusals } from './audit/refusal-windows.ts';
import { apiRoutes } from './api/api-routes.ts';
import { downloadRoutes } from './downloads/download-routes.ts';
import { ticketRoute } from './files/ticket-route.ts';
import { hubRoutes } from './hub/hub-routes.ts';
import { identityRoutes } from './identity/identity-routes.ts';
import type { Services } from '../domain/services.ts';
import { systemTimers } from '../kernel/timers.ts';
import type { Timers } from '#base/timers.ts';
import { followRoutes, pathOf } from './addresses.ts';
import { countingRefusals } from './count-requests.ts';
import { layApi } from './api-layer.ts';
import { formRoutes } from './forms.ts';
import { helpRoutes } from './help/help-routes.ts';
import { answerProblem, refuseUnknown } from './problems.ts';
import { referencePage } from './reference/reference-routes.ts';
import { secure } from './security.ts';
import { FILE_WITHIN_MS, refuseSlowBodies } from './slow-bodies.ts';
import { refuseForeignSockets } from './socket-origin.ts';
import { serveApp } from './static.ts';

/** Each connection takes some 20 kB; more are not accepted. */
const CONNECTIONS = 10_000;
/** After this many requests the connection is made anew, so that no client holds one for ever. */
const REQUESTS_PER_SOCKET = 1_000;

export interface AppOptions {
  /** The folder with the built app. */
  readonly appDir: string;
  /** While it returns true, every request is told to come again. */
  readonly isStopping?: () => boolean;
  readonly timers?: Timers;
}

/** An address that leads to nothing: 404 with every header. */
const NOWHERE = '/api/nowhere';

/**
 * Builds everything that the server answers, in one place: from the request's first byte to its log
 * line.
 */
export async function buildApp(services: Services, options: AppOptions): Promise<FastifyInstance> {
  const { isStopping = () => false, timers = systemTimers } = options;
  const { trustedProxies } = services.config;
  const loggerInstance: FastifyBaseLogger = services.log;
  const app = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => newId(services.clock, services.random),
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Longer addresses are refused in our words, not by the parser.
    http: { maxHeaderSize: 4 * limits.addressBytes },
    routerOptions: { maxParamLength: limits.addressBytes },
    return503OnClosing: false,
    // The last resort, beyond every time limit of our own.
    requestTimeout: FILE_WITHIN_MS + 60_000,
    maxRequestsPerSocket: REQUESTS_PER_SOCKET,
    // An address that cannot be read would pass by the hooks, and so by the headers that they set.
    frameworkErrors: (_, { raw }, reply) => {
      raw.url = NOWHERE;
      app.routing(raw, reply.raw);
    },
  });
  app.server.maxConnections = CONNECTIONS;
  openRefusals(services, timers);
  app.addHook('onClose', () => closeRefusals(services));
  app.addHook('onClose', () => services.limits.stop());
  app.decorateRequest('caller', null);
  app.setErrorHandler(answerProblem);

  await secure(app, services.config);
  await app.register(compress, {
    threshold: 1_024,
    // No body is taken with a Content-Encoding (wire 1.2).
    globalDecompression: false,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
  });
  const addresses = followRoutes(app);
  greet(app, services, isStopping);
  refuseSlowBodies(app, timers);
  refuseUnknown(app, services, addresses);
  refuseForeignSockets(app, services);
  logAnswers(app);

  await app.register(async (api) => {
    layApi(api, services, timers);
    await apiRoutes(api, services, isStopping);
  });
  await app.register((hub) => hubRoutes(hub, services, timers));
  await app.register((identity) => identityRoutes(identity, services));
  await app.register((ui, _, done) => {
    formRoutes(ui);
    done();
  });
  await app.register((help, _, done) => {
    helpRoutes(help);
    done();
  });
  referencePage(app);
  downloadRoutes(app, services);
  ticketRoute(app, services);
  await serveApp(app, options.appDir);
  return app;
}

/**
 * Sets the headers of every answer, hijacked ones too, and refuses what is refused whatever the
 * address.
 */
function greet(app: FastifyInstance, services: Services, isStopping: () => boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    stamp(request, reply, services);
    if (/^\/(api|hubs)([/?]|$)/.test(request.url)) reply.raw.setHeader('Cache-Control', 'no-store');
    if (/^\/(api|hubs\/data\/negotiate)([/?]|$)/.test(request.url))
      reply.raw.setHeader('X-Slipway-Version', VERSION);
    await countingRefusals(services, request, () => {
      checkAddress(request.url);
    });
    // Connections of the hub end by themselves, in its own words.
    if (isStopping() && !/^\/(api\/health|hubs\/data\/?\?)/.test(request.url))
      throw new ProblemError({ code: 'unavailable' }, { 'Retry-After': '5', Connection: 'close' });
  });
}

/** @throws ProblemError 400, 404 */
function checkAddress(address: string): void {
  if (address.length > limits.addressBytes)
    throw new ProblemError({ code: 'invalid-parameter', detail: 'The address is too long.' });
  // No id, name or token has it, and no database takes it.
  if (pathOf(address).includes('%00')) throw new ProblemError({ code: 'not-found' });
}

function stamp({ id }: FastifyRequest, { raw }: FastifyReply, { clock }: Services): void {
  raw.setHeader('X-Request-Id', id);
  raw.setHeader('Date', new Date(clock()).toUTCString());
}

/**
 * Logs one line per answer, with the caller and their address. Queries and the secrets that some
 * paths hold stay out of it.
 */
function logAnswers(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        tookMs: Math.round(reply.elapsedTime),
        user: request.caller?.user.id ?? null,
        address: request.ip,
      },
      'Answered',
    );
    done();
  });
}

function loggedPath(request: FastifyRequest): string {
  return pathOf(request.url)
    .slice(0, 500)
    .replace(
      /^((?:\/api\/organization-membership-invites\/redeem|\/files|\/invitations\/[^/]+)\/)[^/]+/,
      '$1…',
    );
}
