import type { FastifyInstance } from 'fastify';
import { html, nothing } from '#base/html.ts';
import type { Html } from '#base/html.ts';
import { paths } from '#protocol/paths.ts';
import { openApi } from './openapi.ts';
import type { ApiOperation, OpenApi } from './openapi.ts';

const STYLESHEET = '/help/help.css';

const described = openApi();

/** Describes the API to programs, without a token. */
export function openApiRoute(api: FastifyInstance): void {
  const text = JSON.stringify(described);
  api.get(paths.openApi, { config: { access: 'public', media: 'json' } }, (_, reply) =>
    reply.header('Content-Type', 'application/json; charset=utf-8').send(text),
  );
}

/** Describes the API to people, as a page beside the help. */
export function referencePage(app: FastifyInstance): void {
  const page = pageOf(described);
  app.get(paths.reference, (_, reply) =>
    reply
      .headers({ 'Content-Type': 'text/html; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(page),
  );
}

/** The text of the page: English, as the messages of the API are. */
function pageOf({ info, paths: all, components }: OpenApi): string {
  const requests = Object.entries(all).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(requests.flatMap(({ operation }) => operation.tags))].sort();
  const sections = tags.map(
    (tag) =>
      html`<section>
        <h2 id="${tag}">${tag}</h2>
        ${fieldsOf(components.schemas[tag])}
        <table>
          <thead>
            <tr>
              <th scope="col">Request</th>
              <th scope="col">What it does</th>
            </tr>
          </thead>
          <tbody>
            ${requests
              .filter(({ operation }) => operation.tags.includes(tag))
              .map(({ path, method, operation }) => lineOf(path, method, operation))}
          </tbody>
        </table>
      </section>`,
  );
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>API – Slipway</title>
        <link rel="icon" type="image/svg+xml" href="/icons/mark.svg" />
        <link rel="stylesheet" href="${STYLESHEET}" />
      </head>
      <body>
        <nav aria-label="Slipway">
          <a href="/">Slipway</a><a href="${paths.openApi}">OpenAPI</a>
        </nav>
        <main>
          <h1>API, version ${info.version ?? ''}</h1>
          <p>${info.description ?? ''}</p>
          <ul>
            ${tags.map((tag) => html`<li><a href="#${tag}">${tag}</a></li>`)}
          </ul>
          ${sections}
        </main>
      </body>
    </html> `.html;
}

function lineOf(path: string, method: string, { summary, security }: ApiOperation): Html {
  return html`<tr>
    <td><code>${method.toUpperCase()} ${path}</code></td>
    <td>${summary}${security === undefined ? '' : ' · no token'}</td>
  </tr>`;
}

interface Described {
  readonly properties?: Readonly<Record<string, Described>>;
  readonly anyOf?: readonly Described[];
  readonly type?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly enum?: readonly unknown[];
}

/** The attributes of a resource, where `schema` is one. */
function fieldsOf(schema: Described | undefined): Html {
  const attributes = schema?.properties?.attributes?.properties;
  if (attributes === undefined) return nothing;
  const rows = Object.entries(attributes).map(
    ([name, field]) =>
      html`<tr>
        <td><code>${name}</code></td>
        <td>${wordsOf(field)}</td>
      </tr>`,
  );
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Attribute</th>
        <th scope="col">Value</th>
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
}

function wordsOf({ anyOf, type = '', format, maxLength, enum: choices }: Described): string {
  const [inner] = anyOf ?? [];
  if (inner !== undefined) return wordsOf(inner);
  if (choices !== undefined) return choices.map(String).join(', ');
  return `${format ?? type}${maxLength === undefined ? '' : `, at most ${String(maxLength)} characters`}`;
}
