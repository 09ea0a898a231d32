import { open } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import type { ContentChanges, Uploaded } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadRepository, mayUploadRepository } from '#rules/project.ts';
import { ContentRefused } from '#engine/content/refusal.ts';
import { routeHandler } from '../api/api-request.ts';
import type { ApiHandler } from '../api/api-request.ts';
import type { Services } from '../../domain/services.ts';
import { requireMatch, take } from './repository.ts';
import { repositoryIn } from './repository-of.ts';
import {
  changesFrom,
  contentAt,
  isRestoration,
  nameOfUpload,
  numberIn,
  numberOfTag,
  unlessRemoved,
  uploadsOf,
} from './uploads.ts';

const URL = '/api/projects/:id/repository/uploads/:number';

/** The versions of a project's content: how they differ, and the way back to one (decision 68). */
export function versionRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: 'GET',
    url: `${URL}/changes/:base`,
    config: { media: 'json' },
    handler: routeHandler(services, changes),
  });
  app.route({
    method: 'POST',
    url: `${URL}/restore`,
    config: { media: 'json' },
    handler: routeHandler(services, restore),
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

/** Uploads a version once more; what was done already is not done again. */
const restore: ApiHandler = async (
  apiRequest,
): Promise<{ readonly uploads: readonly Uploaded[] }> => {
  const { services, caller, request } = apiRequest;
  const repository = await repositoryIn(apiRequest, mayUploadRepository);
  const { project, place } = repository;
  const restored = numberIn((request.params as { readonly number: string }).number) ?? 0;
  const replaced = numberOfTag(request.headers['if-match']);
  if (replaced === null)
    throw new ProblemError({
      code: 'invalid',
      source: { header: 'If-Match' },
      meta: { rule: 'required' },
    });
  const by = caller.user.id;
  const list = async () => ({ uploads: await uploadsOf(services, repository) });
  // The answer to the first time may have been lost.
  if (await isRestoration(services, project.id, { number: replaced + 1, restored, by }))
    return list();

  services.limits.requireRate('restorationsOfUser', by);
  const content = await contentAt(services.engines, place, restored);
  if (content === null) throw new ProblemError({ code: 'not-found' });
  await requireMatch(apiRequest, repository);
  if (replaced === restored)
    throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'is-newest' } });
  const facts = { ...(await nameOfUpload(services, project.id, restored)), restored };
  // A file that is open can be read to its end, even when it is removed to make room.
  const file = await unlessRemoved(open(content.path));
  if (file === null) throw new ProblemError({ code: 'not-found' });
  try {
    await take(apiRequest, repository, {
      body: file.createReadStream(),
      require: () => requireMatch(apiRequest, repository),
      facts,
    });
  } finally {
    await file.close();
  }
  return list();
};
