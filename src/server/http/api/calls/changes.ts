import type { FastifyInstance } from 'fastify';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { parseCommits } from '../../../feed/cursor.ts';
import { readFeed } from '../../../feed/read-feed.ts';
import type { FeedQuestion } from '../../../feed/read-feed.ts';
import { feedViewerOf } from '../../../feed/reader.ts';
import { loadViewer } from '../../../access/viewer.ts';
import type { Services } from '../../../domain/services.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import type { ApiRequest } from '../api-request.ts';
import { narrowingIn } from '../headers.ts';

/** `GET /api/changes` (wire 9). */
export function changesRoutes(app: FastifyInstance, services: Services): void {
  app.get(paths.changes, routeHandler(services, changes));
}

async function changes({ services, request, caller }: ApiRequest) {
  const selected = await narrowingIn(services, caller, request);
  const question = feedQuestionIn(parametersIn(request));
  return services.db.read(async (tx) => {
    // The caller was identified a moment before: their rights have to be those of the feed's
    // moment.
    const viewer = await loadViewer(tx, caller.user.id);
    return readFeed(tx, services.db.identity, feedViewerOf(viewer, selected), question);
  });
}

const WHOLE = /^[0-9]{1,4}$/;

const PARAMETERS: readonly string[] = ['since', 'answered', 'limit'];

function feedQuestionIn(parameters: URLSearchParams): FeedQuestion {
  for (const name of parameters.keys()) {
    if (!PARAMETERS.includes(name))
      throw new ProblemError({ code: 'unknown-parameter', source: { parameter: name } });
    if (parameters.getAll(name).length > 1) throw refused(name);
  }
  const limit = parameters.get('limit') ?? String(limits.feedPageMost);
  const isLimit = WHOLE.test(limit) && Number(limit) >= 1 && Number(limit) <= limits.feedPageMost;
  if (!isLimit) throw refused('limit');
  const since = parameters.get('since');
  const answered = parameters.get('answered') ?? '';
  return {
    since: since === '' ? null : since,
    answered: answered === '' ? [] : parseCommits(answered),
    limit: Number(limit),
  };
}

function refused(parameter: string): ProblemError {
  return new ProblemError({ code: 'invalid-parameter', source: { parameter } });
}
