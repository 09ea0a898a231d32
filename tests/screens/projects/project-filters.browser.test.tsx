import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { lists } from '#screens/projects/lists.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, harvest, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const routes = Object.values(lists).map(({ name }) => ({
  path: `/projects/${name}`,
  element: (
    <>
      <Query />
      <main tabIndex={-1}>
        <ProjectList name={name} />
      </main>
    </>
  ),
}));

/** What the router knows of the address. */
function Query() {
  return <output>{useLocation().search}</output>;
}

const superAdmin: Shelf = {
  ...shelf,
  userRole: [
    record('userRole', {
      id: idOf(1001),
      user: builder,
      organization: null,
      roleName: 'SuperAdmin',
    }),
  ],
};

describe('a project list with filters', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  async function visit(at: string, held: Shelf = shelf, viewer = builder) {
    const app = await openStore(viewer, held);
    const around = testSurroundings();
    render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
    around.paint();
    return { app, ...around };
  }
  const shown = () =>
    [...document.querySelectorAll('.project-name > a')].map((link) => link.textContent);
  const open = async () => {
    fireEvent.click(screen.getByRole('button', { name: /^Filter/ }));
    return screen.findByRole('group', { name: 'Filter projects' });
  };
  const chips = () =>
    within(screen.getByRole('list', { name: 'Chosen filters' }))
      .getAllByRole('button')
      .map(({ textContent }) => textContent);

  it('offers what occurs in it, and has those that are ticked, at once', async () => {
    await visit('/projects/organization');
    const panel = await open();
    const values = (name: string) =>
      within(within(panel).getByRole('group', { name }))
        .getAllByRole('checkbox')
        .map(({ parentElement }) => parentElement?.textContent);
    expect(values('Language')).to.deep.equal(['English (en)', 'French (fr)', 'Spanish (es-419)']);
    expect(values('Owner')).to.deep.equal(['Me', 'Felix Fellow']);
    expect(values('Group')).to.deep.equal(['Lakeside North']);
    expect(values('Product')).to.deep.equal(['Android App to Google Play']);

    fireEvent.click(within(panel).getByRole('checkbox', { name: 'French (fr)' }));
    expect(shown()).to.deep.equal(['Élan', 'Juniper', 'Orchard']);
    fireEvent.click(within(panel).getByRole('checkbox', { name: 'Spanish (es-419)' }));
    expect(shown()).to.deep.equal(['Élan', 'Harvest', 'Juniper', 'Orchard']);
    fireEvent.click(within(panel).getByRole('checkbox', { name: 'Me' }));
    expect(shown()).to.deep.equal(['Élan', 'Harvest', 'Juniper']);
    expect(screen.queryByRole('button', { name: 'Filter (3)' })).not.to.equal(null);
    expect(chips()).to.deep.equal([
      'Language: French (fr)',
      'Language: Spanish (es-419)',
      'Owner: Me',
      'Clear filters',
    ]);
  });

  it('has those of a status while they have it', async () => {
    const { app } = await visit('/projects/organization?status=waiting-for-you,failed');
    await screen.findByRole('list', { name: 'Chosen filters' });
    expect(shown()).to.deep.equal([]);
    app.server.put('product', { id: harvestApp, waitingFor: 'owner' });
    await waitFor(() => {
      expect(shown()).to.deep.equal(['Harvest']);
    });
    app.server.put('product', { id: harvestApp, workflowState: 'Product Build' });
    await waitFor(() => {
      expect(shown()).to.deep.equal([]);
    });
  });

  it('stands in the address, and comes from there', async () => {
    const { paint } = await visit(`/projects/organization?owner=${fellow}&language=EN`);
    expect(shown()).to.deep.equal(['North Star']);
    await screen.findByRole('list', { name: 'Chosen filters' });
    fireEvent.click(screen.getByRole('button', { name: /^Owner: Felix Fellow/ }));
    expect(document.activeElement?.textContent).to.contain('Language');
    paint();
    await waitFor(() => {
      expect(document.querySelector('output')?.textContent).to.equal('?language=EN');
    });
    expect(shown()).to.deep.equal(['Iron Bridge', 'Lantern', 'North Star']);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(document.activeElement?.textContent).to.equal('Filter');
    paint();
    expect(shown()).to.have.length(7);
  });

  it('shows what nobody here knows as unknown, finds nothing by it, and lets it go', async () => {
    await visit(`/projects/own?group=${idOf(999)}`);
    expect(await screen.findByText('No project here matches these filters.')).not.to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: /^Group: Unknown/ }));
    expect(shown()).to.include('Harvest');
  });

  it('of one’s own offers no owner, and has none of others by the address', async () => {
    await visit(`/projects/own?owner=${fellow}`);
    expect(shown()).to.deep.equal([]);
    cleanup();
    await visit('/projects/own?owner=me');
    expect(shown()).to.include('Harvest');
    const panel = await open();
    expect(within(panel).queryByRole('group', { name: 'Owner' })).to.equal(null);
  });

  it('calls the viewer by me also where the address has their id, and others by their names', async () => {
    await visit(`/projects/organization?owner=${builder}`);
    expect(await screen.findByRole('button', { name: /^Owner: Me/ })).not.to.equal(null);
    const panel = await open();
    expect(within(panel).getByRole<HTMLInputElement>('checkbox', { name: 'Me' }).checked).to.equal(
      true,
    );
    cleanup();
    await visit(`/projects/own?owner=me,${fellow}`);
    await screen.findByRole('list', { name: 'Chosen filters' });
    expect(chips()).to.deep.equal(['Owner: Me', 'Owner: Felix Fellow', 'Clear filters']);
  });

  it('has a language ticked however the address writes it, and lets it go', async () => {
    const { paint } = await visit('/projects/organization?language=FR');
    const panel = await open();
    const box = within(panel).getByRole<HTMLInputElement>('checkbox', { name: 'French (fr)' });
    expect(box.checked).to.equal(true);
    fireEvent.click(box);
    paint();
    expect(shown()).to.have.length(7);
    expect(box.checked).to.equal(false);
  });

  it('offers a product as soon as one comes', async () => {
    const { app } = await visit('/projects/organization', { ...shelf, product: [] });
    const panel = await open();
    expect(within(panel).queryByRole('group', { name: 'Product' })).to.equal(null);
    const [product] = shelf.product ?? [];
    if (product !== undefined) await app.putRecord('product', product);
    expect(within(panel).queryByRole('group', { name: 'Product' })).not.to.equal(null);
  });

  it('says how many it finds, and leaves the focus on the page where all filters go', async () => {
    const found = () =>
      screen.getAllByRole('status').some(({ textContent }) => textContent.includes('found'));
    await visit('/projects/organization');
    expect(found()).to.equal(false);
    cleanup();
    await closeStores();
    const { paint } = await visit(`/projects/organization?group=${idOf(999)}`);
    await screen.findByText('No project here matches these filters.');
    expect(found()).to.equal(true);
    const [clear] = within(document.querySelector<HTMLElement>('.empty-box') ?? document.body) //
      .getAllByRole('button', { name: 'Clear filters' });
    clear?.focus();
    if (clear !== undefined) fireEvent.click(clear);
    paint();
    expect(shown()).to.have.length(7);
    expect(document.activeElement?.localName).to.equal('main');
  });

  it('closes its panel by Escape, and gives the focus back', async () => {
    await visit('/projects/own');
    const panel = await open();
    const box = within(panel).getByRole('checkbox', { name: 'Failed' });
    box.focus();
    fireEvent.keyDown(box, { key: 'Escape' });
    expect(screen.queryByRole('group', { name: 'Filter projects' })).to.equal(null);
    expect(document.activeElement?.textContent).to.equal('Filter');
  });

  it('takes filters along where all of it is selected', async () => {
    const project = Array.from({ length: 25 }, (_, n) => ({
      ...harvest,
      id: idOf(400 + n),
      name: `Field ${String(n)}`,
      language: n < 23 ? 'fr' : 'en',
    }));
    await visit('/projects/own?language=fr', { ...shelf, project });
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Select all 23' }));
    expect(await screen.findByText(/23 selected/)).not.to.equal(null);
  });

  it('is asked of the server by who sees all organizations, without what cannot be a value', async () => {
    const { app } = await visit(
      `/projects/all?status=failed,odd&product=${idOf(70)},none&language=fr&group=nobody,${idOf(20)}`,
      superAdmin,
    );
    const asked = () =>
      app.server.requests
        .map(({ path }) => new URL(path, 'http://here.test').searchParams)
        .find((query) => query.has('filter[status]'));
    await waitFor(() => {
      expect(asked()).not.to.equal(undefined);
    });
    expect(Object.fromEntries(asked() ?? [])).to.include({
      'filter[status]': 'in:failed',
      'filter[any-product-definition-id]': `in:${idOf(70)}`,
      'filter[language]': 'in:fr',
      'filter[group]': `in:${idOf(20)}`,
    });
  });
});
