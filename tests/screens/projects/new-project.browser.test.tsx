import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { Link, useParams } from 'react-router-dom';
import { chooseOrganization } from '#session/organization.ts';
import { NewProject } from '#screens/projects/new-project.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, fellow, idOf, lakeside, record, shelf, south } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

async function visit(viewer = builder, held: Shelf = shelf) {
  const app = await openStore(viewer, held);
  const around = testSurroundings();
  const routes = [
    { path: '/projects/new', element: <NewProject /> },
    { path: '/projects/:projectId', element: <Opened /> },
    { path: '/projects/own', element: <Link to="/projects/new">My projects</Link> },
  ];
  const page = (
    <Around store={app} surroundings={around.surroundings} routes={routes} at="/projects/new" />
  );
  render(page);
  return { app, page };
}
function Opened() {
  return <p data-testid="opened">{useParams().projectId}</p>;
}
const opened = async () => (await screen.findByTestId('opened')).textContent;
const type = (label: RegExp, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const optionsOf = (label: RegExp) =>
  [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ text }) => text);
const superAdmin = record('userRole', { id: idOf(1000), user: fellow, roleName: 'SuperAdmin' });
const withGroups = (...groups: readonly string[]): Shelf => ({
  ...shelf,
  groupMembership: (shelf.groupMembership ?? []).filter(
    ({ user, group }) => user !== builder || groups.includes(group),
  ),
});
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

describe('[2.7] a new project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  beforeEach(() => {
    chooseOrganization(lakeside);
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    chooseOrganization(null);
  });

  it('cannot be saved before it has a name and a language, and says why [R90, R265]', async () => {
    await visit();
    expect(save().disabled).to.equal(true);
    expect(screen.queryByText('Name and language are required.')).not.to.equal(null);
    type(/^Name/, 'Wild Herbs');
    expect(save().disabled).to.equal(true);
    type(/^Language/, 'es-419');
    expect(save().disabled).to.equal(false);
  });

  it('counts blank text as missing [R265]', async () => {
    await visit();
    type(/^Name/, '   ');
    type(/^Language/, 'es-419');
    expect(save().disabled).to.equal(true);
  });

  it('is saved once, trimmed, in the group that was chosen, and opened [R92, R265]', async () => {
    const { app } = await visit();
    type(/^Name/, '  Wild Herbs ');
    type(/^Language/, 'es-419');
    type(/^Group/, south);
    const form = save().closest('form');
    if (form === null) throw new Error('Save is in no form');
    fireEvent.submit(form);
    fireEvent.submit(form);
    const id = await opened();
    await app.settle();
    const made = app.data.find.all('project', { name: 'Wild Herbs' });
    expect(made.map((project) => project.id)).to.deep.equal([id]);
    expect(app.recordedActions).to.have.length(1);
    expect(app.recordedActions[0]?.fields).to.include({
      name: 'Wild Herbs',
      language: 'es-419',
      description: null,
      group: south,
      organization: lakeside,
      owner: builder,
    });
  });

  it('cannot be saved once more while it is being saved [R265]', async () => {
    await visit();
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'es-419');
    fireEvent.click(save());
    expect(save().disabled).to.equal(true);
    await opened();
  });

  it('hints at a project of the same name, and may be saved all the same [R90]', async () => {
    await visit();
    type(/^Name/, 'harvest');
    type(/^Language/, 'en');
    expect(screen.queryByText(/already has a project with this name/)).not.to.equal(null);
    expect(save().disabled).to.equal(false);
  });

  it('keeps what was typed over a reload [R90]', async () => {
    const { page } = await visit();
    type(/^Name/, 'Wild Herbs');
    cleanup();
    render(page);
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('Wild Herbs');
  });

  it('cannot be made by who is no app builder there, and says so [R306]', async () => {
    await visit(fellow);
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'en');
    expect(save().disabled).to.equal(true);
    expect(screen.queryAllByText(/You need the role App Builder/)).not.to.deep.equal([]);
  });

  it('begins in the first of my groups there and of the first type [R91, R96, R265, R266]', async () => {
    const type2 = record('applicationType', {
      id: idOf(1001),
      name: 'reading',
      description: 'Reading App',
    });
    const { app } = await visit(builder, {
      ...shelf,
      applicationType: [...(shelf.applicationType ?? []), type2],
      group: [
        ...(shelf.group ?? []),
        record('group', { id: idOf(1002), name: 'Aside', owner: lakeside }),
      ],
    });
    expect(optionsOf(/^Group/)).to.deep.equal(['Lakeside North', 'Lakeside South']);
    expect(optionsOf(/^Type/)).to.deep.equal(['Reading App', 'Scripture App']);
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'en');
    fireEvent.click(save());
    await opened();
    const north = shelf.group?.[0]?.id;
    expect(app.recordedActions[0]?.fields).to.include({
      group: north,
      type: type2.id,
      isPublic: true,
    });
  });

  it('is in any group of the organization for a super admin [R96, R272]', async () => {
    await visit(fellow, { ...shelf, groupMembership: [], userRole: [superAdmin] });
    expect(optionsOf(/^Group/)).to.deep.equal(['Lakeside North', 'Lakeside South']);
    expect(save().disabled).to.equal(true);
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'en');
    expect(save().disabled).to.equal(false);
  });

  it('leaves no choice where there is one group, but to a super admin [R98, R272]', async () => {
    const one: Shelf = { ...withGroups(south), userRole: [...(shelf.userRole ?? []), superAdmin] };
    await visit(builder, one);
    expect(screen.getByLabelText<HTMLSelectElement>(/^Group/).disabled).to.equal(true);
    expect(screen.queryByText('This is your only group in this organization.')).not.to.equal(null);
    cleanup();
    await visit(fellow, { ...one, group: (shelf.group ?? []).filter(({ id }) => id === south) });
    expect(screen.getByLabelText<HTMLSelectElement>(/^Group/).disabled).to.equal(false);
  });

  it('cannot be made where one has no group, and says so [R97, R272, R408]', async () => {
    await visit(builder, withGroups());
    expect(optionsOf(/^Group/)).to.deep.equal(['No available groups']);
    type(/^Name/, 'Wild Herbs');
    type(/^Language/, 'en');
    expect(save().disabled).to.equal(true);
    expect(document.getElementById('why-not')?.textContent).to.equal('No available groups');
  });

  it('is public unless one says otherwise, and says what that means [R90, R266, R416]', async () => {
    await visit();
    const isPublic = screen.getByRole<HTMLInputElement>('switch', { name: 'Public' });
    expect(isPublic.checked).to.equal(true);
    expect(screen.queryByText('Everyone can find the project in the directory.')).not.to.equal(
      null,
    );
    fireEvent.click(isPublic);
    expect(screen.queryByText('Only people of the organization see the project.')).not.to.equal(
      null,
    );
  });

  it('begins private where the organization wants that [R90]', async () => {
    const organization = (shelf.organization ?? []).map((one) => ({
      ...one,
      publicByDefault: false,
    }));
    await visit(builder, { ...shelf, organization });
    const isPublic = screen.getByRole<HTMLInputElement>('switch', { name: 'Public' });
    expect(isPublic.checked).to.equal(false);
  });

  it('begins with the cursor in its name, of at most 250 characters [R90]', async () => {
    await visit();
    const name = screen.getByLabelText<HTMLInputElement>(/^Name/);
    expect(document.activeElement).to.equal(name);
    expect(name.maxLength).to.equal(250);
  });

  it('follows the organization that is chosen meanwhile [R96]', async () => {
    const harbor = shelf.organization?.[1]?.id ?? '';
    const quay = record('group', { id: idOf(1003), name: 'Quay', owner: harbor });
    const member = record('groupMembership', { id: idOf(1004), user: builder, group: quay.id });
    await visit(builder, {
      ...shelf,
      group: [...(shelf.group ?? []), quay],
      groupMembership: [...(shelf.groupMembership ?? []), member],
    });
    type(/^Name/, 'Wild Herbs');
    act(() => {
      chooseOrganization(harbor);
    });
    expect(optionsOf(/^Group/)).to.deep.equal(['Quay']);
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('Wild Herbs');
  });

  it('is given up where one came by address for one’s own projects, once one is sure [R90]', async () => {
    await visit();
    type(/^Name/, 'Wild Herbs');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await screen.findByRole('dialog');
    fireEvent.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('Wild Herbs');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    fireEvent.click(await screen.findByRole('link', { name: 'My projects' }));
    expect(screen.getByLabelText<HTMLInputElement>(/^Name/).value).to.equal('');
  });
});
