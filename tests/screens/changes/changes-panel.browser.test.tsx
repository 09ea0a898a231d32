import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { addComment, removeComment } from '#data/actions/comments.ts';
import { addReviewer } from '#data/actions/people.ts';
import { addProduct, runTogether } from '#data/actions/products.ts';
import {
  createProject,
  editProject,
  reactivate,
  setGroup,
  setOwner,
  setSwitch,
} from '#data/actions/projects.ts';
import { changeQuery, createView, removeView, renameView } from '#data/actions/saved-views.ts';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import type { Data } from '../../../src/data/model/data.ts';
import { paths } from '#protocol/paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { ChangesPanel } from '#screens/changes/changes-panel.tsx';
import type { ChangesPanelTarget } from '#screens/app/page/changes/changes-context.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import {
  builder,
  fellow,
  harvest,
  harvestApp,
  harvestTask,
  idOf,
  lakeside,
  record,
  shelf,
  south,
} from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const HOUR_MS = 3_600_000;
const [anApp] = shelf.product ?? [];
if (anApp === undefined) throw new Error('The shelf has no product');

interface Opened {
  readonly held?: Shelf;
  /** Where the panel begins. */
  readonly at?: (app: AppOverStore) => ChangesPanelTarget | null;
  /** What the panel sees of the local copy. */
  readonly seen?: (data: Data) => Data;
}

/** The panel, after the person has done what `happens`. */
async function open(
  happens: (app: AppOverStore) => Promise<unknown> = () => Promise.resolve(),
  { held = shelf, at = () => null, seen = (data) => data }: Opened = {},
) {
  const app = await openStore(builder, held);
  await happens(app);
  await app.settle();
  let closed = 0;
  const routes = [
    { path: '/', element: <ChangesPanel at={at(app)} onClose={() => (closed += 1)} /> },
    { path: '/projects/:projectId', element: <>The project</> },
    { path: '/projects/:projectId/edit', element: <>The form</> },
  ];
  const { surroundings } = testSurroundings();
  const store = { data: seen(app.data) };
  const show = () =>
    render(<Around store={store} surroundings={surroundings} routes={routes} at="/" />);
  show();
  /** The panel is closed, and opened again in the same tab. */
  const again = () => {
    cleanup();
    show();
  };
  return { app, closed: () => closed, again };
}

const named = (name: string): Of<'project'> => {
  const found = (shelf.project ?? []).find((project) => project.name === name);
  if (found === undefined) throw new Error(`There is no ${name}`);
  return found;
};
const rowsOf = ({ data }: AppOverStore) => data.changes.view().rows;
const statesOf = (app: AppOverStore) => rowsOf(app).map(({ state }) => state);
const projectOf = ({ data }: AppOverStore, { id }: { readonly id: string } = harvest) =>
  data.find.one('project', id);

/** The server refuses with `problem` what `change` does. */
async function refused(
  app: AppOverStore,
  change: () => Promise<unknown>,
  problem: Partial<ErrorObject> = {},
): Promise<void> {
  app.server.refuse = () => [
    {
      ...{ id: 'e1', status: '403', code: 'forbidden', title: 'Forbidden' },
      ...{ detail: 'Sent in English', ...problem },
    },
  ];
  await change();
  await app.settle();
  app.server.refuse = () => null;
}
const refuseRename = (app: AppOverStore) =>
  refused(app, () => editProject(app.data, harvest, { name: 'Harvest Home' }));
/** "Edit Juniper". */
async function edit(app: AppOverStore, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await editProject(app.data, named(name), { description: `All about ${name}` });
    await app.settle();
  }
}
/** The same, and it waits. */
async function editOffline(app: AppOverStore, ...names: readonly string[]): Promise<void> {
  await app.goOffline();
  await edit(app, ...names);
}
/** The same while nobody is signed in: it is not even tried to send it. */
async function editSignedOut(app: AppOverStore, ...names: readonly string[]): Promise<void> {
  app.device.token = null;
  app.server.hangUp();
  await app.passOnDevice(5_000);
  await edit(app, ...names);
}
async function approve({ data }: AppOverStore): Promise<void> {
  const task = data.find.one('userTask', harvestTask);
  if (task === null) throw new Error('There is no task');
  const names = { product: 'Android App to Google Play', project: 'Harvest' };
  await sendTaskCommand(data, task, 'Approve', 'Good', names);
}
const MANGO = {
  name: 'Mango',
  language: 'fr',
  organization: lakeside,
  group: harvest.group,
  type: harvest.type,
};
/** A project that is refused, and two reviewers of it, which are held. */
async function refuseMango(app: AppOverStore): Promise<void> {
  await app.goOffline();
  const id = await createProject(app.data, MANGO);
  for (const name of ['Rita', 'Rolf']) {
    const fields = { name, email: `${name}@lakeside.test`, locale: 'en-US' as const };
    await addReviewer(app.data, { ...harvest, id, name: 'Mango' }, fields);
  }
  await refused(app, () => app.goOnline());
}
/** The builder and the fellow replaced the same fields of Harvest. */
async function conflict(
  app: AppOverStore,
  mine: Partial<Of<'project'>>,
  theirs: Partial<Of<'project'>>,
  project = harvest,
): Promise<void> {
  await app.goOffline();
  app.device.now -= HOUR_MS;
  const names = { from: project.name, to: mine.name ?? '' };
  await app.data.edit('project', project.id, mine, ['changes.project.rename', names]);
  app.device.now += HOUR_MS;
  app.server.by = { type: 'users', id: fellow, name: 'Felix Fellow' };
  app.server.changedAt = '2026-03-02T11:30:00.000Z';
  app.server.put('project', { id: project.id, ...theirs });
  await app.goOnline();
}
const line = (id: string) => {
  const found = screen.getAllByRole('listitem').find((item) => item.textContent.includes(id));
  if (found === undefined) throw new Error(`There is no line with ${id}`);
  return found;
};
const press = (name: string, inside: HTMLElement = document.body) => {
  fireEvent.click(within(inside).getByRole('button', { name }));
};
const buttonsOf = (of: HTMLElement) =>
  within(of)
    .queryAllByRole('button')
    .map((button) => button.textContent);

describe('[3.5] the changes panel', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('says that everything is saved when nothing is to be told', async () => {
    await open();
    expect(screen.queryByText('Everything is saved.')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Discard all' })).to.equal(null);
  });

  it('counts what needs the person, what waits and what is done apart', async () => {
    await open(async (app) => {
      await refuseRename(app);
      await edit(app, 'Juniper');
      await editOffline(app, 'Lantern', 'Orchard');
    });
    const heads = screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent);
    expect(heads).to.deep.equal(['Needs attention (1)', 'Not sent yet (2)', 'Done (1)']);
  });

  it('says from which value to which a field was changed, whether it waits or is done', async () => {
    await open(async (app) => {
      await setOwner(app.data, harvest, fellow);
      await app.settle();
      await app.goOffline();
      await setSwitch(app.data, harvest, 'isPublic', false);
      await setGroup(app.data, named('Juniper'), south);
      await editProject(app.data, named('Lantern'), { description: 'Seen from afar' });
    });
    const says = [
      ['Make Felix', 'Owner: Berta Builder → Felix Fellow'],
      ['who sees Harvest', 'Visibility: Public → Private'],
      ['Move Juniper', 'Group: Lakeside North → Lakeside South'],
      ['Edit Lantern', 'Description: (empty) → “Seen from afar”'],
    ] as const;
    for (const [sentence, values] of says) expect(line(sentence).textContent).to.include(values);
  });

  it('repeats none of what its sentence says', async () => {
    await open(async (app) => {
      await app.goOffline();
      await editProject(app.data, harvest, { name: 'Harvest Home' });
    });
    expect(line('Rename Harvest').querySelector('.changed-values')).to.equal(null);
  });

  it('shows of a long text where it differs, and the whole on demand', async () => {
    const was = `${'A song of the field. '.repeat(5)}The end.`;
    const project = [{ ...harvest, description: was }];
    await open(
      async (app) => {
        await app.goOffline();
        const description = was.replace('The end.', 'The beginning.');
        await editProject(app.data, harvest, { description });
      },
      { held: { ...shelf, project } },
    );
    const values = line('Edit Harvest').querySelector<HTMLDetailsElement>('details.changed-values');
    const summary = values?.querySelector('summary')?.textContent;
    expect(summary).to.match(/^Description: “….*The end\.” → “….*The beginning\.”$/);
    expect(values?.open).to.equal(false);
    expect(values?.querySelector('.version-was dd')?.textContent).to.equal(was);
    expect(values?.querySelector('.version-mine ins')?.textContent).to.equal('beginning');
  });

  it('says what was stated of what is new, and what is removed', async () => {
    const names = { product: 'Android App', project: 'Harvest' };
    await open(async (app) => {
      const id = await addComment(app.data, harvestApp, `See @[${fellow}] first`, names);
      await app.settle();
      const comment = app.data.find.one('productComment', id);
      if (comment === null) throw new Error('The comment is not here');
      await app.goOffline();
      await createProject(app.data, { ...MANGO, isPublic: false });
      await removeComment(app.data, comment, names);
    });
    const text = line('Create Mango').textContent;
    for (const words of ['Language: French (fr)', 'Visibility: Private'])
      expect(text).to.include(words);
    expect(text).not.to.include('Name:');
    const comments = screen
      .getAllByRole('listitem')
      .filter((one) => one.textContent.includes('omment on'));
    expect(comments).to.have.length(2);
    for (const one of comments) expect(one.textContent).to.include('“See @Felix Fellow first”');
  });

  it('says with which comment a command was given, and undoes it while it waits', async () => {
    const { app } = await open(async (app) => {
      await app.goOffline();
      await approve(app);
    });
    expect(line('Approve:').textContent).to.include('Comment: “Good”');
    expect(buttonsOf(line('Approve:'))).to.deep.equal(['Undo', 'Export']);
    press('Undo', line('Approve:'));
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal([]);
    });
  });

  it('names the products of a run of many', async () => {
    await open(async (app) => {
      await app.goOffline();
      await runTogether(app.data, [harvestApp], 'rebuild');
    });
    expect(line('Rebuild 1 product').textContent).to.include(
      'Products: Android App to Google Play, Harvest',
    );
  });

  it('undoes what was done to a saved view offline, and then nothing is left to be sent', async () => {
    const query = 'language=fr';
    const kept = record('savedView', {
      ...{ id: idOf(80), name: 'Kept', list: 'own', query, owner: builder },
    });
    const gone = { ...kept, id: idOf(81), name: 'To go' };
    const view = {
      name: 'French',
      shows: 'projects',
      list: 'own',
      query,
      isShared: false,
      organization: null,
    } as const;
    const { app } = await open(
      async (app) => {
        await app.goOffline();
        await createView(app.data, view);
        await renameView(app.data, kept, 'Renamed');
        await changeQuery(app.data, { ...kept, name: 'Renamed' }, 'language=en');
        await removeView(app.data, gone);
      },
      { held: { ...shelf, savedView: [kept, gone] } },
    );
    const views = () => app.data.find.all('savedView', {}).map(({ name }) => name);
    expect(views()).to.have.members(['Renamed', 'French']);
    expect(line('Change the view').textContent).to.include(
      'Filters: Language: French → Language: English',
    );
    for (const says of [
      'Save the view “French”',
      'Rename the view',
      'Change the view',
      'Remove the view',
    ]) {
      press('Undo', line(says));
      await app.settle();
    }
    await waitFor(() => {
      expect(views()).to.have.members(['Kept', 'To go']);
    });
    expect(statesOf(app)).to.deep.equal([]);
    expect(app.data.find.all('savedView', {}).map((one) => one.query)).to.deep.equal([
      query,
      query,
    ]);
  });

  it('lists what was done before today apart and folded, and under the project what is of one', async () => {
    await open(async (app) => {
      app.device.now -= 24 * HOUR_MS;
      await edit(app, 'Juniper');
      app.device.now += 24 * HOUR_MS;
      await edit(app, 'Lantern');
      await edit(app, 'Orchard');
      await setSwitch(app.data, named('Lantern'), 'isPublic', false);
      await app.settle();
    });
    const titles = screen.getAllByRole('heading', { level: 4 }).map((head) => head.textContent);
    expect(titles).to.deep.equal(['Today (3)', 'Earlier (1)']);
    const lines = () =>
      [...document.querySelectorAll('.change-says')].map((says) => says.textContent);
    expect(lines()).to.deep.equal(['Change who sees Lantern', 'Edit Lantern', 'Edit Orchard']);
    expect(
      [...document.querySelectorAll('.change-project')].map((project) => project.textContent),
    ).to.deep.equal(['Lantern (2)']);
    press('Earlier (1)');
    expect(lines().at(-1)).to.equal('Edit Juniper');
    press('Today (3)');
    expect(lines()).to.deep.equal(['Edit Juniper']);
  });

  it('says what was refused and why, in the words of the reader, with what was typed', async () => {
    await open(refuseRename);
    const text = line('Harvest Home').textContent;
    expect(text).to.include('Rename Harvest to Harvest Home');
    expect(text).to.include('refused');
    expect(text).to.include('You are not allowed to do that');
    expect(text).to.include('NameHarvest Home');
    expect(text).not.to.include('Sent in English');
  });

  it('shows what was given with a refused command in words, and no ids', async () => {
    await speak('es-419');
    await open((app) => refused(app, () => approve(app)));
    const typed = document.querySelector<HTMLDetailsElement>('.typed');
    expect(typed?.open).to.equal(true);
    const facts = [...(typed?.querySelectorAll('.fact-pair') ?? [])];
    expect(facts.map((fact) => fact.textContent)).to.deep.equal([
      'AcciónAprobar',
      'ComentarioGood',
      'PasoAprobación',
    ]);
    await speak('en-US');
  });

  it('leads from what was refused to the form where it can be mended', async () => {
    const { closed } = await open(refuseRename);
    fireEvent.click(within(line('Harvest Home')).getByRole('link', { name: 'Edit' }));
    expect(screen.queryByText('The form')).not.to.equal(null);
    expect(closed()).to.equal(1);
  });

  it('discards one change, leaves the others, and puts it back on Undo', async () => {
    const { app } = await open(async (app) => {
      await refuseRename(app);
      await editOffline(app, 'Juniper');
    });
    press('Discard', line('Harvest Home'));
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal(['waiting']);
    });
    press('Undo', await screen.findByRole('region', { name: 'Messages' }));
    await waitFor(() => {
      expect(statesOf(app)).to.have.members(['waiting', 'refused']);
    });
  });

  it('says what else would go before a change goes', async () => {
    const { app } = await open(refuseMango);
    press('Discard', line('You are not allowed'));
    const asked = screen.getByRole('dialog', { name: 'Discard this change?' });
    expect(asked.textContent).to.include('2 changes that depend on it go with it');
    expect(asked.textContent).to.include('Add Rolf to the reviewers of Mango');
    expect(statesOf(app)).to.have.length(3);
    press('Discard', asked);
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal([]);
    });
  });

  it('undoes only what can be undone', async () => {
    const { app } = await open(async (app) => {
      await approve(app);
      await app.settle();
      await edit(app, 'Juniper');
      await editSignedOut(app, 'Lantern');
    });
    expect(buttonsOf(line('Approve'))).to.deep.equal([]);
    press('Undo', line('Edit Juniper'));
    await app.settle();
    press('Undo', line('Edit Lantern'));
    await waitFor(() => {
      const waiting = rowsOf(app).filter(({ state }) => state === 'waiting');
      expect(waiting.map(({ says }) => says)).to.deep.equal([
        ['changes.undone', { name: 'Juniper', what: 'changes.project.edit' }],
      ]);
    });
    expect(projectOf(app, named('Juniper'))?.description).to.equal(named('Juniper').description);
  });

  /** The definition is switched on for the organization, and Harvest can have products. */
  const ready: Shelf = {
    ...shelf,
    project: [{ ...harvest, workflowProjectUrl: 'https://repository.test/1' }],
    product: [],
    userTask: [],
    organizationProductDefinition: [
      record('organizationProductDefinition', {
        id: idOf(90),
        organization: lakeside,
        productDefinition: shelf.productDefinition?.[0]?.id ?? '',
      }),
    ],
  };
  /** "Add Android App to Harvest". */
  async function addApp({ data, settle }: AppOverStore): Promise<string> {
    const productDefinition = shelf.productDefinition?.[0]?.id ?? '';
    const names = { product: 'Android App', project: 'Harvest' };
    const app = { project: harvest.id, productDefinition, store: null };
    const id = await addProduct(data, app, names);
    await settle();
    return id;
  }

  it('offers no undo of a product once it was built, and says what came of it [screens 1.6] [R112]', async () => {
    let made = '';
    const { app } = await open(async (app) => (made = await addApp(app)), { held: ready });
    expect(buttonsOf(line('Add Android App'))).to.deep.equal(['Undo']);
    const build = record('productBuild', { id: idOf(91), product: made });
    await app.putRecord('productBuild', build);
    expect(buttonsOf(line('Add Android App'))).to.deep.equal([]);
    expect(line('Add Android App').textContent).to.include('Built on it since: 1 build.');
  });

  it('archives a created project that has a product by now, instead of undoing it [screens 1.6] [R10]', async () => {
    let made = '';
    const { app } = await open(async (app) => {
      made = await createProject(app.data, MANGO);
      await app.settle();
      await app.putRecord('product', { ...anApp, id: idOf(92), project: made });
    });
    expect(buttonsOf(line('Create Mango'))).to.deep.equal(['Archive it instead']);
    expect(line('Create Mango').textContent).to.include('Built on it since: 1 product.');
    press('Archive it instead', line('Create Mango'));
    await waitFor(() => {
      expect(projectOf(app, { id: made })?.dateArchived).to.be.a('string');
    });
  });

  const inUse = (by: Readonly<Record<string, number>>): Partial<ErrorObject> => ({
    ...{ status: '409', code: 'in-use', title: 'In use', meta: { by } },
  });
  /** The server refuses to undo the change that was made last. */
  async function refuseUndo(app: AppOverStore, by: Readonly<Record<string, number>>) {
    const [last] = rowsOf(app);
    await refused(app, () => app.data.changes.undo(last?.id ?? ''), inUse(by));
  }
  const refuseUndoOfApp = async (app: AppOverStore) => {
    const id = await addApp(app);
    await app.setRecord('product', id, {
      workflowState: 'Approval',
      productWorkflow: shelf.workflowDefinition?.[0]?.id ?? null,
    });
    await refuseUndo(app, { 'product-builds': 2, 'product-publications': 1 });
  };

  it('asks before the undo of a switch takes away what was published [screens 1.6] [R116]', async () => {
    const datePublished = '2026-03-01T12:00:00.000Z';
    const held: Shelf = {
      ...shelf,
      project: (shelf.project ?? []).map((one) =>
        one.id === harvest.id ? { ...one, isPublic: false, allowDownloads: false } : one,
      ),
      product: (shelf.product ?? []).map((one) => ({ ...one, datePublished })),
    };
    const { app } = await open(
      async (app) => {
        await setSwitch(app.data, harvest, 'isPublic', true);
        await setSwitch(app.data, harvest, 'allowDownloads', true);
        await setSwitch(app.data, named('Lantern'), 'isPublic', false);
      },
      { held },
    );
    const isOn = () => [
      projectOf(app)?.isPublic,
      projectOf(app)?.allowDownloads,
      projectOf(app, named('Lantern'))?.isPublic,
    ];
    expect(isOn()).to.deep.equal([true, true, false]);
    press('Undo', line('who sees Lantern'));
    await app.settle();
    press('Undo', line('who sees Harvest'));
    const question = screen.getByRole('dialog', { name: 'Make the project private?' });
    expect(question.textContent).to.include(`/downloads/apk/${harvestApp}/published`);
    press('Cancel', question);
    await app.settle();
    expect(isOn()).to.deep.equal([true, true, true]);
    press('Undo', line('who may download Harvest'));
    press('Stop downloads', screen.getByRole('dialog', { name: 'Stop downloads?' }));
    await waitFor(() => {
      expect(isOn()).to.deep.equal([true, false, true]);
    });
  });

  it('asks before the undo of a reactivation archives what is published [screens 1.6] [R116]', async () => {
    const published = { datePublished: '2026-03-01T12:00:00.000Z' };
    const dateArchived = '2026-03-01T12:00:00.000Z';
    const held = {
      ...shelf,
      project: (shelf.project ?? []).map((one) =>
        one.id === harvest.id
          ? { ...one, dateArchived, isPublic: true, allowDownloads: true }
          : one,
      ),
      product: (shelf.product ?? []).map((one) => ({ ...one, ...published })),
    };
    const { app } = await open(
      async (app) => {
        await reactivate(app.data, [{ ...harvest, dateArchived }]);
        await app.settle();
      },
      { held },
    );
    press('Undo', screen.getAllByRole('listitem')[0]);
    const question = screen.getByRole('dialog', { name: 'Archive what is published?' });
    expect(projectOf(app)?.dateArchived).to.equal(null);
    press('Archive', question);
    await waitFor(() => {
      expect(projectOf(app)?.dateArchived).not.to.equal(null);
    });
  });

  it('switches off without a question what takes nothing away', async () => {
    const { app } = await open(async (app) => {
      await setSwitch(app.data, harvest, 'isPublic', false);
      await app.settle();
      await setSwitch(app.data, harvest, 'isPublic', true);
      await app.settle();
    });
    press('Undo', screen.getAllByRole('listitem')[0]);
    await app.settle();
    expect(screen.queryByRole('dialog', { name: 'Make the project private?' })).to.equal(null);
    expect(projectOf(app)?.isPublic).to.equal(false);
  });

  it('offers to remove a product, with the question of its menu, when the server refuses the undo [sync 8] [R112]', async () => {
    const { app } = await open(refuseUndoOfApp, { held: ready });
    expect(buttonsOf(line('Undo: Add'))).to.deep.equal(['Remove', 'Discard', 'Export']);
    press('Remove', line('Undo: Add'));
    const question = await screen.findByRole('dialog', { name: /^Remove .*\?$/ });
    expect(app.data.find.all('product', {})).to.have.length(1);
    press('Remove', question);
    await waitFor(() => {
      expect(app.data.find.all('product', {})).to.have.length(0);
    });
  });

  it('offers to archive a project when the server refuses the undo of its creation [sync 8]', async () => {
    const { app } = await open(async (app) => {
      await createProject(app.data, MANGO);
      await app.settle();
      await refuseUndo(app, { products: 1 });
    });
    const undone = line('Undo: Create Mango');
    expect(buttonsOf(undone)).to.deep.equal(['Archive it instead', 'Discard', 'Export']);
    press('Archive it instead', undone);
    await waitFor(() => {
      const [mango] = app.data.find.all('project', { name: 'Mango' });
      expect(mango?.dateArchived).to.be.a('string');
    });
  });

  it('says what was built meanwhile when the server refuses an undo [wire 8.1]', async () => {
    await open(refuseUndoOfApp, { held: ready });
    expect(line('Undo: Add').textContent).to.include('Built on it since: 2 builds, 1 publication.');
  });

  it('shows was, mine and theirs of a conflict with who and when, and the rest of the change', async () => {
    await open((app) =>
      conflict(app, { name: 'Harvest Home', group: south }, { name: 'Harvest Hymns' }),
    );
    const versions = [...line('Harvest Home').querySelectorAll('.version')].map(
      (version) => version.textContent,
    );
    expect(versions[0]).to.match(/^WasHarvest$/);
    expect(versions[1]).to.match(/^MineYou 1 hour.*Harvest Home$/);
    expect(versions[2]).to.match(/^TheirsFelix Fellow 30 minutes.*Harvest Hymns$/);
    expect(line('Harvest Home').textContent).to.include('GroupLakeside South');
  });

  it('settles a conflict either way', async () => {
    const { app } = await open(async (app) => {
      await conflict(app, { name: 'Harvest Home' }, { name: 'Harvest Hymns' });
      await conflict(app, { name: 'My Lantern' }, { name: 'Their Lantern' }, named('Lantern'));
    });
    press('Keep mine', line('Harvest Home'));
    press('Take theirs', line('My Lantern'));
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal(['done']);
    });
    expect(projectOf(app)?.name).to.equal('Harvest Home');
    expect(projectOf(app, named('Lantern'))?.name).to.equal('Their Lantern');
  });

  it('marks what differs in long texts', async () => {
    const was = `${'A song of the field. '.repeat(5)}The end.`;
    const mine = { description: was.replace('The end.', 'The very end.') };
    const theirs = { description: was.replace('The end.', 'The beginning.') };
    const project = [{ ...harvest, description: was }];
    await open((app) => conflict(app, mine, theirs), { held: { ...shelf, project } });
    const marked = (kind: string, tag: string) =>
      [...document.querySelectorAll(`.version-${kind} ${tag}`)].map((part) => part.textContent);
    expect(marked('mine', 'ins').join('').trim()).to.equal('very');
    expect(marked('theirs', 'ins')).to.deep.equal(['beginning']);
    expect(marked('theirs', 'del')).to.deep.equal(['end']);
  });

  it('shows long texts whole where they have little in common', async () => {
    const was = 'Field recordings of the birds that sing at dawn, made in the valley in spring.';
    const mine = {
      description: 'Changed on the bus: what one heard at noon of a market in the city.',
    };
    const theirs = { description: was.replace('spring', 'May') };
    const project = [{ ...harvest, description: was }];
    await open((app) => conflict(app, mine, theirs), { held: { ...shelf, project } });
    expect(document.querySelectorAll('.versions :is(ins, del)')).to.have.length(0);
    const texts = [...document.querySelectorAll('.versions dd')].map((text) => text.textContent);
    expect(texts).to.deep.equal([was, mine.description, theirs.description]);
  });

  const mergeField = () =>
    screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Description' });
  const conflictOfTexts = (app: AppOverStore) =>
    conflict(app, { description: 'My songs' }, { description: 'Their songs' });

  it('makes one text out of two, beginning with the own one, and saves it by the keyboard', async () => {
    const { app } = await open(conflictOfTexts);
    press('Edit a merge');
    expect(document.activeElement).to.equal(mergeField());
    expect(mergeField().value).to.equal('My songs');
    fireEvent.keyDown(mergeField(), { key: 'ArrowDown' });
    expect(document.activeElement).to.equal(mergeField());
    fireEvent.change(mergeField(), { target: { value: 'My songs and theirs' } });
    expect(line('Their songs').textContent).to.include('My songs');
    fireEvent.keyDown(mergeField(), { key: 'Enter', ctrlKey: true });
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal(['done']);
    });
    expect(projectOf(app)?.description).to.equal('My songs and theirs');
    expect(app.server.get('project', harvest.id)?.attributes?.description).to.equal(
      'My songs and theirs',
    );
  });

  it('keeps a merge that is half written while the panel is closed, and saves it offline', async () => {
    const { app, again } = await open(conflictOfTexts);
    press('Edit a merge');
    fireEvent.change(mergeField(), { target: { value: 'Half of it' } });
    again();
    expect(mergeField().value).to.equal('Half of it');
    await app.goOffline();
    press('Save the merge');
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal(['waiting']);
    });
    expect(projectOf(app)?.description).to.equal('Half of it');
  });

  it('says what is wrong with a merge, and saves none that the server would refuse', async () => {
    const { app } = await open((app) =>
      conflict(app, { name: 'Harvest Home' }, { name: 'Harvest Hymns' }),
    );
    press('Edit a merge');
    const field = screen.getByRole('textbox', { name: 'Name' });
    fireEvent.change(field, { target: { value: ' ' } });
    press('Save the merge');
    expect(field.getAttribute('aria-invalid')).to.equal('true');
    expect(statesOf(app)).to.deep.equal(['conflict']);
  });

  it('offers no merge of what is chosen and not written', async () => {
    await open((app) => conflict(app, { group: south }, { group: idOf(22) }, harvest), {
      held: {
        ...shelf,
        group: [
          ...(shelf.group ?? []),
          record('group', { id: idOf(22), name: 'East', abbreviation: 'E', owner: lakeside }),
        ],
      },
    });
    expect(screen.queryByRole('button', { name: 'Keep mine' })).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Edit a merge' })).to.equal(null);
  });

  it('names people, groups, switches and dates as pages do', async () => {
    const project = [{ ...harvest, allowDownloads: false }];
    const to = { owner: fellow, isPublic: false, allowDownloads: true, language: 'fr-FR' };
    await open(
      (app) =>
        refused(app, () =>
          app.data.edit('project', harvest.id, to, ['changes.project.edit', { name: 'Harvest' }]),
        ),
      { held: { ...shelf, project } },
    );
    const text = line('Edit Harvest').textContent;
    for (const words of ['OwnerFelix Fellow', 'VisibilityPrivate', 'organizationsOn', 'French'])
      expect(text).to.include(words);
  });

  it('leads from a change that is held to the one it waits for', async () => {
    await open(refuseMango);
    press('Create Mango', line('Add Rita'));
    expect(document.activeElement).to.equal(line('You are not allowed'));
  });

  it('asks whether a request that waited long is still to be sent, with what has changed', async () => {
    const { app } = await open(async (app) => {
      // It waits behind a change that finds no connection, and so was not sent.
      await editOffline(app, 'Juniper');
      const about = { type: 'project', id: harvest.id } as const;
      await app.data.call(
        { method: 'POST', path: `/api/projects/${harvest.id}/refresh`, body: {}, about: [about] },
        ['changes.project.edit', { name: 'Harvest' }],
        { basedOn: { record: about, values: { owner: builder } } },
      );
      app.device.now += 25 * HOUR_MS;
      app.server.put('project', { id: harvest.id, owner: fellow });
      await app.goOnline();
    });
    const text = line('Edit Harvest').textContent;
    expect(text).to.include('ThenBerta Builder');
    expect(text).to.include('NowFelix Fellow');
    expect(app.server.called.size).to.equal(0);
    press('Send', line('Edit Harvest'));
    await waitFor(() => {
      expect(app.server.called.size).to.equal(1);
    });
  });

  it('[fault 25] groups what was changed below something that others deleted', async () => {
    const { app } = await open(async (app) => {
      await refused(app, () => edit(app, 'Lantern'));
      await app.goOffline();
      for (const name of ['Rita', 'Rolf']) {
        const fields = { name, email: `${name}@lakeside.test`, locale: 'en-US' as const };
        await addReviewer(app.data, harvest, fields);
      }
      app.server.by = { type: 'users', id: fellow, name: 'Felix Fellow' };
      app.server.take('project', harvest.id);
      await app.goOnline();
    });
    await screen.findByText('The project was deleted by Felix Fellow');
    expect(buttonsOf(line('Add Rita'))).to.deep.equal(['Discard', 'Export']);
    const [group] = document.querySelectorAll<HTMLElement>('.lost-head');
    press('Discard all', group);
    await waitFor(() => {
      expect(rowsOf(app).map(({ says }) => says[1].name)).to.deep.equal(['Lantern']);
    });
    await screen.findByText('2 changes discarded');
  });

  it('tells a server that gives no answer from a network that is not there', async () => {
    const noServer = /^This device has a network, but the server is not available/;
    await open((app) => app.goOffline());
    expect(screen.queryByText(noServer)).not.to.equal(null);
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    try {
      act(() => {
        dispatchEvent(new Event('offline'));
      });
      expect(screen.queryByText(/^You are offline/)).not.to.equal(null);
      expect(screen.queryByText(noServer)).to.equal(null);
    } finally {
      Reflect.deleteProperty(navigator, 'onLine');
    }
  });

  it('discards of what waits only what was never sent, and counts nothing else', async () => {
    const { app } = await open(async (app) => {
      app.server.faults.push('cut-before');
      await edit(app, 'Juniper');
      await edit(app, 'Lantern');
    });
    expect(statesOf(app)).to.deep.equal(['waiting', 'waiting']);
    press('Discard all');
    // The first was sent once, and may have arrived.
    const asked = screen.getByRole('dialog', { name: 'Discard 1 change?' });
    press('Discard all', asked);
    await waitFor(() => {
      expect(rowsOf(app).map(({ says }) => says[1].name)).to.deep.equal(['Juniper']);
    });
    await screen.findByText('Discarded');
  });

  it('discards all only after asking with the count, and never what is done', async () => {
    const { app } = await open(async (app) => {
      await refuseRename(app);
      await edit(app, 'Juniper');
      await editSignedOut(app, 'Lantern');
    });
    press('Discard all');
    const asked = screen.getByRole('dialog', { name: 'Discard 2 changes?' });
    expect(statesOf(app)).to.have.length(3);
    expect(document.activeElement?.textContent).to.equal('Cancel');
    press('Discard all', asked);
    await waitFor(() => {
      expect(statesOf(app)).to.deep.equal(['done']);
    });
  });

  it('sends at once what waits', async () => {
    const { app } = await open((app) => editOffline(app, 'Juniper'));
    // The device has not noticed that there is a connection.
    app.server.isDown = false;
    await app.settle();
    expect(app.server.applied).to.deep.equal([]);
    press('Send now');
    await app.settle();
    expect(app.server.applied).to.have.length(1);
  });

  it('begins at the change it was opened for', async () => {
    const at = (app: AppOverStore) => ({
      change: rowsOf(app).find(({ says }) => says[1].name === 'Lantern')?.id ?? '',
    });
    await open(
      async (app) => {
        await refuseRename(app);
        await editOffline(app, 'Juniper', 'Lantern');
      },
      { at },
    );
    expect(document.activeElement).to.equal(line('Edit Lantern'));
  });

  it('moves between the lines by the arrow keys, and opens one by Enter', async () => {
    await open(async (app) => {
      await refuseRename(app);
      await editOffline(app, 'Juniper');
    });
    expect(document.activeElement).to.equal(line('Harvest Home'));
    fireEvent.keyDown(line('Harvest Home'), { key: 'ArrowDown' });
    expect(document.activeElement).to.equal(line('Edit Juniper'));
    fireEvent.keyDown(line('Edit Juniper'), { key: 'Enter' });
    expect(screen.queryByText('The project')).not.to.equal(null);
  });

  it('closes when the project of a change is opened', async () => {
    const { closed } = await open(refuseRename);
    fireEvent.click(within(line('Harvest Home')).getByRole('link', { name: /^Rename/ }));
    expect(closed()).to.equal(1);
  });

  it('holds in the page only what is near of ten thousand changes', async () => {
    // Ten thousand times the one that waits: to make each would take longer than this shows.
    const many = (data: Data): Data => {
      const [row] = data.changes.view().rows;
      if (row === undefined) throw new Error('Nothing waits');
      const rows = Array.from({ length: 10_000 }, (_, i) => ({
        ...row,
        id: `n${i}`,
        says: ['changes.project.edit', { name: `Harvest n${i}` }] as const,
      }));
      const view = { ...data.changes.view(), waiting: rows.length, rows };
      return { ...data, changes: { ...data.changes, view: () => view } };
    };
    await open((app) => editOffline(app, 'Juniper'), {
      at: () => ({ change: 'n9000' }),
      seen: many,
    });
    expect(screen.queryByText('Not sent yet (10,000)')).not.to.equal(null);
    const drawn = screen.getAllByRole('listitem');
    expect(drawn.length).to.be.lessThan(150);
    expect(document.activeElement).to.equal(line('Harvest n9000'));
    expect(line('Harvest n9000').getAttribute('aria-posinset')).to.equal('9001');
  });
});

describe('[3.5] the details for support', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  async function details() {
    const { app } = await open(async ({ server, device, data, settle }) => {
      const estimate = () => Promise.resolve({ usage: 2_500_000, quota: 1_000_000_000 });
      Object.assign(device.storage, { estimate });
      server.transport = 'WebSockets';
      server.say({ nothing: 'of the kind' });
      await settle();
      server.holds = (address) => address === paths.operations;
      await editProject(data, named('Lantern'), { description: 'This is on its way' });
      await settle();
      await editProject(data, named('Juniper'), { description: 'This comes after it' });
    });
    press('Details for support');
    await screen.findByText('Connection');
    return app;
  }

  it('tell how the device stands', async () => {
    const { server } = await details();
    const text = screen.getByRole('dialog').textContent;
    for (const fact of [
      'connected, WebSockets',
      'this tab',
      server.cursor,
      '2.5 MB of 1 GB',
      'project8',
      'waiting1',
      'A hub message is malformed',
    ])
      expect(text).to.include(fact);
  });

  it('fetch everything afresh when asked to, and lead back to the changes', async () => {
    const { server, settle } = await details();
    const before = server.requests.length;
    press('Resync');
    await settle();
    expect(server.requests.slice(before).map(({ path }) => path)).to.include(paths.changes);
    expect(screen.queryByText('Everything is being fetched afresh')).not.to.equal(null);
    press('Back to the changes');
    expect(line('Edit Juniper')).not.to.equal(null);
  });
});
