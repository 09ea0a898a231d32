import { expect } from 'chai';
import { compareTexts, contains, displayNameOf, searchableTexts } from '#rules/record/display.ts';
import { aWorld } from '../world.ts';

describe('the display name of a person', () => {
  it('is their name, else given and family name, else nothing [R218]', () => {
    const names = { name: 'Ana', givenName: 'A', familyName: 'Ruiz' };

    expect(displayNameOf(names)).to.equal('Ana');
    expect(displayNameOf({ ...names, name: ' ' })).to.equal('A Ruiz');
    expect(displayNameOf({ ...names, name: null, givenName: null })).to.equal('Ruiz');
    expect(displayNameOf({ name: null, givenName: '', familyName: null })).to.equal(null);
  });
});

describe('[wire 5.2] a project is found', () => {
  it('by name, language, owner, organization or group, and by nothing else [R73]', () => {
    const { db, sample } = aWorld();
    const project = { ...sample.project, name: 'Élan', language: 'fr', description: 'secret' };
    const texts = searchableTexts(project, db);

    for (const words of ['elan', 'FR', 'po', 'side press', ' north ']) {
      expect(contains(texts, words), words).to.equal(true);
    }
    expect(contains(texts, 'secret')).to.equal(false);
  });
});

describe('texts in a list', () => {
  it('are ordered by their fold, with nothing at the end in both directions', () => {
    const texts = ['b', null, 'Á', 'c', 'a'];

    expect(texts.toSorted((a, b) => compareTexts(a, b))).to.deep.equal(['Á', 'a', 'b', 'c', null]);
    expect(texts.toSorted((a, b) => compareTexts(a, b, true))).to.deep.equal([
      'c',
      'b',
      'Á',
      'a',
      null,
    ]);
  });
});
