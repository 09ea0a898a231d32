import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { expect } from 'chai';
import { Authors } from '#screens/projects/people/authors.tsx';
import { Reviewers } from '#screens/projects/people/reviewers.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import {
  builder,
  fellow,
  harvest,
  idOf,
  lakeside,
  north,
  record,
  shelf,
} from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';
import type { Shelf } from '../../support/shelf.ts';

const authorRole = record('role', { id: idOf(1001), roleName: 'Author' });
const asAuthor = record('userRole', {
  id: idOf(1000),
  user: fellow,
  organization: lakeside,
  roleName: 'Author',
  role: authorRole.id,
});
const author = record('author', { id: idOf(1003), user: fellow, project: harvest.id });
const rosa = record('reviewer', {
  id: idOf(1002),
  name: 'Rosa',
  email: 'rosa@readers.test',
  locale: 'es-419',
  project: harvest.id,
});

async function visit(more: Shelf = {}, viewer = builder) {
  const userRole = [...(shelf.userRole ?? []), asAuthor];
  const app = await openStore(viewer, {
    ...shelf,
    role: [authorRole],
    userRole,
    reviewer: [rosa],
    ...more,
  });
  const { surroundings } = testSurroundings();
  const element = (
    <>
      <Authors project={harvest} />
      <Reviewers project={harvest} />
    </>
  );
  const routes = [{ path: '/', element }];
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
  return app;
}
const part = (name: string) => within(screen.getByRole('region', { name }));
const press = (name: string) => {
  fireEvent.click(screen.getByRole('button', { name }));
};
const type = (label: RegExp, value: string) => {
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
};
const submit = async () => {
  await act(async () => {
    press('Add');
    await Promise.resolve();
  });
};

/** As who doubts the first click, before anything was drawn. */
const submitTwice = async () => {
  await act(async () => {
    press('Add');
    press('Add');
    await Promise.resolve();
  });
};
const choosePerson = () => {
  const person = screen.getByRole('combobox', { name: /^Person/ });
  fireEvent.focus(person);
  fireEvent.change(person, { target: { value: 'f' } });
  fireEvent.mouseDown(screen.getByRole('option'));
  fireEvent.click(screen.getByRole('option'));
};

describe('[8.2] the authors of a project', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
  });

  it('are chosen among those of the group who hold the role, and the form stays for the next [R120, R277, R278, R307, R392]', async () => {
    const { recordedActions } = await visit();
    press('Add author');
    await submit();
    expect(screen.queryByText('Choose who is to be an author.')).not.to.equal(null);
    const person = screen.getByRole('combobox', { name: /^Person/ });
    fireEvent.focus(person);
    fireEvent.change(person, { target: { value: 'f' } });
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).to.deep.equal([
      'Felix Fellow',
    ]);
    fireEvent.mouseDown(screen.getByRole('option'));
    fireEvent.click(screen.getByRole('option'));
    await submit();
    expect(recordedActions.map(({ did, type }) => [did, type])).to.deep.equal([['add', 'author']]);
    await screen.findByText(/Nobody else in this group has the role Author/);
    expect(part('Authors').queryByText('Felix Fellow')).not.to.equal(null);
  });

  it('are none who hold the role and are not of the group, or no members any more [R278]', async () => {
    const others = [
      { id: idOf(1010), name: 'Finn of No Group' },
      { id: idOf(1011), name: 'Freya of No Organization' },
    ];
    const [finn = '', freya = ''] = others.map(({ id }) => id);
    await visit({
      user: [...(shelf.user ?? []), ...others.map((other) => record('user', other))],
      userRole: [
        ...[...(shelf.userRole ?? []), asAuthor],
        ...[finn, freya].map((user, n) => ({ ...asAuthor, id: idOf(1012 + n), user })),
      ],
      organizationMembership: [
        ...(shelf.organizationMembership ?? []),
        record('organizationMembership', {
          ...{ id: idOf(1014), user: finn, organization: lakeside },
          dateAccepted: '2026-01-05T09:00:00.000Z',
        }),
      ],
      groupMembership: [
        ...(shelf.groupMembership ?? []),
        record('groupMembership', { id: idOf(1015), user: freya, group: north }),
      ],
    });
    press('Add author');
    const person = screen.getByRole('combobox', { name: /^Person/ });
    fireEvent.focus(person);
    fireEvent.change(person, { target: { value: 'f' } });
    expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).to.deep.equal([
      'Felix Fellow',
    ]);
  });

  it('are added once by a double click', async () => {
    const { recordedActions } = await visit();
    press('Add author');
    choosePerson();
    await submitTwice();
    expect(recordedActions).to.have.length(1);
  });

  it('cannot be added where nobody is left who holds the role [R120, R278]', async () => {
    await visit({ userRole: shelf.userRole ?? [] });
    press('Add author');
    expect(screen.queryByText(/Nobody else in this group has the role Author/)).not.to.equal(null);
    expect(screen.queryByRole('link', { name: 'Users' })).to.equal(null);
  });

  it('cannot be added where nobody is left, which leads admins to the people', async () => {
    const roleName = 'OrganizationAdmin';
    const admin = { id: idOf(71), user: builder, organization: lakeside, roleName } as const;
    await visit({ userRole: [record('userRole', { ...admin, role: idOf(61) })] });
    press('Add author');
    const link = screen.getByRole('link', { name: 'Users' });
    expect(link.getAttribute('href')).to.equal('/users');
  });

  it('are only looked at by who does not answer for the project', async () => {
    await visit({ author: [author] }, fellow);
    expect(part('Authors').queryByText('Felix Fellow')).not.to.equal(null);
    expect(screen.queryAllByRole('button')).to.have.length(0);
  });

  it('are removed with a way back [R120]', async () => {
    const { recordedActions } = await visit({ author: [author] });
    const [row] = part('Authors').getAllByRole('listitem');
    expect(row?.querySelector('.avatar')).not.to.equal(null);
    await act(async () => {
      press('Remove Felix Fellow from the authors');
      await Promise.resolve();
    });
    expect(recordedActions.map(({ did, type }) => [did, type])).to.deep.equal([
      ['remove', 'author'],
    ]);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await part('Authors').findByText('Felix Fellow')).not.to.equal(null);
  });
});

describe('[8.3] the reviewers of a project [R121]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    await speak('en-US');
  });

  it('show name, address and language [R213]', async () => {
    await visit();
    const row = part('Reviewers').getByRole('listitem');
    expect(row.textContent).to.include('Rosa (rosa@readers.test)Español');
    expect(row.querySelector('.avatar')).not.to.equal(null);
  });

  it('need a name and an address that can be one [R279, R391]', async () => {
    const { recordedActions } = await visit();
    press('Add reviewer');
    await submit();
    expect(screen.queryByText('Type a name.')).not.to.equal(null);
    expect(screen.queryByText('Type an email address.')).not.to.equal(null);
    type(/^Email/, 'rene');
    expect(screen.queryByText('This is not an email address.')).not.to.equal(null);
    expect(recordedActions).to.deep.equal([]);
  });

  it('are added one after the other in the language last chosen [R280]', async () => {
    const { recordedActions } = await visit();
    press('Add reviewer');
    type(/^Name/, 'René');
    type(/^Email/, 'rene@readers.test');
    type(/^Language/, 'fr-FR');
    await submit();
    expect(recordedActions.map(({ did, type, fields }) => [did, type, fields])).to.deep.equal([
      [
        'add',
        'reviewer',
        { name: 'René', email: 'rene@readers.test', locale: 'fr-FR', project: harvest.id },
      ],
    ]);
    const name = screen.getByLabelText<HTMLInputElement>(/^Name/);
    await part('Reviewers').findByText(/^René/);
    await waitFor(() => {
      expect(name.value).to.equal('');
    });
    expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).to.equal('');
    expect(document.activeElement).to.equal(name);
    expect(screen.getByLabelText<HTMLSelectElement>(/^Language/).value).to.equal('fr-FR');
  });

  it('are added once by a double click', async () => {
    const { recordedActions } = await visit();
    press('Add reviewer');
    type(/^Name/, 'René');
    type(/^Email/, 'rene@readers.test');
    await submitTwice();
    expect(recordedActions).to.have.length(1);
  });

  it('begin in the language of who adds them, else in that of the screen [R280]', async () => {
    const chosen = () => screen.getByLabelText<HTMLSelectElement>(/^Language/).value;
    await visit();
    press('Add reviewer');
    expect(chosen()).to.equal('en-US');
    cleanup();
    const user = (shelf.user ?? []).map((one) => ({ ...one, locale: 'fr-FR' as const }));
    await visit({ user });
    press('Add reviewer');
    expect(chosen()).to.equal('fr-FR');
    cleanup();
    await speak('es-419');
    await visit();
    press('Agregar revisor');
    expect(screen.getByLabelText<HTMLSelectElement>(/^Idioma/).value).to.equal('es-419');
  });

  it('go by one click, with a way back', async () => {
    const { recordedActions } = await visit();
    await act(async () => {
      press('Remove Rosa from the reviewers');
      await Promise.resolve();
    });
    expect(recordedActions.map(({ did, type }) => [did, type])).to.deep.equal([
      ['remove', 'reviewer'],
    ]);
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(await part('Reviewers').findByText(/^Rosa/)).not.to.equal(null);
  });

  it('hint at an address that is in the list', async () => {
    await visit();
    press('Add reviewer');
    type(/^Email/, 'Rosa@readers.test');
    expect(screen.queryByText('This address is in the list already.')).not.to.equal(null);
  });
});
