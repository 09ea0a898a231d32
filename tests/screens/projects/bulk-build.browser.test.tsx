import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { ChangesView } from '../../../src/data/model/views.ts';
import type { Of } from '#schema/index.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { Shell } from '#screens/app/frame/shell.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';

const published = '2026-03-01T12:00:00.000Z';
const [usual] = shelf.productDefinition ?? [];
const type = usual?.type ?? '';
const workflow = usual?.workflow ?? '';
const rebuild = record('workflowDefinition', { id: 'again', name: 'again', type: 2 });
const republish = record('workflowDefinition', { id: 'out', name: 'out', type: 3 });
const site = {
  id: 'site',
  name: 'HTML Site',
  type,
  workflow,
  rebuildWorkflow: rebuild.id,
  republishWorkflow: republish.id,
};
const app = { id: 'app', name: 'PWA', type, workflow, rebuildWorkflow: rebuild.id };
const once = { id: 'once', name: 'Asset Package', type, workflow };

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
const products = [
  product('harvest', 'Harvest'),
  product('harvest-app', 'Harvest', { productDefinition: app.id }),
  product('harvest-once', 'Harvest', { productDefinition: once.id }),
  product('juniper', 'Juniper'),
  product('lantern', 'Lantern', { datePublished: null }),
  product('orchard', 'Orchard'),
];
const MAY = { rebuild: ['harvest', 'harvest-app', 'juniper'] };

async function visit(
  answer: Readonly<Record<string, unknown>> | null = MAY,
  changes: Partial<ChangesView> = {},
) {
  const still = stillData(
    builder,
    {
      ...shelf,
      product: products,
      productDefinition: [site, app, once].map((fields) => record('productDefinition', fields)),
      workflowDefinition: [...(shelf.workflowDefinition ?? []), rebuild, republish],
    },
    changes,
  );
  still.setAnswer(answer);
  const { surroundings } = testSurroundings();
  const path = '/projects/organization';
  const page = { path, element: <ProjectList name="organization" /> };
  const routes = [{ element: <Shell />, children: [page] }];
  render(<Around store={still} surroundings={surroundings} routes={routes} at={path} />);
  await screen.findByRole('checkbox', { name: 'Select Harvest' });
  return still;
}

async function choose(...names: readonly string[]) {
  for (const name of names)
    fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
  fireEvent.click(screen.getByRole('button', { name: 'Rebuild or republish' }));
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

const refused = changeRow('called', 'refused', {
  says: ['changes.products.rebuild', { count: '3' }],
  about: { type: 'product', id: 'harvest' },
  touched: MAY.rebuild.map((id) => ({ type: 'product', id })),
  problem: {
    id: 'e1',
    status: '409',
    code: 'action-not-allowed',
    title: 'That cannot be done now',
    meta: {
      reason: 'running',
      refused: [{ id: 'juniper', code: 'action-not-allowed', reason: 'running' }],
    },
  },
});
const answers = (state: 'sending' | 'done' | 'refused') => {
  const attention = state === 'refused' ? 1 : 0;
  return { status: 'saved', attention, rows: [{ ...refused, state }] } as const;
};

describe('[6.4] rebuilding the products of many projects', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('shows what of them can be rebuilt, and why the others cannot [R86, R275]', async () => {
    await visit();
    await chooseAll();
    expect(
      dialog()
        .getAllByRole('radio')
        .map((radio) => radio.parentElement?.textContent),
    ).to.deep.equal(['Rebuild']);
    expect(
      dialog()
        .getAllByRole('checkbox')
        .map((box) => box.closest('label')?.textContent),
    ).to.deep.equal([
      'Asset Package0 of 1 product can be rebuilt',
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
    const still = await visit(
      { rebuild: ['harvest'], republish: ['harvest', 'juniper'] },
      {
        ...answers('sending'),
      },
    );
    await choose('Harvest', 'Juniper');
    const radio = (name: string) => dialog().getByRole<HTMLInputElement>('radio', { name });
    expect(radio('Rebuild').checked).to.equal(true);
    expect(dialog().queryByText('Rebuild: 3 of 4 left out')).not.to.equal(null);
    expect(dialog().queryByText('Republish: 2 of 4 left out')).not.to.equal(null);
    fireEvent.click(radio('Republish'));
    expect(dialog().queryByText('2 of 2 products can be republished')).not.to.equal(null);
    press('Republish 2 products');
    await waitFor(() => {
      expect(still.deeds[0]?.fields).to.deep.equal({
        action: 'republish',
        products: ['harvest', 'juniper'],
      });
    });
  });

  it('is a dialog of medium size that waits for what the server says [R84, R427]', async () => {
    const still = await visit();
    let answer: (may: object) => void = () => undefined;
    still.setServer(
      () =>
        new Promise((told) => {
          answer = (value) => {
            told({ is: 'told', value });
          };
        }),
    );
    fireEvent.click(screen.getByRole('checkbox', { name: 'Select Harvest' }));
    fireEvent.click(screen.getByRole('button', { name: 'Rebuild or republish' }));
    const opened = await screen.findByRole('dialog', { name: 'Rebuild or republish' });
    expect(opened.className).to.contain('medium');
    expect(dialog().queryByRole('radio')).to.equal(null);
    expect(dialog().queryByRole('button', { name: /^Rebuild/ })).to.equal(null);
    await act(async () => {
      answer(MAY);
      await Promise.resolve();
    });
    expect(await dialog().findByRole('radio', { name: 'Rebuild' })).not.to.equal(null);
  });

  it('sends those that are permitted by one call, in their order, and says that they are started [R86, R87, R247, R275]', async () => {
    const still = await visit(MAY, answers('sending'));
    await chooseAll();
    press('Rebuild 3 products');
    await waitFor(() => {
      expect(still.deeds.map(({ did, fields }) => [did, fields])).to.deep.equal([
        ['call', { action: 'rebuild', products: MAY.rebuild }],
      ]);
    });
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Close' }).disabled).to.equal(
      true,
    );
    act(() => {
      still.setChanges(answers('done'));
    });
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
    const still = await visit(MAY, answers('sending'));
    await chooseAll();
    press('Rebuild 3 products');
    await waitFor(() => {
      expect(still.deeds).to.have.length(1);
    });
    act(() => {
      still.setChanges(answers('refused'));
    });
    await dialog().findByText('HTML Site, Juniper');
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include('Nothing was started: 1 of 3 products were refused');
    expect(lines(/HTML Site/)[1]).to.equal('JuniperIt is being worked on already');

    press('Rebuild 2 products');
    await waitFor(() => {
      expect(still.deeds.at(-1)?.fields.products).to.deep.equal(['harvest', 'harvest-app']);
    });
    expect(still.asked).to.deep.equal(['discard called']);
  });

  it('is named in the panel with each reason when it was closed meanwhile [R370]', async () => {
    const still = await visit();
    act(() => {
      still.setChanges({ ...answers('refused'), status: 'attention' });
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
    const still = await visit(null, { status: 'offline' });
    await chooseAll();
    expect(dialog().queryByText(/The server decides/)).not.to.equal(null);
    press('Rebuild 3 products');
    await screen.findByText(/^Saved on this device/);
    expect(still.deeds.map(({ did, type: of, fields }) => [did, of, fields.product])).to.deep.equal(
      MAY.rebuild.map((id) => ['add', 'productActionRun', id]),
    );
    expect(screen.queryByRole('dialog')).to.equal(null);
  });

  it('waits in the outbox when the connection goes while it is sent [R87]', async () => {
    const still = await visit(MAY, answers('sending'));
    await chooseAll();
    press('Rebuild 3 products');
    await waitFor(() => {
      expect(still.deeds).to.have.length(1);
    });
    act(() => {
      still.setChanges({ status: 'offline', waiting: 1, rows: [{ ...refused, state: 'waiting' }] });
    });
    await screen.findByText(/^Saved on this device/);
    expect(screen.queryByRole('dialog')).to.equal(null);
  });
});

describe('[6.3] archiving several projects', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  it('is told of by one toast when some were refused [R235, R403, R406]', async () => {
    const still = await visit();
    for (const name of ['Harvest', 'Juniper'])
      fireEvent.click(screen.getByRole('checkbox', { name: `Select ${name}` }));
    fireEvent.click(screen.getByRole('button', { name: 'Archive' }));
    await waitFor(() => {
      expect(still.deeds).to.have.length(2);
    });
    const rows = ['Harvest', 'Juniper'].map((name) =>
      changeRow(name, 'refused', {
        says: ['changes.project.archive', { name }],
        about: { type: 'project', id: projectCalled(name) },
        problem: { id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' },
      }),
    );
    act(() => {
      still.setChanges({ status: 'attention', attention: 2, rows });
    });
    expect(toasts()).to.have.length(1);
    expect(toasts()[0]).to.include('2 of 2 were not archived');
  });
});
