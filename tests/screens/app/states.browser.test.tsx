import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import type { JSX } from 'react';
import { chooseOrganization } from '#session/organization.ts';
import { useProblemText } from '#screens/app/page/changes/problem-text.ts';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { FilesContext } from '#files/files.ts';
import { Transitions } from '#screens/products/history.tsx';
import { ProductsSection } from '#screens/products/in-project/products-section.tsx';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { ANDROID, dialog, openMenu, pick } from '../../support/harvest-products.tsx';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import {
  builder,
  harvest,
  harvestApp,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';

async function visit(element: JSX.Element, held: Shelf = shelf) {
  const app = await openStore(builder, held);
  const { surroundings } = testSurroundings();
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/here', element },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/here" />);
  return app;
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

  it('is told of a workflow that began, was completed or cancelled, and of its kind [R243, R244, R412]', async () => {
    const [product] = shelf.product ?? [];
    if (product === undefined) throw new Error('The shelf lacks a product');
    const turn = (day: number, transitionType: 2 | 3 | 4, workflowType: 1 | 2 | 3) =>
      record('productTransition', {
        id: idOf(620 + day),
        product: harvestApp,
        transitionType,
        workflowType,
        dateTransition: `2026-02-0${String(day)}T09:00:00.000Z`,
      });
    const { settle } = await visit(<Transitions product={product} />, {
      ...shelf,
      productTransition: [
        turn(1, 2, 1),
        turn(2, 3, 1),
        turn(3, 2, 2),
        turn(4, 4, 2),
        turn(5, 2, 3),
      ],
    });
    await settle();
    const told = screen
      .getAllByRole('row')
      .map((row) => row.querySelector('td .cell-value')?.textContent);
    expect(told.slice(1)).to.deep.equal([
      'Republish workflow started',
      'Rebuild workflow cancelled',
      'Rebuild workflow started',
      'Startup workflow completed',
      'Startup workflow started',
    ]);
  });

  it('is said when the server has cancelled the work on a product [R247]', async () => {
    const rebuild = record('workflowDefinition', { id: idOf(73), name: 'rebuild', type: 2 });
    const project = { ...harvest, workflowProjectUrl: 'https://repository.test/1' };
    const { files } = stillFiles();
    const page = (
      <FilesContext.Provider value={files}>
        <ProductsSection project={project} />
      </FilesContext.Provider>
    );
    const { server, settle } = await visit(page, {
      ...shelf,
      project: [project],
      workflowDefinition: [...(shelf.workflowDefinition ?? []), rebuild],
      product: (shelf.product ?? []).map((one) => ({ ...one, productWorkflow: rebuild.id })),
    });
    openMenu();
    pick('Cancel');
    server.holds = () => true;
    fireEvent.click(
      dialog(`Cancel the work on ${ANDROID}?`).getByRole('button', { name: 'Cancel' }),
    );
    await settle();
    expect(screen.queryByText('The work was cancelled')).to.equal(null);
    server.letThrough();
    await settle();
    await screen.findByText('The work was cancelled');
  });

  it('is said when the server has made projects active again [R235, R403]', async () => {
    const project = (shelf.project ?? []).map((one) =>
      one.name === 'Harvest' ? { ...one, dateArchived: '2026-02-28T09:00:00.000Z' } : one,
    );
    const app = await visit(<ProjectList name="archived" />, { ...shelf, project });
    for (const name of ['Harvest', 'Meadow'])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    app.server.holds = () => true;
    fireEvent.click(await screen.findByRole('button', { name: 'Reactivate' }));
    await waitFor(() => {
      expect(app.data.changes.view().waiting).to.equal(2);
    });
    await app.settle();
    expect(screen.queryByText('Selected projects reactivated')).to.equal(null);
    app.server.letThrough();
    await screen.findByText('Selected projects reactivated');
  });
});

describe('[8] in words', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('who may not enter is told whom to ask, or to choose an organization [R382]', async () => {
    const page = <Guarded guard={superAdmins}>The page</Guarded>;
    await visit(page);
    const whatToDo = 'You are not allowed to do that. Please select an organization.';
    expect(await screen.findByText(whatToDo)).not.to.equal(null);
    cleanup();
    chooseOrganization(lakeside);
    await visit(page);
    const whomToAsk =
      'You are not allowed to do that. Please contact your organization administrator.';
    expect(await screen.findByText(whomToAsk)).not.to.equal(null);
  });

  it('a refusal without any is told by its status [R371, R372, R373]', async () => {
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
    await visit(<Refusals />);
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
