import { html as markup } from '#base/html.ts';
import { translate } from '#text/say.ts';
import { textFor } from '../content/app-file.ts';
import { bestOf, directionOf, ownName } from '#base/language-tag.ts';
import { pageOf } from './preview.ts';
import type { BuildTarget, BuildInput } from './target.ts';
import { builtFile, json, writeOut } from './write.ts';

/** The most that the store accepts, in characters. */
const LONGEST = { title: 30, short: 80, full: 4_000 };
const ICON_PX = 512;
/** The folder beside the manifest; `files` and `icon` are relative to it. */
const FOLDER = 'play-listing/';

interface Listing {
  readonly language: string;
  readonly title: string;
  readonly short: string;
  readonly full: string;
}

/** The texts of the store's page, a manifest of them, and a page to look at them. */
export const playListing: BuildTarget = async (work) => {
  const { app, site, log } = work;
  const languages = site.languages.length > 0 ? site.languages : [app.language];
  log.say(`Writing the store listing in ${languages.join(', ')}`);
  const listings = languages.map((language) => listingIn(work, language));
  const files: string[] = [];
  for (const { language, title, short, full } of listings)
    for (const [name, text] of Object.entries({
      title,
      short_description: short,
      full_description: full,
    })) {
      files.push(`${language}/${name}.txt`);
      await writeOut(work, `${FOLDER}${language}/${name}.txt`, `${text}\n`);
    }
  const main = bestOf(languages, app.language) ?? languages[0] ?? app.language;
  const icon = `${main}/images/icon/icon.png`;
  await writeOut(work, `${FOLDER}${icon}`, await work.icon.plain(ICON_PX));
  const manifest = {
    url: FOLDER,
    icon,
    color: app.color,
    'default-language': main,
    languages,
    'download-apk-strings': {
      en: translate('en-US', 'site.download'),
      es: translate('es-419', 'site.download'),
      fr: translate('fr-FR', 'site.download'),
    },
    files,
  };
  await writeOut(work, 'play-listing-manifest.json', json(manifest));
  await writeOut(work, 'play-listing.html', await pageFor(work, listings));
  return [
    builtFile(work, 'play-listing', 'play-listing.html'),
    builtFile(work, 'play-listing-manifest', 'play-listing-manifest.json'),
  ];
};

function listingIn({ app, log }: BuildInput, language: string): Listing {
  const name = textFor(app.names, language) ?? '';
  const description = textFor(app.descriptions, language) ?? '';
  if (description === '') log.remark(`The listing in ${language} has no description.`);
  const [first = ''] = description.split(/\n|(?<=[.!?。؟])\s/);
  const fit = (text: string, longest: number, what: string) => {
    if (text.length > longest)
      log.remark(
        `The listing’s ${what} in ${language} is cut: the store takes ${longest} characters.`,
      );
    return cut(text, longest);
  };
  return {
    language,
    title: fit(name, LONGEST.title, 'title'),
    short: fit(first, LONGEST.short, 'short description'),
    full: fit(description, LONGEST.full, 'description'),
  };
}

/** Cuts at a word's end where there is one; never in the middle of a letter. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const whole = text.slice(0, longest - 1).replace(/[\uD800-\uDBFF]$/, '');
  const words = whole.replace(/\s\S*$/, '').trimEnd();
  return `${words.length > longest / 2 ? words : whole}…`;
}

async function pageFor(
  { app, name, icon }: BuildInput,
  listings: readonly Listing[],
): Promise<string> {
  const parts = listings.map(
    ({
      language,
      title,
      short,
      full,
    }) => markup`<section lang="${language}" dir="${directionOf(language)}">
<h2>${ownName(language)}</h2>
<h3>${title}</h3>
<p><strong>${short}</strong></p>
<p class="text">${full}</p>
</section>
`,
  );
  const picture = (await icon.plain(128)).toString('base64');
  const body = markup`<img src="data:image/png;base64,${picture}" alt="" width="96" height="96">
<h1>${name}</h1>
${parts}`;
  return pageOf(name, app.color, app.language, body);
}
