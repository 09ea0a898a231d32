import { ProblemError } from '#protocol/problem.ts';
import type { Find } from '#rules/find.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { idIn, recordQueryIn } from '../api/api-request.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { requireVisible } from '../api/reading.ts';
import { projectAt } from '#engine/engine-paths.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';

type May = (viewer: Viewer, project: Of<'project'>, find: Find) => boolean;

/** A project and where the bundled engine keeps its content. */
export interface Repository {
  readonly project: Of<'project'>;
  /** The engine's number of it. */
  readonly place: number;
}

/**
 * Returns the repository that the address names, if the caller may. @throws ProblemError 403, 404,
 * 409
 */
export async function repositoryIn(apiRequest: ApiRequest, may: May): Promise<Repository> {
  const { services, caller, request } = apiRequest;
  const id = idIn(request);
  await recordQueryIn(apiRequest, 'project', 'nothing');
  const { project, engine } = await services.db.read(async (tx) => {
    await requireVisible(tx, caller.viewer, 'project', id);
    const found = await tx.one('project', id);
    if (found === null) throw new ProblemError({ code: 'not-found' });
    if (!(await evaluateRule(tx, (find) => may(caller.viewer, found, find))))
      throw new ProblemError({ code: 'forbidden' });
    return { project: found, engine: await services.engines.of(tx, found.organization) };
  });
  if (engine.url !== null) throw externalEngine();
  const { workflowProjectUrl } = project;
  if (workflowProjectUrl === null) throw new ProblemError({ code: 'not-ready' });
  const place = projectAt(workflowProjectUrl);
  // Another engine set it up before the organization came to this one.
  if (place === null) throw externalEngine();
  return { project, place };
}

/** Says that an engine elsewhere keeps what is asked for. */
export const externalEngine = () =>
  new ProblemError({ code: 'action-not-allowed', meta: { reason: 'external-engine' } });
