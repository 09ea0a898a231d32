import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { JSX } from 'react';
import { chooseOrganization } from '#session/organization.ts';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { lateScreen } from '#screens/app/page/late/late-part.tsx';
import { RouteCrash } from '#screens/app/frame/route-crash.tsx';
import { Shell } from '#screens/app/frame/shell.tsx';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
import type { Of } from '#schema/index.ts';
import { runProductAction } from '#data/actions/products.ts';
import { archive, editProject, setSwitch } from '#data/actions/projects.ts';
import { LOCAL_SCHEMA } from '#data/storage/migrate.ts';
import type { ChangesView } from '../../../src/data/model/views.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { paths } from '#protocol/paths.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import type { AppOverStore, OpenOptions } from '../../support/app-over-store.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { answered } from '../../support/faulty-indexeddb.ts';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  idOf,
  lakeside,
  shelf,
} from '../../support/shelf.ts';
import type { UiEnvironment } from '#ui/ui-environment.tsx';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

let isScriptThere = false;

/** A page whose script a newer release has removed: what webpack throws then. */
function renewed(): Promise<() => JSX.Element> {
  if (isScriptThere) return Promise.resolve(() => <>The late page</>);
  const error = new Error('Loading chunk 7 failed');
  return Promise.reject(Object.assign(error, { name: 'ChunkLoadError' }));
}

interface Visit {
  readonly viewer?: string;
  readonly held?: Shelf;
  readonly offline?: UiEnvironment['offline'];
  readonly open?: OpenOptions;
  /** What the page sees of the local copy. */
  readonly seen?: (data: Data) => Data;
}

async function visit(
  at = '/',
  { viewer = builder, held = shelf, offline, open, seen = (data) => data }: Visit = {},
) {
  const app = await openStore(viewer, held, open);
  const around = testSurroundings();
  const surroundings = { ...around.surroundings, ...(offline === undefined ? {} : { offline }) };
  const routes = [
    {
      element: <Shell />,
      children: [
        { path: '/', element: <>The page</> },
        { path: '/projects/:projectId', element: <ProjectPage /> },
        { path: '/projects/:projectId/edit', element: <>The form of a project</> },
        { path: '/all-tasks', element: <Tasks /> },
        { path: '/users/:userId', element: <>The person</> },
        ...['/tasks', '/projects/own', '/projects/organization', '/projects/new'].map((path) => ({
          path,
          element: <>At {path}</>,
        })),
        { path: '/late', lazy: async () => ({ Component: await lateScreen(renewed) }) },
        {
          path: '/broken',
          errorElement: <RouteCrash />,
          lazy: async () => ({
            Component: await lateScreen(() => Promise.reject(new Error('a bug'))),
          }),
        },
      ],
    },
  ];
  const store = { data: seen(app.data) };
  render(<Around store={store} surroundings={surroundings} routes={routes} at={at} />);
  return { app, ...around };
}
const status = () => screen.getByTestId('sync-status');
/** From now on the server allows nothing. */
const forbid = ({ server }: AppOverStore) => {
  server.refuse = () => [{ id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' }];
};
const rename = async ({ data, settle }: AppOverStore) => {
  await editProject(data, harvest, { name: 'Harvest Home' });
  await settle();
};
const projects = shelf.project ?? [];
const numberOf = ({ data }: AppOverStore) => data.changes.view().attention;
/** `app` without a connection while `how` happens: what waits is sent together then. */
const apart = async (app: AppOverStore, how: () => Promise<void>) => {
  await app.goOffline();
  await how();
  await app.settle();
  await app.goOnline();
};
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const change = (how: () => void) => {
  act(how);
};

describe('[3.1] the status element', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('[fault 45] says that all is saved only beside whether the app is kept for offline [R342]', async () => {
    let isReady = false;
    let tell = (): void => undefined;
    await visit('/', {
      offline: {
        isReady: () => isReady,
        subscribe: (listener) => {
          tell = listener;
          return () => undefined;
        },
      },
    });
    expect(status().textContent).to.equal('Saved · getting ready for offline');
    expect(status().dataset).to.include({ state: 'saved', offlineReady: 'false' });
    isReady = true;
    act(() => {
      tell();
    });
    expect(status().textContent).to.equal('Saved');
    expect(status().dataset).to.include({ state: 'saved', offlineReady: 'true' });
  });

  it('opens the changes panel, and gets the focus back from it [R342]', async () => {
    await visit();
    status().focus();
    fireEvent.click(status());
    await screen.findByRole('dialog', { name: 'Changes' });
    press('Close');
    expect(document.activeElement).to.equal(status());
  });

  it('says trouble in a line of its own until the panel was opened', async () => {
    const before = await openStore(builder, shelf);
    forbid(before);
    await rename(before);
    await before.data.close();
    const { app } = await visit('/', { open: { after: before } });
    const line = () => document.querySelector('.shell-line');
    expect(line()?.textContent).to.include('1 change needs attention');
    fireEvent.click(status());
    await screen.findByRole('dialog', { name: 'Changes' });
    expect(line()).to.equal(null);
    press('Close');
    expect(line()).to.equal(null);
    // Something between here and the server answers in its place.
    app.server.faults.push('portal');
    await setSwitch(app.data, harvest, 'automaticBuilds', false);
    await app.settle();
    expect(line()?.textContent).to.include('Something does not work as it should');
  });

  it('counts a change that is told by a toast, and has no second line for it', async () => {
    const { app } = await visit();
    forbid(app);
    await rename(app);
    await screen.findByText('Rename Harvest to Harvest Home');
    expect(status().dataset).to.include({ state: 'attention', attention: '1' });
    expect(document.querySelector('.shell-line')).to.equal(null);
  });

  it('is said to screen readers at most once in five seconds, the newest last', async () => {
    const { app, pass } = await visit();
    const said = () => document.querySelector('.shell-header [role="status"]')?.textContent;
    app.server.holds = (address) => address === paths.operations;
    await rename(app);
    expect(said()).to.equal('Saving');
    app.server.letThrough();
    await app.settle();
    expect(status().textContent).to.equal('Saved');
    await app.goOffline();
    expect(said()).to.equal('Saving');
    change(() => {
      pass(5_000);
    });
    // The browser of these tests has a network: it is the server that gives no answer.
    expect(said()).to.equal('Server unavailable');
  });
});

describe('[1.3] a change that is refused', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is told by its name and reason, and shown [R394]', async () => {
    const { app } = await visit();
    forbid(app);
    await rename(app);
    const told = await screen.findByText('Rename Harvest to Harvest Home');
    expect(told.closest('.toast')?.textContent).to.include('You are not allowed to do that');
    fireEvent.click(screen.getAllByRole('button', { name: 'Show' }).at(-1) ?? document.body);
    await screen.findByRole('dialog', { name: 'Changes' });
    await waitFor(() => {
      expect(document.activeElement?.getAttribute('data-id')).to.equal(
        app.data.changes.view().rows[0]?.id,
      );
    });
    expect(document.querySelector('.toast')).to.equal(null);
  });

  it('is told by an error toast where it was an action of a product, with the reason [R328]', async () => {
    const { app } = await visit();
    forbid(app);
    const product = app.data.find.one('product', harvestApp);
    if (product === null) throw new Error('The product is gone');
    const names = { product: 'Android', project: 'Harvest' };
    await apart(app, () => runProductAction(app.data, product, 'rebuild', names));
    const told = await screen.findByText('You are not allowed to do that');
    expect(told.closest('.toast-error')?.textContent).to.match(/rebuild/i);
  });

  it('is told once, and many together by their number', async () => {
    const { app } = await visit();
    const told = () => [...document.querySelectorAll('.toast')].map((toast) => toast.textContent);
    forbid(app);
    await apart(app, () => archive(app.data, projects.slice(0, 3)));
    expect(numberOf(app)).to.equal(3);
    await apart(app, () => Promise.resolve());
    await waitFor(() => {
      expect(told()).to.have.length(1);
    });
    expect(told()[0]).to.include('3 changes need attention');
    await apart(app, () => archive(app.data, projects.slice(6, 8)));
    expect(numberOf(app)).to.equal(5);
    await apart(app, () => Promise.resolve());
    expect(told()).to.have.length(3);
  });

  it('is told even when another one follows before there are words for it', async () => {
    const [first, second] = projects.slice(6, 8);
    if (first === undefined || second === undefined) throw new Error('The shelf has projects');
    const late = lateChanges();
    const { app } = await visit('/', { seen: late.seen });
    forbid(app);
    await archive(app.data, [first]);
    await app.settle();
    const one = app.data.changes.view();
    await archive(app.data, [second]);
    await app.settle();
    // The words come after some microtasks: both are told before.
    change(() => {
      late.show(one);
    });
    change(() => {
      late.show(app.data.changes.view());
    });
    await screen.findByText(`Archive ${first.name}`);
    screen.getByText(`Archive ${second.name}`);
  });
});

/** The changes of a local copy, of which a page learns when the test says so. */
function lateChanges() {
  let shown: ChangesView | null = null;
  const listeners = new Set<() => void>();
  const seen = (data: Data): Data => ({
    ...data,
    changes: {
      ...data.changes,
      view: () => (shown ??= data.changes.view()),
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
  });
  const show = (view: ChangesView) => {
    shown = view;
    for (const listener of listeners) listener();
  };
  return { seen, show };
}

describe('[1.2] what is done offline', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is said to be kept here at most once a minute, and can be undone each time', async () => {
    const { app, pass } = await visit(`/projects/${harvest.id}`);
    await app.goOffline();
    const flip = async (name: string, toast: RegExp) => {
      fireEvent.click(screen.getByRole('switch', { name }));
      await screen.findByText(toast);
    };
    await flip('Automatic builds', /^Saved on this device/);
    await flip('Public visibility', /^Will be sent$/);
    expect(screen.getAllByText(/^Saved on this device/)).to.have.length(1);
    // A toast counts from when it is painted, which may be after a minute that passes here.
    await waitFor(() => {
      change(() => {
        pass(60_000);
      });
      expect(screen.queryAllByText(/^(Saved on this device|Will be sent)/)).to.have.length(0);
    });
    await flip('Automatic builds', /^Saved on this device/);
    press('Undo');
    await waitFor(() => {
      // It was off before it was turned on again.
      expect(app.data.find.one('project', harvest.id)?.automaticBuilds).to.equal(false);
    });
  });
});

/** How many records the device has kept across reloads. */
async function recordsOnDisk({ storage }: AppOverStore): Promise<number> {
  const db = await answered(storage.inner.open(`slipway-${builder}`));
  const transaction = db.transaction(['chunks', 'rows']);
  const counts = ['chunks', 'rows'].map((name) => answered(transaction.objectStore(name).count()));
  const numbers = await Promise.all(counts);
  db.close();
  return numbers.reduce((sum, number) => sum + number, 0);
}

describe('[fault 11] a device that is full', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('says that nothing was saved, makes room when asked to, and tries again', async () => {
    const { app } = await visit(`/projects/${harvest.id}`);
    await app.goOffline();
    const heal = app.storage.fail({ at: 'commit', name: 'QuotaExceededError' });
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    await screen.findByText(/no space left on this device/);
    expect(screen.queryByText('The project is private')).to.equal(null);
    expect(app.data.changes.view().waiting).to.equal(0);
    heal();
    const before = await recordsOnDisk(app);
    press('Make room and try again');
    await waitFor(() => {
      expect(app.data.find.one('project', harvest.id)?.isPublic).to.equal(false);
    });
    expect(app.data.changes.view().waiting).to.equal(1);
    expect(await recordsOnDisk(app)).to.be.lessThan(before);
  });
});

describe('the banners about this device', () => {
  const { onbeforeunload } = window;
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    window.onbeforeunload = onbeforeunload;
  });

  const DATABASE = `slipway-${builder}`;

  async function banner(
    open: OpenOptions,
    happens: (app: AppOverStore) => Promise<void> = () => Promise.resolve(),
  ) {
    const { app } = await visit('/', { open });
    await happens(app);
    const found = await screen.findByRole('region', { name: 'State of this device' });
    return { app, text: found.textContent };
  }
  const isAsked = (): boolean => {
    // The test runner takes leaving for its own.
    window.onbeforeunload = null;
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
  };

  it('[fault 13] say that nothing is kept, offer what waits as a file, and guard the tab', async () => {
    const { app, text } = await banner({
      prepare: (storage) => {
        storage.fail({ at: 'open', name: 'InvalidStateError' });
        return Promise.resolve();
      },
    });
    expect(text).to.include('keeps nothing on this device');
    expect(isAsked()).to.equal(false);
    await app.goOffline();
    await rename(app);
    expect(screen.queryByRole('button', { name: 'Export all' })).not.to.equal(null);
    expect(isAsked()).to.equal(true);
    await app.goOnline();
    expect(isAsked()).to.equal(false);
  });

  it('[fault 14] say which tabs to close', async () => {
    // A tab of the version before, which does not let go while the test lasts.
    let older: IDBDatabase | null = null;
    const { text } = await banner({
      prepare: async (storage) => {
        older = await answered(storage.inner.open(DATABASE, LOCAL_SCHEMA - 1));
      },
    });
    expect(text).to.include('Close the other tabs and windows of Slipway');
    (older as IDBDatabase | null)?.close();
  });

  it('[fault 15] say that storage is tried again, and go when it is back', async () => {
    let heal = (): void => undefined;
    const { app, text } = await banner({}, async ({ data, storage, settle }) => {
      heal = storage.fail({ at: 'put', name: 'UnknownError' });
      await setSwitch(data, harvest, 'isPublic', false).catch(() => undefined);
      await settle();
    });
    expect(text).to.include('keeps trying');
    heal();
    await app.passOnDevice(2_000);
    expect(screen.queryByRole('region', { name: 'State of this device' })).to.equal(null);
  });

  it('[fault 18] offer a reload when a newer app uses the device', async () => {
    await banner({}, async ({ storage, settle }) => {
      const newer = await answered(storage.inner.open(DATABASE, LOCAL_SCHEMA + 1));
      newer.close();
      await settle();
    });
    expect(screen.queryByRole('button', { name: 'Reload' })).not.to.equal(null);
  });

  it('[fault 12] say how many changes the browser may have thrown away, until that is read', async () => {
    const after = await openStore(builder, shelf);
    await after.goOffline();
    await archive(after.data, projects.slice(0, 3));
    await after.data.close();
    await after.storage.evict();
    await after.goOnline();
    const { app, text } = await banner({ after });
    expect(text).to.include('3 changes that were not yet sent may be missing');
    press('Understood');
    expect(app.data.health.view().evicted).to.equal(null);
    expect(screen.queryByRole('region', { name: 'State of this device' })).to.equal(null);
  });
});

describe('[fault 40] a page whose script is gone', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    isScriptThere = false;
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('offers a reload in its place, or to try again; the shell goes on', async () => {
    await visit('/late');
    await screen.findByText('This part of the app could not be loaded');
    expect(screen.queryByText(/What you typed is kept/)).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Reload' })).not.to.equal(null);
    expect(status()).not.to.equal(null);
    isScriptThere = true;
    press('Try again');
    await screen.findByText('The late page');
  });

  it('is not taken for one that is broken [R399]', async () => {
    const { onerror } = window;
    // React reports to the page what it catches, too.
    window.onerror = () => true;
    await visit('/broken');
    await screen.findByText('Something went wrong');
    window.onerror = onerror;
    expect(screen.getByRole('complementary', { name: 'Navigation' })).not.to.equal(null);
  });
});

describe('[1.1] a refresh', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('shows by a line under the header that moves, once it takes over half a second', async () => {
    const { app } = await visit();
    const line = () => document.querySelector('.refresh-line');
    app.server.holds = (address) => address.startsWith(paths.changes);
    app.server.hangUp();
    await app.settle();
    await app.passOnDevice(1_000);
    await waitFor(() => {
      expect(line()).not.to.equal(null);
    });
    app.server.letThrough();
    await waitFor(() => {
      expect(line()).to.equal(null);
    });
  });
});

describe('[1.9] with the keyboard alone', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const key = (name: string, held: object = {}, on: Element = document.body) =>
    fireEvent.keyDown(on, { key: name, ...held });
  const palette = async () => {
    key('k', { ctrlKey: true });
    return screen.findByRole('combobox', { name: 'What are you looking for?' });
  };
  const type = (field: HTMLElement, value: string) => {
    fireEvent.change(field, { target: { value } });
  };
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  const chosen = () => screen.getByRole('option', { selected: true }).textContent;

  it('one goes to a project by some letters of its name [R46]', async () => {
    await visit();
    const field = await palette();
    expect(document.activeElement).to.equal(field);
    type(field, 'harv');
    expect(chosen()).to.contain('Harvest');
    expect(field.getAttribute('aria-activedescendant')).to.equal(
      screen.getByRole('option', { selected: true }).id,
    );
    key('Enter', {}, field);
    await screen.findByRole('heading', { level: 1, name: /Harvest/ });
    expect(screen.queryByRole('dialog')).to.equal(null);
  });

  it('one finds screens too, and moves among what was found in a circle [R46]', async () => {
    await visit();
    const field = await palette();
    type(field, 'projects');
    const all = options();
    expect(all).to.include.members(['My projects', 'Archived projects']);
    key('ArrowUp', {}, field);
    expect(chosen()).to.equal(all.at(-1));
    key('ArrowDown', {}, field);
    expect(chosen()).to.equal(all[0]);
    type(field, 'nothing of the kind');
    expect(options()).to.deep.equal([]);
    expect(screen.getByText('Nothing found')).not.to.equal(null);
  });

  it('one finds a screen by what its link says, and by what stands above it', async () => {
    chooseOrganization(lakeside);
    await visit();
    const field = await palette();
    for (const words of ['add project', 'new project']) {
      type(field, words);
      expect(options(), words).to.deep.equal(['Add project']);
    }
    cleanup();
    chooseOrganization(null);
  });

  it('one finds projects called so before others of which that is said elsewhere', async () => {
    const named = (id: string, name: string) => ({ ...harvest, id, name });
    const project = [
      named(idOf(801), 'A wide Lake'),
      named(idOf(802), 'Lake'),
      named(idOf(803), 'By the lake'),
    ];
    await visit('/', { held: { ...shelf, project } });
    type(await palette(), 'lake');
    expect(
      options()
        .slice(0, 3)
        .map((text) => text.replace('Lakeside Press', '')),
    ).to.deep.equal(['Lake', 'A wide Lake', 'By the lake']);
  });

  it('one finds by several words in whatever order, and projects by what the lists search', async () => {
    await visit();
    const field = await palette();
    type(field, 'projects arch');
    expect(options()).to.include('Archived projects');
    type(field, 'lakeside vest');
    expect(options()).to.deep.equal(['HarvestLakeside Press']);
    expect([...document.querySelectorAll('mark')].map((mark) => mark.textContent)).to.deep.equal([
      'vest',
      'Lakeside',
    ]);
    type(field, 'fellow felix');
    expect(options()).to.include('Felix Fellow');
  });

  it('one finds people before projects that only belong to them, by how a word of their name begins [screens 1.9]', async () => {
    const named = (id: string, name: string) => ({ ...harvest, id, name });
    await visit('/', { held: { ...shelf, project: [harvest, named(idOf(801), 'Liberta')] } });
    const field = await palette();
    for (const words of ['berta', 'build']) {
      type(field, words);
      expect(options()[0], words).to.equal('Berta Builder');
      expect(options().join(), words).to.include('Harvest');
    }
  });

  it('one finds projects before people where the name of a project fits as well, or that of a person less', async () => {
    const named = (id: string, name: string) => ({ ...harvest, id, name });
    const project = [named(idOf(801), 'Bertas Notes'), named(idOf(802), 'Guilds')];
    await visit('/', { held: { ...shelf, project } });
    const field = await palette();
    type(field, 'berta');
    expect(options()[0]).to.include('Bertas Notes');
    type(field, 'uild');
    expect(options()[0]).to.include('Guilds');
    expect(options()).to.include('Berta Builder');
  });

  it('one goes to a person by some letters of their name [R46]', async () => {
    await visit('/', { held: { ...shelf, project: [harvest] } });
    const field = await palette();
    expect(screen.queryByRole('group', { name: 'People' })).to.equal(null);
    type(field, 'felix');
    expect(screen.getByRole('group', { name: 'People' }).textContent).to.contain('Felix Fellow');
    key('Enter', {}, field);
    await screen.findByText('The person');
  });

  it('one finds products by their name and their project’s, and one’s own tasks by their step', async () => {
    await visit();
    const field = await palette();
    type(field, 'android harv');
    expect(screen.getByRole('group', { name: 'Products' }).textContent).to.contain('Harvest');
    expect(screen.getByRole('group', { name: 'My tasks' }).textContent).to.contain('Approval');
    type(field, 'approval');
    expect(screen.queryByRole('group', { name: 'Products' })).to.equal(null);
    expect(screen.getByRole('group', { name: 'My tasks' }).textContent).to.contain('Harvest');
  });

  it('one sees the status of products and tasks that are found', async () => {
    const product = (shelf.product ?? []).map((one) => ({ ...one, waitingFor: 'owner' as const }));
    await visit('/', { held: { ...shelf, product } });
    type(await palette(), 'android harv');
    for (const name of ['Products', 'My tasks'])
      expect(
        screen.getByRole('group', { name }).querySelector('.status-chip')?.textContent,
        name,
      ).to.equal('Waiting for you');
  });

  it('one finds neither products of projects that one may not open nor tasks of others', async () => {
    await visit('/', { viewer: fellow, held: { ...shelf, groupMembership: [] } });
    type(await palette(), 'android');
    expect(options()).to.deep.equal([]);
  });

  it('one changes the appearance and opens the list of shortcuts from the palette', async () => {
    await visit();
    const field = await palette();
    type(field, 'theme dark');
    expect(options()).to.deep.equal(['Appearance: Dark']);
    key('Enter', {}, field);
    expect(document.documentElement.dataset.appearance).to.equal('dark');
    const again = await palette();
    type(again, 'appearance');
    expect(options()).to.deep.equal(['Appearance: Light', 'Appearance: System']);
    type(again, 'appearance system');
    key('Enter', {}, again);
    expect(document.documentElement.dataset.appearance).to.equal(undefined);
    type(await palette(), 'keyboard');
    key('Enter', {}, screen.getByRole('combobox'));
    expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).not.to.equal(null);
  });

  it('one signs out from the palette, and is asked about what was not sent', async () => {
    const { app } = await visit();
    await app.goOffline();
    await rename(app);
    type(await palette(), 'log out');
    expect(options()).to.deep.equal(['Sign out']);
    key('Enter', {}, screen.getByRole('combobox'));
    expect(await screen.findByRole('dialog', { name: 'Sign out' })).not.to.equal(null);
  });

  it('one is asked before one signs out from the palette, and comes upon that by no arrow', async () => {
    await visit();
    const field = await palette();
    key('ArrowUp', {}, field);
    expect(chosen()).to.contain('Appearance');
    expect(options()).not.to.include('Sign out');
    type(field, 'sign');
    key('Enter', {}, field);
    const dialog = await screen.findByRole('dialog', { name: 'Sign out' });
    expect(dialog.textContent).to.contain('Everything is saved.');
  });

  it('one has no shortcuts of single letters once they are turned off', async () => {
    const { surroundings } = await visit();
    surroundings.storage.setItem('slipway.shortcuts', 'false');
    key('?');
    expect(screen.queryByRole('dialog')).to.equal(null);
    await palette();
  });

  it('one goes to the screens of the navigation by g and a letter, and to a new project by c [R42, R46]', async () => {
    await visit();
    for (const [letters, place] of [
      ['gt', '/tasks'],
      ['gp', '/projects/own'],
      ['go', '/projects/organization'],
      ['c', '/projects/new'],
    ] as const) {
      for (const letter of letters) key(letter);
      await screen.findByText(`At ${place}`);
    }
  });

  it('one edits what the page shows by e, and asks for news by r, but not while typing', async () => {
    let asked = 0;
    const sendNow = () => {
      asked += 1;
    };
    await visit(`/projects/${harvest.id}`, {
      seen: (data) => ({ ...data, changes: { ...data.changes, sendNow } }),
    });
    await screen.findByRole('heading', { level: 1, name: /Harvest/ });
    key('r');
    expect(asked).to.equal(1);
    const field = document.createElement('input');
    document.body.append(field);
    for (const letter of ['e', 'u', 'r']) key(letter, {}, field);
    field.remove();
    expect(asked).to.equal(1);
    expect(screen.queryByRole('heading', { level: 1, name: /Harvest/ })).not.to.equal(null);
    key('e');
    await screen.findByText('The form of a project');
  });

  /** Presses a key; returns what `focused` says once the app has done what it stands for. */
  const afterKey =
    ({ settle }: AppOverStore, focused: () => number | null) =>
    async (name: string) => {
      key(name);
      await settle();
      return focused();
    };
  /** Down two tasks, no further, and up again. */
  const expectWalk = async (after: ReturnType<typeof afterKey>) => {
    for (const [name, row] of [
      ['j', 0],
      ['j', 1],
      ['j', 1],
      ['k', 0],
    ] as const)
      expect(await after(name)).to.equal(row);
  };

  it('one walks along one’s tasks with j and k, from group to group, but not with letters turned off', async () => {
    const [first] = shelf.userTask ?? [];
    const userTask = [0, 1].map((number) => ({
      ...first,
      id: idOf(900 + number),
      ...(number === 1 ? { commands: ['Take Back'] } : {}),
    }));
    const held = { ...shelf, userTask: userTask as Of<'userTask'>[] };
    const { surroundings, app } = await visit('/all-tasks', { held });
    await waitFor(() => {
      expect(document.querySelectorAll('tr[data-id]')).to.have.length(2);
    });
    const focused = () => {
      const { activeElement } = document;
      const rows = [...document.querySelectorAll('tr[data-id]')];
      const isOpening = activeElement?.matches('.task-definition') === true;
      return isOpening ? rows.findIndex((row) => row.contains(activeElement)) : null;
    };
    const after = afterKey(app, focused);
    await expectWalk(after);
    surroundings.storage.setItem('slipway.shortcuts', 'false');
    expect(await after('j')).to.equal(0);
  });

  it('one walks past a task without a product, and on from within a comment', async () => {
    const [first] = shelf.userTask ?? [];
    const userTask = [0, 1, 2].map((number) => ({
      ...first,
      id: idOf(900 + number),
      comment: '<https://slipway.test>',
      ...(number === 1 ? { product: null } : {}),
    }));
    const held = { ...shelf, userTask: userTask as Of<'userTask'>[] };
    const { app } = await visit('/all-tasks', { held });
    await waitFor(() => {
      expect(document.querySelectorAll('tr[data-id]')).to.have.length(3);
    });
    const ways = [...document.querySelectorAll('.task-definition')];
    const focused = () => ways.indexOf(document.activeElement ?? document.body);
    const after = afterKey(app, focused);
    await expectWalk(after);
    const note = document.querySelector<HTMLElement>('.task-note');
    if (note !== null) note.tabIndex = -1;
    note?.focus();
    expect(await after('j')).to.equal(1);
    note?.focus();
    expect(await after('k')).to.equal(0);
  });

  it('one is offered one’s own projects before anything is typed, and none that one may not open', async () => {
    await visit();
    await palette();
    expect(screen.getByRole('group', { name: 'My projects, changed last' }).textContent).to.contain(
      'Harvest',
    );
    cleanup();
    const alone = { ...shelf, groupMembership: [] };
    await visit('/', { viewer: fellow, held: alone });
    type(await palette(), 'harv');
    expect(options()).to.deep.equal([]);
  });

  it('one is offered what one opened last before anything is typed, but for the page itself [screens 1.9]', async () => {
    const { surroundings } = await visit(`/projects/${harvest.id}`);
    await screen.findByRole('heading', { level: 1, name: /Harvest/ });
    const kept = `slipway.viewed.${builder}`;
    const first = { type: 'project', id: harvest.id };
    expect(JSON.parse(surroundings.storage.getItem(kept) ?? '[]')).to.deep.equal([first]);
    const others = [{ type: 'product', id: harvestApp }, { type: 'product', id: idOf(999) }, null];
    surroundings.storage.setItem(kept, JSON.stringify([first, ...others]));
    const field = await palette();
    const group = () => screen.queryByRole('group', { name: 'Recently viewed' });
    const hits = within(group() ?? document.body).getAllByRole('option');
    expect(hits.map(({ textContent }) => textContent)).to.have.length(1);
    expect(hits[0]?.textContent).to.include('Android App to Google Play');
    type(field, 'harv');
    expect(group()).to.equal(null);
  });

  it('one opens the palette also while typing, and nothing over a dialog', async () => {
    await visit();
    await palette();
    key('k', { metaKey: true });
    key('?');
    expect(screen.getAllByRole('dialog')).to.have.length(1);
  });

  it('one sees all shortcuts with a question mark, but not while typing [R46]', async () => {
    await visit();
    const field = document.createElement('input');
    document.body.append(field);
    key('?', {}, field);
    field.remove();
    expect(screen.queryByRole('dialog')).to.equal(null);
    key('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(dialog.textContent).to.contain('Find anything, or do something');
    press('Close');
    expect(screen.queryByRole('dialog')).to.equal(null);
  });
});
