/** Matches what a person opened on top of the page and is in the middle of. */
const OPEN = '[role="menu"], [role="dialog"], [role="listbox"], dialog';

/**
 * Says whether the person has turned to a menu or dialog meanwhile: a page that comes leaves them
 * there.
 */
export function isBusyElsewhere(): boolean {
  return (document.activeElement?.closest(OPEN) ?? null) !== null;
}
