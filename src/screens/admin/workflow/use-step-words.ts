import { useCallback } from 'react';
import type { MachineStep } from '#protocol/workflow.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import { useCommandName } from '../../flow/command/use-command-name.ts';
import { kebab } from '#base/kebab.ts';
import { wordsOf } from './step-words.ts';

type Given = Pick<MachineStep, 'who' | 'given'>;

/** What steps are called, with who takes them. */
export function useStepWords(): (steps: readonly Given[]) => readonly string[] {
  const t = useText();
  const givenOf = useGivenName();
  return useCallback(
    (steps) => wordsOf(steps, givenOf, (who) => t(`workflow.who.${who}`)),
    [t, givenOf],
  );
}

/** The command, or what happens. */
export function useGivenName(): (step: Given) => string {
  const textOf = useTextOf();
  const commandName = useCommandName();
  return useCallback(
    ({ who, given }) =>
      who === null ? textOf(`workflow.happening.${kebab(given)}`, given) : commandName(given),
    [textOf, commandName],
  );
}
