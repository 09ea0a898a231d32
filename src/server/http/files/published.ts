import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { isUuid } from '#base/id.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadFiles } from '#rules/product.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { parametersIn } from '../api/api-request.ts';
import { parseQuery } from '../api/query/parse.ts';
import { bearerOf, callerOf } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import { productsUnder } from '../../domain/builds/package-names.ts';
import { isForeign, redirectTo, linkTo } from './file-redirects.ts';
import type { PublicApiRequest } from './file-redirects.ts';
import { findFile, isReleaseFor, foundOnDisk } from '../../domain/files/found-file.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';
import { addressOf, describedBy, isLog } from '../../domain/files/artifact.ts';

const URL = '/api/products/:id/files/published/:type';

/** The published files, for everyone where the project is open to everyone (wire 12). */
export function publishedRoutes(app: FastifyInstance, services: Services): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: URL,
    config: { access: 'public' },
    handler: async (request, reply) => {
      const apiRequest = { services, request, reply };
      const { found, product, type } = await publishedFile(apiRequest);
      // The page says where the file lies, and leaves the going to whoever reads it.
      if (request.method === 'GET' && (await isForeign(services, product, found)))
        return reply.redirect(filePaths.downloadPage(product, type), 302);
      return redirectTo(apiRequest, found, 'download');
    },
  });
  app.route({
    method: 'GET',
    url: `${URL}/link`,
    config: { access: 'public', media: 'json' },
    handler: async (request, reply) => {
      const { found, product, type } = await publishedFile({ services, request, reply });
      const page = filePaths.downloadPage(product, type);
      return linkTo(
        services,
        found,
        'download',
        (await isForeign(services, product, found)) ? page : null,
      );
    },
  });
}

async function publishedFile({ services, request }: PublicApiRequest) {
  const { id, type } = request.params as { readonly id: string; readonly type: string };
  const viewer = await viewerOf(services, request);
  parseQuery('productArtifact', parametersIn(request), 'nothing');
  const published = await services.db.read((tx) => publishedOf(tx, viewer, id, type));
  if (published === null) throw new ProblemError({ code: 'not-found' });
  return { found: await fileOfPublished(services, published), product: published.product, type };
}

/**
 * Returns the viewer, if the request has a token; null: anyone. @throws ProblemError when their
 * token does not hold
 */
export async function viewerOf(
  services: Services,
  request: FastifyRequest,
): Promise<Viewer | null> {
  const token = bearerOf(request);
  return token === null ? null : (await callerOf(services, token)).viewer;
}

/**
 * Returns what was published last of that type, of the product that `name` leads to; null: none is
 * shown.
 */
export async function publishedOf(
  tx: DatabaseTransaction,
  viewer: Viewer | null,
  name: string,
  type: string,
): Promise<Published | null> {
  const product = await productFor(tx, viewer, name);
  return product === null ? null : newestOf(tx, product, type);
}

/** @throws ProblemError 404 when it cannot be had any more */
export async function fileOfPublished(
  services: Services,
  { product, artifact, address, release }: Published,
): Promise<FoundFile> {
  const described = describedBy(artifact);
  if (address?.startsWith('bundled:') !== true)
    return findFile(services, product, address, described);
  // A published file stays, whatever becomes of the build.
  const { bundled } = services.engines;
  const file =
    release === null ? null : await bundled.publishedFile(release, artifact.artifactType ?? '');
  return foundOnDisk(file, described);
}

/**
 * Returns the product with that id, or the one that its holder published last under that package
 * name, if `viewer` (null: anyone) may have its files.
 */
export async function productFor(
  tx: DatabaseTransaction,
  viewer: Viewer | null,
  name: string,
): Promise<string | null> {
  const products = isUuid(name) ? [name.toLowerCase()] : await productsUnder(tx, name);
  for (const id of products) {
    const product = await tx.one('product', id);
    const project = product === null ? null : await tx.one('project', product.project);
    if (project !== null && mayDownloadFiles(viewer, project)) return id;
  }
  return null;
}

export interface Published {
  readonly product: string;
  /** The `product-publications` record. */
  readonly publication: string;
  readonly artifact: Of<'productArtifact'>;
  readonly address: string | null;
  /** The bundled engine's number. */
  readonly release: number | null;
}

/** Returns the artifact from the newest successful publication whose build has such an artifact. */
export async function newestOf(
  tx: DatabaseTransaction,
  product: string,
  type: string,
): Promise<Published | null> {
  if (isLog(type)) return null;
  const [row] = await tx.query(
    sql<{
      readonly artifact: string;
      readonly publication: string;
      readonly release: number | null;
    }>`
      select artifact.id as artifact, publication.id as publication,
        publication.release_id as release
      from product_publications publication join product_artifacts artifact
        on artifact.product_build_id = publication.product_build_id
      where publication.product_id = ${product} and artifact.product_id = ${product}
        and publication.success and artifact.artifact_type = ${type}
      order by publication.date_created desc, publication.id desc limit 1`,
  );
  const artifact = row === undefined ? null : await tx.one('productArtifact', row.artifact);
  if (row === undefined || artifact === null) return null;
  const isOurs = row.release !== null && (await isReleaseFor(tx, row.release, product));
  const address = await addressOf(tx, artifact.id);
  const { publication, release } = row;
  return { product, publication, artifact, address, release: isOurs ? release : null };
}
