import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import type { FileOnDisk, RunningLog } from '#engine/bundled-engine.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../services.ts';

/** The facts about a file that its record has. */
interface Described {
  readonly filename: string;
  readonly contentType: string | null;
  readonly sizeBytes: number | null;
  readonly updated: string | null;
}

/** A file that a build engine keeps: the bundled one on our disk, another one elsewhere. */
export type FoundFile = Described &
  (
    | {
        readonly is: 'here';
        readonly path: string;
        /** The checksum, in lower-case hexadecimal; null: not known. */
        readonly sha256: string | null;
      }
    | { readonly is: 'elsewhere'; readonly url: string }
  );

/**
 * Returns the file at an address that an engine gave for `product`.
 *
 * @throws ProblemError 404 when nothing can be had there
 */
export async function findFile(
  { db, engines }: Pick<Services, 'db' | 'engines'>,
  product: string,
  address: string | null,
  described: Described,
): Promise<FoundFile> {
  if (address === null) throw new ProblemError({ code: 'not-found' });
  if (/^https?:\/\//i.test(address) && URL.canParse(address))
    return { is: 'elsewhere', url: new URL(address).href, ...described };
  const isOfProduct = await db.read((tx) => isBuiltFor(tx, address, product));
  return foundOnDisk(isOfProduct ? await engines.bundled.fileAt(address) : null, described);
}

/** Returns the checksum of a file; null: it lies elsewhere, or nobody has reckoned it. */
export const sha256Of = (file: FoundFile): string | null =>
  file.is === 'here' ? file.sha256 : null;

/** @throws ProblemError 404 when it is not there */
export async function foundOnDisk(
  file: FileOnDisk | null,
  described: Described,
): Promise<FoundFile> {
  const found = file === null ? null : await stat(file.path).catch(() => null);
  if (file === null || found === null) throw new ProblemError({ code: 'not-found' });
  return {
    is: 'here',
    path: file.path,
    sha256: file.sha256,
    filename: described.filename,
    contentType: file.contentType,
    sizeBytes: found.size,
    updated: found.mtime.toISOString(),
  };
}

/**
 * Returns the log of a build that the organization's engine works on; null where that is an engine
 * elsewhere, or does not work on it.
 *
 * @param build the engine's number of it; null: it has none
 */
export async function findRunningLog(
  { db, engines }: Pick<Services, 'db' | 'engines'>,
  product: string,
  organization: string,
  build: number | null,
): Promise<RunningLog | null> {
  if (build === null) return null;
  const isOurs = await db.read(
    async (tx) =>
      (await engines.of(tx, organization)).url === null && (await isBuildFor(tx, build, product)),
  );
  return isOurs ? engines.bundled.runningLog(build) : null;
}

/**
 * Returns true when the build is the product's. Build numbers mean nothing by themselves, so the
 * engine's own job decides.
 */
async function isBuiltFor(
  tx: DatabaseTransaction,
  address: string,
  product: string,
): Promise<boolean> {
  const [, folder, id] = /^bundled:\/(builds|published)\/([1-9]\d{0,14})\//.exec(address) ?? [];
  if (id === undefined) return false;
  return folder === 'builds'
    ? isBuildFor(tx, Number(id), product)
    : isReleaseFor(tx, Number(id), product);
}

async function isBuildFor(tx: DatabaseTransaction, id: number, product: string): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from engine_builds build
    join engine_jobs job on job.id = build.job_id
    where build.id = ${id} and job.request_id = ${product}`);
  return rows.length > 0;
}

export async function isReleaseFor(
  tx: DatabaseTransaction,
  id: number,
  product: string,
): Promise<boolean> {
  const rows = await tx.query(sql`select 1 from engine_releases release
    join engine_builds build on build.id = release.build_id
    join engine_jobs job on job.id = build.job_id
    where release.id = ${id} and job.request_id = ${product}`);
  return rows.length > 0;
}
