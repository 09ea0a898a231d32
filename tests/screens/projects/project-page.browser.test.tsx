import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { NotSavedError } from '#data/model/change.ts';
import { NotStoredError } from '#data/model/not-stored-error.ts';
import type { ChangesView } from '../../../src/data/model/views.ts';
import { FilesContext } from '#files/files.ts';
import type { Of } from '#schema/index.ts';
import { ProjectPage } from '#screens/projects/project-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  lakeside,
  record,
  shelf,
  south,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/shelf.ts';
import { stillFiles } from '../../support/still-files.ts';

const ada = 'ada';
const [membership] = shelf.organizationMembership ?? [];
const [groupMembership] = shelf.groupMembership ?? [];
if (membership === undefined || groupMembership === undefined) throw new Error('The shelf is bare');

/** Ada administers the organization and is in no group. */
const withAda: Shelf = {
  user: [...(shelf.user ?? []), record('user', { id: ada, name: 'Ada Admin' })],
  organizationMembership: [
    ...(shelf.organizationMembership ?? []),
    { ...membership, id: 'ada-here', user: ada },
  ],
  userRole: [
    ...(shelf.userRole ?? []),
    record('userRole', {
      id: 'ada-role',
      user: ada,
      organization: lakeside,
      roleName: 'OrganizationAdmin',
      role: 'admin',
    }),
  ],
};

interface Given {
  readonly viewer?: string;
  readonly project?: Partial<Of<'project'>>;
  readonly more?: Shelf;
  readonly changes?: Partial<ChangesView>;
}

/** Harvest's page; what is given is otherwise. */
function visit({ viewer = builder, project = {}, more = {}, changes }: Given = {}) {
  const set = { ...harvest, workflowProjectUrl: 'https://repository.test/1', ...project };
  const still = stillData(viewer, { ...shelf, ...withAda, project: [set], ...more }, changes);
  const { surroundings, pass } = testSurroundings();
  const routes = [
    { path: '/projects/:projectId', element: <ProjectPage /> },
    { path: '/', element: <p>The start</p> },
  ];
  render(
    <FilesContext.Provider value={stillFiles().files}>
      <Around
        store={still}
        surroundings={surroundings}
        routes={routes}
        at={`/projects/${harvest.id}`}
      />
    </FilesContext.Provider>,
  );
  return { ...still, pass };
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
const full = new NotSavedError(new NotStoredError('full', null));
const settle = () => act(() => Promise.resolve());

describe('[8.1] the page of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('is headed by its name, who sees it, and since when it is [R100]', () => {
    visit();
    expect(screen.queryByRole('heading', { name: 'Harvest', level: 1 })).not.to.equal(null);
    expect(says('Public')).to.equal(true);
    expect(document.querySelector('.page-context')?.textContent).to.match(/Created 1 week.* ago/);
    cleanup();
    visit({ project: { isPublic: false } });
    expect(says('Private')).to.equal(true);
  });

  it('leads to where it is edited [R100]', () => {
    visit();
    expect(screen.getByRole('link', { name: 'Edit' }).getAttribute('href')).to.equal(
      `/projects/${harvest.id}/edit`,
    );
  });

  it('has its language, its type in words, and its description [R102]', () => {
    visit();
    const details = () =>
      [...document.querySelectorAll('.facts dd')].map(({ textContent }) => textContent);
    expect(details()[0]).to.match(/^Spanish.*\(es-419\)$/);
    expect(details().slice(1)).to.deep.equal(['Scripture App', 'Songs of the field.']);
    cleanup();
    visit({ project: { description: null } });
    expect(details()[2]).to.equal('--');
  });

  it('names the organization [R118]', () => {
    visit();
    const side = within(screen.getByRole('complementary', { name: 'Organization and people' }));
    expect(side.queryByText('Lakeside Press')).not.to.equal(null);
  });

  it('offers to archive it to who answers for it, and says when that is done [R101]', async () => {
    const { deeds, setChanges } = visit();
    expect(openMenu()).to.deep.equal(['Archive']);
    await pick('Archive');
    expect(deeds[0]?.fields.dateArchived).to.be.a('string');
    const row = changeRow('c1', 'done', {
      about: { type: 'project', id: harvest.id },
      says: ['changes.project.archive', { name: 'Harvest' }],
    });
    act(() => {
      setChanges({ rows: [row] });
    });
    await screen.findByText('Project archived');
    cleanup();
    visit({ viewer: fellow });
    expect(openMenu()).to.deep.equal(['Claim ownership']);
  });

  it('says what archived means, with the way back for who may [R101]', () => {
    const archived = { project: { dateArchived: '2026-03-01T12:00:00.000Z' } };
    const { deeds } = visit(archived);
    expect(says('Archived')).to.equal(true);
    expect(says(/^This project is archived/)).to.equal(true);
    expect(openMenu()).to.deep.equal(['Reactivate']);
    press('Reactivate');
    expect(deeds[0]?.fields).to.deep.equal({ dateArchived: null });
    cleanup();
    visit({ ...archived, viewer: fellow });
    expect(says(/^This project is archived/)).to.equal(true);
    expect(screen.queryByRole('button', { name: 'Reactivate' })).to.equal(null);
  });

  it('lets others of the group claim it [R101, R239, R276, R310, R402]', async () => {
    const { deeds } = visit({ viewer: fellow });
    openMenu();
    await pick('Claim ownership');
    expect(deeds[0]?.fields).to.deep.equal({ owner: fellow });
    await screen.findByText('You are now the owner of the project');
    cleanup();
    visit({ viewer: ada });
    expect(openMenu()).to.deep.equal(['Archive']);
  });

  it('asks for the repository itself every three seconds while no news is heard [R238, R334, R418]', () => {
    const asked: string[] = [];
    const { setServer, pass, setRecord } = visit({
      project: { workflowProjectUrl: null },
      changes: { status: 'offline' },
    });
    setServer((address) => {
      asked.push(address);
      return Promise.resolve({ is: 'no-answer' });
    });
    pass(2_999);
    expect(asked).to.deep.equal([]);
    pass(1);
    pass(3_000);
    expect(asked).to.deep.equal(Array(2).fill(`/api/projects/${harvest.id}`));
    act(() => {
      setRecord('project', harvest.id, { workflowProjectUrl: 'https://repository.test/1' });
    });
    pass(3_000);
    expect(asked).to.have.length(2);
  });

  it('leaves it to the news while that is heard [R238]', () => {
    const asked: string[] = [];
    const { setServer, pass } = visit({ project: { workflowProjectUrl: null } });
    setServer((address) => {
      asked.push(address);
      return Promise.resolve({ is: 'no-answer' });
    });
    pass(3_000);
    expect(asked).to.deep.equal([]);
  });

  describe('where it is narrow', () => {
    const matchMedia = window.matchMedia.bind(window);
    const wideAs = (isNarrow: boolean) => {
      window.matchMedia = (query) =>
        Object.defineProperty(matchMedia(query), 'matches', { value: isNarrow });
    };
    afterEach(() => {
      window.matchMedia = matchMedia;
    });
    const parts = () =>
      [...document.querySelectorAll<HTMLDetailsElement>('.side-part')].map(
        (part) =>
          `${part.open ? 'open' : 'folded'}: ${part.querySelector('summary')?.textContent ?? ''}`,
      );

    it('folds the right column into panels, of which owner and group are open [R55, R118]', () => {
      wideAs(true);
      visit();
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
      wideAs(true);
      visit();
      const [repository] = document.querySelectorAll<HTMLElement>('.side-part > summary');
      repository?.click();
      await settle();
      expect(parts()[0]).to.equal('open: Repository');
    });

    it('and only there', () => {
      wideAs(false);
      visit();
      expect(parts().every((part) => part.startsWith('open'))).to.equal(true);
    });
  });
});

describe('[8.1] the owner and the group of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

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

  it('may be whoever is in the group and the organization, by name [R119, R273]', () => {
    const stranger = record('user', { id: 'stranger', name: 'Sam Stranger' });
    const { user = [], groupMembership: all = [] } = { ...shelf, ...withAda };
    visit({
      more: {
        user: [...user, stranger],
        // Sam is in the group, but not in the organization; Ada the other way round.
        groupMembership: [...all, { ...inNorth, id: 'sam', user: stranger.id }],
      },
    });
    expect(owner().value).to.equal('Berta Builder');
    const names = offered().filter((name) => !name.startsWith('Lakeside'));
    expect(names).to.deep.equal(['Berta Builder', 'Felix Fellow']);
  });

  it('is the present owner at any rate [R119]', () => {
    visit({ project: { owner: ada }, viewer: fellow });
    expect(owner().value).to.equal('Ada Admin');
  });

  it('is chosen by who is of the group alone; others see why not [R119, R273]', async () => {
    const { deeds } = visit({ viewer: fellow });
    await choose('Felix Fellow');
    expect(deeds[0]?.fields).to.deep.equal({ owner: fellow });
    cleanup();
    visit({ viewer: ada });
    expect(owner().disabled).to.equal(true);
    expect(
      document.getElementById(owner().getAttribute('aria-describedby') ?? '')?.textContent,
    ).to.match(/^Only people in the project's group/);
  });

  it('stays as it was when that cannot be kept, with the reason [R370]', async () => {
    const { failWith } = visit();
    failWith(full);
    await choose('Felix Fellow');
    await screen.findByText(/no space left on this device/);
    expect(owner().value).to.equal('Berta Builder');
    await moveTo(south);
    expect(group().value).to.equal(harvest.group);
  });

  it('offers the groups that the viewer is in, and the present one [R118]', async () => {
    const { deeds } = visit();
    expect([...group().options].map(({ label }) => label)).to.deep.equal([
      'Lakeside North',
      'Lakeside South',
    ]);
    await moveTo(south);
    expect(deeds[0]?.fields).to.deep.equal({ group: south });
  });

  it('offers no other group to who is in one alone [R118]', () => {
    visit({ viewer: fellow });
    expect(group().disabled).to.equal(true);
    expect(group().options).to.have.length(1);
  });

  it('offers super admins every group of the organization [R118, R298]', () => {
    visit({
      viewer: fellow,
      more: {
        userRole: [
          record('userRole', { id: 's', user: fellow, roleName: 'SuperAdmin', role: 'super' }),
        ],
      },
    });
    expect(group().disabled).to.equal(false);
    expect(group().options).to.have.length(2);
  });

  it('asks before the project leaves its owner’s groups [R118]', async () => {
    const { deeds } = visit({ project: { owner: fellow } });
    await moveTo(south);
    const question = within(screen.getByRole('dialog', { name: 'Move to Lakeside South?' }));
    expect(deeds).to.have.length(0);
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Move' }));
      await Promise.resolve();
    });
    expect(deeds[0]?.fields).to.deep.equal({ group: south });
  });
});

describe('[8.1] the settings of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

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

  it('are three, each with a sentence on what it means [R116]', () => {
    visit();
    const sentences = [DOWNLOADS, PUBLIC, AUTOMATIC].map(
      (name) =>
        document.getElementById(toggle(name).getAttribute('aria-describedby') ?? '')?.textContent,
    );
    expect(sentences).to.deep.equal([
      'People of other organizations may download what is published, while the project is public.',
      'A public project stands in the directory, for everyone to find.',
      "Products are built again when the project's content changes.",
    ]);
  });

  it('are switched off by a click, which is said [R116, R236, R237, R404]', async () => {
    const on = { isPublic: true, allowDownloads: true, automaticBuilds: true };
    const { deeds } = visit({ project: on });
    await click(DOWNLOADS);
    await screen.findByText('Other organizations can no longer download');
    await click(PUBLIC);
    await screen.findByText('The project is private');
    await click(AUTOMATIC);
    await screen.findByText('Automatic builds are off');
    expect(deeds.map(({ fields }) => fields)).to.deep.equal([
      { allowDownloads: false },
      { isPublic: false },
      { automaticBuilds: false },
    ]);
  });

  it('are switched on by a click, which is said [R116, R236, R237, R404]', async () => {
    const off = { isPublic: false, allowDownloads: false, automaticBuilds: false };
    const { deeds } = visit({ project: off });
    await click(DOWNLOADS);
    await screen.findByText('Other organizations can download');
    await click(PUBLIC);
    await screen.findByText('The project is public');
    await click(AUTOMATIC);
    await screen.findByText('Automatic builds are on');
    expect(deeds.map(({ fields }) => fields)).to.deep.equal([
      { allowDownloads: true },
      { isPublic: true },
      { automaticBuilds: true },
    ]);
  });

  it('can be taken back [R116]', async () => {
    const { deeds } = visit({ project: { isPublic: true } });
    await click(PUBLIC);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    await settle();
    expect(deeds.map(({ fields }) => fields)).to.deep.equal([
      { isPublic: false },
      { isPublic: true },
    ]);
  });

  it('ask before others lose what was published [R116]', async () => {
    const product = (shelf.product ?? []).map((one) => ({
      ...one,
      datePublished: '2026-03-01T12:00:00.000Z',
    }));
    const { deeds } = visit({
      project: { isPublic: true, allowDownloads: true },
      more: { product },
    });
    await click(PUBLIC);
    const question = within(screen.getByRole('dialog', { name: 'Make the project private?' }));
    expect(deeds).to.have.length(0);
    const stops = question.getByRole('listitem').textContent;
    expect(stops).to.match(new RegExp(`^http.*/downloads/apk/${harvestApp}/published$`));
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Make private' }));
      await Promise.resolve();
    });
    expect(deeds[0]?.fields).to.deep.equal({ isPublic: false });
  });

  it('ask the same before Undo of a toast takes away what was published [R116]', async () => {
    const product = (shelf.product ?? []).map((one) => ({
      ...one,
      datePublished: '2026-03-01T12:00:00.000Z',
    }));
    const { deeds } = visit({ project: { isPublic: false }, more: { product } });
    await click(PUBLIC);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    const question = within(screen.getByRole('dialog', { name: 'Make the project private?' }));
    expect(deeds.map(({ fields }) => fields)).to.deep.equal([{ isPublic: true }]);
    await act(async () => {
      fireEvent.click(question.getByRole('button', { name: 'Make private' }));
      await Promise.resolve();
    });
    expect(deeds[1]?.fields).to.deep.equal({ isPublic: false });
  });

  it('are not changed when this device cannot keep that, which is said [R236, R237, R404, R406]', async () => {
    const { failWith } = visit({ project: { automaticBuilds: true } });
    failWith(full);
    await click(AUTOMATIC);
    await screen.findByText('The setting was not changed');
    expect(toggle(AUTOMATIC).checked).to.equal(true);
  });

  it('are shown to others of the group, who read why they cannot change them [R116]', () => {
    visit({ viewer: fellow });
    expect(toggle(PUBLIC).disabled).to.equal(true);
    const why = document.getElementById(toggle(PUBLIC).getAttribute('aria-describedby') ?? '');
    expect(why?.textContent).to.match(/Only the owner and organization admins change this\.$/);
  });
});
