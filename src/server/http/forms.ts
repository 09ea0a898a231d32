import type { FastifyInstance } from 'fastify';
import { paths } from '#protocol/paths.ts';
import { taskFormsScript } from '../domain/workflow/forms.ts';
import { answerByTag } from './caching.ts';

/** The task forms (wire 13): the same for everyone, asked about at each use. */
export function formRoutes(app: FastifyInstance): void {
  const script = taskFormsScript();
  app.addHook('onSend', (request, reply, body, done) => {
    done(null, answerByTag(request, reply, body));
  });
  app.get(paths.taskForms, (_, reply) =>
    reply
      .headers({ 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(script),
  );
}
