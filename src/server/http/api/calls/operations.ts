import type { FastifyInstance } from 'fastify';
import { paths } from '#protocol/paths.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { isObject } from '#base/is-object.ts';
import { malformed } from '../../../domain/writes/document.ts';
import { isPreferred } from '../headers.ts';
import { verdictsOn } from '../operations.ts';
import { parseQuery } from '../query/parse.ts';

/** `POST` and `PATCH /api/operations` (wire 8). */
export function operationsRoutes(app: FastifyInstance, services: Services): void {
  const handler = routeHandler(services, operate);
  app.route({ method: ['POST', 'PATCH'], url: paths.operations, handler });
}

const operate: ApiHandler = async ({ services, caller, request, reply }) => {
  parseQuery('project', parametersIn(request), 'nothing');
  if (!isObject(request.body)) throw malformed('', 'The document must be an object.');
  const isLenient = isPreferred(request, 'handling=lenient');
  const document = await verdictsOn(services, caller, request.body, {
    handling: isLenient ? 'lenient' : 'strict',
    requestId: request.id,
  });
  if (isLenient) void reply.header('Preference-Applied', 'handling=lenient');
  const { operations } = document;
  const isReplayed = operations.length > 0 && operations.every(({ meta }) => meta.replayed);
  if (isReplayed) void reply.header('Idempotency-Replayed', 'true');
  return document;
};
