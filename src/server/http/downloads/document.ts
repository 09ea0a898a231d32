import { directionOf, ownName } from '#base/language-tag.ts';
import { html, nothing } from '#base/html.ts';
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
  /** The page asks again as the member who is signed in here, if one is. */
  readonly mayBeMembers: boolean;
}

export const STYLESHEET = '/downloads/page.css';
/** The script is built from `src/download-page.ts`. */
const SCRIPT = '/download-page.js';

export function documentOf(page: DownloadPage): string {
  const { language, ours, title, description, color, main, mayBeMembers } = page;
  const brand = translate(ours, 'common.brand');
  const style = color === null ? STYLESHEET : `${STYLESHEET}?color=${color.slice(1)}`;
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="description" content="${description}" />
        <title>${title} · ${brand}</title>
        <link rel="icon" href="/icons/mark.svg" />
        <link rel="stylesheet" href="${style}" />
        ${mayBeMembers ? html`<script src="${SCRIPT}"></script>` : nothing}
      </head>
      <body>
        ${main} ${choiceOf(page)}
        <footer lang="${ours}">
          <a href="/"><img src="/icons/mark.svg" alt="" width="20" height="20" />${brand}</a>
        </footer>
      </body>
    </html> `.html;
}

function choiceOf({ languages, language, ours }: DownloadPage): Html {
  if (languages.length < 2) return nothing;
  const links = languages.map((each) => {
    const current: Html = { html: each === language ? ' aria-current="true"' : '' };
    const to = `?language=${encodeURIComponent(each)}`;
    return html`<li>
      <a href="${to}" lang="${each}" hreflang="${each}" ${current}>${ownName(each)}</a>
    </li>`;
  });
  return html`<nav aria-label="${translate(ours, 'downloads.languages')}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}
