import type { Services } from '../../domain/services.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';

/** The location of a file on a build engine elsewhere. */
export interface RemoteFile {
  readonly url: string;
  /** The host as people read it, with a port that is not the usual one. */
  readonly host: string;
  /**
   * The file has the origin of the engine that the product's organization uses: the reader does not
   * have to be asked.
   */
  readonly isOfEngine: boolean;
}

/**
 * Returns the remote file; null: the file is here. An engine names any address for a file, so an
 * address of ours leads straight to the organization's engine alone, by the same protocol, and to
 * nobody else's host (domain 2.9).
 */
export async function remoteFileOf(
  { db, engines }: Pick<Services, 'db' | 'engines'>,
  of: string,
  found: FoundFile,
): Promise<RemoteFile | null> {
  if (found.is === 'here') return null;
  const { url } = found;
  const { host, origin } = new URL(url);
  const engine = await db.read(async (tx) => {
    const product = await tx.one('product', of);
    const project = await tx.one('project', product?.project ?? '');
    return project === null ? null : (await engines.of(tx, project.organization)).url;
  });
  return { url, host, isOfEngine: engine !== null && new URL(engine).origin === origin };
}
