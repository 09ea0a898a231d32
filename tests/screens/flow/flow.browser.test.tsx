import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { editProject } from '#data/actions/projects.ts';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import { FlowPage } from '#screens/flow/flow-page.tsx';
import { FormPreview } from '#screens/flow/form-preview.tsx';
import { LoadFormsContext } from '#screens/flow/form/needs-task-forms.tsx';
import { paths } from '#protocol/paths.ts';
import { taskFormsScript } from '#server/domain/workflow/forms.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { turns } from '../../support/device.ts';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  harvestTask,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const FLOW = 'AppBuilders_Android_GooglePlay_Flow';
const HERE = `/flow/${FLOW}/${harvestApp}`;
const idOf = (number: number): string =>
  `0197c1e0-0000-7000-9000-${String(number).padStart(12, '0')}`;

/** The server's own script, run as a browser would. */
const script = (): Promise<unknown> => {
  const blob = new Blob([taskFormsScript()], { type: 'text/javascript' });
  return import(/* webpackIgnore: true */ URL.createObjectURL(blob)) as Promise<unknown>;
};

interface Visit {
  readonly viewer?: string;
  readonly held?: Shelf;
  readonly at?: string;
  readonly load?: (again: number) => Promise<unknown>;
  /** What happened before the page was opened. */
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  viewer = builder,
  held = shelf,
  at = HERE,
  load = script,
  prepare = () => Promise.resolve(),
}: Visit = {}) {
  const { surroundings, pass } = testSurroundings();
  const app = await openStore(viewer, held);
  await prepare(app);
  const routes = [
    { path: '/flow/:flow/:productId', element: <FlowPage /> },
    { path: '/form/:form', element: <FormPreview /> },
    { path: '*', element: <p>elsewhere</p> },
  ].map(({ path, element }) => ({
    path,
    element: (
      <>
        {element}
        <Address />
      </>
    ),
  }));
  const page = (
    <LoadFormsContext.Provider value={load}>
      <Around store={app} surroundings={surroundings} routes={routes} at={at} />
    </LoadFormsContext.Provider>
  );
  const { unmount } = render(page);
  return { ...app, pass, again: () => (unmount(), render(page)) };
}

function Address() {
  return <output data-testid="address">{useLocation().pathname}</output>;
}
const address = () => screen.getByTestId('address').textContent;

/** The shelf with Harvest's product at `workflowState`, and the builder's task with `commands`. */
function at(workflowState: string | null, commands: readonly string[], more: Shelf = {}): Shelf {
  return {
    ...shelf,
    product: (shelf.product ?? []).map((product) => ({ ...product, workflowState })),
    userTask: (shelf.userTask ?? [])
      .filter(() => commands.length > 0)
      .map((task) => ({ ...task, status: workflowState, commands: [...commands] })),
    ...more,
  };
}

const step = (number: number, fields: Parameters<typeof record<'productTransition'>>[1] | object) =>
  record('productTransition', {
    id: idOf(number),
    product: harvestApp,
    transitionType: 1,
    workflowType: 1,
    ...fields,
  });

/** Lets everything under way come to its end. */
const settled = () => act(() => turns(3));

/** "Approve", given to Harvest's product with a comment. */
async function approve({ data, settle }: AppOverStore): Promise<void> {
  const task = data.find.one('userTask', harvestTask);
  if (task === null) throw new Error('There is no task');
  const names = { product: 'Android App to Google Play', project: 'Harvest' };
  await sendTaskCommand(data, task, 'Approve', 'Good', names);
  await settle();
}

const press = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const commands = () =>
  within(screen.getByRole('group', { name: 'Commands' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
const comment = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const write = (value: string) => {
  fireEvent.change(comment(), { target: { value } });
};

describe('the form of a step', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  describe('[domain 6.2] what it shows', () => {
    it('is the state, the fields of the form, what to do, and the commands of the task [R28]', async () => {
      await visit();
      expect(await screen.findByRole('heading', { level: 1, name: 'Approval' })).to.not.equal(null);
      await settled();
      expect(document.title).to.include('Approval – Harvest');
      const facts = screen.getByRole('complementary', { name: 'At a glance' });
      for (const text of ['Harvest', 'Songs of the field.', 'Scripture App', 'Berta Builder'])
        expect(within(facts).queryByText(text), text).to.not.equal(null);
      expect(screen.queryByRole('heading', { name: 'Decide on this request' })).to.not.equal(null);
      expect(commands()).to.deep.equal(['Approve', 'Hold', 'Reject']);
    });

    it('offers only what stands in the task', async () => {
      await visit({ held: at('Author Upload', ['Take Back']) });
      await screen.findByRole('heading', { level: 1, name: 'Author Upload' });
      expect(commands()).to.deep.equal(['Take Back']);
    });

    it('is the files of the newest build, of the types of the form, and the reviewers', async () => {
      const build = (number: number, dateCreated: string) =>
        record('productBuild', {
          id: idOf(number),
          product: harvestApp,
          success: true,
          dateCreated,
        });
      const file = (number: number, of: number, artifactType: string) =>
        record('productArtifact', {
          id: idOf(number),
          productBuild: idOf(of),
          product: harvestApp,
          artifactType,
          filename: `harvest-${artifactType}-${String(of)}`,
          fileSize: 4_200_000,
        });
      const reviewer = record('reviewer', {
        id: idOf(30),
        name: 'Rita',
        email: 'rita@lakeside.test',
        locale: 'fr-FR',
        project: harvest.id,
      });
      await visit({
        held: at('Verify and Publish', ['Approve', 'Reject'], {
          productBuild: [
            build(1, '2026-02-28T09:00:00.000Z'),
            build(2, '2026-03-01T09:00:00.000Z'),
          ],
          productArtifact: [file(10, 1, 'apk'), file(11, 2, 'apk'), file(12, 2, 'aab')],
          reviewer: [reviewer],
        }),
      });
      await screen.findByText('harvest-apk-2');
      expect(screen.queryByText('harvest-apk-1')).to.equal(null);
      expect(screen.getAllByText('4.2 MB')).to.have.length(2);
      expect(screen.queryByText('rita@lakeside.test')).to.not.equal(null);
    });

    it('says that there are no files and no reviewers, with the way to name some', async () => {
      await visit({ held: at('Verify and Publish', ['Approve']) });
      expect(await screen.findByText('No files yet')).to.not.equal(null);
      const toProject = screen.getByRole('link', { name: 'To the project page' });
      expect(toProject.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
    });

    it('is what was said with the last step, by whom, and how long the step waits', async () => {
      const past = [
        step(1, { transitionType: 2, dateTransition: '2026-02-20T09:00:00.000Z' }),
        step(2, {
          initialState: 'Readiness Check',
          destinationState: 'Approval',
          command: 'Continue',
          comment: 'All rights are cleared.',
          workflowUserId: fellow,
          dateTransition: '2026-02-28T12:00:00.000Z',
        }),
        step(3, {
          transitionType: 5,
          initialState: 'Project Download',
          dateTransition: '2026-03-02T11:00:00.000Z',
        }),
      ];
      await visit({ held: { ...shelf, productTransition: past } });
      await screen.findByRole('heading', { level: 1, name: 'Approval' });
      await settled();
      const note = screen.getByRole('region', { name: 'Note from the last step' });
      expect(note.textContent).to.include('All rights are cleared.').and.include('Felix Fellow');
      expect(screen.getByText(/waiting for/).textContent).to.include('2 days');
    });

    it('corrects an address whose flow is another one [R61]', async () => {
      await visit({ at: `/flow/AppBuilders_Web_Flow/${harvestApp}` });
      await screen.findByRole('heading', { level: 1, name: 'Approval' });
      expect(address()).to.equal(HERE);
    });
  });

  describe('a command', () => {
    it('is given once, with the comment and the state that it was given in', async () => {
      const { again, recordedActions, server } = await visit();
      await screen.findByRole('button', { name: 'Approve' });
      write('Looks good');
      press('Approve');
      press('Approve');
      await settled();
      expect(recordedActions).to.have.length(1);
      expect(server.applied).to.have.length(1);
      expect(recordedActions[0]).to.deep.include({ did: 'add', type: 'taskCommand' });
      expect(recordedActions[0]?.fields).to.include({
        command: 'Approve',
        comment: 'Looks good',
        state: 'Approval',
      });
      again();
      await screen.findByRole('textbox');
      expect(comment().value).to.equal('');
    });

    it('that needs a comment is not given without: the box says so and takes the cursor', async () => {
      const { recordedActions } = await visit();
      await screen.findByRole('button', { name: 'Hold' });
      write('   ');
      press('Hold');
      expect(screen.queryByText(/^“Hold” needs a comment/)).to.not.equal(null);
      expect(document.activeElement).to.equal(comment());
      expect(recordedActions).to.deep.equal([]);
      write('The pictures');
      press('Hold');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Hold', comment: 'The pictures' });
    });

    it('that ends the request asks first', async () => {
      const { recordedActions } = await visit();
      await screen.findByRole('button', { name: 'Reject' });
      write('Not ours to publish');
      press('Reject');
      const dialog = screen.getByRole('dialog');
      expect(recordedActions).to.deep.equal([]);
      fireEvent.click(within(dialog).getByRole('button', { name: 'Reject' }));
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Reject' });
    });

    it('is given by keys after a line that asks, and never by Enter alone', async () => {
      const { recordedActions } = await visit();
      await screen.findByRole('button', { name: 'Approve' });
      fireEvent.keyDown(comment(), { key: 'Enter' });
      expect(screen.queryByRole('alertdialog')).to.equal(null);
      fireEvent.keyDown(comment(), { key: 'Enter', ctrlKey: true });
      expect(screen.getByRole('alertdialog').textContent).to.include('Approve');
      expect(recordedActions).to.deep.equal([]);
      press('Yes, go ahead');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Approve' });
    });

    it('waits on the device without a connection, says so, and can be undone', async () => {
      const { data } = await visit({
        prepare: async (app) => {
          await app.goOffline();
          // It waits behind a change that finds no connection, and so was not sent.
          await editProject(app.data, harvest, { description: 'Songs.' });
          await approve(app);
        },
      });
      expect(await screen.findByText('Will be sent: Approve')).to.not.equal(null);
      expect(screen.queryByRole('group', { name: 'Commands' })).to.equal(null);
      press('Undo');
      await settled();
      expect(data.changes.view().rows.map(({ says }) => says[0])).to.deep.equal([
        'changes.project.edit',
      ]);
      expect(comment().value).to.equal('Good');
    });

    it('that was done leads back to the tasks where the form says so', async () => {
      const { server } = await visit();
      await screen.findByRole('button', { name: 'Approve' });
      server.holds = (asked) => asked === paths.operations;
      press('Approve');
      await settled();
      expect(screen.queryByText('Sending: Approve …')).to.not.equal(null);
      server.letThrough();
      expect(await screen.findByText('Done: Approve')).to.not.equal(null);
      expect(address()).to.equal('/tasks');
    });

    it('that was done stays where the form says so, and cannot be given to the step that is over', async () => {
      const { setRecord } = await visit({ held: at('Synchronize Data', ['Continue']) });
      await screen.findByRole('button', { name: 'Continue' });
      press('Continue');
      await settled();
      expect(await screen.findByText('Done: Continue')).to.not.equal(null);
      expect(screen.queryByRole('button', { name: 'Continue' })).to.equal(null);
      await setRecord('product', harvestApp, { workflowState: 'Product Build' });
      expect(screen.queryByRole('heading', { level: 1, name: 'Product Build' })).to.not.equal(null);
      expect(address()).to.equal(HERE);
    });

    it('that someone else was faster with says who, and keeps the comment', async () => {
      const problem = {
        id: 'x',
        status: '409',
        code: 'workflow-state-changed',
        title: 'No',
      } as const;
      const done = step(1, {
        initialState: 'Approval',
        destinationState: 'Product Creation',
        command: 'Approve',
        workflowUserId: fellow,
        dateTransition: '2026-03-02T11:30:00.000Z',
      });
      await visit({
        held: { ...shelf, productTransition: [done] },
        prepare: async (app) => {
          app.server.refuse = () => [problem];
          await app.goOffline();
          await approve(app);
          await app.setRecord('product', harvestApp, { workflowState: 'Product Creation' });
          await app.dropRecord('userTask', harvestTask);
          await app.goOnline();
        },
      });
      expect(await screen.findByText('This step was already done by Felix Fellow.')).to.not.equal(
        null,
      );
      expect(screen.queryByText('You wrote: “Good”')).to.not.equal(null);
    });

    it('that was refused is in the box again, and gives way to the next one', async () => {
      const problem = {
        ...{ id: 'x', status: '422', code: 'invalid', title: 'No', meta: { rule: 'required' } },
        source: { pointer: '/data/attributes/comment' },
      } as const;
      const { data, server } = await visit({
        prepare: async (app) => {
          app.server.refuse = () => [problem];
          await approve(app);
        },
      });
      const states = () => data.changes.view().rows.map(({ state }) => state);
      expect(states()).to.deep.equal(['refused']);
      await screen.findByRole('button', { name: 'Approve' });
      expect(comment().value).to.equal('Good');
      expect(comment().getAttribute('aria-invalid')).to.equal('true');
      server.refuse = () => null;
      press('Approve');
      await settled();
      expect(states()).to.deep.equal(['done']);
    });

    it('that this device cannot keep leaves the comment where it is', async () => {
      const { storage } = await visit();
      await screen.findByRole('button', { name: 'Approve' });
      storage.fail({ at: 'put', name: 'UnknownError' });
      write('Looks good');
      press('Approve');
      expect(await screen.findByText('Not yet saved')).to.not.equal(null);
      expect(comment().value).to.equal('Looks good');
    });
  });

  describe('a comment', () => {
    it('is kept on the device until it is given', async () => {
      const { again } = await visit();
      await screen.findByRole('textbox');
      write('Half a thought');
      again();
      await screen.findByRole('textbox');
      expect(comment().value).to.equal('Half a thought');
    });

    it('says how much room is left when there is little', async () => {
      await visit();
      await screen.findByRole('textbox');
      expect(screen.queryByText(/characters left/)).to.equal(null);
      write('x'.repeat(3_990));
      expect(screen.queryByText(/10 characters left/)).to.not.equal(null);
    });
  });

  describe('for who has nothing to do', () => {
    it('says whom the step is waiting for, and leads to their next task [R57]', async () => {
      const ahead = step(1, {
        initialState: 'Approval',
        destinationState: 'Product Creation',
        command: 'Approve',
        allowedUserNames: 'Ada, Abe',
      });
      await visit({ viewer: fellow, held: { ...shelf, productTransition: [ahead] } });
      expect(await screen.findByText('This step is waiting for Ada, Abe.')).to.not.equal(null);
      expect(screen.queryByRole('textbox')).to.equal(null);
      expect(screen.queryByRole('link', { name: 'Next task' })).to.equal(null);
    });

    it('shows the build that runs, with its phase and its place', async () => {
      const build = record('productBuild', {
        id: idOf(1),
        product: harvestApp,
        buildId: 9,
        phase: 'active',
        queuePosition: 2,
      });
      await visit({ held: at('Product Build', [], { productBuild: [build] }) });
      expect(await screen.findByText(/at work · 2 ahead in the queue/)).to.not.equal(null);
      expect(screen.queryByText('Slipway is at work on this step.')).to.not.equal(null);
    });

    it('shows a published product with its address', async () => {
      const held = at(null, []);
      const [product] = held.product ?? [];
      if (product === undefined) throw new Error('The shelf has a product');
      const published = {
        ...product,
        datePublished: '2026-03-01T12:00:00.000Z',
        publishLink: 'https://store.test/harvest',
      };
      await visit({ held: { ...held, product: [published] } });
      expect(await screen.findByRole('heading', { level: 1, name: 'Published' })).to.not.equal(
        null,
      );
      expect(
        screen.getByRole('link', { name: 'https://store.test/harvest' }).getAttribute('rel'),
      ).to.include('noopener');
    });

    it('shows why a request was ended', async () => {
      const end = step(1, {
        initialState: 'Approval',
        destinationState: 'Terminated',
        command: 'Reject',
        comment: 'We do not own the songs.',
        workflowUserId: fellow,
        dateTransition: '2026-03-01T12:00:00.000Z',
      });
      await visit({ held: at(null, [], { productTransition: [end] }) });
      expect(await screen.findByRole('heading', { level: 1, name: 'Ended' })).to.not.equal(null);
      expect(screen.queryByText('We do not own the songs.')).to.not.equal(null);
    });

    it('rests with an archived project', async () => {
      const project = (shelf.project ?? []).map((one) => ({
        ...one,
        dateArchived: '2026-03-01T12:00:00.000Z',
      }));
      await visit({ held: { ...shelf, project } });
      expect(await screen.findByText(/This project is archived/)).to.not.equal(null);
      expect(screen.queryByRole('group', { name: 'Commands' })).to.equal(null);
    });
  });

  describe('that cannot be shown', () => {
    it('says so when the forms are not to be had, and tries again at another address [R28, R340]', async () => {
      const tries: number[] = [];
      const load = (again: number) => {
        tries.push(again);
        return again === 0 ? Promise.reject(new TypeError('no network')) : script();
      };
      await visit({ load });
      await screen.findByRole('heading', { name: 'The task forms could not be loaded' });
      press('Try again');
      await screen.findByRole('heading', { level: 1, name: 'Approval' });
      expect(tries).to.deep.equal([0, 1]);
    });

    it('says so when the forms are of a version that this one does not know', async () => {
      await visit({ load: () => Promise.resolve({ formatVersion: 2 }) });
      expect(await screen.findByRole('button', { name: 'Reload' })).to.not.equal(null);
    });

    it('is not on this device yet, without a connection', async () => {
      await visit({ at: `/flow/${FLOW}/${idOf(99)}`, prepare: (app) => app.goOffline() });
      expect(await screen.findByText('This is not on this device yet')).to.not.equal(null);
    });

    it('turns away who is neither of the team nor has something to do', async () => {
      const held = { ...shelf, groupMembership: [] };
      await visit({ viewer: fellow, held });
      await screen.findByText('elsewhere');
      expect(address()).to.equal('/');
    });
  });
});

describe('a form by itself', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const asSuperAdmin: Shelf = {
    ...shelf,
    userRole: [
      record('userRole', { id: idOf(60), user: builder, roleName: 'SuperAdmin', role: idOf(61) }),
    ],
  };

  it('is for super admins to look at [R28]', async () => {
    await visit({ at: '/form/web-verify', held: asSuperAdmin });
    await screen.findByRole('heading', { level: 1, name: 'Try it, then publish' });
    expect(screen.queryByText('html, pwa')).to.not.equal(null);
    for (const name of ['Approve', 'Reject', 'Email Reviewers'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled, name).to.equal(true);
  });

  it('is not found by anyone else, nor one that there is not', async () => {
    await visit({ at: '/form/web-verify' });
    expect(await screen.findByRole('heading', { level: 1, name: /not found/i })).to.not.equal(null);
    cleanup();
    await visit({ at: '/form/poem', held: asSuperAdmin });
    expect(await screen.findByRole('heading', { level: 1, name: /not found/i })).to.not.equal(null);
  });
});
