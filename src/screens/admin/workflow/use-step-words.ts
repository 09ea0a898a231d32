import { useCallback } from 'react';
import type { MachineStep } from '#protocol/workflow.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useCommandName } from '../../flow/task.tsx';
import { kebab } from '#base/kebab.ts';
import { wordsOf } from './step-words.ts';

type NamedStep = Pick<MachineStep, 'who' | 'given'>;

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
