import { randomFillSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pino from 'pino';
import type { Build } from '#engine/queue/building.ts';
import { openBundledEngine } from '#engine/bundled-engine.ts';
import type { BundledEngine } from '#engine/bundled-engine.ts';
import type { BuildEngine, EngineBuild } from '#protocol/engine.ts';
import type { BuildOrder } from '#engine/build/order.ts';
import type { Database } from '#server/db/database.ts';
import { identityOf } from '#server/domain/builds/app-identity.ts';
import { newId } from '../support/make.ts';
import { OwnTime } from '../support/own-time.ts';

/**
 * Builds that a test leads, with real files: what is uploaded becomes the app. The environment says
 * what goes wrong: `FAIL` with that sentence, `BREAK` like a bug, `WAIT` until it may go on.
 */
export class Workshop {
  readonly orders: BuildOrder[] = [];
  /** The package name of its apps. Each workshop has its own: a name is of one organization. */
  packageName = `org.lakeside.h${newId().slice(-12)}`;
  #waiting: (() => void)[] = [];
  #wanted: (() => void)[] = [];

  /** Does what a server does with an order. */
  readonly build: Build = async (order, heard, signal) => {
    this.orders.push(order);
    const { environment, folder, version } = order;
    heard(`Building ${order.targets.join(' ')}`);
    for (const look of this.#wanted.splice(0)) look();
    if (environment.WAIT !== undefined) await this.#turn(signal);
    if (environment.BREAK !== undefined) throw new Error('A bug in the build');
    const out = join(folder, 'out');
    mkdirSync(out);
    const made = (type: string, filename: string, text: string, contentType: string) => {
      const path = join(out, filename);
      writeFileSync(path, text);
      return { type, path, filename, contentType };
    };
    const log = made('consoleText', 'console.txt', 'All of it\n', 'text/plain');
    if (environment.FAIL !== undefined)
      return { success: false, error: environment.FAIL, artifacts: [log] };
    const { name, code } = version;
    return {
      success: true,
      error: null,
      artifacts: [
        made('apk', `Harvest ${name}.apk`, readFileSync(order.content, 'utf8'), APK),
        made(
          'version',
          'version.json',
          JSON.stringify({ version: name, versionCode: code }),
          JSON_,
        ),
        made('package_name', 'package_name.txt', `${this.packageName}\n`, 'text/plain'),
        made('play-listing-manifest', 'manifest.json', '{"default-language": "es-419"}', JSON_),
        log,
      ],
    };
  };

  /** Resolves once so many builds have begun, also those that were begun again. */
  async begun(count: number): Promise<void> {
    while (this.orders.length < count)
      await new Promise<void>((done) => {
        this.#wanted.push(done);
      });
  }

  /** Lets everything that waits go on. */
  goOn(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((done, fail) => {
      this.#waiting.push(done);
      signal.addEventListener('abort', () => {
        fail(new Error('Broken off'));
      });
    });
  }
}

const APK = 'application/vnd.android.package-archive';
const JSON_ = 'application/json';

/** A bundled engine in a folder of its own. */
export interface Place {
  readonly bundled: BundledEngine;
  readonly workshop: Workshop;
  readonly time: OwnTime;
  readonly dataDir: string;
  /** Another server beside it, or after it. */
  another(clock?: () => number, workshop?: Workshop): BundledEngine;
  remove(): Promise<void>;
}

export const PUBLIC_URL = 'https://slipway.test';

export function openPlace(db: Database): Place {
  const dataDir = mkdtempSync(join(tmpdir(), 'slipway-engine-'));
  const [workshop, time] = [new Workshop(), new OwnTime()];
  const opened: BundledEngine[] = [];
  const another = (clock: () => number = Date.now, at: Workshop = workshop) => {
    const engine = openBundledEngine({
      db,
      clock,
      random: (bytes) => randomFillSync(bytes),
      log: pino({ level: 'silent' }),
      timers: time,
      config: { dataDir, publicUrl: PUBLIC_URL },
      build: at.build,
      identityOf: (product, environment) => identityOf({ db, clock }, product, environment),
    });
    opened.push(engine);
    return engine;
  };
  return {
    bundled: another(),
    workshop,
    time,
    dataDir,
    another,
    remove: async () => {
      await Promise.all(opened.map((engine) => engine.close()));
      await db.transact((tx) =>
        tx.query(sql`truncate engine_projects, engine_jobs, engine_builds, engine_releases,
          engine_turns`),
      );
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

export async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

/** A job whose project has content; asked of `engine`, which has the bundled one behind it. */
export async function aJob(
  engine: BuildEngine,
  { repositories }: Pick<BundledEngine, 'repositories'>,
  content: string | null = 'content',
  request = newId(),
): Promise<{ readonly id: number; readonly project: number; readonly request: string }> {
  const project = await engine.createProject({
    appId: 'bookapp',
    projectName: 'Harvest',
    languageCode: 'es-419',
  });
  if (content !== null) await repositories.add(project.id, bytesOf(content));
  const job = await engine.createJob({
    requestId: request,
    gitUrl: project.url ?? '',
    appId: 'bookapp',
    publisherId: 'slipway_files',
  });
  return { id: job.id, project: project.id, request };
}

export const theApp = (environment: Readonly<Record<string, string>> = {}) => ({
  targets: ['apk', 'play-listing'],
  environment,
});

/** A build that has ended. */
export async function aBuild(
  engine: BuildEngine,
  bundled: BundledEngine,
  job: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<EngineBuild> {
  const { id } = await engine.createBuild(job, theApp(environment));
  await bundled.idle();
  return engine.build(job, id);
}
