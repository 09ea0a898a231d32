import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { settle } from '../../database/settle.ts';
import { ACTIONS, isAction, noWorkflows, runRefusal } from '../actions.ts';
import { pointerOf } from '../check.ts';
import { isSeen } from '../origin.ts';
import type { Effects } from './effects.ts';

const TYPE = 'productActionRun';

/** Starts or ends a workflow of a product; the tests of domain 7, in their order. */
export const productActionRun: Effects = {
  complete: async (act, { fields, stated }) => {
    const { product, action } = fields;
    if (typeof product === 'string' && !(await isSeen(act, 'product', product))) {
      throw new ProblemError({ code: 'not-found' });
    }
    if (typeof action === 'string' && !isAction(action)) {
      const pointer = pointerOf(TYPE, 'action', stated);
      throw new ProblemError(invalid(pointer, 'choice', { choices: ACTIONS }));
    }
    return fields;
  },
  instead: async ({ write, viewer }, record) => {
    const { product: id, action, state } = record as unknown as Of<typeof TYPE>;
    const product = await write.one('product', id);
    if (product === null) throw new ProblemError({ code: 'not-found' });
    const refusal = await settle(write, (find) =>
      runRefusal(viewer, product, { action, state }, find),
    );
    throw refusal === null ? noWorkflows() : new ProblemError(refusal);
  },
};
