import { ProblemError } from '#protocol/problem.ts';
import type { AnyRecord } from '#schema/index.ts';
import type { ChangeContext } from '../writes/change-context.ts';
import { invalid } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { startWorkflow } from '../workflow/running/run-workflow.ts';
import { machineCalled } from '../workflow/running/running-workflow.ts';
import { pointerOf } from '../writes/check.ts';
import type { Effects } from './effects.ts';

const TYPE = 'product';

/** A product needs its project's repository, and begins with the workflow that makes it (W50). */
export const product: Effects = {
  check: async (context, { before, after, stated }) => {
    if (before !== null) return [];
    const workflow = await workflowOf(context, after);
    const isUnknown = workflow !== null && machineCalled(workflow) === null;
    return isUnknown ? [invalid(pointerOf(TYPE, 'productDefinition', stated), 'not-enabled')] : [];
  },
  ready: async (context, record) => {
    const { project } = record as unknown as Of<typeof TYPE>;
    const of = await context.write.one('project', project);
    if (of?.dateArchived !== null)
      throw new ProblemError({ code: 'action-not-allowed', meta: { reason: 'archived' } });
    await requireRepository(context, record);
  },
  created: async (context, record) => {
    const workflow = await workflowOf(context, record);
    const made = await context.write.one(TYPE, record.id);
    if (workflow === null || made === null) throw new Error('A product was made of nothing');
    const { id: by } = context.viewer;
    await startWorkflow(context, made, workflow, by, { triggeredBy: 'person', startedBy: by });
  },
  removing: requireRepository,
};

function workflowOf({ write }: ChangeContext, { productDefinition }: AnyRecord) {
  return evaluateRule(write, (find) => {
    const definition = find.one('productDefinition', productDefinition as string);
    return definition === null ? null : find.one('workflowDefinition', definition.workflow);
  });
}

async function requireRepository({ write }: ChangeContext, { project }: AnyRecord): Promise<void> {
  const of = await write.one('project', project as string);
  if (of?.workflowProjectUrl === null) throw new ProblemError({ code: 'not-ready' });
}
