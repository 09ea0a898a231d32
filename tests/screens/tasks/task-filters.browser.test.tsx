import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { SideViews } from '#screens/app/page/views/side-views.tsx';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, harvest, idOf, record, shelf, south } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const web = idOf(75);

/** A project with a product, and a task of the builder's. */
function aTask(
  number: number,
  project: Partial<Of<'project'>>,
  task: Partial<Of<'userTask'>>,
  product: Partial<Of<'product'>> = {},
) {
  const [first] = shelf.product ?? [];
  const ids = { project: idOf(500 + number), product: idOf(520 + number) };
  return {
    project: { ...harvest, id: ids.project, ...project },
    product: { ...first, id: ids.product, project: ids.project, ...product } as Of<'product'>,
    task: record('userTask', {
      ...{ id: idOf(540 + number), user: builder, product: ids.product, status: 'Approval' },
      ...task,
    }),
  };
}

/** Beside Harvest, which is to approve: one to do, one to verify, and one that authors have. */
const more = [
  aTask(1, { name: 'Acorn', language: 'fr', owner: fellow }, { commands: ['Continue'] }),
  aTask(
    2,
    { name: 'Birch', language: 'fr', group: south },
    { status: 'Verify and Publish', commands: ['Approve', 'Reject'] },
    { productDefinition: web },
  ),
  aTask(3, { name: 'Cedar' }, { status: 'Author Download', commands: ['Take Back'] }),
];
const several: Shelf = {
  ...shelf,
  project: [harvest, ...more.map(({ project }) => project)],
  productDefinition: (shelf.productDefinition ?? []).flatMap((definition) => [
    definition,
    { ...definition, id: web, name: 'PWA to Cloud Provider' },
  ]),
  product: [...(shelf.product ?? []), ...more.map(({ product }) => product)],
  userTask: [...(shelf.userTask ?? []), ...more.map(({ task }) => task)],
};

/** What the router knows of the address. */
function Query() {
  return <output>{useLocation().search}</output>;
}

describe('[screens 5] my tasks with filters', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  async function visit(at = '/tasks', held = several) {
    const app = await openStore(builder, held);
    const around = testSurroundings();
    const routes = [
      {
        path: '/tasks',
        element: (
          <>
            <Query />
            <nav>
              <SideViews />
            </nav>
            <main tabIndex={-1}>
              <Tasks />
            </main>
          </>
        ),
      },
      { path: '*', element: <Query /> },
    ];
    render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
    return { app, ...around };
  }
  const shown = () =>
    [...document.querySelectorAll('.task-project a')].map(({ textContent }) => textContent);
  const open = async () => {
    fireEvent.click(screen.getByRole('button', { name: /^Filter/ }));
    return screen.findByRole('group', { name: 'Filter tasks' });
  };
  const tick = (name: string) => {
    fireEvent.click(screen.getByRole('checkbox', { name }));
  };
  const heading = () => screen.getByRole('heading', { level: 1 }).textContent.trim();
  const chosen = () => screen.findByRole('list', { name: 'Chosen filters' });

  it('offer what occurs among them, and have those that are ticked, at once', async () => {
    await visit();
    expect(shown()).to.deep.equal(['Birch', 'Harvest', 'Acorn', 'Cedar']);
    const panel = await open();
    const values = (name: string) =>
      within(within(panel).getByRole('group', { name }))
        .getAllByRole('checkbox')
        .map(({ parentElement }) => parentElement?.textContent);
    expect(values('Status')).to.deep.equal([
      'Failed',
      'To verify',
      'To approve',
      'To do',
      'Handed to others',
    ]);
    expect(values('Language')).to.deep.equal(['French (fr)', 'Spanish (es-419)']);
    expect(values('Owner')).to.deep.equal(['Me', 'Felix Fellow']);
    expect(values('Group')).to.deep.equal(['Lakeside North', 'Lakeside South']);
    expect(values('Product')).to.deep.equal([
      'Android App to Google Play',
      'PWA to Cloud Provider',
    ]);

    tick('French (fr)');
    expect(shown()).to.deep.equal(['Birch', 'Acorn']);
    tick('Me');
    expect(shown()).to.deep.equal(['Birch']);
    tick('French (fr)');
    expect(shown()).to.deep.equal(['Birch', 'Harvest', 'Cedar']);
    tick('Handed to others');
    tick('To approve');
    expect(shown()).to.deep.equal(['Harvest', 'Cedar']);
  });

  it('count those of one’s own that are in sight, and say how many are not', async () => {
    await visit();
    expect(heading()).to.equal('My tasks 3');
    await open();
    tick('French (fr)');
    expect(heading()).to.equal('My tasks 2');
    expect(screen.queryByText('The filters hide 2 tasks.')).not.to.equal(null);
    tick('Spanish (es-419)');
    expect(heading()).to.equal('My tasks 3');
    expect(screen.queryByText(/^The filters hide/)).to.equal(null);
  });

  it('have them in the address, and take them along to the page of a task', async () => {
    const { pass } = await visit('/tasks?status=to-approve,to-do');
    await chosen();
    expect(shown()).to.deep.equal(['Harvest', 'Acorn']);
    const link = (name: string) =>
      within(document.querySelector<HTMLElement>(`tr[data-id="${name}"]`) ?? document.body)
        .getByRole('link', { name: /Android/ })
        .getAttribute('href');
    const [task] = more;
    expect(link(task?.task.id ?? '')).to.match(/\?status=to-approve%2Cto-do$/);
    fireEvent.click(screen.getByRole('button', { name: /^Status: To do/ }));
    expect(shown()).to.deep.equal(['Harvest']);
    act(() => {
      pass(0);
    });
    await waitFor(() => {
      expect(document.querySelector('output')?.textContent).to.equal('?status=to-approve');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(shown()).to.have.length(4);
  });

  it('follow what comes and goes while filters are set, which marks nothing as new by itself', async () => {
    const { app } = await visit('/tasks?language=fr');
    await chosen();
    await open();
    tick('Spanish (es-419)');
    expect(shown()).to.have.length(4);
    expect(document.querySelector('.task-fresh')).to.equal(null);
    tick('Spanish (es-419)');
    await app.setRecord('project', harvest.id, { language: 'fr' });
    expect(shown()).to.deep.equal(['Birch', 'Harvest', 'Acorn']);
  });

  it('say that filters hide all of them, and show them again', async () => {
    const { pass } = await visit(`/tasks?group=${idOf(999)}`);
    expect(await screen.findByText('No task here matches these filters.')).not.to.equal(null);
    expect(screen.queryByText('The filters hide 4 tasks.')).not.to.equal(null);
    expect(screen.queryByText('You’re all caught up')).to.equal(null);
    expect((await chosen()).textContent).to.include('Group: Unknown');
    const box = document.querySelector<HTMLElement>('.empty-box') ?? document.body;
    fireEvent.click(within(box).getByRole('button', { name: 'Clear filters' }));
    act(() => {
      pass(0);
    });
    expect(shown()).to.have.length(4);
    expect(document.activeElement?.localName).to.equal('main');
  });

  it('say that nothing waits where filters hide nothing', async () => {
    await visit('/tasks?language=fr', { ...shelf, userTask: [] });
    expect(await screen.findByText('You’re all caught up')).not.to.equal(null);
    cleanup();
    await closeStores();
    await visit('/tasks', { ...shelf, userTask: [] });
    expect(screen.queryByRole('button', { name: /^Filter/ })).to.equal(null);
  });

  describe('and saved views', () => {
    const press = async (name: string) => {
      fireEvent.click(await screen.findByRole('button', { name }));
    };
    const views = () =>
      within(screen.getByRole('region', { name: 'My views' }))
        .getAllByRole('link')
        .map((link) => [link.textContent.trim(), link.getAttribute('href')]);
    const view = record('savedView', {
      ...{ id: idOf(901), name: 'French tasks', shows: 'tasks', list: 'all', owner: builder },
      query: 'status=to-verify&language=fr',
    });

    it('keep the filters under a name, without a connection too', async () => {
      const { app } = await visit('/tasks');
      expect(screen.queryByRole('button', { name: 'Save view' })).to.equal(null);
      cleanup();
      await closeStores();
      const { app: again } = await visit('/tasks?owner=me&status=to-approve');
      expect(app).not.to.equal(again);
      await again.goOffline();
      await press('Save view');
      const dialog = await screen.findByRole('dialog', { name: 'Save view' });
      expect(dialog.textContent).to.include('It keeps the filters of this list.');
      fireEvent.change(within(dialog).getByRole('textbox', { name: /^Name/ }), {
        target: { value: 'My part' },
      });
      await press('Save');
      await waitFor(() => {
        expect(views().map(([name]) => name)).to.deep.equal(['My part']);
      });
      const [saved] = again.data.find.all('savedView', {});
      expect(saved).to.include({
        ...{ name: 'My part', shows: 'tasks', list: 'all', owner: builder },
        query: 'status=to-approve&owner=me',
      });
      expect(heading()).to.equal('My part 1');
      await again.goOnline();
      await waitFor(() => {
        expect(again.server.get('savedView', saved?.id ?? '')?.attributes).to.include({
          shows: 'tasks',
        });
      });
    });

    it('are opened from the sidebar, have their name as the title, and go along to a task', async () => {
      await visit('/tasks', { ...several, savedView: [view] });
      const address = `/tasks?status=to-verify&language=fr&view=${view.id}`;
      expect(views()).to.deep.equal([['French tasks', address]]);
      fireEvent.click(screen.getByRole('link', { name: 'French tasks' }));
      await waitFor(() => {
        expect(shown()).to.deep.equal(['Birch']);
      });
      expect(heading()).to.equal('French tasks 1');
      expect(document.title).to.include('French tasks');
      const task = screen.getByRole('link', { name: 'PWA to Cloud Provider' });
      expect(task.getAttribute('href')?.split('?')[1]).to.equal(address.split('?')[1]);
    });

    it('take what was changed', async () => {
      const at = `/tasks?status=to-verify&language=fr&view=${view.id}`;
      const { app } = await visit(at, { ...several, savedView: [view] });
      await screen.findByRole('button', { name: 'View: French tasks' });
      expect(screen.queryByRole('button', { name: 'Save changes' })).to.equal(null);
      await press('Filter (2)');
      await screen.findByRole('group', { name: 'Filter tasks' });
      tick('To verify');
      await press('Save changes');
      await waitFor(() => {
        expect(app.data.find.one('savedView', view.id)?.query).to.equal('language=fr');
      });
    });

    it('of projects are none of tasks', async () => {
      const ofProjects = { ...view, shows: 'projects' as const };
      await visit(`/tasks?language=fr&view=${view.id}`, { ...several, savedView: [ofProjects] });
      await chosen();
      expect(heading()).to.equal('My tasks 2');
      const [, href] = views()[0] ?? [];
      expect(href).to.match(/^\/projects\/all\?/);
    });
  });
});
