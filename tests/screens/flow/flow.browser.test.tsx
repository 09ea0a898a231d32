import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { editProject } from '#data/actions/projects.ts';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import type { ReleaseSaid } from '#data/actions/tasks.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { pressLetter } from '#screens/app/page/late/letters.ts';
import { FlowPage } from '#screens/flow/flow-page.tsx';
import { FormPreview } from '#screens/flow/form-preview.tsx';
import { LoadFormsContext } from '#screens/flow/form/needs-task-forms.tsx';
import type { Uploaded } from '#protocol/file-paths.ts';
import { paths } from '#protocol/paths.ts';
import { taskFormsScript } from '#server/domain/workflow/forms.ts';
import { BrowserNotifierContext } from '#ui/browser-notifier.ts';
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
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';
import { TestNotifier } from '../../support/test-notifier.ts';

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
  readonly uploads?: readonly Uploaded[];
  /** What happened before the page was opened. */
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  viewer = builder,
  held = shelf,
  at = HERE,
  load = script,
  uploads = [],
  prepare = () => Promise.resolve(),
}: Visit = {}) {
  const { surroundings, pass } = testSurroundings();
  const { files, opened } = stillFiles(uploads);
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
      <FilesContext.Provider value={files}>
        <BrowserNotifierContext.Provider value={new TestNotifier()}>
          <Around store={app} surroundings={surroundings} routes={routes} at={at} />
        </BrowserNotifierContext.Provider>
      </FilesContext.Provider>
    </LoadFormsContext.Provider>
  );
  const { unmount } = render(page);
  return { ...app, opened, pass, again: () => (unmount(), render(page)) };
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

/** A build of Harvest's product; the one with the highest number is the newest. */
const build = (number: number, fields: Partial<Of<'productBuild'>> = {}) =>
  record('productBuild', {
    id: idOf(number),
    product: harvestApp,
    success: true,
    dateCreated: `2026-03-01T0${String(number)}:00:00.000Z`,
    ...fields,
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

/** Lets everything under way come to its end. */
const settled = () => act(() => turns(3));

/** "Approve", given to Harvest's product with a comment. */
async function approve(
  { data, settle }: AppOverStore,
  release: ReleaseSaid | null = null,
): Promise<void> {
  const task = data.find.one('userTask', harvestTask);
  if (task === null) throw new Error('There is no task');
  const names = { product: 'Android App to Google Play', project: 'Harvest' };
  await sendTaskCommand(data, task, 'Approve', 'Good', names, release);
  await settle();
}

const press = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const commands = () =>
  within(screen.getByRole('group', { name: 'Commands' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
const comment = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: /^Comment/ });
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
      await screen.findByRole('heading', { level: 1, name: 'Author upload' });
      expect(commands()).to.deep.equal(['Take Back']);
    });

    it('that authors are to take says so to the owner, who can take it back', async () => {
      const ahead = step(1, {
        initialState: 'Author Upload',
        destinationState: 'Synchronize Data',
        command: 'Continue',
        allowedUserNames: 'Felix Fellow',
      });
      const held = at('Author Upload', ['Take Back'], { productTransition: [ahead] });
      await visit({ held });
      await screen.findByRole('heading', { level: 2, name: 'Waiting for Felix Fellow' });
      const instructions = screen.getByText('What the authors do').closest('details');
      expect(instructions?.open).to.equal(false);
      expect(commands()).to.deep.equal(['Take Back']);
      cleanup();
      await visit({ held: at('Author Upload', ['Continue', 'Take Back']) });
      await screen.findByRole('group', { name: 'Commands' });
      expect(screen.queryByRole('heading', { name: /^Waiting for/ })).to.equal(null);
      expect(document.querySelector('details')?.open).to.equal(true);
    });

    it('is the files of the newest build, of the types of the form, and the reviewers', async () => {
      const reviewer = record('reviewer', {
        id: idOf(30),
        name: 'Rita',
        email: 'rita@lakeside.test',
        locale: 'fr-FR',
        project: harvest.id,
      });
      await visit({
        held: at('Verify and Publish', ['Approve', 'Reject'], {
          productBuild: [build(1), build(2)],
          productArtifact: [file(10, 1, 'apk'), file(11, 2, 'apk'), file(12, 2, 'aab')],
          reviewer: [reviewer],
        }),
      });
      await screen.findByText('harvest-apk-2');
      expect(screen.queryByText('harvest-apk-1')).to.equal(null);
      expect(screen.getAllByText('4.2 MB')).to.have.length(2);
      expect(screen.queryByText('rita@lakeside.test')).to.not.equal(null);
      expect(screen.queryByText(/with “Email Reviewers”/)).to.not.equal(null);
    });

    it('says that there are no files and no reviewers, with the way to name some', async () => {
      await visit({ held: at('Verify and Publish', ['Approve']) });
      expect(await screen.findByText('No files yet')).to.not.equal(null);
      const toProject = screen.getByRole('link', { name: 'To the project page' });
      expect(toProject.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
      // There is no such button without them.
      expect(screen.queryByText(/with “Email Reviewers”/)).to.equal(null);
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

    it('is nothing that was said of an earlier build', async () => {
      const said = (number: number, minute: number, fields: object) =>
        step(number, { dateTransition: `2026-02-28T12:0${String(minute)}:00.000Z`, ...fields });
      const earlier = [
        said(1, 0, { transitionType: 2 }),
        said(2, 1, { command: 'Approve', comment: 'Looks fine.', workflowUserId: fellow }),
        said(3, 2, { transitionType: 3 }),
      ];
      const rebuild = [
        said(4, 3, { transitionType: 2, workflowType: 2 }),
        said(5, 4, { initialState: 'Product Rebuild', destinationState: 'Verify and Publish' }),
      ];
      const held = at('Verify and Publish', ['Approve', 'Reject']);
      const userTask = (held.userTask ?? []).map((task) => ({ ...task, comment: null }));
      await visit({ held: { ...held, userTask, productTransition: [...earlier, ...rebuild] } });
      await screen.findByRole('heading', { level: 1, name: 'Verify and publish' });
      await settled();
      expect(screen.queryByRole('region', { name: 'Note from the last step' })).to.equal(null);
      expect(screen.queryByText('Looks fine.')).to.equal(null);
    });

    it('corrects an address whose flow is another one [R61]', async () => {
      await visit({ at: `/flow/AppBuilders_Web_Flow/${harvestApp}` });
      await screen.findByRole('heading', { level: 1, name: 'Approval' });
      expect(address()).to.equal(HERE);
    });
  });

  describe('the content that a step is about', () => {
    const uploadAt = (at: string): Uploaded => ({
      number: 2,
      sizeBytes: 1_200_000,
      at,
      by: builder,
      filename: 'wrong.zip',
      isSample: false,
      tag: '"2.1200000"',
      restored: null,
      changes: null,
    });
    const BUNDLED = 'bundled:/repositories/7';
    const BEFORE = '2026-03-01T00:30:00.000Z';
    const AFTER = '2026-03-01T01:30:00.000Z';
    /** A step after the first build, with a repository of the bundled engine. */
    const bundled = (state: string, commands: readonly string[], more: Shelf = {}): Shelf =>
      at(state, commands, {
        project: [{ ...harvest, workflowProjectUrl: BUNDLED, location: BUNDLED }],
        ...more,
      });
    const built = (fields: Partial<Of<'productBuild'>> = {}): Shelf => ({
      productBuild: [build(1, { buildVersion: '1.2', ...fields })],
    });
    const content = () => screen.findByRole('region', { name: 'Repository' });

    it('stands in the task, with who brought it and the way to bring new', async () => {
      const uploads = [uploadAt(BEFORE)];
      await visit({ held: bundled('Synchronize Data', ['Continue']), uploads });
      const region = await content();
      await within(region).findByText('Version 2');
      for (const text of ['wrong.zip', 'Berta Builder'])
        expect(within(region).queryByText(text), text).to.not.equal(null);
      expect(within(region).queryByText('Choose a zip file')).to.not.equal(null);
      expect(screen.queryByText(/of the project page/)).to.equal(null);
    });

    it('has no address for people with the bundled engine, but the way to the project', async () => {
      await visit({ held: bundled('Synchronize Data', ['Continue']) });
      await content();
      const facts = within(screen.getByRole('complementary', { name: 'At a glance' }));
      expect(facts.getByRole('link', { name: 'To the project page' })).to.not.equal(null);
      expect(screen.queryByText(/bundled:/)).to.equal(null);
    });

    it('is no part of a step that decides or tries', async () => {
      await visit({ held: bundled('Verify and Publish', ['Approve']) });
      await screen.findByRole('group', { name: 'Commands' });
      expect(screen.queryByRole('region', { name: 'Repository' })).to.equal(null);
    });

    it('can be fetched by an author who has to before bringing new, and says what comes next', async () => {
      const held = bundled('Author Download', ['Continue'], {
        author: [record('author', { id: idOf(40), project: harvest.id, user: fellow })],
        userRole: [
          record('userRole', {
            id: idOf(41),
            user: fellow,
            organization: lakeside,
            roleName: 'Author',
            role: idOf(42),
          }),
        ],
      });
      const userTask = (held.userTask ?? []).map((task) => ({ ...task, user: fellow }));
      await visit({ viewer: fellow, held: { ...held, userTask }, uploads: [uploadAt(BEFORE)] });
      const region = await content();
      await within(region).findByRole('button', { name: 'Download version 2' });
      within(region).getByText('You can upload once you have continued.');
      expect(within(region).queryByText('Choose a zip file')).to.equal(null);
    });

    it('is asked about before it is built while there is none', async () => {
      const { recordedActions } = await visit({
        held: bundled('App Builder Configuration', ['New App', 'Transfer to Authors']),
      });
      await within(await content()).findByText(/Nothing has been uploaded yet/);
      press('New App');
      const question = screen.getByRole('dialog', { name: 'Build without content?' });
      fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(recordedActions).to.deep.equal([]);
      press('New App');
      press('Build anyway');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'New App' });
    });

    it('is asked about where it was built already, and given on to authors without', async () => {
      const held = bundled('Synchronize Data', ['Continue', 'Transfer to Authors'], built());
      const { recordedActions } = await visit({ held, uploads: [uploadAt(BEFORE)] });
      await within(await content()).findByText('Version 2');
      press('Continue');
      const question = screen.getByRole('dialog', { name: 'Build the same content again?' });
      within(question).getByText('Nothing was uploaded since version 1.2 was built.');
      fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
      press('Transfer to Authors');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Transfer to Authors' });
    });

    it('that failed to build is asked about with that, by keys too', async () => {
      const held = bundled('Synchronize Data', ['Continue'], built({ success: false }));
      await visit({ held, uploads: [uploadAt(BEFORE)] });
      await within(await content()).findByText('Version 2');
      fireEvent.keyDown(comment(), { key: 'Enter', ctrlKey: true });
      within(screen.getByRole('dialog')).getByText(/since the last build, which failed/);
    });

    it('is not left behind by a command while it is chosen and not uploaded', async () => {
      const held = bundled('Author Upload', ['Continue', 'Take Back']);
      const { recordedActions } = await visit({ held, uploads: [uploadAt(AFTER)] });
      const region = await content();
      await within(region).findByText('Version 2');
      const input = region.querySelector('input');
      if (input === null) throw new Error('There is no field');
      const file = new File(['PK\x03\x04 and more'], 'songs.zip');
      fireEvent.change(input, { target: { files: [file] } });
      await within(region).findByText('songs.zip');
      press('Continue');
      const question = screen.getByRole('dialog', { name: 'Go on without this file?' });
      within(question).getByText(/“songs.zip” has not been uploaded yet/);
      fireEvent.click(within(question).getByRole('button', { name: 'Cancel' }));
      expect(recordedActions).to.deep.equal([]);
      press('Take Back');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Take Back' });
    });

    it('is built without a question where it is new, and where it is not known', async () => {
      const held = bundled('Synchronize Data', ['Continue'], built());
      const { recordedActions } = await visit({ held, uploads: [uploadAt(AFTER)] });
      await within(await content()).findByText('Version 2');
      press('Continue');
      await settled();
      expect(recordedActions).to.have.length(1);
      cleanup();
      const away = await visit({ held, prepare: (app) => app.goOffline() });
      await content();
      press('Continue');
      await settled();
      expect(away.recordedActions).to.have.length(1);
    });
  });

  describe('the files of a step', () => {
    const toTry = (...types: readonly string[]): Shelf =>
      at('Verify and Publish', ['Approve'], {
        productBuild: [build(1)],
        productArtifact: types.map((type, index) => file(10 + index, 1, type)),
      });
    const download = (name: string) =>
      screen.findByRole<HTMLButtonElement>('button', { name: `Download ${name}` });

    it('are downloaded by one click on the name, or anywhere in the row', async () => {
      const { opened } = await visit({ held: toTry('apk', 'aab') });
      fireEvent.click(await download('harvest-apk-1'));
      await waitFor(() => {
        expect(opened).to.deep.equal([`save /api/product-artifacts/${idOf(10)}/content/link`]);
      });
      fireEvent.click(screen.getByRole('cell', { name: /^Type ?aab$/ }));
      await waitFor(() => {
        expect(opened[1]).to.equal(`save /api/product-artifacts/${idOf(11)}/content/link`);
      });
    });

    it('need a connection, which is said beside them', async () => {
      const { opened } = await visit({ held: toTry('apk'), prepare: (app) => app.goOffline() });
      const link = await download('harvest-apk-1');
      expect(link.disabled).to.equal(true);
      const tied = document.getElementById(link.getAttribute('aria-describedby') ?? '');
      expect(tied?.textContent).to.equal('Needs a connection');
      fireEvent.click(screen.getByRole('cell', { name: /^Type ?apk$/ }));
      await settled();
      expect(opened).to.deep.equal([]);
    });

    it('have a preview that one click opens, also where the step does not list it', async () => {
      const held = toTry('html', 'preview');
      const web = (shelf.workflowDefinition ?? []).map((workflow) => ({
        ...workflow,
        workflowBusinessFlow: 'AppBuilders_Web_Flow',
      }));
      const { opened } = await visit({
        held: { ...held, workflowDefinition: web },
        at: `/flow/AppBuilders_Web_Flow/${harvestApp}`,
      });
      await download('harvest-html-1');
      expect(screen.queryByRole('button', { name: 'Download harvest-preview-1' })).to.equal(null);
      press('Open preview');
      await waitFor(() => {
        expect(opened).to.deep.equal([`show /api/product-artifacts/${idOf(11)}/content/link`]);
      });
    });

    it('have the preview of the listing beside that of the app, each by its name', async () => {
      const { opened } = await visit({ held: toTry('apk', 'play-listing', 'preview') });
      await screen.findByRole('button', { name: 'Open preview' });
      press('Open listing preview');
      await waitFor(() => {
        expect(opened).to.deep.equal([`show /api/product-artifacts/${idOf(11)}/content/link`]);
      });
    });

    it('have no preview where the build made none', async () => {
      await visit({ held: toTry('apk') });
      await download('harvest-apk-1');
      expect(screen.queryByRole('button', { name: /preview/ })).to.equal(null);
    });
  });

  describe('after a build that failed', () => {
    const console = `/api/product-builds/${idOf(2)}/console`;
    const reason = 'The content is refused. index.md is damaged.';
    const failed = build(2, { success: false, error: reason, logUrl: console });
    const isSaidBy = (comment: string) =>
      step(5, {
        initialState: 'Product Build',
        destinationState: 'Synchronize Data',
        comment,
        dateTransition: '2026-03-02T11:00:00.000Z',
      });
    const afterFailure = (fields: Partial<Of<'productBuild'>> = {}, more: Shelf = {}): Shelf =>
      at('Synchronize Data', ['Continue', 'Transfer to Authors'], {
        productBuild: [build(1), { ...failed, ...fields }],
        productTransition: [isSaidBy(`system.build-failed,${console}`)],
        ...more,
      });
    const note = async () => {
      const found = await screen.findByRole('region', { name: 'Build failed' });
      // The history, which has the last word, arrives after the product.
      await settled();
      return found;
    };

    it('says as an error why it failed, with the end of the log and the way to all of it', async () => {
      const lines = Array.from({ length: 14 }, (_, line) => `line ${String(line + 1)}`);
      await visit({ held: afterFailure({ logTail: `${lines.join('\n')}\n` }) });
      const said = await note();
      expect(said.querySelector('.negative.message')?.textContent).to.include(reason);
      expect(within(said).queryByRole('button', { name: 'Copy: Why it failed' })).not.to.equal(
        null,
      );
      expect(said.querySelector('pre')?.textContent).to.equal(lines.slice(4).join('\n'));
      expect(screen.queryByRole('region', { name: 'Note from the last step' })).to.equal(null);
      expect(within(said).getByRole('link', { name: 'Open log' }).getAttribute('href')).to.equal(
        `/products/${harvestApp}/builds/${failed.id}/log`,
      );
    });

    it('says why also where there was nothing to build, and so no log', async () => {
      const error = 'The repository of the project is empty: upload its content, then build again.';
      const productTransition = [isSaidBy('system.build-failed')];
      await visit({ held: afterFailure({ error, logUrl: null }, { productTransition }) });
      const said = await note();
      expect(within(said).queryByText(error)).to.not.equal(null);
      expect(said.querySelector('pre')).to.equal(null);
      expect(within(said).queryByRole('link', { name: 'Open log' })).to.equal(null);
    });

    it('says nothing of a build that failed in an earlier workflow', async () => {
      const began = step(9, { transitionType: 2, dateTransition: '2026-03-02T11:30:00.000Z' });
      await visit({ held: afterFailure({}, { productTransition: [began] }) });
      await screen.findByRole('heading', { level: 1, name: 'Synchronize data' });
      await settled();
      expect(screen.queryByRole('region', { name: 'Build failed' })).to.equal(null);
    });

    it('offers to build again, with the comment that was typed', async () => {
      const { recordedActions } = await visit({ held: afterFailure() });
      const said = await note();
      write('Mended');
      fireEvent.click(within(said).getByRole('button', { name: 'Build again' }));
      await settled();
      expect(recordedActions).to.have.length(1);
      expect(recordedActions[0]?.fields).to.include({
        command: 'Continue',
        comment: 'Mended',
        state: 'Synchronize Data',
      });
      expect(screen.queryByRole('button', { name: 'Build again' })).to.equal(null);
    });

    it('builds again by the letter b too [screens 1.9]', async () => {
      const { recordedActions } = await visit({ held: afterFailure() });
      await note();
      pressLetter('b', { isPlace: false, isAdmin: false, go: () => undefined });
      await settled();
      expect(recordedActions.map(({ fields }) => fields.command)).to.deep.equal(['Continue']);
    });

    it('offers that to nobody who has no task, nor in an archived project', async () => {
      await visit({ viewer: fellow, held: { ...afterFailure(), userTask: [] } });
      await note();
      expect(screen.queryByRole('button', { name: 'Build again' })).to.equal(null);
      cleanup();
      const dateArchived = '2026-03-01T12:00:00.000Z';
      const project = (shelf.project ?? []).map((one) => ({ ...one, dateArchived }));
      await visit({ held: afterFailure({}, { project }) });
      await note();
      expect(screen.queryByRole('button', { name: 'Build again' })).to.equal(null);
    });

    it('goes on saying why while the work is with the authors, beside what the owner wrote', async () => {
      const transfer = step(6, {
        initialState: 'Synchronize Data',
        destinationState: 'Author Download',
        command: 'Transfer to Authors',
        comment: 'Please repair the first page.',
        workflowUserId: fellow,
        dateTransition: '2026-03-02T11:30:00.000Z',
      });
      const productTransition = [isSaidBy(`system.build-failed,${console}`), transfer];
      const synchronizing = afterFailure({}, { productTransition });
      const product = (synchronizing.product ?? []).map((one) => ({
        ...one,
        workflowState: 'Author Download',
      }));
      await visit({ held: { ...synchronizing, product } });
      expect(within(await note()).queryByText(reason)).to.not.equal(null);
      expect(
        screen.getByRole('region', { name: 'Note from the last step' }).textContent,
      ).to.include('Please repair the first page.');
      expect(screen.queryByRole('button', { name: 'Build again' })).to.equal(null);
    });

    it('says nothing of it any more while the next build runs', async () => {
      const held = at('Product Build', [], { productBuild: [failed, build(3, { success: null })] });
      await visit({ held });
      await screen.findByText('Slipway is working on this step.');
      expect(screen.queryByRole('region', { name: 'Build failed' })).to.equal(null);
    });

    it('leads to the page of the log without a connection too', async () => {
      await visit({ held: afterFailure(), prepare: (app) => app.goOffline() });
      expect(within(await note()).queryByRole('link', { name: 'Open log' })).to.not.equal(null);
    });
  });

  it('says as an error why a publication failed', async () => {
    const publication = record('productPublication', {
      id: idOf(7),
      product: harvestApp,
      productBuild: idOf(1),
      success: false,
      error: 'The store said no.',
      logUrl: `/api/product-publications/${idOf(7)}/console`,
    });
    const comment = `system.publish-failed,${publication.logUrl ?? ''}`;
    const failing = step(5, {
      initialState: 'Product Publish',
      destinationState: 'Synchronize Data',
      comment,
      dateTransition: '2026-03-02T11:00:00.000Z',
    });
    await visit({
      held: at('Synchronize Data', ['Continue'], {
        productBuild: [build(1)],
        productPublication: [publication],
        productTransition: [failing],
      }),
    });
    const said = await screen.findByRole('region', { name: 'Publish failed' });
    expect(await within(said).findByText('The store said no.')).to.not.equal(null);
    expect(said.querySelector('.negative.message')).to.not.equal(null);
    expect(within(said).getByRole('link', { name: 'Open log' }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/builds/${idOf(1)}/log?publication=${publication.id}`,
    );
  });

  describe('[domain 6.2] the version and the notes of a release', () => {
    const toVerify = (more: Shelf = {}) =>
      at('Verify and Publish', ['Approve', 'Reject'], {
        productBuild: [build(1, { buildVersion: '1.0' }), build(2, { buildVersion: '1.1' })],
        ...more,
      });
    const released = (number: number, of: number, fields: Partial<Of<'productPublication'>>) =>
      record('productPublication', {
        id: idOf(number),
        product: harvestApp,
        productBuild: idOf(of),
        success: true,
        dateCreated: `2026-03-01T0${String(of)}:30:00.000Z`,
        ...fields,
      });
    const version = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Version' });
    const notes = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'What is new' });
    const type = (box: HTMLElement, value: string) => {
      fireEvent.change(box, { target: { value } });
    };

    it('begin as those of the build, and go with the command that publishes', async () => {
      const { recordedActions } = await visit({ held: toVerify() });
      await screen.findByRole('button', { name: 'Approve' });
      expect([version().value, notes().value]).to.deep.equal(['1.1', '']);
      expect(screen.queryByText(/stays what the build gave it/)).to.not.equal(null);
      type(version(), '2.0');
      type(notes(), 'A search');
      press('Approve');
      await settled();
      expect(recordedActions[0]?.fields).to.include({
        ...{ command: 'Approve', releaseVersion: '2.0', releaseNotes: 'A search' },
      });
    });

    it('stay behind when something else is decided', async () => {
      const { recordedActions } = await visit({ held: toVerify() });
      await screen.findByRole('button', { name: 'Reject' });
      write('Not yet');
      press('Reject');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Reject' });
      expect(recordedActions[0]?.fields).to.not.have.any.keys('releaseVersion', 'releaseNotes');
    });

    it('stay typed when something else is done meanwhile', async () => {
      const held = toVerify();
      const userTask = (held.userTask ?? []).map((task) => ({
        ...{ ...task, commands: ['Approve', 'Reject', 'Email Reviewers'] },
      }));
      const { again, recordedActions } = await visit({ held: { ...held, userTask } });
      await screen.findByRole('button', { name: 'Email Reviewers' });
      type(version(), '2.0');
      type(notes(), 'Half a sen');
      write('Please look');
      press('Email Reviewers');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Email Reviewers' });
      again();
      await screen.findByRole('button', { name: 'Approve' });
      expect([version().value, notes().value, comment().value]).to.deep.equal([
        ...['2.0', 'Half a sen', ''],
      ]);
    });

    it('are asked for in no other step', async () => {
      await visit();
      await screen.findByRole('button', { name: 'Approve' });
      expect(screen.getAllByRole('textbox')).to.have.length(1);
    });

    it('are not asked for where the listing alone is published', async () => {
      const workflowDefinition = (shelf.workflowDefinition ?? []).map((one) => ({
        ...one,
        type: 3 as const,
      }));
      await visit({ held: toVerify({ workflowDefinition }) });
      await screen.findByRole('button', { name: 'Approve' });
      expect(screen.queryByRole('textbox', { name: 'Version' })).to.equal(null);
    });

    it('have the version of the build without being sent, cut to what fits', async () => {
      const productBuild = [build(1, { buildVersion: 'x'.repeat(60) })];
      const { recordedActions } = await visit({ held: toVerify({ productBuild }) });
      await screen.findByRole('button', { name: 'Approve' });
      expect(version().value).to.equal(`${'x'.repeat(49)}…`);
      press('Approve');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ command: 'Approve' });
      expect(recordedActions[0]?.fields).to.not.have.any.keys('releaseVersion', 'releaseNotes');
    });

    it('are kept as a draft, emptied ones too', async () => {
      const { again } = await visit({ held: toVerify() });
      await screen.findByRole('button', { name: 'Approve' });
      type(version(), '');
      type(notes(), 'Half a sen');
      again();
      await screen.findByRole('button', { name: 'Approve' });
      expect([version().value, notes().value]).to.deep.equal(['', 'Half a sen']);
    });

    it('are those of a release that failed, which is tried again', async () => {
      const productPublication = [
        released(7, 1, { releaseVersion: '1.0', releaseNotes: 'Songs' }),
        released(8, 2, { success: false, releaseNotes: 'A search' }),
      ];
      await visit({ held: toVerify({ productPublication }) });
      await screen.findByDisplayValue('A search');
    });

    it('are not those of a roll back that failed', async () => {
      const productPublication = [
        released(7, 1, { releaseVersion: '1.0', releaseNotes: 'Songs' }),
        released(8, 2, { releaseVersion: '1.1', releaseNotes: 'A search' }),
        {
          ...released(9, 1, { success: false, releaseNotes: 'Songs' }),
          ...{ dateCreated: '2026-03-01T09:30:00.000Z' },
        },
      ];
      await visit({ held: toVerify({ productPublication }) });
      await screen.findByRole('button', { name: 'Insert the last notes' });
      expect(notes().value).to.equal('');
    });

    it('are warned of where a release from before had the version as its build’s', async () => {
      const productPublication = [released(7, 1, {})];
      await visit({ held: toVerify({ productPublication }) });
      await screen.findByRole('button', { name: 'Approve' });
      type(version(), '1.0');
      expect(screen.queryByText(/already published as version 1.0/)).to.not.equal(null);
    });

    it('can be the last ones, and a version that another build has is warned of', async () => {
      const productPublication = [released(7, 1, { releaseVersion: '1.0', releaseNotes: 'Songs' })];
      const { recordedActions } = await visit({ held: toVerify({ productPublication }) });
      await screen.findByRole('button', { name: 'Insert the last notes' });
      type(notes(), 'My own');
      expect(screen.queryByRole('button', { name: 'Insert the last notes' })).to.equal(null);
      type(notes(), ' ');
      press('Insert the last notes');
      expect(notes().value).to.equal('Songs');
      expect(document.activeElement).to.equal(notes());
      expect(screen.queryByRole('button', { name: 'Insert the last notes' })).to.equal(null);
      expect(screen.queryByText(/already published as version/)).to.equal(null);
      type(version(), '1.0 ');
      expect(screen.queryByText(/already published as version 1.0/)).to.not.equal(null);
      press('Approve');
      await settled();
      expect(recordedActions[0]?.fields).to.include({ releaseNotes: 'Songs' });
    });

    it('are not sent with more lines than fit', async () => {
      const { recordedActions } = await visit({ held: toVerify() });
      await screen.findByRole('button', { name: 'Approve' });
      type(notes(), 'x\n'.repeat(40) + 'x');
      expect(screen.queryByText('At most 40 lines fit.')).to.not.equal(null);
      press('Approve');
      await settled();
      expect(recordedActions).to.deep.equal([]);
      expect(document.activeElement).to.equal(notes());
    });

    it('wait with the command without a connection, and come back when it is undone', async () => {
      await visit({
        held: toVerify(),
        prepare: async (app) => {
          await app.goOffline();
          await editProject(app.data, harvest, { description: 'Songs.' });
          await approve(app, { version: '2.0', notes: 'A search' });
        },
      });
      await screen.findByText('Will be sent: Approve');
      press('Undo');
      await settled();
      expect([version().value, notes().value, comment().value]).to.deep.equal([
        ...['2.0', 'A search', 'Good'],
      ]);
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
      expect(await screen.findByText('Approved')).to.not.equal(null);
      await waitFor(() => {
        expect(address()).to.equal('/tasks');
      });
    });

    it('that was done stays where the form says so, and cannot be given to the step that is over', async () => {
      const { setRecord } = await visit({ held: at('Synchronize Data', ['Continue']) });
      await screen.findByRole('button', { name: 'Continue' });
      press('Continue');
      await settled();
      expect(await screen.findByText('Step completed')).to.not.equal(null);
      expect(screen.queryByRole('button', { name: 'Continue' })).to.equal(null);
      await setRecord('product', harvestApp, { workflowState: 'Product Build' });
      expect(screen.queryByRole('heading', { level: 1, name: 'Product build' })).to.not.equal(null);
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

  describe('has the way to the next task', () => {
    const others = [401, 402].map((number) => ({
      product: record('product', {
        id: idOf(number),
        project: harvest.id,
        productDefinition: shelf.productDefinition?.[0]?.id ?? '',
        workflowState: 'Approval',
      }),
      task: record('userTask', {
        id: idOf(number + 10),
        user: builder,
        product: idOf(number),
        status: 'Approval',
        commands: ['Approve', 'Hold', 'Reject'],
        dateUpdated: `2026-03-0${String(number - 400)}T09:00:00.000Z`,
      }),
    }));
    const withOthers = (held: Shelf): Shelf => ({
      ...held,
      product: [...(held.product ?? []), ...others.map(({ product }) => product)],
      userTask: [...(held.userTask ?? []), ...others.map(({ task }) => task)],
    });
    const next = () => screen.queryByRole('link', { name: 'Next task' })?.getAttribute('href');

    it('before this one is done, in the order of My tasks, and from the last on the first', async () => {
      await visit({ held: withOthers(shelf) });
      await screen.findByRole('button', { name: 'Approve' });
      expect(next()).to.equal(`/flow/${FLOW}/${idOf(401)}`);
      cleanup();
      await visit({ held: withOthers(shelf), at: `/flow/${FLOW}/${idOf(402)}` });
      await screen.findByRole('button', { name: 'Approve' });
      expect(next()).to.equal(HERE);
    });

    it('once it is done, also while that waits to be sent, past what was done before', async () => {
      const held = withOthers(at('App Store Preview', ['Approve', 'Reject']));
      const { data, goOffline, settle } = await visit({ held });
      await goOffline();
      const task = data.find.one('userTask', idOf(411));
      const names = { product: 'Android App to Google Play', project: 'Harvest' };
      if (task !== null) await sendTaskCommand(data, task, 'Approve', '', names);
      await settle();
      await screen.findByRole('button', { name: 'Approve' });
      press('Approve');
      await settle();
      expect(await screen.findByText('Will be sent: Approve')).to.not.equal(null);
      expect(next()).to.equal(`/flow/${FLOW}/${idOf(402)}`);
    });

    it('or says that none is left, with the way to all of them', async () => {
      await visit({ held: at('App Store Preview', ['Approve', 'Reject']) });
      await screen.findByRole('button', { name: 'Approve' });
      expect(screen.queryByText('Nothing else is waiting for you.')).to.equal(null);
      press('Approve');
      await settled();
      const none = await screen.findByText(/^Nothing else is waiting for you\./);
      const link = within(none).getByRole('link', { name: 'My tasks' });
      expect(link.getAttribute('href')).to.equal('/tasks');
    });

    it('among those that the filters of My tasks left in sight, which it takes along', async () => {
      const toDo = { status: 'Readiness Check', commands: ['Continue'] };
      const held = withOthers(at('App Store Preview', ['Approve', 'Reject']));
      const userTask = (held.userTask ?? []).map((task) =>
        task.id === idOf(411) ? { ...task, ...toDo } : task,
      );
      await visit({ held: { ...held, userTask }, at: `${HERE}?status=to-approve` });
      await screen.findByRole('button', { name: 'Approve' });
      expect(next()).to.equal(`/flow/${FLOW}/${idOf(402)}?status=to-approve`);
      const trail = within(screen.getByRole('navigation', { name: 'You are here' }));
      expect(trail.getByRole('link', { name: 'My tasks' }).getAttribute('href')).to.equal(
        '/tasks?status=to-approve',
      );
    });

    it('or says that none of those is left, while others wait', async () => {
      const held = withOthers(at('App Store Preview', ['Approve', 'Reject']));
      await visit({ held, at: `${HERE}?language=nowhere` });
      await screen.findByRole('button', { name: 'Approve' });
      expect(next()).to.equal(undefined);
      press('Approve');
      await settled();
      const none = await screen.findByText(/^Nothing else that matches your filters/);
      const link = within(none).getByRole('link', { name: 'My tasks' });
      expect(link.getAttribute('href')).to.equal('/tasks?language=nowhere');
    });
  });

  describe('for who has nothing to do', () => {
    it('says whom the step is waiting for [R57]', async () => {
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
      const running = build(1, { success: null, buildId: 9, phase: 'active', queuePosition: 2 });
      await visit({ held: at('Product Build', [], { productBuild: [running] }) });
      await screen.findByRole('button', { name: 'Tell me when it is done' });
      const phase = await screen.findByText(/in progress/);
      expect(phase.textContent).to.include('in progress 2 ahead in the queue');
      expect(screen.queryByText('Slipway is working on this step.')).to.not.equal(null);
    });

    it('says how long the build has taken so far, and how long those before it took', async () => {
      const took = [21, 15, 12].map((seconds, n) =>
        build(n + 2, {
          dateStarted: '2026-02-01T10:00:00.000Z',
          dateFinished: `2026-02-01T10:00:${String(seconds)}.000Z`,
        }),
      );
      const dateStarted = '2026-03-01T01:00:00.000Z';
      const running = build(1, { success: null, buildId: 9, phase: 'active', dateStarted });
      await visit({ held: at('Product Build', [], { productBuild: [running, ...took] }) });
      const told = await screen.findByText(/^So far:/);
      expect(told.textContent).to.match(/^So far: .+ usually 0:15$/);
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

    it('shows no address of ours of what is published in a private project', async () => {
      const { product: [product] = [], ...held } = at(null, []);
      if (product === undefined) throw new Error('The shelf has a product');
      const publishLink = `${location.origin}/downloads/products/${harvestApp}/files/published/html`;
      const published = { ...product, datePublished: '2026-03-01T12:00:00.000Z', publishLink };
      const project = [{ ...harvest, isPublic: false }];
      await visit({ held: { ...held, project, product: [published] } });
      await screen.findByText('Published, not reachable while the project is private');
      expect(screen.queryByRole('link', { name: publishLink })).to.equal(null);
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
