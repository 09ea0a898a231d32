import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { Uploaded } from '#protocol/file-paths.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
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
  south,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';
import { plain } from '../../support/scripted-server.ts';
import { aSignal } from '../../support/signal.ts';
import { stillFiles } from '../../support/still-files.ts';

const ada = idOf(1000);
const [membership] = shelf.organizationMembership ?? [];
const [groupMembership] = shelf.groupMembership ?? [];
if (membership === undefined || groupMembership === undefined) throw new Error('The shelf is bare');

/** Ada administers the organization and is in no group. */
const withAda: Shelf = {
  user: [...(shelf.user ?? []), record('user', { id: ada, name: 'Ada Admin' })],
  organizationMembership: [
    ...(shelf.organizationMembership ?? []),
    { ...membership, id: idOf(1001), user: ada },
  ],
  userRole: [
    ...(shelf.userRole ?? []),
    record('userRole', {
      id: idOf(1002),
      user: ada,
      organization: lakeside,
      roleName: 'OrganizationAdmin',
      role: idOf(1003),
    }),
  ],
};

interface Given {
  readonly viewer?: string;
  readonly project?: Partial<Of<'project'>>;
  readonly more?: Shelf;
  /** What the server says was uploaded. */
  readonly uploads?: readonly Uploaded[];
  /** What happens before the page opens. */
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

/** Harvest's page; what is given is otherwise. */
async function visit({
  viewer = builder,
  project = {},
  more = {},
  uploads = [],
  prepare,
}: Given = {}) {
  const set = { ...harvest, workflowProjectUrl: 'https://repository.test/1', ...project };
  const app = await openStore(viewer, { ...shelf, ...withAda, project: [set], ...more });
  await prepare?.(app);
  const { surroundings, pass } = testSurroundings();
  const routes = [
    { path: '/projects/:projectId', element: <ProjectPage /> },
    { path: '/', element: <p>The start</p> },
  ];
  render(
    <FilesContext.Provider value={stillFiles(uploads).files}>
      <Around
        store={app}
        surroundings={surroundings}
        routes={routes}
        at={`/projects/${harvest.id}`}
      />
    </FilesContext.Provider>,
  );
  return { ...app, pass };
}

const press = (name: RegExp | string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const says = (text: RegExp | string) => screen.queryByText(text) !== null;
const openMenu = () => {
  press('More for Harvest');
  return screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
};
const pick = async (name: string) => {
  await act(async () => {
    fireEvent.click(screen.getByRole('menuitem', { name }));
    await Promise.resolve();
  });
};
/** This device has no space left. */
const fill = ({ storage }: Pick<AppOverStore, 'storage'>) =>
  storage.fail({ at: 'put', name: 'QuotaExceededError' });
/** News does not get through; other answers do. */
const hearNoNews = async ({ server, settle }: AppOverStore) => {
  server.isHubDown = true;
  server.answer = (path) =>
    path.startsWith('/api/changes') ? Promise.reject(new TypeError('Failed to fetch')) : null;
  server.hangUp();
  await settle();
};
const questions = ({ requests }: AppOverStore['server']) =>
  requests.filter(({ path }) => path === `/api/projects/${harvest.id}`).length;

describe('[8.1] the page of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is headed by its name, who sees it, and since when it is [R100]', async () => {
    await visit();
    expect(screen.queryByRole('heading', { name: 'Harvest', level: 1 })).not.to.equal(null);
    expect(says('Public')).to.equal(true);
    expect(document.querySelector('.page-context')?.textContent).to.match(/Created 1 week.* ago/);
    cleanup();
    await visit({ project: { isPublic: false } });
    expect(says('Private')).to.equal(true);
  });

  it('leads to where it is edited [R100]', async () => {
    await visit();
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).to.equal(
      `/projects/${harvest.id}/edit`,
    );
  });

  it('has its language, its type in words, and its description [R102]', async () => {
    await visit();
    const details = () =>
      [...document.querySelectorAll('.facts dd')].map(({ textContent }) => textContent);
    expect(details()[0]).to.match(/^Spanish.*\(es-419\)$/);
    expect(details().slice(1)).to.deep.equal(['Scripture App', 'Songs of the field.']);
    cleanup();
    await visit({ project: { description: null } });
    expect(details()[2]).to.equal('--');
  });

  describe('with nothing published yet', () => {
    const bundled = { workflowProjectUrl: 'bundled:/repositories/7' };
    const lines = () =>
      [...document.querySelectorAll('.check-list > li')].map(
        (line) => `${line.textContent} ${line.getAttribute('data-is') ?? ''}`,
      );
    const [product] = shelf.product ?? [];
    const step = record('productTransition', {
      ...{ id: idOf(1900), product: harvestApp, transitionType: 1, initialState: 'Approval' },
    });
    const fresh = { ...product, versionBuilt: null, dateBuilt: null, datePublished: null };

    it('says what to do first, to who may, and leads there [8.6]', async () => {
      await visit({ project: bundled, more: { product: [] } });
      expect(lines()).to.deep.equal([
        'Add a product now',
        'Upload the content next',
        'Build it next',
        'Verify and publish it next',
      ]);
      press('Add a product');
      expect(document.activeElement?.textContent).to.equal('Products');
      cleanup();
      await visit({ viewer: fellow, project: bundled, more: { product: [] } });
      expect(lines()).to.deep.equal([]);
    });

    it('follows the records, and is over once something is published [8.6]', async () => {
      const { setRecord, settle } = await visit({
        project: bundled,
        more: { product: [fresh as Of<'product'>], productTransition: [step] },
      });
      // The history is asked for.
      await settle();
      expect(lines().slice(0, 3)).to.deep.equal([
        'Add a product done',
        'Upload the content now',
        'Build it next',
      ]);
      press('Upload the content');
      expect(document.activeElement?.textContent).to.equal('Repository');
      await setRecord('productTransition', step.id, {
        transitionType: 5,
        initialState: 'Project Upload',
      });
      expect(lines()[1]).to.equal('Upload the content done');
      expect(screen.getByRole('link', { name: 'Build it' }).getAttribute('href')).to.equal(
        `/flow/AppBuilders_Android_GooglePlay_Flow/${harvestApp}`,
      );
      const at = '2026-03-01T12:00:00.000Z';
      await setRecord('product', harvestApp, { dateBuilt: at });
      expect(lines().slice(2)).to.deep.equal(['Build it done', 'Verify and publish it now']);
      await setRecord('product', harvestApp, { datePublished: at });
      await settle();
      expect(lines()).to.deep.equal([]);
    });

    it('knows content that was there before any product by the list of uploads [8.6]', async () => {
      await visit({
        ...{ project: bundled, more: { product: [] } },
        uploads: [
          {
            ...{ number: 1, sizeBytes: 1, at: '2026-03-01T12:00:00.000Z', by: null },
            ...{ filename: 'a.zip', isSample: false, tag: '"1"', restored: null, changes: null },
          },
        ],
      });
      await waitFor(() => {
        expect(lines()[1]).to.equal('Upload the content done');
      });
    });
  });

  it('names the organization [R118]', async () => {
    await visit();
    const side = within(screen.getByRole('complementary', { name: 'Organization and people' }));
    expect(side.queryByText('Lakeside Press')).not.to.equal(null);
  });

  it('offers to archive it to who answers for it, and says when that is done [R101]', async () => {
    const { recordedActions } = await visit();
    expect(openMenu()).to.deep.equal(['Copy link', 'Archive']);
    await pick('Archive');
    expect(recordedActions[0]?.fields.dateArchived).to.be.a('string');
    await screen.findByText('Project archived');
    cleanup();
    await visit({ viewer: fellow });
    expect(openMenu()).to.deep.equal(['Copy link', 'Claim ownership']);
  });

  it('is archived after a question where links that others have stop working [R101]', async () => {
    const product = (shelf.product ?? []).map((one) => ({
      ...one,
      datePublished: '2026-03-01T12:00:00.000Z',
    }));
    const open = { isPublic: true, allowDownloads: true };
    const { recordedActions } = await visit({ project: open, more: { product } });
    openMenu();
    await pick('Archive');
    const question = within(
      await screen.findByRole('dialog', { name: 'Archive what is published?' }),
    );
    expect(question.getByRole('listitem').textContent).to.include(`/downloads/apk/${harvestApp}/`);
    expect(recordedActions).to.have.length(0);
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Archive' }));
      await Promise.resolve();
    });
    expect(recordedActions[0]?.fields.dateArchived).to.be.a('string');
    cleanup();
    const closed = await visit({ project: { ...open, isPublic: false }, more: { product } });
    openMenu();
    await pick('Archive');
    expect(closed.recordedActions[0]?.fields.dateArchived).to.be.a('string');
  });

  it('says what archived means, with the way back for who may [R101]', async () => {
    const archived = { project: { dateArchived: '2026-03-01T12:00:00.000Z' } };
    const { recordedActions } = await visit(archived);
    expect(says('Archived')).to.equal(true);
    expect(says(/^This project is archived/)).to.equal(true);
    expect(openMenu()).to.deep.equal(['Copy link', 'Reactivate']);
    press('Reactivate');
    expect(recordedActions[0]?.fields).to.deep.equal({ dateArchived: null });
    cleanup();
    await visit({ ...archived, viewer: fellow });
    expect(says(/^This project is archived/)).to.equal(true);
    expect(screen.queryByRole('button', { name: 'Reactivate' })).to.equal(null);
  });

  it('lets others of the group claim it [R101, R239, R276, R310, R402]', async () => {
    const { recordedActions } = await visit({ viewer: fellow });
    openMenu();
    await pick('Claim ownership');
    expect(recordedActions[0]?.fields).to.deep.equal({ owner: fellow });
    await screen.findByText('You are now the owner of the project');
    cleanup();
    await visit({ viewer: ada });
    expect(openMenu()).to.deep.equal(['Copy link', 'Archive']);
  });

  it('asks for the repository itself every three seconds while no news is heard [R238, R334, R418]', async () => {
    const { server, pass, settle } = await visit({
      project: { workflowProjectUrl: null },
      prepare: hearNoNews,
    });
    const later = async (ms: number) => {
      pass(ms);
      await settle();
    };
    await later(2_999);
    expect(questions(server)).to.equal(0);
    await later(1);
    await later(3_000);
    expect(questions(server)).to.equal(2);
    server.put('project', { id: harvest.id, workflowProjectUrl: 'https://repository.test/1' });
    await later(3_000);
    expect(questions(server)).to.equal(3);
    await later(3_000);
    expect(questions(server)).to.equal(3);
  });

  it('does not ask for the repository again while an answer is under way [R238]', async () => {
    const slow = aSignal();
    const { server, pass, settle } = await visit({
      project: { workflowProjectUrl: null },
      prepare: hearNoNews,
    });
    const { answer } = server;
    server.answer = (path, ...rest) =>
      path === `/api/projects/${harvest.id}`
        ? slow.given.then(() => plain({}))
        : answer(path, ...rest);
    for (let n = 0; n < 5; n += 1) {
      pass(3_000);
      await settle();
    }
    expect(questions(server)).to.equal(1);
    slow.give();
    await settle();
    pass(3_000);
    await settle();
    expect(questions(server)).to.equal(2);
  });

  it('asks for the repository only while the page is looked at [R238]', async () => {
    const { server, pass, settle } = await visit({
      project: { workflowProjectUrl: null },
      prepare: hearNoNews,
    });
    const visibility = (value: DocumentVisibilityState) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value });
    };
    const later = async () => {
      pass(3_000);
      await settle();
    };
    try {
      visibility('hidden');
      await later();
      expect(questions(server)).to.equal(0);
      visibility('visible');
      await later();
      expect(questions(server)).to.equal(1);
    } finally {
      Reflect.deleteProperty(document, 'visibilityState');
    }
  });

  it('leaves it to the news while that is heard [R238]', async () => {
    const { server, pass, settle } = await visit({ project: { workflowProjectUrl: null } });
    pass(3_000);
    await settle();
    expect(questions(server)).to.equal(0);
  });

  describe('where it is narrow', () => {
    /** The frame in which these tests run stands for the window. */
    const frame = () => window.frameElement as HTMLElement;
    const beWideAs = (widthPx: number) => {
      frame().style.width = `${widthPx}px`;
      expect(window.innerWidth).to.equal(widthPx);
    };
    let usual = '';
    beforeEach(() => {
      usual = frame().style.width;
    });
    afterEach(() => {
      frame().style.width = usual;
    });
    const parts = () =>
      [...document.querySelectorAll<HTMLDetailsElement>('.side-part')].map(
        (part) =>
          `${part.open ? 'open' : 'folded'}: ${part.querySelector('summary')?.textContent ?? ''}`,
      );

    it('folds the right column into panels, of which owner and group are open [R55, R118]', async () => {
      beWideAs(767);
      await visit();
      expect(parts()).to.deep.equal([
        'folded: Repository',
        'folded: Organization',
        'open: Owner',
        'open: Group',
        'folded: Authors',
        'folded: Reviewers',
      ]);
    });

    it('opens and folds each of them by a click', async () => {
      beWideAs(767);
      const { settle } = await visit();
      const [repository] = document.querySelectorAll<HTMLElement>('.side-part > summary');
      repository?.click();
      await settle();
      expect(parts()[0]).to.equal('open: Repository');
    });

    it('and only there', async () => {
      beWideAs(768);
      await visit();
      expect(parts().every((part) => part.startsWith('open'))).to.equal(true);
    });
  });
});

describe('[8.1] the owner and the group of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const owner = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Owner' });
  const group = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Group' });
  const offered = () => {
    fireEvent.focus(owner());
    fireEvent.change(owner(), { target: { value: '' } });
    return screen.getAllByRole('option', { hidden: false }).map(({ textContent }) => textContent);
  };
  const choose = async (name: string) => {
    fireEvent.focus(owner());
    fireEvent.change(owner(), { target: { value: name.slice(0, 3) } });
    await act(async () => {
      const option = screen.getByRole('option', { name });
      fireEvent.mouseDown(option);
      fireEvent.click(option);
      await Promise.resolve();
    });
  };
  const moveTo = async (id: string) => {
    await act(async () => {
      fireEvent.change(group(), { target: { value: id } });
      await Promise.resolve();
    });
  };
  const inNorth = groupMembership;
  const superAdmin = (user: string) =>
    record('userRole', { id: idOf(1012), user, roleName: 'SuperAdmin', role: idOf(1013) });

  it('may be whoever is in the group and the organization, by name [R119, R273]', async () => {
    const stranger = record('user', { id: idOf(1010), name: 'Sam Stranger' });
    const { user = [], groupMembership: all = [] } = { ...shelf, ...withAda };
    await visit({
      more: {
        user: [...user, stranger],
        // Sam is in the group, but not in the organization; Ada the other way round.
        groupMembership: [...all, { ...inNorth, id: idOf(1011), user: stranger.id }],
      },
    });
    expect(owner().value).to.equal('Berta Builder');
    const names = offered().filter((name) => !name.startsWith('Lakeside'));
    expect(names).to.deep.equal(['Berta Builder', 'Felix Fellow']);
  });

  it('is called by first and last name without a display name, in the order of names [R119, R218]', async () => {
    await visit({
      more: {
        user: (shelf.user ?? []).map((user) =>
          user.id === fellow
            ? { ...user, name: null, givenName: 'Aino', familyName: 'Fellow' }
            : user,
        ),
      },
    });
    const names = offered().filter((name) => !name.startsWith('Lakeside'));
    expect(names).to.deep.equal(['Aino Fellow', 'Berta Builder']);
  });

  it('is the present owner at any rate [R119]', async () => {
    await visit({ project: { owner: ada }, viewer: fellow });
    expect(owner().value).to.equal('Ada Admin');
  });

  it('is chosen by who is of the group alone; others see why not [R119, R273]', async () => {
    const { recordedActions } = await visit({ viewer: fellow });
    await choose('Felix Fellow');
    expect(recordedActions[0]?.fields).to.deep.equal({ owner: fellow });
    cleanup();
    await visit({ viewer: ada });
    expect(owner().disabled).to.equal(true);
    expect(
      document.getElementById(owner().getAttribute('aria-describedby') ?? '')?.textContent,
    ).to.match(/^Only people in the project's group/);
    cleanup();
    await visit({ viewer: ada, more: { userRole: [superAdmin(ada)] } });
    expect(owner().disabled).to.equal(true);
  });

  for (const [what, change] of [
    ['owner', () => choose('Felix Fellow')],
    ['group', () => moveTo(south)],
  ] as const)
    it(`leaves the ${what} as it was when another cannot be kept, with the reason [R370]`, async () => {
      fill(await visit());
      await change();
      const told = await screen.findByText(/no space left on this device/);
      expect(told.closest('.toast')?.textContent).to.contain('That did not work');
      expect(owner().value).to.equal('Berta Builder');
      expect(group().value).to.equal(harvest.group);
    });

  it('offers the groups that the viewer is in, and the present one [R118]', async () => {
    const { recordedActions } = await visit();
    expect([...group().options].map(({ label }) => label)).to.deep.equal([
      'Lakeside North',
      'Lakeside South',
    ]);
    await moveTo(south);
    expect(recordedActions[0]?.fields).to.deep.equal({ group: south });
  });

  it('offers no other group to who is in one alone [R118]', async () => {
    await visit({ viewer: fellow });
    expect(group().disabled).to.equal(true);
    expect(group().options).to.have.length(1);
  });

  it('offers super admins every group of the organization [R118, R298]', async () => {
    await visit({
      viewer: fellow,
      more: { userRole: [superAdmin(fellow)] },
    });
    expect(group().disabled).to.equal(false);
    expect(group().options).to.have.length(2);
  });

  it('asks before the project leaves its owner’s groups [R118]', async () => {
    const { recordedActions } = await visit({ project: { owner: fellow } });
    await moveTo(south);
    const question = within(screen.getByRole('dialog', { name: 'Move to Lakeside South?' }));
    expect(recordedActions).to.have.length(0);
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Move' }));
      await Promise.resolve();
    });
    expect(recordedActions[0]?.fields).to.deep.equal({ group: south });
  });
});

describe('[8.1] the settings of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const toggle = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name });
  const click = async (name: string) => {
    await act(async () => {
      fireEvent.click(toggle(name));
      await Promise.resolve();
    });
  };
  const DOWNLOADS = 'Allow other organizations to download';
  const PUBLIC = 'Public visibility';
  const AUTOMATIC = 'Automatic builds';

  it('are three, each with a sentence on what it means [R116]', async () => {
    await visit();
    const sentences = [DOWNLOADS, PUBLIC, AUTOMATIC].map(
      (name) =>
        document.getElementById(toggle(name).getAttribute('aria-describedby') ?? '')?.textContent,
    );
    expect(sentences).to.deep.equal([
      'People of other organizations may download what is published, while the project is public.',
      'Anyone can find public projects in the directory.',
      "Products are built again when the project's content changes.",
    ]);
  });

  it('are switched off by a click, which is said [R116, R236, R237, R404]', async () => {
    const on = { isPublic: true, allowDownloads: true, automaticBuilds: true };
    const { recordedActions } = await visit({ project: on });
    await click(DOWNLOADS);
    await screen.findByText('Other organizations can no longer download');
    await click(PUBLIC);
    await screen.findByText('The project is private');
    await click(AUTOMATIC);
    await screen.findByText('Automatic builds are off');
    expect(recordedActions.map(({ fields }) => fields)).to.deep.equal([
      { allowDownloads: false },
      { isPublic: false },
      { automaticBuilds: false },
    ]);
  });

  it('are switched on by a click, which is said [R116, R236, R237, R404]', async () => {
    const off = { isPublic: false, allowDownloads: false, automaticBuilds: false };
    const { recordedActions } = await visit({ project: off });
    await click(DOWNLOADS);
    await screen.findByText('Other organizations can download');
    await click(PUBLIC);
    await screen.findByText('The project is public');
    await click(AUTOMATIC);
    await screen.findByText('Automatic builds are on');
    expect(recordedActions.map(({ fields }) => fields)).to.deep.equal([
      { allowDownloads: true },
      { isPublic: true },
      { automaticBuilds: true },
    ]);
  });

  it('have what was said last of each said alone, with the way back to what it was before', async () => {
    const { recordedActions, settle } = await visit({ project: { isPublic: false } });
    await click(AUTOMATIC);
    await click(PUBLIC);
    await screen.findByText('The project is public');
    await click(PUBLIC);
    await screen.findByText('The project is private');
    expect(screen.queryByText('The project is public')).to.equal(null);
    expect(screen.getAllByRole('button', { name: 'Undo' })).to.have.length(2);
    fireEvent.click(screen.getAllByRole('button', { name: 'Undo' })[1] ?? document.body);
    await settle();
    expect(recordedActions.at(-1)?.fields).to.deep.equal({ isPublic: true });
  });

  it('can be taken back [R116]', async () => {
    const { recordedActions, settle } = await visit({ project: { isPublic: true } });
    await click(PUBLIC);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await settle();
    expect(recordedActions.map(({ fields }) => fields)).to.deep.equal([
      { isPublic: false },
      { isPublic: true },
    ]);
  });

  it('ask before others lose what was published [R116]', async () => {
    const product = (shelf.product ?? []).map((one) => ({
      ...one,
      datePublished: '2026-03-01T12:00:00.000Z',
    }));
    const { recordedActions } = await visit({
      project: { isPublic: true, allowDownloads: true },
      more: { product },
    });
    await click(PUBLIC);
    const question = within(screen.getByRole('dialog', { name: 'Make the project private?' }));
    expect(recordedActions).to.have.length(0);
    const stops = question.getByRole('listitem').textContent;
    expect(stops).to.match(new RegExp(`^http.*/downloads/apk/${harvestApp}/published$`));
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Make private' }));
      await Promise.resolve();
    });
    expect(recordedActions[0]?.fields).to.deep.equal({ isPublic: false });
  });

  it('tell with the question that the links of sites stop working too, and of how many products [R116]', async () => {
    const datePublished = '2026-03-01T12:00:00.000Z';
    const [app] = shelf.product ?? [];
    const [android] = shelf.productDefinition ?? [];
    if (app === undefined || android === undefined) throw new Error('The shelf has a product');
    const [site, elsewhere, definition] = [idOf(1201), idOf(1202), idOf(1203)];
    const page = `${location.origin}/downloads/products/${site}/files/published/html`;
    const publishedAt = { ...app, datePublished, productDefinition: definition };
    const product = [
      { ...app, datePublished },
      { ...publishedAt, id: site, publishLink: page },
      { ...publishedAt, id: elsewhere, publishLink: 'https://sites.test/harvest' },
    ];
    const productDefinition = [android, { ...android, id: definition, name: 'HTML Site' }];
    await visit({
      project: { isPublic: true, allowDownloads: true },
      more: { product, productDefinition },
    });
    await click(PUBLIC);
    const question = screen.getByRole('dialog', { name: 'Make the project private?' });
    expect(question.textContent).to.include('for 2 products');
    const stops = within(question).getAllByRole('listitem');
    expect(stops.map(({ textContent }) => textContent)).to.include(page);
    expect(stops).to.have.length(2);
  });

  it('ask the same before Undo of a toast takes away what was published [R116]', async () => {
    const product = (shelf.product ?? []).map((one) => ({
      ...one,
      datePublished: '2026-03-01T12:00:00.000Z',
    }));
    const { recordedActions } = await visit({ project: { isPublic: false }, more: { product } });
    await click(PUBLIC);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    const question = within(screen.getByRole('dialog', { name: 'Make the project private?' }));
    expect(recordedActions.map(({ fields }) => fields)).to.deep.equal([{ isPublic: true }]);
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Make private' }));
      await Promise.resolve();
    });
    expect(recordedActions[1]?.fields).to.deep.equal({ isPublic: false });
  });

  it('are not changed when this device cannot keep that, which is said [R236, R237, R404, R406]', async () => {
    for (const name of [DOWNLOADS, PUBLIC, AUTOMATIC]) {
      const on = { isPublic: true, allowDownloads: true, automaticBuilds: true };
      fill(await visit({ project: on }));
      await click(name);
      await screen.findByText('The setting was not changed');
      expect(toggle(name).checked, name).to.equal(true);
      cleanup();
    }
  });

  it('are shown to others of the group, who read why they cannot change them [R116]', async () => {
    await visit({ viewer: fellow });
    expect(toggle(PUBLIC).disabled).to.equal(true);
    const told = 'Only the owner and organization admins can change these settings.';
    expect(screen.getAllByText(told)).to.have.length(1);
    for (const name of [PUBLIC, DOWNLOADS, AUTOMATIC]) {
      const described = toggle(name).getAttribute('aria-describedby')?.split(' ') ?? [];
      expect(described.map((id) => document.getElementById(id)?.textContent)).to.include(told);
    }
  });
});
