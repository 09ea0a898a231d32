import { sql } from 'kysely';
import type { DatabaseTransaction, WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import type { Job } from '../../../db/jobs/job-data.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import type { Services } from '../../services.ts';
import { readArtifacts } from '../artifacts.ts';
import { engineJobStateOf } from '#protocol/engine.ts';
import type { BuildEngine, EngineBuild, EngineError, EngineRelease } from '#protocol/engine.ts';
import { engineOf } from './engine-of.ts';
import { engineTaskOf } from './engine-task.ts';
import { tryCall, retryJob, runWrite } from './retry-job.ts';
import { recordBuildResult, recordReleaseResult, NOTHING } from './record-engine-result.ts';
import type { EngineResult } from './record-engine-result.ts';

/** Looks how a build stands, writes down what is new, and comes back until it has ended. */
export async function watchBuild(parts: Services, id: string, attempt: JobAttempt): Promise<void> {
  const about = await parts.db.read((tx) => engineTaskOf(tx, 'productBuild', id));
  if (about === null) return;
  const { record, job, project } = about;
  const { buildId } = record;
  if (buildId === null || job === null) return;
  await watch(parts, attempt, {
    id,
    since: record.dateCreated,
    organization: project.organization,
    table: 'build_facts',
    fetchStatus: async (engine) => {
      const answer = await engine.build(job, buildId);
      return { answer, console: answer.artifacts.consoleText ?? answer.artifacts.cloudWatch };
    },
    note: async (write, phase, { logTail, queuePosition }) => {
      const now = await write.one('productBuild', id);
      const isSame =
        now === null ||
        (now.phase === phase && now.logTail === logTail && now.queuePosition === queuePosition);
      if (!isSame) await write.change('productBuild', id, { phase, logTail, queuePosition });
    },
    ended: (doing, ended) => recordBuildResult(doing, about, ended),
    pollJob: { name: 'watch-build', data: { build: id } },
  });
}

/** The same of a release. */
export async function watchRelease(
  parts: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const found = await parts.db.read(async (tx) => {
    const about = await engineTaskOf(tx, 'productPublication', id);
    const build = about?.record.productBuild ?? null;
    const built = build === null ? null : await tx.one('productBuild', build);
    return about === null ? null : { about, buildId: built?.buildId ?? null };
  });
  if (found === null) return;
  const { about, buildId } = found;
  const { record, job, project } = about;
  const { releaseId } = record;
  if (releaseId === null || buildId === null || job === null) return;
  await watch(parts, attempt, {
    id,
    since: record.dateCreated,
    organization: project.organization,
    table: 'release_facts',
    fetchStatus: async (engine) => {
      const answer = await engine.release(job, buildId, releaseId);
      return { answer, console: answer.consoleText ?? answer.artifacts.cloudWatch };
    },
    note: async (write, phase) => {
      const now = await write.one('productPublication', id);
      if (now !== null && now.phase !== phase)
        await write.change('productPublication', id, { phase });
    },
    ended: (doing, ended) => recordReleaseResult(doing, about, ended),
    pollJob: { name: 'watch-release', data: { publication: id } },
  });
}

interface Watched<A extends EngineBuild | EngineRelease> {
  readonly id: string;
  readonly since: string | null;
  readonly organization: string;
  readonly table: keyof typeof keys;
  readonly fetchStatus: (
    engine: BuildEngine,
  ) => Promise<{ readonly answer: A; readonly console: string | undefined }>;
  /** It goes on; not told again when nothing is new. */
  readonly note: (write: WriteTransaction, phase: string, answer: A) => Promise<void>;
  readonly ended: (doing: WriteContext, ended: EngineResult) => Promise<void>;
  readonly pollJob: Job;
}

async function watch<A extends EngineBuild | EngineRelease>(
  parts: Services,
  attempt: JobAttempt,
  watched: Watched<A>,
): Promise<void> {
  const { id, organization, table } = watched;
  const { engine, pollEveryMs } = await engineOf(parts, organization);
  const heard = await tryCall(() => watched.fetchStatus(engine));
  const lost = whyLost(parts, watched, heard.is === 'failed' ? heard.error : null);
  const end = (ended: EngineResult) =>
    runWrite(parts, async (doing) => {
      await attempt.complete(doing.write);
      await watched.ended(doing, ended);
    });
  if (heard.is === 'failed') {
    if (lost === null) await retryJob(parts, attempt, () => Promise.resolve(false));
    else await end({ isSuccess: false, error: lost, facts: NOTHING, console: null });
    return;
  }

  const { answer, console = null } = heard.answer;
  const wasDoubtful = await parts.db.read((tx) => isDoubtful(tx, table, id));
  const outcome = engineJobStateOf(answer, wasDoubtful);
  if (outcome.is === 'succeeded' || outcome.is === 'failed') {
    const facts = await readArtifacts(engine, answer.artifacts);
    const isSuccess = outcome.is === 'succeeded';
    const error = isSuccess ? null : (answer.error ?? answer.result ?? answer.status);
    await end({ isSuccess, error, facts, console });
    return;
  }
  if (lost !== null) {
    await end({ isSuccess: false, error: lost, facts: NOTHING, console });
    return;
  }
  await runWrite(parts, async ({ write }) => {
    await attempt.complete(write);
    const isThere = await noteDoubt(write, table, id, outcome.is === 'doubtful');
    if (!isThere) return;
    if (outcome.is === 'under way') await watched.note(write, outcome.phase, answer);
    await parts.jobs.enqueue(write, watched.pollJob, { afterMs: pollEveryMs });
  });
}

const LONGEST_MS = 86_400_000;

/** Why it counts as failed although the engine did not say so (W61). */
function whyLost(
  { clock }: Services,
  { since }: { readonly since: string | null },
  error: EngineError | null,
): string | null {
  if (error?.because === 'unknown') return 'The build engine does not know of it any more';
  const isLate = since !== null && clock() - Date.parse(since) > LONGEST_MS;
  return isLate ? 'It was not finished after 24 hours' : null;
}

const keys = {
  build_facts: { column: 'product_build_id', of: 'product_builds' },
  release_facts: { column: 'product_publication_id', of: 'product_publications' },
} as const;

async function isDoubtful(
  tx: DatabaseTransaction,
  kept: keyof typeof keys,
  id: string,
): Promise<boolean> {
  const [row] = await tx.query(
    sql<{ readonly is_doubtful: boolean }>`select is_doubtful from ${sql.id(kept)}
      where ${sql.id(keys[kept].column)} = ${id}`,
  );
  return row?.is_doubtful ?? false;
}

/** Whether the last look could tell how it stands; false when it was removed meanwhile. */
async function noteDoubt(
  write: WriteTransaction,
  kept: keyof typeof keys,
  id: string,
  isNow: boolean,
): Promise<boolean> {
  const { column, of } = keys[kept];
  const rows = await write.query(
    sql`insert into ${sql.id(kept)} (${sql.id(column)}, is_doubtful)
      select id, ${isNow} from ${sql.id(of)} where id = ${id}
      on conflict (${sql.id(column)}) do update set is_doubtful = excluded.is_doubtful
      returning 1`,
  );
  return rows.length > 0;
}
