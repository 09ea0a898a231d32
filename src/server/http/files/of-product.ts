import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadFiles, mayReadConsole } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { idIn, recordQueryIn } from '../api/api-request.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { requireVisible } from '../api/reading.ts';
import { addressOf, describedBy, isLog, isPreview } from '../../domain/files/artifact.ts';
import { attemptAt } from '#engine/engine-paths.ts';
import { findFile, findRunningLog, foundOnDisk } from '../../domain/files/found-file.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';
import { PLAIN } from './opens-as.ts';
import type { OpensAs } from './opens-as.ts';
import { externalEngine } from './repository-of.ts';

/** A file that members reach by its record. */
export interface MemberFile {
  /** The product that an engine made it for. */
  readonly product: string;
  readonly opens: OpensAs;
  readonly found: FoundFile;
}

/** @throws ProblemError 403, 404 */
export async function artifactFile(apiRequest: ApiRequest): Promise<MemberFile> {
  const { services, caller, request } = apiRequest;
  const id = idIn(request);
  await recordQueryIn(apiRequest, 'productArtifact', 'nothing');
  const { artifact, address } = await services.db.read(async (tx) => {
    await requireVisible(tx, caller.viewer, 'productArtifact', id);
    const found = await required(tx, 'productArtifact', id);
    const project = await projectOf(tx, found.product);
    const may = isLog(found.artifactType) ? mayReadConsole : mayDownloadFiles;
    if (!may(caller.viewer, project)) throw new ProblemError({ code: 'forbidden' });
    return { artifact: found, address: await addressOf(tx, id) };
  });
  const product = artifact.product ?? '';
  const found = await findFile(services, product, address, describedBy(artifact));
  return { product, found, opens: isPreview(artifact.artifactType) ? 'page' : 'download' };
}

const CONSOLES = {
  productBuild: { table: 'build_facts', key: 'product_build_id' },
  productPublication: { table: 'release_facts', key: 'product_publication_id' },
} as const;

export type ConsoleOwner = keyof typeof CONSOLES;

/** No record describes the text of a console. */
const UNDESCRIBED = { filename: '', contentType: null, sizeBytes: null, updated: null } as const;

/** Returns the engine's console text of a build or a publication. @throws ProblemError 403, 404 */
export const consoleOf =
  (type: ConsoleOwner) =>
  async (apiRequest: ApiRequest): Promise<MemberFile> => {
    const { services } = apiRequest;
    const { product, organization, address, build } = await readableConsole(apiRequest, type);
    const filename = type === 'productBuild' ? 'build-console.txt' : 'publication-console.txt';
    const described = { ...UNDESCRIBED, filename };
    const running =
      address === null ? await findRunningLog(services, product, organization, build) : null;
    const found =
      running === null
        ? await findFile(services, product, address, described)
        : await foundOnDisk({ path: running.path, contentType: PLAIN, sha256: null }, described);
    return { product, found, opens: 'text' };
  };

/** A log that the bundled engine keeps. */
export interface FoundLog {
  readonly path: string;
  /** An `ETag`, the same while the log grows; another attempt at a build has another one. */
  readonly tag: string;
  /** Nothing is added any more. */
  readonly isComplete: boolean;
}

/**
 * Returns the log of a build or a publication, also while it grows.
 *
 * @throws ProblemError 403, 404; 409 where an engine elsewhere keeps it
 */
export async function findLog(apiRequest: ApiRequest, type: ConsoleOwner): Promise<FoundLog> {
  const { services } = apiRequest;
  const { product, organization, address, build } = await readableConsole(apiRequest, type);
  if (address !== null) {
    const found = await findFile(services, product, address, UNDESCRIBED);
    if (found.is === 'elsewhere') throw externalEngine();
    return { path: found.path, tag: tagOf(address), isComplete: true };
  }
  const running = await findRunningLog(services, product, organization, build);
  if (running !== null) return { ...running, tag: `"${String(build)}-${running.taken}"` };
  const { url } = await services.db.read((tx) => services.engines.of(tx, organization));
  throw url === null ? new ProblemError({ code: 'not-found' }) : externalEngine();
}

/** Names the attempt that wrote the log at an address of the bundled engine. */
function tagOf(address: string): string {
  const attempt = attemptAt(address);
  return attempt === null ? `"${address}"` : `"${attempt.build}-${attempt.taken}"`;
}

interface ReadableConsole {
  readonly product: string;
  readonly organization: string;
  /** The address that the engine gave; null before the end. */
  readonly address: string | null;
  /** The engine's number of a build whose log can be read before it has an address. */
  readonly build: number | null;
}

/** Returns the engine's number of a build whose result is not recorded yet. */
async function unfinishedBuild(tx: DatabaseTransaction, id: string): Promise<number | null> {
  const { success, buildId } = await required(tx, 'productBuild', id);
  return success === null ? buildId : null;
}

/** @throws ProblemError 403, 404 */
async function readableConsole(
  apiRequest: ApiRequest,
  type: ConsoleOwner,
): Promise<ReadableConsole> {
  const { services, caller, request } = apiRequest;
  const id = idIn(request);
  await recordQueryIn(apiRequest, type, 'nothing');
  const { table, key } = CONSOLES[type];
  return services.db.read(async (tx) => {
    await requireVisible(tx, caller.viewer, type, id);
    const record = await required(tx, type, id);
    const project = await projectOf(tx, record.product);
    if (!mayReadConsole(caller.viewer, project)) throw new ProblemError({ code: 'forbidden' });
    const [row] = await tx.query(
      sql<{ readonly address: string | null }>`select console_address as address
        from ${sql.table(table)} where ${sql.id(key)} = ${id}`,
    );
    return {
      product: record.product ?? '',
      organization: project.organization,
      address: row?.address ?? null,
      build: type === 'productBuild' ? await unfinishedBuild(tx, id) : null,
    };
  });
}

async function projectOf(tx: DatabaseTransaction, product: string | null): Promise<Of<'project'>> {
  return required(tx, 'project', (await required(tx, 'product', product ?? '')).project);
}

async function required<
  T extends 'product' | 'project' | 'productArtifact' | keyof typeof CONSOLES,
>(tx: DatabaseTransaction, type: T, id: string): Promise<Of<T>> {
  const record = await tx.one(type, id);
  if (record === null) throw new ProblemError({ code: 'not-found' });
  return record;
}
