import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { ImportProjects } from '#screens/projects/import/import-page.tsx';
import { chooseOrganization } from '#session/organization.ts';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, harvest, idOf, lakeside, record, shelf, south } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const file = (content: unknown, name = 'projects.json') =>
  new File([typeof content === 'string' ? content : JSON.stringify(content)], name);
const named = (...names: string[]) => names.map((Name) => ({ Name, Language: 'en' }));

describe('[7.2] importing projects', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
    sessionStorage.clear();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  const visit = async (held: Shelf = shelf) => {
    const app = await openStore(builder, held);
    const { surroundings } = testSurroundings();
    const routes = [{ path: '/projects/import', element: <ImportProjects /> }];
    const { container } = render(
      <Around store={app} surroundings={surroundings} routes={routes} at="/projects/import" />,
    );
    const choose = (chosen: File) => {
      const input = container.querySelector('input[type="file"]');
      if (input === null) throw new Error('There is no field for a file');
      fireEvent.change(input, { target: { files: [chosen] } });
    };
    return { ...app, choose };
  };
  const button = () =>
    screen.getByRole<HTMLButtonElement>('button', { name: /^Import (\d|projects)/ });

  it('shows what a file will make and what is there already, and asks for it [R93]', async () => {
    const { choose, recordedActions } = await visit();
    expect(button().disabled).to.equal(true);
    const content = { Projects: named('Lake', harvest.name.toUpperCase()) };
    choose(file(content));
    await screen.findByText('1 project will be created. 1 already exists and is skipped.');
    expect(screen.getByRole('cell', { name: /Lake/ })).not.to.equal(null);
    fireEvent.click(button());
    await screen.findByText(/^Import started/);
    expect(recordedActions).to.have.length(1);
    expect(recordedActions[0]).to.deep.include({ did: 'add', type: 'projectImport' });
    expect(recordedActions[0]?.fields).to.deep.include({
      importData: JSON.stringify(content),
      organization: lakeside,
    });
  });

  it('says that it has begun, and leads to where one sees it run [screens 7.2] [R94]', async () => {
    const { choose } = await visit();
    choose(file({ Projects: named('Lake') }));
    await screen.findByText('1 project will be created.');
    fireEvent.click(button());
    await screen.findByText(/^Import started/);
    const heading = screen.getByRole('heading', { name: 'Earlier imports' });
    expect(document.activeElement).to.equal(heading);
    const table = screen.getByRole('table', { name: 'Earlier imports' });
    expect(within(table).getAllByRole('row')).to.have.length(2);
    expect(screen.queryByRole('region', { name: 'What the file will do' })).to.equal(null);
    expect(screen.queryByText('Choose a file first')).not.to.equal(null);
  });

  it('takes JSON files alone, and needs one [R268, R427]', async () => {
    await visit();
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    expect(input?.accept).to.equal('.json,application/json');
    expect(button().disabled).to.equal(true);
    expect(screen.queryByText('Choose a file first')).not.to.equal(null);
  });

  it('says in a tab of its own what such a file holds [R93]', async () => {
    const config = {
      auth: { issuer: 'https://id.test', clientId: 'slipway' },
      links: { importHelp: 'https://help.test/import' },
    };
    localStorage.setItem('slipway.config', JSON.stringify(config));
    try {
      await visit();
      const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'What the file holds' });
      expect([link.href, link.target]).to.deep.equal(['https://help.test/import', '_blank']);
    } finally {
      localStorage.removeItem('slipway.config');
    }
  });

  it('needs a group [R268]', async () => {
    const { choose } = await visit({ ...shelf, groupMembership: [] });
    choose(file({ Projects: named('Lake') }));
    await screen.findByText('1 project will be created.');
    expect(button().disabled).to.equal(true);
    expect(document.getElementById('why-not')?.textContent).to.equal('No available groups');
  });

  it('is for the group and the type that are chosen [R93, R268]', async () => {
    const { choose, recordedActions } = await visit();
    fireEvent.change(screen.getByLabelText(/^Group/), { target: { value: south } });
    choose(file({ Projects: named('Lake') }));
    await screen.findByText('1 project will be created.');
    fireEvent.click(button());
    await screen.findByText(/^Import started/);
    expect(recordedActions[0]?.fields).to.deep.include({
      group: south,
      type: shelf.applicationType?.[0]?.id,
    });
  });

  it('names the products that each project will get [R93]', async () => {
    const definition = shelf.productDefinition?.[0]?.id ?? '';
    const { choose } = await visit({
      ...shelf,
      organizationProductDefinition: [
        record('organizationProductDefinition', {
          id: idOf(1000),
          organization: lakeside,
          productDefinition: definition,
        }),
      ],
    });
    choose(file({ Projects: named('Lake'), Products: [{ Name: 'Android App to Google Play' }] }));
    const preview = await screen.findByRole('region', { name: 'What the file will do' });
    expect(preview.textContent).to.contain('Android App to Google Play');
  });

  it('says every mistake with its place, and imports nothing of such a file [R268]', async () => {
    const { choose } = await visit();
    choose(file({ Projects: [...named('Lake', 'lake'), { Name: 'Hill', Colour: 'red' }] }));
    const mistakes = await screen.findByText(/The file has 2 mistakes/);
    const text = mistakes.closest('.box-body')?.textContent ?? '';
    expect(text).to.contain('Projects 3 Language');
    expect(text).to.contain('This name is in the file twice');
    expect(screen.getByText(/These keys are not recognized/).textContent).to.contain(
      'Projects 3 Colour',
    );
    expect([button().textContent, button().disabled]).to.deep.equal(['Import projects', true]);
    expect(document.getElementById('why-not')?.textContent).to.equal('The file has mistakes');
  });

  it('says in which line and column a file stops being JSON [screens 7.2] [R268]', async () => {
    const { choose } = await visit();
    choose(file('{\n  "Projects": [,]\n}'));
    await screen.findByText(/The file has 1 mistake/);
    expect(screen.queryByText('This is not JSON (line 2, column 16).')).not.to.equal(null);
  });

  it('takes another file in place of one that is no list of projects [R268]', async () => {
    const { choose } = await visit();
    choose(file('not JSON'));
    await screen.findByText(/The file has 1 mistake/);
    choose(file({ Projects: named('Lake') }));
    await waitFor(() => {
      expect(button().disabled).to.equal(false);
    });
    expect(screen.queryByText(/mistake/)).to.equal(null);
  });

  it('shows only the rows of the file that was chosen last [R93]', async () => {
    const { choose } = await visit();
    choose(file({ Projects: named('Twin', 'Twin', 'Hill') }));
    await screen.findByText(/The file has 1 mistake/);
    choose(file({ Projects: named('Lake', 'River') }));
    await screen.findByText('2 projects will be created.');
    const names = screen.getAllByRole('row').slice(1);
    expect(names.map((row) => row.querySelector('bdi')?.textContent)).to.deep.equal([
      'Lake',
      'River',
    ]);
  });

  it('does not read what is too large [R93]', async () => {
    const { choose } = await visit();
    choose(file('x'.repeat(600_000)));
    await screen.findByText(/The file is larger than/);
    expect(button().disabled).to.equal(true);
  });

  it('does nothing with a file all of whose projects are there [R93]', async () => {
    const { choose } = await visit();
    choose(file({ Projects: named(harvest.name) }));
    await screen.findByText('All of its projects already exist');
    expect([button().textContent, button().disabled]).to.deep.equal(['Import projects', true]);
  });

  it('shows how earlier imports went, line by line [R198]', async () => {
    const report = [
      { name: 'Lake', project: harvest.id, outcome: 'created' },
      { name: 'Hill', project: null, outcome: 'failed', reason: 'forbidden' },
    ];
    await visit({
      ...shelf,
      projectImport: [
        record('projectImport', {
          id: idOf(1001),
          organization: lakeside,
          owner: builder,
          report,
          dateFinished: '2026-01-31T12:00:00.000Z',
        }),
      ],
    });
    const counts = await screen.findByText('Created: 1 · Skipped (already exist): 0 · Failed: 1');
    fireEvent.click(counts);
    expect(screen.getByRole('link', { name: 'Lake' })).not.to.equal(null);
    expect(counts.closest('details')?.textContent).to.contain(
      'Hill: not created (You are not allowed to do that)',
    );
  });
});
