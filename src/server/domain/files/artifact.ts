import { sql } from 'kysely';
import { PREVIEWS } from '#protocol/file-paths.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';

/** The engine reports on its own work in these artifacts. */
const LOGS: ReadonlySet<string | null> = new Set(['consoleText', 'cloudWatch']);

/** A log is for those who may read the console; other artifacts are for those who may download files. */
export const isLog = (artifactType: string | null): boolean => LOGS.has(artifactType);

const previews: ReadonlySet<string | null> = new Set(PREVIEWS);

/** A preview is looked at in the browser; it is one page that needs no other file. */
export const isPreview = (artifactType: string | null): boolean => previews.has(artifactType);

/** The record describes the file, as far as the engine has told about it. */
export const describedBy = (artifact: Of<'productArtifact'>) => ({
  filename: artifact.filename ?? artifact.artifactType ?? 'file',
  contentType: artifact.contentType,
  sizeBytes: artifact.fileSize,
  updated: artifact.updated,
});

/** The engine has the file of an artifact at this address; null when it named none. */
export async function addressOf(tx: DatabaseTransaction, artifact: string): Promise<string | null> {
  const [row] = await tx.query(
    sql<{ readonly address: string }>`select address from artifact_addresses
      where product_artifact_id = ${artifact}`,
  );
  return row?.address ?? null;
}
