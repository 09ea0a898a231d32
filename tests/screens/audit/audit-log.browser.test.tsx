import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { ReactNode } from 'react';
import type { AuditEvent, AuditLog } from '#protocol/audit.ts';
import { JSON_API } from '#protocol/document.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import { problems } from '#protocol/problem.ts';
import type { ProblemCode } from '#protocol/problem.ts';
import { allAuditKinds } from '#rules/audit/audit-kinds.ts';
import { AuditPage } from '#screens/admin/audit-page.tsx';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { OrganizationAudit } from '#screens/organizations/organization-audit.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { TimeZoneContext } from '#ui/value/values.tsx';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { plain } from '../../support/scripted-server.ts';
import { builder, fellow, harvest, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import type { Shelf } from '../../support/shelf.ts';

const roleOf = (roleName: 'SuperAdmin' | 'OrganizationAdmin'): NonNullable<Shelf['userRole']> => [
  record('userRole', {
    ...{ id: idOf(62), user: builder, roleName, role: idOf(63) },
    organization: roleName === 'SuperAdmin' ? null : lakeside,
  }),
];

function event(n: number, fields: Partial<AuditEvent> = {}): AuditEvent {
  return {
    ...{ id: idOf(700 + n), kind: 'role-given', at: '2026-03-01T10:30:00.000Z' },
    ...{ actorId: builder, actorName: 'Berta Builder', organizationId: lakeside },
    ...{ subjectType: 'users', subjectId: fellow, subjectName: 'Felix Fellow' },
    ...{ before: null, after: { role: 'AppBuilder' }, address: '192.0.2.7' },
    ...fields,
  };
}

const logOf = (events: readonly AuditEvent[], more: Partial<AuditLog> = {}): AuditLog => ({
  ...{ events, total: events.length, isMore: false },
  ...more,
});

/** The list as the server tells it. */
function documentOf({ events, total, isMore }: AuditLog): object {
  const data = events.map(({ id, ...attributes }) => ({
    ...{ type: 'audit-events', id },
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [wireFieldOf('user', name), value]),
    ),
  }));
  return { data, meta: { 'total-records': total, page: isMore ? { more: true } : {} } };
}

function refused(code: ProblemCode): Response {
  const [status, title] = problems[code];
  const errors = [{ id: 'e', status: String(status), code, title }];
  return new Response(JSON.stringify({ errors }), {
    status,
    headers: { 'Content-Type': JSON_API },
  });
}

interface Given {
  readonly at?: string;
  readonly roles?: NonNullable<Shelf['userRole']>;
  readonly answer?: (query: URLSearchParams) => AuditLog | Response;
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  at = '/admin/audit',
  roles = roleOf('SuperAdmin'),
  answer = () => logOf([event(1)]),
  prepare = () => Promise.resolve(),
}: Given = {}) {
  const app = await openStore(builder, { ...shelf, userRole: roles });
  const asked: URLSearchParams[] = [];
  app.server.answer = (address) => {
    if (!address.startsWith(paths.auditEvents)) return null;
    const query = new URLSearchParams(address.split('?')[1]);
    asked.push(query);
    const given = answer(query);
    return Promise.resolve(given instanceof Response ? given : plain(documentOf(given)));
  };
  await prepare(app);
  const around = testSurroundings();
  const inLima = (page: ReactNode) => (
    <TimeZoneContext.Provider value="America/Lima">{page}</TimeZoneContext.Provider>
  );
  const routes = [
    {
      path: '/admin/audit',
      element: inLima(
        <Guarded guard={superAdmins}>
          <AuditPage />
        </Guarded>,
      ),
    },
    { path: '/organizations/:orgId/settings/audit', element: inLima(<OrganizationAudit />) },
    { path: '*', element: <p>Another page</p> },
  ];
  render(<Around store={app} surroundings={around.surroundings} routes={routes} at={at} />);
  await app.settle();
  return { ...app, asked, pass: around.pass };
}

const rows = () => screen.getAllByRole('row').slice(1);
const firstRow = () => within(rows()[0] ?? document.body);
const choose = (label: string, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const pickPerson = (name: string) => {
  fireEvent.change(screen.getByRole('combobox', { name: 'Person' }), { target: { value: name } });
  fireEvent.click(screen.getByRole('option', { name }));
};

describe('[16.4] the audit log', () => {
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
    chooseOrganization(null);
  });

  it('says when, who, what, to whom and from where, with the values before and after', async () => {
    await visit({
      answer: () =>
        logOf([
          event(1),
          event(2, {
            kind: 'settings-changed',
            ...{ subjectType: 'projects', subjectId: harvest.id, subjectName: 'Harvest' },
            before: { 'is-public': false, group: idOf(20), 'group-name': 'North' },
            after: { 'is-public': true, group: idOf(21), 'group-name': 'South' },
          }),
        ]),
    });
    const row = firstRow();
    // 10:30 in UTC, for somebody in Lima.
    expect(row.getByText(/Mar 1, 2026, 5:30/).tagName).to.equal('TIME');
    for (const text of ['Berta Builder', 'A role was given.', 'App Builder', '192.0.2.7'])
      expect(row.getByText(text)).not.to.equal(null);
    expect(row.getByRole('link', { name: 'Felix Fellow' }).getAttribute('href')).to.equal(
      `/users/${fellow}`,
    );
    const second = within(rows()[1] ?? document.body);
    expect(second.getByRole('link', { name: 'Harvest' }).getAttribute('href')).to.equal(
      `/projects/${harvest.id}`,
    );
    const told = second.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(told.map((text) => text.replaceAll(/\s+/g, ' '))).to.deep.equal([
      ...['Visibility: Private Public', 'Group: North South'],
    ]);
    expect(second.getAllByRole('img', { name: 'became' }).length).to.equal(2);
  });

  for (const language of ['en-US', 'es-419', 'fr-FR'] as const) {
    it(`has a sentence for every kind of event in ${language} [R410]`, async () => {
      await speak(language);
      try {
        await visit({
          answer: () => logOf(allAuditKinds.map((kind, n) => event(n, { kind, after: null }))),
        });
        const said = rows().map((row) => row.querySelector('strong')?.textContent ?? '');
        expect(said.length).to.equal(allAuditKinds.length);
        expect(new Set(said).size).to.equal(said.length);
        for (const sentence of said) expect(sentence).to.match(/^\p{Lu}.* .*\.$/u);
      } finally {
        await speak('en-US');
      }
    });
  }

  it('keeps both of two filters that are set before the page is drawn with the first', async () => {
    const { asked, settle } = await visit();
    act(() => {
      choose('Kind', 'settings-changed');
      choose('First day', '2026-03-01');
    });
    await settle();
    const last = asked.at(-1) ?? new URLSearchParams();
    expect(last.get('filter[kind]')).to.equal('in:settings-changed');
    expect(last.get('filter[at]')).to.equal('ge:2026-03-01T05:00:00.000Z');
  });

  it('shows what a newer server tells by its own name, and runs nothing that a value says', async () => {
    const evil = '<img src=x onerror=alert(1)>{{name}}';
    await visit({
      answer: () =>
        logOf([
          event(1, {
            ...{ kind: 'moon-painted', subjectType: 'moons', subjectName: evil, actorName: evil },
            after: { colour: evil, toString: null, depth: { of: 3 } },
          }),
        ]),
    });
    const row = firstRow();
    expect(row.getByText('moon-painted')).not.to.equal(null);
    expect(row.getAllByText(evil).length).to.equal(3);
    expect(row.getByText('{"of":3}')).not.to.equal(null);
    expect(document.querySelector('img')).to.equal(null);
  });

  it('looks for people, kinds, records and days, which stand in the address', async () => {
    const { asked, settle } = await visit({
      at: '/admin/audit?page=3',
      answer: () => logOf([event(1)], { total: 200 }),
    });
    expect(asked.at(-1)?.get('page[offset]')).to.equal('3');
    choose('Kind', 'role-given');
    await settle();
    expect(asked.at(-1)?.get('filter[kind]')).to.equal('in:role-given');
    expect(asked.at(-1)?.get('page[offset]')).to.equal('1');
    choose('Kind', 'refusals');
    pickPerson('Felix Fellow');
    choose('Record', 'projects');
    choose('First day', '2026-02-01');
    choose('Last day', '2026-02-28');
    await settle();
    const last = asked.at(-1);
    expect(last?.get('filter[kind]')).to.equal('in:refused,refusals-left-out');
    expect(last?.get('filter[actor-id]')).to.equal(`eq:${fellow}`);
    expect(last?.get('filter[subject-type]')).to.equal('eq:projects');
    // Days are those of the person: Lima is five hours behind.
    expect(last?.getAll('filter[at]')).to.deep.equal([
      'ge:2026-02-01T05:00:00.000Z',
      'le:2026-03-01T04:59:59.999Z',
    ]);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect([...(asked.at(-1)?.keys() ?? [])]).to.deep.equal(['page[offset]', 'page[limit]']);
  });

  it('begins with the filters of its address, and leaves out what means nothing', async () => {
    const query = [
      `person=${fellow}`,
      'kind=user-locked',
      `record=${harvest.id}`,
      'from=2026-02-01',
      "to=2026-02-30'--",
      'page=99999999999999',
      'sort=evil',
    ].join('&');
    const { asked } = await visit({ at: `/admin/audit?${query}` });
    expect(Object.fromEntries(asked[0] ?? [])).to.deep.equal({
      'filter[actor-id]': `eq:${fellow}`,
      'filter[kind]': 'in:user-locked',
      'filter[subject-id]': `eq:${harvest.id}`,
      'filter[at]': 'ge:2026-02-01T05:00:00.000Z',
      'page[offset]': '500',
      'page[limit]': '20',
    });
    cleanup();
    const evil = "person=1'%20or%201%3D1&kind=x,y&type=__proto__&record=..%2F&from=now&page=-1";
    const second = await visit({ at: `/admin/audit?${evil}` });
    expect([...(second.asked[0]?.keys() ?? [])]).to.deep.equal(['page[offset]', 'page[limit]']);
    expect(second.asked[0]?.get('page[offset]')).to.equal('1');
  });

  it('leaves a day that is being typed as it is, and where it is typed', async () => {
    const { asked, settle } = await visit();
    const field = screen.getByLabelText<HTMLInputElement>('First day');
    field.focus();
    for (const year of ['0002', '0020', '0202', '2026']) {
      choose('First day', `${year}-02-01`);
      await settle();
      expect(field.value).to.equal(`${year}-02-01`);
      expect(document.activeElement).to.equal(field);
    }
    expect(
      asked.map((query) => query.getAll('filter[at]')).filter(({ length }) => length > 0),
    ).to.deep.equal([['ge:2026-02-01T05:00:00.000Z']]);
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await settle();
    expect(field.value).to.equal('');
  });

  it('looks for one person or one record from its row', async () => {
    const { asked, settle } = await visit();
    fireEvent.click(screen.getByRole('button', { name: 'Only what Berta Builder did' }));
    await settle();
    fireEvent.click(screen.getByRole('button', { name: 'Only what was done to Felix Fellow' }));
    await settle();
    expect(asked.at(-1)?.get('filter[actor-id]')).to.equal(`eq:${builder}`);
    expect(asked.at(-1)?.get('filter[subject-id]')).to.equal(`eq:${fellow}`);
    expect(screen.getByLabelText<HTMLSelectElement>('Record').selectedOptions[0]?.text).to.equal(
      'Felix Fellow',
    );
  });

  it('turns its pages on the server', async () => {
    const { asked, settle } = await visit({
      answer: (query) =>
        logOf([event(Number(query.get('page[offset]')))], { total: 10_000, isMore: true }),
    });
    expect(screen.getByText(/There are more than 10,000 entries/)).not.to.equal(null);
    fireEvent.click(screen.getByRole('button', { name: 'Page 2' }));
    await settle();
    expect(asked.at(-1)?.get('page[offset]')).to.equal('2');
    expect(screen.getByText('21–40 of 10,000')).not.to.equal(null);
  });

  it('says that nothing was found, and that nothing was written yet', async () => {
    const { settle } = await visit({ answer: () => logOf([]) });
    expect(screen.getByRole('heading', { name: 'Nothing was written yet' })).not.to.equal(null);
    choose('Kind', 'user-locked');
    await settle();
    expect(screen.getByRole('heading', { name: 'No results' })).not.to.equal(null);
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Save as CSV' }).disabled,
    ).to.equal(true);
  });

  it('says that it could not be loaded, and is asked for again', async () => {
    let isBroken = true;
    const { settle } = await visit({
      answer: () => (isBroken ? new Response('oops', { status: 502 }) : logOf([event(1)])),
    });
    expect(screen.getByText('The audit log could not be loaded')).not.to.equal(null);
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rows().length).to.equal(1);
  });

  it('says why the server does not give it', async () => {
    await visit({ answer: () => refused('forbidden') });
    expect(screen.getByText('You are not allowed to do that')).not.to.equal(null);
  });

  it('says offline that it needs a connection, before anything can be chosen, and comes by itself', async () => {
    const { goOnline, settle, asked } = await visit({ prepare: (app) => app.goOffline() });
    expect(screen.getByRole('heading', { name: 'The audit log needs a connection' })).not.to.equal(
      null,
    );
    expect(screen.queryByLabelText('Kind')).to.equal(null);
    expect(asked).to.deep.equal([]);
    await goOnline();
    await settle();
    await waitFor(() => {
      expect(rows().length).to.equal(1);
    });
  });

  it('keeps what is in view when the connection goes, and lets nothing be chosen until it is back', async () => {
    const { goOffline } = await visit();
    await goOffline();
    expect(rows().length).to.equal(1);
    expect(screen.getByText('Needs a connection')).not.to.equal(null);
    for (const name of ['Kind', 'First day', 'Person'])
      expect(screen.getByLabelText<HTMLInputElement>(name).disabled, name).to.equal(true);
    expect(
      screen.getByRole<HTMLButtonElement>('button', { name: 'Save as CSV' }).disabled,
    ).to.equal(true);
  });

  it('keeps nothing of it on the device', async () => {
    const { data } = await visit({
      answer: () => logOf([event(1, { subjectName: 'A name of the log alone' })]),
    });
    expect(screen.getByText('A name of the log alone')).not.to.equal(null);
    const file = await data.diagnostics.supportFile();
    expect(file).not.to.include('A name of the log alone');
    expect((await data.diagnostics.snapshot()).errors).to.deep.equal([]);
  });

  it('is turned away from whoever is no super admin', async () => {
    const { asked } = await visit({ roles: roleOf('OrganizationAdmin') });
    expect(screen.getByText('Another page')).not.to.equal(null);
    expect(asked).to.deep.equal([]);
  });

  describe('of an organization', () => {
    const at = `/organizations/${lakeside}/settings/audit`;

    it('asks for its own events alone, for its admins', async () => {
      const { asked } = await visit({
        at: `${at}?organization=${idOf(11)}`,
        roles: roleOf('OrganizationAdmin'),
        answer: () => logOf([event(1, { address: null })]),
      });
      expect(asked[0]?.getAll('filter[organization-id]')).to.deep.equal([`eq:${lakeside}`]);
      expect(screen.getByRole('heading', { level: 1 }).textContent).to.equal('Lakeside Press');
      expect(firstRow().getByText('--')).not.to.equal(null);
    });

    it('is turned away from its other people', async () => {
      const { asked } = await visit({ at, roles: shelf.userRole ?? [] });
      expect(screen.getByText('Another page')).not.to.equal(null);
      expect(asked).to.deep.equal([]);
    });
  });

  describe('as a CSV file', () => {
    const realCreate = URL.createObjectURL.bind(URL);
    const saved: Blob[] = [];
    beforeEach(() => {
      saved.length = 0;
      URL.createObjectURL = (blob: Blob) => {
        saved.push(blob);
        return '#';
      };
    });
    afterEach(() => {
      URL.createObjectURL = realCreate;
    });
    const press = async (settle: AppOverStore['settle']) => {
      await act(async () => {
        fireEvent.click(screen.getByRole('button', { name: 'Save as CSV' }));
        await Promise.resolve();
      });
      await settle();
    };

    it('has the events of all pages that the filters find, and nothing of them is a formula', async () => {
      const many = Array.from({ length: 501 }, (_, n) =>
        event(n, { subjectName: n === 0 ? '=1+1' : 'Felix Fellow' }),
      );
      const { asked, settle } = await visit({
        at: '/admin/audit?kind=role-given',
        answer: (query) => {
          const size = Number(query.get('page[limit]'));
          const from = (Number(query.get('page[offset]')) - 1) * size;
          return logOf(many.slice(from, from + size), { total: many.length });
        },
      });
      await press(settle);
      await waitFor(() => {
        expect(screen.getByText('501 entries are in the file')).not.to.equal(null);
      });
      const pages = asked.filter((query) => query.get('page[limit]') === '500');
      expect(pages.map((query) => query.get('filter[kind]'))).to.deep.equal([
        ...['in:role-given', 'in:role-given'],
      ]);
      // What is written meanwhile must not move the second page.
      expect(pages[1]?.getAll('filter[at]')).to.deep.equal(['le:2026-03-01T10:30:00.000Z']);
      const lines = (await saved[0]?.text())?.split('\r\n') ?? [];
      expect(lines.length).to.equal(1 + 501 + 1);
      expect(lines[1]).to.include(`,"'=1+1",`).and.include('A role was given.');
      expect(lines[2]).to.include('Felix Fellow').and.include('Role: App Builder');
    });

    it('says when it could not be made', async () => {
      let isBroken = false;
      const { settle } = await visit({
        answer: () => (isBroken ? new Response('oops', { status: 502 }) : logOf([event(1)])),
      });
      isBroken = true;
      await press(settle);
      expect(screen.getByText('The file could not be made')).not.to.equal(null);
      expect(saved).to.deep.equal([]);
      expect(rows().length).to.equal(1);
    });
  });
});
