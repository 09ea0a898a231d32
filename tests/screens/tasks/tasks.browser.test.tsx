import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { sendTaskCommand } from '#data/actions/tasks.ts';
import { chooseOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
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
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

async function visit(viewer = builder, held: Shelf = shelf, around = testSurroundings()) {
  const routes = [
    { path: '/tasks', element: <Tasks /> },
    { path: '*', element: <Address /> },
  ];
  const app = await openStore(viewer, held);
  render(<Around store={app} {...around} routes={routes} at="/tasks" />);
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
    status: 'Verify and Publish',
    dateUpdated: since,
  });
}

const projectsShown = () =>
  screen
    .queryAllByRole('link')
    .filter((link) => link.getAttribute('href')?.startsWith('/projects/'))
    .map(({ textContent }) => textContent);
const rowOf = (task: string) => document.querySelector<HTMLElement>(`tr[data-id="${task}"]`);
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
    const [, row] = screen.getAllByRole('row');
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
    const [, row] = screen.getAllByRole('row');
    // Waiting is what people do for one another.
    expect(row?.textContent).to.include('not sent yet Will be sent: Approve');
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
    expect(name.closest('td')?.textContent).to.include('Felix Fellow · 2 hours ago');
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
    expect(comment?.textContent).to.equal('Build failed · No signing key');
  });

  it('tell a publication that failed in words, with the console text beside [R63, R64]', async () => {
    await visit(
      builder,
      withTask({ comment: 'system.publish-failed,https://lakeside.test/console' }),
    );
    const [comment] = screen.getAllByText(/Publish failed/);
    expect(comment?.textContent).to.equal('Publish failed · Log');
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

  it('that wait for an author stand apart from one’s own, and are not counted', async () => {
    const handed = { status: 'Author Download', commands: ['Take Back'] };
    const userTask = (three.userTask ?? []).map((task) =>
      task.id === acorn.task ? { ...task, ...handed } : task,
    );
    await visit(builder, { ...three, userTask });
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('My tasks 2');
    const group = screen.getByRole('rowgroup', { name: 'Handed to others (1)' });
    expect(group.textContent).to.include('Acorn');
    expect(projectsShown()).to.deep.equal(['Zebra', 'Harvest', 'Acorn']);
    cleanup();
    await visit(builder, withTask(handed));
    expect(screen.getByRole('heading', { level: 1 }).textContent.trim()).to.equal('My tasks');
    expect(screen.queryByText('You’re all caught up')).not.to.equal(null);
    expect(screen.queryByRole('rowgroup', { name: 'Handed to others (1)' })).not.to.equal(null);
  });

  it('say so when a task has no product [R65, R395]', async () => {
    await visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
  });

  it('have what changed last first [R56]', async () => {
    await visit(builder, three);
    expect(projectsShown()).to.deep.equal(['Acorn', 'Zebra', 'Harvest']);
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
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
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

  it('come above with a highlight, change and go by themselves [R19]', async () => {
    const still = await visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    expect(document.querySelector('.task-fresh')).to.equal(null);
    await still.putRecord('userTask', waiting(acorn, '2026-03-02T11:59:00.000Z'));
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
    expect(rowOf(acorn.task)?.className).to.include('task-fresh');
    expect(rowOf(harvestTask)?.className).not.to.include('task-fresh');
    await still.setRecord('userTask', harvestTask, { status: 'App Builder Configuration' });
    expect(rowOf(harvestTask)?.textContent).to.include('Configuration');
    await still.dropRecord('userTask', harvestTask);
    expect(projectsShown()).to.deep.equal(['Acorn']);
  });

  it('give the focus to the next when the one that has it goes, and to the title at last [R19]', async () => {
    const still = await visit(builder, three);
    rowOf(zebra.task)?.querySelector('a')?.focus();
    const goes = async (id: string) => {
      await still.dropRecord('userTask', id);
    };
    await goes(zebra.task);
    expect(rowOf(harvestTask)?.contains(document.activeElement)).to.equal(true);
    await goes(harvestTask);
    expect(rowOf(acorn.task)?.contains(document.activeElement)).to.equal(true);
    await goes(acorn.task);
    expect(document.activeElement?.tagName).to.equal('H1');
  });

  it('leave the one that has the focus where it is on the screen [R19]', async () => {
    const still = await visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    rowOf(harvestTask)?.querySelector('a')?.focus();
    const top = () => rowOf(harvestTask)?.getBoundingClientRect().top;
    const before = top();
    await still.putRecord('userTask', waiting(acorn, '2026-03-02T11:59:00.000Z'));
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
});
