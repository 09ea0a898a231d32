import { mkdir, rm } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Clock } from '#base/id.ts';
import type { EngineDatabase } from '../host.ts';
import type { Timers } from '#base/timers.ts';
import type { RunBuildTask } from './build-worker.ts';
import { BuildFailure } from '../build/failure.ts';
import type { AppIdentity, BuildOrder, BuildResult } from '../build/order.ts';
import type { EnginePaths } from '../engine-paths.ts';
import type { BuildTaskResult, BuildTask } from './build-queue.ts';
import type { Repositories } from '../repositories.ts';

/** Runs an order; `onLine` gets each line of the log. */
export type Build = (
  order: BuildOrder,
  onLine: (line: string) => void,
  signal: AbortSignal,
) => Promise<BuildResult>;

/**
 * The host says under which package name and key the app of `product` is built; null: under none.
 *
 * @throws BuildFailure when the app cannot have its package name
 */
export type FindAppIdentity = (
  product: string,
  environment: Readonly<Record<string, string>>,
) => Promise<AppIdentity | null>;

interface BuildingParts {
  readonly db: EngineDatabase;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly paths: EnginePaths;
  readonly repositories: Repositories;
  readonly build: Build;
  readonly identityOf: FindAppIdentity;
}

interface Wanted {
  readonly project: number;
  /** The product. */
  readonly request: string;
  readonly content: number | null;
  readonly targets: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly code: number;
  readonly created: string;
}

const NOTHING_TO_BUILD: BuildTaskResult = {
  result: 'FAILURE',
  error: 'The repository of the project is empty: upload its content, then build again.',
  files: [],
};

/** Builds of the bundled engine. */
export function building(parts: BuildingParts): RunBuildTask {
  const { db, paths, repositories } = parts;
  return async (task, signal) => {
    signal.throwIfAborted();
    // Files may be left from attempts before this one, or from before a database was begun anew: they
    // go before anything else, because the log of a build can be read from now on.
    await rm(paths.builds(task.id), { recursive: true, force: true });
    const wanted = await wantedIn(db, task);
    const { project, content, targets, environment, code, created } = wanted;
    if (content === null) return NOTHING_TO_BUILD;
    const identity = await identityIn(parts, wanted);
    if (identity instanceof BuildFailure)
      return { result: 'FAILURE', error: identity.message, files: [] };

    const folder = paths.build(task.id, task.taken);
    await mkdir(folder, { recursive: true });
    const order: BuildOrder = {
      content: repositories.content(project, content),
      folder,
      targets,
      environment,
      version: { name: `1.${code - 1}`, code },
      at: created,
      ...(identity === null ? {} : { identity }),
    };
    const log = logOf(parts, task);
    const made = await parts.build(order, log.onLine, signal).finally(log.close);
    return {
      result: made.success ? 'SUCCESS' : 'FAILURE',
      error: made.error,
      files: made.artifacts.map(({ type, path, contentType }) => ({
        type,
        path: paths.stored(path),
        contentType,
      })),
    };
  };
}

async function wantedIn(db: EngineDatabase, { id }: BuildTask): Promise<Wanted> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<Wanted>`select job.project_id as project, job.request_id as request, build.content,
          build.targets, build.environment, build.version_code as code, build.created
        from engine_builds build join engine_jobs job on job.id = build.job_id
        where build.id = ${id}`,
    ),
  );
  if (row === undefined) throw new Error(`There is no build ${id}`);
  return row;
}

/** Only apps for phones are signed. */
async function identityIn(
  parts: BuildingParts,
  { request, targets, environment }: Wanted,
): Promise<AppIdentity | BuildFailure | null> {
  if (!targets.includes('apk')) return null;
  return parts.identityOf(request, environment).catch((error: unknown) => {
    if (error instanceof BuildFailure) return error;
    throw error;
  });
}

interface BuildLog {
  readonly onLine: (line: string) => void;
  readonly close: () => Promise<void>;
}

const TAIL_LENGTH = 4_000;
const SEND_EVERY_MS = 2_000;

/** The end of the log, which is written to the database now and then, and at last. */
function logOf({ db, timers }: BuildingParts, task: BuildTask): BuildLog {
  let tail = '';
  let sending: Promise<unknown> = Promise.resolve();
  let cancel: (() => void) | null = null;
  const send = () => {
    cancel = null;
    const text = tail;
    sending = sending.then(() => sendLogTail(db, task, text));
    // An error is thrown at the end.
    sending.catch(() => undefined);
  };
  return {
    onLine: (line) => {
      // The database takes no NUL, and screens want none of the other signs.
      tail = `${tail}${line.replace(/(?!\t)\p{Cc}/gu, '')}\n`.slice(-TAIL_LENGTH);
      cancel ??= timers.after(SEND_EVERY_MS, send);
    },
    close: async () => {
      cancel?.();
      send();
      await sending;
    },
  };
}

async function sendLogTail(
  db: EngineDatabase,
  { id, taken }: BuildTask,
  tail: string,
): Promise<void> {
  await db.transact((tx) =>
    tx.query(sql`update engine_builds set log_tail = ${tail}
      where id = ${id} and taken = ${taken} and status = 'active'`),
  );
}
