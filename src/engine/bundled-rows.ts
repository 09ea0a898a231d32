import { sql } from 'kysely';
import type { EngineTx } from './host.ts';
import { EngineError } from '#protocol/engine.ts';
import { aheadOf } from './queue/fair-build-order.ts';
import type { EngineBuild, EngineRelease } from '#protocol/engine.ts';
import { urlOf } from './engine-paths.ts';
import type { StoredFile } from './engine-paths.ts';

/** The rows that the bundled engine keeps, in the form of the contract. */

interface BuildRow extends Omit<EngineBuild, 'targets' | 'artifacts'> {
  readonly targets: readonly string[];
  readonly files: readonly StoredFile[];
}

interface ReleaseRow extends Omit<EngineRelease, 'artifacts' | 'consoleText'> {
  readonly files: readonly StoredFile[];
  readonly publishLink: string | null;
}

/** Reads the builds of a job, or one build alone if `id` is given, in the order of their ids. */
export async function readBuilds(
  tx: EngineTx,
  job: number,
  id: number | null = null,
): Promise<EngineBuild[]> {
  const rows = await tx.query(
    sql<BuildRow>`select id, status, result, error, targets, files, updated,
        case status when 'accepted' then null else started end as started,
        case status when 'completed' then updated end as finished,
        log_tail as "logTail", status = 'active' as "hasLog", case status when 'accepted' then ${aheadOf(sql`build.id`)} end
        as "queuePosition"
      from engine_builds build
      where job_id = ${job} and (${id}::bigint is null or id = ${id}) order by id`,
  );
  return rows.map(({ files, targets, ...row }) => ({
    ...row,
    targets: targets.join(' '),
    artifacts: Object.fromEntries(files.map(({ type, path }) => [type, urlOf(path)])),
  }));
}

export async function readBuild(tx: EngineTx, job: number, id: number): Promise<EngineBuild> {
  return known((await readBuilds(tx, job, id))[0]);
}

export async function readRelease(
  tx: EngineTx,
  job: number,
  build: number,
  id: number,
): Promise<EngineRelease> {
  const [row] = await tx.query(
    sql<ReleaseRow>`select release.id, release.status, release.result, release.error,
        release.channel, release.files, release.updated, release.publish_link as "publishLink"
      from engine_releases release join engine_builds build on build.id = release.build_id
      where release.id = ${id} and build.id = ${build} and build.job_id = ${job}`,
  );
  const { files, publishLink, ...rest } = known(row);
  const console = files.find(({ type }) => type === 'consoleText');
  return {
    ...rest,
    artifacts: publishLink === null ? {} : { publishUrl: publishLink },
    consoleText: console === undefined ? null : urlOf(console.path),
  };
}

/** Reads a file that a build made or a release published; null when there is no such file. */
export async function readFileOf(
  tx: EngineTx,
  table: 'engine_builds' | 'engine_releases',
  id: number,
  isIt: (file: StoredFile) => boolean,
): Promise<StoredFile | null> {
  const [row] = await tx.query(
    sql<{ readonly files: readonly StoredFile[] }>`select files from ${sql.table(table)}
      where id = ${id}`,
  );
  return row?.files.find(isIt) ?? null;
}

/** How far the log of a build is. */
export interface LogRow {
  /** The attempt that writes it, or wrote it. */
  readonly taken: number;
  readonly isComplete: boolean;
}

/** Reads which attempt writes the log of a build; null while the build waits. */
export async function readLogOf(tx: EngineTx, id: number): Promise<LogRow | null> {
  const [row] = await tx.query(
    sql<LogRow>`select taken, status = 'completed' as "isComplete" from engine_builds
      where id = ${id} and status <> 'accepted'`,
  );
  return row ?? null;
}

/** @throws EngineError where nothing was found */
export function known<T>(found: T | undefined): T {
  if (found === undefined) throw new EngineError('unknown');
  return found;
}
