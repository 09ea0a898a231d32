import { fireEvent, render, screen, within } from '@testing-library/react';
import { useRecord } from '#data/react/hooks.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProductsSection } from '#screens/products/in-project/products-section.tsx';
import { openStore } from './app-over-store.ts';
import type { AppOverStore } from './app-over-store.ts';
import { builder, harvest, idOf, lakeside, record, shelf } from './shelf.ts';
import { Around, testSurroundings } from './around.tsx';
import type { Shelf } from './shelf.ts';
import { stillFiles } from './still-files.ts';

/** Harvest's products as its page shows them. */

export const ANDROID = 'Android App to Google Play';
const [found] = shelf.productDefinition ?? [];
const workflows = shelf.workflowDefinition ?? [];
if (found === undefined) throw new Error('The shelf lacks a definition');
export const android = found;

/** Definitions of products beside Android's, and stores. */
export const pwa = idOf(1510);
export const html = idOf(1511);
export const webStore = idOf(1530);
export const playStore = idOf(1531);
const [cloud, googlePlay] = [idOf(1550), idOf(1551)] as const;

export const rebuild = record('workflowDefinition', { id: idOf(1500), name: 'rebuild', type: 2 });
const toStore = record('workflowDefinition', { id: idOf(1501), type: 1, storeType: cloud });
const toNone = record('workflowDefinition', { id: idOf(1502), type: 1 });
const type = android.type;
const definitions = [
  { ...android, rebuildWorkflow: rebuild.id },
  record('productDefinition', { id: pwa, name: 'PWA to Cloud', type, workflow: toStore.id }),
  record('productDefinition', { id: html, name: 'HTML Preview', type, workflow: toNone.id }),
  record('productDefinition', { id: idOf(1512), name: 'Switched Off', type, workflow: toNone.id }),
];
export const switchedOn = [android.id, pwa, html].map((productDefinition, index) =>
  record('organizationProductDefinition', {
    id: idOf(1520 + index),
    organization: lakeside,
    productDefinition,
  }),
);
const web = record('store', { id: webStore, name: 'slipway_web', storeType: cloud });
const play = record('store', { id: playStore, name: 'slipway_play', storeType: googlePlay });
export const published = '2026-03-01T12:00:00.000Z';

interface Given {
  readonly viewer?: string;
  readonly project?: Partial<Of<'project'>>;
  readonly product?: Partial<Of<'product'>> | null;
  readonly more?: Shelf;
  /** What happens before the page opens: gives the project that it is about, if it is another. */
  readonly prepare?: (app: AppOverStore) => Promise<string | null>;
}

/** Harvest, set up, with its product; what is given is otherwise. */
export async function visitProducts({
  viewer = builder,
  project = {},
  product = {},
  more = {},
  prepare = () => Promise.resolve(null),
}: Given = {}) {
  const set = { ...harvest, workflowProjectUrl: 'https://repository.test/1', ...project };
  const [first] = shelf.product ?? [];
  const held: Shelf = {
    ...shelf,
    project: [set],
    product: product === null || first === undefined ? [] : [{ ...first, ...product }],
    productDefinition: definitions,
    workflowDefinition: [...workflows, rebuild, toStore, toNone],
    organizationProductDefinition: switchedOn,
    store: [web, play],
    organizationStore: [web, play].map(({ id }, index) =>
      record('organizationStore', { id: idOf(1540 + index), organization: lakeside, store: id }),
    ),
    ...more,
  };
  const app = await openStore(viewer, held);
  const id = (await prepare(app)) ?? harvest.id;
  const { surroundings, pass } = testSurroundings();
  const { files, opened, refuse } = stillFiles();
  const routes = [{ path: '/', element: <Shown id={id} /> }];
  render(
    <FilesContext.Provider value={files}>
      <Around store={app} surroundings={surroundings} routes={routes} at="/" />
    </FilesContext.Provider>,
  );
  // What the page asks the server for arrives.
  await app.settle();
  return { ...app, surroundings, pass, opened, refuse };
}

function Shown({ id }: { readonly id: string }) {
  const { record: project } = useRecord('project', id);
  return project === null ? null : <ProductsSection project={project} />;
}

export const card = () => within(screen.getByRole('listitem'));
export const addButton = () =>
  screen.getByRole<HTMLButtonElement>('button', { name: 'Add products' });
export const dialog = (name: RegExp | string) => within(screen.getByRole('dialog', { name }));
export const press = (name: RegExp | string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
export const openMenu = (name = ANDROID) => {
  press(`More for ${name}`);
  return screen.getAllByRole('menuitem').map((item) => item.textContent);
};
export const pick = (name: string) => {
  fireEvent.click(screen.getByRole('menuitem', { name }));
};
/** This device has no connection since before the page opened. */
export const offline = async (app: AppOverStore) => {
  await app.goOffline();
  return null;
};
/** This device has no space left. */
export const fill = ({ storage }: Pick<AppOverStore, 'storage'>) =>
  storage.fail({ at: 'put', name: 'QuotaExceededError' });
/** The product when nothing runs, published. */
export const atRest = { productWorkflow: null, workflowState: null, datePublished: published };
