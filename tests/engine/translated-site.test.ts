// Covers the pages that engine/content/site and engine/targets make for readers.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { build } from '#engine/build/build.ts';
import { logInto } from '#engine/build/log.ts';
import english from '#text/en-US.json' with { type: 'json' };
import { PseudoReader, sayInPseudo } from '../support/pseudo-server.ts';
import { filesOfZip, inFolder, zipOfFiles } from '../support/zips.ts';

const TEXTS = ['Oiseaux', 'Des oiseaux', 'Lac', 'Rive', 'Forêt', 'Bois', 'Sentier', 'Un texte'];
/** Names, what somebody wrote, file names, languages by their own names, and signs of our scripts. */
const DATA = [...TEXTS, 'CC0', '1.2', '3', 'SHA-256', 'Français', 'Español', '#'];

const CONTENT = {
  'fr/index.md': '# Lac\n\nUn texte.',
  'fr/rive.md': '# Rive\n\nUn texte.',
  'fr/Bois/foret.md': '# Forêt\n\nUn texte.',
  'fr/Bois/sentier.md': '# Sentier\n\nUn texte.',
  'es/index.md': '# Lago\n\nUn texto.',
  'app.json': JSON.stringify({
    name: { fr: 'Oiseaux' },
    description: { fr: 'Des oiseaux.' },
    license: 'CC0',
  }),
  ...Object.fromEntries(Array.from({ length: 1_600 }, (_, n) => [`fr/pictures/${n}.txt`, 'a'])),
};

describe('a page that the engine makes', function () {
  this.timeout(120_000);
  const reader = new PseudoReader(DATA);
  let putBack: () => void;
  before(() => {
    putBack = sayInPseudo();
  });
  after(() => {
    putBack();
  });

  it('says all in a text of its reader’s language or of the app, and each text has its case', async () => {
    await inFolder(async (folder) => {
      const content = join(folder, 'content.zip');
      writeFileSync(content, zipOfFiles(CONTENT));
      const order = {
        ...{ content, folder: join(folder, 'work') },
        targets: ['html', 'asset-package', 'play-listing'],
        environment: { PROJECT_NAME: 'Oiseaux', PROJECT_LANGUAGE: 'fr', PRODUCT_ID: 'p-1' },
        ...{ version: { name: '1.2', code: 3 }, at: '2026-03-04T05:06:07.000Z' },
      };
      mkdirSync(order.folder);
      const paths = new Map<string, string>();
      const log = logInto(() => undefined);
      await build(order, log, (all) => {
        for (const { type, path } of all) paths.set(type, path);
      });
      const pathOf = (type: string) => paths.get(type) ?? '';
      const pages = await filesOfZip(pathOf('html'));
      for (const [path, bytes] of pages)
        if (/^(fr\/.*|index)\.html$/.test(path)) reader.html(path, bytes.toString());
      for (const type of ['asset-preview', 'play-listing'])
        reader.html(type, readFileSync(pathOf(type), 'utf8'));
      const manifest = JSON.parse(readFileSync(pathOf('play-listing-manifest'), 'utf8')) as {
        readonly 'download-apk-strings': Readonly<Record<string, string>>;
      };
      reader.text('button', manifest['download-apk-strings'].fr ?? '');
    });
    expect(reader.found.slice(0, 20)).to.deep.equal([]);
    const unsaid = Object.keys(english).filter(
      (key) => key.startsWith('site.') && !reader.keys.has(key),
    );
    expect(unsaid).to.deep.equal([]);
  });
});
