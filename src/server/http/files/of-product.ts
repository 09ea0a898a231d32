import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadFiles, mayReadConsole } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { idIn, recordQueryIn } from '../api/api-request.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { requireVisible } from '../api/reading.ts';
import { addressOf, describedBy, isLog, isPreview } from '../../domain/files/artifact.ts';
import { findFile } from '../../domain/files/found-file.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';
import type { OpensAs } from './opens-as.ts';

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

/** Returns the engine's console text of a build or a publication. @throws ProblemError 403, 404 */
export const consoleOf =
  (type: keyof typeof CONSOLES) =>
  async (apiRequest: ApiRequest): Promise<MemberFile> => {
    const { services, caller, request } = apiRequest;
    const id = idIn(request);
    await recordQueryIn(apiRequest, type, 'nothing');
    const { table, key } = CONSOLES[type];
    const { product, address } = await services.db.read(async (tx) => {
      await requireVisible(tx, caller.viewer, type, id);
      const record = await required(tx, type, id);
      if (!mayReadConsole(caller.viewer, await projectOf(tx, record.product)))
        throw new ProblemError({ code: 'forbidden' });
      const [row] = await tx.query(
        sql<{ readonly address: string | null }>`select console_address as address
          from ${sql.table(table)} where ${sql.id(key)} = ${id}`,
      );
      return { product: record.product ?? '', address: row?.address ?? null };
    });
    const filename = type === 'productBuild' ? 'build-console.txt' : 'publication-console.txt';
    const unknown = { contentType: null, sizeBytes: null, updated: null };
    const found = await findFile(services, product, address, { filename, ...unknown });
    return { product, found, opens: 'text' };
  };

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
