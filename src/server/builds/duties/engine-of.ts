import type { Parts } from '../../parts.ts';
import type { BuildEngine } from '../engine.ts';
import type { Engines } from '../which-engine.ts';

/** What has the engines at hand. */
export interface BuildParts extends Parts {
  readonly engines: Pick<Engines, 'of'>;
}

const REMOTE_EVERY_MS = 30_000;
const BUNDLED_EVERY_MS = 2_000;

/** The engine of an organization, and how often to look what it is at (domain 11.2). */
export async function engineOf(
  { db, engines }: BuildParts,
  organization: string,
): Promise<{ readonly engine: BuildEngine; readonly pollEveryMs: number }> {
  const { engine, url } = await db.read((tx) => engines.of(tx, organization));
  return { engine, pollEveryMs: url === null ? BUNDLED_EVERY_MS : REMOTE_EVERY_MS };
}
