import { expect } from 'chai';
import type { Mail } from '#server/kernel/mail/mail-templates.ts';
import {
  aCause,
  aMember,
  anOrganization,
  aProject,
  aRecord,
  newId,
} from '../../../support/make.ts';
import { authorizeAddress, PlainBrowser } from '../../../support/sign-in.ts';
import { startServer } from '../../../support/server.ts';
import type { TestServer } from '../../../support/server.ts';
import { tokenFor } from '../../../support/tokens.ts';
import { anAccount, PASSWORD } from '../../http/identity/people.ts';

const JSON_API = 'application/vnd.api+json';
const DAY_MS = 86_400_000;

describe('what guards a secret or sends mail is counted exactly', function () {
  this.timeout(60_000);
  let now = Date.UTC(2026, 5, 1, 12);
  let server: TestServer;
  const mails: Mail[] = [];

  before(async () => {
    server = await startServer({
      clock: () => now,
      env: { TRUSTED_PROXIES: '127.0.0.1' },
      limits: {
        passwordsFromAddress: 3,
        passwordsOfAccount: 4,
        invitationsOfOrganization: 5,
        requestsOfAddress: 10_000,
      },
    });
    server.parts.mail.send = (mail) => {
      mails.push(mail);
      return Promise.resolve();
    };
  });
  after(() => server.stop());

  const post = async (path: string, token: string, body: unknown, method = 'POST') => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': JSON_API },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const document = answer.status === 204 ? {} : ((await answer.json()) as Answered);
    return { status: answer.status, wait: Number(answer.headers.get('retry-after')), document };
  };
  interface Answered {
    readonly errors?: readonly { readonly code: string; readonly status: string }[];
    readonly data?: { readonly id: string };
  }

  /** Somebody who has signed in, and may be reached at the same address. */
  const aPerson = async () => {
    const email = `person-${newId()}@limits.test`;
    const token = await tokenFor(server.parts, email, { lastsSeconds: 100_000 });
    await fetch(`${server.url}/api/roles`, { headers: { Authorization: `Bearer ${token}` } });
    const [user] = await server.parts.db.read((tx) => tx.all('user', { email }));
    return { id: user?.id ?? '', email, token };
  };
  const aPersonWhoIsSuperAdmin = async () => {
    const { db } = server.parts;
    const person = await aPerson();
    const [role] = await db.read((tx) => tx.all('role', { roleName: 'SuperAdmin' }));
    await aRecord(db, 'userRole', {
      user: person.id,
      role: role?.id ?? '',
      roleName: 'SuperAdmin',
      organization: null,
    });
    return person;
  };
  const addById = (token: string, organization: string, user: string) =>
    post('/api/organization-memberships', token, {
      data: {
        type: 'organization-memberships',
        relationships: {
          organization: linkage('organizations', organization),
          user: linkage('users', user),
        },
      },
    });
  const mailsTo = (email: string) => mails.filter(({ to }) => to === email);
  const membersOf = (organization: string) =>
    server.parts.db.read(async (tx) =>
      (await tx.all('organizationMembership', { organization })).map(({ user }) => user),
    );

  /** An admin of an organization of their own. */
  const anAdmin = async () => {
    const { db } = server.parts;
    const organization = (await anOrganization(db)).id;
    const email = `admin-${newId()}@limits.test`;
    const token = await tokenFor(server.parts, email, { lastsSeconds: 100_000 });
    await fetch(`${server.url}/api/roles`, { headers: { Authorization: `Bearer ${token}` } });
    const [user] = await db.read((tx) => tx.all('user', { email }));
    await aMember(db, organization, { user: user?.id ?? '', roles: ['OrganizationAdmin'] });
    return { organization, token };
  };
  const linkage = (type: string, id: string) => ({ data: { type, id } });
  const invite = ({ organization, token }: Awaited<ReturnType<typeof anAdmin>>, email: string) =>
    post('/api/organization-membership-invites', token, {
      data: {
        type: 'organization-membership-invites',
        attributes: { email },
        relationships: { organization: linkage('organizations', organization) },
      },
    });
  const addByEmail = (
    { organization, token }: Awaited<ReturnType<typeof anAdmin>>,
    email: string,
  ) =>
    post('/api/organization-memberships', token, {
      data: {
        type: 'organization-memberships',
        attributes: { email },
        relationships: { organization: linkage('organizations', organization) },
      },
    });
  const stranger = () => `${newId()}@strangers.test`;

  it('passwords of one account are judged so often in an hour and no more, wherever they come from [F8]', async () => {
    const email = `target-${newId()}@limits.test`;
    await anAccount(server, email);
    const statuses: number[] = [];
    for (let n = 1; n <= 5; n += 1)
      statuses.push(await guess(email, 'wrong password', `203.0.113.${String(n)}`));
    expect(statuses).to.deep.equal([...Array<number>(4).fill(422), 429]);
    expect(await guess(email, PASSWORD, '203.0.113.99'), 'the right one too').to.equal(429);
    now += 3_600_000;
    expect(await guess(email, PASSWORD, '203.0.113.99')).to.equal(303);
  });

  it('right passwords are not counted with the wrong ones of an account [F8]', async () => {
    const email = `owner-${newId()}@limits.test`;
    await anAccount(server, email);
    for (let n = 1; n <= 3; n += 1)
      expect(await guess(email, 'wrong password', `203.0.113.${String(n)}`)).to.equal(422);
    for (let n = 1; n <= 2; n += 1)
      expect(await guess(email, PASSWORD, '203.0.113.50')).to.equal(303);
    expect(await guess(email, 'wrong password', '203.0.113.60'), 'the fourth').to.equal(422);
    expect(await guess(email, 'wrong password', '203.0.113.61'), 'the fifth').to.equal(429);
  });

  it('wrong passwords from one address leave the account open from others [F9]', async () => {
    const email = `home-${newId()}@limits.test`;
    await anAccount(server, email);
    for (let n = 1; n <= 3; n += 1)
      expect(await guess(email, 'wrong password', '198.51.100.1')).to.equal(422);
    expect(await guess(email, 'wrong password', '198.51.100.1')).to.equal(429);
    expect(await guess(email, PASSWORD, '198.51.100.2')).to.equal(303);
  });

  /** Sends the sign-in form from `address`; returns its status. */
  const guess = async (email: string, password: string, address: string): Promise<number> => {
    const browser = new PlainBrowser(server.url, 'en-US', { 'X-Forwarded-For': address });
    const { auth } = server.parts.config;
    const page = await browser.open(authorizeAddress(auth).address);
    return (await browser.send(page.address, { email, password })).status;
  };

  it('an organization invites so many people a day and no more [F13]', async () => {
    const admin = await anAdmin();
    for (let n = 1; n <= 5; n += 1) expect((await invite(admin, stranger())).status).to.equal(201);
    const sent = mails.length;
    const { status, wait, document } = await invite(admin, stranger());
    expect(status).to.equal(429);
    expect(document.errors?.[0]?.code).to.equal('too-many-requests');
    expect(wait).to.be.within(1, DAY_MS / 1_000);
    expect(mails.length, 'no mail').to.equal(sent);
    expect((await invite(await anAdmin(), stranger())).status, 'others go on').to.equal(201);
    now += DAY_MS;
    expect((await invite(admin, stranger())).status, 'a day later').to.equal(201);
  });

  it('one address gets three invitations a day, whoever sends them [F13]', async () => {
    const email = stranger();
    for (let n = 1; n <= 3; n += 1)
      expect((await invite(await anAdmin(), email)).status).to.equal(201);
    expect((await invite(await anAdmin(), email.toUpperCase())).status).to.equal(429);
    expect(mails.filter(({ to }) => to === email)).to.have.lengthOf(3);
  });

  it('an invitation that was refused leaves the count as it was [F13]', async () => {
    const admin = await anAdmin();
    for (let n = 1; n <= 6; n += 1)
      expect((await invite(admin, 'no address')).status).to.equal(422);
    expect((await invite(admin, stranger())).status).to.equal(201);
  });

  it('adding people by address counts as inviting them, whether anybody has the address or not [F13]', async () => {
    const admin = await anAdmin();
    for (let n = 1; n <= 5; n += 1)
      expect((await addByEmail(admin, stranger())).status).to.equal(422);
    expect((await addByEmail(admin, stranger())).status).to.equal(429);
    expect((await invite(admin, stranger())).status).to.equal(429);
  });

  it('adding by address in a body of operations counts too, strict or lenient [F13]', async () => {
    for (const handling of ['strict', 'lenient']) {
      const admin = await anAdmin();
      const operation = () => ({
        op: 'add',
        data: {
          type: 'organization-memberships',
          attributes: { email: stranger() },
          relationships: { organization: linkage('organizations', admin.organization) },
        },
      });
      for (let n = 1; n <= 5; n += 1) {
        const answer = await fetch(`${server.url}/api/operations`, {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${admin.token}`,
            'Content-Type': JSON_API,
            Prefer: `handling=${handling}`,
          },
          body: JSON.stringify({ operations: [operation()] }),
        });
        expect(await answer.text(), handling).to.include('no-such-user');
      }
      expect((await addByEmail(admin, stranger())).status, handling).to.equal(429);
    }
  });

  it('adding one person by id to many organizations sends three mails a day, counted with the invitations to their address [F13]', async () => {
    const { db } = server.parts;
    const person = await aPerson();
    const { id: admin, token } = await aPerson();
    const shared = await anOrganization(db);
    for (const user of [person.id, admin]) await aMember(db, shared.id, { user });
    const own = await Promise.all(Array.from({ length: 4 }, () => anOrganization(db)));
    for (const { id } of own) await aMember(db, id, { user: admin, roles: ['OrganizationAdmin'] });

    const statuses: number[] = [];
    for (const { id } of own) statuses.push((await addById(token, id, person.id)).status);
    expect(statuses).to.deep.equal([201, 201, 201, 429]);
    expect(mailsTo(person.email)).to.have.lengthOf(3);
    expect(await membersOf(own[3]?.id ?? '')).to.deep.equal([admin]);
    expect((await invite(await anAdmin(), person.email)).status, 'an invitation').to.equal(429);
    now += DAY_MS;
    expect((await addById(token, own[3]?.id ?? '', person.id)).status, 'a day later').to.equal(201);
  });

  it('making one person the owner of many organizations sends three mails a day too, also of new ones [F13]', async () => {
    const { token } = await aPersonWhoIsSuperAdmin();
    const person = await aPerson();
    const owner = { owner: linkage('users', person.id) };
    const statuses: number[] = [];
    for (let n = 1; n <= 3; n += 1) {
      const { id } = await anOrganization(server.parts.db);
      const data = { type: 'organizations', id, relationships: owner };
      statuses.push((await post(`/api/organizations/${id}`, token, { data }, 'PATCH')).status);
    }
    const data = {
      type: 'organizations',
      attributes: { name: 'One More', 'website-url': 'https://more.test' },
      relationships: owner,
    };
    statuses.push((await post('/api/organizations', token, { data })).status);
    expect(statuses).to.deep.equal([200, 200, 200, 429]);
    expect(mailsTo(person.email)).to.have.lengthOf(3);
  });

  it('making a member the owner sends no mail and counts none [F13]', async () => {
    const { db } = server.parts;
    const { token } = await aPersonWhoIsSuperAdmin();
    const person = await aPerson();
    for (let n = 1; n <= 4; n += 1) {
      const { id } = await anOrganization(db);
      await aMember(db, id, { user: person.id });
      const data = {
        type: 'organizations',
        id,
        relationships: { owner: linkage('users', person.id) },
      };
      expect((await post(`/api/organizations/${id}`, token, { data }, 'PATCH')).status).to.equal(
        200,
      );
    }
    expect(mailsTo(person.email)).to.have.lengthOf(0);
  });

  it('adding somebody by address three times a day is allowed, for each addition counts once [F13]', async () => {
    const person = await aPerson();
    const statuses: number[] = [];
    for (let n = 1; n <= 4; n += 1)
      statuses.push((await addByEmail(await anAdmin(), person.email)).status);
    expect(statuses).to.deep.equal([201, 201, 201, 429]);
    expect(mailsTo(person.email)).to.have.lengthOf(3);
  });

  it('adding by address does not tell that the person gets mail at another one, whose mails of the day are used up: that mail is left out [F13]', async () => {
    const { db } = server.parts;
    const contact = stranger();
    for (let n = 1; n <= 3; n += 1) await invite(await anAdmin(), contact);
    const person = await aPerson();
    await db.write(aCause(), (write) => write.change('user', person.id, { email: contact }));

    expect((await addByEmail(await anAdmin(), person.email)).status).to.equal(201);
    expect(mailsTo(contact)).to.have.lengthOf(3);
    const notifications = await db.read((tx) => tx.all('notification', { user: person.id }));
    expect(notifications.map(({ messageId }) => messageId)).to.deep.equal(['membershipAdded']);
  });

  it('leaving is refused to nobody because whoever gets what they owned has had the mails of the day [F13]', async () => {
    const { db } = server.parts;
    const heir = await aPersonWhoIsSuperAdmin();
    const person = await aPerson();
    const { id: organization } = await anOrganization(db);
    const added = await addById(heir.token, organization, person.id);
    const project = await aProject(db, { organization, owner: person.id });
    for (let n = 1; n <= 3; n += 1) await invite(await anAdmin(), heir.email);

    const membership = added.document.data?.id ?? '';
    const left = await post(
      `/api/organization-memberships/${membership}`,
      person.token,
      undefined,
      'DELETE',
    );
    expect(left.status).to.equal(204);
    expect((await db.read((tx) => tx.one('project', project.id)))?.owner).to.equal(heir.id);
    expect(mailsTo(heir.email)).to.have.lengthOf(3);
  });

  it('who may not add people uses nothing of the count up [F13]', async () => {
    const admin = await anAdmin();
    const outsider = { ...(await anAdmin()), organization: admin.organization };
    for (let n = 1; n <= 6; n += 1) await addByEmail(outsider, stranger());
    expect((await invite(admin, stranger())).status).to.equal(201);
  });

  it('access is asked for 20 times an hour from one address [R15, R190, R325]', async () => {
    const attributes = {
      name: 'Hill Press',
      'org-admin-email': 'ana@hill.test',
      'website-url': 'https://hill.test',
    };
    const request = async () =>
      (
        await fetch(`${server.url}/api/organization-invite-requests`, {
          method: 'POST',
          headers: { 'Content-Type': JSON_API, 'X-Forwarded-For': '192.0.2.20' },
          body: JSON.stringify({ data: { type: 'organization-invite-requests', attributes } }),
        })
      ).status;
    const statuses: number[] = [];
    for (let n = 1; n <= 21; n += 1) statuses.push(await request());
    expect(statuses).to.deep.equal([...Array<number>(20).fill(201), 429]);
  });

  it('one person tries to redeem invitations 20 times a minute', async () => {
    const token = await tokenFor(server.parts, `redeeming-${newId()}@limits.test`);
    const statuses: number[] = [];
    for (let n = 1; n <= 21; n += 1)
      statuses.push(
        (await post(`/api/organization-membership-invites/redeem/${newId()}`, token, {}, 'PATCH'))
          .status,
      );
    expect(statuses).to.deep.equal([...Array<number>(20).fill(404), 429]);
  });
});
