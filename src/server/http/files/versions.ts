import type { FastifyInstance } from 'fastify';
import type { ContentChanges } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadRepository } from '#rules/project.ts';
import { ContentRefused } from '#engine/content/refusal.ts';
import { routeHandler } from '../api/api-request.ts';
import type { ApiHandler } from '../api/api-request.ts';
import type { Services } from '../../domain/services.ts';
import { repositoryIn } from './repository-of.ts';
import { changesFrom, numberIn } from './uploads.ts';

const URL = '/api/projects/:id/repository/uploads/:number';

/** How one version of a project's content differs from another (decision 68). */
export function versionRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: `${URL}/changes/:base`,
    config: { media: 'json' },
    handler: routeHandler(services, changes),
  });
}

const changes: ApiHandler = async (apiRequest): Promise<ContentChanges> => {
  const { services, caller, request } = apiRequest;
  services.limits.requireRate('comparisonsOfUser', caller.user.id);
  const { place } = await repositoryIn(apiRequest, mayDownloadRepository);
  const params = request.params as { readonly number: string; readonly base: string };
  const [number, base] = [numberIn(params.number), numberIn(params.base)];
  if (number === null || base === null) throw new ProblemError({ code: 'not-found' });
  const found = await changesFrom(services.engines, place, { number, base }).catch(
    (error: unknown) => {
      if (!(error instanceof ContentRefused)) throw error;
      // A zip that was taken by an earlier version of the server, and would not be taken now.
      const meta = { reason: error.reason };
      throw new ProblemError({ code: 'action-not-allowed', meta, detail: error.message });
    },
  );
  if (found === null) throw new ProblemError({ code: 'not-found' });
  return found;
};
