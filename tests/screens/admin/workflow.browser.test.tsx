import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import { problems } from '#protocol/problem.ts';
import type { ProblemCode } from '#protocol/problem.ts';
import { workflowPaths } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { WorkflowPage } from '#screens/admin/workflow/workflow-page.tsx';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { machines } from '#server/domain/workflow/machines/machines.ts';
import { shapeOf } from '#server/domain/workflow/diagram-shape.ts';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { turns } from '../../support/device.ts';
import { plain } from '../../support/scripted-server.ts';
import { builder, fellow, harvestApp, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const machine = machines.get('AppBuilders_Default_Android_GooglePlay');
if (machine === undefined) throw new Error('There is no such scheme');
const SHAPE = shapeOf(machine);
const PAGE = `/admin/workflows/${harvestApp}`;

const superAdmin = record('userRole', {
  id: idOf(62),
  user: builder,
  roleName: 'SuperAdmin',
  role: idOf(63),
});
const step = (id: string, fields: Partial<Of<'productTransition'>>) =>
  record('productTransition', { id, product: harvestApp, transitionType: 1, ...fields });
const HISTORY: Shelf = {
  productTransition: [
    step(idOf(601), {
      initialState: 'Approval',
      destinationState: 'Terminated',
      dateTransition: '2026-01-01T09:00:00.000Z',
    }),
    step(idOf(602), { transitionType: 2, dateTransition: '2026-03-01T09:00:00.000Z' }),
    step(idOf(603), {
      initialState: 'Readiness Check',
      destinationState: 'Approval',
      command: 'Continue',
      workflowUserId: fellow,
      dateTransition: '2026-03-01T10:00:00.000Z',
    }),
    step(idOf(604), {
      initialState: 'Approval',
      destinationState: 'Product Creation',
      command: 'Approve',
      allowedUserNames: 'Ada Admin',
    }),
  ],
};

interface Given {
  readonly product?: Partial<Of<'product'>>;
  readonly more?: Shelf;
  readonly roles?: Shelf['userRole'];
  /** The answer to who asks for the machine. */
  readonly machineAnswer?: () => Response;
  /** The answer to who moves the workflow; null: it is moved. */
  readonly moveAnswer?: () => Response | null;
  /** What happened before the page was opened. */
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  product = {},
  more = HISTORY,
  roles = [superAdmin],
  machineAnswer = () => plain(SHAPE),
  moveAnswer = () => null,
  prepare = () => Promise.resolve(),
}: Given = {}) {
  const [first] = shelf.product ?? [];
  if (first === undefined) throw new Error('The shelf has no product');
  const held = { ...shelf, product: [{ ...first, ...product }], userRole: roles, ...more };
  const app = await openStore(builder, held);
  app.server.answer = (address) => {
    if (address === workflowPaths.machine(harvestApp)) return Promise.resolve(machineAnswer());
    const moved = address === workflowPaths.state(harvestApp) ? moveAnswer() : null;
    return moved === null ? null : Promise.resolve(moved);
  };
  await prepare(app);
  const { surroundings, pass } = testSurroundings();
  const routes = [
    {
      path: '/admin/workflows/:productId',
      element: (
        <Guarded guard={superAdmins}>
          <WorkflowPage />
        </Guarded>
      ),
    },
    { path: '/', element: <p>The start</p> },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at={PAGE} />);
  const requestsTo = (address: string) =>
    app.server.requests.filter(({ path }) => path.startsWith(address));
  const asked = () => requestsTo(`/api/products/${harvestApp}`).map(({ path }) => path);
  const moves = () =>
    requestsTo(workflowPaths.state(harvestApp)).map(({ body }) => JSON.parse(body) as object);
  return { ...app, asked, moves, pass };
}

/** The person looked at what happened before: it is on the device. */
async function lookAtHistory({ data, settle }: AppOverStore): Promise<void> {
  const leave = data.lists
    .open('productTransition', { product: harvestApp })
    .subscribe(() => undefined);
  await settle();
  leave();
}

const box = (name: string) => screen.findByRole('img', { name: new RegExp(`^${name}\\.`) });
const refused = (code: ProblemCode, more: object = {}): Response => {
  const [status, title] = problems[code];
  const errors = [{ id: 'e', status: String(status), code, title, ...more }];
  const headers = { 'Content-Type': JSON_API };
  return new Response(JSON.stringify({ errors }), { status, headers });
};

describe('[16.3] the view of a workflow', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('draws the machine, with where the workflow is and was, in words too [R108]', async () => {
    await visit();
    const here = await box('Approval');
    expect(here.getAttribute('aria-current')).to.equal('step');
    expect(here.textContent).to.match(/Now here/);
    expect(here.getAttribute('aria-label')).to.match(
      /The workflow is here now\. Steps: Approve ·\sAdmin, to Product creation; Hold ·\sAdmin, to Approval pending/,
    );
    expect((await box('Readiness check')).getAttribute('aria-label')).to.match(/has been here/);
    // The end of an earlier workflow is past.
    expect((await box('Terminated')).getAttribute('aria-label')).to.match(/has not been here/);
    expect(screen.getAllByRole('img', { current: 'step' })).to.have.length(1);
  });

  it('says every step in a table', async () => {
    await visit();
    await box('Approval');
    fireEvent.click(screen.getByRole('heading', { name: 'All steps as a table' }));
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows.some((row) => /Readiness check.*Continue.*Owner.*Approval/.test(row))).to.equal(
      true,
    );
    expect(rows.some((row) => /Product build.*Build failed.*Build engine/.test(row))).to.equal(
      true,
    );
  });

  it('goes from state to state by arrow keys, one of them being in the way of Tab', async () => {
    await visit();
    const focused = () => document.activeElement?.getAttribute('data-state');
    const stops = () =>
      [...document.querySelectorAll('.machine-state[tabindex="0"]')].map((one) =>
        one.getAttribute('data-state'),
      );
    const press = (key: string) => {
      fireEvent.keyDown(document.activeElement ?? document.body, { key });
    };
    const here = await box('Approval');
    expect(stops()).to.deep.equal(['Approval']);
    act(() => {
      here.focus();
    });
    press('ArrowDown');
    expect([focused(), stops()]).to.deep.equal(['Approval Pending', ['Approval Pending']]);
    press('ArrowUp');
    expect(focused()).to.equal('Approval');
    press('End');
    expect(focused()).to.equal('Published');
    press('Home');
    expect(focused()).to.equal('Readiness Check');
  });

  it('tells what happened, what was built and what was published', async () => {
    await visit({
      more: {
        ...HISTORY,
        productBuild: [
          record('productBuild', {
            id: idOf(611),
            product: harvestApp,
            success: true,
            buildVersion: '1.4',
          }),
          record('productBuild', {
            id: idOf(612),
            product: harvestApp,
            success: false,
            error: 'No key',
          }),
        ],
        productPublication: [
          record('productPublication', {
            id: idOf(613),
            product: harvestApp,
            success: true,
            channel: 'production',
          }),
        ],
      },
    });
    await box('Approval');
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows.some((row) => /Readiness check.*Felix Fellow.*Continue/.test(row))).to.equal(true);
    expect(rows.some((row) => /1\.4.*Success/.test(row))).to.equal(true);
    expect(rows.some((row) => /Failure.*No key/.test(row))).to.equal(true);
    expect(rows.some((row) => /production.*Success/.test(row))).to.equal(true);
  });

  it('moves when the product does, and says so', async () => {
    const { setRecord } = await visit();
    await box('Approval');
    await setRecord('product', harvestApp, { workflowState: 'Product Creation' });
    expect((await box('Product creation')).getAttribute('aria-current')).to.equal('step');
    expect(
      screen.getByText('The workflow is at “Product creation” now').getAttribute('role'),
    ).to.equal('status');
  });

  it('is empty when no workflow runs, with what happened below', async () => {
    const { asked, settle } = await visit({
      product: { workflowState: null, productWorkflow: null },
    });
    await settle();
    expect(screen.queryByRole('heading', { name: 'No workflow is running' })).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Move to state…' })).to.equal(null);
    expect(screen.queryByText('Felix Fellow')).not.to.equal(null);
    expect(asked()).to.deep.equal([]);
  });

  it('asks for the machine again when another workflow begins', async () => {
    const { asked, setRecord } = await visit();
    await box('Approval');
    for (const productWorkflow of [null, idOf(72)]) {
      const workflowState = productWorkflow === null ? null : 'Approval';
      await setRecord('product', harvestApp, { productWorkflow, workflowState });
    }
    await box('Approval');
    expect(asked()).to.deep.equal([
      workflowPaths.machine(harvestApp),
      workflowPaths.machine(harvestApp),
    ]);
  });

  it('shows what will come while it waits for the machine', async () => {
    const { pass, settle } = await visit({
      prepare: ({ server }) => {
        server.holds = (address) => address === workflowPaths.machine(harvestApp);
        return Promise.resolve();
      },
    });
    await settle();
    act(() => {
      pass(300);
    });
    expect(screen.queryByRole('status', { name: /^Loading/ })).not.to.equal(null);
  });

  it('says that the diagram needs a connection, and has it by itself when there is one', async () => {
    const { goOnline } = await visit({
      prepare: async (app) => {
        await lookAtHistory(app);
        await app.goOffline();
      },
    });
    expect(screen.queryByRole('heading', { name: 'The diagram needs a connection' })).not.to.equal(
      null,
    );
    expect(screen.queryByText('Felix Fellow')).not.to.equal(null);
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Move to state…' });
    expect(button.disabled).to.equal(true);
    const tied = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(tied?.textContent).to.equal('Needs a connection');
    await goOnline();
    expect(await box('Approval')).not.to.equal(null);
  });

  it('stays drawn when the connection goes', async () => {
    const { goOffline } = await visit();
    await box('Approval');
    await goOffline();
    expect(await box('Approval')).not.to.equal(null);
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Move to state…' }).disabled,
    ).to.equal(true);
  });

  it('says why the machine is refused, and tries again', async () => {
    let isRefusing = true;
    await visit({
      machineAnswer: () => (isRefusing ? refused('forbidden') : plain(SHAPE)),
    });
    expect(
      await screen.findByRole('heading', { name: 'The diagram cannot be shown' }),
    ).not.to.equal(null);
    isRefusing = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await box('Approval')).not.to.equal(null);
  });

  it('is for super admins alone [R295]', async () => {
    await visit({ roles: shelf.userRole ?? [] });
    expect(await screen.findByText('The start')).not.to.equal(null);
    expect(screen.queryByText(/^You are not allowed to do that/)).not.to.equal(null);
  });

  it('asks to look at the organization where that is not in view', async () => {
    chooseOrganization(null);
    await visit();
    fireEvent.click(await screen.findByRole('button', { name: 'Look at Lakeside Press' }));
    expect(await box('Approval')).not.to.equal(null);
  });

  it('fetches a product that the device has not, and is nowhere when the server has none', async () => {
    const { asked } = await visit({ more: { product: [] } });
    expect(await screen.findByRole('heading', { name: 'Not Found!' })).not.to.equal(null);
    expect(asked()).to.deep.equal([`/api/products/${harvestApp}`]);
    cleanup();
    await visit({ more: { product: [] }, prepare: (app) => app.goOffline() });
    expect(screen.queryByText('This is not on this device yet')).not.to.equal(null);
  });

  describe('moved to another state', () => {
    const dialog = () => within(screen.getByRole('dialog', { name: 'Move the workflow' }));
    const state = () => dialog().getByRole<HTMLSelectElement>('combobox', { name: /^State/ });
    const reason = () => dialog().getByRole<HTMLTextAreaElement>('textbox', { name: /^Reason/ });
    const confirm = () => dialog().getByRole<HTMLButtonElement>('button', { name: 'Move' });

    async function open(given: Given = {}) {
      const app = await visit(given);
      await box('Approval');
      fireEvent.click(screen.getByRole('button', { name: 'Move to state…' }));
      return app;
    }
    function type(to: string, why: string) {
      fireEvent.change(state(), { target: { value: to } });
      fireEvent.change(reason(), { target: { value: why } });
    }
    async function move() {
      await act(async () => {
        fireEvent.click(confirm());
        await turns(3);
      });
    }

    it('offers what it may be moved to, and says what that comes to', async () => {
      await open();
      const offered = [...state().options].map(({ value }) => value);
      expect(offered).to.have.members(
        ['', ...SHAPE.states.filter(({ isMovable }) => isMovable).map(({ name }) => name)].filter(
          (name) => name !== 'Approval',
        ),
      );
      type('Product Build', '');
      expect(dialog().queryByText('A new build begins there.')).not.to.equal(null);
      type('Author Upload', '');
      expect(dialog().queryByText('Gets a task there: Author, Owner.')).not.to.equal(null);
    });

    it('asks for both, and goes to what is missing', async () => {
      const { moves } = await open();
      await move();
      expect(dialog().queryByText('Choose where it is to be moved.')).not.to.equal(null);
      expect(dialog().queryByText('Say why it is moved.')).not.to.equal(null);
      expect(document.activeElement === state()).to.equal(true);
      type('Synchronize Data', ' ');
      await move();
      expect(document.activeElement === reason()).to.equal(true);
      expect(moves()).to.deep.equal([]);
    });

    it('is moved with the reason, from where it was seen', async () => {
      const { moves } = await open();
      type('Synchronize Data', 'It hung');
      await move();
      expect(moves()).to.deep.equal([
        { state: 'Synchronize Data', comment: 'It hung', from: 'Approval' },
      ]);
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(await screen.findByText('Moved to “Synchronize data”')).not.to.equal(null);
    });

    it('is moved by keys from the text too', async () => {
      const { moves } = await open();
      type('Synchronize Data', 'It hung');
      await act(async () => {
        fireEvent.keyDown(reason(), { key: 'Enter', ctrlKey: true });
        await turns(3);
      });
      expect(moves()).to.have.length(1);
    });

    it('keeps what was typed when it is refused, with the reason at the field', async () => {
      await open({
        moveAnswer: () =>
          refused('invalid', {
            source: { pointer: '/comment' },
            meta: { rule: 'too-long', limit: 4000 },
          }),
      });
      type('Synchronize Data', 'It hung');
      await move();
      const tied = reason().getAttribute('aria-describedby') ?? '';
      const said = tied.split(' ').map((id) => document.getElementById(id)?.textContent);
      expect(said.join()).to.match(/4,000/);
      expect([state().value, reason().value]).to.deep.equal(['Synchronize Data', 'It hung']);
      fireEvent.change(reason(), { target: { value: 'It hung again' } });
      expect(reason().getAttribute('aria-invalid')).to.equal(null);
    });

    it('says what else it was refused for, and what is not certain', async () => {
      const { server } = await open({ moveAnswer: () => refused('forbidden') });
      type('Synchronize Data', 'It hung');
      await move();
      expect(
        dialog()
          .getAllByRole('alert')
          .map(({ textContent }) => textContent)
          .join(),
      ).to.match(/It was not moved/);
      server.faults.push('cut-after');
      await move();
      expect(dialog().queryByText(/The server did not answer/)).not.to.equal(null);
      expect(reason().value).to.equal('It hung');
    });

    it('asks again when the workflow moved on under it', async () => {
      const { setRecord, moves } = await open();
      type('Synchronize Data', 'It hung');
      await setRecord('product', harvestApp, { workflowState: 'Product Creation' });
      expect(dialog().queryByText(/it is at “Product creation” now/)).not.to.equal(null);
      expect(confirm().disabled).to.equal(true);
      fireEvent.click(dialog().getByRole('button', { name: 'Go on from “Product creation”' }));
      expect([state().value, reason().value]).to.deep.equal(['Synchronize Data', 'It hung']);
      await move();
      expect(moves().map((body) => (body as { from: string }).from)).to.deep.equal([
        'Product Creation',
      ]);
    });

    it('asks again when the server knows that it moved on', async () => {
      let isMoved = false;
      const current = { 'workflow-state': 'Product Creation', commands: [] };
      const { moves } = await open({
        moveAnswer: () =>
          isMoved ? null : refused('workflow-state-changed', { meta: { current } }),
      });
      type('Synchronize Data', 'It hung');
      await move();
      isMoved = true;
      fireEvent.click(dialog().getByRole('button', { name: 'Go on from “Product creation”' }));
      await move();
      expect(moves().map((body) => (body as { from: string }).from)).to.deep.equal([
        'Approval',
        'Product Creation',
      ]);
    });

    it('has nothing to move when the workflow ended under it', async () => {
      const { setRecord } = await open();
      type('Synchronize Data', 'It hung');
      await setRecord('product', harvestApp, { workflowState: null });
      expect(dialog().queryByText(/The workflow has ended meanwhile/)).not.to.equal(null);
      expect(confirm().disabled).to.equal(true);
      expect(reason().value).to.equal('It hung');
    });

    it('waits for a connection with what was typed', async () => {
      const { goOffline, goOnline, moves } = await open();
      type('Synchronize Data', 'It hung');
      await goOffline();
      expect(confirm().disabled).to.equal(true);
      const tied = document.getElementById(confirm().getAttribute('aria-describedby') ?? '');
      expect(tied?.textContent).to.equal('Needs a connection');
      await goOnline();
      await move();
      expect(moves()).to.have.length(1);
    });

    it('keeps what was typed when it is closed, and forgets it when it is given up', async () => {
      await open();
      type('Synchronize Data', 'It hung');
      fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
      fireEvent.click(screen.getByRole('button', { name: 'Move to state…' }));
      expect(reason().value).to.equal('It hung');
      fireEvent.click(dialog().getByRole('button', { name: 'Cancel' }));
      fireEvent.click(screen.getByRole('button', { name: 'Move to state…' }));
      await waitFor(() => {
        expect(reason().value).to.equal('');
      });
    });
  });
});
