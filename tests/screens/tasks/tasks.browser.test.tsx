import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import { chooseOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import { LoadFormsContext } from '#screens/flow/form/needs-task-forms.tsx';
import { pressLetter } from '#screens/app/page/late/letters.ts';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
import { taskFormsScript } from '#server/domain/workflow/forms.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import {
  builder,
  fellow,
  harbor,
  harvest,
  harvestApp,
  harvestTask,
  idOf,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { aSignal } from '../../support/signal.ts';
import type { Shelf } from '../../support/shelf.ts';

/** The server's own forms, run as a browser would. */
const loadServersForms = (): Promise<unknown> => {
  const blob = new Blob([taskFormsScript()], { type: 'text/javascript' });
  return import(/* webpackIgnore: true */ URL.createObjectURL(blob)) as Promise<unknown>;
};

async function visit(
  viewer = builder,
  held: Shelf = shelf,
  around = testSurroundings(),
  loadForms = loadServersForms,
) {
  const routes = [
    { path: '/tasks', element: <Tasks /> },
    { path: '*', element: <Address /> },
  ];
  const app = await openStore(viewer, held);
  render(
    <LoadFormsContext.Provider value={loadForms}>
      <Around store={app} {...around} routes={routes} at="/tasks" />
    </LoadFormsContext.Provider>,
  );
  return { ...app, ...around };
}

/** Shows where a click led. */
function Address() {
  return <p data-testid="address">{useLocation().pathname}</p>;
}

/** The shelf with the builder's task changed by `fields`. */
const withTask = (fields: object): Shelf => ({
  ...shelf,
  userTask: (shelf.userTask ?? []).map((task) => ({ ...task, ...fields })),
});

/** UUIDs of the records that this file adds to the shelf. */
const id = (number: number) => `0197c1e0-0000-7000-8000-000000000${String(number)}`;
const web = id(701);
const acorn = { project: id(711), product: id(712), task: id(713) };
const zebra = { project: id(721), product: id(722), task: id(723) };

/** Three tasks on products of three projects; the newest waits for a minute. */
const three: Shelf = {
  ...shelf,
  project: [
    harvest,
    named(acorn.project, 'Acorn'),
    { ...named(zebra.project, 'Zebra'), organization: harbor },
  ],
  productDefinition: (shelf.productDefinition ?? []).flatMap((definition) => [
    definition,
    { ...definition, id: web, name: 'PWA to Cloud Provider' },
  ]),
  product: [
    ...(shelf.product ?? []),
    onProject(acorn, { productDefinition: web }),
    onProject(zebra, {}),
  ],
  userTask: [
    ...(shelf.userTask ?? []),
    waiting(acorn, '2026-03-02T11:59:00.000Z'),
    waiting(zebra, '2026-03-01T11:00:00.000Z'),
  ],
};

function named(id: string, name: string) {
  return { ...harvest, id, name };
}

function onProject({ project, product }: typeof acorn, fields: object) {
  const [first] = shelf.product ?? [];
  return { ...first, id: product, project, ...fields } as Of<'product'>;
}

/** A task of the builder since `since`. */
function waiting({ product, task }: typeof acorn, since: string) {
  return record('userTask', {
    id: task,
    user: builder,
    product,
    status: 'Approval',
    commands: ['Approve', 'Hold', 'Reject'],
    dateUpdated: since,
  });
}

/** Tasks in every group, and products that others have. */
const grouped: Shelf = {
  ...three,
  project: [
    harvest,
    ...['Failing', 'Pending', 'Old', 'Taken', 'Asked', 'Foreign'].map((name, index) => ({
      ...named(idOf(800 + index), name),
      owner: name === 'Foreign' ? fellow : builder,
    })),
  ],
  product: [
    ...(shelf.product ?? []),
    ...[
      { workflowState: 'Synchronize Data', waitingFor: 'owner', failure: 'build' } as const,
      { workflowState: 'Approval Pending', waitingFor: 'admins' } as const,
      { workflowState: 'Verify and Publish', waitingFor: 'owner' } as const,
      { workflowState: 'Author Download', waitingFor: 'authors' } as const,
      { workflowState: 'Approval', waitingFor: 'admins', assigned: fellow } as const,
      { workflowState: 'Approval', waitingFor: 'admins' } as const,
    ].map((fields, index) =>
      onProject(
        { project: idOf(800 + index), product: idOf(810 + index), task: '' },
        { ...fields, dateUpdated: `2026-02-0${String(index + 1)}T09:00:00.000Z` },
      ),
    ),
  ],
  userTask: [
    ...(shelf.userTask ?? []),
    ...[
      {
        status: 'Synchronize Data',
        commands: ['Continue'],
        dateUpdated: '2026-03-01T11:00:00.000Z',
      },
      {
        status: 'Approval Pending',
        commands: ['Approve', 'Hold', 'Reject'],
        dateUpdated: '2026-02-25T11:00:00.000Z',
      },
      {
        status: 'Verify and Publish',
        commands: ['Approve', 'Reject'],
        dateUpdated: '2026-02-01T11:00:00.000Z',
      },
      {
        status: 'Author Download',
        commands: ['Take Back'],
        dateUpdated: '2026-02-21T11:00:00.000Z',
      },
    ].map((fields, index) =>
      record('userTask', {
        id: idOf(820 + index),
        user: builder,
        product: idOf(810 + index),
        ...fields,
      }),
    ),
  ],
};

const projectsShown = () =>
  screen
    .queryAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('/projects/'))
    .map(({ textContent }) => textContent);
const rowOf = (task: string) => document.querySelector<HTMLElement>(`tr[data-id="${task}"]`);
/** The groups with their names, and the projects in each. */
const groupsShown = () =>
  [...document.querySelectorAll<HTMLElement>('tbody[aria-labelledby]')].map((group) => [
    group.querySelector('h2')?.textContent,
    ...[...group.querySelectorAll('.task-project a')].map(({ textContent }) => textContent),
  ]);
const sortBy = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};

describe('[2.4] my tasks', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('show product, state, project and how long each waits [R56, R58, R59, R60, R252]', async () => {
    await visit();
    const row = rowOf(harvestTask);
    const cells = within(row ?? document.body).getAllByRole('cell');
    expect(cells[0]?.textContent).to.include('Harvest');
    expect(cells[1]?.textContent).to.include('Android App to Google Play');
    expect(cells[1]?.textContent).to.include('Approval');
    const link = within(row ?? document.body).getByRole('link', { name: 'Harvest' });
    expect(link.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
    expect(cells[2]?.querySelector('time')?.textContent).to.equal('3 days');
  });

  it('lead to the form of their step, by the product and by the whole row [R61]', async () => {
    await visit();
    const flow = /^\/flow\/AppBuilders_Android_GooglePlay_Flow\//;
    const link = screen.getByRole('link', { name: 'Android App to Google Play' });
    expect(link.getAttribute('href')).to.match(flow);
    fireEvent.click(screen.getByText('3 days'));
    expect((await screen.findByTestId('address')).textContent).to.match(flow);
  });

  it('say what was given and is not sent yet [R58]', async () => {
    const { data, goOffline, settle } = await visit();
    await goOffline();
    const task = data.find.one('userTask', harvestTask);
    const names = { product: 'Android App to Google Play', project: 'Harvest' };
    if (task !== null) await sendTaskCommand(data, task, 'Approve', 'Good', names);
    await settle();
    // Waiting is what people do for one another.
    expect(rowOf(harvestTask)?.textContent).to.include('not sent yet Will be sent: Approve');
  });

  it('show the comment below the row, its address as a link [R62]', async () => {
    await visit();
    const link = screen.getByRole('link', { name: 'https://lakeside.test/notes' });
    expect(link.getAttribute('rel')).to.include('noopener');
  });

  it('quote what somebody said last, with their name and how long ago it was [screens 5] [R62]', async () => {
    const word = record('productTransition', {
      id: id(741),
      product: harvestApp,
      transitionType: 1,
      command: 'Approve',
      comment: 'Please look at the cover',
      workflowUserId: fellow,
      dateTransition: '2026-03-02T10:00:00.000Z',
    });
    const app = await visit(builder, {
      ...withTask({ comment: 'Please look at the cover' }),
      productTransition: [word],
    });
    expect(screen.getByText('Please look at the cover').closest('q')).not.to.equal(null);
    const name = await screen.findByText('Felix Fellow');
    expect(name.closest('td')?.textContent).to.include('Felix Fellow 2 hours ago');
    await app.setRecord('userTask', harvestTask, { comment: 'Another word' });
    expect(screen.getByText('Another word').closest('td')?.textContent).to.equal('Another word');
  });

  it('tell a failed build in words, with the console text beside [R63, R64, R407]', async () => {
    await visit(
      builder,
      withTask({ comment: 'system.build-failed,https://lakeside.test/console' }),
    );
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.getByRole('link', { name: 'Log' }).getAttribute('href')).to.equal(
      'https://lakeside.test/console',
    );
  });

  it('tell why a build failed, where that is on the device [R63]', async () => {
    const build = record('productBuild', {
      id: id(731),
      product: harvestApp,
      success: false,
      error: 'No signing key',
    });
    const held = withTask({ comment: 'system.build-failed' });
    await visit(builder, { ...held, productBuild: [build] });
    const [comment] = screen.getAllByText(/Build failed/);
    expect(comment?.textContent).to.equal('Build failed No signing key');
  });

  it('tell a publication that failed in words, with the console text beside [R63, R64]', async () => {
    await visit(
      builder,
      withTask({ comment: 'system.publish-failed,https://lakeside.test/console' }),
    );
    const [comment] = screen.getAllByText(/Publish failed/);
    expect(comment?.textContent).to.equal('Publish failed Log');
    expect(document.body.textContent).not.to.include('system.');
  });

  it('open their step by a click on the comment, too, but not while its text is marked [R61]', async () => {
    await visit(builder, withTask({ comment: 'Please hurry' }));
    const comment = screen.getByText('Please hurry');
    getSelection()?.selectAllChildren(comment);
    fireEvent.click(comment);
    expect(screen.queryByTestId('address')).to.equal(null);
    getSelection()?.removeAllRanges();
    fireEvent.click(comment);
    expect((await screen.findByTestId('address')).textContent).to.match(/^\/flow\//);
  });

  it('lead to the page of the log of our own engine [R64]', async () => {
    await visit(
      builder,
      withTask({ comment: 'system.build-failed,/api/product-builds/b1/console' }),
    );
    expect(screen.getByRole('link', { name: 'Log' }).getAttribute('href')).to.equal(
      `/products/${harvestApp}/builds/b1/log`,
    );
  });

  it('never make a link of an address that would run [R64]', async () => {
    await visit(builder, withTask({ comment: 'system.build-failed,javascript:alert(1)' }));
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Log' })).to.equal(null);
  });

  it('show the names of project and product as they are now', async () => {
    const { setRecord } = await visit();
    await setRecord('project', harvest.id, { name: 'Harvest Home' });
    await setRecord('productDefinition', shelf.productDefinition?.[0]?.id ?? '', {
      name: 'The store',
    });
    expect(screen.getByRole('link', { name: 'Harvest Home' })).to.exist;
    expect(screen.getByRole('link', { name: 'The store' })).to.exist;
  });

  it('stand in groups with their number, the oldest first, and what others have last [screens 5] [R56]', async () => {
    await visit(builder, grouped);
    expect(groupsShown()).to.deep.equal([
      ['Failed (1)', 'Failing'],
      ['To verify (1)', 'Old'],
      ['To approve (2)', 'Pending', 'Harvest'],
      ['Handed to others (2)', 'Asked', 'Taken'],
    ]);
    for (const group of ['Failed (1)', 'Handed to others (2)'])
      expect(screen.queryByRole('rowgroup', { name: group })).not.to.equal(null);
    const [head] = screen.getAllByRole('rowheader');
    expect(head?.getAttribute('scope')).to.equal('rowgroup');
    expect(head?.textContent).to.equal('Failed (1)');
  });

  it('have what waits for others apart, say for whom, and do not count it [screens 5]', async () => {
    await visit(builder, grouped);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('My tasks 4');
    expect(rowOf(idOf(814))?.textContent)
      .to.include('Approval')
      .and.include('Felix Fellow');
    expect(rowOf(idOf(823))?.textContent).to.include('authors');
    expect(rowOf(idOf(814))?.querySelector('time')?.textContent).to.equal('3 weeks');
    const link = within(rowOf(idOf(814)) ?? document.body).getByRole('link', { name: /Android/ });
    expect(link.getAttribute('href')).to.match(/^\/flow\/.*814$/);
  });

  it('say that nothing is one’s own where others have everything', async () => {
    await visit(builder, { ...grouped, userTask: (grouped.userTask ?? []).slice(4) });
    expect(screen.getByRole('heading', { level: 1 }).textContent.trim()).to.equal('My tasks');
    expect(screen.queryByText('You’re all caught up')).not.to.equal(null);
    expect(groupsShown().map(([group]) => group)).to.deep.equal(['Handed to others (3)']);
  });

  it('go from group to group by themselves, and take the focus along [R19]', async () => {
    const still = await visit(builder, grouped);
    rowOf(idOf(820))?.querySelector('a')?.focus();
    await still.setRecord('product', idOf(810), { failure: null });
    expect(groupsShown()[2]).to.deep.equal(['To do (1)', 'Failing']);
    expect(rowOf(idOf(820))?.contains(document.activeElement)).to.equal(true);
  });

  it('say so when a task has no product [R65, R395]', async () => {
    await visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
  });

  it('are put in order within their groups [R56]', async () => {
    await visit(builder, grouped);
    sortBy('Project');
    expect(groupsShown().map(([, ...names]) => names)).to.deep.equal([
      ['Failing'],
      ['Old'],
      ['Harvest', 'Pending'],
      ['Asked', 'Taken'],
    ]);
  });

  it('can be sorted by project [R56]', async () => {
    await visit(builder, three);
    sortBy('Project');
    const head = screen.getByRole('columnheader', { name: 'Project' });
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest', 'Zebra']);
    sortBy('Project');
    expect(projectsShown()).to.deep.equal(['Zebra', 'Harvest', 'Acorn']);
  });

  it('can be sorted by product and by how long they wait [R56]', async () => {
    await visit(builder, three);
    expect(projectsShown()).to.deep.equal(['Harvest', 'Zebra', 'Acorn']);
    sortBy('Product');
    expect(projectsShown().at(-1)).to.equal('Acorn');
    sortBy('Wait time');
    expect(projectsShown()).to.deep.equal(['Acorn', 'Zebra', 'Harvest']);
    sortBy('Wait time');
    expect(projectsShown()).to.deep.equal(['Harvest', 'Zebra', 'Acorn']);
  });

  it('keep their order for the next visit [R56]', async () => {
    const around = testSurroundings();
    await visit(builder, three, around);
    sortBy('Project');
    cleanup();
    await visit(builder, three, around);
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest', 'Zebra']);
  });

  it('are those of the organization in view, or of all, which are named then [R8, R249]', async () => {
    await visit(builder, three);
    expect(rowOf(zebra.task)?.textContent).to.include('Harbor Media');
    cleanup();
    chooseOrganization(lakeside);
    await visit(builder, three);
    expect(projectsShown()).to.deep.equal(['Harvest', 'Acorn']);
    expect(rowOf(harvestTask)?.textContent).not.to.include('Lakeside Press');
  });

  it('have an icon by the kind of the product [R58, R426]', async () => {
    await visit(builder, three);
    const tile = (task: string) => rowOf(task)?.querySelector('rect')?.getAttribute('fill');
    expect(tile(acorn.task)).to.equal('#0096ff');
    expect(tile(harvestTask)).to.equal('#a4c639');
    cleanup();
    const productDefinition = (three.productDefinition ?? []).map((each) =>
      each.id === web ? { ...each, name: 'HTML Site' } : each,
    );
    await visit(builder, { ...three, productDefinition });
    expect(tile(acorn.task)).to.equal('#f5a623');
  });

  it('have a plain box where the kind of the product has no icon of its own [R58, R426]', async () => {
    const names = ['Asset Package to Amazon S3 Bucket', 'Braille Book'];
    const pictures = [];
    for (const name of names) {
      await visit(builder, {
        ...three,
        productDefinition: (three.productDefinition ?? []).map((each) => ({ ...each, name })),
      });
      pictures.push(rowOf(harvestTask)?.querySelector('.product-icon')?.innerHTML);
      cleanup();
    }
    expect(pictures[0]).to.include('#115293');
    expect(pictures[1]).to.include('#51606f').and.to.include('M4 4h8v8H4z');
  });

  it('tell the whole moment in the zone of who is to do it [R60]', async () => {
    await visit();
    const hint = screen.getByText('3 days').closest('.hint')?.querySelector('[role="tooltip"]');
    expect(hint?.textContent).to.include('Friday, February 27, 2026');
    expect(hint?.textContent).to.match(/4:00:00.AM GMT-5/);
  });

  it('say in a word that they are overdue after seven days, and not before [screens 5] [R60]', async () => {
    const since = (dateUpdated: string) => visit(builder, withTask({ dateUpdated }));
    await since('2026-02-23T12:00:00.000Z');
    expect(rowOf(harvestTask)?.textContent).to.not.contain('Overdue');
    cleanup();
    await since('2026-02-23T11:59:00.000Z');
    expect(rowOf(harvestTask)?.textContent).to.contain('1 week').and.contain('Overdue');
  });

  it('count the time on by themselves [R60]', async () => {
    const { pass } = await visit(builder, three);
    const time = () => rowOf(acorn.task)?.querySelector('time')?.textContent;
    expect(time()).to.equal('1 minute');
    act(() => {
      pass(60_000);
    });
    expect(time()).to.equal('2 minutes');
  });

  it('lead to the project by its name, which opens nothing else [R59]', async () => {
    await visit();
    fireEvent.click(screen.getByRole('link', { name: 'Harvest' }));
    const address = await screen.findByTestId('address');
    expect(address.textContent).to.equal(`/projects/${harvest.id}`);
  });

  it('say their comment with the product to who listens [R62]', async () => {
    await visit();
    const link = screen.getByRole('link', { name: 'Android App to Google Play' });
    const comment = document.getElementById(link.getAttribute('aria-describedby') ?? '');
    expect(comment?.textContent).to.include('Please look at');
  });

  it('fold a comment of more than four lines until the rest is asked for [R62]', async () => {
    await visit(builder, withTask({ comment: ['1', '2', '3', '4', '5'].join('\n') }));
    const text = screen.getByText(/^1\s2/).closest('div');
    const whole = text?.scrollHeight ?? 0;
    expect(text?.clientHeight).to.be.lessThan(whole);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(text?.clientHeight).to.equal(whole);
    fireEvent.click(screen.getByRole('button', { name: 'Show less' }));
    expect(text?.clientHeight).to.be.lessThan(whole);
    cleanup();
    await visit(builder, withTask({ comment: ['1', '2', '3', '4'].join('\n') }));
    expect(screen.queryByRole('button', { name: 'Show all' })).to.equal(null);
  });

  it('show what only looks like a comment of the system as it was typed [R63]', async () => {
    await visit(builder, withTask({ comment: 'system.shutdown is near, please hurry' }));
    expect(screen.queryByText('system.shutdown is near, please hurry')).not.to.equal(null);
  });

  it('come in their place with a highlight, change and go by themselves [R19]', async () => {
    const still = await visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    expect(document.querySelector('.task-fresh')).to.equal(null);
    await still.putRecord('userTask', waiting(acorn, '2026-03-02T11:59:00.000Z'));
    expect(projectsShown()).to.deep.equal(['Harvest', 'Acorn']);
    expect(rowOf(acorn.task)?.className).to.include('task-fresh');
    expect(rowOf(harvestTask)?.className).not.to.include('task-fresh');
    await still.setRecord('userTask', harvestTask, { status: 'App Builder Configuration' });
    expect(rowOf(harvestTask)?.textContent).to.include('configuration');
    await still.dropRecord('userTask', harvestTask);
    expect(projectsShown()).to.deep.equal(['Acorn']);
  });

  it('give the focus to the next when the one that has it goes, and to the title at last [R19]', async () => {
    const still = await visit(builder, three);
    rowOf(harvestTask)?.querySelector('a')?.focus();
    const goes = async (id: string) => {
      await still.dropRecord('userTask', id);
    };
    await goes(harvestTask);
    expect(rowOf(zebra.task)?.contains(document.activeElement)).to.equal(true);
    await goes(zebra.task);
    expect(rowOf(acorn.task)?.contains(document.activeElement)).to.equal(true);
    await goes(acorn.task);
    expect(document.activeElement?.tagName).to.equal('H1');
  });

  it('leave the one that has the focus where it is on the screen [R19]', async () => {
    const still = await visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    rowOf(harvestTask)?.querySelector('a')?.focus();
    const top = () => rowOf(harvestTask)?.getBoundingClientRect().top;
    const before = top();
    await still.putRecord('userTask', waiting(acorn, '2026-01-02T11:59:00.000Z'));
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
    expect(top()).to.be.closeTo(before ?? 0, 1);
  });

  it('say offline of when they are [R56]', async () => {
    const still = await visit();
    expect(screen.queryByText(/From this device, as of/)).to.equal(null);
    await still.goOffline();
    expect(screen.queryByText(/From this device, as of/)).not.to.equal(null);
  });

  it('without a product show in every organization [R65]', async () => {
    chooseOrganization(lakeside);
    await visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Harvest' })).to.equal(null);
  });

  it('tell someone without any what would be here [R56, R408]', async () => {
    await visit(fellow);
    await screen.findByRole('heading', { name: 'You’re all caught up' });
    expect(screen.queryByRole('table')).to.equal(null);
  });

  describe('that are to be approved', () => {
    const boxes = () =>
      screen.queryAllByRole('checkbox').map((box) => box.getAttribute('aria-label'));
    const tick = (name: string) => {
      fireEvent.click(screen.getByRole('checkbox', { name }));
    };
    const press = (name: string) => {
      fireEvent.click(screen.getByRole('button', { name }));
    };
    /** The question, once it is known what can be approved. */
    const asked = async () => {
      await screen.findByRole('button', { name: /^Approve \d/ });
      return screen.getByRole('dialog', { name: 'Approve together' });
    };
    const HARVEST = 'Select Harvest, Android App to Google Play';
    const PENDING = 'Select Pending, Android App to Google Play';

    it('can be selected, and nothing else can', async () => {
      await visit(builder, grouped);
      expect(boxes()).to.deep.equal(['Select all to approve', PENDING, HARVEST]);
      expect(screen.queryByRole('button', { name: 'Approve' })).to.equal(null);
      tick(HARVEST);
      expect(screen.queryByText('1 selected')).not.to.equal(null);
      press('Clear');
      expect(screen.queryByText('1 selected')).to.equal(null);
      cleanup();
      await visit(builder, { ...grouped, userTask: (grouped.userTask ?? []).slice(3) });
      expect(boxes()).to.deep.equal([]);
    });

    it('are listed before they are approved, each by a change of its own', async () => {
      const { recordedActions, settle } = await visit(builder, grouped);
      tick('Select all to approve');
      expect(screen.queryByText('2 selected')).not.to.equal(null);
      press('Approve');
      const dialog = await asked();
      const listed = within(dialog).getAllByRole('listitem');
      expect(listed.map(({ textContent }) => textContent)).to.deep.equal([
        'PendingAndroid App to Google Play Approval pending',
        'HarvestAndroid App to Google Play Approval',
      ]);
      expect(recordedActions).to.have.length(0);
      press('Approve 2 tasks');
      await settle();
      expect(await screen.findByText('2 tasks approved')).not.to.equal(null);
      expect(screen.queryByRole('dialog')).to.equal(null);
      const sent = recordedActions.map(({ type, fields }) => [
        type,
        fields.userTask,
        fields.command,
      ]);
      expect(sent).to.deep.equal([
        ['taskCommand', idOf(821), 'Approve'],
        ['taskCommand', harvestTask, 'Approve'],
      ]);
      expect(recordedActions.map(({ fields }) => fields.comment)).to.deep.equal([null, null]);
    });

    it('are asked about in one dialog, whose focus and place stay while their forms come', async () => {
      const slow = aSignal();
      await visit(builder, grouped, testSurroundings(), () => slow.given.then(loadServersForms));
      tick('Select all to approve');
      press('Approve');
      const dialog = await screen.findByRole('dialog', { name: 'Approve together' });
      const approve = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Approve' });
      expect(approve.disabled).to.equal(true);
      expect(document.activeElement?.textContent).to.equal('Cancel');
      slow.give();
      expect(await asked()).to.equal(dialog);
      expect(document.activeElement?.textContent).to.equal('Cancel');
    });

    it('are asked about by the key a, the one that has the focus or all that are selected [screens 1.9]', async () => {
      await visit(builder, grouped);
      const letter = { isPlace: false, isAdmin: false, go: () => undefined };
      const pressA = async () => {
        await act(async () => {
          pressLetter('a', letter);
          await Promise.resolve();
        });
        return (await asked()).textContent;
      };
      screen.getAllByRole('link', { name: 'Android App to Google Play' })[3]?.focus();
      expect(await pressA())
        .to.contain('Harvest')
        .and.not.contain('Pending');
      press('Cancel');
      tick(PENDING);
      expect(await pressA())
        .to.contain('Harvest')
        .and.contain('Pending');
    });

    it('have nothing to ask where the task with the focus is not to be approved', async () => {
      await visit(builder, grouped);
      screen.getAllByRole('link', { name: 'Android App to Google Play' })[0]?.focus();
      await act(async () => {
        pressLetter('a', { isPlace: false, isAdmin: false, go: () => undefined });
        await Promise.resolve();
      });
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(screen.queryByText('1 selected')).to.equal(null);
    });

    it('stay as they are when the question is answered with no', async () => {
      const { recordedActions, settle } = await visit(builder, grouped);
      tick(HARVEST);
      press('Approve');
      await asked();
      press('Cancel');
      await settle();
      expect(recordedActions).to.have.length(0);
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(screen.queryByText('1 selected')).not.to.equal(null);
    });

    it('without a connection wait to be sent, and are not approved a second time', async () => {
      const { recordedActions, goOffline, settle } = await visit(builder, grouped);
      await goOffline();
      tick(HARVEST);
      press('Approve');
      await asked();
      press('Approve 1 task');
      await settle();
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(screen.queryByText(/^Saved on this device/)).not.to.equal(null);
      expect(rowOf(harvestTask)?.textContent).to.include('Will be sent: Approve');
      tick(PENDING);
      press('Approve');
      const dialog = await asked();
      expect(dialog.textContent).to.include('1 task is left out:');
      expect(dialog.textContent).to.include('An earlier step for it is still on its way.');
      press('Approve 1 task');
      await settle();
      expect(recordedActions.map(({ fields }) => fields.userTask)).to.deep.equal([
        harvestTask,
        idOf(821),
      ]);
    });

    it('that the server refused need a look of their own first', async () => {
      const { server, settle } = await visit(builder, grouped);
      server.refuse = () => [{ id: 'r1', status: '403', code: 'forbidden', title: 'Not allowed' }];
      tick(HARVEST);
      press('Approve');
      await asked();
      press('Approve 1 task');
      await settle();
      expect(screen.queryByRole('dialog')).to.equal(null);
      expect(screen.queryByText('1 task approved')).to.equal(null);
      press('Approve');
      const dialog = await asked();
      expect(dialog.textContent).to.include('An earlier step for it needs attention first.');
      expect(
        screen.getByRole<HTMLButtonElement>('button', { name: /^Approve \d/ }).disabled,
      ).to.equal(true);
    });

    it('are left out where their form asks for more than a yes, and where their project is archived', async () => {
      const { setRecord } = await visit(builder, {
        ...grouped,
        userTask: (grouped.userTask ?? []).map((task) =>
          task.id === idOf(821) ? { ...task, status: 'Readiness Check' } : task,
        ),
      });
      await setRecord('project', harvest.id, { dateArchived: '2026-03-01T09:00:00.000Z' });
      tick('Select all to approve');
      press('Approve');
      const dialog = await asked();
      expect(dialog.textContent).to.include('2 tasks are left out:');
      expect(dialog.textContent).to.include('It asks for something first.');
      expect(dialog.textContent).to.include('Its project is archived.');
    });
  });
});
