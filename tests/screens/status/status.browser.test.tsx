import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { memo, useEffect } from 'react';
import { Link } from 'react-router-dom';
import type { RouteObject } from 'react-router-dom';
import { SessionProvider } from '#session/sign-in.tsx';
import type { Session, SessionSnapshot } from '#session/session.ts';
import { OpenDataContext } from '#screens/app/page/device/data-opener.ts';
import { RouteCrash } from '#screens/app/frame/route-crash.tsx';
import { Members, SignedIn } from '#screens/app/frame/areas.tsx';
import { NotFound, NotFoundPage } from '#screens/app/page/not-found.tsx';
import { OpenSource } from '#screens/status/open-source.tsx';
import {
  MembershipChanged,
  MembershipRequired,
  NotActiveUser,
  VerifyEmail,
} from '#screens/status/status-pages.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, idOf, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const BERTA: SessionSnapshot = {
  state: 'signed-in',
  userId: builder,
  accountStatus: 'active',
  claims: {
    sub: 's',
    email: 'berta@lakeside.test',
    isEmailVerified: false,
    name: null,
    picture: null,
    endsAt: null,
  },
};
const NOBODY: SessionSnapshot = { ...BERTA, state: 'signed-out', userId: null, claims: null };

const drawn = new Set<string>();

function Name() {
  useEffect(() => {
    drawn.add('name');
  });
  return <>Harvest</>;
}

const Row = memo(function Row() {
  return (
    <>
      <Name />
      <Link to="/private/next">Next</Link>
    </>
  );
});

const routes: RouteObject[] = [
  { path: '/', element: <>Home</> },
  { path: '/tasks', element: <>My tasks</> },
  { path: '/login', element: <>The sign-in</> },
  { path: '/verify-email', element: <VerifyEmail /> },
  { path: '/not-active-user', element: <NotActiveUser /> },
  { path: '/organization-membership-required', element: <MembershipRequired /> },
  { path: '/organization-membership-changed', element: <MembershipChanged /> },
  { path: '/not-found', element: <NotFoundPage /> },
  { path: '/broken', element: <Broken />, errorElement: <RouteCrash /> },
  {
    element: <SignedIn />,
    children: [
      { path: '/private', element: <>Private</> },
      { path: '/private/:page', element: <Row /> },
    ],
  },
  {
    element: <Members />,
    children: [
      { path: '/inside', element: <>Inside</> },
      { path: '/users/:userId/edit', element: <>A profile</> },
      { path: '/inside/not-found', element: <NotFound /> },
    ],
  },
];

function Broken(): never {
  throw new Error('A bug');
}

async function visit(at: string, snapshot = BERTA, held: Shelf = shelf) {
  const { surroundings } = testSurroundings();
  const app = await openStore(builder, held);
  const session = { snapshot: () => snapshot, subscribe: () => () => undefined };
  render(
    <SessionProvider session={session as unknown as Session}>
      <OpenDataContext.Provider value={() => app.data}>
        <Around store={app} surroundings={surroundings} routes={routes} at={at} />
      </OpenDataContext.Provider>
    </SessionProvider>,
  );
}

/** Reads a page of one card, and what one can do on it. */
const page = () => ({
  title: screen.getByRole('heading', { level: 1 }).textContent,
  text: document.querySelector('main')?.textContent ?? '',
  buttons: screen.getAllByRole('button').map(({ textContent }) => textContent),
});
const without: Shelf = { ...shelf, organizationMembership: [] };

describe('[4] the pages that say why one cannot go on', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('draw nothing anew that is the same at the next address', async () => {
    await visit('/private/first');
    const link = await screen.findByRole('link', { name: 'Next' });
    drawn.clear();
    fireEvent.click(link);
    expect([...drawn]).to.deep.equal([]);
  });

  it('send who is not signed in to the sign-in [R26, R294]', async () => {
    await visit('/private', NOBODY);
    await screen.findByText('The sign-in');
  });

  it('tell who has not verified their address where the mail went, and can send it again [R27, R31, R34, R381]', async () => {
    await visit('/private', { ...BERTA, accountStatus: 'email-not-verified' });
    const { title, text, buttons } = page();
    expect(title).to.equal('Please verify your email address');
    expect(text).to.include('berta@lakeside.test');
    expect(buttons).to.deep.equal(['Send the email again', 'Sign out']);
  });

  it('name no address where nobody is signed in who has one [R27]', async () => {
    await visit('/verify-email', { ...NOBODY, accountStatus: 'unknown' });
    expect(page().text).to.include('We have sent you an email. Open the link in it');
  });

  it('tell who is locked to ask the administrator [R31, R32, R34, R380]', async () => {
    await visit('/private', { ...BERTA, accountStatus: 'locked' });
    const { title, text, buttons } = page();
    expect(title).to.equal('User is not Active');
    expect(text).to.include('contact the administrator');
    expect(buttons).to.deep.equal(['Sign out']);
  });

  it('tell who belongs to no organization that an invitation is needed [R23, R31, R33, R34, R378]', async () => {
    await visit('/inside', BERTA, without);
    const { title, text, buttons } = page();
    expect(title).to.equal('Organization Membership is Required');
    expect(text).to.include('Do you have an invitation?');
    expect(buttons).to.deep.equal(['Sign out']);
    const link = screen.getByRole('link', { name: /Request access/ });
    expect(link.getAttribute('href')).to.equal('/request-access-for-organization');
  });

  it('leave who belongs to none their own profile, and nobody else’s [R378]', async () => {
    await visit(`/users/${builder}/edit`, BERTA, without);
    expect(screen.queryByText('A profile')).not.to.equal(null);
    cleanup();
    await visit(`/users/${fellow}/edit`, BERTA, without);
    expect(screen.queryByText('A profile')).to.equal(null);
  });

  it('let super admins in without an organization [R23]', async () => {
    const lead = record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' });
    await visit('/inside', BERTA, { ...without, userRole: [lead] });
    expect(screen.queryByText('Inside')).not.to.equal(null);
  });

  it('go on by themselves for who belongs to one by now [R378]', async () => {
    await visit('/organization-membership-required');
    await screen.findByText('My tasks');
  });

  it('tell whose membership has changed that they can go on, or sign out [R31, R34, R379]', async () => {
    await visit('/organization-membership-changed');
    const { title, text, buttons } = page();
    expect(title).to.equal('Organization Membership has Changed');
    expect(text).to.include('Your rights are in force; you can go on at once.');
    expect(buttons).to.deep.equal(['Continue', 'Sign out']);
  });

  it('say that there is nothing at an address, with the way home [R31, R34, R35, R383]', async () => {
    await visit('/not-found');
    const { title, text, buttons } = page();
    expect(title).to.equal('Not Found!');
    expect(text).to.include('There is nothing at this address');
    expect(buttons).to.deep.equal(['Sign out']);
    expect(screen.getByRole('link', { name: 'Home' }).getAttribute('href')).to.equal('/');
    cleanup();
    await visit('/not-found', NOBODY);
    expect(screen.queryByRole('button', { name: 'Sign out' })).to.equal(null);
  });

  it('say so with the navigation around it to who is inside [R35, R383]', async () => {
    await visit('/inside/not-found');
    expect(screen.getByRole('complementary', { name: 'Navigation' })).not.to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: 'Home' }));
    await screen.findByText('Home');
  });

  it('stand in place of one that failed, with what went wrong to copy [R399]', async () => {
    const { onerror } = window;
    // React reports to the page what it catches, too.
    window.onerror = () => true;
    await visit('/broken');
    window.onerror = onerror;
    const [box] = screen.getAllByRole('alert');
    expect(box?.textContent).to.include('Something went wrong');
    expect(box?.textContent).to.include('A bug');
    expect(screen.queryByRole('button', { name: 'Copy details' })).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Reload' })).not.to.equal(null);
  });
});

describe('[4] the open-source libraries', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('stand below their licences, each below its own, and the licence of most comes first [R40]', async () => {
    const licenses = { beta: 'MIT', alpha: 'Apache-2.0', gamma: 'MIT', delta: 'MIT-0' };
    const packages = Object.entries(licenses).map(([name, license]) => ({
      ...{ name, license, version: '1.0.0' },
    }));
    const { surroundings } = testSurroundings(() => Promise.resolve(packages));
    const app = await openStore(builder, shelf);
    const pages = [{ path: '/open-source', element: <OpenSource /> }];
    render(<Around store={app} surroundings={surroundings} routes={pages} at="/open-source" />);
    await screen.findByRole('heading', { name: 'MIT (2)' });
    const groups = screen.getAllByRole('heading', { level: 2 }).map((heading) => {
      const names = heading.parentElement?.querySelectorAll('li strong') ?? [];
      return [heading.textContent, [...names].map((name) => name.textContent)];
    });
    expect(groups).to.deep.equal([
      ['MIT (2)', ['beta', 'gamma']],
      ['Apache-2.0 (1)', ['alpha']],
      ['MIT-0 (1)', ['delta']],
    ]);
  });
});
