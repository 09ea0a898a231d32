import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { ChangeRow } from '#data/use-changes.ts';
import { ChangesPanel } from '#screens/changes/changes-panel.tsx';
import { speak } from '#ui/text.ts';
import { builder, harvest, shelf } from '../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../support/still-data.tsx';

const change = (id: string, state: ChangeRow['state'], more: Partial<ChangeRow> = {}) => ({
  id,
  says: ['changes.project.edit', { name: `Harvest ${id}` }] as const,
  madeAt: '2026-03-02T11:00:00.000Z',
  state,
  problem: null,
  about: { type: 'project', id: harvest.id } as const,
  ...more,
});

const refused = change('c1', 'refused', {
  says: ['changes.project.rename', { from: 'Harvest', to: 'Harvest Home' }],
  problem: {
    id: 'e1',
    status: '403',
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'Sent in English',
  },
});

function open(...rows: ChangeRow[]) {
  const waiting = rows.filter(({ state }) => state === 'waiting').length;
  const still = stillData(builder, shelf, { rows, waiting, attention: rows.length - waiting });
  let closed = 0;
  const routes = [
    { path: '/', element: <ChangesPanel onClose={() => (closed += 1)} /> },
    { path: '/projects/:projectId', element: <>The project</> },
  ];
  const { surroundings } = stillSurroundings();
  render(<Around still={still} surroundings={surroundings} routes={routes} at="/" />);
  return { still, closed: () => closed };
}
const line = (id: string) => {
  const found = screen.getAllByRole('listitem').find((item) => item.textContent.includes(id));
  if (found === undefined) throw new Error(`There is no line with ${id}`);
  return found;
};

describe('[3.5] the changes panel', () => {
  before(() => speak('en-US'));
  afterEach(cleanup);

  it('says that everything is saved when nothing is to be told', () => {
    open();
    expect(screen.queryByText('Everything is saved.')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Discard all' })).to.equal(null);
  });

  it('counts what needs the person, what waits and what is done apart', () => {
    open(refused, change('c2', 'waiting'), change('c3', 'waiting'), change('c4', 'done'));
    const heads = screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent);
    expect(heads).to.deep.equal(['Need you (1)', 'Waiting (2)', 'Done (1)']);
  });

  it('says what was refused and why, in the words of the reader', () => {
    open(refused);
    const text = line('Harvest Home').textContent;
    expect(text).to.include('Rename Harvest to Harvest Home');
    expect(text).to.include('refused');
    expect(text).not.to.include('Sent in English');
  });

  it('discards one change and leaves the others', () => {
    const { still } = open(refused, change('c2', 'waiting'));
    fireEvent.click(within(line('Harvest c2')).getByRole('button', { name: 'Discard' }));
    expect(still.discarded).to.deep.equal(['c2']);
  });

  it('discards all only after asking with the count, and never what is done', async () => {
    const { still } = open(refused, change('c2', 'waiting'), change('c3', 'done'));
    fireEvent.click(screen.getByRole('button', { name: 'Discard all' }));
    const asked = screen.getByRole('dialog', { name: 'Discard 2 changes?' });
    expect(still.discarded).to.deep.equal([]);
    expect(document.activeElement?.textContent).to.equal('Cancel');
    fireEvent.click(within(asked).getByRole('button', { name: 'Discard all' }));
    await waitFor(() => {
      expect(still.discarded).to.deep.equal(['c1', 'c2']);
    });
  });

  it('sends at once what waits', () => {
    const { still } = open(change('c2', 'waiting'));
    fireEvent.click(screen.getByRole('button', { name: 'Send now' }));
    expect(still.sentNow()).to.equal(1);
  });

  it('moves between the lines by the arrow keys', () => {
    open(refused, change('c2', 'waiting'));
    line('Harvest Home').focus();
    fireEvent.keyDown(line('Harvest Home'), { key: 'ArrowDown' });
    expect(document.activeElement).to.equal(line('Harvest c2'));
  });

  it('closes when the project of a change is opened', () => {
    const { closed } = open(refused);
    fireEvent.click(within(line('Harvest Home')).getByRole('link'));
    expect(closed()).to.equal(1);
  });
});
