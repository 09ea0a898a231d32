import type { Services } from '../../services.ts';
import type { BuildEngine } from '#protocol/engine.ts';

const REMOTE_EVERY_MS = 30_000;
const BUNDLED_EVERY_MS = 2_000;

/** Returns the engine of an organization, and how often to poll it (domain 11.2). */
export async function engineOf(
  { db, engines }: Services,
  organization: string,
): Promise<{ readonly engine: BuildEngine; readonly pollEveryMs: number }> {
  const { engine, url } = await db.read((tx) => engines.of(tx, organization));
  return { engine, pollEveryMs: url === null ? BUNDLED_EVERY_MS : REMOTE_EVERY_MS };
}
