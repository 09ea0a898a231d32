import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { runTogether } from '#data/actions/products.ts';
import { paths } from '#protocol/paths.ts';
import type { Of } from '#schema/index.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { Shell } from '#screens/app/frame/shell.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { plain, problem } from '../../support/scripted-server.ts';
import { builder, idOf, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';

const published = '2026-03-01T12:00:00.000Z';
const [usual] = shelf.productDefinition ?? [];
const type = usual?.type ?? '';
const workflow = usual?.workflow ?? '';
const rebuild = record('workflowDefinition', { id: idOf(1000), name: 'again', type: 2 });
const republish = record('workflowDefinition', { id: idOf(1001), name: 'out', type: 3 });
const site = {
  id: idOf(1002),
  name: 'HTML Site',
  type,
  workflow,
  rebuildWorkflow: rebuild.id,
  republishWorkflow: republish.id,
};
const app = { id: idOf(1003), name: 'PWA', type, workflow, rebuildWorkflow: rebuild.id };
const once = { id: idOf(1004), name: 'Asset Package', type, workflow };

const projectCalled = (name: string): string =>
  shelf.project?.find((project) => project.name === name)?.id ?? '';

/** A product of the project of that name, published and at rest. */
const product = (id: string, of: string, fields: Partial<Of<'product'>> = {}) =>
  record('product', {
    id,
    project: projectCalled(of),
    productDefinition: site.id,
    datePublished: published,
    ...fields,
  });
const [inHarvest, appInHarvest, onceInHarvest, inJuniper] = [1010, 1011, 1012, 1013].map(idOf) as [
  string,
  string,
  string,
  string,
];
const products = [
  product(inHarvest, 'Harvest'),
  product(appInHarvest, 'Harvest', { productDefinition: app.id }),
  product(onceInHarvest, 'Harvest', { productDefinition: once.id }),
  product(inJuniper, 'Juniper'),
  product(idOf(1014), 'Lantern', { datePublished: null }),
  product(idOf(1015), 'Orchard'),
];
const MAY = { rebuild: [inHarvest, appInHarvest, inJuniper] };
type Offer = Readonly<Record<string, readonly string[]>>;

/** The server says what may be started; how it answers the start is `answerRun`. */
interface Script {
  offer: () => Promise<Response>;
  run: () => Promise<Response>;
}

async function visit(
  offer: Offer = MAY,
  prepare: (store: AppOverStore, script: Script) => Promise<unknown> = () => Promise.resolve(),
) {
  const store = await openStore(builder, {
    ...shelf,
    product: products,
    productDefinition: [site, app, once].map((fields) => record('productDefinition', fields)),
    workflowDefinition: [...(shelf.workflowDefinition ?? []), rebuild, republish],
  });
  const script: Script = {
    offer: () => Promise.resolve(plain(offer)),
    run: () => Promise.resolve(plain({})),
  };
  store.server.answer = (path) => {
    if (path === paths.productActions) return script.offer();
    return path === paths.runProductActions ? script.run() : null;
  };
  await prepare(store, script);
  const { surroundings, paint } = testSurroundings();
  const path = '/projects/organization';
  const page = { path, element: <ProjectList name="organization" /> };
  const routes = [{ element: <Shell />, children: [page] }];
  render(<Around store={store} surroundings={surroundings} routes={routes} at={path} />);
  paint();
  await screen.findByRole('checkbox', { name: 'Select Harvest' });
  return { ...store, script };
}

async function choose(...names: readonly string[]) {
  for (const name of names)
    fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  fireEvent.click(await screen.findByRole('button', { name: 'Rebuild or republish' }));
  await screen.findByRole('dialog', { name: 'Rebuild or republish' });
  await waitFor(() => {
    if (document.querySelector('dialog :is(fieldset, .message)') === null)
      throw new Error('The server was not heard yet');
  });
}
const chooseAll = () => choose('Harvest', 'Juniper', 'Lantern', 'Orchard');
const dialog = () => within(screen.getByRole('dialog', { name: 'Rebuild or republish' }));
const lines = (name: RegExp) => {
  const kind = dialog().getByRole('checkbox', { name }).closest('li');
  return [...(kind?.querySelectorAll('details li') ?? [])].map((line) => line.textContent);
};
const press = (name: string) => {
  fireEvent.click(dialog().getByRole('button', { name }));
};
const toasts = () => [...document.querySelectorAll('.toast')].map((toast) => toast.textContent);

/** The server refuses to start Juniper's product, and with it the others. */
const refuseJuniper = () =>
  Promise.resolve(
    problem(409, 'action-not-allowed', {
      reason: 'running',
      refused: [{ id: inJuniper, code: 'action-not-allowed', reason: 'running' }],
    }),
  );
/** The bodies of the runs that were sent, in order. */
const sentRuns = ({ requests }: AppOverStore['server']) =>
  requests
    .filter(({ path }) => path === paths.runProductActions)
    .map(({ body }) => JSON.parse(body) as unknown);
/** An answer that comes when the test says so. */
function held() {
  let give: (answer: Response) => void = () => undefined;
  const answer = new Promise<Response>((resolve) => (give = resolve));
  return {
    answer: () => answer,
    give: (value: unknown) => {
      give(plain(value));
    },
  };
}

describe('[6.4] rebuilding the products of many projects', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('shows what of them can be rebuilt, and why the others cannot [R86, R275]', async () => {
    await visit();
    await chooseAll();
    // There is one thing to do, which the button says: nothing to choose.
    expect(dialog().queryByRole('radio')).to.equal(null);
    expect(
      dialog()
        .getAllByRole('checkbox')
        .map((box) => box.closest('label')?.textContent),
    ).to.deep.equal([
      'Asset Package0 of 1 product can be rebuilt There is no workflow for that',
      'HTML Site2 of 4 products can be rebuilt',
      'PWA1 of 1 product can be rebuilt',
    ]);
    expect(lines(/HTML Site/)).to.deep.equal([
      'HarvestReady',
      'JuniperReady',
      'LanternIt was never published',
      'OrchardYou are not allowed to do that',
    ]);
    expect(lines(/Asset Package/)).to.deep.equal(['HarvestThere is no workflow for that']);
    expect(dialog().queryByText('Rebuild: 3 of 6 left out')).not.to.equal(null);
  });

  it('lets choose what to do, with the first chosen, and asks for that [R85, R88, R275]', async () => {
    const { server } = await visit({ rebuild: [inHarvest], republish: [inHarvest, inJuniper] });
    await choose('Harvest', 'Juniper');
    const radio = (name: string) => dialog().getByRole<HTMLInputElement>('radio', { name });
    expect(radio('Rebuild').checked).to.equal(true);
    expect(dialog().queryByText('Rebuild: 3 of 4 left out')).not.to.equal(null);
    const leftOut = dialog().getByText('Republish: 2 of 4 left out');
    expect(leftOut.closest('.message')?.classList.contains('warning')).to.equal(true);
    fireEvent.click(radio('Republish'));
    expect(dialog().queryByText('2 of 2 products can be republished')).not.to.equal(null);
    press('Republish 2 products');
    await waitFor(() => {
      expect(sentRuns(server)).to.deep.equal([
        { action: 'republish', products: [inHarvest, inJuniper] },
      ]);
    });
  });

  it('is a dialog of medium size that waits for what the server says [R84, R427]', async () => {
    const offer = held();
    await visit(MAY, (_, script) => Promise.resolve((script.offer = offer.answer)));
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Harvest' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Rebuild or republish' }));
    const opened = await screen.findByRole('dialog', { name: 'Rebuild or republish' });
    expect(opened.className).to.contain('medium');
    expect(dialog().queryByRole('radio')).to.equal(null);
    expect(dialog().queryByRole('button', { name: /^Rebuild/ })).to.equal(null);
    offer.give(MAY);
    expect(await dialog().findByRole('button', { name: /^Rebuild/ })).not.to.equal(null);
  });

  it('sends those that are permitted by one call, in their order, and says that they are started [R86, R87, R247, R275]', async () => {
    const { server, script } = await visit();
    const run = held();
    script.run = run.answer;
    await chooseAll();
    press('Rebuild 3 products');
    await waitFor(() => {
      expect(sentRuns(server)).to.deep.equal([{ action: 'rebuild', products: MAY.rebuild }]);
    });
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Close' }).disabled).to.equal(
      true,
    );
    run.give({});
    await screen.findByText('Rebuild: 3 products started');
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(screen.queryByText(/ selected/)).to.equal(null);
  });

  it('leaves out the kinds that are not wanted [R86]', async () => {
    await visit();
    await chooseAll();
    fireEvent.click(dialog().getByRole('checkbox', { name: /HTML Site/ }));
    expect(dialog().queryByRole('button', { name: 'Rebuild 1 product' })).not.to.equal(null);
    fireEvent.click(dialog().getByRole('checkbox', { name: /PWA/ }));
    const none = dialog().getByRole<HTMLButtonElement>('button', { name: 'Rebuild 0 products' });
    expect(none.disabled).to.equal(true);
  });

  it('names those that were refused once, keeps the others to be started again [R370]', async () => {
    const { data, script, server, settle } = await visit();
    script.run = refuseJuniper;
    await chooseAll();
    press('Rebuild 3 products');
    await dialog().findByText('HTML Site, Juniper');
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include('Nothing was started: 1 of 3 products were refused');
    expect(toasts()[0]).to.include('That did not work');
    expect(lines(/HTML Site/)[1]).to.equal('JuniperIt is being worked on already');

    script.run = () => Promise.resolve(plain({}));
    press('Rebuild 2 products');
    await waitFor(() => {
      expect(sentRuns(server).at(-1)).to.deep.equal({
        action: 'rebuild',
        products: [inHarvest, appInHarvest],
      });
    });
    await settle();
    expect(data.changes.view().rows.map(({ state }) => state)).to.deep.equal(['done']);
  });

  it('is named in the panel with each reason when it was closed meanwhile [R370]', async () => {
    await visit(MAY, async ({ data, settle }, script) => {
      script.run = refuseJuniper;
      await runTogether(data, MAY.rebuild, 'rebuild');
      await settle();
    });
    fireEvent.click(screen.getByTestId('sync-status'));
    const panel = within(await screen.findByRole('dialog', { name: 'Changes' }));
    expect(panel.queryByText('Rebuild 3 products')).not.to.equal(null);
    expect(panel.queryByText(/so nothing was started/)).not.to.equal(null);
    expect(panel.getByText('HTML Site, Juniper').parentElement?.textContent).to.include(
      'It is being worked on already',
    );
  });

  it('says that nothing can be done where the server allows nothing [R89, R275, R369]', async () => {
    await visit({});
    await chooseAll();
    expect(
      dialog().queryByText('No valid products available for selected project(s)'),
    ).not.to.equal(null);
    expect(dialog().queryByRole('button', { name: /^Rebuild/ })).to.equal(null);
  });

  it('offline asks for each by itself, and says that the server decides [R86, R87]', async () => {
    const { recordedActions } = await visit(MAY, (store) => store.goOffline());
    await chooseAll();
    expect(dialog().queryByText(/The server decides/)).not.to.equal(null);
    press('Rebuild 3 products');
    await screen.findByText(/^Saved on this device/);
    expect(
      recordedActions.map(({ did, type: of, fields }) => [did, of, fields.product]),
    ).to.deep.equal(MAY.rebuild.map((id) => ['add', 'productActionRun', id]));
    expect(screen.queryByRole('dialog')).to.equal(null);
  });

  it('waits in the outbox when the connection goes while it is sent [R87]', async () => {
    const { goOffline, script, server } = await visit();
    const run = held();
    script.run = run.answer;
    await chooseAll();
    press('Rebuild 3 products');
    await waitFor(() => {
      expect(sentRuns(server)).to.have.length(1);
    });
    await goOffline();
    await screen.findByText(/^Saved on this device/);
    expect(screen.queryByRole('dialog')).to.equal(null);
  });
});

describe('[6.3] archiving several projects', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('leaves what was opened meanwhile open, with its projects', async () => {
    const { server, settle } = await visit();
    server.holds = () => true;
    for (const name of ['Harvest', 'Juniper'])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    fireEvent.click(await screen.findByRole('button', { name: 'Archive' }));
    const question = within(
      await screen.findByRole('dialog', { name: 'Archive what is published?' }),
    );
    fireEvent.click(question.getByRole('button', { name: 'Archive' }));
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Rebuild or republish' }));
    await screen.findByRole('dialog', { name: 'Rebuild or republish' });
    server.letThrough();
    await screen.findByText('Selected projects archived');
    expect(screen.queryByText(/ selected$/)).to.equal(null);
    expect(screen.queryByRole('dialog', { name: 'Rebuild or republish' })).not.to.equal(null);
  });

  it('is told of by one toast when some were refused [R235, R403, R406]', async () => {
    const { server, settle } = await visit();
    server.refuse = () => [{ id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' }];
    for (const name of ['Harvest', 'Juniper'])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    fireEvent.click(await screen.findByRole('button', { name: 'Archive' }));
    const question = within(
      await screen.findByRole('dialog', { name: 'Archive what is published?' }),
    );
    fireEvent.click(question.getByRole('button', { name: 'Archive' }));
    await settle();
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include('2 of 2 were not archived');
  });
});
