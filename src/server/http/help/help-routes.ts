import type { FastifyInstance } from 'fastify';
import { escapeHtml } from '#base/html.ts';
import { languageOf, translate } from '#text/say.ts';
import type { MailLanguage, MailTextKey } from '#text/say.ts';

/** Our own help (wire 13): plain pages in the reader's language, without scripts and sign-in. */

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

const pages: readonly Page[] = [
  { path: '/help/', title: 'help.title', body: 'help.body' },
  { path: '/help/community', title: 'help.communityTitle', body: 'help.communityBody' },
  {
    path: '/help/import',
    title: 'help.importTitle',
    body: 'help.importBody',
    example: IMPORT_EXAMPLE,
  },
];

const STYLE = `:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 42rem; padding: 1.5rem 1rem 3rem; font: 1rem/1.6 Lato, system-ui, sans-serif; }
nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1.25rem; border-bottom: 1px solid; padding-bottom: 0.75rem; }
a { color: LinkText; }
table { border-collapse: collapse; margin-block: 1rem; }
code { font-family: ui-monospace, monospace; }
th, td { padding: 0.25rem 1rem 0.25rem 0; text-align: start; vertical-align: top; overflow-wrap: anywhere; }
pre { overflow-x: auto; border: 1px solid; padding: 1rem; }
`;

export function helpRoutes(app: FastifyInstance): void {
  app.get('/help/help.css', (_, reply) =>
    reply
      .headers({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(STYLE),
  );
  for (const page of pages) {
    app.get(page.path, (request, reply) => {
      const language = languageOf(request.headers['accept-language']);
      return reply
        .headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Language': language,
          'Cache-Control': 'no-cache',
          Vary: 'Accept-Language',
        })
        .send(htmlOf(page, language));
    });
  }
}

function htmlOf({ title, body, example }: Page, language: MailLanguage): string {
  const text = (key: MailTextKey) => escapeHtml(translate(language, key));
  const links = pages.map((page) => `<a href="${page.path}">${text(page.title)}</a>`);
  const paragraphs = translate(language, body)
    .split('\n')
    .map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`);
  return [
    `<!doctype html>`,
    `<html lang="${language}">`,
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${text(title)} – Slipway</title>`,
    `<link rel="icon" type="image/svg+xml" href="/icons/mark.svg">`,
    `<link rel="stylesheet" href="/help/help.css"></head>`,
    `<body><nav aria-label="Slipway"><a href="/">Slipway</a>${links.join('')}</nav>`,
    `<main><h1>${text(title)}</h1>${paragraphs.join('')}`,
    example === undefined ? '' : `<pre tabindex="0">${escapeHtml(example)}</pre>`,
    `</main></body></html>`,
  ].join('\n');
}
