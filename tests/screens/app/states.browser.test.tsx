import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import type { JSX } from 'react';
import { chooseOrganization } from '#session/organization.ts';
import { useProblemText } from '#screens/app/page/changes/problem-text.ts';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { Transitions } from '#screens/products/history.tsx';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { closeStores } from '../../support/app-over-store.ts';
import {
  ANDROID,
  dialog,
  openMenu,
  pick,
  rebuild,
  visitProducts,
} from '../../support/harvest-products.tsx';
import { builder, harvestApp, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/shelf.ts';

function visit(element: JSX.Element, held: Shelf = shelf) {
  const still = stillData(builder, held);
  const { surroundings } = testSurroundings();
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/here', element },
  ];
  render(<Around store={still} surroundings={surroundings} routes={routes} at="/here" />);
  return still;
}

describe('[4] what becomes of things', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('is told of a workflow that began, was completed or cancelled, and of its kind [R243, R244, R412]', () => {
    const [product] = shelf.product ?? [];
    if (product === undefined) throw new Error('The shelf lacks a product');
    const turn = (day: number, transitionType: 2 | 3 | 4, workflowType: 1 | 2 | 3) =>
      record('productTransition', {
        id: `turn-${String(day)}`,
        product: harvestApp,
        transitionType,
        workflowType,
        dateTransition: `2026-02-0${String(day)}T09:00:00.000Z`,
      });
    visit(<Transitions product={product} />, {
      ...shelf,
      productTransition: [
        turn(1, 2, 1),
        turn(2, 3, 1),
        turn(3, 2, 2),
        turn(4, 4, 2),
        turn(5, 2, 3),
      ],
    });
    const told = screen
      .getAllByRole('row')
      .map((row) => row.querySelector('td .cell-value')?.textContent);
    expect(told.slice(1)).to.deep.equal([
      'Startup workflow started',
      'Startup workflow completed',
      'Rebuild workflow started',
      'Rebuild workflow cancelled',
      'Republish workflow started',
    ]);
  });

  it('is said when the server has cancelled the work on a product [R247]', async () => {
    await visitProducts({ product: { productWorkflow: rebuild.id } });
    openMenu();
    pick('Cancel');
    fireEvent.click(
      dialog(`Cancel the work on ${ANDROID}?`).getByRole('button', { name: 'Cancel' }),
    );
    await screen.findByText('The work was cancelled');
  });

  it('is said when the server has made projects active again [R235, R403]', async () => {
    const project = (shelf.project ?? []).map((one) =>
      one.name === 'Harvest' ? { ...one, dateArchived: '2026-02-28T09:00:00.000Z' } : one,
    );
    const still = visit(<ProjectList name="archived" />, { ...shelf, project });
    for (const name of ['Harvest', 'Meadow'])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    fireEvent.click(screen.getByRole('button', { name: 'Reactivate' }));
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    const rows = still.deeds.map(({ id }, index) =>
      changeRow(String(index), 'done', {
        says: ['changes.project.reactivate', { name: '' }],
        about: { type: 'project', id },
      }),
    );
    act(() => {
      still.setChanges({ rows });
    });
    await screen.findByText('Selected projects reactivated');
  });
});

describe('[8] in words', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(() => {
    cleanup();
    chooseOrganization(null);
  });

  it('who may not enter is told whom to ask, or to choose an organization [R382]', () => {
    const page = <Guarded guard={superAdmins}>The page</Guarded>;
    visit(page);
    expect(
      screen.queryByText('You are not allowed to do that. Please select an organization.'),
    ).not.to.equal(null);
    cleanup();
    chooseOrganization(lakeside);
    visit(page);
    expect(
      screen.queryByText(
        'You are not allowed to do that. Please contact your organization administrator.',
      ),
    ).not.to.equal(null);
  });

  it('a refusal without any is told by its status [R371, R372, R373]', () => {
    function Refusals() {
      const reasonOf = useProblemText();
      return (
        <>
          <p>{reasonOf({ code: 'of-a-proxy', status: '401' })}</p>
          <p>{reasonOf({ code: 'of-a-proxy', status: '403' })}</p>
          <p>{reasonOf({ code: 'of-a-proxy', status: '403', title: 'Not from here' })}</p>
        </>
      );
    }
    visit(<Refusals />);
    expect(
      screen.queryByText('You must login. This could be due to a prior login expiring.'),
    ).not.to.equal(null);
    expect(
      screen.queryByText(
        'An error occurred: Forbidden. Please contact your organization administrator.',
      ),
    ).not.to.equal(null);
    expect(screen.queryByText('Not from here')).not.to.equal(null);
  });
});
