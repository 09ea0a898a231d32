import { sizeOf } from '#base/file-size.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { bestOf } from '#base/language-tag.ts';
import type { ShownApp } from '../files/published-app.ts';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { ourOwn, translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import type { DownloadPage } from './document.ts';
import { buttonTo, factsOf, failedBox, hostOf } from './parts.ts';
import { qrCode } from './qr.ts';

interface Reader {
  /** The languages of their browser, best liked first. */
  readonly wishes: readonly string[];
  /** The language of our own texts, for a reader whose language we do not have. */
  readonly ours: MailLanguage;
  /** The language that was chosen on the page. */
  readonly chosen: string | null;
}

/** `/downloads/apk/{id}/published`, in the app's own words (requirements 2.14). */
export function appPage(app: ShownApp, reader: Reader, address: string): DownloadPage {
  const language = languageFor(app, reader);
  const ours = ourOwn(language) ?? reader.ours;
  const title = titleOf(app, language) ?? translate(ours, 'downloads.title');
  const description = app.descriptions[language] ?? '';
  const size = sizeOf(app.size, ours);
  const link = new URL(app.link).pathname;
  const main = html`<main class="with-code">
    <div class="app">
      ${iconOf(app)}
      <div>
        <h1>${title}</h1>
        ${factsOf(ours, { ...app, size })}
      </div>
    </div>
    ${description === '' ? nothing : html`<p class="text">${description}</p>`}
    ${buttonTo(link, app.away, buttonText(app, language, ours))} ${hostOf(ours, app.away)}
    ${failedBox(ours)}
    <p class="help" lang="${ours}" dir="ltr">${translate(ours, 'downloads.install')}</p>
    <div class="code" lang="${ours}" dir="ltr">
      ${qrCode(address, translate(ours, 'downloads.code'))} ${translate(ours, 'downloads.scan')}
    </div>
  </main>`;
  const { color, languages } = app;
  return { language, ours, title, description, color, main, languages, mayBeMembers: false };
}

function languageFor({ languages, defaultLanguage }: ShownApp, { wishes, chosen }: Reader): string {
  const wanted = chosen === null ? wishes : [chosen, ...wishes];
  const found = wanted.map((wish) => bestOf(languages, wish)).find((best) => best !== null);
  return found ?? defaultLanguage;
}

/** Returns the title, in another language rather than none. */
function titleOf({ titles, defaultLanguage }: ShownApp, language: string): string | null {
  const all = [titles[language], titles[defaultLanguage], ...Object.values(titles)];
  return all.find((title) => title !== undefined && title !== '') ?? null;
}

function iconOf({ id, icon }: ShownApp): Html {
  if (icon === null) return nothing;
  // Only the path of our own address is used: the page may be reached by another name than the one
  // that we know.
  const own = `${filePaths.publishedApp(id)}/icon`;
  const isOwn = icon.endsWith(own);
  return html`<img src="${isOwn ? own : icon}" alt="" width="128" height="128" />`;
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
