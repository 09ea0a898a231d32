import { sql } from 'kysely';
import type { Clock, Random } from '#base/id.ts';
import type { EngineDatabase, EngineTx } from './host.ts';
import { known } from './bundled-rows.ts';
import { EngineError } from '#protocol/engine.ts';
import type {
  BuildRequest,
  EngineJob,
  EngineProject,
  JobRequest,
  ProjectRequest,
  ReleaseRequest,
} from '#protocol/engine.ts';
import { projectAt, repositoryUrl } from './engine-paths.ts';
import type { Repositories } from './repositories.ts';

/** The calls that ask the bundled engine for something new. */

interface Calls {
  readonly db: EngineDatabase;
  readonly clock: Clock;
  readonly random: Random;
  readonly repositories: Repositories;
}

interface Id {
  readonly id: number;
}

/** Writes JSON without NUL, which the database would not take. */
const json = (value: unknown) => sql`${JSON.stringify(value, withoutNul)}::text::jsonb`;

const withoutNul = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value;

/**
 * A number for a project or a job. Whoever names it is answered: so nobody can guess one, nor has
 * by chance the same one from an engine elsewhere, which an organization used before.
 */
const newNumber = (random: Random): number =>
  1 + random(new Uint8Array(6)).reduce((number, byte) => number * 256 + byte, 0);

export function createProject(calls: Calls, request: ProjectRequest): Promise<EngineProject> {
  return calls.db.transact((tx) => makeProject(tx, calls, request));
}

/** Makes the project within a transaction. */
export async function makeProject(
  tx: EngineTx,
  { clock, random }: Pick<Calls, 'clock' | 'random'>,
  { appId, projectName, languageCode }: ProjectRequest,
): Promise<EngineProject> {
  const id = newNumber(random);
  await tx.query(sql`insert into engine_projects
    (id, app_id, project_name, language_code, created)
    values (${id}, ${appId}, ${projectName}, ${languageCode}, ${now(clock)})`);
  return readProject(tx, id);
}

/** A repository is a folder: there is nothing to wait for. */
export async function readProject(tx: EngineTx, id: number): Promise<EngineProject> {
  known((await tx.query(sql<Id>`select id from engine_projects where id = ${id}`))[0]);
  return { id, status: 'completed', result: 'SUCCESS', error: null, url: repositoryUrl(id) };
}

export function createJob(calls: Calls, request: JobRequest): Promise<EngineJob> {
  return calls.db.transact((tx) => makeJob(tx, calls, request));
}

/** Makes the job within a transaction. */
export async function makeJob(
  tx: EngineTx,
  { clock, random }: Pick<Calls, 'clock' | 'random'>,
  { requestId, gitUrl, appId, publisherId }: JobRequest,
): Promise<EngineJob> {
  const project = projectAt(gitUrl);
  const found = await tx.query(sql<Id>`select id from engine_projects where id = ${project}`);
  // The project was made by another engine, or is gone.
  if (found.length === 0) throw new EngineError('no-usable-answer');
  await tx.query(sql`insert into engine_jobs
    (id, request_id, project_id, app_id, publisher_id, created)
    values (${newNumber(random)}, ${requestId}, ${project}, ${appId}, ${publisherId}, ${now(clock)})
    on conflict (request_id) do nothing`);
  const [job] = await tx.query(sql<Id>`select id from engine_jobs where request_id = ${requestId}`);
  return readJob(tx, known(job).id);
}

export async function readJob(tx: EngineTx, id: number): Promise<EngineJob> {
  const [row] = await tx.query(
    sql<Omit<EngineJob, 'gitUrl'> & { readonly project: number }>`select id, project_id as project,
      request_id as "requestId", publisher_id as "publisherId" from engine_jobs where id = ${id}`,
  );
  const { project, ...job } = known(row);
  return { ...job, gitUrl: repositoryUrl(project) };
}

/** Builds what the repository holds now, however long the build waits. */
export async function createBuild(
  { db, clock, repositories }: Calls,
  job: number,
  { targets, environment }: BuildRequest,
): Promise<number> {
  const [found] = await db.read((tx) =>
    tx.query(
      sql<{ readonly project: number }>`select project_id as project from engine_jobs
        where id = ${job}`,
    ),
  );
  const content = await repositories.newest(known(found).project);
  return db.transact(async (tx) => {
    // One after the other: no two builds of an app have the same version.
    await tx.query(sql`select id from engine_jobs where id = ${job} for update`);
    const [made] = await tx.query(
      sql<Id>`insert into engine_builds (job_id, targets, environment, content, version_code,
          status, files, log_tail, taken, interrupted, created, updated)
        values (${job}, ${json(targets)}, ${json(environment)}, ${content?.number ?? null},
          (select coalesce(max(version_code), 0) + 1 from engine_builds where job_id = ${job}),
          'accepted', '[]', '', 0, 0, ${now(clock)}, ${now(clock)})
        returning id`,
    );
    return known(made).id;
  });
}

/**
 * Returns the same one while it is under way or its answer was lost: a caller that got no answer
 * asks again.
 */
export function createRelease(
  { db, clock }: Calls,
  job: number,
  build: number,
  { channel, targets, environment, heard }: ReleaseRequest,
): Promise<number> {
  const isUnheard = heard === undefined ? sql`false` : sql`id <> all(${[...heard]}::bigint[])`;
  return db.transact(async (tx) => {
    const [of] = await tx.query(
      sql<Id>`select id from engine_builds where id = ${build} and job_id = ${job} for update`,
    );
    known(of);
    const [same] = await tx.query(
      sql<Id>`select id from engine_releases where build_id = ${build}
        and (status <> 'completed' or ${isUnheard})
        and channel = ${channel} and targets = ${json(targets)}
        and environment = ${json(environment)} order by id desc limit 1`,
    );
    if (same !== undefined) return same.id;
    const [made] = await tx.query(
      sql<Id>`insert into engine_releases (build_id, channel, targets, environment, status, files,
          taken, interrupted, created, updated)
        values (${build}, ${channel}, ${json(targets)}, ${json(environment)}, 'accepted', '[]',
          0, 0, ${now(clock)}, ${now(clock)})
        returning id`,
    );
    return known(made).id;
  });
}

const now = (clock: Clock): string => new Date(clock()).toISOString();
