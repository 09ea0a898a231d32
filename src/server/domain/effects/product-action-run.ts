import { invalid, ProblemError } from '#protocol/problem.ts';
import { PRODUCT_ACTIONS } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { presentRecord } from '#protocol/present.ts';
import { isAction, rollBack, runAction, runRefusal } from '../writes/actions.ts';
import { pointerOf } from '../writes/check.ts';
import { isVisible } from '../writes/origin.ts';
import type { Effects } from './effects.ts';

const TYPE = 'productActionRun';

/** Starts or ends a workflow of a product; the tests of domain 7, in their order. */
export const productActionRun: Effects = {
  complete: async (context, { fields, stated }) => {
    const { product, action } = fields;
    if (typeof product === 'string' && !(await isVisible(context, 'product', product))) {
      throw new ProblemError({ code: 'not-found' });
    }
    if (typeof action === 'string' && !isAction(action)) {
      const pointer = pointerOf(TYPE, 'action', stated);
      throw new ProblemError(invalid(pointer, 'choice', { choices: PRODUCT_ACTIONS }));
    }
    return fields;
  },
  instead: async (context, record) => {
    const { write, viewer } = context;
    const run = record as unknown as Of<typeof TYPE>;
    const { product: id, action, build, insteadOf } = run;
    const product = await write.one('product', id);
    if (product === null) throw new ProblemError({ code: 'not-found' });
    const refusal = await evaluateRule(write, (find) => runRefusal(viewer, product, run, find));
    if (refusal !== null) throw new ProblemError(refusal);
    if (build === null) await runAction(context, product, action);
    else await rollBack(context, product, build, insteadOf);
    return presentRecord(TYPE, run);
  },
};
