import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import type { Of, TypeName } from '#schema/index.ts';
import { aRecord } from '../support/make.ts';
import { aProjectSetUp } from '../support/published.ts';
import { zipOfFiles } from '../support/zips.ts';
import type { Api } from './api.ts';
import type { Team, World } from './world.ts';

/** Products at work, for tests about those who work on them. */

export const HTML = 'HTML Site to Cloud Provider';
export const ANDROID = 'Android App to Amazon S3 Bucket';
export const ASSETS = 'Asset Package to Amazon S3 Bucket';
const STORES = {
  [HTML]: 'slipway_web',
  [ANDROID]: 'slipway_files',
  [ASSETS]: 'slipway_files',
} as const;
type Definition = keyof typeof STORES;

/** What a project is made of, as it is uploaded. */
export const content = zipOfFiles({ 'index.md': '# Harvest\n\nSongs of the field.\n' });

export const toOne = (type: string, id: string) => ({ data: { type, id } });

/** What makes a project Ana’s. */
export const whose = ({ organization, group, ana }: Team) => ({
  organization,
  group,
  owner: ana.id,
});

/** The id of what is there from the first start. */
export async function seeded(world: World, type: TypeName, name: string): Promise<string> {
  const [found] = await world.parts.db.read((tx) => tx.all(type, { name } as never));
  if (found === undefined) throw new Error(`No ${type} is called ${name}`);
  return found.id;
}

/** Lets the team's organization have products of `definition`, in the store they go to. */
export async function offer(
  world: World,
  { organization }: Team,
  definition: Definition,
): Promise<{ readonly productDefinition: string; readonly store: string }> {
  const { db } = world.parts;
  const productDefinition = await seeded(world, 'productDefinition', definition);
  const store = await seeded(world, 'store', STORES[definition]);
  await aRecord(db, 'organizationProductDefinition', { organization, productDefinition });
  // Other definitions may go to the same.
  const there = await db.read((tx) => tx.all('organizationStore', { organization, store }));
  if (there.length === 0) await aRecord(db, 'organizationStore', { organization, store });
  return { productDefinition, store };
}

interface Begun {
  readonly project: Of<'project'>;
  /** Its id. */
  readonly product: string;
}

/** A product of a project of Ana’s, which waits in `state`, its first with something for her to do. */
export async function begin(
  world: World,
  team: Team,
  definition: Definition,
  { content = null, state }: { readonly content?: Buffer | null; readonly state: string },
): Promise<Begun> {
  const { productDefinition, store } = await offer(world, team, definition);
  const project = await aProjectSetUp(world.parts, { ...whose(team), name: 'Harvest' }, content);
  const product = randomUUID();
  const api = await team.apiOf(team.ana);
  const relationships = {
    project: toOne('projects', project.id),
    'product-definition': toOne('product-definitions', productDefinition),
    store: toOne('stores', store),
  };
  await api.add({ type: 'products', id: product, relationships });
  await expect.poll(() => stateOf(api, product)).toBe(state);
  return { project, product };
}

async function stateOf(api: Api, product: string): Promise<unknown> {
  return (await api.first(`/api/products/${product}`)).attributes?.['workflow-state'];
}

/** Gives a command from another device. */
export async function command(
  api: Api,
  product: string,
  name: string,
  comment: string | null = null,
): Promise<void> {
  const task = await api.first(`/api/user-tasks?filter[product]=${product}`);
  await api.add({
    type: 'task-commands',
    id: randomUUID(),
    attributes: { command: name, comment, state: task.attributes?.status },
    relationships: { 'user-task': toOne('user-tasks', task.id) },
  });
}

/** What people did with the product, in order: command and comment. */
export async function commandsOf(api: Api, product: string): Promise<readonly unknown[][]> {
  const rows = await api.list(`/api/products/${product}/transitions`);
  return rows.flatMap(({ attributes = {} }) => {
    const isDone = attributes['date-transition'] !== null && attributes.command !== null;
    return isDone ? [[attributes.command, attributes.comment]] : [];
  });
}

/** While it holds, `page` hears nothing of what others do; what it asks is answered. */
export async function newsOf(page: Page) {
  let isHeld = false;
  const held: (() => void)[] = [];
  await page.routeWebSocket(/\/hubs\//, (socket) => {
    const server = socket.connectToServer();
    server.onMessage((message) => {
      const pass = () => {
        socket.send(message);
      };
      if (isHeld) held.push(pass);
      else pass();
    });
  });
  return {
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const pass of held.splice(0)) pass();
    },
  };
}

/** Products of new projects of Ana’s with these names, which she has sent to be approved. */
export async function requestApproval(
  world: World,
  team: Team,
  names: readonly string[],
  languages: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const { productDefinition, store } = await offer(world, team, ANDROID);
  const api = await team.apiOf(team.ana);
  const products: string[] = [];
  for (const name of names) {
    const language = languages[name] ?? 'en';
    const project = await aProjectSetUp(world.parts, { ...whose(team), name, language }, null);
    const product = randomUUID();
    const relationships = {
      project: toOne('projects', project.id),
      'product-definition': toOne('product-definitions', productDefinition),
      store: toOne('stores', store),
    };
    await api.add({ type: 'products', id: product, relationships });
    await command(api, product, 'Continue');
    products.push(product);
  }
  return products;
}
