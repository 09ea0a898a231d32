import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { RouteObject } from 'react-router-dom';
import { archive, editProject } from '#data/actions/projects.ts';
import type { ResourceObject } from '#protocol/document.ts';
import { lists } from '#screens/projects/lists.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { isLanguage, speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore, OpenOptions } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const routes: RouteObject[] = [
  ...Object.values(lists).map(({ name }) => ({
    path: `/projects/${name}`,
    element: <ProjectList name={name} />,
  })),
  { path: '/projects/import', element: <>The import</> },
  { path: '/projects/new', element: <>The new project</> },
  { path: '/projects/:projectId', element: <ProjectPage /> },
];

interface Given {
  readonly held?: Shelf;
  readonly viewer?: string;
  /** What happens before the page opens. */
  readonly prepare?: (app: AppOverStore) => Promise<void>;
  readonly open?: OpenOptions;
}

async function visit(at: string, { held = shelf, viewer = builder, prepare, open }: Given = {}) {
  const app = await openStore(viewer, held, open);
  await prepare?.(app);
  const around = testSurroundings();
  const page = <Around store={app} surroundings={around.surroundings} routes={routes} at={at} />;
  render(page);
  around.paint();
  return { app, page, ...around };
}
/** From now on what stands before the server answers in its place. */
const breakServer = async ({ server, passOnDevice }: AppOverStore) => {
  server.answer = () =>
    Promise.resolve(
      new Response('<h1>Bad gateway</h1>', {
        status: 502,
        headers: { 'Content-Type': 'text/html' },
      }),
    );
  server.isHubDown = true;
  server.hangUp();
  server.letThrough();
  await passOnDevice(5_000);
};
const shownNames = () =>
  [...document.querySelectorAll('.project-name > a')].map((link) => link.textContent);
const shownColumns = () =>
  [...document.querySelectorAll('.project-table > thead th:not(.tight, .parts-header, .end)')].map(
    (head) => head.textContent,
  );
/** What the head says of products. */
const shownProductColumns = () =>
  [...document.querySelectorAll('.parts-header > .fact')].map((part) => part.textContent);
const button = (name: string | RegExp) => screen.queryByRole<HTMLButtonElement>('button', { name });
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const chooseColumns = async () => {
  press('Choose columns');
  await screen.findByRole('group', { name: 'Choose columns' });
};
/** Selects projects, or the selected ones no more; what can be done with several comes late. */
const select = async (...names: readonly string[]) => {
  for (const name of names)
    fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  if (document.querySelector('.bulk-bar.has-selection') !== null)
    await screen.findByRole('button', { name: 'Rebuild or republish' });
};

const goOffline = (app: AppOverStore) => app.goOffline();
const onServer = (app: AppOverStore, name: string) => {
  const id = shelf.project?.find((project) => project.name === name)?.id ?? '';
  return app.server.get('project', id)?.attributes ?? {};
};
const forbidden = { id: 'e1', status: '403', code: 'forbidden' as const, title: 'Forbidden' };
/** The server refuses to change the projects of those names. */
const refuse = ({ server, data }: AppOverStore, ...names: readonly string[]) => {
  server.refuse = ({ data: wanted }) => {
    const { id } = wanted as ResourceObject;
    return names.includes(data.find.one('project', id)?.name ?? '') ? [forbidden] : null;
  };
};

/** The builder as an admin of Lakeside too. */
const withAdmin: Shelf = {
  ...shelf,
  userRole: [
    ...(shelf.userRole ?? []),
    record('userRole', {
      id: idOf(1000),
      user: builder,
      organization: lakeside,
      roleName: 'OrganizationAdmin',
    }),
  ],
};
/** Harvest became active before Juniper; Lantern is of another organization. */
const withMore: Shelf = {
  ...withAdmin,
  project: (shelf.project ?? []).map((project) => {
    switch (project.name) {
      case 'Harvest':
        return { ...project, dateActive: '2026-02-21T09:00:00.000Z' };
      case 'Juniper':
        return { ...project, dateActive: '2026-02-25T09:00:00.000Z' };
      case 'Lantern':
        return { ...project, organization: shelf.organization?.[1]?.id ?? '' };
      default:
        return project;
    }
  }),
};

describe('[2.5] the project lists', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('list the projects I own that are not archived, by name [R66, R77, R234]', async () => {
    await visit('/projects/own');
    expect(shownNames()).to.deep.equal(['Élan', 'Harvest', 'Iron Bridge', 'Juniper', 'Lantern']);
  });

  it('list the projects of others in the organization too [R67, R234]', async () => {
    await visit('/projects/organization');
    expect(shownNames()).to.include('Orchard');
    expect(shownNames()).not.to.include('Meadow');
  });

  it('keep to the organization in view [R67, R249]', async () => {
    await visit('/projects/organization', { held: withMore });
    expect(shownNames()).to.include('Lantern');
    cleanup();
    chooseOrganization(lakeside);
    await visit('/projects/organization', { held: withMore });
    expect(shownNames()).to.include('Orchard').and.not.to.include('Lantern');
  });

  it('keep what is here while the server is broken, say so, and try again at a press [R374]', async () => {
    const { app } = await visit('/projects/own');
    const line = () => document.querySelector('.page-as-of')?.textContent ?? '';
    expect(line()).to.equal('');
    await breakServer(app);
    expect(line()).to.match(/^ ?Server error 502\. From this device, as of .*Try again$/);
    expect(shownNames()).to.include('Harvest');
    app.server.answer = () => null;
    press('Try again');
    await waitFor(() => {
      expect(line()).to.equal('');
    });
  });

  it('say the status and the title of a server that is broken, where nothing is here [R374]', async () => {
    const open = { isLoading: true };
    const { app } = await visit('/projects/own', { held: { ...shelf, project: [] }, open });
    await breakServer(app);
    await screen.findByText(/The server answered with status 502: \W?Bad gateway/);
    app.server.answer = () => null;
    app.server.letThrough();
    press('Try again');
    expect(await screen.findByText('No projects found')).not.to.equal(null);
  });

  it('say how many there are once they are here', async () => {
    const open = { isLoading: true };
    const { app } = await visit('/projects/own', { held: { ...shelf, project: [] }, open });
    const title = () => screen.getByRole('heading', { level: 1 }).textContent.trim();
    expect(title()).to.equal('My projects');
    expect(document.querySelector('.skeleton')).not.to.equal(null);
    app.server.letThrough();
    await waitFor(() => {
      expect(title()).to.equal('My projects 0');
    });
    expect(document.querySelector('.skeleton')).to.equal(null);
  });

  it('list what is archived [R68, R234]', async () => {
    await visit('/projects/archived');
    expect(shownNames()).to.deep.equal(['Meadow']);
  });

  it('list all that one sees, archived or not [R69]', async () => {
    await visit('/projects/all');
    expect(shownNames()).to.have.length(8);
    expect(shownNames()).to.include('Meadow');
  });

  it('of the organization, of all and of what is archived are in the order of their names [R77]', async () => {
    // The later a name comes, the earlier it was made, and the later it was changed.
    const names = ['Élan', 'Harvest', 'Iron Bridge', 'Juniper', 'Lantern', 'Meadow', 'Orchard'];
    const project = names.map((name, index) => ({
      ...harvest,
      ...{ id: idOf(2000 - index), name, dateArchived: null as string | null },
      dateCreated: `2026-01-1${9 - index}T09:00:00.000Z`,
      dateUpdated: `2026-02-1${index}T09:00:00.000Z`,
    }));
    await visit('/projects/organization', { held: { ...shelf, project } });
    expect(shownNames()).to.deep.equal(names);
    cleanup();
    await visit('/projects/all', { held: { ...shelf, project } });
    expect(shownNames()).to.deep.equal(names);
    cleanup();
    const dateArchived = '2026-02-28T09:00:00.000Z';
    const archived = project.map((each) => ({ ...each, dateArchived }));
    await visit('/projects/archived', { held: { ...shelf, project: archived } });
    expect(shownNames()).to.deep.equal(names);
  });

  it('list what is active, the latest first [R70, R77, R234]', async () => {
    await visit('/projects/active', { held: withMore });
    expect(shownNames()).to.deep.equal(['Juniper', 'Harvest']);
    const head = screen.getByRole('columnheader', { name: 'Active for' });
    expect(head.getAttribute('aria-sort')).to.equal('descending');
  });

  it('begin with their own columns [R76, R420]', async () => {
    await visit('/projects/own');
    expect(shownColumns()).to.deep.equal(['Project', 'Owner', 'Group', 'Language']);
    expect(shownProductColumns()).to.deep.equal(['Build version', 'Product updated']);
  });

  it('begin with build and activity among the columns where it is about active ones [R76, R420]', async () => {
    await visit('/projects/active', { held: withMore });
    expect(shownColumns()).to.deep.equal(['Project', 'Owner', 'Group', 'Language', 'Active for']);
    expect(shownProductColumns()).to.deep.equal(['Build version', 'Build date']);
  });

  it('lead to each other by their title, which carries the total [R72]', async () => {
    await visit('/projects/own');
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('My projects 5');
    press('My projects: choose another list');
    const offered = screen.getAllByRole('menuitemradio');
    expect(offered.map((entry) => entry.textContent)).to.deep.equal([
      'All projects',
      'My projects',
      'Organization projects',
      'Archived projects',
    ]);
    fireEvent.click(screen.getByRole('menuitemradio', { name: 'Archived projects' }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Archived projects 1');
  });

  it('offer active projects to admins [R72, R301]', async () => {
    await visit('/projects/own', { held: withAdmin });
    press('My projects: choose another list');
    expect(screen.queryByRole('menuitemradio', { name: 'Active projects' })).not.to.equal(null);
  });

  it('lead app builders to a new project, and only admins to an import [R75, R301, R306]', async () => {
    chooseOrganization(lakeside);
    await visit('/projects/own');
    expect(screen.getByRole('link', { name: 'Add project' }).getAttribute('href')).to.equal(
      '/projects/new',
    );
    expect(screen.queryByText('Import projects')).to.equal(null);
    cleanup();
    await visit('/projects/own', { held: withAdmin });
    expect(screen.getByRole('link', { name: 'Import projects' }).getAttribute('href')).to.equal(
      '/projects/import',
    );
    cleanup();
    await visit('/projects/own', { viewer: fellow });
    expect(screen.queryByText('Add project')).to.equal(null);
    cleanup();
    // Of the two roles the admin’s alone leads to the import alone.
    const userRole = (withAdmin.userRole ?? []).filter(
      ({ roleName }) => roleName === 'OrganizationAdmin',
    );
    await visit('/projects/own', { held: { ...shelf, userRole } });
    expect(screen.queryByText('Import projects')).not.to.equal(null);
    expect(screen.queryByText('Add project')).to.equal(null);
  });

  it('say at both buttons that an organization is missing [R75]', async () => {
    await visit('/projects/own', { held: withAdmin });
    for (const name of ['Add project', 'Import projects']) {
      expect(button(name)?.disabled).to.equal(true);
      expect(button(name)?.title).to.equal('An organization must be selected to view this page');
    }
  });

  it('describe what is searched [R73]', async () => {
    await visit('/projects/own');
    const sign = screen.getByRole('img', { name: 'What is searched' });
    const hint = sign.closest('[tabindex="0"]');
    const help = document.getElementById(hint?.getAttribute('aria-describedby') ?? '');
    expect(help?.textContent).to.equal(
      'Finds projects that contain every word you type, even as part of a longer word, in their name, language, owner, organization, group or products.',
    );
  });

  it('take the search from the address, mark the hit, and clear it [R73]', async () => {
    const { paint } = await visit('/projects/own?search=harv');
    expect(shownNames()).to.deep.equal(['Harvest']);
    expect(document.querySelector('mark')?.textContent).to.equal('Harv');
    press('Clear search');
    paint();
    expect(shownNames()).to.have.length(5);
  });

  it('find by words of several texts, and mark each of them [R73]', async () => {
    await visit('/projects/own?search=berta%20vest');
    expect(shownNames()).to.deep.equal(['Harvest']);
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).to.deep.equal([
      'vest',
      'Berta',
    ]);
  });

  it('search while one types, and announce how many were found [R73]', async () => {
    const { pass } = await visit('/projects/own?pageSize=2&pageOffset=2');
    const field = screen.getByRole('searchbox', { name: 'Search projects' });
    field.focus();
    fireEvent.change(field, { target: { value: 'lan' } });
    expect(shownNames()).to.deep.equal(['Iron Bridge', 'Juniper']);
    act(() => {
      pass(249);
    });
    expect(shownNames()).to.deep.equal(['Iron Bridge', 'Juniper']);
    act(() => {
      pass(1);
    });
    expect(shownNames()).to.deep.equal(['Élan', 'Lantern']);
    expect(screen.queryByText('2 projects found')?.getAttribute('role')).to.equal('status');
    expect(document.activeElement).to.equal(field);
  });

  it('search what is typed next while the address still follows', async () => {
    const { pass } = await visit('/projects/own');
    const type = (value: string) => {
      fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
    };
    const wait = (ms: number) => {
      act(() => {
        pass(ms);
      });
    };
    type('lan');
    wait(250);
    expect(shownNames()).to.deep.equal(['Élan', 'Lantern']);
    type('lant');
    wait(100);
    wait(150);
    expect(shownNames()).to.deep.equal(['Lantern']);
    wait(100);
    expect(shownNames()).to.deep.equal(['Lantern']);
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).to.equal('lant');
  });

  it('say what was searched in vain, and clear it [R73, R408]', async () => {
    const { paint } = await visit('/projects/own?search=zebra');
    await screen.findByText('No projects found');
    expect(
      screen.queryByText(/^Nothing matches “zebra”\. Finds projects that contain/),
    ).not.to.equal(null);
    const [, below] = screen.getAllByRole('button', { name: 'Clear search' });
    if (below === undefined) throw new Error('The box has no button');
    fireEvent.click(below);
    paint();
    expect(shownNames()).to.have.length(5);
  });

  it('begin with a sentence, and among one’s own with the way to the first [R66, R408]', async () => {
    chooseOrganization(lakeside);
    const none: Shelf = { ...shelf, project: [] };
    await visit('/projects/own', { held: none });
    await screen.findByText('No projects found');
    expect(screen.queryByText(/^Projects that you own appear here\. To begin/)).not.to.equal(null);
    expect(screen.getAllByRole('link', { name: 'Add project' })).to.have.length(2);
    cleanup();
    await visit('/projects/archived', { held: none });
    await screen.findByText(/^Archived projects appear here\./);
    expect(screen.getAllByRole('link', { name: 'Add project' })).to.have.length(1);
  });

  it('of active projects speak of running workflows where there is none, in every language [screens 6]', async () => {
    const none: Shelf = { ...shelf, project: [] };
    const sentences = {
      'es-419': 'Aquí aparecen los proyectos con un flujo de trabajo en curso.',
      'fr-FR': 'Les projets dont un workflow est en cours apparaissent ici.',
      'en-US': 'Projects in which a workflow is running appear here.',
    } as const;
    for (const [language, sentence] of Object.entries(sentences)) {
      if (isLanguage(language)) await speak(language);
      await visit('/projects/active', { held: none });
      await screen.findByText((text) => text.startsWith(sentence));
      cleanup();
    }
  });

  it('sort by the column whose head is clicked, ascending first [R78]', async () => {
    await visit('/projects/own');
    press('Language');
    const head = screen.getByRole('columnheader', { name: 'Language' });
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
    press('Language');
    expect(head.getAttribute('aria-sort')).to.equal('descending');
    expect(
      screen.getByRole('columnheader', { name: 'Project' }).getAttribute('aria-sort'),
    ).to.equal('none');
  });

  it('sort by every column that is about projects [R78, R421]', async () => {
    await visit('/projects/own');
    await chooseColumns();
    for (const name of ['Organization', 'Created', 'Updated', 'Active for'])
      fireEvent.click(screen.getByRole('checkbox', { name }));
    expect(
      [
        ...document.querySelectorAll('.project-table > thead th:not(.parts-header) .sort-button'),
      ].map((head) => head.textContent),
    ).to.deep.equal([
      'Project',
      'Owner',
      'Organization',
      'Language',
      'Group',
      'Created',
      'Updated',
      'Active for',
    ]);
  });

  it('are in the order of the column whose head was clicked, whichever it is [R78]', async () => {
    /** Four projects, by their first letters, in the order of each column: no two are the same. */
    const orders = {
      ...{ Project: 'abcd', Owner: 'bacd', Organization: 'cabd', Language: 'dabc' },
      ...{ Group: 'acbd', Created: 'adbc', Updated: 'bcad', 'Active for': 'cdab' },
    } as const;
    const place = (column: keyof typeof orders, letter: string) => orders[column].indexOf(letter);
    const day = (column: keyof typeof orders, letter: string) =>
      `2026-02-1${place(column, letter)}T09:00:00.000Z`;
    const [people, presses, groups] = [2100, 2200, 2300].map((first) =>
      [0, 1, 2, 3].map((number) => idOf(first + number)),
    );
    const nameOf = (id: string) => `Name ${id.at(-1) ?? ''}`;
    const held: Shelf = {
      ...shelf,
      user: [
        ...(shelf.user ?? []),
        ...(people ?? []).map((id) => record('user', { id, name: nameOf(id) })),
      ],
      organization: (presses ?? []).map((id) =>
        record('organization', { id, name: nameOf(id), owner: builder }),
      ),
      organizationMembership: (presses ?? []).map((organization, number) =>
        record('organizationMembership', {
          ...{ id: idOf(2400 + number), user: builder, organization },
          dateAccepted: '2026-01-05T09:00:00.000Z',
        }),
      ),
      group: (groups ?? []).map((id) => record('group', { id, name: nameOf(id), owner: lakeside })),
      project: ['Ash', 'Birch', 'Cedar', 'Dogwood'].map((name, number) => {
        const letter = name.charAt(0).toLowerCase();
        return record('project', {
          ...{ id: idOf(2500 + number), name, type: harvest.type },
          owner: people?.[place('Owner', letter)] ?? '',
          organization: presses?.[place('Organization', letter)] ?? '',
          group: groups?.[place('Group', letter)] ?? '',
          language: ['de', 'en', 'es', 'fr'][place('Language', letter)] ?? '',
          dateCreated: day('Created', letter),
          dateUpdated: day('Updated', letter),
          dateActive: day('Active for', letter),
        });
      }),
      product: [],
      userTask: [],
    };
    await visit('/projects/organization', { held });
    await chooseColumns();
    for (const name of ['Organization', 'Created', 'Updated', 'Active for'])
      fireEvent.click(screen.getByRole('checkbox', { name }));
    const letters = () => shownNames().map((name) => name.charAt(0).toLowerCase());
    expect(letters().join('')).to.equal(orders.Project);
    for (const [column, order] of Object.entries(orders).slice(1)) {
      const head = within(screen.getByRole('columnheader', { name: column })).getByRole('button');
      fireEvent.click(head);
      expect(letters().join(''), column).to.equal(order);
      fireEvent.click(head);
      expect(letters().reverse().join(''), `${column}, downwards`).to.equal(order);
    }
  });

  it('show the columns that are chosen, each list its own, until the defaults are wanted [R78, R79, R222]', async () => {
    const { page } = await visit('/projects/own');
    await chooseColumns();
    expect(
      screen.getAllByRole('checkbox').flatMap((box) => box.closest('label')?.textContent ?? []),
    ).to.deep.equal([
      'Owner',
      'Organization',
      'Language',
      'Group',
      'Created',
      'Updated',
      'Active for',
      'Build version',
      'Build date',
      'Product updated',
    ]);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Organization' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Group' }));
    const chosen = ['Project', 'Owner', 'Organization', 'Language'];
    expect(shownColumns()).to.deep.equal(chosen);

    cleanup();
    render(page);
    expect(shownColumns()).to.deep.equal(chosen);
    press('My projects: choose another list');
    fireEvent.click(screen.getByRole('menuitemradio', { name: 'All projects' }));
    expect(shownColumns()).to.include('Group');

    cleanup();
    render(page);
    await chooseColumns();
    press('Defaults');
    expect(shownColumns()).to.deep.equal(['Project', 'Owner', 'Group', 'Language']);
  });

  it('show twenty on a page [R78, R417]', async () => {
    const project = Array.from({ length: 21 }, (_, index) => ({
      ...harvest,
      id: idOf(2000 + index),
    }));
    await visit('/projects/own', { held: { ...shelf, project } });
    expect(shownNames()).to.have.length(20);
    await screen.findByText('1–20 of 21');
    press('Next page');
    expect(shownNames()).to.have.length(1);
  });

  it('page by the address, and go to the last page from beyond the end [R78, R417]', async () => {
    await visit('/projects/own?pageSize=2&pageOffset=9');
    await screen.findByText('5–5 of 5');
  });

  it('go on by each click, however fast', async () => {
    const { pass } = await visit('/projects/own?pageSize=2');
    press('Next page');
    press('Next page');
    expect(shownNames()).to.deep.equal(['Lantern']);
    act(() => {
      pass(0);
    });
    expect(shownNames()).to.deep.equal(['Lantern']);
  });

  it('show the first projects of another page at once, the others once these are on the screen', async () => {
    const project = Array.from({ length: 12 }, (_, index) => ({
      ...harvest,
      id: idOf(2000 + index),
      name: `Field ${String(index + 1).padStart(2, '0')}`,
    }));
    const fields = (...numbers: readonly string[]) => numbers.map((number) => `Field ${number}`);
    const { paint } = await visit('/projects/own?pageSize=6', { held: { ...shelf, project } });
    expect(shownNames()).to.deep.equal(fields('01', '02', '03', '04', '05', '06'));
    press('Next page');
    // What stands below gives way in its turn: no row is empty meanwhile.
    expect(shownNames()).to.deep.equal(fields('07', '08', '09', '04', '05', '06'));
    paint();
    expect(shownNames()).to.deep.equal(fields('07', '08', '09', '10', '11', '12'));
  });

  it('change the rows that stand there for another page, and have a row of its own for what comes', async () => {
    const { app } = await visit('/projects/own?pageSize=2');
    const bodyOf = (name: string) => screen.getByRole('link', { name }).closest('tbody');
    expect(shownNames()).to.deep.equal(['Élan', 'Harvest']);
    const [first, second] = [bodyOf('Élan'), bodyOf('Harvest')];
    press('Next page');
    expect(bodyOf('Iron Bridge')).to.equal(first);
    expect(bodyOf('Juniper')).to.equal(second);
    await app.putRecord('project', { ...harvest, id: idOf(2000), name: 'Field' });
    await waitFor(() => {
      expect(shownNames()).to.deep.equal(['Harvest', 'Iron Bridge']);
    });
    expect(bodyOf('Iron Bridge')).to.equal(first);
    expect(bodyOf('Harvest')).not.to.equal(second);
  });

  it('have no pages where one is enough [R78]', async () => {
    await visit('/projects/own');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).to.equal(null);
  });

  it('begin with the first page again when the order changes [R78]', async () => {
    await visit('/projects/own?pageSize=2&pageOffset=2');
    press('Project');
    expect(shownNames()).to.deep.equal(['Lantern', 'Juniper']);
  });

  it('show the names of others as they are now', async () => {
    const { app } = await visit('/projects/own');
    const [group, product] = [shelf.group?.[0]?.id ?? '', shelf.productDefinition?.[0]?.id ?? ''];
    await app.setRecord('user', builder, { name: 'Berta Brewer' });
    await app.setRecord('group', group, { name: 'Lakeside Northeast' });
    await app.setRecord('productDefinition', product, { name: 'Android for the Store' });
    const of = document.querySelector(`tbody:has([data-record="projects:${harvest.id}"])`);
    expect(of?.textContent).to.include('Berta Brewer');
    expect(of?.textContent).to.include('Lakeside Northeast');
    expect(of?.textContent).to.include('Android for the Store');
  });

  it('show a badge on a project whose change waits [R342]', async () => {
    await visit('/projects/own', {
      prepare: async (app) => {
        await app.goOffline();
        await editProject(app.data, harvest, { description: 'Other words' });
        await app.settle();
      },
    });
    const row = document.querySelector(`[data-record="projects:${harvest.id}"]`);
    expect(row?.getAttribute('data-change')).to.equal('waiting');
    await screen.findByTitle('Saved on this device; not yet sent');
  });

  it('say offline of when they are, and count what is on the device [R78]', async () => {
    await visit('/projects/own', { prepare: goOffline });
    expect(screen.queryByText('5 on this device')).not.to.equal(null);
    expect(screen.queryByText(/^From this device, as of /)).not.to.equal(null);
  });
});

describe('[2.6] what is done to many projects', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const offered = () =>
    ['Archive', 'Reactivate', 'Rebuild or republish'].filter((name) => button(name) !== null);

  it('is archived from one’s own and the organization’s, reactivated from the archived, rebuilt from all [R74, R274]', async () => {
    const found: string[][] = [];
    for (const { name } of Object.values(lists)) {
      cleanup();
      await visit(`/projects/${name}`, { held: withMore });
      await select(name === 'archived' ? 'Meadow' : 'Harvest');
      found.push([name, ...offered()]);
    }
    const build = 'Rebuild or republish';
    expect(found).to.have.deep.members([
      ['all', build],
      ['own', 'Archive', build],
      ['organization', 'Archive', build],
      ['active', build],
      ['archived', 'Reactivate', build],
    ]);
  });

  it('is offered while something is selected [R74]', async () => {
    await visit('/projects/own');
    expect(offered()).to.deep.equal([]);
    await select('Harvest');
    expect(offered()).to.deep.equal(['Archive', 'Rebuild or republish']);
    press('Clear');
    expect(offered()).to.deep.equal([]);
  });

  it('is told to who listens, as often as the selection changes', async () => {
    await visit('/projects/own');
    const said = () =>
      screen.queryAllByRole('status').some(({ textContent }) => /\d selected/.test(textContent));
    expect(said()).to.equal(false);
    await select('Harvest');
    expect(said()).to.equal(true);
    await select('Harvest');
    expect(said()).to.equal(false);
  });

  it('archives the selected projects, each by a change of its own [R9, R233]', async () => {
    const { app } = await visit('/projects/own');
    await select('Harvest', 'Juniper');
    expect(screen.queryByText('2 selected')).not.to.equal(null);
    press('Archive');
    await app.settle();
    for (const name of ['Harvest', 'Juniper'])
      expect(onServer(app, name)).to.include({ 'date-archived': '2026-03-02T12:00:00.000Z' });
    expect(
      app.data.changes.view().rows.map(({ about, typed }) => [about.id, typed]),
    ).to.have.length(2);
    expect(app.recordedActions.map(({ id }) => id)).to.include(harvest.id);
    expect(app.recordedActions[0]?.fields).to.deep.equal({
      dateArchived: '2026-03-02T12:00:00.000Z',
    });
  });

  it('asks before links that others have of a selected project stop working', async () => {
    const datePublished = '2026-03-01T12:00:00.000Z';
    const { app } = await visit('/projects/own', {
      held: {
        ...shelf,
        project: (shelf.project ?? []).map((one) => ({ ...one, allowDownloads: true })),
        product: (shelf.product ?? []).map((product) => ({ ...product, datePublished })),
      },
    });
    await select('Harvest', 'Juniper');
    press('Archive');
    const question = within(
      await screen.findByRole('dialog', { name: 'Archive what is published?' }),
    );
    expect(question.queryByText(/for 1 product:/)).not.to.equal(null);
    expect(app.recordedActions).to.deep.equal([]);
    fireEvent.click(question.getByRole('button', { name: 'Archive' }));
    await app.settle();
    expect(app.recordedActions.map(({ id }) => id)).to.include(harvest.id);
  });

  it('reactivates by taking the moment away [R9, R233]', async () => {
    const { app } = await visit('/projects/archived');
    await select('Meadow');
    press('Reactivate');
    await app.settle();
    expect(app.recordedActions.map(({ fields }) => fields)).to.deep.equal([{ dateArchived: null }]);
    expect(onServer(app, 'Meadow')).to.include({ 'date-archived': null });
  });

  it('does not archive while a selected project is not mine to archive [R83, R274]', async () => {
    await visit('/projects/organization');
    await select('Harvest', 'Orchard');
    expect(button('Archive')).to.equal(null);
    expect(screen.queryByText('You can’t archive 1 of the selected projects')).not.to.equal(null);
    await select('Orchard');
    expect(button('Archive')).not.to.equal(null);
  });

  it('archives the projects of others for an admin [R83, R274, R303]', async () => {
    await visit('/projects/organization', { held: withAdmin });
    await select('Harvest', 'Orchard');
    expect(button('Archive')?.disabled).to.equal(false);
  });

  it('is told of once the server has agreed to all, with a way back [R235, R403]', async () => {
    const { app } = await visit('/projects/own');
    app.server.holds = () => true;
    await select('Harvest', 'Juniper');
    press('Archive');
    await app.settle();
    expect(app.recordedActions).to.have.length(2);
    expect(screen.queryByText('Selected projects archived')).to.equal(null);
    app.server.letThrough();
    await screen.findByText('Selected projects archived');
    expect(screen.queryByText(/ selected$/)).to.equal(null);
    press('Undo');
    await app.settle();
    for (const name of ['Harvest', 'Juniper'])
      expect(onServer(app, name)).to.include({ 'date-archived': null });
  });

  it('leaves selected what was refused, and says how many [R235, R406]', async () => {
    const { app } = await visit('/projects/own');
    refuse(app, 'Juniper');
    await select('Harvest', 'Juniper');
    press('Archive');
    await screen.findByText('1 of 2 were not archived');
    expect(screen.queryByText('1 selected')).not.to.equal(null);
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Juniper' });
    expect(box.checked).to.equal(true);
  });

  it('says of refusals whether they were of archiving or reactivating [R403, R406]', async () => {
    const { app } = await visit('/projects/archived');
    refuse(app, 'Meadow');
    await select('Meadow');
    press('Reactivate');
    const told = await screen.findByText('1 of 1 were not reactivated');
    expect(told.closest('.toast')?.className).to.contain('toast-error');
  });

  for (const [at, name, operation, title] of [
    ['/projects/own', 'Harvest', 'Archive', 'The project was not archived'],
    ['/projects/archived', 'Meadow', 'Reactivate', 'The project was not reactivated'],
  ] as const)
    it(`says that ${operation} could not be kept on a device without space [R403, R406]`, async () => {
      const { app } = await visit(at);
      await select(name);
      app.storage.fail({ at: 'put', name: 'QuotaExceededError', times: 1 });
      press(operation);
      const told = await screen.findByText(title);
      expect(told.closest('.toast')?.className).to.contain('toast-error');
      expect(screen.queryByText(/no space left on this device/)).not.to.equal(null);
    });

  it('is said offline to be kept on this device [R403]', async () => {
    await visit('/projects/own', { prepare: goOffline });
    await select('Harvest');
    press('Archive');
    await screen.findByText(/^Saved on this device/);
  });
});

/** Harvest is the fellow's. */
const ofTheFellow: Shelf = {
  ...shelf,
  project: (shelf.project ?? []).map((project) =>
    project.id === harvest.id ? { ...project, owner: fellow } : project,
  ),
};

describe('[2.8] a project page', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('says that the project is being set up while it has no repository [R115, R238]', async () => {
    await visit(`/projects/${harvest.id}`);
    expect(screen.queryByText(/still being set up/)).not.to.equal(null);
  });

  it('[1.3] says why a change of it was refused, and opens that', async () => {
    await visit(`/projects/${harvest.id}`, {
      prepare: async (app) => {
        refuse(app, 'Harvest');
        await archive(app.data, [harvest]);
        await app.settle();
      },
    });
    expect(screen.queryByText('You are not allowed to do that')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'refused' })).not.to.equal(null);
  });

  it('[1.6] asks before it is made private when something of it is published [R116]', async () => {
    const { app } = await visit(`/projects/${harvest.id}`, {
      held: {
        ...shelf,
        product: (shelf.product ?? []).map((product) => ({
          ...product,
          datePublished: '2026-02-01T09:00:00.000Z',
        })),
      },
    });
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    expect(app.recordedActions).to.deep.equal([]);
    fireEvent.click(screen.getByRole('button', { name: 'Make private' }));
    expect(app.recordedActions[0]?.fields).to.deep.equal({ isPublic: false });
  });

  it('[1.6] is claimed at once, and given back on Undo [R239]', async () => {
    const { app } = await visit(`/projects/${harvest.id}`, { held: ofTheFellow });
    fireEvent.click(screen.getByRole('button', { name: 'More for Harvest' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'Claim ownership' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => {
      expect(app.recordedActions.map(({ fields }) => fields)).to.deep.equal([
        { owner: builder },
        { owner: fellow },
      ]);
    });
  });

  it('[1.6] says what kept it from being claimed [R370]', async () => {
    const { app } = await visit(`/projects/${harvest.id}`, { held: ofTheFellow });
    const claim = () => {
      fireEvent.click(screen.getByRole('button', { name: 'More for Harvest' }));
      fireEvent.click(screen.getByRole('menuitem', { name: 'Claim ownership' }));
    };
    app.storage.fail({ at: 'put', name: 'QuotaExceededError', times: 1 });
    claim();
    await screen.findByText(/no space left on this device/);
    expect(screen.queryByText('You are now the owner of the project')).to.equal(null);
    expect(app.data.find.one('project', harvest.id)?.owner).to.equal(fellow);
    refuse(app, 'Harvest');
    claim();
    await screen.findByText('You are not allowed to do that');
    expect(app.data.find.one('project', harvest.id)?.owner).to.equal(fellow);
  });

  it('turns a setting at once [R116]', async () => {
    const { app } = await visit(`/projects/${harvest.id}`);
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    expect(app.recordedActions[0]?.fields).to.deep.equal({ isPublic: false });
  });
});
