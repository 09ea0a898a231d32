import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadFiles } from '#rules/product.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import type { Tx } from '../database/database.ts';
import { parametersIn } from '../api/asked.ts';
import { parseQuery } from '../api/query/parse.ts';
import { bearerOf, callerOf } from '../identity/caller.ts';
import type { Parts } from '../parts.ts';
import { leadTo, linkTo } from './answers.ts';
import type { Unasked } from './answers.ts';
import { findFile, isReleaseFor, onDisk } from './found.ts';
import type { Found } from './found.ts';
import { addressOf, describedBy, isLog } from './of-product.ts';

const URL = '/api/products/:id/files/published/:type';

/** What was published, for everyone where the project is open to everyone (wire 12). */
export function publishedRoutes(app: FastifyInstance, parts: Parts): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: URL,
    config: { access: 'public' },
    handler: async (request, reply) => {
      const asked = { parts, request, reply };
      return leadTo(asked, await publishedFile(asked), false);
    },
  });
  app.route({
    method: 'GET',
    url: `${URL}/link`,
    config: { access: 'public', media: 'json' },
    handler: async (request, reply) =>
      linkTo(parts, await publishedFile({ parts, request, reply }), false),
  });
}

async function publishedFile({ parts, request }: Unasked): Promise<Found> {
  const { id, type } = request.params as { readonly id: string; readonly type: string };
  const token = bearerOf(request);
  const viewer = token === null ? null : (await callerOf(parts, token)).viewer;
  parseQuery('productArtifact', parametersIn(request), 'nothing');
  const published = await parts.db.read(async (tx) => {
    const product = await productFor(tx, viewer, id);
    return product === null ? null : newestOf(tx, product, type);
  });
  if (published === null) throw new ProblemError({ code: 'not-found' });
  const { product, artifact, address, release } = published;
  const described = describedBy(artifact);
  if (address?.startsWith('bundled:') !== true) return findFile(parts, product, address, described);
  // What was published stays, whatever becomes of the build.
  const file = release === null ? null : await parts.engines.bundled.publishedFile(release, type);
  return onDisk(file, described);
}

/**
 * The product with that id, or the one published last under that package name, if `viewer` (null:
 * anyone) may have its files.
 */
async function productFor(tx: Tx, viewer: Viewer | null, name: string): Promise<string | null> {
  const products = isUuid(name)
    ? [name.toLowerCase()]
    : (
        await tx.query(
          sql<{ readonly id: string }>`select product_id as id from product_publications
            where package = ${name} and success
            group by product_id order by max(date_created) desc limit 50`,
        )
      ).map(({ id }) => id);
  for (const id of products) {
    const product = await tx.one('product', id);
    const project = product === null ? null : await tx.one('project', product.project);
    if (project !== null && mayDownloadFiles(viewer, project)) return id;
  }
  return null;
}

interface Published {
  readonly product: string;
  readonly artifact: Of<'productArtifact'>;
  readonly address: string | null;
  /** The bundled engine's number. */
  readonly release: number | null;
}

/** From the newest successful publication whose build has such an artifact. */
async function newestOf(tx: Tx, product: string, type: string): Promise<Published | null> {
  if (isLog(type)) return null;
  const [row] = await tx.query(
    sql<{ readonly artifact: string; readonly release: number | null }>`
      select artifact.id as artifact, publication.release_id as release
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
  return { product, artifact, address, release: isOurs ? row.release : null };
}
