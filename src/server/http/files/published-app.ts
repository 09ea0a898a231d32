import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { createSharedCalls } from '#base/shared-calls.ts';
import type { DataDocument } from '#protocol/document.ts';
import { filePaths } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Viewer } from '#rules/viewer.ts';
import { parametersIn } from '../api/api-request.ts';
import { JSONAPI, presentRecord } from '#protocol/present.ts';
import { parseQuery } from '../api/query/parse.ts';
import { enginePathsIn } from '#engine/engine-paths.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import type { PublicApiRequest } from './file-redirects.ts';
import { remoteFileOf } from './remote-file.ts';
import type { RemoteFile } from './remote-file.ts';
import { findFile, sha256Of } from '../../domain/files/found-file.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';
import { manifestIn, readListing } from './listing.ts';
import type { Listing } from './listing.ts';
import { describedBy } from '../../domain/files/artifact.ts';
import { pageIconAt } from './page-icon.ts';
import { fileOfPublished, newestOf, productFor, viewerOf } from './published.ts';
import type { Published } from './published.ts';
import { sendFile } from './send.ts';
import { remoteListingFiles, localListingFiles } from './listing-files.ts';

const URL_OF_APP = '/api/products/:id/published';

/** The page of a published app, for everyone where its files are public (wire 12, domain 12). */
export function publishedAppRoutes(app: FastifyInstance, services: Services): void {
  const config = { access: 'public' } as const;
  app.route({
    method: 'GET',
    url: URL_OF_APP,
    config,
    handler: async (request) => documentOf({ services, request }),
  });
  app.route({
    method: 'GET',
    url: `${URL_OF_APP}/icon`,
    config,
    compress: false,
    handler: async (request, reply) => sendIcon({ services, request, reply }),
  });
  app.route({
    method: 'GET',
    url: `${URL_OF_APP}/icon.webp`,
    config,
    compress: false,
    handler: async (request, reply) => sendPageIcon({ services, request, reply }),
  });
}

/** An app as its page shows it; its id is the product's. */
export interface ShownApp extends Listing {
  readonly id: string;
  /** An address of the web. */
  readonly icon: string | null;
  /** In bytes; 0: not known. */
  readonly size: number;
  /** The checksum of the file, in lower-case hexadecimal; null: not known. */
  readonly sha256: string | null;
  readonly link: string;
  /** Null: the file is here. */
  readonly away: RemoteFile | null;
  /** The version that it was released as; null: it was not given. */
  readonly releaseVersion: string | null;
  /** What is new in it; null: nothing was said. */
  readonly releaseNotes: string | null;
  /** The time at which the app itself was published (ISO). */
  readonly publishedAt: string | null;
}

async function documentOf({
  services,
  request,
}: Omit<PublicApiRequest, 'reply'>): Promise<DataDocument> {
  const viewer = await viewerOf(services, request);
  parseQuery('publishedApp', parametersIn(request), 'nothing');
  const app = await shownApp(services, viewer, nameIn(request));
  const record = { ...app, version: 0 };
  return { jsonapi: JSONAPI, data: presentRecord('publishedApp', record) };
}

const nameIn = ({ params }: FastifyRequest): string => (params as { readonly id: string }).id;

/**
 * Returns the published app of the product with that id or package name.
 *
 * @throws ProblemError 404 where there is none for `viewer`; 503 while its texts cannot be had
 */
export async function shownApp(
  services: Services,
  viewer: Viewer | null,
  name: string,
): Promise<ShownApp> {
  const found = await services.db.read((tx) => findApp(tx, viewer, name));
  if (found === null) throw new ProblemError({ code: 'not-found' });
  const { manifest, apk, about } = found;
  const { product } = apk;
  const file = await fileOfPublished(services, apk);
  const { icon, ...listing } = await listingOf(services, manifest);
  const home = services.config.publicUrl;
  return {
    id: product,
    ...listing,
    icon: iconAt(services, product, icon),
    size: file.sizeBytes ?? 0,
    sha256: sha256Of(file),
    away: await remoteFileOf(services, product, file),
    link: `${home}${filePaths.publishedFile(product, 'apk')}`,
    ...about,
  };
}

/** Returns the address from which browsers have the icon that is at `place`. */
const iconAt = ({ config }: Services, product: string, place: string | null): string | null =>
  place === null || isOfTheWeb(place)
    ? place
    : `${config.publicUrl}${filePaths.publishedApp(product)}/icon`;

/**
 * Returns the address of an app's icon, as long as no engine elsewhere has to be asked for it; null:
 * it has none, or none at hand.
 */
export async function iconAtHand(services: Services, product: string): Promise<string | null> {
  const manifest = await services.db.read((tx) => newestOf(tx, product, 'play-listing-manifest'));
  if (manifest === null) return null;
  const isHere = manifest.address?.startsWith('bundled:') === true;
  const listing = isHere
    ? await listingOf(services, manifest).catch(nothingIfRefused)
    : await keptListing(services, manifest.publication);
  return iconAt(services, product, listing?.icon ?? null);
}

function nothingIfRefused(error: unknown): null {
  if (error instanceof ProblemError) return null;
  throw error;
}

interface FoundApp {
  /** The listing's manifest. */
  readonly manifest: Published;
  readonly apk: Published;
  readonly about: Pick<ShownApp, 'releaseVersion' | 'releaseNotes' | 'publishedAt'>;
}

async function findApp(
  tx: DatabaseTransaction,
  viewer: Viewer | null,
  name: string,
): Promise<FoundApp | null> {
  const product = await productFor(tx, viewer, name);
  const manifest = product === null ? null : await newestOf(tx, product, 'play-listing-manifest');
  const apk = manifest === null ? null : await newestOf(tx, manifest.product, 'apk');
  if (manifest === null || apk === null) return null;
  return { manifest, apk, about: await aboutOf(tx, apk) };
}

/** Returns which version was published, what is new in it, and when. */
export async function aboutOf(
  tx: DatabaseTransaction,
  { artifact, publication }: Published,
): Promise<FoundApp['about']> {
  const build = await tx.one('productBuild', artifact.productBuild ?? '');
  const release = await tx.one('productPublication', publication);
  return {
    releaseVersion: release?.releaseVersion ?? build?.buildVersion ?? null,
    releaseNotes: release?.releaseNotes ?? null,
    publishedAt: release?.dateUpdated ?? artifact.dateCreated,
  };
}

interface PublishedListing extends Listing {
  /** The place of the icon: an address of the web, or as the bundled engine's places store it. */
  readonly icon: string | null;
}

/** A listing that could not be had is requested again after this time. */
const HOLDS_MS = 60_000;

/** Of an app with many languages an engine is asked for hundreds of files, and anybody may ask. */
const shareReading = createSharedCalls<PublishedListing>();

/**
 * Reads the listing from the engine once, and keeps it with the publication. @throws ProblemError
 * 404, 503
 */
async function listingOf(services: Services, published: Published): Promise<PublishedListing> {
  const { publication } = published;
  const kept = await keptListing(services, publication);
  if (kept !== null) return kept;
  return shareReading(services.db, publication, async () => {
    // Another reading may have ended since the question above was answered.
    const meanwhile = await keptListing(services, publication);
    return meanwhile ?? readAndKeep(services, published);
  });
}

async function keptListing(
  { db, clock }: Services,
  publication: string,
): Promise<PublishedListing | null> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<{ readonly listing: PublishedListing }>`select listing from published_apps
        where product_publication_id = ${publication} and (holds_until is null
          or holds_until > ${new Date(clock()).toISOString()}::timestamptz)`,
    ),
  );
  return row?.listing ?? null;
}

async function readAndKeep(
  services: Services,
  { publication, ...published }: Published,
): Promise<PublishedListing> {
  const { db, clock } = services;
  const { listing, isWhole } = await readFromEngine(services, published);
  const until = isWhole ? null : new Date(clock() + HOLDS_MS).toISOString();
  await db.transact((tx) =>
    tx.query(sql`insert into published_apps (product_publication_id, listing, holds_until)
      select id, ${JSON.stringify(listing)}::text::jsonb, ${until}::timestamptz
        from product_publications where id = ${publication}
      on conflict (product_publication_id)
        do update set listing = excluded.listing, holds_until = excluded.holds_until,
          page_icon = null`),
  );
  return listing;
}

type Read = Awaited<ReturnType<typeof readListing>>;

async function readFromEngine(
  services: Services,
  { product, artifact, address }: Omit<Published, 'publication'>,
): Promise<Pick<Read, 'isWhole'> & { readonly listing: PublishedListing }> {
  const found = await findFile(services, product, address, describedBy(artifact));
  const text = await textOf(services, product, found);
  // An engine that is away says as little as one that has lost the file.
  if (text === null) throw new ProblemError({ code: 'unavailable' }, { 'Retry-After': '60' });
  const manifest = manifestIn(text);
  if (manifest === null) throw new ProblemError({ code: 'not-found' });
  const { icon, url } = manifest;
  const isHere = found.is === 'here';
  const listingFiles = isHere
    ? localListingFiles(found, url)
    : remoteListingFiles((each) => textAt(services, product, each), found.url, url);
  const { listing, isWhole } = await readListing(manifest, listingFiles.text);
  const place = icon === null ? null : listingFiles.locate(icon);
  const kept =
    place !== null && isHere ? enginePathsIn(services.config.dataDir).stored(place) : place;
  return { listing: { ...listing, icon: kept }, isWhole };
}

async function textOf(
  services: Services,
  product: string,
  found: FoundFile,
): Promise<string | null> {
  return found.is === 'here'
    ? readFile(found.path, 'utf8').catch(() => null)
    : textAt(services, product, found.url);
}

/**
 * Reads the text through the engine of the product's organization, which limits the hosts that may
 * be called.
 */
async function textAt({ db, engines }: Services, of: string, url: string): Promise<string | null> {
  const engine = await db.read(async (tx) => {
    const product = await tx.one('product', of);
    const project = await tx.one('project', product?.project ?? '');
    return project === null ? null : engines.of(tx, project.organization);
  });
  return engine === null ? null : engine.engine.text(url);
}

/** Sends an icon of the bundled engine. @throws ProblemError 404 */
async function sendIcon(apiRequest: PublicApiRequest): Promise<FastifyReply> {
  const { request, reply } = apiRequest;
  const { path } = await iconOf(apiRequest);
  return sendFile(request, reply, {
    path,
    filename: 'icon.png',
    contentType: 'image/png',
    isInline: true,
  });
}

/** Sends the same icon as small as the download page shows it. @throws ProblemError 404 */
async function sendPageIcon(apiRequest: PublicApiRequest): Promise<FastifyReply> {
  const { services, reply } = apiRequest;
  const picture = await pageIconOf(services, await iconOf(apiRequest));
  // It is asked for anew each time, for its project may have become private; mostly it is not sent.
  return reply
    .headers({ 'Content-Type': 'image/webp', 'Cache-Control': 'private, no-cache' })
    .send(picture);
}

interface OwnIcon {
  /** The publication whose app it is of. */
  readonly publication: string;
  readonly path: string;
}

/** Returns the icon of the bundled engine that is asked for. @throws ProblemError 404 */
async function iconOf({ services, request }: Omit<PublicApiRequest, 'reply'>): Promise<OwnIcon> {
  const viewer = await viewerOf(services, request);
  parseQuery('publishedApp', parametersIn(request), 'nothing');
  const found = await services.db.read((tx) => findApp(tx, viewer, nameIn(request)));
  const icon = found === null ? null : (await listingOf(services, found.manifest)).icon;
  if (found === null || icon === null || isOfTheWeb(icon))
    throw new ProblemError({ code: 'not-found' });
  const path = enginePathsIn(services.config.dataDir).absolute(icon);
  return { publication: found.manifest.publication, path };
}

/** Makes the picture once, and keeps it with the publication. @throws ProblemError 404 */
async function pageIconOf({ db, log }: Services, { publication, path }: OwnIcon): Promise<Buffer> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<{ readonly icon: string | null }>`select page_icon as icon from published_apps
        where product_publication_id = ${publication}`,
    ),
  );
  if (typeof row?.icon === 'string') return Buffer.from(row.icon, 'base64');

  const picture = await pageIconAt(path).catch((error: unknown) => {
    log.warn({ error, publication }, 'The icon of a published app cannot be read');
    throw new ProblemError({ code: 'not-found' });
  });
  await db.transact((tx) =>
    tx.query(sql`update published_apps set page_icon = ${picture.toString('base64')}
      where product_publication_id = ${publication}`),
  );
  return picture;
}

const isOfTheWeb = (place: string): boolean => /^https?:/.test(place);
