import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { COMMIT_HEADER, JSON_API } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { headOf } from '../feed/write-feed.ts';
import { commitText } from '../feed/cursor.ts';
import { bearerOf, callerOf } from '../domain/accounts/caller.ts';
import { auditRefusal } from './audit/request-refusals.ts';
import type { Services } from '../domain/services.ts';
import { systemTimers } from '../kernel/timers.ts';
import type { Timers } from '#base/timers.ts';
import { answerByTag } from './caching.ts';
import { bytesOf, checkLength, checkMedia, hasBody, readJson } from './media.ts';
import { countingBadTokens, countingRefusals, countPublic } from './count-requests.ts';
import { answerProblem } from './problems.ts';
import { checkVersion } from './version.ts';

/** Config and health are for every client, however old. */
const NEVER_TOO_OLD = /^\/api\/(config|health)(\/|$)/;

/** Monitoring may ask as often as it likes. */
const NEVER_COUNTED = /^\/api\/health(\/|$)/;

/**
 * Adds what every request under `/api` goes through before and after its route, in the order of
 * wire 6.3: version, caller, rate, media types, size; then the route itself; then tag and headers.
 */
export function layApi(
  api: FastifyInstance,
  services: Services,
  timers: Timers = systemTimers,
): void {
  answerInTime(api, timers);
  api.addHook('onRequest', async (request, reply) => {
    void reply.header('Vary', 'Accept');
    await countingRefusals(services, request, () => {
      if (!NEVER_TOO_OLD.test(request.routeOptions.url ?? '')) checkVersion(request);
    });
    await identify(request, services);
    checkMedia(request);
    checkLength(request);
  });

  api.addHook('onError', async (request, _reply, error) => {
    await auditRefusal(services, request, error);
  });

  api.removeAllContentTypeParsers();
  api.addContentTypeParser('*', (request: FastifyRequest, body: Readable) => {
    if (!hasBody(request)) return Promise.resolve(undefined);
    const isFile = request.routeOptions.config.takes !== undefined;
    return isFile
      ? Promise.resolve(bytesOf(request, body, timers))
      : readJson(request, body, timers);
  });

  api.addHook('onSend', async (request, reply, body: unknown) => {
    if (!showsRecords(request, reply)) return body;
    try {
      void reply.header(COMMIT_HEADER, commitText(await services.db.read(headOf)));
    } catch (error) {
      // The request is done, and an answer without the header counts as well.
      request.log.warn({ err: error }, 'The newest commit could not be read for an answer');
    }
    return body;
  });

  api.addHook('onSend', (request, reply, body, done) => {
    const type = reply.getHeader('Content-Type');
    if (typeof type === 'string' && /^application\/(vnd\.api\+)?json/.test(type))
      void reply.header('Content-Type', mediaTypeOf(request, reply));
    done(null, answerByTag(request, reply, body));
  });
}

/** The feed itself says where it stands, and a refusal shows nothing. */
function showsRecords({ caller, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  return caller !== null && reply.statusCode < 300 && routeOptions.url !== paths.changes;
}

async function identify(request: FastifyRequest, services: Services): Promise<void> {
  const { url = '', config } = request.routeOptions;
  if (config.access !== 'public')
    request.caller = await countingBadTokens(services, request, () =>
      callerOf(services, bearerOf(request), request.ip),
    );
  else if (!NEVER_COUNTED.test(url)) await countPublic(services, request);
}

/** Returns exactly the JSON:API type, also for problems of JSON calls. */
function mediaTypeOf(request: FastifyRequest, reply: FastifyReply): string {
  const isJson = request.routeOptions.config.media === 'json' && reply.statusCode < 400;
  return isJson ? 'application/json; charset=utf-8' : JSON_API;
}

/**
 * Answers 503 when there is no answer in time, whatever it waits for: nothing is decided, so the
 * client asks again.
 */
function answerInTime(api: FastifyInstance, timers: Timers): void {
  const cancels = new WeakMap<FastifyRequest, () => void>();
  api.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.takes !== undefined) {
      done();
      return;
    }
    const cancel = timers.after(limits.answerWithinMs, () => {
      if (reply.sent) return;
      const late = new ProblemError({ code: 'unavailable' }, { 'Retry-After': '5' });
      answerProblem(late, request, reply);
    });
    cancels.set(request, cancel);
    done();
  });
  api.addHook('onResponse', (request, _, done) => {
    cancels.get(request)?.();
    done();
  });
}
