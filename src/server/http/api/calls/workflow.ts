import type { FastifyInstance } from 'fastify';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { MachineShape, Move } from '#protocol/workflow.ts';
import { mayMoveWorkflow } from '#rules/product.ts';
import { brokenValue } from '#rules/valid/value.ts';
import type { Viewer } from '#rules/viewer.ts';
import { attributesOf } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import type { Services } from '../../../domain/services.ts';
import { sendEvent } from '../../../domain/workflow/running/run-workflow.ts';
import { movedOn } from '../../../domain/workflow/refusal.ts';
import { runningOf } from '../../../domain/workflow/running/running-workflow.ts';
import { shapeOf } from '../../../domain/workflow/diagram-shape.ts';
import type { ChangeContext } from '../../../domain/writes/change-context.ts';
import { routeHandler, idIn, recordQueryIn } from '../api-request.ts';
import type { ApiHandler } from '../api-request.ts';
import { handleCall } from '../handle-call.ts';
import { objectAt, refuse } from '../../../domain/writes/document.ts';
import { answerRecord, requireVisible } from '../reading.ts';

const URL = '/api/products/:id/workflow';

/** The calls of super admins for a workflow that is stuck (domain W62, wire 11.7). */
export function workflowRoutes(app: FastifyInstance, services: Services): void {
  const config = { media: 'json' } as const;
  app.route({ method: 'GET', url: URL, config, handler: routeHandler(services, machine) });
  app.route({ method: 'POST', url: `${URL}/state`, config, handler: routeHandler(services, move) });
}

/** Returns the machine that runs; 404 when none does. */
const machine: ApiHandler = async (apiRequest): Promise<MachineShape> => {
  const id = idIn(apiRequest.request);
  await recordQueryIn(apiRequest, 'product', 'nothing');
  return apiRequest.services.db.read(async (tx) => {
    await requireRight(tx, apiRequest.caller.viewer, id);
    const running = await runningOf(tx, id);
    if (running === null) throw new ProblemError({ code: 'not-found' });
    return shapeOf(running.machine);
  });
};

const move: ApiHandler = async (apiRequest) => {
  const id = idIn(apiRequest.request);
  const { query } = await recordQueryIn(apiRequest, 'product', 'record');
  const body = objectAt(apiRequest.request.body, '');
  await handleCall(apiRequest, async (context) => {
    await requireRight(context.write, context.viewer, id);
    await moveTo(context, id, moveIn(body));
    return null;
  });
  const { viewer } = apiRequest.caller;
  return answerRecord(apiRequest, 'product', query, (tx) =>
    requireVisible(tx, viewer, 'product', id),
  );
};

/** @throws ProblemError 404 for who does not see the product, 403 for who is no super admin */
async function requireRight(tx: DatabaseTransaction, viewer: Viewer, id: string): Promise<void> {
  await requireVisible(tx, viewer, 'product', id);
  if (!mayMoveWorkflow(viewer)) throw new ProblemError({ code: 'forbidden' });
}

/** Returns what is stated, in the form of a command's fields. @throws ProblemError 422 */
function moveIn(body: Readonly<Record<string, unknown>>): Move {
  const { state, comment } = Object.fromEntries(attributesOf('taskCommand'));
  if (state === undefined || comment === undefined) throw new Error('A command has both');
  refuse(
    Object.entries({ state, from: state, comment }).flatMap(([name, attribute]) => {
      const broken = brokenValue(name, attribute, body[name] ?? null);
      return broken === null ? [] : [invalid(`/${name}`, broken.rule, broken.meta)];
    }),
  );
  return { comment: '', ...body } as Move;
}

/** @throws ProblemError 409 `workflow-state-changed`, 422 `choice` or `required` */
async function moveTo(
  context: ChangeContext,
  id: string,
  { state, comment, from }: Move,
): Promise<void> {
  const running = await runningOf(context.write, id);
  const present = running?.snapshot.state ?? null;
  if (running === null || present !== from) throw movedOn(present);
  context.write.audit({
    kind: 'workflow-moved',
    subject: { type: 'product', id },
    before: { state: present },
    after: { state },
  });
  await sendEvent(context, running, { is: 'move', to: state, by: context.viewer.id, comment });
}
