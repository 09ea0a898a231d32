import type { FastifyInstance } from 'fastify';
import { paths } from '#protocol/paths.ts';
import type { Parts } from '../../../domain/parts.ts';
import { answering, parametersIn } from '../asked.ts';
import { parseQuery } from '../query/parse.ts';
import { answerRecord, requireSeen } from '../reading.ts';

/** `GET /api/users/current-user` (wire 11.2); the organization header is ignored. */
export function currentUserRoutes(app: FastifyInstance, parts: Parts): void {
  const handler = answering(parts, (asked) => {
    const query = parseQuery('user', parametersIn(asked.request), 'record');
    const { user, viewer } = asked.caller;
    return answerRecord(asked, 'user', query, (tx) => requireSeen(tx, viewer, 'user', user.id));
  });
  app.route({ method: 'GET', url: paths.currentUser, handler });
}
