import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import type { ChangeRow } from '../../../src/data/model/views.ts';
import { ChangesPanel } from '#screens/changes/changes-panel.tsx';
import type { ChangesPanelTarget } from '#screens/app/page/changes/changes-context.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { aGivenCommand, changeRow } from '../../support/change-row.ts';
import { builder, fellow, harvest, harvestApp, record, shelf, south } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';

const refused = changeRow('c1', 'refused', {
  says: ['changes.project.rename', { from: 'Harvest', to: 'Harvest Home' }],
  problem: {
    id: 'e1',
    status: '403',
    code: 'forbidden',
    title: 'Forbidden',
    detail: 'Sent in English',
  },
  typed: { name: 'Harvest Home' },
});
const given = aGivenCommand('refused');
const conflict = changeRow('c5', 'conflict', {
  conflict: [{ field: 'name', was: 'Harvest', mine: 'Harvest Home', theirs: 'Harvest Hymns' }],
  other: { by: 'Felix Fellow', at: '2026-03-02T11:30:00.000Z' },
  typed: { name: 'Harvest Home', group: south },
});

function openOver(over: typeof shelf, at: ChangesPanelTarget | null, ...rows: ChangeRow[]) {
  const waiting = rows.filter(({ state }) => state === 'waiting').length;
  const still = stillData(builder, over, { rows, waiting, attention: rows.length - waiting });
  let closed = 0;
  const routes = [
    { path: '/', element: <ChangesPanel at={at} onClose={() => (closed += 1)} /> },
    { path: '/projects/:projectId', element: <>The project</> },
    { path: '/projects/:projectId/edit', element: <>The form</> },
  ];
  const { surroundings } = testSurroundings();
  render(<Around store={still} surroundings={surroundings} routes={routes} at="/" />);
  return { still, closed: () => closed };
}
const openAt = (at: ChangesPanelTarget | null, ...rows: ChangeRow[]) =>
  openOver(shelf, at, ...rows);
const open = (...rows: ChangeRow[]) => openAt(null, ...rows);
const line = (id: string) => {
  const found = screen.getAllByRole('listitem').find((item) => item.textContent.includes(id));
  if (found === undefined) throw new Error(`There is no line with ${id}`);
  return found;
};
const press = (name: string, inside: HTMLElement = document.body) => {
  fireEvent.click(within(inside).getByRole('button', { name }));
};
const buttonsOf = (of: HTMLElement) =>
  within(of)
    .queryAllByRole('button')
    .map((button) => button.textContent);

describe('[3.5] the changes panel', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('says that everything is saved when nothing is to be told', () => {
    open();
    expect(screen.queryByText('Everything is saved.')).not.to.equal(null);
    expect(screen.queryByRole('button', { name: 'Discard all' })).to.equal(null);
  });

  it('counts what needs the person, what waits and what is done apart', () => {
    open(refused, changeRow('c2', 'waiting'), changeRow('c3', 'waiting'), changeRow('c4', 'done'));
    const heads = screen.getAllByRole('heading', { level: 3 }).map((head) => head.textContent);
    expect(heads).to.deep.equal(['Need you (1)', 'Waiting (2)', 'Done (1)']);
  });

  it('says what was refused and why, in the words of the reader, with what was typed', () => {
    open(refused);
    const text = line('Harvest Home').textContent;
    expect(text).to.include('Rename Harvest to Harvest Home');
    expect(text).to.include('refused');
    expect(text).to.include('You are not allowed to do that');
    expect(text).to.include('NameHarvest Home');
    expect(text).not.to.include('Sent in English');
  });

  it('shows what was given with a refused command in words, and no ids', async () => {
    await speak('es-419');
    open({ ...given, id: 'c1' });
    const typed = document.querySelector<HTMLDetailsElement>('.typed');
    expect(typed?.open).to.equal(true);
    const facts = [...(typed?.querySelectorAll('.fact-pair') ?? [])];
    expect(facts.map((fact) => fact.textContent)).to.deep.equal([
      'AcciónAprobar',
      'ComentarioGood',
      'PasoAprobación',
    ]);
    await speak('en-US');
  });

  it('leads from what was refused to the form where it can be mended', () => {
    const { closed } = open(refused);
    fireEvent.click(within(line('Harvest Home')).getByRole('link', { name: 'Edit' }));
    expect(screen.queryByText('The form')).not.to.equal(null);
    expect(closed()).to.equal(1);
  });

  it('discards one change, leaves the others, and puts it back on Undo', async () => {
    const { still } = open(refused, changeRow('c2', 'waiting'));
    press('Discard', line('Harvest Home'));
    const undo = await screen.findByRole('button', { name: 'Undo' });
    expect(still.asked).to.deep.equal(['discard c1']);
    fireEvent.click(undo);
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['discard c1', 'putBack c1']);
    });
  });

  it('says what else would go before a change goes', async () => {
    const { still } = open(
      { ...refused, dependants: ['c2', 'c3'] },
      changeRow('c2', 'held'),
      changeRow('c3', 'held'),
    );
    press('Discard', line('Harvest Home'));
    const asked = screen.getByRole('dialog', { name: 'Discard this change?' });
    expect(asked.textContent).to.include('2 changes that depend on it go with it');
    expect(asked.textContent).to.include('Edit Harvest c3');
    expect(still.asked).to.deep.equal([]);
    press('Discard', asked);
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['discard c1']);
    });
  });

  it('undoes only what can be undone', async () => {
    const { still } = open(
      changeRow('c2', 'waiting', { canUndo: true }),
      changeRow('c3', 'done', { canUndo: true }),
      changeRow('c4', 'done', { isRequest: true }),
    );
    expect(buttonsOf(line('Harvest c4'))).to.deep.equal([]);
    press('Undo', line('Harvest c3'));
    press('Undo', line('Harvest c2'));
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['undo c3', 'undo c2']);
    });
  });

  const createdApp = changeRow('c6', 'done', {
    says: ['changes.product.add', { product: 'Android App c6', project: 'Harvest' }],
    about: { type: 'product', id: harvestApp },
    created: { type: 'product', id: harvestApp },
    canUndo: true,
  });

  it('offers no undo of a product once it was built, and says what came of it [screens 1.6] [R112]', () => {
    open(createdApp);
    expect(buttonsOf(line('c6'))).to.deep.equal(['Undo']);
    cleanup();
    const built = record('productBuild', { id: 'b1', product: harvestApp });
    const more = { ...shelf, productBuild: [built] };
    openOver(more, null, createdApp);
    expect(buttonsOf(line('c6'))).to.deep.equal([]);
    expect(line('c6').textContent).to.include('Built on it since: 1 build.');
  });

  it('archives a created project that has a product by now, instead of undoing it [screens 1.6] [R10]', async () => {
    const created = { type: 'project', id: harvest.id } as const;
    const { still } = open(changeRow('c7', 'done', { created, canUndo: true }));
    expect(buttonsOf(line('c7'))).to.deep.equal(['Archive it instead']);
    expect(line('c7').textContent).to.include('Built on it since: 1 product.');
    press('Archive it instead', line('c7'));
    await waitFor(() => {
      expect(still.deeds.map(({ id }) => id)).to.deep.equal([harvest.id]);
    });
    expect(still.deeds[0]?.fields).to.have.all.keys('dateArchived');
  });

  const inUse = (by: Readonly<Record<string, number>>) =>
    ({ id: 'e2', status: '409', code: 'in-use', title: 'In use', meta: { by } }) as const;
  const refusedUndo = changeRow('c8', 'refused', {
    says: ['changes.undone', { what: 'changes.product.add', product: 'c8', project: 'Harvest' }],
    about: { type: 'product', id: harvestApp },
    problem: inUse({ 'product-builds': 2, 'product-publications': 1 }),
  });

  it('asks before the undo of a switch takes away what was published [screens 1.6] [R116]', async () => {
    const datePublished = '2026-03-01T12:00:00.000Z';
    const product = (shelf.product ?? []).map((one) => ({ ...one, datePublished }));
    const switched = (which: 'isPublic' | 'allowDownloads', isOn: boolean) =>
      changeRow(`${which} ${String(isOn)}`, 'done', {
        says: [`changes.project.${which}`, { name: `${which} ${String(isOn)}` }],
        typed: { [which]: isOn },
        canUndo: true,
      });
    const { still } = openOver(
      { ...shelf, product },
      null,
      switched('isPublic', true),
      switched('allowDownloads', true),
      switched('isPublic', false),
    );
    press('Undo', line('isPublic false'));
    press('Undo', line('isPublic true'));
    const question = screen.getByRole('dialog', { name: 'Make the project private?' });
    expect(question.textContent).to.include(`/downloads/apk/${harvestApp}/published`);
    expect(still.asked).to.deep.equal(['undo isPublic false']);
    press('Cancel', question);
    press('Undo', line('allowDownloads true'));
    press('Stop downloads', screen.getByRole('dialog', { name: 'Stop downloads?' }));
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['undo isPublic false', 'undo allowDownloads true']);
    });
  });

  it('switches off without a question what takes nothing away', () => {
    const { still } = open(changeRow('c9', 'done', { typed: { isPublic: true }, canUndo: true }));
    press('Undo', line('c9'));
    expect(still.asked).to.deep.equal(['undo c9']);
  });

  it('offers to remove a product, with the question of its menu, when the server refuses the undo [sync 8] [R112]', async () => {
    const { still } = open(refusedUndo);
    expect(buttonsOf(line('c8'))).to.deep.equal(['Remove', 'Discard', 'Export']);
    press('Remove', line('c8'));
    const question = screen.getByRole('dialog', { name: /^Remove .*\?$/ });
    expect(still.deeds).to.deep.equal([]);
    press('Remove', question);
    await waitFor(() => {
      expect(still.deeds.map(({ did, id }) => [did, id])).to.deep.equal([['remove', harvestApp]]);
    });
  });

  it('offers to archive a project when the server refuses the undo of its creation [sync 8]', async () => {
    const { still } = open(
      changeRow('c8', 'refused', {
        says: ['changes.undone', { what: 'changes.project.create', name: 'c8' }],
        problem: inUse({ products: 1 }),
      }),
    );
    expect(buttonsOf(line('c8'))).to.deep.equal(['Archive it instead', 'Discard', 'Export']);
    press('Archive it instead', line('c8'));
    await waitFor(() => {
      expect(still.deeds.map(({ id }) => id)).to.deep.equal([harvest.id]);
    });
  });

  it('says what was built meanwhile when the server refuses an undo [wire 8.1]', () => {
    open(refusedUndo);
    expect(line('c8').textContent).to.include('Built on it since: 2 builds, 1 publication.');
  });

  it('shows was, mine and theirs of a conflict with who and when, and the rest of the change', () => {
    open(conflict);
    const versions = [...line('c5').querySelectorAll('.version')].map(
      (version) => version.textContent,
    );
    expect(versions[0]).to.match(/^WasHarvest$/);
    expect(versions[1]).to.match(/^MineYou · 1 hour.*Harvest Home$/);
    expect(versions[2]).to.match(/^TheirsFelix Fellow · 30 minutes.*Harvest Hymns$/);
    expect(line('c5').textContent).to.include('GroupLakeside South');
  });

  it('settles a conflict either way', async () => {
    const { still } = open(conflict);
    press('Keep mine', line('c5'));
    press('Take theirs', line('c5'));
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['keepMine c5', 'takeTheirs c5']);
    });
  });

  it('marks what differs in long texts', () => {
    const was = `${'A song of the field. '.repeat(5)}The end.`;
    open(
      changeRow('c5', 'conflict', {
        conflict: [
          {
            field: 'description',
            was,
            mine: was.replace('The end.', 'The very end.'),
            theirs: was.replace('The end.', 'The beginning.'),
          },
        ],
      }),
    );
    const marked = (kind: string, tag: string) =>
      [...line('c5').querySelectorAll(`.version-${kind} ${tag}`)].map((part) => part.textContent);
    expect(marked('mine', 'ins').join('').trim()).to.equal('very');
    expect(marked('theirs', 'ins')).to.deep.equal(['beginning']);
    expect(marked('theirs', 'del')).to.deep.equal(['end']);
  });

  it('names people, groups, switches and dates as pages do', () => {
    open({
      ...refused,
      typed: { owner: fellow, isPublic: false, allowDownloads: true, language: 'fr-FR' },
    });
    const text = line('Harvest Home').textContent;
    for (const words of ['OwnerFelix Fellow', 'VisibilityPrivate', 'organizationsOn', 'French'])
      expect(text).to.include(words);
  });

  it('leads from a change that is held to the one it waits for', () => {
    open(refused, changeRow('c2', 'held', { heldBy: 'c1' }));
    press('Rename Harvest to Harvest Home', line('Harvest c2'));
    expect(document.activeElement).to.equal(line('You are not allowed'));
  });

  it('asks whether a request that waited long is still to be sent, with what has changed', async () => {
    const { still } = open(
      changeRow('c6', 'confirm', {
        isRequest: true,
        basis: [{ field: 'owner', then: builder, now: fellow }],
      }),
    );
    const text = line('c6').textContent;
    expect(text).to.include('ThenBerta Builder');
    expect(text).to.include('NowFelix Fellow');
    press('Send', line('c6'));
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['confirm c6']);
    });
  });

  it('[fault 25] groups what was changed below something that others deleted', async () => {
    const lostParent = { type: 'project', id: harvest.id, by: 'Felix Fellow' } as const;
    const { still } = open(
      changeRow('c7', 'refused', { lostParent }),
      changeRow('c8', 'refused', { lostParent }),
      refused,
    );
    expect(screen.queryByText('The project was deleted by Felix Fellow')).not.to.equal(null);
    expect(buttonsOf(line('Harvest c7'))).to.deep.equal(['Discard', 'Export']);
    const [group] = document.querySelectorAll<HTMLElement>('.lost-head');
    press('Discard all', group);
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['discard c7', 'discard c8']);
    });
    expect(screen.queryByText('2 changes discarded')).not.to.equal(null);
  });

  it('discards all only after asking with the count, and never what is done', async () => {
    const { still } = open(refused, changeRow('c2', 'waiting'), changeRow('c3', 'done'));
    press('Discard all');
    const asked = screen.getByRole('dialog', { name: 'Discard 2 changes?' });
    expect(still.asked).to.deep.equal([]);
    expect(document.activeElement?.textContent).to.equal('Cancel');
    press('Discard all', asked);
    await waitFor(() => {
      expect(still.asked).to.deep.equal(['discard c1', 'discard c2']);
    });
  });

  it('sends at once what waits', () => {
    const { still } = open(changeRow('c2', 'waiting'));
    press('Send now');
    expect(still.asked).to.deep.equal(['sendNow']);
  });

  it('begins at the change it was opened for', () => {
    openAt({ change: 'c3' }, refused, changeRow('c2', 'waiting'), changeRow('c3', 'waiting'));
    expect(document.activeElement).to.equal(line('Harvest c3'));
  });

  it('moves between the lines by the arrow keys, and opens one by Enter', () => {
    open(refused, changeRow('c2', 'waiting'));
    expect(document.activeElement).to.equal(line('Harvest Home'));
    fireEvent.keyDown(line('Harvest Home'), { key: 'ArrowDown' });
    expect(document.activeElement).to.equal(line('Harvest c2'));
    fireEvent.keyDown(line('Harvest c2'), { key: 'Enter' });
    expect(screen.queryByText('The project')).not.to.equal(null);
  });

  it('closes when the project of a change is opened', () => {
    const { closed } = open(refused);
    fireEvent.click(within(line('Harvest Home')).getByRole('link', { name: /^Rename/ }));
    expect(closed()).to.equal(1);
  });

  it('holds in the page only what is near of ten thousand changes', () => {
    const many = Array.from({ length: 10_000 }, (_, i) => changeRow(`n${i}`, 'waiting'));
    openAt({ change: 'n9000' }, ...many);
    expect(screen.queryByText('Waiting (10000)')).not.to.equal(null);
    const drawn = screen.getAllByRole('listitem');
    expect(drawn.length).to.be.lessThan(150);
    expect(document.activeElement).to.equal(line('Harvest n9000'));
    expect(line('Harvest n9000').getAttribute('aria-posinset')).to.equal('9001');
  });
});

describe('[3.5] the details for support', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  async function details(insight: Parameters<ReturnType<typeof open>['still']['setInsight']>[0]) {
    const { still } = open(changeRow('c2', 'waiting'));
    still.setInsight(insight);
    press('Details for support');
    await screen.findByText('Connection');
    return still;
  }

  it('tell how the device stands', async () => {
    await details({
      errors: [{ at: '2026-03-02T11:00:00.000Z', what: 'A message did not fit', why: 'no type' }],
    });
    const text = screen.getByRole('dialog').textContent;
    for (const fact of [
      'connected, WebSockets',
      'this tab',
      '00000000000000000042',
      '2.5 MB of 1 GB',
      'project8',
      'waiting1',
      'A message did not fit',
    ])
      expect(text).to.include(fact);
  });

  it('fetch everything afresh when asked to, and lead back to the changes', async () => {
    const still = await details({});
    press('Resync');
    expect(still.asked).to.deep.equal(['resync']);
    expect(screen.queryByText('Everything is being fetched afresh')).not.to.equal(null);
    press('Back to the changes');
    expect(line('Harvest c2')).not.to.equal(null);
  });
});
