import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { mayDownloadFiles, mayReadConsole } from '#rules/product.ts';
import type { Of } from '#schema/index.ts';
import type { Tx } from '../../db/database.ts';
import { idIn, questionIn } from '../api/asked.ts';
import type { Asked } from '../api/asked.ts';
import { requireSeen } from '../api/reading.ts';
import { addressOf, describedBy, isLog } from '../../domain/files/artifact.ts';
import { findFile } from '../../domain/files/found.ts';
import type { Found } from '../../domain/files/found.ts';

/** A file that members reach by its record. */
export interface MemberFile {
  /** The product that an engine made it for. */
  readonly product: string;
  readonly found: Found;
}

/** @throws ProblemError 403, 404 */
export async function artifactFile(asked: Asked): Promise<MemberFile> {
  const { parts, caller, request } = asked;
  const id = idIn(request);
  await questionIn(asked, 'productArtifact', 'nothing');
  const { artifact, address } = await parts.db.read(async (tx) => {
    await requireSeen(tx, caller.viewer, 'productArtifact', id);
    const found = await required(tx, 'productArtifact', id);
    const project = await projectOf(tx, found.product);
    const may = isLog(found.artifactType) ? mayReadConsole : mayDownloadFiles;
    if (!may(caller.viewer, project)) throw new ProblemError({ code: 'forbidden' });
    return { artifact: found, address: await addressOf(tx, id) };
  });
  const product = artifact.product ?? '';
  return { product, found: await findFile(parts, product, address, describedBy(artifact)) };
}

const CONSOLES = {
  productBuild: { table: 'build_facts', key: 'product_build_id' },
  productPublication: { table: 'release_facts', key: 'product_publication_id' },
} as const;

/** What the engine said, of a build or a publication. @throws ProblemError 403, 404 */
export const consoleOf =
  (type: keyof typeof CONSOLES) =>
  async (asked: Asked): Promise<MemberFile> => {
    const { parts, caller, request } = asked;
    const id = idIn(request);
    await questionIn(asked, type, 'nothing');
    const { table, key } = CONSOLES[type];
    const { product, address } = await parts.db.read(async (tx) => {
      await requireSeen(tx, caller.viewer, type, id);
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
    return { product, found: await findFile(parts, product, address, { filename, ...unknown }) };
  };

async function projectOf(tx: Tx, product: string | null): Promise<Of<'project'>> {
  return required(tx, 'project', (await required(tx, 'product', product ?? '')).project);
}

async function required<
  T extends 'product' | 'project' | 'productArtifact' | keyof typeof CONSOLES,
>(tx: Tx, type: T, id: string): Promise<Of<T>> {
  const record = await tx.one(type, id);
  if (record === null) throw new ProblemError({ code: 'not-found' });
  return record;
}
