import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { ChangeCounts, ContentChanges, Uploaded } from '#protocol/file-paths.ts';
import { ProblemError } from '#protocol/problem.ts';
import { isTooLong } from '#rules/valid/length.ts';
import { changesBetween } from '#engine/content/changes.ts';
import { ContentRefused } from '#engine/content/refusal.ts';
import type { Content } from '#engine/repositories.ts';
import type { WriteContext } from '../../domain/write-context.ts';
import { timestampOf } from '../../domain/write-context.ts';
import type { Services } from '../../domain/services.ts';
import { LONGEST_FILENAME, safeName } from '../../domain/files/filename.ts';
import type { Repository } from './repository-of.ts';

/** The uploads to a project: the files count, and what is known of each. */

const LISTED_MOST = 20;

/** A person looks through hundreds of files at most; thousands would only weigh. */
const CHANGES_LISTED_MOST = 500;

type Facts = Pick<Uploaded, 'filename' | 'isSample' | 'restored' | 'changes'>;

interface Row extends Facts {
  readonly number: number;
  readonly by: string | null;
  readonly at: string;
}

/** Returns an upload's name as `If-Match` and `ETag` have it. */
export const tagOf = ({ number, sizeBytes }: Pick<Content, 'number' | 'sizeBytes'>): string =>
  `"${number}.${sizeBytes}"`;

/** Stores who uploaded `content` of a project. */
export async function noteUpload(
  context: WriteContext,
  project: string,
  { number }: Content,
  { filename, isSample, restored, changes }: Facts,
): Promise<void> {
  const { by } = context.write.cause;
  await context.write.query(sql`insert into repository_uploads
    (project_id, number, uploaded_by, uploaded_at, filename, is_sample, files_added,
      files_changed, files_removed, restored_number) values
    (${project}, ${number}, ${by}, ${timestampOf(context)}, ${filename}, ${isSample},
      ${changes?.added ?? null}, ${changes?.changed ?? null}, ${changes?.removed ?? null},
      ${restored})
    on conflict (project_id, number) do nothing`);
}

/** Returns the last uploads, newest first. */
export async function uploadsOf(
  { db, engines }: Pick<Services, 'db' | 'engines'>,
  { project, place }: Repository,
): Promise<readonly Uploaded[]> {
  const newest = await engines.bundled.repositories.newest(place);
  const rows = await db.read((tx) =>
    tx.query(
      sql<Row>`select number, uploaded_by as "by", uploaded_at as "at", filename,
          is_sample as "isSample", restored_number as "restored", case when files_added is not null then jsonb_build_object(
            'added', files_added, 'changed', files_changed, 'removed', files_removed) end as changes
        from repository_uploads where project_id = ${project.id}
        order by number desc limit ${LISTED_MOST}`,
    ),
  );
  const numbers = Array.from(
    { length: Math.min(LISTED_MOST, newest?.number ?? 0) },
    (_, age) => (newest?.number ?? 0) - age,
  );
  const found = await Promise.all(
    numbers.map(async (number) => {
      const content = await contentAt(engines, place, number);
      const row = rows.find((one) => one.number === number);
      return content === null ? null : uploadedOf(content, row);
    }),
  );
  return found.filter((upload) => upload !== null);
}

/**
 * Returns an upload; if the server ended before it could store who it was, only the time is known.
 */
function uploadedOf({ number, sizeBytes, updated }: StoredUpload, row: Row | undefined): Uploaded {
  const { by, at, filename, isSample, restored, changes } = row ?? NOTHING_KNOWN;
  const tag = tagOf({ number, sizeBytes });
  return {
    ...{ number, sizeBytes, at: at ?? updated, by, filename, isSample, tag },
    ...{ restored, changes },
  };
}

const NOTHING_KNOWN = {
  ...{ by: null, at: null, filename: null },
  ...{ isSample: false, restored: null, changes: null },
};

/** Returns the name that an upload came under, and whether it is the sample. */
export async function nameOfUpload(
  { db }: Pick<Services, 'db'>,
  project: string,
  number: number,
): Promise<Pick<Facts, 'filename' | 'isSample'>> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<Pick<Facts, 'filename' | 'isSample'>>`select filename, is_sample as "isSample"
        from repository_uploads where project_id = ${project} and number = ${number}`,
    ),
  );
  return row ?? NOTHING_KNOWN;
}

/** Says whether `by` restored the upload `restored` as the upload `number`. */
export async function isRestoration(
  { db }: Pick<Services, 'db'>,
  project: string,
  {
    number,
    restored,
    by,
  }: Readonly<Record<'number' | 'restored', number>> & { readonly by: string },
): Promise<boolean> {
  const rows = await db.read((tx) =>
    tx.query(
      sql<{ readonly number: number }>`select number from repository_uploads
        where project_id = ${project} and number = ${number}
          and restored_number = ${restored} and uploaded_by = ${by}`,
    ),
  );
  return rows.length > 0;
}

interface StoredUpload extends Content {
  readonly updated: string;
}

/** Returns one upload's file; null when there is none of that number. */
export async function contentAt(
  { bundled }: Services['engines'],
  place: number,
  number: number,
): Promise<StoredUpload | null> {
  const path = bundled.repositories.content(place, number);
  const found = await stat(path).catch(() => null);
  if (found === null) return null;
  return { number, path, sizeBytes: found.size, updated: found.mtime.toISOString() };
}

/** Returns the number of an upload in an address, 0 for 0; null for what is no number. */
export function numberIn(text: string): number | null {
  return /^(0|[1-9]\d{0,8})$/.test(text) ? Number(text) : null;
}

/**
 * Compares an upload with another; `base` 0: with nothing. Null when one of them is not there.
 *
 * @throws ContentRefused when one of them would not be taken any more
 */
export async function changesFrom(
  engines: Services['engines'],
  place: number,
  { number, base }: { readonly number: number; readonly base: number },
): Promise<ContentChanges | null> {
  const after = await contentAt(engines, place, number);
  const before = base === 0 ? null : await contentAt(engines, place, base);
  if (after === null || (base !== 0 && before === null)) return null;
  return unlessRemoved(changesBetween(before?.path ?? null, after.path, CHANGES_LISTED_MOST));
}

/** Returns null when the file of an upload was removed, to make room, after it was found. */
export async function unlessRemoved<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Counts how an upload differs from the one before it; null when one of them cannot be read. */
export async function countChanges(
  engines: Services['engines'],
  place: number,
  { number }: Content,
): Promise<ChangeCounts | null> {
  try {
    return await changesFrom(engines, place, { number, base: number - 1 });
  } catch (error) {
    // The content is kept already, and what cannot be counted is still content.
    if (error instanceof ContentRefused) return null;
    throw error;
  }
}

/** Returns the number of the upload that an `If-Match` names; null: it names none, or several. */
export function numberOfTag(header: string | undefined): number | null {
  const [, number] = /^"([1-9]\d{0,8})\.\d+"$/.exec(header ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

/**
 * Returns the name that a `Content-Disposition` gives the file that comes with it; null when it has
 * none.
 *
 * @throws ProblemError 422 for a name that is far too long to be one
 */
export function filenameIn(header: string | undefined): string | null {
  const [, encoded] = /filename\*=UTF-8''([^;\s]+)/i.exec(header ?? '') ?? [];
  const name = encoded === undefined ? null : decoded(encoded);
  if (name === null) return null;
  const limit = LONGEST_FILENAME;
  if (isTooLong({ limit }, name)) {
    const meta = { rule: 'too-long', limit };
    throw new ProblemError({ code: 'invalid', source: { header: 'Content-Disposition' }, meta });
  }
  return safeName(name);
}

/** Returns null for half of a character: nobody could read such a name. */
function decoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null;
  }
}
