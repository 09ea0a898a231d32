import { fireEvent, render, screen, within } from '@testing-library/react';
import type { ChangesView } from '../../src/data/model/views.ts';
import { useRecord } from '#data/react/hooks.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProductsSection } from '#screens/products/in-project/products-section.tsx';
import { builder, harvest, lakeside, record, shelf } from './shelf.ts';
import { Around, testSurroundings } from './around.tsx';
import { stillData } from './still-data.tsx';
import type { Shelf } from './shelf.ts';
import { stillFiles } from './still-files.ts';

/** Harvest's products as its page shows them. */

export const ANDROID = 'Android App to Google Play';
const [found] = shelf.productDefinition ?? [];
const workflows = shelf.workflowDefinition ?? [];
if (found === undefined) throw new Error('The shelf lacks a definition');
export const android = found;

export const rebuild = record('workflowDefinition', { id: 'rebuild', name: 'rebuild', type: 2 });
const toStore = record('workflowDefinition', { id: 'web', type: 1, storeType: 'cloud' });
const toNone = record('workflowDefinition', { id: 'preview', type: 1 });
const type = android.type;
const definitions = [
  { ...android, rebuildWorkflow: rebuild.id },
  record('productDefinition', { id: 'pwa', name: 'PWA to Cloud', type, workflow: toStore.id }),
  record('productDefinition', { id: 'html', name: 'HTML Preview', type, workflow: toNone.id }),
  record('productDefinition', { id: 'off', name: 'Switched Off', type, workflow: toNone.id }),
];
export const switchedOn = [android.id, 'pwa', 'html'].map((productDefinition) =>
  record('organizationProductDefinition', {
    id: `on-${productDefinition}`,
    organization: lakeside,
    productDefinition,
  }),
);
const web = record('store', { id: 'web-store', name: 'slipway_web', storeType: 'cloud' });
const play = record('store', { id: 'play-store', name: 'slipway_play', storeType: 'play' });
export const published = '2026-03-01T12:00:00.000Z';

interface Given {
  readonly viewer?: string;
  readonly project?: Partial<Of<'project'>>;
  readonly product?: Partial<Of<'product'>> | null;
  readonly more?: Shelf;
  readonly changes?: Partial<ChangesView>;
}

/** Harvest, set up, with its product; what is given is otherwise. */
export function visitProducts({
  viewer = builder,
  project = {},
  product = {},
  more = {},
  changes,
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
    organizationStore: [web, play].map(({ id }) =>
      record('organizationStore', { id: `has-${id}`, organization: lakeside, store: id }),
    ),
    ...more,
  };
  const still = stillData(viewer, held, changes);
  const { surroundings, pass } = testSurroundings();
  const { files, opened, refuse } = stillFiles();
  const routes = [{ path: '/', element: <Shown /> }];
  render(
    <FilesContext.Provider value={files}>
      <Around store={still} surroundings={surroundings} routes={routes} at="/" />
    </FilesContext.Provider>,
  );
  return { ...still, surroundings, pass, opened, refuse };
}

function Shown() {
  const { record: project } = useRecord('project', harvest.id);
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
/** The product when nothing runs, published. */
export const atRest = { productWorkflow: null, workflowState: null, datePublished: published };
