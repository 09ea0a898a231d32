import { extname } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError, statusOf } from '#protocol/problem.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { platformOf } from '#rules/platform.ts';
import { isPublishedAt } from '#rules/product.ts';
import type { Viewer } from '#rules/viewer.ts';
import { parametersIn } from '../api/api-request.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { sha256Of } from '../../domain/files/found-file.ts';
import { remoteFileOf } from '../files/remote-file.ts';
import type { MemberFile } from '../files/of-product.ts';
import { memberFiles } from '../files/file-routes.ts';
import { bearerOf, callerOf } from '../../domain/accounts/caller.ts';
import { aboutOf, iconAtHand, shownApp } from '../files/published-app.ts';
import { fileOfPublished, publishedOf, viewerOf } from '../files/published.ts';
import type { Published } from '../files/published.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { pathOf } from '../addresses.ts';
import { countPublic } from '../count-requests.ts';
import { languageOf, acceptedLanguagesIn } from '#text/say.ts';
import type { Services } from '../../domain/services.ts';
import { appPage } from './app-page.ts';
import { cssOf } from './css.ts';
import { documentOf, STYLESHEET } from './document.ts';
import type { DownloadPage } from './document.ts';
import { filePage } from './file-page.ts';
import { namesOf, projectPathFor } from './to-project.ts';
import type { PageContext } from './to-project.ts';
import type { ShownFile } from './file-page.ts';
import { laterPage, missingPage } from './trouble-page.ts';

const COLOR = '#0a5aa8';

/** The public pages of what was published, written here: whole without scripts (decision 016). */
export function downloadRoutes(app: FastifyInstance, services: Services): void {
  app.get(STYLESHEET, (request, reply) => {
    const color = parametersIn(request).get('color') ?? '';
    return reply
      .headers({ 'Content-Type': 'text/css; charset=utf-8', 'Cache-Control': 'no-cache' })
      .send(cssOf(/^[\da-f]{6}$/.test(color) ? `#${color}` : COLOR));
  });
  const page = (
    url: string,
    answer: (request: FastifyRequest, reply: FastifyReply) => Promise<DownloadPage>,
  ) =>
    app.get(url, async (request, reply) => {
      const {
        status,
        headers = {},
        page: shown,
      } = await answered(request, async () => {
        await countPublic(services, request);
        return answer(request, reply);
      });
      return send(reply.code(status).headers(headers), shown);
    });
  page('/downloads/apk/:id/published', async (request) => {
    const { id } = request.params as { readonly id: string };
    const viewer = await viewerOf(services, request);
    const app = await shownApp(services, viewer, id);
    const accepted = request.headers['accept-language'];
    const chosen = parametersIn(request).get('language');
    const reader = { wishes: acceptedLanguagesIn(accepted), ours: languageOf(accepted), chosen };
    const address = addressOf(services, request);
    return appPage(app, reader, await contextFor(services, viewer, app.id, address));
  });
  page('/downloads/products/:id/files/published/:type', async (request) => {
    const viewer = await viewerOf(services, request);
    const { file, product } = await shownFile(services, request, viewer);
    const context = await contextFor(services, viewer, product, addressOf(services, request));
    return filePage(file, languageOf(request.headers['accept-language']), context);
  });
  for (const [url, find] of Object.entries(memberFiles))
    page(filePaths.filePage(url), async (request, reply) => {
      const link = pathOf(request.url).replace(/^\/downloads/, '/api');
      const { file, context } = await memberFile(services, request, reply, link, find);
      return filePage(file, languageOf(request.headers['accept-language']), context);
    });
}

/** The page's address under the name that others know us by. */
const addressOf = ({ config }: Services, { url }: FastifyRequest): string =>
  `${config.publicUrl}${pathOf(url)}`;

async function contextFor(
  { db }: Services,
  viewer: Viewer | null,
  product: string,
  address: string | null,
): Promise<PageContext> {
  return db.read(async (tx) => {
    const { project, publisher } = await namesOf(tx, product);
    const projectPath = viewer === null ? null : await projectPathFor(tx, viewer, product);
    return { address, isForEveryone: viewer === null, project, publisher, projectPath };
  });
}

interface Answered {
  readonly status: number;
  readonly headers?: ProblemError['headers'];
  readonly page: DownloadPage;
}

/** A refusal is a page too: this is for people. */
async function answered(
  request: FastifyRequest,
  answer: () => Promise<DownloadPage>,
): Promise<Answered> {
  try {
    return { status: 200, page: await answer() };
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    const status = statusOf(error);
    const ours = languageOf(request.headers['accept-language']);
    const isForNow = status === 429 || status >= 500;
    const { headers } = error;
    return { status, headers, page: isForNow ? laterPage(ours, request.url) : missingPage(ours) };
  }
}

function send(reply: FastifyReply, page: DownloadPage): FastifyReply {
  return reply
    .headers({
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': page.language,
      'Cache-Control': 'no-cache, private',
      Vary: 'Accept-Language, Authorization',
    })
    .send(documentOf(page));
}

/** @throws ProblemError 404 when the reader may see none */
async function shownFile(
  services: Services,
  request: FastifyRequest,
  viewer: Viewer | null,
): Promise<{ readonly file: ShownFile; readonly product: string }> {
  const { id, type } = request.params as { readonly id: string; readonly type: string };
  const found = await services.db.read(async (tx) => {
    const published = await publishedOf(tx, viewer, id, type);
    if (published === null) return null;
    const { project: name } = await namesOf(tx, published.product);
    return { published, name, ...(await saidOf(tx, published)) };
  });
  if (found === null) throw new ProblemError({ code: 'not-found' });
  const { published, name, definition, publishLink, about } = found;
  const { product } = published;
  const stored = await fileOfPublished(services, published);
  const platform = platformOf(definition);
  const file: ShownFile = {
    product,
    link: filePaths.publishedFile(product, type),
    type,
    name,
    definition,
    platform,
    icon: platform === 'android' ? await iconAtHand(services, product) : null,
    sizeBytes: stored.sizeBytes,
    sha256: sha256Of(stored),
    away: await remoteFileOf(services, product, stored),
    site: platform === 'web' ? siteAt(publishLink, services.config.publicUrl, product) : null,
    ...about,
  };
  return { file, product };
}

/** Returns what its product and its release say of a published file. */
async function saidOf(tx: DatabaseTransaction, published: Published) {
  const product = await tx.one('product', published.product);
  const definition = await tx.one('productDefinition', product?.productDefinition ?? '');
  return {
    definition: definition?.name ?? '',
    publishLink: product?.publishLink ?? null,
    about: await aboutOf(tx, published),
  };
}

/**
 * Returns the site at the address that `product` was published at; null: it is a page of ours, also
 * under another name that the server had then.
 */
function siteAt(address: string | null, home: string, product: string): ShownFile['site'] {
  if (address === null || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return null;
  const { href, host, origin } = new URL(address);
  const isOurs =
    origin === new URL(home).origin || isPublishedAt(origin, { id: product, publishLink: href });
  return isOurs ? null : { url: href, host };
}

/** @throws ProblemError 401, 403, 404 when the reader may see none */
async function memberFile(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  link: string,
  find: (apiRequest: ApiRequest) => Promise<MemberFile>,
): Promise<{ readonly file: ShownFile; readonly context: PageContext }> {
  const caller = await callerOf(services, bearerOf(request), request.ip);
  const { found, product } = await find({ services, request, reply, caller });
  const { filename, sizeBytes } = found;
  const type = extname(filename).slice(1);
  const away = await remoteFileOf(services, product, found);
  const file: ShownFile = {
    ...{ product, link, type, name: filename, definition: null, platform: 'file', icon: null },
    ...{
      sizeBytes,
      away,
      sha256: null,
      releaseVersion: null,
      releaseNotes: null,
      publishedAt: null,
      site: null,
    },
  };
  return { file, context: await contextFor(services, caller.viewer, product, null) };
}
