import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../../db/database.ts';
import { timestampOf } from '../../write-context.ts';
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
import {
  givenUp,
  logUrlOf,
  NO_REPORT,
  recordBuildResult,
  recordReleaseResult,
} from './record-engine-result.ts';
import type { EngineReport, EngineResult } from './record-engine-result.ts';

/** Polls a build, records what is new, and comes back until it has ended. */
export async function watchBuild(
  services: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const about = await services.db.read((tx) => engineTaskOf(tx, 'productBuild', id));
  if (about === null) return;
  const { record, job, project } = about;
  const { buildId } = record;
  if (buildId === null || job === null) return;
  await watch(services, attempt, {
    id,
    since: record.dateCreated,
    organization: project.organization,
    table: 'build_facts',
    fetchStatus: async (engine) => {
      const answer = await engine.build(job, buildId);
      const console = answer.artifacts.consoleText ?? answer.artifacts.cloudWatch ?? null;
      const { logTail, started, finished } = answer;
      return { answer, report: { console, logTail, started, finished } };
    },
    note: async (context, phase, { logTail, queuePosition, started, hasLog }) => {
      const { write } = context;
      const now = await write.one('productBuild', id);
      if (now === null) return;
      const dateStarted = started ?? startSeen(now, phase, timestampOf(context));
      const logUrl = hasLog ? logUrlOf(id) : null;
      const isSame =
        now.phase === phase &&
        now.logTail === logTail &&
        now.queuePosition === queuePosition &&
        now.logUrl === logUrl &&
        now.dateStarted === dateStarted;
      const noted = { phase, logTail, logUrl, queuePosition, dateStarted };
      if (!isSame) await write.change('productBuild', id, noted);
    },
    ended: (context, ended) => recordBuildResult(context, about, ended),
    pollJob: { name: 'watch-build', data: { build: id } },
  });
}

/** Does the same for a release. */
export async function watchRelease(
  services: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const found = await services.db.read(async (tx) => {
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
  await watch(services, attempt, {
    id,
    since: record.dateCreated,
    organization: project.organization,
    table: 'release_facts',
    fetchStatus: async (engine) => {
      const answer = await engine.release(job, buildId, releaseId);
      const console = answer.consoleText ?? answer.artifacts.cloudWatch ?? null;
      return { answer, report: { ...NO_REPORT, console } };
    },
    note: async ({ write }, phase) => {
      const now = await write.one('productPublication', id);
      if (now !== null && now.phase !== phase)
        await write.change('productPublication', id, { phase });
    },
    ended: (context, ended) => recordReleaseResult(context, about, ended),
    pollJob: { name: 'watch-release', data: { publication: id } },
  });
}

interface Watched<A extends EngineBuild | EngineRelease> {
  readonly id: string;
  readonly since: string | null;
  readonly organization: string;
  readonly table: keyof typeof keys;
  readonly fetchStatus: (engine: BuildEngine) => Promise<{
    readonly answer: A;
    readonly report: EngineReport;
  }>;
  /** Records that it goes on; nothing is written when nothing is new. */
  readonly note: (context: WriteContext, phase: string, answer: A) => Promise<void>;
  readonly ended: (context: WriteContext, ended: EngineResult) => Promise<void>;
  readonly pollJob: Job;
}

async function watch<A extends EngineBuild | EngineRelease>(
  services: Services,
  attempt: JobAttempt,
  watched: Watched<A>,
): Promise<void> {
  const { id, organization, table } = watched;
  const { engine, pollEveryMs } = await engineOf(services, organization);
  const called = await tryCall(() => watched.fetchStatus(engine));
  const lost = whyLost(services, watched, called.is === 'failed' ? called.error : null);
  const end = (ended: EngineResult) =>
    runWrite(services, async (context) => {
      await attempt.complete(context.write);
      await watched.ended(context, ended);
    });
  if (called.is === 'failed') {
    if (lost === null)
      await retryJob(services, attempt, called.error, () => Promise.resolve(false));
    else await end(givenUp(lost));
    return;
  }

  const { answer, report } = called.answer;
  const wasDoubtful = await services.db.read((tx) => isDoubtful(tx, table, id));
  const outcome = engineJobStateOf(answer, wasDoubtful);
  if (outcome.is === 'succeeded' || outcome.is === 'failed') {
    const facts = await readArtifacts(engine, answer.artifacts);
    const isSuccess = outcome.is === 'succeeded';
    const error = isSuccess ? null : (answer.error ?? answer.result ?? answer.status);
    await end({ isSuccess, error, facts, ...report });
    return;
  }
  if (lost !== null) {
    await end(givenUp(lost, report));
    return;
  }
  await runWrite(services, async (context) => {
    const { write } = context;
    await attempt.complete(write);
    const isThere = await noteDoubt(write, table, id, outcome.is === 'doubtful');
    if (!isThere) return;
    if (outcome.is === 'under way') await watched.note(context, outcome.phase, answer);
    await services.jobs.enqueue(write, watched.pollJob, { afterMs: pollEveryMs });
  });
}

/** Returns when an engine that does not say so began: at the first poll that saw it at work. */
function startSeen({ dateStarted }: Of<'productBuild'>, phase: string, now: string): string | null {
  return phase === 'active' || phase === 'postprocessing' ? (dateStarted ?? now) : null;
}

const LONGEST_MS = 86_400_000;

/** Returns why it counts as failed although the engine did not say so (W61). */
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
  facts: keyof typeof keys,
  id: string,
): Promise<boolean> {
  const [row] = await tx.query(
    sql<{ readonly is_doubtful: boolean }>`select is_doubtful from ${sql.id(facts)}
      where ${sql.id(keys[facts].column)} = ${id}`,
  );
  return row?.is_doubtful ?? false;
}

/**
 * Stores whether the last poll could tell the status; returns false when it was removed meanwhile.
 */
async function noteDoubt(
  write: WriteTransaction,
  facts: keyof typeof keys,
  id: string,
  isNow: boolean,
): Promise<boolean> {
  const { column, of } = keys[facts];
  const rows = await write.query(
    sql`insert into ${sql.id(facts)} (${sql.id(column)}, is_doubtful)
      select id, ${isNow} from ${sql.id(of)} where id = ${id}
      on conflict (${sql.id(column)}) do update set is_doubtful = excluded.is_doubtful
      returning 1`,
  );
  return rows.length > 0;
}
