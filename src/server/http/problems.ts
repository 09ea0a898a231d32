import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_API } from '#protocol/document.ts';
import type { ErrorDocument } from '#protocol/document.ts';
import { errorObject, ProblemError, statusOf } from '#protocol/problem.ts';
import { isReserved, pathOf } from './addresses.ts';
import type { Addresses } from './addresses.ts';
import type { Services } from '../domain/services.ts';
import { countRefused } from './count-requests.ts';

/** The refusals of the framework itself, in our words. Everything else it throws is a bug. */
const REFUSALS: Readonly<Record<string, ProblemError>> = {
  FST_ERR_BAD_URL: new ProblemError({ code: 'not-found' }),
  FST_ERR_MAX_PARAM_LENGTH: new ProblemError({ code: 'not-found' }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new ProblemError({ code: 'unsupported-media-type' }),
  FST_ERR_CTP_BODY_TOO_LARGE: new ProblemError({ code: 'too-large' }),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new ProblemError({ code: 'invalid-document' }),
};

/** A Problem becomes an error document; anything else is logged and says no more than `internal`. */
export function answerProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = refusalIn(error);
  if (refusal === null) request.log.error({ err: error }, 'A bug');
  const answer = refusal ?? new ProblemError({ code: 'internal' });
  if (answer.cause !== undefined)
    request.log.warn({ err: answer.cause }, 'The database could not do this now');

  const document: ErrorDocument = {
    jsonapi: { version: '1.1' },
    errors: answer.problems.map((problem) => errorObject(problem, request.id)),
  };
  void reply
    .code(statusOf(answer))
    .headers(answer.headers)
    .header('Content-Type', JSON_API)
    .headers({ 'Cache-Control': 'no-store', Vary: 'Accept' })
    .send(Buffer.from(JSON.stringify(document)));
}

/** Returns the refusal of `error`, or null when it is a bug. */
function refusalIn(error: unknown): ProblemError | null {
  if (error instanceof ProblemError) return error;
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? (REFUSALS[code] ?? null) : null;
}

/**
 * Answers 404, 405 with `Allow`, and 204 for OPTIONS, which come before everything else (wire 6.3).
 */
export function refuseUnknown(
  app: FastifyInstance,
  services: Services,
  addresses: Addresses,
): void {
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request.url);
    const isUnknown = request.is404 || (request.routeOptions.url === '/*' && isReserved(path));
    if (!isUnknown) return;
    await countRefused(services, request);

    const methods = addresses.methodsAt(path);
    if (methods.length === 0) throw new ProblemError({ code: 'not-found' });
    const allow = [...new Set([...methods, 'OPTIONS'])].join(', ');
    if (request.method !== 'OPTIONS')
      throw new ProblemError({ code: 'method-not-allowed' }, { Allow: allow });
    await reply.code(204).header('Allow', allow).send();
  });
  app.setNotFoundHandler(() => {
    throw new ProblemError({ code: 'not-found' });
  });
}
