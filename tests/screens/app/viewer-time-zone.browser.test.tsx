import { cleanup, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { ViewerTimeZone } from '#screens/app/frame/viewer-time-zone.tsx';
import { speak } from '#ui/text/text.ts';
import { RelativeTime, useDateFormats } from '#ui/value/values.tsx';
import type { Of } from '#schema/index.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, shelf } from '../../support/shelf.ts';

const AT = '2026-02-28T01:30:00.000Z';
const MADE_AT = '2026-03-02T11:59:00.000Z';

/** The builder just signed in for the first time. */
const atFirst = { timezone: null, dateCreated: MADE_AT, dateUpdated: MADE_AT };

const openFor = (fields: Partial<Of<'user'>>): Promise<AppOverStore> =>
  openStore(builder, {
    ...shelf,
    user: (shelf.user ?? []).map((user) => (user.id === builder ? { ...user, ...fields } : user)),
  });

function Dates() {
  const { short, day } = useDateFormats();
  return (
    <>
      <RelativeTime at={AT} />
      <p data-testid="short">{short(AT)}</p>
      <p data-testid="day">{day(AT)}</p>
    </>
  );
}

/** Opens a page as in another tab, or, with the same `surroundings`, as in the same browser. */
async function show(app: AppOverStore, { surroundings } = testSurroundings()): Promise<void> {
  const element = (
    <ViewerTimeZone>
      <Dates />
    </ViewerTimeZone>
  );
  const routes = [{ path: '/', element }];
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
  await app.settle();
}

const shown = () => ({
  full: screen.getByRole('tooltip').textContent.replaceAll('\u202f', ' '),
  short: screen.getByTestId('short').textContent.replaceAll('\u202f', ' '),
  day: screen.getByTestId('day').textContent,
});

describe('[screens 1.8] the zone of dates', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is that of the person who reads, wherever their browser is', async () => {
    await show(await openFor({ timezone: 'Asia/Tokyo' }));
    expect(shown()).to.deep.equal({
      full: 'Saturday, February 28, 2026 at 10:30:00 AM GMT+9',
      short: 'Feb 28, 2026, 10:30 AM',
      day: 'Feb 28, 2026',
    });
    cleanup();
    await show(await openFor({ timezone: 'America/Lima' }));
    expect(shown()).to.deep.equal({
      full: 'Friday, February 27, 2026 at 8:30:00 PM GMT-5',
      short: 'Feb 27, 2026, 8:30 PM',
      day: 'Feb 27, 2026',
    });
  });

  it('is that of the browser for a person with none, or with one that the browser does not know', async () => {
    const here = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long' });
    const expected = here.format(new Date(AT)).replaceAll('\u202f', ' ');
    await show(await openFor({ timezone: null }));
    expect(shown().full).to.equal(expected);
    cleanup();
    await show(await openFor({ timezone: 'Europe/Atlantis' }));
    expect(shown().full).to.equal(expected);
  });
});

describe('[domain 9.1] the zone of the browser', () => {
  before(() => speak('en-US'));
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('is saved at the first sign-in, once and without a toast', async () => {
    const app = await openFor(atFirst);
    await show(app);
    const sent = {
      did: 'edit',
      type: 'user',
      id: builder,
      fields: { timezone: 'America/Bogota' },
    };
    expect(app.recordedActions).to.deep.equal([sent]);
    expect(app.data.find.one('user', builder)?.timezone).to.equal('America/Bogota');
    expect(screen.queryByRole('button', { name: /Close/ })).to.equal(null);
    cleanup();
    await show(app);
    expect(app.recordedActions).to.deep.equal([sent]);
  });

  it('is saved offline too, and sent when there is a connection', async () => {
    const app = await openFor(atFirst);
    await app.goOffline();
    await show(app);
    expect(app.data.changes.view().waiting).to.equal(1);
    await app.goOnline();
    expect(app.server.get('user', builder)?.attributes?.timezone).to.equal('America/Bogota');
  });

  it('is not saved for a person who has a zone, or whose record was changed since it was made', async () => {
    const having = await openFor({ ...atFirst, timezone: 'America/Lima' });
    await show(having);
    expect(having.recordedActions).to.deep.equal([]);
    cleanup();
    const cleared = await openFor({ ...atFirst, dateUpdated: '2026-03-02T11:59:30.000Z' });
    await show(cleared);
    expect(cleared.recordedActions).to.deep.equal([]);
  });

  it('is not saved again by a device whose person undid that', async () => {
    const app = await openFor(atFirst);
    await app.goOffline();
    const around = testSurroundings();
    await show(app, around);
    const [change] = app.data.changes.view().rows;
    await app.data.changes.undo(change?.id ?? '');
    await app.settle();
    cleanup();
    await show(app, around);
    expect(app.recordedActions.length).to.equal(1);
    expect(app.data.find.one('user', builder)?.timezone).to.equal(null);
  });
});
