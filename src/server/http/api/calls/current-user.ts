import type { FastifyInstance } from 'fastify';
import { paths } from '#protocol/paths.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import { parseQuery } from '../query/parse.ts';
import { answerRecord, requireVisible } from '../reading.ts';

/** `GET /api/users/current-user` (wire 11.2); the organization header is ignored. */
export function currentUserRoutes(app: FastifyInstance, services: Services): void {
  const handler = routeHandler(services, (apiRequest) => {
    const query = parseQuery('user', parametersIn(apiRequest.request), 'record');
    const { user, viewer } = apiRequest.caller;
    return answerRecord(apiRequest, 'user', query, (tx) =>
      requireVisible(tx, viewer, 'user', user.id),
    );
  });
  app.route({ method: 'GET', url: paths.currentUser, handler });
}
