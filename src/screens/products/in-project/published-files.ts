import { filePaths } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import { useList } from '#data/react/hooks.ts';
import { fileTypeOf } from './download-page.ts';

/** The address of the file that was published last; null: what is published is no file. */
export function publishedFileOf(product: string, definition: string): string | null {
  const type = fileTypeOf(definition);
  return type === null ? null : filePaths.publishedFile(product, type);
}

/** Says whether the product was published and its files are still to be had. */
export function useIsOut({ id }: Of<'product'>): boolean {
  return useList('productPublication', { product: id, success: true }).total > 0;
}
