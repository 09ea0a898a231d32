import type { FastifyInstance } from 'fastify';
import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { mayRead } from '#rules/access.ts';
import { BULK_ACTIONS } from '#rules/product.ts';
import type { BulkAction } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { evaluateRule } from '../../../db/evaluate-rule.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Services } from '../../../domain/services.ts';
import type { ChangeContext } from '../../../domain/writes/change-context.ts';
import { actionsOffered, runAction, runRefusal } from '../../../domain/writes/actions.ts';
import { routeHandler, parametersIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { malformed, objectAt, refuse } from '../../../domain/writes/document.ts';
import { parseQuery } from '../query/parse.ts';

/** Actions on the products of many projects (wire 11.6, domain 7). */
export function bulkActionRoutes(app: FastifyInstance, services: Services): void {
  const config = { media: 'json' } as const;
  const post = (url: string, answer: ApiHandler) =>
    app.route({ method: 'POST', url, config, handler: routeHandler(services, answer) });
  post(paths.productActions, listAll);
  post(paths.runProductActions, runAll);
}

/** Returns the products by action, as far as the caller may start it now. */
const listAll: ApiHandler = async (apiRequest) => {
  parseQuery('productAction', parametersIn(apiRequest.request), 'nothing');
  const projects = idsIn(objectAt(apiRequest.request.body, '').projects, '/projects');
  const { viewer } = apiRequest.caller;
  return apiRequest.services.db.read(async (tx) => {
    const offered: Record<BulkAction, string[]> = { rebuild: [], republish: [] };
    for (const product of await productsOf(tx, viewer, projects)) {
      const names = await evaluateRule(tx, (find) => actionsOffered(viewer, product, find));
      for (const action of BULK_ACTIONS)
        if (names.includes(action)) offered[action].push(product.id);
    }
    return Object.fromEntries(Object.entries(offered).filter(([, ids]) => ids.length > 0));
  });
};

async function productsOf(tx: DatabaseTransaction, viewer: Viewer, projects: readonly string[]) {
  const products: Of<'product'>[] = [];
  for (const id of projects) {
    const project = await tx.one('project', id);
    if (project === null) continue;
    const isVisible = await evaluateRule(tx, (find) => mayRead(viewer, 'project', project, find));
    if (isVisible) products.push(...(await tx.all('product', { project: id })));
  }
  return products;
}

/** Runs all or nothing; a refusal names every product that is refused. */
const runAll: ApiHandler = async (apiRequest) => {
  parseQuery('productAction', parametersIn(apiRequest.request), 'nothing');
  const { action, products } = objectAt(apiRequest.request.body, '');
  const ids = idsIn(products, '/products');
  if (!BULK_ACTIONS.some((known) => known === action)) {
    throw new ProblemError(invalid('/action', 'choice', { choices: BULK_ACTIONS }));
  }
  return handleCall(apiRequest, async (context): Promise<unknown> => {
    const refused = await refusals(context, action as BulkAction, ids);
    const [first] = refused;
    if (first === undefined) {
      for (const id of ids) {
        const product = await context.write.one('product', id);
        if (product !== null) await runAction(context, product, action as BulkAction);
      }
      return { action, products: ids };
    }
    const named = refused.map(({ id, problem }) => ({
      id,
      code: problem.code,
      reason: problem.meta?.reason ?? null,
    }));
    throw new ProblemError({ ...first.problem, meta: { ...first.problem.meta, refused: named } });
  });
};

async function refusals(
  { write, viewer }: ChangeContext,
  action: BulkAction,
  ids: readonly string[],
) {
  const refused: { readonly id: string; readonly problem: Problem }[] = [];
  for (const id of ids) {
    const product = await write.one('product', id);
    const problem = await evaluateRule(write, (find): Problem | null => {
      if (product === null || !mayRead(viewer, 'product', product, find)) {
        return { code: 'not-found' };
      }
      return runRefusal(viewer, product, { action, state: null }, find);
    });
    if (problem !== null) refused.push({ id, problem });
  }
  return refused;
}

function idsIn(value: unknown, pointer: string): readonly string[] {
  if (!Array.isArray(value)) throw malformed(pointer, `${pointer} must be an array of ids.`);
  if (value.length < 1 || value.length > limits.bulkMost) {
    throw new ProblemError(invalid(pointer, 'range', { min: 1, max: limits.bulkMost }));
  }
  const problems = value.flatMap((id, n) =>
    isUuid(id) ? [] : [invalid(`${pointer}/${String(n)}`, 'type')],
  );
  refuse(problems);
  return [...new Set((value as string[]).map((id) => id.toLowerCase()))];
}
