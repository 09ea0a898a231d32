import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect } from 'chai';
import { chooseOrganization } from '#session/organization.ts';
import { NewProject } from '#screens/projects/new-project.tsx';
import { speak } from '#ui/text.ts';
import { builder, fellow, lakeside, shelf, south } from '../support/shelf.ts';
import { Around, stillData, stillSurroundings } from '../support/still-data.tsx';

function visit(viewer = builder) {
  const still = stillData(viewer, shelf);
  const around = stillSurroundings();
  const routes = [
    { path: '/projects/new', element: <NewProject /> },
    { path: '/projects/made', element: <>The new project</> },
  ];
  const page = (
    <Around still={still} surroundings={around.surroundings} routes={routes} at="/projects/new" />
  );
  render(page);
  return { still, page };
}
const type = (label: RegExp, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('[2.7] a new project', () => {
  before(() => speak('en-US'));
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(() => {
    cleanup();
    chooseOrganization(null);
  });

  it('cannot be saved before it has a name and a language, and says why', () => {
    visit();
    expect(save().disabled).to.equal(true);
    expect(screen.queryByText('Name and language are required.')).not.to.equal(null);
    type(/^Name/, 'Wild Herbs');
    expect(save().disabled).to.equal(true);
    type(/^Language/, 'es-419');
    expect(save().disabled).to.equal(false);
  });

  it('counts blank text as missing', () => {
    visit();
    type(/^Name/, '   ');
    type(/^Language/, 'es-419');
    expect(save().disabled).to.equal(true);
  });

  it('is saved once, trimmed, in the group that was chosen, and opened', async () => {
    const { still } = visit();
    type(/^Name/, '  Wild Herbs ');
    type(/^Language/, 'es-419');
    type(/^Group/, south);
    const form = save().closest('form');
    if (form === null) throw new Error('Save is in no form');
    fireEvent.submit(form);
    fireEvent.submit(form);
    await waitFor(() => {
      expect(screen.queryByText('The new project')).not.to.equal(null);
    });
    expect(still.deeds).to.have.length(1);
    expect(still.deeds[0]?.fields).to.include({
      name: 'Wild Herbs',
      language: 'es-419',
      description: null,
      group: south,
      organization: lakeside,
      owner: builder,
    });
  });

  it('hints at a project of the same name, and may be saved all the same', () => {
    visit();
    type(/^Name/, 'harvest');
    type(/^Language/, 'en');
    expect(screen.queryByText(/has a project of that name already/)).not.to.equal(null);
    expect(save().disabled).to.equal(false);
  });

  it('keeps what was typed over a reload', () => {
    const { page } = visit();
    type(/^Name/, 'Wild Herbs');
    cleanup();
    render(page);
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('Wild Herbs');
  });

  it('cannot be made by who is no app builder there, and says so', () => {
    visit(fellow);
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'en');
    expect(save().disabled).to.equal(true);
    expect(screen.queryAllByText(/You need the role App Builder/)).not.to.deep.equal([]);
  });
});
