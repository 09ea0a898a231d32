import type { FastifyInstance } from 'fastify';
import { buildFiguresPath } from '#protocol/builds/build-figures.ts';
import type { BuildFigures } from '#protocol/builds/build-figures.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayAdminister } from '#rules/organization.ts';
import { readBuildFigures } from '../../../access/build-figures.ts';
import type { Services } from '../../../domain/services.ts';
import { idIn, parametersIn, routeHandler } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { narrowingIn } from '../headers.ts';
import { requireVisible } from '../reading.ts';

/** The builds of an organization in figures, for its admins (wire 11.16). */
export function buildFigureRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: buildFiguresPath(':id'),
    config: { media: 'json' },
    handler: routeHandler(services, read),
  });
}

const read: ApiHandler = async ({ services, caller, request }): Promise<BuildFigures> => {
  const id = idIn(request);
  const { viewer } = caller;
  await narrowingIn(services, caller, request);
  const [parameter] = parametersIn(request).keys();
  if (parameter !== undefined)
    throw new ProblemError({ code: 'unknown-parameter', source: { parameter } });
  return services.db.read(async (tx) => {
    await requireVisible(tx, viewer, 'organization', id);
    if (!mayAdminister(viewer, id)) throw new ProblemError({ code: 'forbidden' });
    return readBuildFigures(tx, viewer, id, services.clock());
  });
};
