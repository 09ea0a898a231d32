import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import type { JSX } from 'react';
import { chooseOrganization } from '#session/organization.ts';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { lateScreen } from '#screens/app/page/late/late-part.tsx';
import { RouteCrash } from '#screens/app/frame/route-crash.tsx';
import { Shell } from '#screens/app/frame/shell.tsx';
import { NotSavedError } from '#data/model/change.ts';
import { NotStoredError } from '#data/model/not-stored-error.ts';
import type { Health } from '../../../src/data/model/views.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, fellow, harvest, lakeside, shelf } from '../../support/shelf.ts';
import type { UiEnvironment } from '#ui/ui-environment.tsx';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/shelf.ts';

let isScriptThere = false;

/** A page whose script a newer release has removed: what webpack throws then. */
function renewed(): Promise<() => JSX.Element> {
  if (isScriptThere) return Promise.resolve(() => <>The late page</>);
  const error = new Error('Loading chunk 7 failed');
  return Promise.reject(Object.assign(error, { name: 'ChunkLoadError' }));
}

function visit(
  at = '/',
  viewer = builder,
  held: Shelf = shelf,
  offline?: UiEnvironment['offline'],
) {
  const still = stillData(viewer, held);
  const around = testSurroundings();
  const surroundings = { ...around.surroundings, ...(offline === undefined ? {} : { offline }) };
  const routes = [
    {
      element: <Shell />,
      children: [
        { path: '/', element: <>The page</> },
        { path: '/projects/:projectId', element: <ProjectPage /> },
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
  render(<Around store={still} surroundings={surroundings} routes={routes} at={at} />);
  return { still, ...around };
}
const status = () => screen.getByTestId('sync-status');
const refused = changeRow('c1', 'refused', {
  says: ['changes.project.rename', { from: 'Harvest', to: 'Harvest Home' }],
  problem: { id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' },
});
const named = (id: string) => ({
  ...refused,
  id,
  says: ['changes.project.archive', { name: id }] as const,
});
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
  afterEach(cleanup);

  it('[fault 45] says that all is saved only beside whether the app is kept for offline [R342]', () => {
    let isReady = false;
    let tell = (): void => undefined;
    visit('/', builder, shelf, {
      isReady: () => isReady,
      subscribe: (listener) => {
        tell = listener;
        return () => undefined;
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
    visit();
    status().focus();
    fireEvent.click(status());
    await screen.findByRole('dialog', { name: 'Changes' });
    press('Close');
    expect(document.activeElement).to.equal(status());
  });

  it('says trouble in a line of its own until the panel was opened', async () => {
    const { still } = visit();
    change(() => {
      still.setChanges({ status: 'attention', attention: 1, rows: [refused] });
    });
    const line = () => document.querySelector('.shell-line');
    expect(line()?.textContent).to.include('1 change needs you');
    fireEvent.click(status());
    await screen.findByRole('dialog', { name: 'Changes' });
    expect(line()).to.equal(null);
    press('Close');
    expect(line()).to.equal(null);
    change(() => {
      still.setChanges({ status: 'problem', attention: 1 });
    });
    expect(line()?.textContent).to.include('Something does not work as it should');
  });

  it('is said to screen readers at most once in five seconds, the newest last', () => {
    const { still, pass } = visit();
    const said = () => document.querySelector('.shell-header [role="status"]')?.textContent;
    change(() => {
      still.setChanges({ status: 'saving', waiting: 1 });
    });
    expect(said()).to.equal('Saving');
    change(() => {
      still.setChanges({ status: 'saved', waiting: 0 });
    });
    change(() => {
      still.setChanges({ status: 'offline' });
    });
    expect(said()).to.equal('Saving');
    change(() => {
      pass(5_000);
    });
    expect(said()).to.equal('Offline');
  });
});

describe('[1.3] a change that is refused', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('is told by its name and reason, and shown [R394]', async () => {
    const { still } = visit();
    change(() => {
      still.setChanges({ status: 'attention', attention: 1, rows: [refused] });
    });
    const told = await screen.findByText('Rename Harvest to Harvest Home');
    expect(told.closest('.toast')?.textContent).to.include('You are not allowed to do that');
    fireEvent.click(screen.getAllByRole('button', { name: 'Show' }).at(-1) ?? document.body);
    await screen.findByRole('dialog', { name: 'Changes' });
    await waitFor(() => {
      expect(document.activeElement?.getAttribute('data-id')).to.equal('c1');
    });
    expect(document.querySelector('.toast')).to.equal(null);
  });

  it('is told once, and many together by their number', async () => {
    const { still } = visit();
    const told = () => [...document.querySelectorAll('.toast')].map((toast) => toast.textContent);
    const many = ['c1', 'c2', 'c3'].map((id) => ({ ...refused, id }));
    change(() => {
      still.setChanges({ status: 'attention', attention: 3, rows: many });
    });
    change(() => {
      still.setChanges({ rows: [...many] });
    });
    await waitFor(() => {
      expect(told()).to.have.length(1);
    });
    expect(told()[0]).to.include('3 changes need you');
    const others = ['c4', 'c5'].map(named);
    change(() => {
      still.setChanges({ attention: 5, rows: [...many, ...others] });
    });
    change(() => {
      still.setChanges({ rows: [...many, ...others] });
    });
    expect(told()).to.have.length(3);
  });

  it('is told even when another one follows before there are words for it', async () => {
    const { still } = visit();
    change(() => {
      still.setChanges({ status: 'attention', attention: 1, rows: [named('c1')] });
    });
    change(() => {
      still.setChanges({ attention: 2, rows: [named('c1'), named('c2')] });
    });
    await screen.findByText('Archive c1');
    screen.getByText('Archive c2');
  });
});

describe('[1.2] what is done offline', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('is said to be kept here at most once a minute, and can be undone each time', async () => {
    const { still, pass } = visit(`/projects/${harvest.id}`);
    change(() => {
      still.setChanges({ status: 'offline' });
    });
    const flip = async (name: string, toast: RegExp) => {
      fireEvent.click(screen.getByRole('switch', { name }));
      await screen.findByText(toast);
    };
    await flip('Automatic builds', /^Saved on this device/);
    await flip('Public visibility', /^Will be sent$/);
    expect(screen.getAllByText(/^Saved on this device/)).to.have.length(1);
    change(() => {
      pass(60_000);
    });
    await flip('Automatic builds', /^Saved on this device/);
    press('Undo');
    await waitFor(() => {
      expect(still.deeds.at(-1)?.fields).to.deep.equal({ automaticBuilds: true });
    });
  });
});

describe('[fault 11] a device that is full', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('says that nothing was saved, makes room when asked to, and tries again', async () => {
    const { still } = visit(`/projects/${harvest.id}`);
    still.failWith(new NotSavedError(new NotStoredError('full', null)));
    fireEvent.click(screen.getByRole('switch', { name: 'Public visibility' }));
    await screen.findByText(/no space left on this device/);
    expect(screen.queryByText('The project is private')).to.equal(null);
    still.failWith(null);
    press('Make room and try again');
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['makeRoom']);
      expect(still.deeds).to.have.length(2);
    });
  });
});

describe('the banners about this device', () => {
  const { onbeforeunload } = window;
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(() => {
    cleanup();
    window.onbeforeunload = onbeforeunload;
  });

  async function banner(health: Partial<Health>) {
    const { still } = visit();
    change(() => {
      still.setHealth(health);
    });
    const found = await screen.findByRole('region', { name: 'State of this device' });
    return { still, text: found.textContent };
  }
  const isAsked = (): boolean => {
    // The test runner takes leaving for its own.
    window.onbeforeunload = null;
    const leaving = new Event('beforeunload', { cancelable: true });
    window.dispatchEvent(leaving);
    return leaving.defaultPrevented;
  };

  it('[fault 13] say that nothing is kept, offer what waits as a file, and guard the tab', async () => {
    const { still, text } = await banner({ storageState: 'memory' });
    expect(text).to.include('keeps nothing on this device');
    expect(isAsked()).to.equal(false);
    change(() => {
      still.setChanges({ waiting: 1, rows: [changeRow('c2', 'waiting')] });
      still.setHealth({ wouldLose: true });
    });
    expect(screen.queryByRole('button', { name: 'Export all' })).not.to.equal(null);
    expect(isAsked()).to.equal(true);
    change(() => {
      still.setHealth({ wouldLose: false });
    });
    expect(isAsked()).to.equal(false);
  });

  it('[fault 14] say which tabs to close', async () => {
    const { text } = await banner({ storageState: 'blocked' });
    expect(text).to.include('Close the other tabs and windows of Slipway');
  });

  it('[fault 15] say that storage is tried again, and go when it is back', async () => {
    const { still, text } = await banner({ storageState: 'failing' });
    expect(text).to.include('tried again by itself');
    change(() => {
      still.setHealth({ storageState: 'kept' });
    });
    expect(screen.queryByRole('region', { name: 'State of this device' })).to.equal(null);
  });

  it('[fault 18] offer a reload when a newer app uses the device', async () => {
    await banner({ storageState: 'newer' });
    expect(screen.queryByRole('button', { name: 'Reload' })).not.to.equal(null);
  });

  it('[fault 12] say how many changes the browser may have thrown away, until that is read', async () => {
    const { still, text } = await banner({ evicted: 3 });
    expect(text).to.include('3 changes that were not yet sent may be missing');
    press('Understood');
    expect(still.asked).to.deep.equal(['noted']);
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
  afterEach(cleanup);

  it('offers a reload in its place, or to try again; the shell goes on', async () => {
    visit('/late');
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
    visit('/broken');
    await screen.findByText('Something went wrong');
    window.onerror = onerror;
    expect(screen.getByRole('complementary', { name: 'Navigation' })).not.to.equal(null);
  });
});

describe('[1.9] with the keyboard alone', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  const key = (name: string, held: object = {}, on: Element = document.body) =>
    fireEvent.keyDown(on, { key: name, ...held });
  const palette = async () => {
    key('k', { ctrlKey: true });
    return screen.findByRole('combobox', { name: 'Screen, project or person' });
  };
  const type = (field: HTMLElement, value: string) => {
    fireEvent.change(field, { target: { value } });
  };
  const options = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);
  const chosen = () => screen.getByRole('option', { selected: true }).textContent;

  it('one goes to a project by some letters of its name [R46]', async () => {
    visit();
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
    visit();
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
    visit();
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
    const project = [named('p1', 'A wide Lake'), named('p2', 'Lake'), named('p3', 'By the lake')];
    visit('/', builder, { ...shelf, project });
    type(await palette(), 'lake');
    expect(
      options()
        .slice(0, 3)
        .map((text) => text.replace('Lakeside Press', '')),
    ).to.deep.equal(['Lake', 'A wide Lake', 'By the lake']);
  });

  it('one goes to a person by some letters of their name [R46]', async () => {
    visit();
    const field = await palette();
    expect(screen.queryByRole('group', { name: 'People' })).to.equal(null);
    type(field, 'felix');
    expect(screen.getByRole('group', { name: 'People' }).textContent).to.contain('Felix Fellow');
    key('Enter', {}, field);
    await screen.findByText('The person');
  });

  it('one has no shortcuts of single letters once they are turned off', async () => {
    const { surroundings } = visit();
    surroundings.storage.setItem('slipway.shortcuts', 'false');
    key('?');
    expect(screen.queryByRole('dialog')).to.equal(null);
    await palette();
  });

  it('one goes to the screens of the navigation by g and a letter, and to a new project by c [R42, R46]', async () => {
    visit();
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

  it('one is offered one’s own projects before anything is typed, and none that one may not open', async () => {
    visit();
    await palette();
    expect(screen.getByRole('group', { name: 'My projects, changed last' }).textContent).to.contain(
      'Harvest',
    );
    cleanup();
    const alone = { ...shelf, groupMembership: [] };
    visit('/', fellow, alone);
    type(await palette(), 'harv');
    expect(options()).to.deep.equal([]);
  });

  it('one opens the palette also while typing, and nothing over a dialog', async () => {
    visit();
    await palette();
    key('k', { metaKey: true });
    key('?');
    expect(screen.getAllByRole('dialog')).to.have.length(1);
  });

  it('one sees all shortcuts with a question mark, but not while typing [R46]', async () => {
    visit();
    const field = document.createElement('input');
    document.body.append(field);
    key('?', {}, field);
    field.remove();
    expect(screen.queryByRole('dialog')).to.equal(null);
    key('?');
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    expect(dialog.textContent).to.contain('Go to a screen, project or person');
    press('Close');
    expect(screen.queryByRole('dialog')).to.equal(null);
  });
});
