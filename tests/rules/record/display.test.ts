import { expect } from 'chai';
import { wordsOf } from '#base/unicode.ts';
import {
  compareTexts,
  contains,
  displayNameOf,
  languageNamesIn,
  searchTextOf,
} from '#rules/record/display.ts';
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
  const { db, sample } = aWorld();
  const project = { ...sample.project, name: 'Élan', language: 'fr-CA', description: 'secret' };
  db.put('productDefinition', { ...sample.productDefinition, name: 'Android App' });
  const names = languageNamesIn({ fr: 'french\0frances\0francais' });
  const isFound = (search: string, known = names) => {
    const text = searchTextOf('project', project, db, known);
    return wordsOf(search).every((word) => text.includes(word));
  };

  it('by name, language, owner, organization, group or definition, and by nothing else [R73]', () => {
    for (const search of ['elan', 'FR', 'fr-ca', 'po', 'side press', ' north ', 'droid'])
      expect(isFound(search), search).to.equal(true);
    expect(isFound('secret')).to.equal(false);
  });

  it('by the names of its language, whichever part of the world it is spoken in', () => {
    for (const search of ['French', 'Francés', 'FRANÇAIS'])
      expect(isFound(search), search).to.equal(true);
    expect(isFound('french', new Map())).to.equal(false);
    expect(isFound('spanish')).to.equal(false);
  });

  it('by words of several of its texts, if none of them is missing [R73]', () => {
    for (const search of ['lakeside french', 'north élan po', 'app français press'])
      expect(isFound(search), search).to.equal(true);
    expect(isFound('lakeside spanish')).to.equal(false);
    expect(isFound('northfrench')).to.equal(false);
  });
});

describe('what contains a search', () => {
  it('has each word of it in some text, and everything contains none', () => {
    const texts = ['Ana Ruiz', 'ana@lakeside.example'];

    for (const search of ['ruiz', 'RUIZ lake', ' ', ''])
      expect(contains(texts, search), search).to.equal(true);
    expect(contains(texts, 'ruiz harbor')).to.equal(false);
    expect(contains(texts, 'ruizana')).to.equal(false);
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
