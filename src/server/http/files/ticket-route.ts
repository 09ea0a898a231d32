import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#protocol/problem.ts';
import { countAddress } from '../count-requests.ts';
import type { Services } from '../../domain/services.ts';
import { sendFile } from './send.ts';
import { fileOf } from '../../domain/files/tickets.ts';

/** `/files/{ticket}/{filename}`: the ticket is the permission (wire 12). */
export function ticketRoute(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:ticket/:filename',
    // Parts of a file are counted in its own bytes.
    compress: false,
    handler: async (request, reply) => {
      const { ticket } = request.params as { readonly ticket: string };
      const file = await fileOf(services, ticket);
      if (file === null) {
        countAddress(services, request);
        throw new ProblemError({ code: 'not-found' });
      }
      return sendFile(request, reply, file);
    },
  });
}
