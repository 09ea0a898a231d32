import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { ContentChanges, Uploaded } from '#protocol/file-paths.ts';
import { useRecord } from '#data/react/hooks.ts';
import { createProject } from '#data/actions/projects.ts';
import type { FilesEnvironment, FileResponse, Sending } from '#files/environment.ts';
import { createFiles, FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { pressLetter } from '#screens/app/page/late/letters.ts';
import { RepositoryPanel } from '#screens/projects/repository-panel.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { LANGUAGES, speak } from '#ui/text/text.ts';
import type { Language } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const upload = (number: number, fields: Partial<Uploaded> = {}): Uploaded => ({
  number,
  sizeBytes: 1_200_000,
  at: '2026-03-01T12:00:00.000Z',
  by: builder,
  filename: 'harvest.zip',
  isSample: false,
  tag: `"${number}.1200000"`,
  restored: null,
  changes: null,
  ...fields,
});

interface Given {
  readonly viewer?: string;
  readonly project?: Partial<Of<'project'>>;
  readonly more?: Shelf;
  /** What happens before the panel opens: gives the project that it is about, if it is another. */
  readonly prepare?: (app: AppOverStore) => Promise<string | null>;
  readonly uploads?: readonly Uploaded[];
  /** What differs between two versions, by the end of the address that asks for it. */
  readonly comparisons?: Readonly<Record<string, ContentChanges>>;
  /** The server fails to say what was uploaded. */
  readonly failing?: FileResponse;
}

/** The panel beside a server that says what the test wants. */
async function visit({
  viewer = builder,
  project = {},
  more = {},
  prepare,
  uploads,
  ...given
}: Given = {}) {
  let listed: readonly Uploaded[] = uploads ?? [];
  const sent: (Sending & { readonly answer: (heard: FileResponse) => void })[] = [];
  const asked: string[] = [];
  const opened: string[] = [];
  const overs: string[] = [];
  let failing = given.failing ?? null;
  let failingOnce: FileResponse | null = null;
  const environment: FilesEnvironment = {
    accessToken: () => Promise.resolve('token'),
    fetch: (address, { method, headers }) => {
      asked.push(`${method ?? ''} ${address}`);
      const over = new Headers(headers).get('If-Match');
      if (over !== null) overs.push(over);
      const failure = over === null ? failing : (failingOnce ?? failing);
      if (over !== null) failingOnce = null;
      if (failure !== null)
        return Promise.resolve(new Response(failure.text, { status: failure.status }));
      const link = { url: 'http://localhost/files/t/x.zip', filename: 'x.zip' };
      const [, compared] = /\/uploads\/(.*\/changes\/.*)$/.exec(address) ?? [];
      const listing = address.endsWith('/link') ? link : { uploads: listed };
      const value = compared === undefined ? listing : given.comparisons?.[compared];
      return Promise.resolve(new Response(JSON.stringify(value)));
    },
    put: (sending) =>
      new Promise((done, fail) => {
        sending.signal.addEventListener('abort', () => {
          fail(new Error('broken off'));
        });
        sent.push({ ...sending, answer: done });
      }),
    open: (address, how) => opened.push(`${how} ${address}`),
    holdTab: () => () => undefined,
    abortAfter: () => new AbortController().signal,
    after: () => () => undefined,
    isVisible: () => true,
    onVisible: () => () => undefined,
  };
  const held: Shelf = {
    ...shelf,
    project: [{ ...harvest, workflowProjectUrl: 'bundled:/repositories/7', ...project }],
    ...more,
  };
  const app = await openStore(viewer, held);
  const id = (await prepare?.(app)) ?? harvest.id;
  const { surroundings } = testSurroundings();
  const routes = [{ path: '/', element: <Shown id={id} /> }];
  const files = createFiles(environment);
  render(
    <FilesContext.Provider value={files}>
      <Around store={app} surroundings={surroundings} routes={routes} at="/" />
    </FilesContext.Provider>,
  );
  // The server's answer arrives that the panel asked for when it came.
  await app.settle();
  return {
    ...app,
    sent,
    asked,
    /** What requests said that they replace. */
    overs,
    opened,
    /** The next request that replaces something is answered so. */
    failOnceWith: (heard: FileResponse) => {
      failingOnce = heard;
    },
    list: (next: readonly Uploaded[]) => {
      listed = next;
    },
    failWith: (heard: FileResponse | null) => {
      failing = heard;
    },
  };
}

function Shown({ id }: { readonly id: string }) {
  const { record: project } = useRecord('project', id);
  return project === null ? null : <RepositoryPanel project={project} onKnown={() => undefined} />;
}

const goOffline = async (app: AppOverStore) => {
  await app.goOffline();
  return null;
};
const panel = () => screen.getByRole('region', { name: 'Repository' });
const says = (text: RegExp | string) => within(panel()).queryAllByText(text).length > 0;
const button = (name: RegExp | string) =>
  within(panel()).queryByRole<HTMLButtonElement>('button', { name });
const press = (name: RegExp | string) => {
  const found = button(name);
  if (found === null) throw new Error(`There is no button ${String(name)}`);
  fireEvent.click(found);
};
const zip = (name = 'songs.zip') => new File(['PK\x03\x04 and more'], name);
const choose = async (file: File) => {
  const input = panel().querySelector('input');
  if (input === null) throw new Error('There is no field');
  fireEvent.change(input, { target: { files: [file] } });
  await waitFor(() => {
    expect(says(file.name)).to.equal(true);
  });
};
const refused = (code: string, meta: object = {}, status = 422): FileResponse => ({
  status,
  text: JSON.stringify({ errors: [{ id: '1', status: String(status), code, title: code, meta }] }),
});
const whenSent = async (sent: readonly unknown[], count: number) => {
  await waitFor(() => {
    expect(sent).to.have.length(count);
  });
};
const authorRow = (canUpload: boolean) => ({
  author: [record('author', { id: idOf(1000), user: fellow, project: harvest.id, canUpload })],
  groupMembership: (shelf.groupMembership ?? []).filter(({ user }) => user !== fellow),
  userRole: [
    record('userRole', {
      id: idOf(1001),
      user: fellow,
      organization: lakeside,
      roleName: 'Author',
      role: idOf(1002),
    }),
  ],
});

describe('[8.1] the repository of a project [R117]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('shows what is there now, from whom, and what was there before', async () => {
    const older = [upload(2, { by: fellow }), upload(1, { isSample: true, filename: null })];
    await visit({ uploads: [upload(3), ...older] });
    expect(panel().textContent).to.match(/Version 3harvest\.zip1\.2 MB1 day.*Berta Builder/);
    expect(says('2 older versions')).to.equal(true);
    expect(within(panel()).queryAllByRole('listitem').at(1)?.textContent).to.match(
      /Version 1Sample/,
    );
  });

  it('downloads each of them by its link', async () => {
    const { asked, opened, failWith } = await visit({ uploads: [upload(2), upload(1)] });
    press('Download version 1');
    await waitFor(() => {
      expect(opened).to.deep.equal(['save http://localhost/files/t/x.zip']);
    });
    expect(asked.at(-1)).to.equal(`GET /api/projects/${harvest.id}/repository/uploads/1/link`);
    failWith(refused('forbidden', {}, 403));
    press('Download version 2');
    await screen.findByText('You are not allowed to do that');
    expect(opened).to.have.length(1);
  });

  it('uploads a zip and tells how far it is', async () => {
    const { sent, list } = await visit({ uploads: [upload(1)] });
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    expect(sent[0]?.headers['If-Match']).to.equal('"1.1200000"');
    act(() => sent[0]?.onProgress(4));
    const bar = within(panel()).getByRole<HTMLProgressElement>('progressbar');
    expect([bar.value, bar.max]).to.deep.equal([4, zip().size]);
    act(() => sent[0]?.onProgress(zip().size));
    expect(says('The server is checking the file …')).to.equal(true);
    list([upload(2, { filename: 'songs.zip' }), upload(1)]);
    sent[0]?.answer({ status: 204, text: '' });
    await screen.findByText('Uploaded: songs.zip');
    await within(panel()).findByText('Version 2');
    expect(button('Choose a zip file')).not.to.equal(null);
  });

  it('asks for a file by the letter f too, of whoever may upload [screens 1.9]', async () => {
    const asked: EventTarget[] = [];
    const onClick = (event: Event) => {
      if (!(event.target instanceof HTMLInputElement)) return;
      event.preventDefault();
      asked.push(event.target);
    };
    document.addEventListener('click', onClick);
    const press = () => {
      pressLetter('f', { isPlace: false, isAdmin: false, go: () => undefined });
    };
    await visit();
    press();
    expect(asked).to.have.length(1);
    cleanup();
    await visit({ viewer: fellow });
    press();
    document.removeEventListener('click', onClick);
    expect(asked).to.have.length(1);
  });

  it('takes what is dropped on it', async () => {
    await visit();
    const place = button('Choose a zip file')?.parentElement;
    if (place === null || place === undefined) throw new Error('There is no place to drop');
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(zip());
    act(() => {
      place.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer }));
    });
    await within(panel()).findByText('songs.zip');
    expect(button('Upload')?.disabled).to.equal(false);
  });

  describe('a file over the page', () => {
    const drag = (
      kind: string,
      files: readonly File[],
      init: DragEventInit = {},
      on: Element | null = null,
    ) => {
      const dataTransfer = new DataTransfer();
      for (const file of files) dataTransfer.items.add(file);
      const event = new DragEvent(kind, {
        ...{ bubbles: true, cancelable: true, dataTransfer },
        ...init,
      });
      act(() => {
        (on ?? document.body).dispatchEvent(event);
      });
      return event;
    };
    const GOES_WHERE = 'Drop the zip file to upload it to “Harvest”';

    it('is told where it goes, and is chosen where it is dropped', async () => {
      await visit();
      expect(drag('dragover', [zip()]).defaultPrevented).to.equal(true);
      expect(says(GOES_WHERE)).to.equal(true);
      drag('dragleave', [zip()], { relatedTarget: panel() });
      expect(says(GOES_WHERE)).to.equal(true);
      drag('dragleave', [zip()]);
      expect(says(GOES_WHERE)).to.equal(false);
      drag('dragover', [zip()]);
      expect(drag('drop', [zip()]).defaultPrevented).to.equal(true);
      await within(panel()).findByText('songs.zip');
      expect(says(GOES_WHERE)).to.equal(false);
      expect(button('Upload')?.disabled).to.equal(false);
    });

    it('is refused as a file is that was chosen', async () => {
      await visit();
      drag('drop', [new File(['A text'], 'notes.txt')]);
      await within(panel()).findByText(/It is not a zip file/);
      expect(button('Upload')).to.equal(null);
    });

    it('is not guessed among several', async () => {
      await visit();
      drag('drop', [zip(), zip('tales.zip')]);
      await within(panel()).findByText(/Several files were dropped/);
      expect(button('Upload')).to.equal(null);
      press('Cancel');
      drag('drop', [zip(), zip('tales.zip')], {}, button('Choose a zip file'));
      await within(panel()).findByText(/Several files were dropped/);
    });

    it('waits until another one is up', async () => {
      const { sent } = await visit();
      await choose(zip());
      press('Upload');
      await whenSent(sent, 1);
      drag('dragover', [zip('tales.zip')]);
      expect(says('Finish or cancel the present upload first')).to.equal(true);
      expect(drag('drop', [zip('tales.zip')]).defaultPrevented).to.equal(true);
      expect(says('tales.zip')).to.equal(false);
    });

    it('is nothing to those who may not upload, nor is dragged text', async () => {
      await visit();
      expect(drag('dragover', []).defaultPrevented).to.equal(false);
      cleanup();
      await visit({ viewer: fellow, more: authorRow(false) });
      expect(drag('dragover', [zip()]).defaultPrevented).to.equal(false);
      expect(says(GOES_WHERE)).to.equal(false);
    });
  });

  it('can break an upload off, which keeps the choice', async () => {
    const { sent } = await visit();
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    press('Cancel');
    expect(sent[0]?.signal.aborted).to.equal(true);
    expect(says('songs.zip')).to.equal(true);
    press('Cancel');
    expect(button('Choose a zip file')).not.to.equal(null);
  });

  it('says why a zip was not taken, and which entry shows it', async () => {
    const { sent } = await visit();
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    sent[0]?.answer(refused('invalid', { rule: 'shape', reason: 'path', entry: '../x' }));
    const alert = await within(panel()).findByText(/leads out of it/);
    expect(alert.textContent).to.match(/In the zip: \.\.\/x/);
    expect(button('Try again')).to.equal(null);
    expect(button('Choose another file')).not.to.equal(null);
  });

  it('takes another file at once in place of one that was refused', async () => {
    const { sent } = await visit();
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    sent[0]?.answer(refused('invalid', { rule: 'shape', reason: 'path', entry: '../x' }));
    await within(panel()).findByText(/leads out of it/);
    const input = document.querySelector<HTMLInputElement>('.repository-chosen input');
    let opened = 0;
    input?.addEventListener('click', () => {
      opened += 1;
    });
    press('Choose another file');
    expect(opened).to.equal(1);
    fireEvent.change(input ?? document.body, { target: { files: [zip('tales.zip')] } });
    await within(panel()).findByText('tales.zip');
    expect(button('Upload')).not.to.equal(null);
    expect(says('songs.zip')).to.equal(false);
    expect(document.activeElement).to.equal(button('Cancel'));
  });

  it('sends the same file again after a break in the network', async () => {
    const { sent } = await visit();
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    sent[0]?.answer({ status: 502, text: 'Bad gateway' });
    await within(panel()).findByText(/The server did not answer/);
    press('Try again');
    await whenSent(sent, 2);
    expect(sent[1]?.body).to.equal(sent[0]?.body);
  });

  it('does not replace unseen what somebody else has uploaded', async () => {
    const { sent, list } = await visit({ uploads: [upload(1)] });
    await choose(zip());
    press('Upload');
    await whenSent(sent, 1);
    list([upload(2, { by: fellow }), upload(1)]);
    sent[0]?.answer(refused('precondition-failed', {}, 412));
    await within(panel()).findByText(/^Someone uploaded version 2 in the meantime/);
    press('Try again');
    await whenSent(sent, 2);
    expect(sent[1]?.headers['If-Match']).to.equal('"2.1200000"');
  });

  it('says before that published products are built anew', async () => {
    const [first] = shelf.product ?? [];
    if (first === undefined) throw new Error('The shelf lacks a product');
    const more = { product: [{ ...first, datePublished: '2026-01-01T00:00:00.000Z' }] };
    await visit({ more });
    await choose(zip());
    expect(says(/^Automatic builds are on/)).to.equal(true);
    cleanup();
    await visit({ more, project: { automaticBuilds: false } });
    await choose(zip());
    expect(says(/^Automatic builds are on/)).to.equal(false);
  });

  it('refuses what is no zip without sending it', async () => {
    const { sent } = await visit();
    await choose(new File(['A text'], 'notes.txt'));
    expect(says(/It is not a zip file/)).to.equal(true);
    expect(button('Upload')).to.equal(null);
    expect(sent).to.deep.equal([]);
  });

  it('starts from a sample while nothing is there', async () => {
    const { asked, list } = await visit();
    expect(says(/^Nothing has been uploaded yet/)).to.equal(true);
    list([upload(1, { isSample: true, filename: null })]);
    press('Start from a sample');
    await screen.findByText('Sample content added');
    expect(asked).to.include(`POST /api/projects/${harvest.id}/repository/sample`);
    await within(panel()).findByText('Version 1');
    expect(button('Start from a sample')).to.equal(null);
  });

  it('looks again when the history of a product tells of an upload', async () => {
    const product = shelf.product?.[0]?.id ?? null;
    const access = { id: idOf(1004), product, initialState: 'Project Upload' };
    const looks = ({ asked }: { readonly asked: readonly string[] }) =>
      asked.filter((one) => one.endsWith('/repository/uploads'));
    expect(looks(await visit())).to.have.length(1);
    cleanup();
    const more = {
      productTransition: [record('productTransition', { ...access, transitionType: 5 })],
    };
    expect(looks(await visit({ more }))).to.have.length(2);
  });

  describe('what changed with a version', () => {
    const HARVESTED: ContentChanges = {
      ...{ added: 2, changed: 1, removed: 0 },
      files: [
        { path: 'mill.md', is: 'added', sizeBytes: 1_100 },
        { path: 'field.md', is: 'changed', sizeBytes: 2_200 },
      ],
    };
    const unfold = (summary: string) => {
      fireEvent.click(within(panel()).getByText(summary));
    };

    it('is counted on its line, and unfolds into the files', async () => {
      const { asked } = await visit({
        uploads: [
          upload(3, { changes: { added: 2, changed: 1, removed: 0 } }),
          upload(2, { changes: { added: 0, changed: 0, removed: 0 } }),
        ],
        comparisons: { '3/changes/2': HARVESTED },
      });
      expect(says('2 added, 1 changed')).to.equal(true);
      expect(says('No file changed')).to.equal(true);
      expect(asked.filter((one) => one.includes('/changes/'))).to.deep.equal([]);
      unfold('2 added, 1 changed');
      const list = await within(panel()).findByRole('region', {
        name: 'What changed in version 3',
      });
      expect(list.textContent).to.match(/^Addedmill\.md.*Changedfield\.md.*and 1 more file$/);
    });

    it('is counted when it is unfolded, where it was not before', async () => {
      const comparisons = { '2/changes/1': HARVESTED };
      await visit({ uploads: [upload(2), upload(1)], comparisons });
      // The first one has none before it.
      expect(within(panel()).getAllByText('What changed')).to.have.length(1);
      unfold('What changed');
      await within(panel()).findByText('mill.md');
      expect(says('2 added, 1 changed')).to.equal(true);
    });

    it('says why it cannot be listed, and is asked for again', async () => {
      const { failWith } = await visit({
        uploads: [upload(2)],
        comparisons: { '2/changes/1': HARVESTED },
      });
      failWith({ status: 502, text: 'Bad gateway' });
      unfold('What changed');
      await within(panel()).findByText('The server did not answer.');
      failWith(refused('not-found', {}, 404));
      press('Try again');
      await within(panel()).findByText(/was removed to make room/);
    });

    it('needs a connection, and comes with it', async () => {
      const app = await visit({
        uploads: [upload(2)],
        comparisons: { '2/changes/1': HARVESTED },
      });
      await app.goOffline();
      unfold('What changed');
      await within(panel()).findByText(/^Which files changed is shown once/);
      await app.goOnline();
      await within(panel()).findByText('mill.md');
    });
  });

  describe('an older version', () => {
    const versions = [upload(2), upload(1)];
    const comparisons: Readonly<Record<string, ContentChanges>> = {
      '1/changes/2': {
        ...{ added: 0, changed: 0, removed: 1 },
        files: [{ path: 'mill.md', is: 'removed', sizeBytes: 1_100 }],
      },
      '1/changes/3': { added: 0, changed: 0, removed: 0, files: [] },
    };
    const dialog = () => screen.getByRole('dialog', { name: 'Restore version 1?' });
    const confirm = (name = 'Restore') => {
      fireEvent.click(within(dialog()).getByRole('button', { name }));
    };
    const restores = (asked: readonly string[]) => asked.filter((one) => one.endsWith('/restore'));

    it('is restored after a question that says what changes', async () => {
      const { asked, list } = await visit({ uploads: versions, comparisons });
      press('Restore version 1');
      await within(dialog()).findByText('mill.md');
      expect(dialog().textContent).to.match(/uploaded again as version 3.*1 removed/);
      expect(restores(asked)).to.deep.equal([]);
      list([upload(3, { restored: 1 }), ...versions]);
      confirm();
      await screen.findByText('Version 1 was restored');
      expect(restores(asked)).to.deep.equal([
        `POST /api/projects/${harvest.id}/repository/uploads/1/restore`,
      ]);
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(says('Restored from version 1')).to.equal(true);
    });

    it('is asked for again over the same version where no answer came', async () => {
      const { overs, failWith, list } = await visit({ uploads: versions, comparisons });
      press('Restore version 1');
      await within(dialog()).findByText('mill.md');
      failWith({ status: 502, text: 'Bad gateway' });
      confirm();
      await within(dialog()).findByText(/The server did not answer/);
      failWith(null);
      list([upload(3, { restored: 1 }), ...versions]);
      confirm('Try again');
      await screen.findByText('Version 1 was restored');
      expect(overs).to.deep.equal(['"2.1200000"', '"2.1200000"']);
    });

    it('is compared anew when somebody else has uploaded meanwhile', async () => {
      const { list, failOnceWith } = await visit({ uploads: versions, comparisons });
      press('Restore version 1');
      await within(dialog()).findByText('mill.md');
      list([upload(3, { by: fellow }), ...versions]);
      failOnceWith(refused('precondition-failed', {}, 412));
      confirm();
      await within(dialog()).findByText(/^Someone uploaded version 3 in the meantime/);
      await within(dialog()).findByText(/same as those of version 3/);
      expect(
        within(dialog()).getByRole<HTMLButtonElement>('button', { name: 'Try again' }).disabled,
      ).to.equal(true);
    });

    it('needs a connection to be restored', async () => {
      const app = await visit({ uploads: versions, comparisons });
      await app.goOffline();
      const restore = button('Restore version 1');
      expect(restore?.disabled).to.equal(true);
      const tied = document.getElementById(restore?.getAttribute('aria-describedby') ?? '');
      expect(tied?.textContent).to.equal('Needs a connection');
    });

    it('is restored by those alone who may upload', async () => {
      await visit({ viewer: fellow, uploads: versions, more: authorRow(false) });
      expect(button('Restore version 1')).to.equal(null);
      expect(button('Download version 1')).not.to.equal(null);
      cleanup();
      await visit({ viewer: fellow, uploads: versions, more: authorRow(true) });
      expect(button('Restore version 1')).not.to.equal(null);
    });
  });

  describe('without a connection', () => {
    it('keeps a choice and says what it waits for', async () => {
      const { goOnline, sent } = await visit({ prepare: goOffline });
      await choose(zip());
      const send = button('Upload');
      expect(send?.disabled).to.equal(true);
      const tied = document.getElementById(send?.getAttribute('aria-describedby') ?? '');
      expect(tied?.textContent).to.equal('Needs a connection');
      await goOnline();
      await waitFor(() => {
        expect(button('Upload')?.disabled).to.equal(false);
      });
      press('Upload');
      await whenSent(sent, 1);
    });

    it('shows what it knew, and lets nothing be fetched', async () => {
      const app = await visit({ uploads: [upload(1)] });
      await app.goOffline();
      expect(says('Version 1')).to.equal(true);
      expect(button('Download version 1')?.disabled).to.equal(true);
    });
  });

  describe('for others', () => {
    it('than owner, authors and admins is closed', async () => {
      const { asked } = await visit({ viewer: fellow });
      expect(says(/^Only the project’s owner/)).to.equal(true);
      expect(asked).to.deep.equal([]);
    });

    it('lets an author upload while a product waits for them [R214]', async () => {
      await visit({ viewer: fellow, uploads: [upload(1)], more: authorRow(false) });
      expect(says(/^As an author you can upload while/)).to.equal(true);
      expect(button('Choose a zip file')).to.equal(null);
      expect(button('Download version 1')?.disabled).to.equal(false);
      cleanup();
      await visit({ viewer: fellow, uploads: [upload(1)], more: authorRow(true) });
      expect(button('Choose a zip file')).not.to.equal(null);
    });

    it('tells an author which task to continue before they can upload', async () => {
      const given = { viewer: fellow, uploads: [upload(1)] };
      const task = (fields: Partial<Of<'userTask'>>): Shelf => ({
        ...authorRow(false),
        userTask: [
          record('userTask', { id: idOf(1005), user: fellow, product: harvestApp, ...fields }),
        ],
      });
      await visit({ ...given, more: task({ status: 'Author Download', commands: ['Continue'] }) });
      const sentence =
        'You can upload after you continue “Author download” (Android App to Google Play).';
      expect(panel().textContent).to.include(sentence);
      expect(says(/^As an author you can upload while/)).to.equal(false);
      const link = within(panel()).getByRole('link', { name: 'Author download' });
      expect(link.getAttribute('href')).to.match(new RegExp(`^/flow/.+/${harvestApp}$`));
      cleanup();
      await visit({ ...given, more: task({ status: 'Approval', commands: ['Approve'] }) });
      expect(says(/^As an author you can upload while/)).to.equal(true);
    });

    it('shows an admin who uploads', async () => {
      const role = { id: idOf(1001), user: fellow, organization: lakeside, role: idOf(1003) };
      const userRole = [record('userRole', { ...role, roleName: 'OrganizationAdmin' })];
      await visit({ viewer: fellow, more: { userRole } });
      expect(says(/^New content comes from/)).to.equal(true);
    });
  });

  it('says that it is being set up, and when that takes long', async () => {
    const dateCreated = '2026-03-02T11:59:00.000Z';
    await visit({ project: { workflowProjectUrl: null, dateCreated } });
    expect(says(/^The repository is being set up/)).to.equal(true);
    cleanup();
    await visit({ project: { workflowProjectUrl: null } });
    expect(says(/taking longer than usual/)).to.equal(true);
    cleanup();
    await visit({
      prepare: async ({ data, goOffline: leave }) => {
        await leave();
        const { organization, group, type } = harvest;
        return createProject(data, { name: 'Plums', language: 'en', organization, group, type });
      },
    });
    expect(says('Setup starts once this project is sent.')).to.equal(true);
  });

  it('of another engine is an address to copy', async () => {
    const address = 'ssh://engine.test/harvest';
    const { asked } = await visit({ project: { workflowProjectUrl: address, location: address } });
    expect(says(address)).to.equal(true);
    expect(button('Copy: Repository')).not.to.equal(null);
    expect(asked).to.deep.equal([]);
    cleanup();
    // The engine may say where people reach it, which is not where the server does.
    const location = 'https://content.engine.test/harvest';
    await visit({ project: { workflowProjectUrl: address, location } });
    expect([says(location), says(address)]).to.deep.equal([true, false]);
    cleanup();
    await visit({ project: { workflowProjectUrl: address, location: null } });
    expect(says(address)).to.equal(true);
  });

  it('says that it could not look, and looks again', async () => {
    const { failWith } = await visit({ failing: refused('internal', {}, 500) });
    await within(panel()).findByText(/Something went wrong on the server/);
    failWith(null);
    press('Try again');
    await within(panel()).findByText(/^Nothing has been uploaded yet/);
  });

  for (const language of Object.keys(LANGUAGES) as Language[])
    it(`says every reason in ${language}`, async () => {
      await speak(language);
      const { sent } = await visit();
      const input = document.querySelector('.repository input');
      if (input === null) throw new Error('There is no field');
      fireEvent.change(input, { target: { files: [zip()] } });
      await screen.findByText('songs.zip');
      const reasons = 'damaged encrypted unsupported path link duplicate too-many bomb empty';
      for (const [n, reason] of reasons.split(' ').entries()) {
        if (n > 0) {
          const again = document.querySelector('.repository-chosen input');
          if (again !== null) fireEvent.change(again, { target: { files: [zip()] } });
        }
        const send = await waitFor(() => {
          const primary = document.querySelector('.repository-chosen .primary.button');
          if (primary === null) throw new Error('There is nothing to send it with');
          return primary;
        });
        fireEvent.click(send);
        await whenSent(sent, n + 1);
        sent[n]?.answer(refused('invalid', { rule: 'shape', reason }));
        const alert = await screen.findByRole('alert');
        await waitFor(() => {
          expect(document.querySelector('.repository-chosen .message')).not.to.equal(null);
        });
        expect(alert.textContent).not.to.match(/files\.|rules\./);
      }
      await speak('en-US');
    });
});
