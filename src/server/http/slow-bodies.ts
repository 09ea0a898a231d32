import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { JSON_API } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { errorObject, ProblemError } from '#protocol/problem.ts';
import type { Timers } from '#base/timers.ts';
import { hasBody } from './media.ts';
import { answerProblem } from './problems.ts';

/**
 * This suffices for a whole repository over a slow line: 100 MiB in two hours is 15 kB a second.
 */
export const FILE_WITHIN_MS = 7_200_000;

/**
 * Refuses bodies that do not arrive in time, whoever reads them: the identity provider and the
 * framework wait for ever. JSON under `/api` is timed where it is read.
 */
export function refuseSlowBodies(app: FastifyInstance, timers: Timers): void {
  app.addHook('onRequest', (request, reply, done) => {
    const isFile = request.routeOptions.config.takes !== undefined;
    const isTimedElsewhere = request.url.startsWith('/api/') && !isFile;
    if (hasBody(request) && !isTimedElsewhere) {
      const { raw } = request;
      const cancel = timers.after(isFile ? FILE_WITHIN_MS : limits.bodyWithinMs, () => {
        if (!raw.complete) refuse(request, reply);
      });
      raw.once('end', cancel);
      raw.once('close', cancel);
    }
    done();
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply): void {
  const late = new ProblemError({ code: 'timed-out' }, { Connection: 'close' });
  const { raw } = reply;
  // The answer went out before the body was in, so only the connection is left to end.
  if (raw.headersSent) request.raw.destroy();
  else if (!reply.sent) answerProblem(late, request, reply);
  else {
    const document = {
      jsonapi: { version: '1.1' },
      errors: [errorObject(late.problem, request.id)],
    };
    raw.writeHead(408, { ...late.headers, 'Content-Type': JSON_API, 'Cache-Control': 'no-store' });
    raw.end(JSON.stringify(document));
  }
}
