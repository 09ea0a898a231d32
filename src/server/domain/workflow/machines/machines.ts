import { WAITING_FORM } from '#protocol/task-forms.ts';
import { machineOf } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { EngineOrders } from '../scheme.ts';
import type { State } from '../steps.ts';
import { filesFlows, filesSchemes, workByFlow } from './files.ts';
import { playFlows, playSchemes } from './play.ts';
import { webFlows, webSchemes } from './web.ts';

/** Every scheme that a workflow definition may name (domain 4.1). */
const schemes = { ...playSchemes, ...filesSchemes, ...webSchemes };

export const machines: ReadonlyMap<string, Machine> = new Map(
  Object.entries(schemes).map(([name, scheme]) => [name, machineOf(name, scheme)]),
);

/** Returns the engine orders of `machine` in the flow called `flow`. */
export function engineOrdersOf({ scheme }: Machine, flow: string): EngineOrders {
  return Object.hasOwn(workByFlow, flow) ? (workByFlow[flow] ?? scheme.work) : scheme.work;
}

/** The task forms by flow and state (domain 6.1). */
export const flows = { ...playFlows, ...filesFlows, ...webFlows } as const;

type Flow = (typeof flows)[keyof typeof flows];
type FormOf<F> = F extends unknown ? F[keyof F] : never;
/** The last form is shown where nobody has anything to do, and for states unknown to the flow. */
export type TaskFormName = FormOf<Flow> | typeof WAITING_FORM;

/** Returns the form of `state` in the flow called `flow`. */
export function formOf(flow: string, state: State): TaskFormName {
  const forms: Partial<Record<State, TaskFormName>> = Object.hasOwn(flows, flow)
    ? flows[flow as keyof typeof flows]
    : {};
  return forms[state] ?? WAITING_FORM;
}
