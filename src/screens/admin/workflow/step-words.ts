import type { MachineStep } from '#protocol/workflow.ts';

type NamedStep = Pick<MachineStep, 'who' | 'given'>;
type Who = NonNullable<MachineStep['who']>;

/** "Approve · Owner"; what one person may do on one line, what happens by itself as it is called. */
export function wordsOf(
  steps: readonly NamedStep[],
  givenOf: (step: NamedStep) => string,
  whoOf: (who: Who) => string,
): readonly string[] {
  const people = new Set(steps.map(({ who }) => who));
  return [...people].map((who) => {
    const given = steps.filter((step) => step.who === who).map(givenOf);
    // The two stay on one line where they can.
    return who === null ? given.join(', ') : `${given.join(', ')} ·\u00a0${whoOf(who)}`;
  });
}
