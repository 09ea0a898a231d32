import { useCallback } from 'react';
import type { MachineStep } from '#protocol/workflow.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useCommandName } from '../../flow/task.tsx';
import { kebab } from '#base/kebab.ts';

type NamedStep = Pick<MachineStep, 'who' | 'given'>;
type Who = NonNullable<MachineStep['who']>;

/** Names steps, with the people who take them. */
export function useStepWords(): (steps: readonly NamedStep[]) => readonly string[] {
  const t = useText();
  const givenOf = useGivenName();
  return useCallback(
    (steps) => wordsOf(steps, givenOf, (who) => t(`workflow.who.${who}`)),
    [t, givenOf],
  );
}

/** The command, or what happens. */
export function useGivenName(): (step: NamedStep) => string {
  const textOf = useTextOf();
  const commandName = useCommandName();
  return useCallback(
    ({ who, given }) =>
      who === null ? textOf(`workflow.happening.${kebab(given)}`, given) : commandName(given),
    [textOf, commandName],
  );
}

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
