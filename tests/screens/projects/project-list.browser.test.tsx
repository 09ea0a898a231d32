import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { RouteObject } from 'react-router-dom';
import { ProblemError } from '#protocol/problem.ts';
import { lists } from '#screens/projects/lists.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, fellow, harvest, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/shelf.ts';
import type { Still } from '../../support/still-data.tsx';

const routes: RouteObject[] = [
  ...Object.values(lists).map(({ name }) => ({
    path: `/projects/${name}`,
    element: <ProjectList name={name} />,
  })),
  { path: '/projects/import', element: <>The import</> },
  { path: '/projects/new', element: <>The new project</> },
  { path: '/projects/:projectId', element: <ProjectPage /> },
];

function visit(at: string, still: Still = stillData(builder, shelf)) {
  const around = testSurroundings();
  const page = <Around store={still} surroundings={around.surroundings} routes={routes} at={at} />;
  render(page);
  return { still, page, ...around };
}
const shownNames = () =>
  [...document.querySelectorAll('.project-name > a')].map((link) => link.textContent);
const shownColumns = () =>
  [...document.querySelectorAll('.project-table > thead th:not(.tight, .end)')].map(
    (head) => head.textContent,
  );
const shownProductColumns = () => {
  const [first = document.body] = screen.getAllByRole('table', { name: 'Products' });
  return within(first)
    .getAllByRole('columnheader')
    .map((head) => head.textContent);
};
const button = (name: string | RegExp) => screen.queryByRole<HTMLButtonElement>('button', { name });
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const chooseColumns = async () => {
  press('Choose columns');
  await screen.findByRole('group', { name: 'Choose columns' });
};
const select = (...names: readonly string[]) => {
  for (const name of names)
    fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
};

/** The builder as an admin of Lakeside too. */
const withAdmin: Shelf = {
  ...shelf,
  userRole: [
    ...(shelf.userRole ?? []),
    record('userRole', {
      id: 'admin-role',
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
  afterEach(() => {
    cleanup();
    chooseOrganization(null);
  });

  it('list the projects I own that are not archived, by name [R66, R77, R234]', () => {
    visit('/projects/own');
    expect(shownNames()).to.deep.equal(['Élan', 'Harvest', 'Iron Bridge', 'Juniper', 'Lantern']);
  });

  it('list the projects of others in the organization too [R67, R234]', () => {
    visit('/projects/organization');
    expect(shownNames()).to.include('Orchard');
    expect(shownNames()).not.to.include('Meadow');
  });

  it('keep to the organization in view [R67, R249]', () => {
    const still = () => stillData(builder, withMore);
    visit('/projects/organization', still());
    expect(shownNames()).to.include('Lantern');
    cleanup();
    chooseOrganization(lakeside);
    visit('/projects/organization', still());
    expect(shownNames()).to.include('Orchard').and.not.to.include('Lantern');
  });

  it('list what is archived [R68, R234]', () => {
    visit('/projects/archived');
    expect(shownNames()).to.deep.equal(['Meadow']);
  });

  it('list all that one sees, archived or not [R69]', () => {
    visit('/projects/all');
    expect(shownNames()).to.have.length(8);
    expect(shownNames()).to.include('Meadow');
  });

  it('list what is active, the latest first [R70, R77, R234]', () => {
    visit('/projects/active', stillData(builder, withMore));
    expect(shownNames()).to.deep.equal(['Juniper', 'Harvest']);
    const head = screen.getByRole('columnheader', { name: 'Active since' });
    expect(head.getAttribute('aria-sort')).to.equal('descending');
  });

  it('begin with their own columns [R76, R420]', () => {
    visit('/projects/own');
    expect(shownColumns()).to.deep.equal(['Project', 'Owner', 'Group', 'Language']);
    expect(shownProductColumns()).to.deep.equal(['Products', 'Build version', 'Product updated']);
  });

  it('begin with build and activity among the columns where it is about active ones [R76, R420]', () => {
    visit('/projects/active', stillData(builder, withMore));
    expect(shownColumns()).to.deep.equal(['Project', 'Owner', 'Group', 'Language', 'Active since']);
    expect(shownProductColumns()).to.deep.equal(['Products', 'Build version', 'Build date']);
  });

  it('lead to each other by their title, which carries the total [R72]', () => {
    visit('/projects/own');
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

  it('offer active projects to admins [R72, R301]', () => {
    visit('/projects/own', stillData(builder, withAdmin));
    press('My projects: choose another list');
    expect(screen.queryByRole('menuitemradio', { name: 'Active projects' })).not.to.equal(null);
  });

  it('lead app builders to a new project, and only admins to an import [R75, R301, R306]', () => {
    chooseOrganization(lakeside);
    visit('/projects/own');
    expect(screen.getByRole('link', { name: 'Add project' }).getAttribute('href')).to.equal(
      '/projects/new',
    );
    expect(screen.queryByText('Import projects')).to.equal(null);
    cleanup();
    visit('/projects/own', stillData(builder, withAdmin));
    expect(screen.getByRole('link', { name: 'Import projects' }).getAttribute('href')).to.equal(
      '/projects/import',
    );
    cleanup();
    visit('/projects/own', stillData(fellow, shelf));
    expect(screen.queryByText('Add project')).to.equal(null);
  });

  it('say at both buttons that an organization is missing [R75]', () => {
    visit('/projects/own', stillData(builder, withAdmin));
    for (const name of ['Add project', 'Import projects']) {
      expect(button(name)?.disabled).to.equal(true);
      expect(button(name)?.title).to.equal('An organization must be selected to view this page');
    }
  });

  it('describe what is searched [R73]', () => {
    visit('/projects/own');
    const sign = screen.getByRole('img', { name: 'What is searched' });
    const hint = sign.closest('[tabindex="0"]');
    const help = document.getElementById(hint?.getAttribute('aria-describedby') ?? '');
    expect(help?.textContent).to.equal(
      "Searches project name, language, owner's name, organization's name and group's name.",
    );
  });

  it('take the search from the address, mark the hit, and clear it [R73]', () => {
    visit('/projects/own?search=harv');
    expect(shownNames()).to.deep.equal(['Harvest']);
    expect(document.querySelector('mark')?.textContent).to.equal('Harv');
    press('Clear search');
    expect(shownNames()).to.have.length(5);
  });

  it('search while one types, and announce how many were found [R73]', () => {
    const { pass } = visit('/projects/own?pageSize=2&pageOffset=2');
    const field = screen.getByRole('searchbox', { name: 'Search projects' });
    field.focus();
    fireEvent.change(field, { target: { value: 'an' } });
    expect(shownNames()).to.deep.equal(['Iron Bridge', 'Juniper']);
    act(() => {
      pass(250);
    });
    expect(shownNames()).to.deep.equal(['Élan', 'Lantern']);
    expect(screen.queryByText('2 projects found')?.getAttribute('role')).to.equal('status');
    expect(document.activeElement).to.equal(field);
  });

  it('search what is typed next while the address still follows', () => {
    const { pass } = visit('/projects/own');
    const type = (value: string) => {
      fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
    };
    const wait = (ms: number) => {
      act(() => {
        pass(ms);
      });
    };
    type('an');
    wait(250);
    expect(shownNames()).to.deep.equal(['Élan', 'Lantern']);
    type('ant');
    wait(100);
    wait(150);
    expect(shownNames()).to.deep.equal(['Lantern']);
    wait(100);
    expect(shownNames()).to.deep.equal(['Lantern']);
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).to.equal('ant');
  });

  it('say what was searched in vain, and clear it [R73, R408]', async () => {
    visit('/projects/own?search=zebra');
    await screen.findByText('No projects found');
    expect(screen.queryByText('Nothing matches “zebra”.')).not.to.equal(null);
    const [, below] = screen.getAllByRole('button', { name: 'Clear search' });
    if (below === undefined) throw new Error('The box has no button');
    fireEvent.click(below);
    expect(shownNames()).to.have.length(5);
  });

  it('begin with a sentence, and among one’s own with the way to the first [R66, R408]', async () => {
    chooseOrganization(lakeside);
    const none: Shelf = { ...shelf, project: [] };
    visit('/projects/own', stillData(builder, none));
    await screen.findByText('No projects found');
    expect(screen.queryByText('Projects that you own appear here.')).not.to.equal(null);
    expect(screen.getAllByRole('link', { name: 'Add project' })).to.have.length(2);
    cleanup();
    visit('/projects/archived', stillData(builder, none));
    await screen.findByText('Archived projects appear here.');
    expect(screen.getAllByRole('link', { name: 'Add project' })).to.have.length(1);
  });

  it('sort by the column whose head is clicked, ascending first [R78]', () => {
    visit('/projects/own');
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
    visit('/projects/own');
    await chooseColumns();
    for (const name of ['Organization', 'Created', 'Updated', 'Active since'])
      fireEvent.click(screen.getByRole('checkbox', { name }));
    expect(
      [...document.querySelectorAll('.project-table > thead .sort-button')].map(
        (head) => head.textContent,
      ),
    ).to.deep.equal([
      'Project',
      'Owner',
      'Organization',
      'Language',
      'Group',
      'Created',
      'Updated',
      'Active since',
    ]);
  });

  it('show the columns that are chosen, each list its own, until the defaults are wanted [R78, R79, R222]', async () => {
    const { page } = visit('/projects/own');
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
      'Active since',
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
      id: `p${String(index)}`,
    }));
    visit('/projects/own', stillData(builder, { ...shelf, project }));
    expect(shownNames()).to.have.length(20);
    await screen.findByText('1–20 of 21');
    press('Next page');
    expect(shownNames()).to.have.length(1);
  });

  it('page by the address, and go to the last page from beyond the end [R78, R417]', async () => {
    visit('/projects/own?pageSize=2&pageOffset=9');
    await screen.findByText('5–5 of 5');
  });

  it('go on by each click, however fast', () => {
    const { pass } = visit('/projects/own?pageSize=2');
    press('Next page');
    press('Next page');
    expect(shownNames()).to.deep.equal(['Lantern']);
    act(() => {
      pass(0);
    });
    expect(shownNames()).to.deep.equal(['Lantern']);
  });

  it('have no pages where one is enough [R78]', () => {
    visit('/projects/own');
    expect(screen.queryByRole('navigation', { name: 'Pages' })).to.equal(null);
  });

  it('begin with the first page again when the order changes [R78]', () => {
    visit('/projects/own?pageSize=2&pageOffset=2');
    press('Project');
    expect(shownNames()).to.deep.equal(['Lantern', 'Juniper']);
  });

  it('show the names of others as they are now', () => {
    const { still } = visit('/projects/own');
    const [group, product] = [shelf.group?.[0]?.id ?? '', shelf.productDefinition?.[0]?.id ?? ''];
    act(() => {
      still.setRecord('user', builder, { name: 'Berta Brewer' });
      still.setRecord('group', group, { name: 'Lakeside Northeast' });
      still.setRecord('productDefinition', product, { name: 'Android for the Store' });
    });
    const of = document.querySelector(`tbody:has([data-record="projects:${harvest.id}"])`);
    expect(of?.textContent).to.include('Berta Brewer');
    expect(of?.textContent).to.include('Lakeside Northeast');
    expect(of?.textContent).to.include('Android for the Store');
  });

  it('show a badge on a project whose change waits [R342]', () => {
    const still = stillData(builder, shelf, {
      status: 'offline',
      waiting: 1,
      rows: [changeRow('c1', 'waiting')],
    });
    visit('/projects/own', still);
    const row = document.querySelector(`[data-record="projects:${harvest.id}"]`);
    expect(row?.getAttribute('data-change')).to.equal('waiting');
  });

  it('say offline of when they are, and count what is on the device [R78]', () => {
    visit('/projects/own', stillData(builder, shelf, { status: 'offline' }));
    expect(screen.queryByText('5 on this device')).not.to.equal(null);
    expect(screen.queryByText(/^From this device, as of /)).not.to.equal(null);
  });
});

describe('[2.6] what is done to many projects', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  const offered = () =>
    ['Archive', 'Reactivate', 'Rebuild or republish'].filter((name) => button(name) !== null);

  it('is archived from one’s own and the organization’s, reactivated from the archived, rebuilt from all [R74, R274]', () => {
    const found = Object.values(lists).map(({ name }) => {
      cleanup();
      visit(`/projects/${name}`, stillData(builder, withMore));
      return [name, ...offered()];
    });
    const build = 'Rebuild or republish';
    expect(found).to.have.deep.members([
      ['all', build],
      ['own', 'Archive', build],
      ['organization', 'Archive', build],
      ['active', build],
      ['archived', 'Reactivate', build],
    ]);
  });

  it('needs something that is selected [R74]', () => {
    visit('/projects/own');
    expect(button('Archive')?.disabled).to.equal(true);
    expect(button('Rebuild or republish')?.disabled).to.equal(true);
    select('Harvest');
    expect(button('Archive')?.disabled).to.equal(false);
    expect(button('Rebuild or republish')?.disabled).to.equal(false);
  });

  it('archives the selected projects, each by a change of its own [R9, R233]', async () => {
    const { still } = visit('/projects/own');
    select('Harvest', 'Juniper');
    expect(screen.queryByText('2 selected')).not.to.equal(null);
    press('Archive');
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    expect(still.deeds.map(({ id }) => id)).to.include(harvest.id);
    expect(still.deeds[0]?.fields).to.deep.equal({ dateArchived: '2026-03-02T12:00:00.000Z' });
  });

  it('reactivates by taking the moment away [R9, R233]', async () => {
    const { still } = visit('/projects/archived');
    select('Meadow');
    press('Reactivate');
    await waitFor(() => {
      expect(still.deeds.map(({ fields }) => fields)).to.deep.equal([{ dateArchived: null }]);
    });
  });

  it('does not archive while a selected project is not mine to archive [R83, R274]', () => {
    visit('/projects/organization');
    select('Harvest', 'Orchard');
    expect(button('Archive')).to.equal(null);
    expect(screen.queryByText('1 of the selected is not yours to archive')).not.to.equal(null);
    select('Orchard');
    expect(button('Archive')).not.to.equal(null);
  });

  it('archives the projects of others for an admin [R83, R274, R303]', () => {
    visit('/projects/organization', stillData(builder, withAdmin));
    select('Harvest', 'Orchard');
    expect(button('Archive')?.disabled).to.equal(false);
  });

  /** Gives the server's verdicts on archiving those. */
  const verdicts = (states: Readonly<Record<string, 'done' | 'refused'>>) =>
    Object.entries(states).map(([name, state]) =>
      changeRow(name, state, {
        says: ['changes.project.archive', { name }],
        about: {
          type: 'project',
          id: shelf.project?.find((project) => project.name === name)?.id ?? '',
        },
        problem:
          state === 'done' ? null : { id: 'e1', status: '403', code: 'forbidden', title: '' },
      }),
    );

  it('is told of once the server has agreed to all, with a way back [R235, R403]', async () => {
    const { still } = visit('/projects/own');
    select('Harvest', 'Juniper');
    press('Archive');
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    expect(screen.queryByText('Selected projects archived')).to.equal(null);
    act(() => {
      still.setChanges({ rows: verdicts({ Harvest: 'done', Juniper: 'done' }) });
    });
    await screen.findByText('Selected projects archived');
    expect(screen.queryByText(/ selected$/)).to.equal(null);
    press('Undo');
    await waitFor(() => {
      expect(still.deeds.slice(2).map(({ fields }) => fields)).to.deep.equal([
        { dateArchived: null },
        { dateArchived: null },
      ]);
    });
  });

  it('leaves selected what was refused, and says how many [R235, R406]', async () => {
    const { still } = visit('/projects/own');
    select('Harvest', 'Juniper');
    press('Archive');
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    act(() => {
      still.setChanges({ rows: verdicts({ Harvest: 'done', Juniper: 'refused' }) });
    });
    await screen.findByText('1 of 2 were not archived');
    expect(screen.queryByText('1 selected')).not.to.equal(null);
    const box = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Select Juniper' });
    expect(box.checked).to.equal(true);
  });

  it('is said offline to be kept on this device [R403]', async () => {
    visit('/projects/own', stillData(builder, shelf, { status: 'offline' }));
    select('Harvest');
    press('Archive');
    await screen.findByText(/^Saved on this device/);
  });
});

describe('[2.8] a project page', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('says that the project is being set up while it has no repository [R115, R238]', () => {
    visit(`/projects/${harvest.id}`);
    expect(screen.queryByText(/still being set up/)).not.to.equal(null);
  });

  it('[1.3] says why a change of it was refused, and opens that', () => {
    const still = stillData(builder, shelf, {
      attention: 1,
      rows: [
        changeRow('c1', 'refused', {
          problem: { id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' },
        }),
      ],
    });
    visit(`/projects/${harvest.id}`, still);
    expect(screen.queryByText('You are not allowed to do that')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'refused' })).not.to.equal(null);
  });

  it('[1.6] asks before it is made private when something of it is published [R116]', () => {
    const still = stillData(builder, {
      ...shelf,
      product: (shelf.product ?? []).map((product) => ({
        ...product,
        datePublished: '2026-02-01T09:00:00.000Z',
      })),
    });
    visit(`/projects/${harvest.id}`, still);
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    expect(still.deeds).to.deep.equal([]);
    fireEvent.click(screen.getByRole('button', { name: 'Make private' }));
    expect(still.deeds[0]?.fields).to.deep.equal({ isPublic: false });
  });

  it('[1.6] is claimed at once, and given back on Undo [R239]', async () => {
    const still = stillData(builder, {
      ...shelf,
      project: (shelf.project ?? []).map((project) =>
        project.id === harvest.id ? { ...project, owner: fellow } : project,
      ),
    });
    visit(`/projects/${harvest.id}`, still);
    fireEvent.click(screen.getByRole('button', { name: 'More for Harvest' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'Claim ownership' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => {
      expect(still.deeds.map(({ fields }) => fields)).to.deep.equal([
        { owner: builder },
        { owner: fellow },
      ]);
    });
  });

  it('[1.6] says what kept it from being claimed [R370]', async () => {
    const still = stillData(builder, {
      ...shelf,
      project: (shelf.project ?? []).map((project) =>
        project.id === harvest.id ? { ...project, owner: fellow } : project,
      ),
    });
    still.failWith(new ProblemError({ code: 'forbidden' }));
    visit(`/projects/${harvest.id}`, still);
    fireEvent.click(screen.getByRole('button', { name: 'More for Harvest' }));
    fireEvent.click(screen.getByRole('menuitem', { name: 'Claim ownership' }));
    await screen.findByText('You are not allowed to do that');
    expect(screen.queryByText('You are now the owner of the project')).to.equal(null);
  });

  it('turns a setting at once [R116]', () => {
    const { still } = visit(`/projects/${harvest.id}`);
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    expect(still.deeds[0]?.fields).to.deep.equal({ isPublic: false });
  });
});
