import { readFile, stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock, Random } from '#base/id.ts';
import type { EngineDatabase } from './host.ts';
import type { Timers } from '#base/timers.ts';
import { BuildWorker } from './queue/build-worker.ts';
import { building } from './queue/building.ts';
import type { Build, FindAppIdentity } from './queue/building.ts';
import {
  createBuild,
  createJob,
  createProject,
  createRelease,
  readJob,
  readProject,
} from './bundled-calls.ts';
import { readBuild, readBuilds, readFileOf, readLogOf, readRelease } from './bundled-rows.ts';
import { ARTIFACT_MOST_BYTES, EngineError } from '#protocol/engine.ts';
import type { BuildEngine } from '#protocol/engine.ts';
import { enginePathsIn, urlOf } from './engine-paths.ts';
import type { EnginePaths, StoredFile } from './engine-paths.ts';
import { openBuildQueue } from './queue/build-queue.ts';
import { releasing } from './queue/releasing.ts';
import { openRepositories } from './repositories.ts';
import type { Repositories } from './repositories.ts';

export interface BundledParts {
  readonly db: EngineDatabase;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly timers: Timers;
  readonly config: { readonly dataDir: string; readonly publicUrl: string };
  readonly build: Build;
  readonly identityOf: FindAppIdentity;
}

/** A file of the bundled engine on the disk. */
export interface FileOnDisk {
  readonly path: string;
  readonly contentType: string;
  /** Lower-case hexadecimal; null: not known. */
  readonly sha256: string | null;
}

/** The log of a build while it grows. */
export interface RunningLog {
  /** The file, which may not be there yet. */
  readonly path: string;
  /** The number of the attempt that writes it: another one begins another log. */
  readonly taken: number;
  /** The build had ended when this was read, so that the file has all of it. */
  readonly isComplete: boolean;
}

/** The engine that comes with the server: the same contract, without the network. */
export interface BundledEngine extends BuildEngine {
  readonly repositories: Repositories;
  /** Begins what waits, and what the end of a process interrupted. */
  open(): Promise<void>;
  /** Breaks off what is under way; it is begun again at the next start. */
  close(): Promise<void>;
  /** Resolves once nothing waits or is under way here. */
  idle(): Promise<void>;
  /** The file that a build made; null when there is none. */
  artifactFile(build: number, type: string): Promise<FileOnDisk | null>;
  /** The copy of it that a release published. */
  publishedFile(release: number, type: string): Promise<FileOnDisk | null>;
  /** The log of a build that works, or has ended since; null while it waits, or is not known. */
  runningLog(build: number): Promise<RunningLog | null>;
  /** The file at an address that this engine gave. */
  fileAt(url: string): Promise<FileOnDisk | null>;
}

export function openBundledEngine(parts: BundledParts): BundledEngine {
  const { db, clock, random } = parts;
  const paths = enginePathsIn(parts.config.dataDir);
  const repositories = openRepositories(paths, clock, random);
  const [builds, releases] = [
    openBuildQueue('engine_builds', parts),
    openBuildQueue('engine_releases', parts),
  ];
  const onBuilds = new BuildWorker(builds, building({ ...parts, paths, repositories }), parts);
  const { publicUrl } = parts.config;
  const onReleases = new BuildWorker(releases, releasing({ db, paths, publicUrl }), parts);
  const calls = { db, clock, random, repositories };
  const files = filesOf(db, paths);
  const startedAt = clock();
  let isOpen = false;

  return {
    repositories,
    ...files,
    open: async () => {
      // No other process can be at work on an embedded database.
      if (db.kind === 'embedded') {
        await Promise.all([builds.releaseOthers(), releases.releaseOthers()]);
        await repositories.removeParts(startedAt);
      }
      isOpen = true;
      onBuilds.open();
      onReleases.open();
    },
    close: async () => {
      isOpen = false;
      await Promise.all([onBuilds.close(), onReleases.close()]);
    },
    idle: async () => {
      await Promise.all([onBuilds.idle(), onReleases.idle()]);
    },
    check: async () => {
      if (!isOpen) throw new EngineError('unreachable');
      await db.read((tx) => tx.query(sql`select 1`));
    },
    createProject: (request) => createProject(calls, request),
    project: (id) => db.read((tx) => readProject(tx, id)),
    createJob: (request) => createJob(calls, request),
    job: (id) => db.read((tx) => readJob(tx, id)),
    builds: (job) =>
      db.read(async (tx) => {
        await readJob(tx, job);
        return readBuilds(tx, job);
      }),
    createBuild: async (job, request) => {
      const id = await createBuild(calls, job, request);
      if (isOpen) onBuilds.wake();
      return db.read((tx) => readBuild(tx, job, id));
    },
    build: (job, id) => db.read((tx) => readBuild(tx, job, id)),
    runningLog: async (id) => {
      const row = await db.read((tx) => readLogOf(tx, id));
      return row === null ? null : { ...row, path: paths.log(id, row.taken) };
    },
    createRelease: async (job, build, request) => {
      const id = await createRelease(calls, job, build, request);
      if (isOpen) onReleases.wake();
      return db.read((tx) => readRelease(tx, job, build, id));
    },
    release: (job, build, id) => db.read((tx) => readRelease(tx, job, build, id)),
  };
}

type Files = Pick<BundledEngine, 'artifactFile' | 'publishedFile' | 'fileAt' | 'head' | 'text'>;

function filesOf(db: EngineDatabase, paths: EnginePaths): Files {
  type Table = 'engine_builds' | 'engine_releases';
  const find = async (table: Table, id: number, isIt: (file: StoredFile) => boolean) => {
    const file = await db.read((tx) => readFileOf(tx, table, id, isIt));
    if (file === null) return null;
    const path = paths.absolute(file.path);
    const found = await stat(path).catch(() => null);
    if (found?.isFile() !== true) return null;
    return { path, contentType: file.contentType, sha256: file.sha256 ?? null, found };
  };
  const at = async (url: string) => {
    const [, folder, id] = /^bundled:\/(builds|published)\/([1-9]\d{0,14})\//.exec(url) ?? [];
    const table = folder === 'builds' ? 'engine_builds' : 'engine_releases';
    // Compared with what was given out: an address can lead nowhere else.
    return id === undefined ? null : find(table, Number(id), ({ path }) => urlOf(path) === url);
  };
  const onDisk = (file: FileOnDisk | null): FileOnDisk | null =>
    file === null ? null : { path: file.path, contentType: file.contentType, sha256: file.sha256 };
  return {
    artifactFile: async (id, type) =>
      onDisk(await find('engine_builds', id, (file) => file.type === type)),
    publishedFile: async (id, type) =>
      onDisk(await find('engine_releases', id, (file) => file.type === type)),
    fileAt: async (url) => onDisk(await at(url)),
    head: async (url) => {
      const file = await at(url);
      if (file === null) return null;
      const { size, mtime } = file.found;
      const { contentType } = file;
      return { sizeBytes: size, contentType, updated: mtime.toISOString() };
    },
    text: async (url) => {
      const file = await at(url);
      if (file === null || file.found.size > ARTIFACT_MOST_BYTES) return null;
      return readFile(file.path, 'utf8');
    },
  };
}
