/** Rows of buttons that a person may want next; bars at the foot of the window are such rows. */
const ROWS =
  '.button-row, .form-foot, .page-actions, .box-actions, .dialog-actions, .bulk-bar, ' +
  '.flow-buttons, .shell-header';
const ABOVE_ROW_PX = 16;

/** Keeps the toasts of `region` above rows of buttons; returns what ends it. */
export function keepRowsClear(region: HTMLElement): () => void {
  const place = () => {
    region.style.translate = '';
    region.style.translate = `0 -${liftOf(region)}px`;
  };
  const watch = new ResizeObserver(place);
  // A page grows where a bar comes to its foot, but not where the bar gets more buttons later.
  const more = new MutationObserver(place);
  for (const main of document.querySelectorAll('main')) {
    watch.observe(main);
    more.observe(main, { childList: true, subtree: true });
  }
  watch.observe(region);
  addEventListener('resize', place);
  addEventListener('scroll', place, true);
  return () => {
    watch.disconnect();
    more.disconnect();
    removeEventListener('resize', place);
    removeEventListener('scroll', place, true);
  };
}

/** Returns by how many px `region` must go up to cover no button; 0 where there is no room. */
function liftOf(region: HTMLElement): number {
  const { top, bottom, left, right } = region.getBoundingClientRect();
  const within = region.closest('dialog') ?? document;
  const buttons = [...within.querySelectorAll(`:is(${ROWS}) :is(button, a, input)`)]
    .map((button) => button.getBoundingClientRect())
    .filter((button) => button.width > 0 && button.left < right && button.right > left)
    .sort((a, b) => b.bottom - a.bottom);
  let lift = 0;
  for (const button of buttons) {
    const isCovered = button.top < bottom - lift && button.bottom > top - lift;
    if (isCovered) lift = bottom - button.top + ABOVE_ROW_PX;
  }
  return lift > top ? 0 : lift;
}
