import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { Outlet, useLocation } from 'react-router-dom';
import { lists } from '#screens/projects/lists.ts';
import { ProjectList } from '#screens/projects/project-list.tsx';
import { SideViews } from '#screens/app/page/views/side-views.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { VIEWS_MOST } from '#rules/valid/saved-view.ts';
import type { Of } from '#schema/index.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, harbor, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const routes = [
  {
    element: (
      <>
        <output>
          <Address />
        </output>
        <nav>
          <SideViews />
        </nav>
        <main tabIndex={-1}>
          <Outlet />
        </main>
      </>
    ),
    children: Object.values(lists).map(({ name }) => ({
      path: `/projects/${name}`,
      element: <ProjectList name={name} />,
    })),
  },
];

function Address() {
  const { pathname, search } = useLocation();
  return <>{pathname + search}</>;
}

const aView = (number: number, fields: Partial<Of<'savedView'>>) =>
  record('savedView', {
    ...{ id: idOf(900 + number), name: `View ${String(number)}`, list: 'all', owner: builder },
    ...fields,
  });
const inFrench = aView(1, { name: 'In French', query: 'language=fr', organization: lakeside });
const ours = aView(2, {
  ...{ name: 'Waiting', list: 'organization', query: 'status=waiting-for-you' },
  ...{ organization: lakeside, owner: fellow, isShared: true },
});
const admin = record('userRole', {
  ...{ id: idOf(62), user: builder, organization: lakeside, role: idOf(63) },
  roleName: 'OrganizationAdmin',
});
const withViews = (...savedView: NonNullable<Shelf['savedView']>): Shelf => ({
  ...shelf,
  savedView,
});

describe('saved views', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  const draw = (app: AppOverStore, at: string) => {
    const around = testSurroundings();
    render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
    return { app, ...around };
  };
  async function visit(at: string, held: Shelf = shelf) {
    return draw(await openStore(builder, held), at);
  }
  const shown = () =>
    [...document.querySelectorAll('.project-name > a')].map((link) => link.textContent);
  const address = () => document.querySelector('output')?.textContent;
  const press = async (name: string) => {
    fireEvent.click(await screen.findByRole('button', { name }));
  };
  const choose = async (name: string) => {
    fireEvent.click(await screen.findByRole('button', { name: /^View: / }));
    fireEvent.click(screen.getByRole('menuitem', { name }));
  };
  const group = (name: string) =>
    within(screen.getByRole('region', { name }))
      .getAllByRole('link')
      .map(({ textContent }) => textContent.trim());
  const type = (name: string) => {
    fireEvent.change(screen.getByRole('textbox', { name: /^Name/ }), { target: { value: name } });
  };

  it('keep the filters, the search and the order of a list under a name, without a connection too', async () => {
    chooseOrganization(lakeside);
    const { app } = await visit('/projects/all');
    expect(screen.queryByRole('button', { name: 'Save view' })).to.equal(null);
    cleanup();
    draw(app, '/projects/all?language=fr&search=o&sort=-name&pageOffset=1');
    await app.goOffline();
    await press('Save view');
    type(' Français ');
    await press('Save');

    await waitFor(() => {
      expect(group('My views')).to.deep.equal(['Français']);
    });
    const [view] = app.data.find.all('savedView', {});
    expect(view).to.include({
      ...{ name: 'Français', list: 'all', query: 'language=fr&search=o&sort=-name' },
      ...{ isShared: false, organization: lakeside, owner: builder },
    });
    expect(app.recordedActions.map(({ did, type: of }) => `${did} ${of}`)).to.deep.equal([
      'add savedView',
    ]);
    expect(screen.getByRole('heading', { level: 1 }).textContent).to.contain('Français');
    await app.goOnline();
    await waitFor(() => {
      expect(app.server.get('savedView', view?.id ?? '')?.attributes).to.include({
        name: 'Français',
      });
    });
  });

  it('are opened from the sidebar with all that they keep, and have their name as the title', async () => {
    const { paint } = await visit('/projects/organization', withViews(inFrench, ours));
    expect(group('My views')).to.deep.equal(['In French Lakeside Press']);
    expect(group('Shared views')).to.deep.equal(['Waiting Lakeside Press']);

    fireEvent.click(screen.getByRole('link', { name: /In French/ }));
    await waitFor(() => {
      paint();
      expect(shown()).to.deep.equal(['Élan', 'Juniper', 'Meadow', 'Orchard']);
    });
    expect(address()).to.equal(`/projects/all?language=fr&view=${inFrench.id}`);
    expect(document.title).to.contain('In French');
    const open = screen.getByRole('link', { name: 'In French' });
    expect(open.getAttribute('aria-current')).to.equal('page');
    // With all in view, the link of a view of one organization puts that one in view.
    expect(group('Shared in Lakeside Press')).to.deep.equal(['Waiting']);
  });

  it('show only those of what is in view, and of no list that one may not open', async () => {
    chooseOrganization(harbor);
    await visit(
      `/projects/all?view=${inFrench.id}`,
      withViews(
        inFrench,
        aView(3, { name: 'Everywhere' }),
        aView(4, { name: 'At Harbor', organization: harbor }),
        aView(5, { name: 'For admins', list: 'active', organization: harbor }),
      ),
    );
    expect(group('My views')).to.deep.equal(['At Harbor', 'Everywhere']);
    expect(screen.getByRole('heading', { level: 1 }).textContent).not.to.contain('In French');
  });

  it('are many, of which the first eight show', async () => {
    const many = Array.from({ length: 11 }, (_, n) => aView(n, { name: `View ${String(10 + n)}` }));
    await visit('/projects/all', withViews(...many));
    expect(group('My views')).to.have.length(8);
    await press('Show 3 more');
    expect(group('My views')).to.have.length(11);
  });

  it('take what was changed, or become another one', async () => {
    chooseOrganization(lakeside);
    const { app } = await visit(
      `/projects/all?language=fr&view=${inFrench.id}`,
      withViews(inFrench),
    );
    await screen.findByRole('button', { name: 'View: In French' });
    expect(screen.queryByRole('button', { name: 'Save changes' })).to.equal(null);
    await press('Filter (1)');
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Felix Fellow' }));
    await press('Save changes');
    await waitFor(() => {
      expect(app.data.find.one('savedView', inFrench.id)?.query).to.equal(
        `language=fr&owner=${fellow}`,
      );
    });
    expect(screen.queryByRole('button', { name: 'Save changes' })).to.equal(null);

    fireEvent.click(screen.getByRole('checkbox', { name: 'Felix Fellow' }));
    await press('Save as new view');
    type('in FRENCH');
    expect(screen.getByText(/Another view has this name/)).not.to.equal(null);
    await press('Save');
    await waitFor(() => {
      expect(group('My views')).to.deep.equal(['In French', 'in FRENCH']);
    });
  });

  it('are renamed, shared, and not shared any more', async () => {
    chooseOrganization(lakeside);
    const { app } = await visit(
      `/projects/all?language=fr&view=${inFrench.id}`,
      withViews(inFrench),
    );
    await choose('Rename');
    type('Francophone');
    await press('Save');
    await waitFor(() => {
      expect(group('My views')).to.deep.equal(['Francophone']);
    });
    await choose('Share in Lakeside Press');
    await waitFor(() => {
      expect(group('Shared in Lakeside Press')).to.deep.equal(['Francophone']);
    });
    await choose('Stop sharing');
    await waitFor(() => {
      expect(app.data.find.one('savedView', inFrench.id)?.isShared).to.equal(false);
    });
  });

  it('are removed, and come back by Undo', async () => {
    chooseOrganization(lakeside);
    const { app, pass } = await visit(
      `/projects/all?language=fr&view=${inFrench.id}`,
      withViews(inFrench),
    );
    await choose('Remove');
    await waitFor(() => {
      expect(screen.queryByRole('region', { name: 'My views' })).to.equal(null);
    });
    act(() => {
      pass(0);
    });
    expect(address()).to.equal('/projects/all?language=fr');
    await press('Undo');
    await waitFor(() => {
      expect(group('My views')).to.deep.equal(['In French']);
    });
    expect(app.server.get('savedView', inFrench.id)).not.to.equal(undefined);
  });

  it('of others can be used and saved as one’s own, and nothing else', async () => {
    chooseOrganization(lakeside);
    await visit(`/projects/organization?language=en&view=${ours.id}`, withViews(ours));
    await screen.findByRole('button', { name: 'Save as new view' });
    expect(screen.queryByRole('button', { name: /^View: / })).to.equal(null);
    expect(screen.queryByRole('button', { name: 'Save changes' })).to.equal(null);
  });

  it('of others are asked about before an admin stops the sharing', async () => {
    chooseOrganization(lakeside);
    const { app } = await visit(`/projects/organization?view=${ours.id}`, {
      ...withViews(ours),
      userRole: [...(shelf.userRole ?? []), admin],
    });
    await choose('Stop sharing');
    const question = await screen.findByRole('dialog', { name: 'Stop sharing “Waiting”?' });
    expect(question.textContent).to.contain('Only Felix Fellow will have this view');
    expect(app.recordedActions).to.deep.equal([]);
    fireEvent.click(within(question).getByRole('button', { name: 'Stop sharing' }));
    await waitFor(() => {
      expect(app.recordedActions.map(({ fields }) => fields)).to.deep.equal([{ isShared: false }]);
    });
  });

  it('are no more than fifty, which the form says', async () => {
    const full = Array.from({ length: VIEWS_MOST }, (_, n) => aView(n, {}));
    const { app } = await visit('/projects/all?language=fr', withViews(...full));
    await press('Save view');
    type('One more');
    await press('Save');
    expect(
      await screen.findByText('You have 50 views already. Remove one of them first.'),
    ).not.to.equal(null);
    expect(app.recordedActions).to.deep.equal([]);
  });

  it('of what is gone list nothing, and say so', async () => {
    chooseOrganization(lakeside);
    const gone = aView(6, { name: 'Gone', query: `group=${idOf(999)}`, organization: lakeside });
    await visit(`/projects/all?group=${idOf(999)}&view=${gone.id}`, withViews(gone));
    expect(await screen.findByText('No project here matches these filters.')).not.to.equal(null);
    expect((await screen.findByRole('list', { name: 'Chosen filters' })).textContent).to.contain(
      'Unknown',
    );
  });
});
