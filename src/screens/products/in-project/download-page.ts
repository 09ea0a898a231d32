import { filePaths } from '#protocol/file-paths.ts';
import { platformOf } from '#rules/platform.ts';
import { isPublishedAt } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';

/** The type of the file that people take of a definition of that name; null: it is a site. */
export function fileTypeOf(definition: string): 'apk' | 'asset-package' | null {
  const types = { android: 'apk', package: 'asset-package', web: null } as const;
  return types[platformOf(definition)];
}

/** The page on which people find the file of a product; null: what is published is no file. */
export function downloadPageOf(product: string, definition: string): string | null {
  const type = fileTypeOf(definition);
  if (type === null) return null;
  return type === 'apk'
    ? `/downloads/apk/${product}/published`
    : filePaths.downloadPage(product, type);
}

/**
 * The public address of our own under which `product` was published, that of a site too; null: there
 * is none, or it is elsewhere.
 */
export function ownAddressOf(product: Of<'product'>, definition: string): string | null {
  if (product.datePublished === null) return null;
  const site = isPublishedAt(location.origin, product) ? product.publishLink : null;
  return downloadPageOf(product.id, definition) ?? site;
}
