import { paths } from '#protocol/paths.ts';
import { workflowPaths } from '#protocol/workflow.ts';
import type { MachineShape, Move } from '#protocol/workflow.ts';
import type { OnlineResult } from '../model/views.ts';
import type { Data } from '../model/data.ts';

/** The machine that runs for `product`, as far as the server can be asked. */
export async function machineOf(data: Data, product: string): Promise<OnlineResult<MachineShape>> {
  return (await data.online.query(workflowPaths.machine(product))) as OnlineResult<MachineShape>;
}

/** A move that can be sent again when there was no answer: it happens once. */
export interface PreparedMove {
  readonly isOf: (move: Move) => boolean;
  readonly send: () => Promise<OnlineResult<unknown>>;
}

/** Has a super admin move the workflow of `product`; the product comes with the answer. */
export function preparedMove(data: Data, product: string, move: Move): PreparedMove {
  const content = JSON.stringify(move);
  return {
    isOf: (other) => JSON.stringify(other) === content,
    send: data.online.command(workflowPaths.state(product), move),
  };
}

/**
 * Fetches a product, and its project, that the device does not have: a super admin's device has
 * only the records of the organization in view.
 */
export async function fetchProduct(data: Data, id: string): Promise<OnlineResult<unknown>> {
  const result = await data.online.query(paths.record('product', id));
  const project = data.find.one('product', id)?.project;
  return project === undefined ? result : data.online.query(paths.record('project', project));
}
