import type { Find } from '#rules/find.ts';
import { mayDownloadFiles } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import { ownAddressOf } from '../../products/in-project/download-page.ts';

/** The public addresses under which people have what was published of `project` now. */
export function addressesOf(project: Of<'project'>, find: Find): readonly string[] {
  if (!mayDownloadFiles(null, project)) return [];
  return find.all('product', { project: project.id }).flatMap((product) => {
    const definition = find.one('productDefinition', product.productDefinition);
    const address = ownAddressOf(product, definition?.name ?? '');
    return address === null ? [] : [new URL(address, document.baseURI).href];
  });
}

/** Says whether archiving closes addresses that others may be using (domain 2.6). */
export function archivingTakesAway(projects: readonly Of<'project'>[], find: Find): boolean {
  return projects.some((project) => addressesOf(project, find).length > 0);
}
