import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import { expect } from 'chai';
import { useLocation } from 'react-router-dom';
import { JSON_API } from '#protocol/document.ts';
import { mentionOf } from '#rules/mention.ts';
import type { Of } from '#schema/index.ts';
import { ActivityPage } from '#screens/activity/activity-page.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { builder, fellow, harvest, harvestApp, idOf, record, shelf } from '../../support/shelf.ts';

const AT = '2026-03-01T10:30:00.000Z';
const ADDRESS = `/api/projects/${harvest.id}/activity`;

const event = (number: number, attributes: Readonly<Record<string, unknown>>) => ({
  type: 'activity-events',
  id: idOf(2000 + number),
  attributes: {
    ...{ at: AT, 'actor-id': fellow, 'actor-name': 'Felix Fellow' },
    ...{ 'product-id': null, 'product-name': null, 'subject-type': null, 'subject-id': null },
    ...{ 'subject-name': null, before: null, after: null, text: null, details: null },
    ...attributes,
  },
});
const ofProduct = { 'product-id': harvestApp, 'product-name': 'Android App' };

interface Given {
  readonly at?: string;
  readonly events?: readonly object[];
  readonly before?: string | null;
  readonly isOffline?: boolean;
  readonly comments?: readonly Of<'productComment'>[];
}

const comment = (number: number, user: string, text: string) =>
  record('productComment', {
    ...{ id: idOf(2100 + number), text, user, product: harvestApp },
    ...{ dateCreated: AT, dateUpdated: AT },
  });
const theirs = comment(0, fellow, `Look, ${mentionOf(builder)}`);

async function visit({
  at = '',
  events = [],
  before = null,
  isOffline = false,
  comments = [theirs],
}: Given = {}) {
  const app = await openStore(builder, { ...shelf, productComment: comments });
  const asked: URLSearchParams[] = [];
  app.server.answer = (address) => {
    if (!address.startsWith(ADDRESS)) return null;
    const query = new URLSearchParams(address.split('?')[1]);
    asked.push(query);
    const isFirst = query.get('page[before]') === null;
    const body = {
      data: isFirst ? events : [event(90, { kind: 'project-created' })],
      meta: { page: { before: isFirst ? before : null } },
    };
    const headers = { 'Content-Type': JSON_API };
    return Promise.resolve(new Response(JSON.stringify(body), { headers }));
  };
  if (isOffline) await app.goOffline();
  const { surroundings, pass } = testSurroundings();
  const element = (
    <>
      <ActivityPage />
      <Address />
    </>
  );
  const routes = [
    { path: '/projects/:projectId/activity', element },
    { path: '*', element: <p>Another page</p> },
  ];
  const show = () =>
    render(
      <Around
        store={app}
        surroundings={surroundings}
        routes={routes}
        at={`/projects/${harvest.id}/activity${at}`}
      />,
    );
  const { unmount } = show();
  await app.settle();
  // Only once the products are shown are their comments asked for.
  await app.settle();
  /** Lets the address follow, which it does after the page is drawn. */
  const follow = async () => {
    act(() => {
      pass(0);
    });
    await app.settle();
  };
  return { ...app, asked, unmount, show, follow };
}

function Address() {
  return <output data-testid="address">{useLocation().search}</output>;
}

const lines = () =>
  within(screen.getByRole('list', { name: 'Activity' })).queryAllByRole('listitem');
const words = () => lines().map(({ textContent }) => textContent);
const address = () => screen.getByTestId('address').textContent;
const ONE = `?product=${harvestApp}`;
const field = () => screen.getByLabelText<HTMLTextAreaElement>(/^Comment on/);
const type = (text: string) => {
  fireEvent.change(field(), { target: { value: text, selectionStart: text.length } });
};

describe('the activity of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('says who did what to which product, with what changed and how it ended', async () => {
    await visit({
      events: [
        event(1, { kind: 'built', ...ofProduct, details: { version: '1.2', success: true } }),
        event(2, {
          kind: 'settings-changed',
          ...{ 'subject-type': 'projects', 'subject-id': harvest.id },
          before: { 'is-public': true },
          after: { 'is-public': false },
        }),
        event(3, { kind: 'published', 'actor-id': null, 'actor-name': null, ...ofProduct }),
        event(4, { kind: 'removed', 'subject-type': 'products', 'subject-name': 'Website' }),
        event(5, { kind: 'something-new' }),
      ],
    });
    const [built = '', settings = '', published = '', removed = '', unknown = ''] = words();
    expect(built).to.include('Felix Fellow started a build Android App').and.include('Version 1.2');
    expect(settings)
      .to.include('changed settings')
      .and.match(/Public → Private/);
    expect(published).to.include('Slipway started to publish a version');
    expect(removed).to.include('removed the product Website');
    expect(unknown).to.include('something-new');
  });

  it('is filtered by product and kinds, which the address keeps', async () => {
    const { asked, follow } = await visit({ events: [event(1, { kind: 'built', ...ofProduct })] });
    fireEvent.click(screen.getByLabelText('Builds'));
    fireEvent.click(screen.getByLabelText('Uploads'));
    await follow();
    expect(address()).to.equal('?kind=builds&kind=uploads');
    expect(asked.at(-1)?.get('filter[kind]')).to.equal('in:uploaded,built');
  });

  it('offers to clear filters that find nothing', async () => {
    const { follow } = await visit({ at: '?kind=uploads' });
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
    await follow();
    expect(address()).to.equal('');
  });

  it('brings what is below when it is wanted', async () => {
    const { settle } = await visit({
      events: [event(1, { kind: 'built', ...ofProduct })],
      before: `${AT}_x`,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Show more' }));
    await settle();
    expect(words().join()).to.include('created the project');
    expect(screen.queryByRole('button', { name: 'Show more' })).to.equal(null);
    expect(screen.getByText(/400 days/)).not.to.equal(null);
  });

  it('shows a new comment at once, with the present name of whom it mentions', async () => {
    const { recordedActions, settle } = await visit({ at: ONE });
    type('Well done, @fel');
    const offered = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(offered).to.deep.equal(['Felix Fellow']);
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(field().value).to.equal('Well done, @Felix Fellow ');
    fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
    await settle();
    expect(recordedActions.map(({ fields }) => fields.text)).to.deep.equal([
      `Well done, ${mentionOf(fellow)} `,
    ]);
    expect(words().some((line) => line.includes('Well done, @Felix Fellow'))).to.equal(true);
    expect(field().value).to.equal('');
  });

  it('puts a name where the caret is, wherever it was moved to', async () => {
    await visit({ at: ONE });
    type('Hello @fel');
    expect(screen.getAllByRole('option')).to.have.length(1);
    field().setSelectionRange(0, 0);
    fireEvent.select(field());
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(screen.queryAllByRole('option')).to.have.length(0);
    expect(field().value).to.equal('Hello @fel');

    type('@fel, look');
    field().setSelectionRange(4, 4);
    fireEvent.select(field());
    fireEvent.keyDown(field(), { key: 'Enter' });
    expect(field().value).to.equal('@Felix Fellow , look');
    expect(field().selectionStart).to.equal('@Felix Fellow '.length);
  });

  it('mentions nobody by the beginning of another name', async () => {
    const { recordedActions, settle } = await visit({ at: ONE });
    type('@fel');
    fireEvent.keyDown(field(), { key: 'Enter' });
    type('@Felix Fellowship is not @Felix Fellow');
    fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
    await settle();
    expect(recordedActions.map(({ fields }) => fields.text)).to.deep.equal([
      `@Felix Fellowship is not ${mentionOf(fellow)}`,
    ]);
  });

  it('sends a comment once, however often one clicks', async () => {
    const { recordedActions, settle } = await visit({ at: ONE });
    type('Once');
    const send = screen.getByRole('button', { name: 'Comment' });
    fireEvent.click(send);
    fireEvent.click(send);
    await settle();
    expect(recordedActions).to.have.length(1);
  });

  it('keeps the comments of others that the server tells, whatever of them is on the device', async () => {
    const told = event(3, { kind: 'commented', ...ofProduct, text: 'From afar' });
    await visit({ at: ONE, events: [told], comments: [comment(1, builder, 'Mine')] });
    expect(words().join()).to.include('From afar').and.include('Mine');
  });

  it('shows what only this device has on top of newer lines, and leads to the comment of its address', async () => {
    const old = { ...comment(1, builder, 'Still waits'), version: 0 };
    const sought = { ...theirs, dateCreated: '2026-01-01T10:00:00.000Z' };
    const events = [event(1, { kind: 'built', ...ofProduct, at: '2026-03-02T10:30:00.000Z' })];
    await visit({
      at: `${ONE}#comment-${theirs.id}`,
      events,
      before: `${AT}_x`,
      comments: [old, sought],
    });
    expect(words().join()).to.include('Still waits');
    expect(document.activeElement?.id).to.equal(`comment-${theirs.id}`);
  });

  it('does not say offline that nothing happened, or that this is everything', async () => {
    await visit({ isOffline: true, comments: [] });
    expect(screen.queryByText('Nothing happened yet')).to.equal(null);
    expect(screen.queryByText(/400 days/)).to.equal(null);
  });

  it('keeps what is typed over a reload, and refuses more people than a comment may mention', async () => {
    const { show, unmount, settle } = await visit({ at: ONE });
    type('Half a thou');
    unmount();
    show();
    await settle();
    expect(field().value).to.equal('Half a thou');
    type('x'.repeat(4_001));
    fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
    await settle();
    expect(screen.getByText(/at most 4,000 characters/)).not.to.equal(null);
  });

  it('has the comments of the device without a connection, which can be written', async () => {
    const { goOffline, settle, recordedActions, unmount, show } = await visit({ at: ONE });
    unmount();
    await goOffline();
    show();
    await settle();
    expect(screen.getByText(/The rest needs a connection/)).not.to.equal(null);
    expect(words().join()).to.include('Look, @');
    type('From the train');
    fireEvent.click(screen.getByRole('button', { name: 'Comment' }));
    await settle();
    expect(recordedActions).to.have.length(1);
    expect(words().join()).to.include('From the train');
  });

  it('lets people edit their own comments alone, and remove them with a way back', async () => {
    const comments = [theirs, comment(1, builder, 'Frist')];
    const { settle, recordedActions } = await visit({ at: ONE, comments });
    // The fellow's is not theirs to edit.
    expect(screen.getAllByRole('button', { name: 'Edit' })).to.have.length(1);
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    fireEvent.change(screen.getByLabelText('Edit comment'), { target: { value: 'First' } });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await settle();
    expect(recordedActions.map(({ did }) => did)).to.deep.equal(['edit']);
    expect(words().join()).to.include('First').and.not.include('Frist');

    // Whose project it is removes those of others too.
    expect(screen.getAllByRole('button', { name: 'Remove' })).to.have.length(2);
    fireEvent.click(screen.getAllByRole('button', { name: 'Remove' })[0] ?? document.body);
    await settle();
    expect(lines()).to.have.length(1);
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await settle();
    expect(lines()).to.have.length(2);
  });
});
