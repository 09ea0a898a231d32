import { newId } from '#base/id.ts';
import { runAction, runRefusal } from '../../domain/writes/actions.ts';
import type { Asked } from '../api/asked.ts';
import { settle } from '../../db/settle.ts';
import { momentOf } from '../../domain/doing.ts';
import type { Doing } from '../../domain/doing.ts';
import { viewerIn } from '../../access/viewer.ts';
import { settleWorkflows } from '../../domain/workflow/running/concerned.ts';
import { rowOfAccess } from '../../domain/workflow/transitions.ts';

/** Writes an access into the history of every product of the project (domain 5.1), and `then`. */
export function noteAccess(
  { parts, caller }: Asked,
  project: string,
  state: 'Project Download' | 'Project Upload',
  then: (doing: Doing, project: string) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const by = caller.user.id;
  const { address } = caller;
  return parts.db.write({ at: parts.clock(), by, changes: [], address }, async (write) => {
    const doing = { parts, write };
    const cause = { at: momentOf(doing), by };
    for (const { id: product } of await write.all('product', { project })) {
      const present = await write.all('productTransition', { product });
      const row = rowOfAccess(present, state, cause);
      const id = newId(parts.clock, parts.random);
      await write.insert('productTransition', { id, product, ...row });
    }
    if (state === 'Project Download') {
      const subject = { type: 'project', id: project } as const;
      write.audit({ kind: 'repository-downloaded', subject, before: null, after: null });
    }
    await then(doing, project);
    await settleWorkflows(doing);
  });
}

/**
 * Starts a rebuild of each product that could be rebuilt now, in the owner's name, if the project
 * wants that of an upload (J2).
 */
export async function rebuildAll({ parts, write }: Doing, project: string): Promise<void> {
  const of = await write.one('project', project);
  if (typeof of?.owner !== 'string' || !of.automaticBuilds) return;
  const viewer = await viewerIn(write, of.owner);
  const act = { parts, write, viewer, at: momentOf({ parts, write }) };
  const asked = { action: 'rebuild', state: null } as const;
  for (const product of await write.all('product', { project })) {
    const refusal = await settle(write, (find) => runRefusal(viewer, product, asked, find));
    if (refusal === null) await runAction(act, product, 'rebuild');
  }
}
