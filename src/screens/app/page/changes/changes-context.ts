import { createContext, useContext } from 'react';

/** Where the changes panel opens: at a change, or at the first one of a record. */
export interface ChangesPanelTarget {
  readonly change?: string;
  readonly record?: string;
}

interface Changes {
  /** Opens the panel, from a badge or a toast. */
  readonly open: (at?: ChangesPanelTarget) => void;
  /**
   * What someone tells the outcome of by themselves: ids of changes, and `key record-id` of those to
   * come. Of a batch there is one toast and not one for each.
   */
  readonly answered: Set<string>;
  /** Whether, at `now` in ms, it is to be said again that changes are kept on this device. */
  readonly isSavedHereDue: (now: number) => boolean;
}

export const ChangesContext = createContext<Changes>({
  open: () => undefined,
  answered: new Set(),
  isSavedHereDue: () => true,
});

export function useOpenChanges(): Changes['open'] {
  return useContext(ChangesContext).open;
}
