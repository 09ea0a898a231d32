import { html } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { filePaths } from '#protocol/file-paths.ts';
import type { Platform } from '#rules/platform.ts';

/** Drawn on 24 × 24 with a line of 1.5: a phone, a globe, a box and a sheet. */
const SHAPES: Readonly<Record<Platform | 'file', string>> = {
  android:
    'M7.5 2.5h9a1 1 0 0 1 1 1v17a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1v-17a1 1 0 0 1 1-1zM11 18.5h2',
  web: 'M12 3a9 9 0 1 0 0 18A9 9 0 0 0 12 3zM3 12h18M12 3c3 2.5 4 5.5 4 9s-1 6.5-4 9c-3-2.5-4-5.5-4-9s1-6.5 4-9z',
  package: 'M12 3 20 7v10l-8 4-8-4V7zM4 7l8 4 8-4M12 11v10M8 5l8 4',
  file: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
};

/** Stands in place of an icon: what kind of thing is there, in the colour of the page. */
export const platformPicture = (shape: Platform | 'file'): Html =>
  html`<svg class="tile" viewBox="0 0 24 24" aria-hidden="true">
    <path d="${SHAPES[shape]}" />
  </svg>`;

/** The icon of a published app, at an address of the web; `product` is its id. */
export function iconOf(product: string, icon: string): Html {
  // Only the path of our own address is used: the page may be reached by another name than the one
  // that we know.
  const own = `${filePaths.publishedApp(product)}/icon`;
  const isOwn = icon.endsWith(own);
  // An icon that lies elsewhere may weigh anything: it comes once the rest of the page is there.
  return isOwn
    ? html`<img src="${own}.webp" alt="" width="96" height="96" />`
    : html`<img src="${icon}" alt="" width="96" height="96" loading="lazy" fetchpriority="low" />`;
}
