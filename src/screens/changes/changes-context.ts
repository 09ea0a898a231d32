import { createContext, useContext } from 'react';

/** Opens the changes panel, from a badge or a toast. */
export const ChangesContext = createContext<() => void>(() => undefined);

export function useOpenChanges(): () => void {
  return useContext(ChangesContext);
}
