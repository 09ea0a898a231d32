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
      'Unread: Harvest · Android App needs your attention: Verify and Publish',
      'Unread: Felix made you an author of Harvest.',
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
