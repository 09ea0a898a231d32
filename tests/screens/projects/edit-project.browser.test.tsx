import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { EditProject } from '#screens/projects/edit-project.tsx';
import { NotSavedError } from '#data/model/change.ts';
import { NotStoredError } from '#data/model/not-stored-error.ts';
import type { ChangeRow } from '../../../src/data/model/views.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { changeRow } from '../../support/change-row.ts';
import { builder, harvest, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import { stillData } from '../../support/still-data.tsx';

const invalidName = {
  id: 'e1',
  status: '422',
  code: 'invalid',
  title: 'Not valid',
  source: { pointer: '/data/attributes/name' },
  meta: { rule: 'too-long', limit: 250 },
};

function visit(...rows: ChangeRow[]) {
  const still = stillData(builder, shelf, { rows, attention: rows.length });
  const around = testSurroundings();
  const routes = [
    { path: '/projects/:projectId', element: <>The project</> },
    { path: '/projects/:projectId/edit', element: <EditProject /> },
  ];
  const page = (
    <Around
      store={still}
      surroundings={around.surroundings}
      routes={routes}
      at={`/projects/${harvest.id}/edit`}
    />
  );
  render(page);
  return { still, page };
}
const field = (label: RegExp) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: RegExp, value: string) => {
  fireEvent.change(field(label), { target: { value } });
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('[7.3] editing a project [R95]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(cleanup);

  it('[fault 24] begins again with what was refused, the message at its field', () => {
    visit(
      changeRow('c1', 'refused', {
        problem: invalidName,
        typed: { name: 'Harvest of songs', description: 'New words' },
      }),
    );
    expect(field(/^Name/).value).to.equal('Harvest of songs');
    expect(field(/^Description/).value).to.equal('New words');
    const message = document.getElementById(
      field(/^Name/).getAttribute('aria-describedby')?.split(' ').at(-1) ?? '',
    );
    expect(message?.textContent).to.equal('Name is longer than 250 characters');
    type(/^Name/, 'Songs');
    expect(document.querySelector('.field-error')).to.equal(null);
  });

  it('[fault 24] takes the refused change away when what mends it is saved', async () => {
    const { still } = visit(
      changeRow('c1', 'refused', { problem: invalidName, typed: { name: 'Harvest of songs' } }),
    );
    type(/^Name/, 'Songs');
    fireEvent.click(save());
    await screen.findByText('The project');
    expect(still.asked).to.deep.equal(['discard c1']);
    expect(still.deeds[0]?.fields).to.include({ name: 'Songs' });
  });

  it('keeps what was typed when the device cannot keep it, and what was refused before', async () => {
    const { still } = visit(
      changeRow('c1', 'refused', { problem: invalidName, typed: { name: 'Harvest of songs' } }),
    );
    type(/^Name/, 'Songs');
    still.failWith(new NotSavedError(new NotStoredError('full', null)));
    fireEvent.click(save());
    await screen.findByText('Not yet saved');
    expect(screen.queryByText(/no space left on this device/)).not.to.equal(null);
    expect(field(/^Name/).value).to.equal('Songs');
    expect(still.asked).to.deep.equal(['discard c1', 'putBack c1']);

    still.failWith(null);
    fireEvent.click(screen.getByRole('button', { name: 'Make room and try again' }));
    await screen.findByText('The project');
    expect(still.asked).to.include('makeRoom');
  });

  it('[1.4] says that someone else changed a field meanwhile, and to what', () => {
    visit(
      changeRow('c1', 'conflict', {
        typed: { name: 'Harvest Home' },
        conflict: [{ field: 'name', was: 'Harvest hope', mine: 'Harvest Home', theirs: 'Harvest' }],
        other: { by: 'Felix Fellow', at: null },
      }),
    );
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(screen.queryByText('Changed by Felix Fellow to “Harvest”')).not.to.equal(null);
  });

  it('[1.4] cuts a long text that someone else wrote meanwhile, and shows it whole on demand', () => {
    const theirs = `${'Long words '.repeat(600)}end`;
    visit(
      changeRow('c1', 'conflict', {
        typed: { description: 'Mine' },
        conflict: [{ field: 'description', was: null, mine: 'Mine', theirs }],
        other: { by: 'Felix Fellow', at: null },
      }),
    );
    const note = () => document.querySelector('.field-note')?.textContent ?? '';
    expect(note())
      .to.match(/^Changed by Felix Fellow to “Long words .*…”/)
      .and.have.length.below(300);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(note()).to.contain(theirs);
  });

  it('[1.4] lets fields follow that nobody typed into, and keeps what was typed', () => {
    const { still } = visit();
    type(/^Name/, 'Harvest Home');
    act(() => {
      still.setRecord('project', harvest.id, { name: 'Hymns', description: 'Other words' });
    });
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(screen.queryByText('Changed meanwhile to “Hymns”')).not.to.equal(null);
    expect(field(/^Description/).value).to.equal('Other words');
  });

  it('[fault 40] has what was typed after a reload', () => {
    const { page } = visit();
    type(/^Name/, 'Harvest Home');
    cleanup();
    render(page);
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(save().disabled).to.equal(false);
  });

  it('is saved once', async () => {
    const { still } = visit();
    type(/^Name/, 'Harvest Home');
    fireEvent.click(save());
    fireEvent.click(save());
    await waitFor(() => {
      expect(screen.queryByText('The project')).not.to.equal(null);
    });
    expect(still.deeds).to.have.length(1);
  });

  it('begins with what the project says, and cannot be saved before something is changed', () => {
    visit();
    expect(field(/^Name/).value).to.equal('Harvest');
    expect(field(/^Language/).value).to.equal('es-419');
    expect(field(/^Description/).value).to.equal('Songs of the field.');
    expect(save().disabled).to.equal(true);
    expect(document.getElementById('why-not')?.textContent).to.equal('Nothing has changed yet.');
  });

  it('cannot be saved without a name or a language [R267]', () => {
    visit();
    type(/^Name/, '  ');
    expect(save().disabled).to.equal(true);
    type(/^Name/, 'Hymns');
    expect(save().disabled).to.equal(false);
    type(/^Language/, '');
    expect(save().disabled).to.equal(true);
  });

  it('saves name, language and description, trimmed, and goes to the project', async () => {
    const { still } = visit();
    type(/^Name/, ' Hymns ');
    type(/^Language/, 'fr');
    type(/^Description/, '');
    fireEvent.click(save());
    await screen.findByText('The project');
    expect(still.deeds.map(({ id, fields }) => [id, fields])).to.deep.equal([
      [harvest.id, { name: 'Hymns', language: 'fr', description: null }],
    ]);
  });

  it('goes to the project when it is given up', async () => {
    const { still } = visit();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('The project');
    expect(still.deeds).to.deep.equal([]);
  });
});
