import { sql } from 'kysely';
import { notify } from '../notifications/notify.ts';
import type { Services } from '../services.ts';
import { actorsOf } from '../workflow/actors.ts';
import { evaluateRule } from '../../db/evaluate-rule.ts';
import { namesOfProduct } from '../workflow/running/notify-of-product.ts';

interface LostPackageName {
  readonly product: string;
  readonly name: string;
}

/**
 * Notifies the admins of organizations whose products are no longer found under their package name,
 * because another organization was first (domain 2.9); each once. @returns how many products
 */
export function notifyLostPackageNames(services: Services): Promise<number> {
  const cause = { at: services.clock(), by: null, changes: [] };
  return services.db.write(cause, async (write) => {
    const lostNames = await write.query(
      sql<LostPackageName>`delete from package_name_losses returning product_id as product, name`,
    );
    for (const { product: id, name } of lostNames) {
      const product = await write.one('product', id);
      const project = product === null ? null : await write.one('project', product.project);
      if (product === null || project === null) continue;
      const { organization } = project;
      const about = { ...(await namesOfProduct(write, { product, project })), packageName: name };
      const { OrgAdmin: admins } = await evaluateRule(write, (find) => actorsOf(project, find));
      for (const user of new Set(admins))
        await notify({ services, write }, user, {
          id: 'packageNameTaken',
          organization,
          values: about,
          linkUrl: `/products/${id}/files`,
        });
    }
    return lostNames.length;
  });
}
