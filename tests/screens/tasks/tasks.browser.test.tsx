import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import type { ChangesView } from '../../../src/data/model/views.ts';
import { chooseOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { aGivenCommand } from '../../support/change-row.ts';
import {
  builder,
  fellow,
  harbor,
  harvest,
  harvestTask,
  lakeside,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../../support/still-data.tsx';
import type { Shelf } from '../../support/still-data.tsx';

function visit(viewer = builder, held: Shelf = shelf) {
  const around = stillSurroundings();
  const routes = [
    { path: '/tasks', element: <Tasks /> },
    { path: '*', element: <Address /> },
  ];
  const still = stillData(viewer, held);
  render(<Around still={still} {...around} routes={routes} at="/tasks" />);
  return {
    ...still,
    ...around,
    setChanges: (view: Partial<ChangesView>) => {
      act(() => {
        still.setChanges(view);
      });
    },
  };
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

/** Three tasks on products of three projects; the newest waits for a minute. */
const three: Shelf = {
  ...shelf,
  project: [harvest, named('a', 'Acorn'), { ...named('z', 'Zebra'), organization: harbor }],
  productDefinition: (shelf.productDefinition ?? []).flatMap((definition) => [
    definition,
    { ...definition, id: 'web', name: 'PWA to Cloud Provider' },
  ]),
  product: [
    ...(shelf.product ?? []),
    onProject('a', { productDefinition: 'web' }),
    onProject('z', {}),
  ],
  userTask: [
    ...(shelf.userTask ?? []),
    waiting('a', '2026-03-02T11:59:00.000Z'),
    waiting('z', '2026-03-01T11:00:00.000Z'),
  ],
};

function named(id: string, name: string) {
  return { ...harvest, id, name };
}

function onProject(project: string, fields: object) {
  const [first] = shelf.product ?? [];
  return { ...first, id: `product of ${project}`, project, ...fields } as Of<'product'>;
}

/** A task of the builder since `since`. */
function waiting(project: string, since: string) {
  return record('userTask', {
    id: `task of ${project}`,
    user: builder,
    product: `product of ${project}`,
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
  afterEach(() => {
    cleanup();
    chooseOrganization(null);
  });

  it('show product, state, project and how long each waits', () => {
    visit();
    const [, row] = screen.getAllByRole('row');
    const cells = within(row ?? document.body).getAllByRole('cell');
    expect(cells[0]?.textContent).to.include('Android App to Google Play');
    expect(cells[0]?.textContent).to.include('Approval');
    const link = within(row ?? document.body).getByRole('link', { name: 'Harvest' });
    expect(link.getAttribute('href')).to.equal(`/projects/${harvest.id}`);
    expect(cells[2]?.querySelector('time')?.textContent).to.equal('3 days');
  });

  it('lead to the form of their step, by the product and by the whole row', async () => {
    visit();
    const flow = /^\/flow\/AppBuilders_Android_GooglePlay_Flow\//;
    const link = screen.getByRole('link', { name: 'Android App to Google Play' });
    expect(link.getAttribute('href')).to.match(flow);
    fireEvent.click(screen.getByText('3 days'));
    expect((await screen.findByTestId('address')).textContent).to.match(flow);
  });

  it('say what was given and is not sent yet', () => {
    visit().setChanges({ status: 'offline', waiting: 1, rows: [aGivenCommand('waiting')] });
    const [, row] = screen.getAllByRole('row');
    expect(row?.textContent).to.include('Will be sent: Approve');
  });

  it('show the comment below the row, its address as a link', () => {
    visit();
    const link = screen.getByRole('link', { name: 'https://lakeside.test/notes' });
    expect(link.getAttribute('rel')).to.include('noopener');
  });

  it('tell a failed build in words, with the console text beside', () => {
    visit(builder, withTask({ comment: 'system.build-failed,https://lakeside.test/console' }));
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.getByRole('link', { name: 'Console text' }).getAttribute('href')).to.equal(
      'https://lakeside.test/console',
    );
  });

  it('open the console text of our own engine by a link of its own, which carries the permission', () => {
    visit(builder, withTask({ comment: 'system.build-failed,/api/product-builds/b1/console' }));
    expect(screen.queryByRole('link', { name: 'Console text' })).to.equal(null);
    expect(screen.queryByRole('button', { name: 'Console text' })).not.to.equal(null);
  });

  it('never make a link of an address that would run', () => {
    visit(builder, withTask({ comment: 'system.build-failed,javascript:alert(1)' }));
    expect(screen.queryByText(/Build failed/)).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Console text' })).to.equal(null);
  });

  it('show the names of project and product as they are now', () => {
    const { setRecord } = visit();
    act(() => {
      setRecord('project', harvest.id, { name: 'Harvest Home' });
      setRecord('productDefinition', shelf.productDefinition?.[0]?.id ?? '', { name: 'The store' });
    });
    expect(screen.getByRole('link', { name: 'Harvest Home' })).to.exist;
    expect(screen.getByRole('link', { name: 'The store' })).to.exist;
  });

  it('say so when a task has no product', () => {
    visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
  });

  it('have what changed last first', () => {
    visit(builder, three);
    expect(projectsShown()).to.deep.equal(['Acorn', 'Zebra', 'Harvest']);
  });

  it('can be sorted by project', () => {
    visit(builder, three);
    sortBy('Project');
    const head = screen.getByRole('columnheader', { name: 'Project' });
    expect(head.getAttribute('aria-sort')).to.equal('ascending');
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest', 'Zebra']);
    sortBy('Project');
    expect(projectsShown()).to.deep.equal(['Zebra', 'Harvest', 'Acorn']);
  });

  it('can be sorted by product and by how long they wait', () => {
    visit(builder, three);
    sortBy('Product');
    expect(projectsShown().at(-1)).to.equal('Acorn');
    sortBy('Wait time');
    expect(projectsShown()).to.deep.equal(['Acorn', 'Zebra', 'Harvest']);
    sortBy('Wait time');
    expect(projectsShown()).to.deep.equal(['Harvest', 'Zebra', 'Acorn']);
  });

  it('keep their order for the next visit', () => {
    const { surroundings } = visit(builder, three);
    sortBy('Project');
    cleanup();
    const routes = [{ path: '/tasks', element: <Tasks /> }];
    const still = stillData(builder, three);
    render(<Around still={still} surroundings={surroundings} routes={routes} at="/tasks" />);
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest', 'Zebra']);
  });

  it('are those of the organization in view, or of all, which are named then', () => {
    visit(builder, three);
    expect(rowOf('task of z')?.textContent).to.include('Harbor Media');
    cleanup();
    chooseOrganization(lakeside);
    visit(builder, three);
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
    expect(rowOf(harvestTask)?.textContent).not.to.include('Lakeside Press');
  });

  it('have an icon by the kind of the product', () => {
    visit(builder, three);
    const tile = (task: string) => rowOf(task)?.querySelector('rect')?.getAttribute('fill');
    expect(tile('task of a')).to.equal('#0096ff');
    expect(tile(harvestTask)).to.equal('#a4c639');
  });

  it('tell the whole moment in the zone of who is to do it', () => {
    visit();
    const hint = screen.getByText('3 days').closest('.hint')?.querySelector('[role="tooltip"]');
    expect(hint?.textContent).to.include('Friday, February 27, 2026');
    expect(hint?.textContent).to.match(/4:00:00.AM GMT-5/);
  });

  it('count the time on by themselves', () => {
    const { pass } = visit(builder, three);
    const time = () => rowOf('task of a')?.querySelector('time')?.textContent;
    expect(time()).to.equal('1 minute');
    act(() => {
      pass(60_000);
    });
    expect(time()).to.equal('2 minutes');
  });

  it('lead to the project by its name, which opens nothing else', async () => {
    visit();
    fireEvent.click(screen.getByRole('link', { name: 'Harvest' }));
    const address = await screen.findByTestId('address');
    expect(address.textContent).to.equal(`/projects/${harvest.id}`);
  });

  it('say their comment with the product to who listens', () => {
    visit();
    const link = screen.getByRole('link', { name: 'Android App to Google Play' });
    const comment = document.getElementById(link.getAttribute('aria-describedby') ?? '');
    expect(comment?.textContent).to.include('Please look at');
  });

  it('fold a comment of more than four lines until the rest is asked for', () => {
    visit(builder, withTask({ comment: ['1', '2', '3', '4', '5'].join('\n') }));
    const text = screen.getByText(/^1\s2/).closest('div');
    const whole = text?.scrollHeight ?? 0;
    expect(text?.clientHeight).to.be.lessThan(whole);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(text?.clientHeight).to.equal(whole);
    fireEvent.click(screen.getByRole('button', { name: 'Show less' }));
    expect(text?.clientHeight).to.be.lessThan(whole);
    cleanup();
    visit(builder, withTask({ comment: ['1', '2', '3', '4'].join('\n') }));
    expect(screen.queryByRole('button', { name: 'Show all' })).to.equal(null);
  });

  it('show what only looks like a comment of the system as it was typed', () => {
    visit(builder, withTask({ comment: 'system.shutdown is near, please hurry' }));
    expect(screen.queryByText('system.shutdown is near, please hurry')).not.to.equal(null);
  });

  it('come above with a highlight, change and go by themselves', () => {
    const still = visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    expect(document.querySelector('.task-fresh')).to.equal(null);
    act(() => {
      still.putRecord('userTask', waiting('a', '2026-03-02T11:59:00.000Z'));
    });
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
    expect(rowOf('task of a')?.className).to.include('task-fresh');
    expect(rowOf(harvestTask)?.className).not.to.include('task-fresh');
    act(() => {
      still.setRecord('userTask', harvestTask, { status: 'App Builder Configuration' });
    });
    expect(rowOf(harvestTask)?.textContent).to.include('Configuration');
    act(() => {
      still.dropRecord('userTask', harvestTask);
    });
    expect(projectsShown()).to.deep.equal(['Acorn']);
  });

  it('give the focus to the next when the one that has it goes, and to the title at last', () => {
    const still = visit(builder, three);
    rowOf('task of z')?.querySelector('a')?.focus();
    const goes = (id: string) => {
      act(() => {
        still.dropRecord('userTask', id);
      });
    };
    goes('task of z');
    expect(rowOf(harvestTask)?.contains(document.activeElement)).to.equal(true);
    goes(harvestTask);
    expect(rowOf('task of a')?.contains(document.activeElement)).to.equal(true);
    goes('task of a');
    expect(document.activeElement?.tagName).to.equal('H1');
  });

  it('leave the one that has the focus where it is on the screen', () => {
    const still = visit(builder, { ...three, userTask: shelf.userTask ?? [] });
    rowOf(harvestTask)?.querySelector('a')?.focus();
    const top = () => rowOf(harvestTask)?.getBoundingClientRect().top;
    const before = top();
    act(() => {
      still.putRecord('userTask', waiting('a', '2026-03-02T11:59:00.000Z'));
    });
    expect(projectsShown()).to.deep.equal(['Acorn', 'Harvest']);
    expect(top()).to.be.closeTo(before ?? 0, 1);
  });

  it('say offline of when they are', () => {
    const still = visit();
    expect(screen.queryByText(/From this device, as of/)).to.equal(null);
    still.setChanges({ status: 'offline' });
    expect(screen.queryByText(/From this device, as of/)).not.to.equal(null);
  });

  it('without a product show in every organization', () => {
    chooseOrganization(lakeside);
    visit(builder, withTask({ product: null }));
    expect(screen.queryByText('Task has no product!')).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Harvest' })).to.equal(null);
  });

  it('tell someone without any what would be here', () => {
    visit(fellow);
    expect(screen.queryByRole('heading', { name: 'Nothing waits for you' })).not.to.equal(null);
    expect(screen.queryByRole('table')).to.equal(null);
  });
});
