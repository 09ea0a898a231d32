import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sql } from 'kysely';
import { ZipFile } from 'yazl';
import { enginePathsIn } from '#engine/engine-paths.ts';
import type { DataExport } from '#protocol/data-export.ts';
import type { Of } from '#schema/index.ts';
import { instantIn, translate } from '#text/say.ts';
import type { DatabaseTransaction, WriteTransaction } from '../../db/database.ts';
import type { JobAttempt } from '../../db/jobs/jobs.ts';
import { limitTable } from '../../db/limits/limit-table.ts';
import type { Sent } from '../files/tickets.ts';
import { notify } from '../notifications/notify.ts';
import type { Services } from '../services.ts';
import { personalDataOf } from './personal-data.ts';
import type { PersonalData } from './personal-data.ts';

/** An export is kept for this long, and so are the links to it. */
const KEPT_MS = 86_400_000;

/** A job that made an export for longer than this has failed. */
const LONGEST_MAKING_MS = 86_400_000;

const folderIn = (dataDir: string): string => join(dataDir, 'exports');

interface Row {
  readonly requestedAt: string;
  readonly finishedAt: string | null;
  readonly path: string | null;
  readonly sizeBytes: number | null;
}

async function rowOf(tx: DatabaseTransaction, user: string): Promise<Row | null> {
  const [row] = await tx.query<Row>(
    sql<Row>`select requested_at as "requestedAt", finished_at as "finishedAt", path,
      size_bytes as "sizeBytes" from data_exports where user_id = ${user}`,
  );
  return row ?? null;
}

const endOf = (finishedAt: string): number => Date.parse(finishedAt) + KEPT_MS;

/** Returns what there is of the person's export now. */
export async function dataExportOf(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  user: string,
): Promise<DataExport> {
  const row = await db.read((tx) => rowOf(tx, user));
  const at = clock();
  const nothing = { state: 'none', requestedAt: null, expiresAt: null, sizeBytes: null } as const;
  if (row === null) return { ...nothing, nextAt: null };
  const { requestedAt, finishedAt, sizeBytes } = row;
  const nextMs = Date.parse(requestedAt) + limitTable.dataExports.withinMs;
  const nextAt = nextMs > at ? new Date(nextMs).toISOString() : null;
  if (finishedAt === null)
    return { state: 'being-made', requestedAt, expiresAt: null, sizeBytes: null, nextAt };
  if (endOf(finishedAt) <= at) return { ...nothing, nextAt };
  const expiresAt = new Date(endOf(finishedAt)).toISOString();
  return { state: 'ready', requestedAt, expiresAt, sizeBytes, nextAt };
}

/** Has the person's export made by a job, anew if there is one. @throws ProblemError 429 */
export async function requestDataExport(
  services: Services,
  write: WriteTransaction,
  user: string,
): Promise<void> {
  await services.limits.require(write, 'dataExports', user);
  const at = new Date(write.cause.at).toISOString();
  await write.query(sql`insert into data_exports (user_id, requested_at)
    values (${user}, ${at}::timestamptz) on conflict (user_id)
    do update set requested_at = excluded.requested_at, finished_at = null`);
  write.audit({
    kind: 'data-exported',
    subject: { type: 'user', id: user },
    before: null,
    after: null,
  });
  const job = { name: 'export-data', data: { user } } as const;
  await services.jobs.enqueue(write, job, { key: `export-data ${user}` });
}

/** Returns the file; null: none is ready. */
export async function readyExportOf(
  { db, clock, config }: Pick<Services, 'db' | 'clock' | 'config'>,
  user: string,
): Promise<{ readonly file: Sent; readonly sizeBytes: number } | null> {
  const row = await db.read((tx) => rowOf(tx, user));
  if (row === null) return null;
  const { path: stored, finishedAt, sizeBytes, requestedAt } = row;
  if (stored === null || finishedAt === null || sizeBytes === null) return null;
  if (endOf(finishedAt) <= clock()) return null;
  const path = enginePathsIn(config.dataDir).absolute(stored);
  const filename = `slipway-${requestedAt.slice(0, 10)}.zip`;
  const file = { path, filename, contentType: 'application/zip', isInline: false };
  return { file, sizeBytes };
}

/** Makes the file, and tells the person that it is ready, by a notification and a mail. */
export async function makeDataExport(
  services: Services,
  user: string,
  attempt: JobAttempt,
): Promise<void> {
  const { db, clock, config, jobs } = services;
  const found = await db.read(async (tx) => {
    const [row, person] = [await rowOf(tx, user), await tx.one('user', user)];
    if (row?.finishedAt !== null || person === null || person.isLocked) return null;
    return { row, person, data: await personalDataOf(tx, person, clock) };
  });
  if (found === null) return;
  const { row, person, data } = found;
  const places = enginePathsIn(config.dataDir);
  // A second attempt writes over what the first one left.
  const path = places.stored(
    join(folderIn(config.dataDir), `${user}-${Date.parse(row.requestedAt)}.zip`),
  );
  const sizeBytes = await writeZip(
    config.dataDir,
    places.absolute(path),
    person,
    data,
    row.requestedAt,
  );

  const at = clock();
  const isKept = await db.write({ at, by: null, changes: [] }, async (write) => {
    await attempt.complete(write);
    const kept = await write.query(sql`update data_exports
      set finished_at = ${new Date(at).toISOString()}::timestamptz, path = ${path},
        size_bytes = ${sizeBytes}
      where user_id = ${user} and requested_at = ${row.requestedAt}::timestamptz returning user_id`);
    if (kept.length === 0) return false;
    const values = {};
    const context = { services, write };
    await notify(context, user, {
      id: 'dataExportReady',
      organization: null,
      values,
      linkUrl: PAGE,
    });
    const now = await write.one('user', user);
    const to = now?.email ?? null;
    if (now === null || to === null) return true;
    const letter = {
      to,
      language: now.locale ?? 'en-US',
      template: 'dataExport',
      values: { link: `${config.publicUrl}${PAGE}` },
    } as const;
    await jobs.enqueue(write, { name: 'send-letter', data: { letter } });
    return true;
  });
  const gone = isKept ? row.path : path;
  if (gone !== null && (gone !== path || !isKept)) await rm(places.absolute(gone), { force: true });
}

const PAGE = '/account';

/** Writes a file for each subject, and one that says what they are. @returns its size in bytes */
async function writeZip(
  dataDir: string,
  path: string,
  { locale }: Of<'user'>,
  data: PersonalData,
  requestedAt: string,
): Promise<number> {
  await mkdir(folderIn(dataDir), { recursive: true, mode: 0o700 });
  const zip = new ZipFile();
  const done = pipeline(zip.outputStream, createWriteStream(path, { mode: 0o600 }));
  const mtime = new Date(requestedAt);
  const add = (name: string, text: string) => {
    zip.addBuffer(Buffer.from(text), name, { mtime, mode: 0o100644 });
  };
  const language = locale ?? 'en-US';
  const at = instantIn(language, requestedAt);
  add('README.txt', translate(language, 'mail.dataExport.readme', { at }));
  for (const [name, found] of Object.entries(data))
    add(`${name}.json`, `${JSON.stringify(found, null, 2)}\n`);
  zip.end();
  await done;
  return (await stat(path)).size;
}

/** Removes the exports that were kept for their time. @returns how many */
export async function removeDataExports({
  db,
  clock,
  config,
}: Pick<Services, 'db' | 'clock' | 'config'>): Promise<number> {
  const before = new Date(clock() - KEPT_MS).toISOString();
  const gone = await db.write({ at: clock(), by: null, changes: [] }, (write) =>
    write.query(
      sql<{ readonly path: string | null }>`delete from data_exports
        where coalesce(finished_at, requested_at) <= ${before}::timestamptz returning path`,
    ),
  );
  const places = enginePathsIn(config.dataDir);
  for (const { path } of gone) if (path !== null) await rm(places.absolute(path), { force: true });
  await removeLeftFiles(config.dataDir, clock() - KEPT_MS);
  return gone.length;
}

/** Removes the files of exports that were asked for before `atMs`: a crash may leave them without a row. */
async function removeLeftFiles(dataDir: string, atMs: number): Promise<void> {
  const folder = folderIn(dataDir);
  if (!existsSync(folder)) return;
  for (const name of await readdir(folder)) {
    const requestedMs = Number(/-(\d+)\.zip$/.exec(name)?.[1] ?? Number.NaN);
    // Its row, and with it the right to it, ends a day after it was finished, which is later.
    if (requestedMs + LONGEST_MAKING_MS < atMs) await rm(join(folder, name), { force: true });
  }
}

/**
 * Forgets the person's export.
 *
 * @returns what removes its file, once the transaction is committed
 */
export async function forgetDataExport(
  { config }: Pick<Services, 'config'>,
  write: WriteTransaction,
  user: string,
): Promise<() => Promise<void>> {
  const [gone] = await write.query(
    sql<{ readonly path: string | null }>`delete from data_exports where user_id = ${user}
      returning path`,
  );
  const path = gone?.path ?? null;
  if (path === null) return () => Promise.resolve();
  return () => rm(enginePathsIn(config.dataDir).absolute(path), { force: true });
}
