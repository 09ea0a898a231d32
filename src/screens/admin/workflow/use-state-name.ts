import { useCallback } from 'react';
import { useTextOf } from '#ui/text/text.ts';
import { kebab } from '#base/kebab.ts';

/** A state as people call it; one that has no text as it was sent. */
export function useStateName(): (state: string) => string {
  const textOf = useTextOf();
  return useCallback((state) => textOf(`states.${kebab(state)}`, state), [textOf]);
}
