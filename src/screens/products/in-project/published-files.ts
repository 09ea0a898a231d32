import { filePaths } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';

/** The type of the file that people take of a definition of that name; null: it is a site. */
function typeOf(definition: string): 'apk' | 'asset-package' | null {
  if (/android/i.test(definition)) return 'apk';
  return /package/i.test(definition) ? 'asset-package' : null;
}

/** The address of the file that was published last; null: what is published is no file. */
export function publishedFileOf(product: string, definition: string): string | null {
  const type = typeOf(definition);
  return type === null ? null : filePaths.publishedFile(product, type);
}

/** The page on which people find that file. */
export function downloadPageOf(product: string, definition: string): string | null {
  const type = typeOf(definition);
  if (type === null) return null;
  return type === 'apk'
    ? `/downloads/apk/${product}/published`
    : `/downloads/products/${product}/files/published/${type}`;
}

/** Says whether the product was published and its files are still to be had. */
export function useIsOut({ id }: Of<'product'>): boolean {
  return useList('productPublication', { product: id, success: true }).total > 0;
}
