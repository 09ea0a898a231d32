import type { FastifyInstance } from 'fastify';
import type { Parts } from '../../../domain/parts.ts';
import { answering, parametersIn } from '../asked.ts';
import type { Answer } from '../asked.ts';
import { carryOutCall } from '../call.ts';
import { parseQuery } from '../query/parse.ts';

/** Everything that the caller was told, at once (wire 11.8). */
export function notificationRoutes(app: FastifyInstance, parts: Parts): void {
  const url = '/api/notifications';
  app.route({ method: 'POST', url: `${url}/read-all`, handler: answering(parts, readAll) });
  app.route({ method: 'DELETE', url: `${url}/all`, handler: answering(parts, removeAll) });
}

const readAll: Answer = async (asked) => {
  parseQuery('notification', parametersIn(asked.request), 'nothing');
  await carryOutCall(asked, async ({ write, viewer, at }) => {
    const unread = await write.all('notification', { user: viewer.id, dateRead: null });
    for (const { id } of unread) await write.change('notification', id, { dateRead: at });
    return null;
  });
};

const removeAll: Answer = async (asked) => {
  parseQuery('notification', parametersIn(asked.request), 'nothing');
  await carryOutCall(asked, async ({ write, viewer }) => {
    const all = await write.all('notification', { user: viewer.id });
    for (const { id } of all) await write.remove('notification', id);
    return null;
  });
};
