import { demoId } from '#server/demo/script.ts';
import { apiOf } from './api.ts';
import type { Facts, Role } from './route-table.ts';

/** The account of each role in the demo; nobody is signed in as `signedOut`. */
export const ACCOUNTS: Readonly<Record<Exclude<Role, 'signedOut'>, string>> = {
  member: 'member@lakeside.test',
  author: 'author@lakeside.test',
  builder: 'builder@lakeside.test',
  builderOfTwo: 'both@slipway.test',
  admin: 'admin@lakeside.test',
  otherAdmin: 'admin@harbor.test',
  superAdmin: 'super@slipway.test',
  locked: 'locked@lakeside.test',
  unverified: 'unverified@lakeside.test',
  withoutMembership: 'nobody@slipway.test',
};

/** What the addresses of the table name, in the demo at `url`. @throws where it is not there */
export async function factsOf(url: string): Promise<Facts> {
  const api = await apiOf(url, ACCOUNTS.superAdmin);
  const products = await api.list('/api/products?page[limit]=500');
  const idOf = async (type: string, name: string): Promise<string> => {
    const all = await api.list(`/api/${type}?page[limit]=500`);
    return one(all.find(({ attributes }) => attributes?.name === name)?.id, name);
  };
  const userOf = async (email: string): Promise<string> =>
    (await api.first(`/api/users?filter[email]=${email}`)).id;
  const projectOf = (n: number): string => demoId(`project ${String(n)}`);
  return {
    project: projectOf(1),
    publicProject: projectOf(2),
    privateProject: projectOf(5),
    product: demoId('product 1'),
    build: (await api.first(`/api/product-builds?filter[product-id]=${demoId('product 1')}`)).id,
    published: one(
      products.find(
        ({ id, attributes }) =>
          id === demoId('product 8') && typeof attributes?.['date-published'] === 'string',
      )?.id,
      'a published site',
    ),
    workflow: one(
      products.find(({ attributes }) => attributes?.['workflow-state'] === 'Approval')?.id,
      'a product in Approval',
    ),
    organization: demoId('lakeside'),
    user: await userOf(ACCOUNTS.builder),
    colleague: await userOf(ACCOUNTS.member),
    store: await idOf('stores', 'slipway_web'),
    storeType: await idOf('store-types', 'google_play_store'),
    workflowDefinition: await idOf('workflow-definitions', 'html_preview'),
    productDefinition: await idOf('product-definitions', 'HTML Preview'),
  };
}

function one(id: string | undefined, what: string): string {
  if (id === undefined) throw new Error(`The demo has no ${what}`);
  return id;
}
