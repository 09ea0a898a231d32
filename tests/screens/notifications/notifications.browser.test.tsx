import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { Shell } from '#screens/app/frame/shell.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, record, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';

const told = (number: number, fields: object) =>
  record('notification', {
    id: `0197c1e0-0000-7000-8000-00000000090${String(number)}`,
    user: builder,
    ...fields,
  });

const task = told(1, {
  messageId: 'userTaskAdded',
  message: 'Text of long ago',
  messageValues: {
    projectName: 'Harvest',
    productName: 'Android App',
    activityName: 'Verify and Publish',
  },
  linkUrl: '/',
  dateCreated: '2026-03-02T10:00:00.000Z',
});
const author = told(2, {
  messageId: 'authorAdded',
  messageValues: { projectName: 'Harvest', userName: 'Felix' },
  linkUrl: `/projects/${harvest.id}`,
  dateCreated: '2026-03-01T10:00:00.000Z',
});
const known = told(3, {
  messageId: 'fromANewerServer',
  message: 'Something that this version does not know',
  dateCreated: '2026-02-27T10:00:00.000Z',
  dateRead: '2026-02-28T10:00:00.000Z',
});
const others = told(4, { user: fellow, message: 'Not for Berta' });

async function visit(notification = [known, others, author, task]) {
  const app = await openStore(builder, { ...shelf, notification });
  const around = testSurroundings();
  const routes = [
    {
      element: <Shell />,
      children: [
        { path: '/', element: <>The page</> },
        { path: '/projects/:projectId', element: <>The project</> },
      ],
    },
  ];
  render(<Around store={app} surroundings={around.surroundings} routes={routes} at="/" />);
  return { app, ...around };
}

const bell = () => screen.getByRole('button', { name: /^Notifications, unread/ });
async function open() {
  bell().focus();
  fireEvent.click(bell());
  return screen.findByRole('dialog', { name: 'Notifications' });
}
const lines = () =>
  screen.getAllByRole('listitem').filter(({ className }) => className.includes('notification'));
const press = (name: string | RegExp) => {
  fireEvent.click(screen.getByRole('button', { name }));
};

describe('[3.1] the bell [R215]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('counts what the person has not read', async () => {
    await visit();
    expect(bell().textContent).to.equal('2');
    expect(bell().getAttribute('aria-label')).to.equal('Notifications, unread: 2');
  });

  it('shows what was told, newest first, in the language of the moment, and marks nothing', async () => {
    const { app } = await visit();
    await open();
    const said = [
      'Unread: Harvest Android App Waiting for you: Verify and publish',
      'Unread: Harvest Felix made you an author',
      'Something that this version does not know',
    ];
    expect(lines()).to.have.length(3);
    for (const [index, text] of said.entries())
      expect(lines()[index]?.textContent).to.include(text);
    expect(app.recordedActions).to.deep.equal([]);
    await act(() => speak('fr-FR'));
    expect(lines()[1]?.textContent).to.include('Felix vous a');
    await act(() => speak('en-US'));
  });

  it('says with an icon what kind of news it is, and by name what it is about', async () => {
    const names = { projectName: 'Harvest', productName: 'Android App' };
    const all = [
      told(5, { messageId: 'buildFailedOwner', messageValues: { ...names, buildError: 'No key' } }),
      told(6, { messageId: 'buildCompletedSuccessfully', messageValues: { ...names, version: 2 } }),
      told(7, { messageId: 'releaseCompletedSuccessfully', messageValues: names }),
    ].map((one, index) => ({ ...one, dateCreated: `2026-03-02T0${String(9 - index)}:00:00.000Z` }));
    await visit([task, ...all, known]);
    await open();
    const signs = lines().map((line) =>
      line.querySelector('.status-sign')?.getAttribute('data-tone'),
    );
    expect(signs).to.deep.equal(['yours', 'bad', 'good', 'good', 'none']);
    const events = lines().map((line) => line.querySelector('.notification-event')?.textContent);
    expect(events.slice(1)).to.deep.equal([
      'The build failed: No key',
      'Version 2 was built',
      'Published',
      undefined,
    ]);
    const title = lines()[1]?.querySelector('.notification-title');
    expect(title?.textContent).to.equal('Harvest Android App');
    expect(title?.querySelectorAll('bdi')).to.have.length(2);
  });

  it('stands under the day on which it came', async () => {
    await visit();
    await open();
    const days = screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent);
    expect(days).to.deep.equal(['Today', 'Yesterday', 'Feb 27, 2026']);
    const today = within(screen.getByRole('region', { name: 'Today' }));
    expect(today.getAllByRole('listitem')).to.have.length(1);
  });

  describe('filtered', () => {
    const failed = told(5, {
      messageId: 'buildFailedOwner',
      messageValues: { projectName: 'Harvest', productName: 'Android App', buildError: 'No key' },
      dateCreated: '2026-02-26T10:00:00.000Z',
      dateRead: '2026-02-26T11:00:00.000Z',
    });
    const choose = (name: string) => {
      press(new RegExp(`^${name} `));
    };

    it('lists what was not read, or what failed, and says how many those are', async () => {
      await visit([known, author, task, failed]);
      await open();
      const choices = within(screen.getByRole('group', { name: 'Show' })).getAllByRole('button');
      expect(choices.map(({ textContent }) => textContent)).to.deep.equal([
        'All 4',
        'Unread 2',
        'Failed 1',
      ]);
      choose('Failed');
      expect(lines()).to.have.length(1);
      expect(lines()[0]?.textContent).to.include('No key');
      choose('Unread');
      expect(lines()).to.have.length(2);
    });

    it('says when nothing is left of it, and keeps the focus where the next one is', async () => {
      await visit([author, task, failed]);
      await open();
      choose('Unread');
      const [mark] = screen.getAllByRole('button', { name: 'Mark as read' });
      fireEvent.click(mark ?? document.body);
      await waitFor(() => {
        expect(lines()).to.have.length(1);
      });
      expect(lines()[0]?.contains(document.activeElement)).to.equal(true);
      press('Mark as read');
      await screen.findByText('You have read everything.');
    });

    it('clears what it lists, and nothing else', async () => {
      const { app } = await visit([author, task, failed]);
      await open();
      choose('Failed');
      press('Clear all');
      const question = await screen.findByRole('dialog', { name: 'Clear all notifications?' });
      expect(question.textContent).to.include('1 notification will be gone');
      fireEvent.click(within(question).getByRole('button', { name: 'Clear all' }));
      await screen.findByText('Nothing has failed.');
      expect(app.recordedActions.map(({ did, id }) => `${did} ${id}`)).to.deep.equal([
        `remove ${failed.id}`,
      ]);
    });
  });

  it('leads to what it is about, and is read then', async () => {
    const { app } = await visit();
    await open();
    fireEvent.click(screen.getByRole('link', { name: /made you an author/ }));
    await screen.findByText('The project');
    expect(screen.queryByRole('dialog')).to.equal(null);
    expect(app.recordedActions.map(({ did, id }) => `${did} ${id}`)).to.deep.equal([
      `edit ${author.id}`,
    ]);
    expect(app.recordedActions[0]?.fields).to.deep.equal({ dateRead: '2026-03-02T12:00:00.000Z' });
  });

  it('marks all as read, one change each', async () => {
    const { app } = await visit();
    await open();
    press('Mark all read');
    await waitFor(() => {
      expect(app.recordedActions.map(({ id }) => id)).to.deep.equal([task.id, author.id]);
    });
  });

  it('removes one, with a way back, and keeps the focus in the list', async () => {
    const { app } = await visit();
    await open();
    press(/^Remove: Felix/);
    await screen.findByText('Notification removed');
    expect(app.recordedActions).to.deep.include({
      did: 'remove',
      type: 'notification',
      id: author.id,
      fields: {},
    });
    expect(screen.getByRole('button', { name: 'Undo' })).not.to.equal(null);
    expect(lines()).to.have.length(2);
    expect(lines()[1]?.contains(document.activeElement)).to.equal(true);
  });

  it('asks before it removes all', async () => {
    const { app } = await visit();
    await open();
    press('Clear all');
    await screen.findByRole('dialog', { name: 'Clear all notifications?' });
    expect(screen.getByText('3 notifications will be gone, unread ones too.')).not.to.equal(null);
    press('Cancel');
    expect(app.recordedActions).to.deep.equal([]);
    press('Clear all');
    const question = await screen.findByRole('dialog', { name: 'Clear all notifications?' });
    fireEvent.click(within(question).getByRole('button', { name: 'Clear all' }));
    await waitFor(() => {
      expect(app.recordedActions).to.have.length(3);
    });
  });

  it('says what belongs here when there is nothing [R408]', async () => {
    await visit([others]);
    expect(bell().textContent).to.equal('');
    const panel = await open();
    expect(panel.textContent).to.include('No notifications.');
    press('Close');
    expect(document.activeElement).to.equal(bell());
  });
});
