import i18next from 'i18next';
import { expect } from 'chai';
import { speakLate } from '#ui/text/late-texts.ts';
import { speak, speechNow } from '#ui/text/text.ts';
import type { Language } from '#ui/text/text.ts';

describe('values in texts', () => {
  after(() => speak('en-US'));

  const said = async (language: Language, total: number) => {
    await speak(language);
    return speechNow(i18next).say('pager.range', { from: 1, to: 20, total });
  };

  it('are numbers as the language writes them', async () => {
    expect(await said('en-US', 101_000))
      .to.contain('1–20')
      .and.to.contain('101,000');
    expect(await said('es-419', 101_000)).to.contain('101,000');
    expect(await said('fr-FR', 101_000)).to.contain('101\u202f000');
  });

  it('are names from right to left that move no words around them', async () => {
    await speak('en-US');
    const { say } = speechNow(i18next);
    expect(
      say('changes.role.add', { name: 'דנה', held: 'Author', organization: 'Lakeside' }),
    ).to.equal('Give \u2068דנה\u2069 the role Author in Lakeside');
  });

  it('are written as they are, whatever they look like', async () => {
    await speak('en-US');
    const { say } = speechNow(i18next);
    const held = 'Author';
    const says = (name: string) =>
      say('changes.role.add', { name, held, organization: 'Lakeside' });
    for (const name of ['$t(common.save)', '{{held}}', '$&', '<b>Bo</b>'])
      expect(says(name)).to.equal(`Give ${name} the role Author in Lakeside`);
  });

  it('may be other texts', async () => {
    await speak('en-US');
    await speakLate();
    const { say } = speechNow(i18next);
    expect(say('changes.undone', { what: 'common.save' })).to.equal(`Undo: ${say('common.save')}`);
  });
});
