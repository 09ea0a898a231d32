import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { editProject } from '#data/actions/projects.ts';
import { EditProject } from '#screens/projects/edit-project.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import type { AppOverStore } from '../../support/app-over-store.ts';
import { builder, fellow, harvest, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';

const invalidName = {
  id: 'e1',
  status: '422',
  code: 'invalid' as const,
  title: 'Not valid',
  source: { pointer: '/data/attributes/name' },
  meta: { rule: 'too-long', limit: 250 },
};

type Fields = Parameters<typeof editProject>[2];

/** The builder typed `fields`, and the server refused them for the name. */
const refused =
  (fields: Fields) =>
  async ({ data, server, settle }: AppOverStore) => {
    server.refuse = () => [invalidName];
    await editProject(data, harvest, fields);
    await settle();
    server.refuse = () => null;
  };

/** The builder typed `mine` offline, while the fellow wrote `theirs`. */
const inConflict =
  (mine: Fields, theirs: Fields) =>
  async ({ data, server, goOffline, goOnline }: AppOverStore) => {
    await goOffline();
    await editProject(data, harvest, mine);
    server.by = { type: 'users', id: fellow, name: 'Felix Fellow' };
    server.put('project', { id: harvest.id, ...theirs });
    await goOnline();
  };

async function visit(prepare: (app: AppOverStore) => Promise<void> = () => Promise.resolve()) {
  const app = await openStore(builder, shelf);
  await prepare(app);
  const around = testSurroundings();
  const routes = [
    { path: '/projects/:projectId', element: <>The project</> },
    { path: '/projects/:projectId/edit', element: <EditProject /> },
  ];
  const page = (
    <Around
      store={app}
      surroundings={around.surroundings}
      routes={routes}
      at={`/projects/${harvest.id}/edit`}
    />
  );
  render(page);
  return { app, page };
}
const statesOf = ({ data }: AppOverStore) => data.changes.view().rows.map(({ state }) => state);
const onServer = ({ server }: AppOverStore) => server.get('project', harvest.id)?.attributes;
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
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('[fault 24] begins again with what was refused, the message at its field', async () => {
    await visit(refused({ name: 'Harvest of songs', description: 'New words' }));
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
    const { app } = await visit(refused({ name: 'Harvest of songs' }));
    expect(statesOf(app)).to.deep.equal(['refused']);
    type(/^Name/, 'Songs');
    fireEvent.click(save());
    await screen.findByText('The project');
    await app.settle();
    expect(statesOf(app)).to.deep.equal(['done']);
    expect(onServer(app)).to.include({ name: 'Songs' });
  });

  it('keeps what was typed when the device cannot keep it, and what was refused before', async () => {
    const { app } = await visit(refused({ name: 'Harvest of songs' }));
    type(/^Name/, 'Songs');
    app.storage.fail({ at: 'put', name: 'QuotaExceededError', times: 1 });
    fireEvent.click(save());
    await screen.findByText('Not yet saved');
    expect(screen.queryByText(/no space left on this device/)).not.to.equal(null);
    expect(field(/^Name/).value).to.equal('Songs');
    expect(statesOf(app)).to.deep.equal(['refused']);
    expect(app.data.changes.view().rows[0]?.typed).to.deep.equal({ name: 'Harvest of songs' });

    fireEvent.click(screen.getByRole('button', { name: 'Make room and try again' }));
    await screen.findByText('The project');
    await app.settle();
    expect(statesOf(app)).to.deep.equal(['done']);
    expect(onServer(app)).to.include({ name: 'Songs' });
  });

  it('[1.4] says that someone else changed a field meanwhile, and to what', async () => {
    await visit(inConflict({ name: 'Harvest Home' }, { name: 'Hymns' }));
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(screen.queryByText('Changed by Felix Fellow to “Hymns”')).not.to.equal(null);
  });

  it('[1.4] cuts a long text that someone else wrote meanwhile, and shows it whole on demand', async () => {
    const theirs = `${'Long words '.repeat(600)}end`;
    await visit(inConflict({ description: 'Mine' }, { description: theirs }));
    const note = () => document.querySelector('.field-note')?.textContent ?? '';
    expect(note())
      .to.match(/^Changed by Felix Fellow to “Long words .*…”/)
      .and.have.length.below(300);
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(note()).to.contain(theirs);
  });

  it('[1.4] lets fields follow that nobody typed into, and keeps what was typed', async () => {
    const { app } = await visit();
    type(/^Name/, 'Harvest Home');
    await app.setRecord('project', harvest.id, { name: 'Hymns', description: 'Other words' });
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(screen.queryByText('Changed meanwhile to “Hymns”')).not.to.equal(null);
    expect(field(/^Description/).value).to.equal('Other words');
  });

  it('[fault 40] has what was typed after a reload', async () => {
    const { page } = await visit();
    type(/^Name/, 'Harvest Home');
    cleanup();
    render(page);
    expect(field(/^Name/).value).to.equal('Harvest Home');
    expect(save().disabled).to.equal(false);
  });

  it('is saved once', async () => {
    const { app } = await visit();
    type(/^Name/, 'Harvest Home');
    fireEvent.click(save());
    fireEvent.click(save());
    await waitFor(() => {
      expect(screen.queryByText('The project')).not.to.equal(null);
    });
    expect(app.recordedActions).to.have.length(1);
  });

  it('begins with what the project says, and cannot be saved before something is changed', async () => {
    await visit();
    expect(field(/^Name/).value).to.equal('Harvest');
    expect(field(/^Language/).value).to.equal('es-419');
    expect(field(/^Description/).value).to.equal('Songs of the field.');
    expect(save().disabled).to.equal(true);
    expect(document.getElementById('why-not')?.textContent).to.equal('Nothing has changed yet.');
  });

  it('cannot be saved without a name or a language [R267]', async () => {
    await visit();
    type(/^Name/, '  ');
    expect(save().disabled).to.equal(true);
    type(/^Name/, 'Hymns');
    expect(save().disabled).to.equal(false);
    type(/^Language/, '');
    expect(save().disabled).to.equal(true);
  });

  it('saves name, language and description, trimmed, and goes to the project', async () => {
    const { app } = await visit();
    type(/^Name/, ' Hymns ');
    type(/^Language/, 'fr');
    type(/^Description/, '');
    fireEvent.click(save());
    await screen.findByText('The project');
    expect(app.recordedActions.map(({ id, fields }) => [id, fields])).to.deep.equal([
      [harvest.id, { name: 'Hymns', language: 'fr', description: null }],
    ]);
  });

  it('goes to the project when it is given up', async () => {
    const { app } = await visit();
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByText('The project');
    expect(app.recordedActions).to.deep.equal([]);
  });
});
