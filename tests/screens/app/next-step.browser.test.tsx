import { cleanup, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import type { RoleName } from '#schema/role.ts';
import { chooseOrganization } from '#session/organization.ts';
import { Tasks } from '#screens/tasks/tasks-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { isLanguage, LANGUAGES, speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, idOf, lakeside, record } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

/** Covers `src/screens/app/page/empty/next-step.tsx`, as the tasks say it that are empty. */

const north = idOf(20);

const ALL = Object.keys(LANGUAGES).filter(isLanguage);

/** Berta is a new member of Lakeside Press, which Felix administers and where nothing was set up. */
const begun: Shelf = {
  user: [
    record('user', { id: builder, name: 'Berta Builder' }),
    record('user', { id: fellow, name: 'Felix Fellow' }),
  ],
  organization: [record('organization', { id: lakeside, name: 'Lakeside Press', owner: fellow })],
  organizationMembership: [builder, fellow].map((user, i) =>
    record('organizationMembership', { id: idOf(40 + i), user, organization: lakeside }),
  ),
  group: [record('group', { id: north, name: 'North', abbreviation: 'N', owner: lakeside })],
  userRole: [role(60, fellow, 'OrganizationAdmin')],
};

function role(id: number, user: string, roleName: RoleName) {
  const organization = roleName === 'SuperAdmin' ? null : lakeside;
  return record('userRole', { id: idOf(id), user, organization, roleName });
}

/** What is there besides: Berta's roles, and what the organization was given. */
interface More {
  readonly roles?: readonly RoleName[];
  readonly isInGroup?: boolean;
  readonly has?: readonly ('store' | 'product')[];
}

function begunAnd({ roles = [], isInGroup = false, has = [] }: More): Shelf {
  return {
    ...begun,
    userRole: [...(begun.userRole ?? []), ...roles.map((name, i) => role(61 + i, builder, name))],
    groupMembership: isInGroup
      ? [record('groupMembership', { id: idOf(50), user: builder, group: north })]
      : [],
    organizationStore: has.includes('store')
      ? [record('organizationStore', { id: idOf(70), organization: lakeside, store: idOf(71) })]
      : [],
    organizationProductDefinition: has.includes('product')
      ? [
          record('organizationProductDefinition', {
            id: idOf(80),
            organization: lakeside,
            productDefinition: idOf(81),
          }),
        ]
      : [],
  };
}

async function visit(held: Shelf): Promise<void> {
  const app = await openStore(builder, held);
  const routes = [{ path: '/tasks', element: <Tasks /> }];
  render(<Around store={app} {...testSurroundings()} routes={routes} at="/tasks" />);
  await screen.findByRole('heading', { name: 'You’re all caught up' });
}

/** What stands below the title of the empty list, and where its button leads. */
function said(): { readonly text: string; readonly leadsTo: string | null } {
  const box = screen.getByRole('heading', { name: 'You’re all caught up' }).parentElement;
  if (box === null) throw new Error('The box is gone');
  return {
    text: box.querySelector('p')?.textContent ?? '',
    leadsTo: within(box).queryByRole('link')?.getAttribute('href') ?? null,
  };
}

describe('an empty list', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('tells somebody without a role who can give it [R408]', async () => {
    await visit(begunAnd({}));
    expect(said().text).to.match(/role App Builder and a group\. .*: Felix Fellow\.$/);
    expect(said().leadsTo).to.equal(null);
  });

  it('tells somebody without a group who can put them in one [R408]', async () => {
    await visit(begunAnd({ roles: ['AppBuilder'] }));
    expect(said().text).to.match(/you need a group\. .*: Felix Fellow\.$/);
    expect(said().leadsTo).to.equal(null);
  });

  it('leads whoever makes projects to their first one [R408]', async () => {
    await visit(begunAnd({ roles: ['AppBuilder'], isInGroup: true }));
    expect(said().text).to.contain('To begin, make a project.');
    expect(said().leadsTo).to.equal('/projects/new');
  });

  it('leads an admin to the products, and says who gives the stores [R408]', async () => {
    await visit(begunAnd({ roles: ['OrganizationAdmin'] }));
    expect(said().text).to.contain('no product is switched on');
    expect(said().leadsTo).to.equal(`/organizations/${lakeside}/settings/products`);
    cleanup();
    await closeStores();

    await visit(begunAnd({ roles: ['OrganizationAdmin'], has: ['product'] }));
    expect(said().text).to.match(/has no store\. A super admin chooses/);
    expect(said().leadsTo).to.equal(null);
  });

  it('leads a super admin to the stores first, and to an organization before all [R408]', async () => {
    await visit(begunAnd({ roles: ['SuperAdmin'] }));
    expect(said().leadsTo).to.equal(`/admin/settings/organizations/${lakeside}/stores`);
    cleanup();
    await closeStores();

    chooseOrganization(null);
    await visit({
      ...begunAnd({ roles: ['SuperAdmin'] }),
      organization: [],
      organizationMembership: [],
    });
    expect(said().text).to.contain('there is none yet');
    expect(said().leadsTo).to.equal('/admin/settings/organizations');
  });

  it('says no more to somebody who has a project [R408]', async () => {
    const owned = { id: idOf(30), name: 'Harvest', owner: builder, group: north };
    await visit({
      ...begunAnd({ roles: ['AppBuilder'], isInGroup: true }),
      project: [record('project', { ...owned, organization: lakeside })],
    });
    expect(said().text.trim()).to.equal('New tasks appear here automatically.');
    expect(said().leadsTo).to.equal(null);
  });

  it('says so in every language', async () => {
    const sentences = new Set<string>();
    for (const language of ALL) {
      await speak(language);
      const app = await openStore(builder, begunAnd({}));
      const routes = [{ path: '/tasks', element: <Tasks /> }];
      render(<Around store={app} {...testSurroundings()} routes={routes} at="/tasks" />);
      sentences.add((await screen.findByText(/App Builder.*Felix Fellow/)).textContent);
      cleanup();
      await closeStores();
    }
    await speak('en-US');
    expect(sentences.size).to.equal(ALL.length);
  });
});
