const GAP_PX = 6;
const EDGE_PX = 8;
/** Below the header, and below the head of a dialog that is as high as the window. */
const TOP_PX = 64;

/**
 * Puts the text of a hint where it is whole: above what it is about, else below, and between the
 * sides of the window. It is fixed there, so nothing that scrolls cuts it off.
 *
 * @param isBeside stands before what it is about, where all around it are other controls
 */
export function placeHint(hint: HTMLElement, isBeside: boolean): void {
  const text = hint.querySelector<HTMLElement>(':scope > .hint-text');
  if (text === null) return;
  const { left, right, top, bottom } = hint.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = text;
  const isBackwards = getComputedStyle(hint).direction === 'rtl';
  const start = isBackwards ? right - width : left;
  const before = isBackwards ? right + GAP_PX : left - width - GAP_PX;
  const above = top - height - GAP_PX;
  const y = isBeside ? (top + bottom - height) / 2 : above < TOP_PX ? bottom + GAP_PX : above;
  const last = document.documentElement.clientWidth - width - EDGE_PX;
  text.style.setProperty(
    '--hint-x',
    `${Math.max(EDGE_PX, Math.min(isBeside ? before : start, last))}px`,
  );
  text.style.setProperty('--hint-y', `${y}px`);
}
