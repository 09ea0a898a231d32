import { directionOf, ownName } from '#base/language-tag.ts';
import { html, nothing } from '#base/html.ts';
import { isolated } from '#base/unicode.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';

/** One page of the downloads: whole without scripts, sign-in and shell. */
export interface DownloadPage {
  /** The language of the app's texts. */
  readonly language: string;
  /** The language of our texts. */
  readonly ours: MailLanguage;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb`; null: ours. */
  readonly color: string | null;
  readonly main: Html;
  /** The languages to choose from; shown when there are several. */
  readonly languages: readonly string[];
  /**
   * `everyone`: where somebody is signed in, the page gains the way to the project. `members`: the
   * page shows nothing, and asks again as the member who is signed in here, if one is. `one`: it was
   * written for whoever asked.
   */
  readonly readers: 'everyone' | 'members' | 'one';
}

export const STYLESHEET = '/downloads/page.css';
/** The scripts are built from the files of `src` with these names. */
const SCRIPTS = {
  everyone: html`<script src="/download-door.js" defer></script>`,
  members: html`<script src="/download-page.js"></script>`,
  one: nothing,
} as const;

/** Search results and previews show no more of a description, nor tabs of a title. */
const SHOWN_ELSEWHERE = 160;

export function documentOf(page: DownloadPage): string {
  const { language, ours, color, main, readers } = page;
  const title = isolated(cut(page.title));
  const brand = translate(ours, 'common.brand');
  const style = color === null ? STYLESHEET : `${STYLESHEET}?color=${color.slice(1)}`;
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${cut(page.description)}" />
        <title>${title} · ${brand}</title>
        <link rel="icon" href="/icons/mark.svg" />
        <link rel="stylesheet" href="${style}" />
        ${SCRIPTS[readers]}
      </head>
      <body>
        <div class="card">
          ${main}
          <footer lang="${ours}" dir="ltr">
            <a class="brand" href="/"
              ><img src="/icons/mark.svg" alt="" width="20" height="20" />${brand}</a
            >
          </footer>
        </div>
        ${choiceOf(page)}
      </body>
    </html> `.html;
}

/** Cuts between characters, with a sign that it did. */
function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= SHOWN_ELSEWHERE) return text;
  return `${characters
    .slice(0, SHOWN_ELSEWHERE - 1)
    .join('')
    .trimEnd()}…`;
}

function choiceOf({ languages, language, ours }: DownloadPage): Html {
  if (languages.length < 2) return nothing;
  const links = languages.map((each) => {
    const current: Html = { html: each === language ? ' aria-current="true"' : '' };
    const to = `?language=${encodeURIComponent(each)}`;
    return html`<li>
      <a href="${to}" lang="${each}" dir="${directionOf(each)}" hreflang="${each}" ${current}
        >${ownName(each)}</a
      >
    </li>`;
  });
  return html`<nav aria-label="${translate(ours, 'downloads.languages')}" lang="${ours}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}
