import { newId } from '#base/id.ts';
import { runAction, runRefusal } from '../../domain/writes/actions.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { timestampOf } from '../../domain/write-context.ts';
import type { WriteContext } from '../../domain/write-context.ts';
import { viewerIn } from '../../access/viewer.ts';
import { updateAffectedWorkflows } from '../../domain/workflow/running/affected-workflows.ts';
import { rowOfAccess } from '../../domain/workflow/transitions.ts';

/** Writes an access into the history of every product of the project (domain 5.1), and `then`. */
export function noteAccess(
  { services, caller }: ApiRequest,
  project: string,
  state: 'Project Download' | 'Project Upload',
  then: (context: WriteContext, project: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const by = caller.user.id;
  const { address } = caller;
  return services.db.write({ at: services.clock(), by, changes: [], address }, async (write) => {
    const context = { services, write };
    const cause = { at: timestampOf(context), by };
    for (const { id: product } of await write.all('product', { project })) {
      const present = await write.all('productTransition', { product });
      const row = rowOfAccess(present, state, cause);
      const id = newId(services.clock, services.random);
      await write.insert('productTransition', { id, product, ...row });
    }
    if (state === 'Project Download') {
      const subject = { type: 'project', id: project } as const;
      write.audit({ kind: 'repository-downloaded', subject, before: null, after: null });
    }
    await then(context, project);
    await updateAffectedWorkflows(context);
  });
}

/**
 * Starts a rebuild of each product that can be rebuilt now, in the owner's name, if the project
 * wants that after an upload (J2). The build says who uploaded.
 */
export async function rebuildAll(
  { services, write }: WriteContext,
  project: string,
): Promise<void> {
  const of = await write.one('project', project);
  if (typeof of?.owner !== 'string' || !of.automaticBuilds) return;
  const viewer = await viewerIn(write, of.owner);
  const context = { services, write, viewer, at: timestampOf({ services, write }) };
  const command = { action: 'rebuild', state: null } as const;
  const buildCause = { triggeredBy: 'upload', startedBy: write.cause.by } as const;
  for (const product of await write.all('product', { project })) {
    const refusal = await evaluateRule(write, (find) => runRefusal(viewer, product, command, find));
    if (refusal === null) await runAction(context, product, 'rebuild', buildCause);
  }
}
