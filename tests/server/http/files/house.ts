import { mkdirSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { enginePathsIn, urlOf } from '#engine/engine-paths.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { expectDescribed } from '../api/described.ts';
import { makeWorld } from '../api/world.ts';
import type { Name, World } from '../api/world.ts';

/** The world of the API's suites, with files that the bundled engine made for its products. */
export interface House {
  readonly world: World;
  /** Sends a request as one of its people; null: without a token. Follows no redirect. */
  ask(who: Name | null, method: string, path: string, more?: More): Promise<Response>;
  get(who: Name | null, path: string, more?: More): Promise<Response>;
  /** A build of `product` that has ended, with `files` by type. */
  builds(product: string, files: Readonly<Record<string, Made>>): Promise<Built>;
  /** A release of it that has ended, with `files` by type. */
  publishes(built: Built, files: Readonly<Record<string, Made>>): Promise<Publication>;
}

interface More {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

interface Made {
  readonly filename: string;
  readonly text: string;
  readonly contentType?: string;
}

interface Built {
  readonly product: string;
  readonly number: number;
  /** Id of the `product-builds` record. */
  readonly id: string;
  /** Ids of the artifacts, by type. */
  readonly artifacts: Readonly<Record<string, string>>;
}

interface Publication {
  /** Id of the `product-publications` record. */
  readonly id: string;
}

export async function openHouse(): Promise<House> {
  const world = await makeWorld();
  const ask: House['ask'] = async (who, method, path, { headers = {}, body } = {}) => {
    const answer = await fetch(path.startsWith('/') ? `${world.server.url}${path}` : path, {
      method,
      redirect: 'manual',
      headers: {
        ...(who === null ? {} : { Authorization: `Bearer ${world.people[who].token}` }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    await expectDescribed(method, path, answer);
    return answer;
  };
  return {
    world,
    ask,
    get: (who, path, more) => ask(who, 'GET', path, more),
    builds: (product, files) => build(world, product, files),
    publishes: (built, files) => publish(world, built, files),
  };
}

/** The code of a refusal, with its rule or reason: `invalid/shape`. */
export async function refusal(answer: Response): Promise<string> {
  const { errors } = (await answer.json()) as { readonly errors?: readonly ErrorObject[] };
  const [error] = errors ?? [];
  const why = error?.meta?.rule ?? error?.meta?.reason;
  return `${String(answer.status)} ${error?.code ?? ''}${typeof why === 'string' ? `/${why}` : ''}`;
}

/** Gives a project the repository that the bundled engine makes for it. */
export async function setUp(world: World, project: string): Promise<string> {
  const { url } = await world.server.parts.engines.bundled.createProject({
    appId: 'bookapp',
    projectName: 'Harvest',
    languageCode: 'en',
  });
  await world.write((w) =>
    w.change('project', project, { workflowProjectUrl: url, location: url }),
  );
  return url ?? '';
}

async function jobOf(world: World, product: string): Promise<number> {
  const { bundled } = world.server.parts.engines;
  const project = await bundled.createProject({
    appId: 'bookapp',
    projectName: 'Harvest',
    languageCode: 'en',
  });
  const asked = { requestId: product, gitUrl: project.url ?? '', appId: 'bookapp' };
  return (await bundled.createJob({ ...asked, publisherId: null })).id;
}

const OCTETS = 'application/octet-stream';

function stored(world: World, folder: string, files: Readonly<Record<string, Made>>) {
  const places = enginePathsIn(world.server.dataDir);
  return Object.entries(files).map(([type, { filename, text, contentType = OCTETS }]) => {
    const path = `${folder}/${type}/${filename}`;
    mkdirSync(dirname(places.absolute(path)), { recursive: true });
    writeFileSync(places.absolute(path), text);
    return { type, path, contentType };
  });
}

async function build(
  world: World,
  product: string,
  files: Readonly<Record<string, Made>>,
): Promise<Built> {
  const { server } = world;
  const job = await jobOf(world, product);
  const number = await nextOf(world, 'engine_builds');
  const made = stored(world, `builds/${String(number)}/1`, files);
  await server.parts.db.transact((tx) =>
    tx.query(sql`insert into engine_builds (id, job_id, targets, environment, version_code, status,
        result, files, log_tail, taken, interrupted, created, updated)
      values (${number}, ${job}, '[]', '{}', 1, 'completed', 'SUCCESS',
        ${JSON.stringify(made)}::text::jsonb, '', 1, 0, now(), now())`),
  );
  const record = world.id();
  const artifacts = Object.fromEntries(made.map(({ type }) => [type, world.id()]));
  await world.write(async (w) => {
    await w.insert('productBuild', { id: record, product, success: true, buildVersion: '1.1' });
    const console = made.find(({ type }) => type === 'consoleText');
    await w.query(sql`insert into build_facts (product_build_id, console_address)
      values (${record}, ${console === undefined ? null : urlOf(console.path)})`);
    for (const { type, path, contentType } of made) {
      const artifact = artifacts[type] ?? '';
      await w.insert('productArtifact', {
        id: artifact,
        product,
        productBuild: record,
        artifactType: type,
        filename: files[type]?.filename ?? null,
        contentType,
      });
      await w.query(sql`insert into artifact_addresses (product_artifact_id, address)
        values (${artifact}, ${urlOf(path)})`);
    }
  });
  return { product, number, id: record, artifacts };
}

async function publish(
  world: World,
  built: Built,
  files: Readonly<Record<string, Made>>,
): Promise<Publication> {
  const { server } = world;
  const number = await nextOf(world, 'engine_releases');
  const made = stored(world, `published/${String(number)}`, files).map((file) => ({
    ...file,
    sha256: sha256(files[file.type]?.text ?? ''),
  }));
  await server.parts.db.transact((tx) =>
    tx.query(sql`insert into engine_releases (id, build_id, channel, targets, environment, status,
        result, files, taken, interrupted, created, updated)
      values (${number}, ${built.number}, 'production', '[]', '{}', 'completed', 'SUCCESS',
        ${JSON.stringify(made)}::text::jsonb, 1, 0, now(), now())`),
  );
  const record = world.id();
  await world.write(async (w) => {
    const { product, id: productBuild } = built;
    const fields = { product, productBuild, releaseId: number, success: true };
    await w.insert('productPublication', { id: record, ...fields });
    const console = made.find(({ type }) => type === 'consoleText');
    await w.query(sql`insert into release_facts (product_publication_id, console_address)
      values (${record}, ${console === undefined ? null : urlOf(console.path)})`);
  });
  return { id: record };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function nextOf({ server }: World, table: string): Promise<number> {
  const [row] = await server.parts.db.transact((tx) =>
    tx.query(
      sql<{ readonly id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id`,
    ),
  );
  return row?.id ?? 0;
}
