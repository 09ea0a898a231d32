import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { paths } from '#protocol/paths.ts';
import { Members } from '#screens/app/frame/areas.tsx';
import { InviteOrganization } from '#screens/admin/invite-organization.tsx';
import { MembershipInvitation, OrganizationInvitation } from '#screens/invitations/invitations.tsx';
import { AccessRequested, RequestAccess } from '#screens/invitations/request-access.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { SessionProvider } from '#session/sign-in.tsx';
import type { Session, SessionSnapshot } from '#session/session.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, idOf, record, shelf } from '../../support/shelf.ts';

const BERTA: SessionSnapshot = {
  state: 'signed-in',
  userId: builder,
  accountStatus: 'active',
  claims: null,
};
const leads = {
  ...shelf,
  userRole: [record('userRole', { id: idOf(62), user: builder, roleName: 'SuperAdmin' })],
};

async function visit(at: string) {
  const app = await openStore(builder, leads);
  const around = testSurroundings();
  const session = { snapshot: () => BERTA, subscribe: () => () => undefined };
  const routes = [
    { path: '/', element: <>Home</> },
    { path: '/organization-membership-changed', element: <>It has changed</> },
    { path: '/invitations/organization-membership/:token', element: <MembershipInvitation /> },
    { path: '/invitations/organization/:token', element: <OrganizationInvitation /> },
    { path: '/request-access-for-organization', element: <RequestAccess /> },
    { path: '/request-access-for-organization/success', element: <AccessRequested /> },
    { element: <Members />, children: [{ path: '/admin', element: <InviteOrganization /> }] },
  ];
  render(
    <SessionProvider session={session as unknown as Session}>
      <Around store={app} surroundings={around.surroundings} routes={routes} at={at} />
    </SessionProvider>,
  );
  return { app, ...around };
}

const answering = (body: object, status: number) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/vnd.api+json' },
  });
const refusal = (status: number, code: string, title = code) =>
  answering({ errors: [{ id: '1', status: String(status), code, title }] }, status);

/** Follows the link of an invitation, which the server answers by `answer`. */
async function redeem(answer: () => Response) {
  const { app, pass } = await visit('/invitations/organization-membership/t0ken');
  app.server.answer = (path) => (path.includes('/redeem/t0ken') ? Promise.resolve(answer()) : null);
  act(() => {
    pass(0);
  });
  return app;
}
/** What the page says is wrong; toasts are elsewhere. */
const alerts = () => [...document.querySelectorAll('main [role=alert]')];
const said = async () => {
  await waitFor(() => {
    expect(
      alerts()
        .map(({ textContent }) => textContent)
        .join(''),
    ).not.to.equal('');
  });
  return alerts()
    .map(({ textContent }) => textContent)
    .join('');
};
const home = () => screen.getByRole('link', { name: 'Home' }).getAttribute('href');

describe('[14] an invitation to become a member', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is redeemed once, and goes on to what has changed [R164, R324]', async () => {
    const data = { type: 'organization-membership-invites', id: idOf(900), attributes: {} };
    const app = await redeem(() => answering({ data }, 200));
    await screen.findByText('It has changed');
    const sent = app.server.requests.filter(({ path }) => path.includes('/redeem/'));
    expect(sent).to.have.length(1);
  });

  for (const [status, code, words] of [
    [404, 'invite-not-found', /^There is no such invitation/],
    [403, 'invite-redeemed', /^This invitation has been used already/],
    [403, 'invite-expired', /^This invitation has expired/],
  ] as const)
    it(`says what is wrong with it: ${code} [R165, R248, R386]`, async () => {
      await redeem(() => refusal(status, code));
      expect(await said()).to.match(words);
      expect(home()).to.equal('/');
    });

  it('quotes the server’s own words as plain text, at most 200 characters of them [R385]', async () => {
    const words = `<b>No</b> ${'x'.repeat(300)}`;
    await redeem(() => refusal(422, 'invite-paused', words));
    expect(await said()).to.equal(`That did not work. The server says: ${words.slice(0, 200)}`);
    expect(document.querySelector('main b')).to.equal(null);
    expect(home()).to.equal('/');
  });

  it('advises to refresh the page where the answer could not be read [R384]', async () => {
    await redeem(() => answering({ data: { type: 'organization-membership-invites' } }, 200));
    expect(await said()).to.equal(
      'The answer of the server could not be read. Please refresh the page.',
    );
    expect(home()).to.equal('/');
  });
});

describe('[16.1] an invitation to create an organization', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  const invite = async () => {
    const visited = await visit('/admin');
    const field = await screen.findByLabelText(/^Owner email/);
    fireEvent.change(field, { target: { value: 'owner@northshore.test' } });
    return visited;
  };
  const add = () => {
    fireEvent.click(screen.getByRole('button', { name: 'Add Organization' }));
  };

  it('is sent, which a toast says [R388]', async () => {
    const { app } = await invite();
    add();
    await screen.findByText('Invitation sent');
    expect(app.recordedActions.map(({ type, fields }) => [type, fields])).to.deep.equal([
      ['organizationInvite', { ownerEmail: 'owner@northshore.test' }],
    ]);
  });

  it('names the organization and its web site where they were typed [R172]', async () => {
    const { app } = await invite();
    const type = (label: RegExp, value: string) => {
      fireEvent.change(screen.getByLabelText(label), { target: { value } });
    };
    type(/^Organization name/, 'Northshore');
    type(/^Website URL/, 'https://northshore.test');
    add();
    await screen.findByText('Invitation sent');
    expect(app.recordedActions[0]?.fields).to.deep.equal({
      ownerEmail: 'owner@northshore.test',
      name: 'Northshore',
      url: 'https://northshore.test',
    });
  });

  it('that the server refuses is told by a toast with the reason [R388]', async () => {
    const { app } = await invite();
    app.server.refuse = () => [
      {
        ...{ id: 'e1', status: '422', code: 'invalid', title: 'Not valid' },
        ...{ source: { pointer: '/data/attributes/owner-email' }, meta: { rule: 'email' } },
      },
    ];
    add();
    await app.settle();
    const toasts = within(screen.getByRole('region', { name: 'Messages' }));
    await toasts.findByText(/is not an email address/);
  });
});

describe('[14] founding an organization by its invitation', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('begins with the name and the web site that the invitation tells, and founds it with both [R162]', async () => {
    const told = new URLSearchParams({
      name: 'Northshore',
      websiteUrl: 'https://northshore.test',
    });
    const { app } = await visit(`/invitations/organization/t0ken?${told.toString()}`);
    const labelled = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label).value;
    expect([labelled(/^Name/), labelled(/^Website URL/)]).to.deep.equal([
      ...['Northshore', 'https://northshore.test'],
    ]);
    const bodies: unknown[] = [];
    app.server.answer = (path, body) => {
      if (path !== paths.list('organization')) return null;
      bodies.push(JSON.parse(body));
      return Promise.resolve(answering({ data: { type: 'organizations', id: idOf(901) } }, 201));
    };
    fireEvent.click(screen.getByRole('button', { name: 'Add Organization' }));
    await screen.findByRole('heading', { name: /^Your organization is being prepared/ });
    expect(bodies).to.deep.equal([
      {
        data: {
          type: 'organizations',
          attributes: {
            name: 'Northshore',
            'website-url': 'https://northshore.test',
            token: 't0ken',
          },
        },
      },
    ]);
  });
});

describe('[14] a request of access', () => {
  const pageFetch = globalThis.fetch;
  let answer = (): Response => new Response('');
  let sent: unknown = null;
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    sessionStorage.clear();
    sent = null;
    globalThis.fetch = (address, request) => {
      const path = address instanceof Request ? address.url : String(address);
      if (!path.endsWith('/organization-invite-requests')) return pageFetch(address, request);
      const { body, headers } = request ?? {};
      sent = { body: JSON.parse(body as string) as unknown, headers };
      return Promise.resolve(answer());
    };
  });
  afterEach(async () => {
    globalThis.fetch = pageFetch;
    cleanup();
    await closeStores();
  });

  const fields = {
    'Organization name': 'Northshore Texts',
    'Admin email': 'office@northshore.test',
    'Website URL': 'https://northshore.test',
  };
  const labelled = (label: string) =>
    screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
  const ask = async () => {
    await visit('/request-access-for-organization');
    for (const [label, value] of Object.entries(fields))
      fireEvent.change(labelled(label), { target: { value } });
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
  };

  for (const [status, statusText, words] of [
    [500, 'Out of Order', 'Out of Order'],
    [503, '', 'An error occurred'],
  ] as const)
    it(`that fails says “${words}” over what was typed [R325, R389]`, async () => {
      answer = () => new Response('<h1>Sorry</h1>', { status, statusText });
      await ask();
      expect(await said()).to.equal(words);
      for (const [label, value] of Object.entries(fields))
        expect(labelled(label).value).to.equal(value);
    });

  it('needs all three, the address in a field for one [R263]', async () => {
    await visit('/request-access-for-organization');
    expect(labelled('Admin email').type).to.equal('email');
    fireEvent.click(screen.getByRole('button', { name: 'Submit' }));
    expect(await said()).to.match(
      /Name is required.*Admin email is required.*Website URL is required/,
    );
    expect(sent).to.equal(null);
  });

  it('that is taken says so on a page of its own, and what comes next [R167, R190, R325]', async () => {
    answer = () => new Response('', { status: 202 });
    await ask();
    await screen.findByRole('heading', { name: 'Request Sent!' });
    expect(document.querySelector('main')?.textContent).to.match(
      /mail went to our team.*reviewed.*invitation/,
    );
    const attributes = {
      name: 'Northshore Texts',
      orgAdminEmail: 'office@northshore.test',
      websiteUrl: 'https://northshore.test',
    };
    const jsonApi = 'application/vnd.api+json';
    expect(sent).to.deep.equal({
      body: { data: { type: 'organization-invite-requests', attributes } },
      headers: { Accept: jsonApi, 'Content-Type': jsonApi },
    });
  });
});
