import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import type { ChangesView } from '#data/use-changes.ts';
import { Tasks } from '#screens/tasks/tasks.tsx';
import { speakLate } from '#ui/late-texts.ts';
import { speak } from '#ui/text.ts';
import { aGivenCommand } from '../support/change-row.ts';
import { builder, fellow, harvest, shelf } from '../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../support/still-data.tsx';
import type { Shelf } from '../support/still-data.tsx';

function visit(viewer = builder, held: Shelf = shelf) {
  const { surroundings } = stillSurroundings();
  const routes = [
    { path: '/tasks', element: <Tasks /> },
    { path: '*', element: <Address /> },
  ];
  const still = stillData(viewer, held);
  render(<Around still={still} surroundings={surroundings} routes={routes} at="/tasks" />);
  return {
    ...still,
    setChanges: (view: Partial<ChangesView>) => {
      act(() => {
        still.setChanges(view);
      });
    },
  };
}

/** Where a click led. */
function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>;
}

/** The shelf with the builder's task changed by `fields`. */
const withTask = (fields: object): Shelf => ({
  ...shelf,
  userTask: (shelf.userTask ?? []).map((task) => ({ ...task, ...fields })),
});

describe('[2.4] my tasks', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('show product, state, project and how long each waits', () => {
    visit();
    const [, row] = screen.getAllByRole('row');
    const cells = within(row ?? document.body).getAllByRole('cell');
    expect(cells[0]?.textContent).to.include('Android App to Google Play');
    expect(cells[0]?.textContent).to.include('Approval');
    const link = within(row ?? document.body).getByRole('link', { name: 'Harvest' });
    expect(link.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
    expect(cells[2]?.querySelector('time')?.textContent).to.equal('3 days');
  });

  it('lead to the form of their step, by the product and by the whole row', async () => {
    visit();
    const flow = /^\/flow\/AppBuilders_Android_GooglePlay_Flow\//;
    const link = screen.getByRole('link', { name: 'Android App to Google Play' });
    expect(link.getAttribute('href')).to.match(flow);
    fireEvent.click(screen.getByText('3 days'));
    expect((await screen.findByTestId('address')).textContent).to.match(flow);
  });

  it('say what was given and is not sent yet', () => {
    visit().setChanges({ status: 'offline', waiting: 1, rows: [aGivenCommand('waiting')] });
    const [, row] = screen.getAllByRole('row');
    expect(row?.textContent).to.include('Will be sent: Approve');
  });

  it('show the comment below the row, its address as a link', () => {
    visit();
    const link = screen.getByRole('link', { name: 'https://lakeside.test/notes' });
    expect(link.getAttribute('rel')).to.include('noopener');
  });

  it('tell a failed build in words, with the console text beside', () => {
    visit(builder, withTask({ comment: 'system.build-failed,https://lakeside.test/console' }));
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.getByRole('link', { name: 'Console text' }).getAttribute('href')).to.equal(
      'https://lakeside.test/console',
    );
  });

  it('open the console text of our own engine by a link of its own, which carries the permission', () => {
    visit(builder, withTask({ comment: 'system.build-failed,/api/product-builds/b1/console' }));
    expect(screen.queryByRole('link', { name: 'Console text' })).to.equal(null);
    expect(screen.queryByRole('button', { name: 'Console text' })).not.to.equal(null);
  });

  it('never make a link of an address that would run', () => {
    visit(builder, withTask({ comment: 'system.build-failed,javascript:alert(1)' }));
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Console text' })).to.equal(null);
  });

  it('say so when a task has no product', () => {
    visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
  });

  it('can be sorted by project', () => {
    visit();
    fireEvent.click(screen.getByRole('button', { name: 'Project' }));
    const head = screen.getByRole('columnheader', { name: 'Project' });
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
  });

  it('tell someone without any what would be here', () => {
    visit(fellow);
    expect(screen.queryByRole('heading', { name: 'Nothing waits for you' })).not.to.equal(null);
    expect(screen.queryByRole('table')).to.equal(null);
  });
});
