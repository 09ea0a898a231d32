import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import { LOCALES } from '#schema/user.ts';

export interface IdentityPage {
  readonly language: MailLanguage;
  readonly title: MailTextKey;
  readonly body: Html;
  /** This page's own address, to which a language is added; null: the page cannot be asked again. */
  readonly address: string | null;
  /** The scripts that the page has. */
  readonly scripts?: readonly PageScript[];
}

/** Each is built from the file in `src` that has its name. */
export type PageScript = 'passkey-page' | 'password-page';

/**
 * Returns the policy: what the page may load and where its forms may lead; `home` is where the app
 * is.
 */
export function policyFor(home: string, { usesScript = false } = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    ...(usesScript ? ["script-src 'self'"] : []),
    "img-src 'self'",
    "font-src 'self'",
    `form-action 'self' ${new URL(home).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export const STYLESHEET = '/oidc/pages.css';

/** Returns a whole document: a card with the product's name and one task. */
export function pageOf({ language, title, body, address, scripts = [] }: IdentityPage): string {
  const name = translate(language, 'common.brand');
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${translate(language, title)} · ${name}</title>
        <link rel="icon" href="/icons/mark.svg" />
        <link rel="stylesheet" href="${STYLESHEET}" />
        ${scripts.map((name) => html`<script src="/${name}.js" defer></script>`)}
      </head>
      <body>
        <main class="card">
          <div class="brand">
            <img src="/icons/mark.svg" alt="" width="28" height="28" />${name}
          </div>
          <h1>${translate(language, title)}</h1>
          ${body}
        </main>
        ${address === null ? nothing : languageChoice(language, address)}
      </body>
    </html> `.html;
}

const NAMES: Readonly<Record<MailLanguage, string>> = {
  'en-US': 'English',
  'es-419': 'Español',
  'fr-FR': 'Français',
};

function languageChoice(present: MailLanguage, address: string): Html {
  const links = LOCALES.map((locale) => {
    const to = new URL(address, 'http://here');
    to.searchParams.set('ui_locales', locale);
    const current: Html = { html: locale === present ? ' aria-current="true"' : '' };
    return html`<li>
      <a href="${to.pathname}${to.search}" lang="${locale}" hreflang="${locale}" ${current}
        >${NAMES[locale]}</a
      >
    </li>`;
  });
  return html`<nav aria-label="${translate(present, 'identity.language')}">
    <ul>
      ${links}
    </ul>
  </nav>`;
}
