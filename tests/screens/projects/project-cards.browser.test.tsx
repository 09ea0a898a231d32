import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { ProjectList } from '#screens/projects/project-list.tsx';
import type { Of } from '#schema/index.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

async function visit(at: string, held: Shelf = shelf, viewer = builder) {
  const app = await openStore(viewer, held);
  const { surroundings, paint } = testSurroundings();
  const routes = (['own', 'organization', 'all', 'archived'] as const).map((name) => ({
    path: `/projects/${name}`,
    element: <ProjectList name={name} />,
  }));
  render(<Around store={app} surroundings={surroundings} routes={routes} at={at} />);
  paint();
  return { ...app, paint };
}
const card = (name: string) => {
  const body = screen.getByRole('link', { name }).closest('tbody');
  if (body === null) throw new Error(`There is no card of ${name}`);
  return body;
};
/** What is told of the product that `name` leads to. */
const chipOf = (name: string) => {
  const chip = within(card('Harvest'))
    .getByRole('link', { name })
    .closest<HTMLElement>('[role=listitem]');
  if (chip === null) throw new Error(`There is no chip of ${name}`);
  return chip;
};
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const chooseColumns = async () => {
  press('Choose columns');
  await screen.findByRole('group', { name: 'Choose columns' });
};
/** Lists what can be done with one project; none: there is no menu. */
const menuOf = (name: string) => {
  const opener = screen.queryByRole('button', { name: `More for ${name}` });
  if (opener === null) return [];
  fireEvent.click(opener);
  return screen.getAllByRole('menuitem').map((entry) => entry.textContent);
};
const withProject = (change: (project: Of<'project'>) => Of<'project'>): Shelf => ({
  ...shelf,
  project: (shelf.project ?? []).map(change),
});

const site = record('productDefinition', {
  id: idOf(1000),
  name: 'HTML Site',
  type: harvest.type,
  workflow: idOf(71),
});
const product = (number: number, fields: Partial<Of<'product'>> = {}) =>
  record('product', {
    id: idOf(1100 + number),
    project: harvest.id,
    productDefinition: site.id,
    ...fields,
  });
const withProducts = (...products: Of<'product'>[]): Shelf => ({
  ...shelf,
  productDefinition: [...(shelf.productDefinition ?? []), site],
  product: products,
});

const many = (count: number): Shelf => ({
  ...shelf,
  product: [],
  project: Array.from({ length: count }, (_, index) => ({
    ...harvest,
    id: idOf(2000 + index),
    name: `Field ${String(index + 1).padStart(3, '0')}`,
  })),
});

describe('[6.2] the card of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('says what is known of it, and by a dash what is not [R76]', async () => {
    await visit(
      '/projects/own',
      withProject((project) => ({ ...project, dateActive: null })),
    );
    await chooseColumns();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Active for' }));
    const row = within(card('Harvest'));
    expect(row.getByRole('cell', { name: /^Owner ?Berta Builder$/ })).not.to.equal(null);
    expect(row.getByRole('cell', { name: /^Language ?Spanish \(es-419\)$/ })).not.to.equal(null);
    expect(row.getByRole('cell', { name: /^Group ?Lakeside North$/ })).not.to.equal(null);
    expect(row.getByRole('cell', { name: /^Active for ?-$/ })).not.to.equal(null);
  });

  it('says that a project is private [R20, R236]', async () => {
    await visit('/projects/own');
    expect(card('Juniper').textContent).to.contain('Private');
    expect(card('Harvest').textContent).not.to.contain('Private');
  });

  it('lists its products, which lead to their files [R76]', async () => {
    await visit('/projects/own');
    const link = within(card('Harvest')).getByRole('link', { name: 'Android App to Google Play' });
    expect(link.getAttribute('href')).to.equal(`/products/${harvestApp}/files`);
    expect(chipOf('Android App to Google Play').textContent).to.contain('Build version 1.4');
    expect(card('Juniper').textContent).to.contain('No products');
  });

  describe('says what state each product is in', () => {
    const chips = () =>
      [...card('Harvest').querySelectorAll('.status-chip')].map(
        (chip) => `${String((chip as HTMLElement).dataset.tone)}: ${chip.textContent}`,
      );
    const running = { workflowState: 'Approval', versionBuilt: '1.5' };
    const task = (of: Of<'product'>) =>
      record('userTask', { id: idOf(1200), user: builder, product: of.id, commands: ['Approve'] });

    it('to a member: what runs, what failed and how, whom it waits for, what is out', async () => {
      const mine = product(3, { ...running, waitingFor: 'admins' });
      await visit('/projects/own', {
        ...withProducts(
          product(0, { workflowState: 'Product Build', failure: 'build' }),
          product(1, { workflowState: 'Synchronize Data', failure: 'build', waitingFor: 'owner' }),
          product(2, { failure: 'rejected' }),
          mine,
          product(4, { ...running, waitingFor: 'admins', assigned: fellow }),
        ),
        userTask: [task(mine)],
      });
      expect(chips()).to.deep.equal([
        'busy: In progress',
        'bad: Build failed',
        'bad: Rejected',
        'yours: Waiting for you',
        'others: Waiting for Felix Fellow',
      ]);
      cleanup();
      await closeStores();
      await visit(
        '/projects/own',
        withProducts(
          product(0, { ...running, waitingFor: 'authors' }),
          product(1, { failure: 'release' }),
          product(2, { datePublished: '2026-02-01T09:00:00.000Z', versionPublished: '1.2' }),
          product(3, { datePublished: '2026-02-01T09:00:00.000Z' }),
          product(4),
        ),
      );
      expect(chips()).to.deep.equal([
        'others: Waiting for the authors',
        'bad: Publishing failed',
        'good: Published 1.2',
        'good: Published',
        'none: Not started',
      ]);
    });

    it('as soon as it is another, also by a task alone', async () => {
      const held = withProducts(product(0, { ...running, waitingFor: 'owner' }));
      const { setRecord, putRecord } = await visit('/projects/own', { ...held, userTask: [] });
      expect(chips()).to.deep.equal(['others: Waiting for the owner']);
      await putRecord('userTask', task(product(0)));
      expect(chips()).to.deep.equal(['yours: Waiting for you']);
      await setRecord('product', product(0).id, { workflowState: 'Product Build' });
      expect(chips()).to.deep.equal(['busy: In progress']);
    });
  });

  it('says of each product when it was built and when it was changed, and nothing of what never happened [R76, R79]', async () => {
    await visit(
      '/projects/own',
      withProducts(
        product(0, {
          versionBuilt: null,
          dateBuilt: '2026-02-25T12:00:00.000Z',
          dateUpdated: '2026-02-28T12:00:00.000Z',
        }),
      ),
    );
    await chooseColumns();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Build date' }));
    const facts = [...chipOf('HTML Site').querySelectorAll('.fact')].map((fact) => [
      fact.querySelector('.out-of-sight')?.textContent,
      fact.querySelector('time')?.textContent,
    ]);
    expect(facts).to.deep.equal([
      ['Build date ', '5 days ago'],
      ['Product updated ', '2 days ago'],
    ]);
  });

  it('is one row, whose head says once what is told of products [R76]', async () => {
    await visit('/projects/own', withProducts(product(0), product(1), product(2)));
    expect(card('Harvest').querySelectorAll('tr')).to.have.length(1);
    const head = screen.getByRole('columnheader', { name: /^Products/ });
    expect(head.textContent).to.equal('ProductsBuild versionProduct updated');
    expect(head.getAttribute('aria-sort')).to.equal(null);
    press('Build version');
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
  });

  it('shows five products, and the others on demand [R76]', async () => {
    const seven = Array.from({ length: 7 }, (_, index) => product(index));
    await visit('/projects/own', withProducts(...seven));
    expect(within(card('Harvest')).getAllByRole('link', { name: 'HTML Site' })).to.have.length(5);
    press('Show 2 more');
    expect(within(card('Harvest')).getAllByRole('link', { name: 'HTML Site' })).to.have.length(7);
  });

  it('shows five products after the next search, too, where it stands in the place of another', async () => {
    const many = ['Meadow', 'Orchard'].flatMap((name, index) => {
      const project = { ...harvest, id: idOf(2000 + index), name };
      const products = Array.from({ length: 7 }, (_, number) =>
        product(100 * index + number, { project: project.id }),
      );
      return [{ project, products }];
    });
    const { paint } = await visit('/projects/own?pageSize=1', {
      ...withProducts(...many.flatMap(({ products }) => products)),
      project: many.map(({ project }) => project),
    });
    const links = (name: string) =>
      within(card(name)).getAllByRole('link', { name: 'HTML Site' }).length;
    press('Show 2 more');
    expect(links('Meadow')).to.equal(7);
    press('Next page');
    paint();
    expect(links('Orchard')).to.equal(5);
  });

  it('orders its products by build version as people count, or by build date, and no projects [R421]', async () => {
    await visit(
      '/projects/own',
      withProducts(
        product(0, { versionBuilt: '1.10', dateBuilt: '2026-02-21T09:00:00.000Z' }),
        product(1, { versionBuilt: null, dateBuilt: null }),
        product(2, { versionBuilt: '1.9', dateBuilt: '2026-02-22T09:00:00.000Z' }),
      ),
    );
    await chooseColumns();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Build date' }));
    const products = () =>
      within(card('Harvest'))
        .getAllByRole('link', { name: 'HTML Site' })
        .map((link) => 'abc'.charAt(Number(link.getAttribute('href')?.split('/')[2]?.at(-1))));
    const projects = () =>
      [...document.querySelectorAll('.project-name > a')].map((link) => link.textContent);
    const before = projects();
    press('Build version');
    expect(products()).to.deep.equal(['c', 'a', 'b']);
    press('Build version');
    expect(products()).to.deep.equal(['a', 'c', 'b']);
    press('Build date');
    expect(products()).to.deep.equal(['a', 'c', 'b']);
    expect(projects()).to.deep.equal(before);
  });

  it('is dim, in words too, when it is archived [R80]', async () => {
    await visit('/projects/all');
    expect(card('Meadow').querySelector('.is-dimmed .private-mark')?.textContent).to.equal(
      'Archived',
    );
    expect(card('Harvest').querySelector('.is-dimmed')).to.equal(null);
  });

  it('is archived or reactivated by its owner [R81, R308]', async () => {
    await visit('/projects/all');
    expect(menuOf('Harvest')).to.deep.equal(['Archive']);
    cleanup();
    await visit('/projects/archived');
    expect(menuOf('Meadow')).to.deep.equal(['Reactivate']);
  });

  it('is archived by an admin of its organization [R81, R303]', async () => {
    const { organization } = harvest;
    const admin = record('userRole', {
      id: idOf(1001),
      user: fellow,
      organization,
      roleName: 'OrganizationAdmin',
    });
    const groupMembership = (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow);
    await visit('/projects/organization', { ...shelf, groupMembership, userRole: [admin] }, fellow);
    expect(menuOf('Harvest')).to.deep.equal(['Archive']);
  });

  it('is claimed by who is in its group and does not own it [R82, R276]', async () => {
    await visit('/projects/organization');
    expect(menuOf('Orchard')).to.deep.equal(['Claim ownership']);
  });

  it('has no menu for who may do nothing with it [R82]', async () => {
    const groupMembership = (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow);
    await visit('/projects/organization', { ...shelf, groupMembership }, fellow);
    expect(menuOf('Harvest')).to.deep.equal([]);
  });

  it('stays in its place, dimmed, when it was just archived, and can be taken back [R80]', async () => {
    const { server, settle } = await visit('/projects/own');
    const dateArchived = () => server.get('project', harvest.id)?.attributes?.['date-archived'];
    expect(menuOf('Harvest')).to.deep.equal(['Archive']);
    fireEvent.click(screen.getByRole('menuitem', { name: 'Archive' }));
    await settle();
    expect(dateArchived()).to.equal('2026-03-02T12:00:00.000Z');
    // The list has gone on without it.
    press('Project');
    expect(card('Harvest').querySelector('.is-dimmed')).not.to.equal(null);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await settle();
    expect(dateArchived()).to.equal(null);
  });

  it('says “active again” where it was just reactivated [R80]', async () => {
    const { server, settle } = await visit('/projects/archived');
    const meadow = shelf.project?.find(({ name }) => name === 'Meadow')?.id ?? '';
    menuOf('Meadow');
    fireEvent.click(screen.getByRole('menuitem', { name: 'Reactivate' }));
    await settle();
    expect(server.get('project', meadow)?.attributes?.['date-archived']).to.equal(null);
    press('Project');
    expect(card('Meadow').querySelector('.is-dimmed .private-mark')?.textContent).to.equal(
      'active again',
    );
  });
});

describe('[1.7] a selection of projects', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const all = () => box('Select all on this page');
  const state = () => (all().indeterminate ? 'some' : all().checked ? 'all' : 'none');
  const select = (name: string, shiftKey = false) => {
    fireEvent.click(box(`Select ${name}`), { shiftKey });
  };

  /** What the bar of the selection counts. */
  const counts = () => document.querySelector('.bulk-bar > [role=status]')?.textContent;

  it('is none, some or all of the rows in view [R78, R242, R422]', async () => {
    await visit('/projects/own');
    expect(state()).to.equal('none');
    select('Harvest');
    expect(state()).to.equal('some');
    for (const name of ['Élan', 'Iron Bridge', 'Juniper', 'Lantern']) select(name);
    expect(state()).to.equal('all');
    fireEvent.click(all());
    expect(state()).to.equal('none');
  });

  it('is about the rows that show now, also after the page was turned [R78, R242, R422]', async () => {
    await visit('/projects/own?pageSize=2');
    fireEvent.click(all());
    expect(state()).to.equal('all');
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    expect(state()).to.equal('none');
    press('Previous page');
    expect(state()).to.equal('all');
  });

  it('takes a range with Shift [R78]', async () => {
    await visit('/projects/own');
    select('Harvest');
    select('Juniper', true);
    expect(box('Select Iron Bridge').checked).to.equal(true);
    expect(box('Select Élan').checked).to.equal(false);
    expect(screen.queryByText('3 selected')).not.to.equal(null);
  });

  it('lasts over pages, orders and searches, and says how many are not in view [R78, R219]', async () => {
    await visit('/projects/own?pageSize=2');
    select('Harvest');
    fireEvent.click(await screen.findByRole('button', { name: 'Next page' }));
    select('Juniper');
    expect(counts()).to.equal('2 selected (1 not shown)');
    press('Project');
    expect(counts()).to.match(/^2 selected/);
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'lantern' } });
    fireEvent.keyDown(screen.getByRole('searchbox'), { key: 'Enter' });
    expect(counts()).to.equal('2 selected (2 not shown)');
  });

  it('is cleared at once [R78]', async () => {
    await visit('/projects/own');
    select('Harvest');
    fireEvent.click(await screen.findByRole('button', { name: 'Clear' }));
    expect(state()).to.equal('none');
    expect(screen.queryByText(/selected/)).to.equal(null);
  });

  it('is forgotten with the list [R78]', async () => {
    await visit('/projects/own');
    select('Harvest');
    press('My projects: choose another list');
    fireEvent.click(screen.getByRole('menuitemradio', { name: 'Organization projects' }));
    expect(box('Select Harvest').checked).to.equal(false);
  });

  it('takes all that there are, up to five hundred [R78]', async () => {
    await visit('/projects/own?pageSize=2', many(501));
    fireEvent.click(all());
    fireEvent.click(await screen.findByRole('button', { name: 'Select all 500' }));
    expect(counts()).to.equal('500 selected (498 not shown) · 1 is left out');
  });

  it('takes five hundred in all, with those that were selected before, and says how many are left out [R78]', async () => {
    // The page in view holds the last sixteen, which are not among the first five hundred.
    await visit('/projects/own?pageSize=100&pageOffset=6', many(516));
    fireEvent.click(all());
    fireEvent.click(await screen.findByRole('button', { name: 'Select all 500' }));
    expect(counts()).to.equal('500 selected (484 not shown) · 16 are left out');
  });

  it('takes five hundred that are there when one of the selected is gone by now', async () => {
    const { dropRecord } = await visit('/projects/own?pageSize=2', many(503));
    fireEvent.click(all());
    await dropRecord('project', idOf(2000));
    fireEvent.click(all());
    fireEvent.click(await screen.findByRole('button', { name: 'Select all 500' }));
    expect(counts()).to.equal('500 selected (498 not shown) · 2 are left out');
  });
});

describe('[1.7] a long list of projects', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const drawn = () => document.querySelectorAll('.project-row').length;
  const untilFrame = () => new Promise(requestAnimationFrame);

  it('has only what is near in the page, and the rest comes as one scrolls there [R78]', async () => {
    await visit('/projects/own?pageSize=500', many(200));
    expect(drawn()).to.equal(20);
    expect(screen.queryByRole('link', { name: 'Field 200' })).to.equal(null);
    document.querySelector('.project-table')?.scrollIntoView({ block: 'end' });
    await screen.findByRole('link', { name: 'Field 200' });
    expect(drawn()).to.be.lessThan(200);
  });

  it('shows who jumps into it the middle of what is in view first', async () => {
    await visit('/projects/own?pageSize=500', many(200));
    const came: string[] = [];
    const table = document.querySelector('.project-table');
    if (table === null) throw new Error('There is no table');
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const row of addedNodes)
          if (row instanceof Element) came.push(row.querySelector('a')?.textContent ?? '');
    }).observe(table, { childList: true, subtree: true });
    table.querySelectorAll(':scope > tbody')[99]?.scrollIntoView({ block: 'center' });
    await screen.findByRole('link', { name: 'Field 103' });
    await screen.findByRole('link', { name: 'Field 097' });
    expect(came.indexOf('Field 100')).to.be.lessThan(came.indexOf('Field 097'));
    expect(came.indexOf('Field 100')).to.be.lessThan(came.indexOf('Field 103'));
  });

  it('draws no rows for who flies past them, and those in view as soon as it is slower', async () => {
    await visit('/projects/own?pageSize=500', many(200));
    for (let frame = 0; frame < 30; frame += 1) {
      window.scrollBy(0, 250);
      await untilFrame();
    }
    const past = drawn();
    document.querySelector('.project-table')?.scrollIntoView({ block: 'end' });
    await screen.findByRole('link', { name: 'Field 200' });
    // Two a frame would have been sixty more.
    expect(past).to.be.lessThan(40);
  });
});
