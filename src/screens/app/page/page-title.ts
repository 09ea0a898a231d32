import { useEffect } from 'react';
import { isolated } from '#base/unicode.ts';
import { useText } from '#ui/text/text.ts';

let taskCount = 0;
let page: string | null = null;

/** The tab's title: "(3) Harvest · Slipway". */
function write(brand: string): void {
  const count = taskCount > 0 ? `(${String(taskCount)}) ` : '';
  document.title = `${count}${page === null ? '' : `${isolated(page)} · `}${brand}`;
}

/** Names the page in the tab's title while it is shown. */
export function usePageTitle(title: string): void {
  const t = useText();
  const brand = t('common.brand');
  useEffect(() => {
    page = title;
    write(brand);
    return () => {
      page = null;
      write(brand);
    };
  }, [title, brand]);
}

/** Puts the number of own tasks into the tab's title. */
export function useTitleCount(count: number): void {
  const t = useText();
  const brand = t('common.brand');
  useEffect(() => {
    taskCount = count;
    write(brand);
    return () => {
      taskCount = 0;
    };
  }, [count, brand]);
}
