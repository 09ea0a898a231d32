import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { JSON_API } from '#protocol/document.ts';
import { jobNames, jobPaths, jobTroubles } from '#protocol/jobs.ts';
import type { JobLists, JobSummary } from '#protocol/jobs.ts';
import { problems } from '#protocol/problem.ts';
import type { ProblemCode } from '#protocol/problem.ts';
import { JobsPage } from '#screens/admin/jobs/jobs-page.tsx';
import { Guarded, superAdmins } from '#screens/app/page/guards.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { plain } from '../../support/scripted-server.ts';
import { builder, harvestApp, idOf, lakeside, record, shelf } from '../../support/shelf.ts';
import { aSignal } from '../../support/signal.ts';

const superAdmin = record('userRole', {
  ...{ id: idOf(62), user: builder, roleName: 'SuperAdmin', role: idOf(63) },
});

function job(n: number, fields: Partial<JobSummary> = {}): JobSummary {
  return {
    ...{ id: idOf(800 + n), name: 'send-letter', isRunning: false, failures: 0, trouble: null },
    ...{ failedAt: null, dueAt: '2026-03-02T13:00:00.000Z', subject: null },
    ...fields,
  };
}
const failed = (n: number, fields: Partial<JobSummary> = {}) =>
  job(n, {
    ...{ failures: 3, trouble: 'mail-refused', failedAt: '2026-03-02T11:00:00.000Z' },
    ...fields,
  });
const listsOf = (bad: readonly JobSummary[], waiting: readonly JobSummary[] = []): JobLists => ({
  failed: { jobs: bad, total: bad.length },
  waiting: { jobs: waiting, total: waiting.length },
});

function refused(code: ProblemCode): Response {
  const [status, title] = problems[code];
  const errors = [{ id: 'e', status: String(status), code, title }];
  return new Response(JSON.stringify({ errors }), {
    status,
    headers: { 'Content-Type': JSON_API },
  });
}

interface Given {
  readonly roles?: readonly (typeof superAdmin)[];
  readonly lists?: () => JobLists | Response | Promise<JobLists>;
  readonly run?: (id: string) => Response;
  readonly prepare?: (app: AppOverStore) => Promise<void>;
}

async function visit({
  roles = [superAdmin],
  lists = () => listsOf([failed(1)]),
  run = () => plain({ name: 'send-letter' }),
  prepare = () => Promise.resolve(),
}: Given = {}) {
  const app = await openStore(builder, { ...shelf, userRole: roles });
  const seen = { asked: 0, run: [] as string[] };
  const told = async () => {
    const given = await lists();
    return given instanceof Response ? given : plain(given);
  };
  app.server.answer = (address) => {
    if (address === jobPaths.list) {
      seen.asked += 1;
      return told();
    }
    const id = /^\/api\/jobs\/(.*)\/run$/.exec(address)?.[1];
    if (id === undefined) return null;
    seen.run.push(id);
    return Promise.resolve(run(id));
  };
  await prepare(app);
  const { surroundings, pass } = testSurroundings();
  const routes = [
    {
      path: '/admin/jobs',
      element: (
        <Guarded guard={superAdmins}>
          <JobsPage />
        </Guarded>
      ),
    },
    { path: '*', element: <p>Another page</p> },
  ];
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/admin/jobs" />);
  await app.settle();
  const passTime = async (ms: number) => {
    act(() => {
      pass(ms);
    });
    await app.settle();
  };
  return { ...app, seen, passTime };
}

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name })).getAllByRole('row').slice(1);
const trouble = () => document.querySelector('.negative.message')?.textContent;
const runAgain = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Run again/ });

describe('[16.4] the jobs', () => {
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

  it('say the status and what a server says that is broken, and come when it is mended [R374]', async () => {
    let page: Response | null = new Response('<h1>Bad gateway</h1>', {
      status: 502,
      headers: { 'Content-Type': 'text/html' },
    });
    const { settle } = await visit({ lists: () => page ?? listsOf([failed(1)]) });
    expect(trouble()).to.match(/The server answered with status 502: \W?Bad gateway/);
    page = refused('internal');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(trouble()).to.match(
      /The server answered with status 500: \W?Something went wrong on the server/,
    );
    page = null;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(runAgain()).not.to.equal(null);
  });

  it('say it also where the whole server is broken, and not that there is no connection [R374]', async () => {
    const { server, passOnDevice, settle } = await visit({
      lists: () => refused('internal'),
      prepare: async (app) => {
        app.server.isHubDown = true;
        app.server.hangUp();
        await app.settle();
      },
    });
    server.answer = () => Promise.resolve(refused('internal'));
    await passOnDevice(60_000);
    await settle();
    expect(trouble()).to.match(/The server answered with status 500/);
  });

  it('that failed are listed with why, when, how often and when they are tried next', async () => {
    await visit({
      lists: () =>
        listsOf(
          [
            failed(1),
            failed(2, { name: 'begin-build', subject: { type: 'products', id: harvestApp } }),
          ],
          [job(3, { name: 'prune' }), job(4, { isRunning: true })],
        ),
    });
    const [mail, build] = rowsOf('Failed').map((row) => row.textContent);
    for (const text of [
      'Send an email',
      'The mail server did not accept the email.',
      '1 hour',
      '3',
    ])
      expect(mail).to.include(text);
    expect(mail).to.match(/Mar 2, 2026/);
    expect(build).to.include('Begin a build');
    expect(screen.getByRole('link', { name: 'Product' }).getAttribute('href')).to.equal(
      `/admin/workflows/${harvestApp}`,
    );
    const waiting = rowsOf('Waiting').map((row) => row.textContent);
    expect(waiting[0]).to.include('Remove what was kept long enough');
    expect(waiting[1]).to.include('Running now');
  });

  for (const language of ['en-US', 'es-419', 'fr-FR'] as const) {
    it(`have a name and their reasons in plain words in ${language} [R410]`, async () => {
      await speak(language);
      try {
        await visit({
          lists: () =>
            listsOf(
              jobTroubles.map((trouble, n) => failed(n, { trouble })),
              jobNames.map((name, n) => job(100 + n, { name })),
            ),
        });
        const [bad, waiting] = screen.getAllByRole('table');
        const words = [...(bad?.querySelectorAll('td:nth-child(2) .cell-value') ?? [])];
        const names = [...(waiting?.querySelectorAll('td:nth-child(1) .cell-value') ?? [])];
        for (const [said, count] of [
          [words, jobTroubles.length],
          [names, jobNames.length],
        ] as const) {
          const texts = said.map(({ textContent }) => textContent);
          expect(new Set(texts).size).to.equal(count);
          for (const text of texts) expect(text).to.match(/^\p{Lu}.+ /u);
        }
      } finally {
        await speak('en-US');
      }
    });
  }

  it('of another version show by their own name, and what is not known as not known', async () => {
    await visit({
      lists: () =>
        listsOf([failed(1, { name: 'paint-moon', trouble: 'moon-away', failedAt: null })]),
    });
    const [row] = rowsOf('Failed').map(({ textContent }) => textContent);
    expect(row).to.include('paint-moon').and.include('Not known').and.include('--');
  });

  it('that failed are run again by a press, and the lists are asked for anew', async () => {
    let lists = listsOf([failed(1)]);
    const { seen, settle } = await visit({ lists: () => lists });
    lists = listsOf([], [job(1)]);
    fireEvent.click(runAgain());
    expect(runAgain().disabled).to.equal(true);
    await settle();
    expect(seen.run).to.deep.equal([idOf(801)]);
    expect(screen.getByText('It is tried again now')).not.to.equal(null);
    await screen.findByRole('heading', { name: 'Nothing has failed' });
  });

  it('that run already cannot be run again', async () => {
    await visit({ lists: () => listsOf([failed(1, { isRunning: true })]) });
    expect(runAgain().disabled).to.equal(true);
  });

  it('that were done meanwhile are said to be gone, and without an answer it is not certain', async () => {
    let answer = () => refused('not-found');
    const { settle, seen } = await visit({ run: () => answer() });
    fireEvent.click(runAgain());
    await settle();
    expect(screen.getByText(/It is not in the list any more/)).not.to.equal(null);
    answer = () => new Response('oops', { status: 502 });
    fireEvent.click(runAgain());
    await settle();
    expect(screen.getByText(/so it is not certain/)).not.to.equal(null);
    expect(seen.run.length).to.equal(2);
  });

  it('are asked for anew every ten seconds, for as long as the page is open', async () => {
    let lists = listsOf([failed(1)]);
    const { seen, passTime } = await visit({ lists: () => lists });
    expect(seen.asked).to.equal(1);
    await passTime(9_999);
    expect(seen.asked).to.equal(1);
    lists = listsOf([]);
    await passTime(1);
    expect(seen.asked).to.equal(2);
    expect(screen.getByRole('heading', { name: 'Nothing has failed' })).not.to.equal(null);
    await passTime(10_000);
    expect(seen.asked).to.equal(3);
    cleanup();
    await passTime(60_000);
    expect(seen.asked).to.equal(3);
  });

  it('are not asked for again while an answer is under way', async () => {
    const slow = aSignal();
    let lists: JobLists | Promise<JobLists> = listsOf([failed(1)]);
    const { seen, passTime, settle } = await visit({ lists: () => lists });
    lists = slow.given.then(() => listsOf([]));
    await passTime(10_000);
    expect(seen.asked).to.equal(2);
    for (let n = 0; n < 6; n += 1) await passTime(10_000);
    expect(seen.asked).to.equal(2);
    slow.give();
    await settle();
    expect(screen.getByRole('heading', { name: 'Nothing has failed' })).not.to.equal(null);
    await passTime(10_000);
    expect(seen.asked).to.equal(3);
  });

  it('say when they could not be loaded, and are asked for again', async () => {
    let isBroken = true;
    const { settle } = await visit({
      lists: () => (isBroken ? new Response('oops', { status: 502 }) : listsOf([failed(1)])),
    });
    expect(screen.getByText('The jobs could not be loaded')).not.to.equal(null);
    isBroken = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(rowsOf('Failed').length).to.equal(1);
  });

  it('say why the server does not give them', async () => {
    await visit({ lists: () => refused('forbidden') });
    expect(screen.getByText('You are not allowed to do that')).not.to.equal(null);
  });

  it('need a connection, come by themselves, and nothing is run without one', async () => {
    const { seen, goOnline, goOffline, settle } = await visit({
      prepare: (app) => app.goOffline(),
    });
    expect(
      screen.getByRole('heading', { name: 'The list of jobs needs a connection' }),
    ).not.to.equal(null);
    expect(seen.asked).to.equal(0);
    await goOnline();
    await settle();
    expect(rowsOf('Failed').length).to.equal(1);
    await goOffline();
    expect(rowsOf('Failed').length).to.equal(1);
    expect(runAgain().disabled).to.equal(true);
    expect(screen.getByText('Needs a connection')).not.to.equal(null);
  });

  it('say how many there are where not all are listed', async () => {
    await visit({
      lists: () => ({ ...listsOf([failed(1)]), failed: { jobs: [failed(1)], total: 900 } }),
    });
    expect(screen.getByText('The first 1 of 900')).not.to.equal(null);
  });

  it('turn away whoever is no super admin', async () => {
    const { seen } = await visit({ roles: shelf.userRole ?? [] });
    expect(screen.getByText('Another page')).not.to.equal(null);
    expect(seen.asked).to.equal(0);
  });
});
