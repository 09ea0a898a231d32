import type { MachineShape, MachineStep } from '#protocol/workflow.ts';
import type { Machine } from './machine.ts';
import { isFinal, isPersons, START } from './steps.ts';
import type { Step } from './steps.ts';

/** Returns the machine as people see it: its states, and every step that leads on from each. */
export function shapeOf({ name, steps, movable }: Machine): MachineShape {
  const names = [...new Set(steps.map(({ to }) => to))];
  const peoples = new Set<string>(steps.filter(isPersons).map(({ from }) => from));
  return {
    scheme: name,
    starts: steps.filter(({ from }) => from === START).map(({ to }) => to),
    states: names.map((state) => ({
      name: state,
      kind: isFinal(state) ? 'final' : peoples.has(state) ? 'people' : 'engine',
      isMovable: movable.includes(state),
    })),
    steps: steps.filter(({ from }) => from !== START).map(stepOf),
  };
}

const stepOf = ({ from, to, who, given, direction }: Step): MachineStep => ({
  from,
  to,
  who,
  given,
  direction,
});
