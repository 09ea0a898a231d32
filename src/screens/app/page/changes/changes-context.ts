import { createContext, useContext } from 'react';

/** The place at which the changes panel opens: a change, or the first one of a record. */
export interface ChangesPanelTarget {
  readonly change?: string;
  readonly record?: string;
}

interface Changes {
  /** Opens the panel, from a badge or a toast. */
  readonly open: (at?: ChangesPanelTarget) => void;
  /**
   * Changes whose outcome somebody else announces: ids of changes, and `key record-id` of those to
   * come. A batch has one toast and not one for each.
   */
  readonly answered: Set<string>;
  /**
   * Says whether, at `now` in ms, people are to be reminded that changes are kept on this device.
   */
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
