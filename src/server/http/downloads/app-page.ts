import { bestOf, directionOf } from '#base/language-tag.ts';
import type { ShownApp } from '../files/published-app.ts';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { ourOwn, translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DownloadPage } from './document.ts';
import {
  buttonTo,
  checksumOf,
  codeOf,
  failedBox,
  headOf,
  hostOf,
  notesOf,
  withSize,
} from './parts.ts';
import { iconOf, platformPicture } from './platform-picture.ts';
import type { PageContext } from './to-project.ts';
import { linkToProject } from './to-project.ts';

interface Reader {
  /** The languages of their browser, best liked first. */
  readonly wishes: readonly string[];
  /** The language of our own texts, for a reader whose language we do not have. */
  readonly ours: MailLanguage;
  /** The language that was chosen on the page. */
  readonly chosen: string | null;
}

/** `/downloads/apk/{id}/published`, in the app's own words (requirements 2.14). */
export function appPage(app: ShownApp, reader: Reader, context: PageContext): DownloadPage {
  const language = languageFor(app, reader);
  const ours = ourOwn(language) ?? reader.ours;
  const title = titleOf(app, language);
  const text = title?.text ?? context.project;
  const heading =
    title === null
      ? html`<h1><bdi>${text}</bdi></h1>`
      : html`<h1 lang="${title.language}" dir="${directionOf(title.language)}">${text}</h1>`;
  const description = app.descriptions[language] ?? '';
  const link = new URL(app.link).pathname;
  const picture = app.icon === null ? platformPicture('android') : iconOf(app.id, app.icon);
  const button = withSize(buttonText(app, language, ours), app.size, ours);
  const main = html`<main class="with-code">
    ${headOf(ours, { ...app, picture, heading, publisher: context.publisher })}
    ${description === '' ? nothing : html`<p class="text">${description}</p>`}
    ${buttonTo(link, app.away, button)} ${hostOf(ours, app.away)} ${failedBox(ours)}
    <p class="help" lang="${ours}" dir="ltr">${translate(ours, 'downloads.install')}</p>
    ${notesOf(ours, app.releaseNotes)} ${checksumOf(ours, app.sha256)}
    ${linkToProject(ours, context.projectPath)} ${codeOf(ours, context.address)}
  </main>`;
  const { color, languages } = app;
  const readers = context.isForEveryone ? 'everyone' : 'one';
  return { language, ours, title: text, description, color, main, languages, readers };
}

function languageFor({ languages, defaultLanguage }: ShownApp, { wishes, chosen }: Reader): string {
  const wanted = chosen === null ? wishes : [chosen, ...wishes];
  const found = wanted.map((wish) => bestOf(languages, wish)).find((best) => best !== null);
  return found ?? defaultLanguage;
}

/** Returns the title, in another language rather than none. */
function titleOf(
  { titles, defaultLanguage }: ShownApp,
  language: string,
): { readonly text: string; readonly language: string } | null {
  for (const each of [language, defaultLanguage, ...Object.keys(titles)]) {
    const text = titles[each] ?? '';
    if (text !== '') return { text, language: each };
  }
  return null;
}

function buttonText(app: ShownApp, language: string, ours: MailLanguage): Html {
  const strings = app.downloadApkStrings;
  const short = language.slice(0, 2).toLowerCase();
  const own = strings[short];
  if (own !== undefined && own !== '') return html`${own}`;
  const english = strings.en;
  if (english !== undefined && english !== '') return html`<span lang="en">${english}</span>`;
  return html`<span lang="${ours}">${translate(ours, 'site.download')}</span>`;
}
