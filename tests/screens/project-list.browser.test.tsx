import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { RouteObject } from 'react-router-dom';
import { ProblemError } from '#protocol/problem.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { speak } from '#ui/text.ts';
import { changeRow } from '../support/change-row.ts';
import { builder, fellow, harvest, shelf } from '../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../support/still-data.tsx';
import type { Still } from '../support/still-data.tsx';

const routes: RouteObject[] = [
  { path: '/projects/own', element: <ProjectList name="own" /> },
  { path: '/projects/organization', element: <ProjectList name="organization" /> },
  { path: '/projects/:projectId', element: <ProjectPage /> },
];

function visit(at: string, still: Still = stillData(builder, shelf)) {
  const around = stillSurroundings();
  render(<Around still={still} surroundings={around.surroundings} routes={routes} at={at} />);
  return { still, ...around };
}
const shownNames = () =>
  screen
    .getAllByRole('row')
    .slice(1)
    .flatMap((row) => within(row).queryAllByRole('link'))
    .map((link) => link.textContent);

describe('[2.5] the project lists', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  it('list the projects I own that are not archived, by name', () => {
    visit('/projects/own');
    expect(shownNames()).to.deep.equal(['Élan', 'Harvest', 'Iron Bridge', 'Juniper', 'Lantern']);
  });

  it('list the projects of others in the organization too', () => {
    visit('/projects/organization');
    expect(shownNames()).to.include('Orchard');
    expect(shownNames()).not.to.include('Meadow');
  });

  it('take the search from the address, mark the hit, and clear it', () => {
    visit('/projects/own?search=harv');
    expect(shownNames()).to.deep.equal(['Harvest']);
    expect(document.querySelector('mark')?.textContent).to.equal('Harv');
    fireEvent.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(shownNames()).to.have.length(5);
  });

  it('sort by the column whose head is clicked, ascending first', () => {
    visit('/projects/own');
    fireEvent.click(screen.getByRole('button', { name: 'Language' }));
    const head = screen.getByRole('columnheader', { name: 'Language' });
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
    fireEvent.click(screen.getByRole('button', { name: 'Language' }));
    expect(head.getAttribute('aria-sort')).to.equal('descending');
  });

  it('page by the address, and go to the last page from beyond the end', () => {
    visit('/projects/own?pageSize=2&pageOffset=9');
    expect(screen.queryByText('5–5 of 5')).not.to.equal(null);
  });

  it('[2.6] archive the selected projects, each by a change of its own', async () => {
    const { still } = visit('/projects/own');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Harvest' }));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Juniper' }));
    expect(screen.queryByText('2 selected')).not.to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: 'Archive' }));
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    expect(still.deeds.map(({ id }) => id)).to.include(harvest.id);
  });

  it('hide Archive while a selected project is not mine to archive', () => {
    visit('/projects/organization');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Orchard' }));
    expect(screen.queryByRole('button', { name: 'Archive' })).to.equal(null);
    expect(screen.queryByText('1 of the selected is not yours to archive')).not.to.equal(null);
  });

  it('show a badge on a project whose change waits', () => {
    const still = stillData(builder, shelf, {
      status: 'offline',
      waiting: 1,
      rows: [changeRow('c1', 'waiting')],
    });
    visit('/projects/own', still);
    const row = document.querySelector(`[data-record="projects:${harvest.id}"]`);
    expect(row?.getAttribute('data-change')).to.equal('waiting');
    expect(screen.queryByText('5 on this device')).not.to.equal(null);
  });
});

describe('[2.8] a project page', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  it('says that the project is being set up while it has no repository', () => {
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

  it('[1.6] asks before it is made private when something of it is published', () => {
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

  it('[1.6] is claimed at once, and given back on Undo', async () => {
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

  it('[1.6] says what kept it from being claimed', async () => {
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

  it('turns a setting at once', () => {
    const { still } = visit(`/projects/${harvest.id}`);
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    expect(still.deeds[0]?.fields).to.deep.equal({ isPublic: false });
  });
});
