import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { parseQuery } from '../query/parse.ts';

/** All notifications of the caller at once (wire 11.8). */
export function notificationRoutes(app: FastifyInstance, services: Services): void {
  const url = '/api/notifications';
  app.route({ method: 'POST', url: `${url}/read-all`, handler: routeHandler(services, readAll) });
  app.route({ method: 'DELETE', url: `${url}/all`, handler: routeHandler(services, removeAll) });
}

const readAll: ApiHandler = async (apiRequest) => {
  parseQuery('notification', parametersIn(apiRequest.request), 'nothing');
  await handleCall(apiRequest, async ({ write, viewer, at }) => {
    const unread = await write.all('notification', { user: viewer.id, dateRead: null });
    for (const { id } of unread) await write.change('notification', id, { dateRead: at });
    return null;
  });
};

const removeAll: ApiHandler = async (apiRequest) => {
  parseQuery('notification', parametersIn(apiRequest.request), 'nothing');
  await handleCall(apiRequest, async ({ write, viewer }) => {
    const all = await write.all('notification', { user: viewer.id });
    for (const { id } of all) await write.remove('notification', id);
    return null;
  });
};
