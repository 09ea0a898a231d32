import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sizeOf } from '#base/file-size.ts';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { IMPORT_BYTES } from '#rules/valid/import-file.ts';
import { languageOf, translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';
import { answerByTag, etagOf } from '../caching.ts';
import { GUIDE, readGuide } from './guide.ts';
import type { GuidePage } from './guide.ts';

/** Our own help (wire 13.3): plain pages in the reader's language, without scripts and sign-in. */

interface Page {
  readonly path: string;
  readonly title: MailTextKey;
  /** The paragraphs, one a line. */
  readonly body: MailTextKey;
  readonly example?: string;
}

const IMPORT_EXAMPLE = JSON.stringify(
  {
    Projects: [
      {
        Name: 'Harvest',
        Language: 'es-419',
        Description: '',
        IsPublic: true,
        AllowDownloads: true,
        AutomaticBuilds: true,
      },
    ],
    Products: [{ Name: 'Android App to Google Play', Store: 'slipway_play' }],
  },
  null,
  2,
);

const HELP = '/help/';

const pages: readonly Page[] = [
  { path: HELP, title: 'help.title', body: 'help.body' },
  { path: '/help/community', title: 'help.communityTitle', body: 'help.communityBody' },
  {
    path: '/help/import',
    title: 'help.importTitle',
    body: 'help.importBody',
    example: IMPORT_EXAMPLE,
  },
];

const STYLE = `:root { color-scheme: light dark; background: Canvas; color: CanvasText; }
body { margin: 0 auto; max-width: 42rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.6 Lato, system-ui, sans-serif; overflow-wrap: anywhere; }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; border-bottom: 1px solid; padding-bottom: 0.75rem; }
nav + nav { padding-top: 0.75rem; }
a { color: LinkText; }
[aria-current] { font-weight: bold; }
table { border-collapse: collapse; margin-block: 1rem; }
code { font-family: ui-monospace, monospace; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: start; vertical-align: top; }
pre { overflow-x: auto; border: 1px solid; padding: 1rem; }
.guide { max-width: 62rem; }
.guide :is(h1, h2, ul, ol, table, pre), .guide p:not(:has(img)) { max-width: 42rem; }
img { display: block; box-sizing: border-box; max-width: 100%; height: auto; border: 1px solid; }
`;
const STYLESHEET = '/help/help.css';
/** The list of all that a device keeps of the help. */
const FILES = `${GUIDE}files.json`;

export function helpRoutes(app: FastifyInstance): void {
  const guide = readGuide();
  app.addHook('onSend', (request, reply, body, done) => {
    done(null, answerByTag(request, reply, body));
  });
  app.get(STYLESHEET, (_, reply) => withType(reply, 'text/css; charset=utf-8').send(STYLE));
  for (const page of pages)
    app.get(page.path, (request, reply) =>
      inLanguage(request, reply).send(helpPage(page, readerOf(request))),
    );

  for (const page of guide.pages)
    app.get(page.path, (request, reply) =>
      inLanguage(request, reply).send(guidePage(page, readerOf(request))),
    );
  for (const { path, png } of guide.pictures)
    app.get(path, (_, reply) => withType(reply, 'image/png').send(png));
  if (guide.pages.length > 0) app.get(GUIDE.slice(0, -1), (_, reply) => reply.redirect(GUIDE, 308));
  const files = new Map<MailLanguage, string>();
  const filesIn = (language: MailLanguage): string => {
    const known = files.get(language) ?? JSON.stringify(filesFor(language));
    files.set(language, known);
    return known;
  };
  app.get(FILES, (request, reply) =>
    withType(reply, 'application/json; charset=utf-8')
      .header('Vary', 'Accept-Language')
      .send(filesIn(readerOf(request))),
  );
}

const readerOf = ({ headers }: FastifyRequest): MailLanguage =>
  languageOf(headers['accept-language']);

/** Begins an answer that caches ask about at each use: it may have changed. */
const withType = (reply: FastifyReply, type: string): FastifyReply =>
  reply.headers({ 'Content-Type': type, 'Cache-Control': 'no-cache' });

const inLanguage = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  withType(reply, 'text/html; charset=utf-8').headers({
    'Content-Language': readerOf(request),
    Vary: 'Accept-Language',
  });

/** What a device keeps for when there is no connection, each with the tag that its answer has. */
function filesFor(language: MailLanguage): readonly { path: string; etag: string }[] {
  const guide = readGuide();
  const all: readonly { path: string; body: string | Buffer }[] = [
    { path: STYLESHEET, body: STYLE },
    ...pages.map((page) => ({ path: page.path, body: helpPage(page, language) })),
    ...guide.pages.map((page) => ({ path: page.path, body: guidePage(page, language) })),
    ...guide.pictures.map(({ path, png }) => ({ path, body: png })),
  ];
  return all.map(({ path, body }) => ({ path, etag: etagOf('', body) }));
}

function helpPage({ path, title, body, example }: Page, language: MailLanguage): string {
  const text = (key: MailTextKey) => translate(language, key);
  const limit = sizeOf(IMPORT_BYTES, language);
  const paragraphs = translate(language, body, { limit }).split('\n');
  return documentOf({
    language,
    path,
    title: text(title),
    bodyClass: 'help',
    main: html`<main>
      <h1>${text(title)}</h1>
      ${
        path === HELP && readGuide().pages.length > 0
          ? html`<p>
              <a href="${GUIDE}">${text('help.guideTitle')}</a><br />${text('help.guideText')}
            </p>`
          : nothing
      }
      ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
      ${example === undefined ? nothing : html`<pre tabindex="0">${example}</pre>`}
    </main>`,
  });
}

/** The guide is in English alone, which its head says in the reader's language. */
function guidePage({ path, title, html: content }: GuidePage, language: MailLanguage): string {
  const text = (key: MailTextKey) => translate(language, key);
  return documentOf({
    language,
    path,
    title,
    bodyClass: 'guide',
    main: html`<nav aria-label="${text('help.guidePages')}">
        ${readGuide().pages.map((page) => linkTo(page.path, page.title, path, ENGLISH))}
      </nav>
      <header><p>${text('help.guideLanguage')}</p></header>
      <main lang="en">${{ html: content }}</main>`,
  });
}

interface Document {
  readonly language: MailLanguage;
  readonly path: string;
  readonly title: string;
  readonly bodyClass: 'help' | 'guide';
  readonly main: Html;
}

function documentOf({ language, path, title, bodyClass, main }: Document): string {
  const text = (key: MailTextKey) => translate(language, key);
  const links = pages.map((page) => linkTo(page.path, text(page.title), path));
  const toGuide =
    readGuide().pages.length === 0 ? nothing : linkTo(GUIDE, text('help.guideTitle'), path);
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${text('common.brand')}</title>
        <link rel="icon" type="image/svg+xml" href="/icons/mark.svg" />
        <link rel="stylesheet" href="${STYLESHEET}" />
      </head>
      <body class="${bodyClass}">
        <nav aria-label="${text('common.brand')}">
          <a href="/">${text('common.brand')}</a>${toGuide}${links}
        </nav>
        ${main}
      </body>
    </html> `.html;
}

const ENGLISH: Html = { html: ' lang="en"' };

const linkTo = (path: string, title: string, here: string, lang = nothing): Html =>
  path === here
    ? html`<a href="${path}" aria-current="page" ${lang}>${title}</a>`
    : html`<a href="${path}" ${lang}>${title}</a>`;
