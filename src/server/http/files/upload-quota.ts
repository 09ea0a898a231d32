import { sql } from 'kysely';
import { ProblemError } from '#protocol/problem.ts';
import { projectAt } from '#engine/engine-paths.ts';
import type { KeptContent } from '#engine/repositories.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import type { Services } from '../../domain/services.ts';
import type { Repository } from './repository-of.ts';

/** The limits of the uploads that an organization may keep (wire 15.2). */
export interface UploadLimits {
  readonly bytes: number;
  /** This many of each project are never removed to make room. */
  readonly newest: number;
}

const LIMITS: UploadLimits = { bytes: 5 * 2 ** 30, newest: 10 };

/**
 * Uploads of one organization that arrive together are judged one after the other: each holds this
 * lock, over all processes, until `tx` ends, and is kept before that. A process that dies meanwhile
 * gives the lock up.
 */
export async function lockUploads(tx: DatabaseTransaction, { project }: Repository): Promise<void> {
  const lock = `uploads ${project.organization}`;
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
}

/**
 * Removes old uploads for an upload of `sizeBytes` to a project: those of its organization go, the
 * oldest first, but none of the newest of its project and none that a build waits for.
 *
 * @param tx holds the lock of `lockUploads`
 * @throws ProblemError 413 when that is not enough, and then nothing goes
 */
export async function evictOldUploads(
  tx: DatabaseTransaction,
  { engines }: Pick<Services, 'engines'>,
  { project, place }: Repository,
  sizeBytes: number,
  { bytes, newest }: UploadLimits = LIMITS,
): Promise<void> {
  const { repositories } = engines.bundled;
  const { places, wanted } = await ofOrganization(tx, project.organization);
  const kept = await repositories.kept(places);
  const sum = kept.reduce((all, one) => all + one.sizeBytes, sizeBytes);
  if (sum <= bytes) return;

  // This upload will be the newest of its own project.
  const own: KeptContent = { project: place, number: Infinity, path: '', sizeBytes, at: Infinity };
  const old = olderThanNewest([...kept, own], newest)
    .filter(({ project: of, number }) => !wanted.has(`${of}/${number}`))
    // Two uploads can have the same time; their numbers tell which came first.
    .sort((a, b) => a.at - b.at || a.number - b.number);
  const going: KeptContent[] = [];
  let left = sum;
  for (const one of old) {
    if (left <= bytes) break;
    left -= one.sizeBytes;
    going.push(one);
  }
  if (left > bytes) throw tooMuch(bytes, sum);
  for (const { project: of, number } of going) await repositories.remove(of, number);
}

function tooMuch(limit: number, sum: number): ProblemError {
  return new ProblemError({
    code: 'too-large',
    meta: { limit, sum, reason: 'organization-full' },
    detail: 'The stored uploads of the organization would be larger than it may have.',
  });
}

function olderThanNewest(kept: readonly KeptContent[], newest: number): KeptContent[] {
  const byProject = new Map<number, KeptContent[]>();
  for (const one of kept) byProject.set(one.project, [...(byProject.get(one.project) ?? []), one]);
  return [...byProject.values()].flatMap((all) =>
    all.sort((a, b) => b.number - a.number).slice(newest),
  );
}

/**
 * Returns where the organization's content is, and which uploads builds requested and have not used
 * yet.
 */
async function ofOrganization(tx: DatabaseTransaction, organization: string) {
  const urls = await tx.query(
    sql<{ readonly url: string }>`select workflow_project_url as url from projects
      where organization_id = ${organization} and workflow_project_url is not null`,
  );
  const builds = await tx.query(
    sql<{ readonly content: string }>`select job.project_id || '/' || build.content as content
      from engine_builds build join engine_jobs job on job.id = build.job_id
      where build.status <> 'completed' and build.content is not null`,
  );
  return {
    places: new Set(urls.flatMap(({ url }) => projectAt(url) ?? [])),
    wanted: new Set(builds.map(({ content }) => content)),
  };
}
