import { useCallback } from 'react';
import { useTextOf } from '#ui/text/text.ts';
import { kebab } from '#base/kebab.ts';

/** A command as its button calls it; one that has no text as it was sent. */
export function useCommandName(): (command: string) => string {
  const textOf = useTextOf();
  return useCallback((command) => textOf(`commands.${kebab(command)}`, command), [textOf]);
}
