import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { expect } from 'chai';
import { useState } from 'react';
import { paths } from '#protocol/paths.ts';
import { LanguagePicker } from '#screens/projects/fields/language-picker.tsx';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak } from '#ui/text/text.ts';
import type { Language } from '#ui/text/text.ts';
import { closeStores, openStore } from '../../support/app-over-store.ts';
import { builder, shelf } from '../../support/shelf.ts';
import { Around, testSurroundings } from '../../support/around.tsx';

const tags = [
  { tag: 'cak', name: 'Kaqchikel', region: 'GT', regionname: 'Guatemala' },
  { tag: 'de', name: 'German', localname: 'Deutsch' },
  { tag: 'es', name: 'Spanish', localname: 'español', names: ['Castilian'] },
  { tag: 'es-419', name: 'Latin American Spanish', localname: 'español latinoamericano' },
  { tag: 'fr', name: 'French', localname: 'français', region: 'FR', regionname: 'France' },
  { tag: 'frm', name: 'Middle French' },
  { tag: 'fro', name: 'Old French' },
  { tag: 'fru', name: 'Fru' },
  { tag: 'fry', name: 'Frysk', names: ['French'] },
  { tag: 'sl', name: 'Slovenian', variants: ['nedis'] },
];
const names = {
  'en-US': {},
  'es-419': { de: 'alemán', es: 'español', fr: 'francés' },
  'fr-FR': { de: 'allemand', es: 'espagnol', fr: 'français' },
};

async function visit(
  value = '',
  language: Language = 'en-US',
  before = '',
  loadTags: () => Promise<unknown> = () => Promise.resolve(tags),
) {
  const loaded: string[] = [];
  const { surroundings, pass } = testSurroundings((path) => {
    loaded.push(path);
    const languages = names[language];
    return path === paths.languageTags ? loadTags() : Promise.resolve({ languages });
  });
  function Form() {
    const [tag, setTag] = useState(value);
    return <LanguagePicker value={tag} before={before} onChange={setTag} />;
  }
  const routes = [{ path: '/', element: <Form /> }];
  const app = await openStore(builder, shelf);
  render(<Around store={app} surroundings={surroundings} routes={routes} at="/" />);
  const field = () => screen.getByRole<HTMLInputElement>('combobox');
  const focus = async () => {
    await act(async () => {
      field().focus();
      await Promise.resolve();
    });
  };
  const type = (text: string) => {
    fireEvent.change(field(), { target: { value: text } });
    act(() => {
      pass(250);
    });
  };
  return { loaded, field, focus, type, pass };
}
const offered = () =>
  screen
    .queryAllByRole('option')
    .map((option) => /Code: (\S+?)(Also|Region|Variant|$)/.exec(option.textContent)?.[1]);
const option = (name: RegExp) => screen.getByRole('option', { name });
const press = (key: string) => {
  fireEvent.keyDown(screen.getByRole('combobox'), { key });
};

describe('[7.4] choosing a language [R99]', () => {
  before(async () => {
    await speak('en-US');
    await speakLate();
  });
  afterEach(async () => {
    cleanup();
    await closeStores();
    await speak('en-US');
  });

  it('loads the list when the field is first focused, and takes any text without it [R338, R339]', async () => {
    const { loaded, field, focus, type } = await visit();
    expect(loaded).to.deep.equal([]);
    type('fr');
    expect(field().value).to.equal('fr');
    expect(offered()).to.deep.equal([]);
    await focus();
    expect(loaded).to.deep.equal([paths.languageTags, paths.languageNames('en-US')]);
  });

  it('names the language before the list is here, as lists do, in the language of the pages [screens 7.4]', async () => {
    for (const [language, name] of [
      ['en-US', 'Spanish'],
      ['es-419', 'español'],
      ['fr-FR', 'espagnol'],
    ] as const) {
      await speak(language);
      const { field, loaded } = await visit('es', language);
      expect(loaded).to.deep.equal([]);
      expect(field().parentElement?.textContent).to.equal(name);
      expect(field().value).to.equal('es');
      cleanup();
    }
    const { field } = await visit('zz-any');
    expect(field().parentElement?.textContent).to.equal('');
  });

  it('suggests a quarter of a second after typing, and nothing for nothing [R418]', async () => {
    const { field, focus, pass, type } = await visit();
    await focus();
    fireEvent.change(field(), { target: { value: 'german' } });
    expect(offered()).to.deep.equal([]);
    act(() => {
      pass(250);
    });
    expect(offered()).to.deep.equal(['de']);
    type('');
    expect(offered()).to.deep.equal([]);
    expect(document.querySelector('.match-missing')).to.equal(null);
  });

  it('suggests at most five: name equals, tag equals, other name equals, name begins, shorter tag [R419]', async () => {
    const { focus, type } = await visit();
    await focus();
    type('french');
    expect(offered()).to.deep.equal(['fr', 'fry', 'frm', 'fro']);
    type('fr');
    expect(offered()).to.deep.equal(['fr', 'fru', 'fry', 'frm', 'fro']);
    type('FRU');
    expect(offered()[0]).to.equal('fru');
  });

  it('leaves out the worst of six that match [R419]', async () => {
    const six = [...tags, { tag: 'frp', name: 'Franco-Provençal' }];
    const { focus, type } = await visit('', 'en-US', '', () => Promise.resolve(six));
    await focus();
    type('fr');
    expect(offered()).to.deep.equal(['fr', 'frp', 'fru', 'fry', 'frm']);
  });

  it('finds by name, own name, other name, region, variant and tag, whatever case and accents', async () => {
    const { focus, type } = await visit();
    await focus();
    const found: Record<string, unknown> = {};
    for (const words of ['GERMAN', 'Espanol', 'castil', 'guatem', 'NEDIS', 'es-4']) {
      type(words);
      found[words] = offered();
    }
    expect(found).to.deep.equal({
      GERMAN: ['de'],
      Espanol: ['es', 'es-419'],
      castil: ['es'],
      guatem: ['cak'],
      NEDIS: ['sl'],
      'es-4': ['es-419'],
    });
  });

  it('shows its names with the hit marked, and its tag', async () => {
    await speak('fr-FR');
    const { focus, type } = await visit('', 'fr-FR');
    await focus();
    type('alle');
    const german = option(/allemand/);
    expect(german.querySelector('mark')?.textContent).to.equal('alle');
    expect(
      [...german.querySelectorAll('.language-hit > *')].map((line) => line.textContent),
    ).to.deep.equal(['allemand', 'Deutsch', 'German', 'Code : de']);
  });

  it('says where the hit was when it is in no name that shows', async () => {
    const { focus, type } = await visit();
    await focus();
    type('castil');
    expect(option(/Spanish/).textContent).to.contain('Also: Castilian');
    type('guatem');
    expect(option(/Kaqchikel/).textContent).to.contain('Region: Guatemala');
    type('nedis');
    expect(option(/Slovenian/).textContent).to.contain('Variant: nedis');
  });

  it('names a known tag before the text, in the language of the interface', async () => {
    await speak('es-419');
    const { field, focus, type } = await visit('de', 'es-419');
    await focus();
    const before = () => field().previousElementSibling?.textContent ?? null;
    expect(before()).to.equal('alemán');
    type('tlh');
    expect(before()).to.equal(null);
  });

  it('says of a tag outside the list that it can be used, and tints it', async () => {
    const { focus, type } = await visit();
    await focus();
    type('qya-Teng');
    expect(screen.queryByText('Not in the list. You can still use it.')).not.to.equal(null);
    expect(document.querySelector('.match-missing input')).not.to.equal(null);
    type('fr');
    expect(screen.queryByText('Not in the list. You can still use it.')).to.equal(null);
  });

  it('moves with the arrows and leaves the text, takes a tag by Enter or a click', async () => {
    const { field, focus, type } = await visit();
    await focus();
    type('french');
    press('ArrowDown');
    press('ArrowDown');
    expect(field().value).to.equal('french');
    expect(option(/Frysk/).getAttribute('aria-selected')).to.equal('true');
    press('Enter');
    expect(field().value).to.equal('fry');
    type('german');
    fireEvent.click(option(/German/));
    expect(field().value).to.equal('de');
  });

  it('closes by Escape, and by another gives the text back that was there before', async () => {
    const { field, focus, type } = await visit('de', 'en-US', 'de');
    await focus();
    type('french');
    press('Escape');
    expect(offered()).to.deep.equal([]);
    expect(field().value).to.equal('french');
    press('Escape');
    expect(field().value).to.equal('de');
  });

  it('takes nothing when one leaves by Tab', async () => {
    const { field, focus, type } = await visit();
    await focus();
    type('french');
    press('ArrowDown');
    press('Tab');
    fireEvent.blur(field());
    expect(field().value).to.equal('french');
    expect(offered()).to.deep.equal([]);
  });

  it('knows some eight thousand languages, small ones too [R339]', async () => {
    const response = await fetch(paths.languageTags);
    const all: unknown = await response.json();
    expect(all).to.have.length.greaterThan(8_000);
    const { focus, type } = await visit('', 'en-US', '', () => Promise.resolve(all));
    await focus();
    type('Zacatlán');
    expect(offered()).to.include('nhi');
  });
});
