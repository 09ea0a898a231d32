import { LOCALES } from '#schema/user.ts';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import type { AppFile } from '../app-file.ts';
import { textFor } from '../app-file.ts';
import { titleFromName } from './book.ts';
import type { Book, BookPage } from './book.ts';
import { encodePath, wayUp } from '../files.ts';
import { bestOf, directionOf, ownName } from '#base/language-tag.ts';
import type { Rendered } from './markdown.ts';

/** The paths of the renderer's own files in a site. */
export const OWN = {
  style: 'site/style.css',
  script: 'site/script.js',
  index: (language: string): string => `site/search-${language}.js`,
} as const;

/** A page asks for nothing outside its site, and runs nothing but the site's own script. */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'media', 'manifest', 'worker', 'connect'].map(
    (kind) => `${kind}-src 'self'`,
  ),
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

export interface AppSite {
  readonly app: AppFile;
  readonly books: readonly Book[];
}

interface Words {
  readonly text: (key: MailTextKey, values?: Readonly<Record<string, string>>) => string;
  /** Marks our words where they are not in the page's language. */
  readonly mark: Html;
}

/** A whole page; `body` null: the book's own contents stand in for a first page. */
export function pageHtml(site: AppSite, book: Book, page: BookPage, body: Rendered | null): string {
  const words = wordsOf(book.language);
  const name = textFor(site.app.names, book.language) ?? '';
  const title = body === null || page.title === name ? name : `${page.title} · ${name}`;
  const heading = body?.hasTitle === true ? nothing : html`<h1>${page.title}</h1>`;
  const content = body === null ? introOf(site, book) : { html: body.html };
  return documentOf(site, {
    language: book.language,
    path: page.path,
    title,
    body: html`<a class="skip" href="#content" ${words.mark}>${words.text('site.skip')}</a>
      <header class="top">
        <div>
          <a class="brand" href="${wayUp(page.path)}${encodePath(homeOf(book))}">${name}</a>
          <a class="to-contents" href="#contents" ${words.mark}>${words.text('site.contents')}</a>
          ${searchOf(book, page, words)}
        </div>
      </header>
      <div class="middle">
        <main id="content" tabindex="-1">
          <article>${heading} ${content}</article>
          ${stepsOf(book, page, words)}
        </main>
        ${contentsOf(book, page, words)}
      </div>
      ${bottomOf(site, book, page, words)}`,
  });
}

/** The first page of a site in several languages: a list, from which the script goes on. */
export function choiceHtml(site: AppSite): string {
  const name = textFor(site.app.names, site.app.language) ?? '';
  return documentOf(site, {
    language: site.app.language,
    path: 'index.html',
    title: name,
    body: html`<header class="top">
        <div><span class="brand">${name}</span></div>
      </header>
      <div class="middle">
        <main data-choose>
          <h1>${name}</h1>
          <ul class="languages">
            ${site.books.map((book) => languageLink(book, homeOf(book)))}
          </ul>
        </main>
      </div>`,
  });
}

/** The page that a book begins with, whether somebody wrote it or not. */
export const homeOf = (book: Book): string => `${book.folder}index.html`;

interface Document {
  readonly language: string;
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

function documentOf({ app }: AppSite, { language, path, title, body }: Document): string {
  const top = wayUp(path);
  const description = textFor(app.descriptions, language);
  const about =
    description === null ? nothing : html`<meta name="description" content="${description}" /> `;
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${{ html: POLICY }}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="${app.color}" />
        ${about}
        <title>${title}</title>
        <link rel="stylesheet" href="${top}${OWN.style}" />
        <script src="${top}${OWN.script}" defer></script>
      </head>
      <body>
        ${body}
      </body>
    </html> `.html;
}

function wordsOf(language: string): Words {
  const own: MailLanguage | null = bestOf<MailLanguage>(LOCALES, language);
  return {
    text: (key, values) => translate(own ?? 'en-US', key, values),
    mark: own === null ? { html: ' lang="en" dir="ltr"' } : nothing,
  };
}

function searchOf(book: Book, { path }: BookPage, words: Words): Html {
  const top = wayUp(path);
  return html`<form class="search" role="search" hidden data-top="${top}" data-index="${top}${OWN.index(book.language)}"
data-none="${words.text('site.noResults')}" data-some="${words.text('site.results', { count: '#' })}">
<label><span${words.mark}>${words.text('site.search')}</span> <input type="search" autocomplete="off"></label>
<div class="found" hidden><p role="status"${words.mark}></p><ol></ol></div>
</form>`;
}

/** The page before and the one after, in reading order. */
function stepsOf(book: Book, page: BookPage, words: Words): Html {
  const at = book.pages.findIndex(({ path }) => path === page.path);
  const step = (to: BookPage | undefined, rel: 'prev' | 'next', key: MailTextKey): Html =>
    to === undefined
      ? nothing
      : html`<a rel="${rel}" href="${wayUp(page.path)}${encodePath(to.path)}"><small${words.mark}>${words.text(key)}</small>${to.title}</a>\n`;
  const before = at > 0 ? book.pages[at - 1] : undefined;
  const steps = [
    step(before, 'prev', 'site.previous'),
    step(book.pages[at + 1], 'next', 'site.next'),
  ];
  if (steps.every(({ html: made }) => made === '')) return nothing;
  return html`<nav class="steps" aria-label="${words.text('site.pages')}">${steps}</nav>`;
}

function contentsOf(book: Book, page: BookPage, words: Words): Html {
  return html`<nav class="contents" id="contents" aria-labelledby="contents-title">
    <h2 id="contents-title" ${words.mark}>${words.text('site.contents')}</h2>
    ${listOf(book, book.pages, 0, page)}
  </nav>`;
}

/** Pages of one folder, and after them the folders in it, which are in order already. */
function listOf(book: Book, pages: readonly BookPage[], depth: number, current: BookPage): Html {
  const here = pages.filter(({ section }) => section.length === depth);
  const below = new Map<string, BookPage[]>();
  for (const page of pages.filter(({ section }) => section.length > depth)) {
    const name = page.section[depth] ?? '';
    below.set(name, [...(below.get(name) ?? []), page]);
  }
  const link = (page: BookPage): Html =>
    html`<li>
      <a
        href="${wayUp(current.path)}${encodePath(page.path)}"
        ${page.path === current.path ? { html: ' aria-current="page"' } : nothing}
        >${page.title}</a
      >
    </li> `;
  const section = (name: string, inside: readonly BookPage[]): Html =>
    html`<li>
      <span class="section">${titleFromName(name)}</span>
      ${listOf(book, inside, depth + 1, current)}
    </li> `;
  return html`<ul>
    ${here.map(link)}${[...below].map(([name, inside]) => section(name, inside))}
  </ul>`;
}

function introOf({ app }: AppSite, book: Book): Html {
  const description = textFor(app.descriptions, book.language);
  const links = book.pages.map(
    ({ path, title }) =>
      html`<li><a href="${wayUp(homeOf(book))}${encodePath(path)}">${title}</a></li> `,
  );
  return html`${description === null ? nothing : html`<p>${description}</p> `}
    <ul>
      ${links}
    </ul>`;
}

/** The same page in the other languages, where there is one; otherwise their first pages. */
function bottomOf({ app, books }: AppSite, book: Book, page: BookPage, words: Words): Html {
  const rest = page.path.slice(book.folder.length);
  const links = books
    .filter((other) => other !== book)
    .map((other) => {
      const same = other.pages.find(({ path }) => path === `${other.folder}${rest}`);
      return languageLink(other, same?.path ?? homeOf(other), wayUp(page.path));
    });
  const languages =
    links.length === 0
      ? nothing
      : html`<nav aria-label="${words.text('site.languages')}">
          <ul class="languages">
            ${links}
          </ul>
        </nav>`;
  const license = app.license === null ? nothing : html`<p>${app.license}</p>`;
  if (languages === nothing && license === nothing) return nothing;
  return html`<footer class="bottom"><div>${languages}${license}</div></footer>`;
}

function languageLink({ language }: Book, path: string, top = './'): Html {
  return html`<li>
    <a lang="${language}" dir="${directionOf(language)}" href="${top}${encodePath(path)}"
      >${ownName(language)}</a
    >
  </li> `;
}
