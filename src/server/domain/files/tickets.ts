import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import type { Services } from '../services.ts';
import { safeName } from './filename.ts';

/** Links to files: each opens one file for whoever holds it, until it ends. */

/** This file on the disk is sent, under this name and type. */
export interface Sent {
  readonly path: string;
  readonly filename: string;
  readonly contentType: string;
  /** A browser shows it and does not save it. */
  readonly isInline: boolean;
}

interface Ticket {
  readonly url: string;
  readonly expiresAt: string;
}

const TICKET_LASTS_MS = 10 * 60_000;
/** The lifetime of a ticket in a mail to a reviewer, who cannot sign in to get another one. */
export const REVIEW_TICKET_LASTS_MS = 14 * 86_400_000;

const TICKET_BYTES = 32;

type TicketParts = Pick<Services, 'db' | 'clock' | 'random' | 'config'>;

/** Makes a new link to `file`. The ticket in it is stored hashed and cannot be shown again. */
export async function issueTicket(
  { db, clock, random, config }: TicketParts,
  file: Sent,
  lastsMs: number = TICKET_LASTS_MS,
): Promise<Ticket> {
  const ticket = Buffer.from(random(new Uint8Array(TICKET_BYTES))).toString('base64url');
  const expiresAt = new Date(clock() + lastsMs).toISOString();
  const path = enginePathsIn(config.dataDir).stored(file.path);
  await db.transact((tx) =>
    tx.query(sql`insert into file_tickets
      (hash, path, filename, content_type, is_inline, expires_at) values
      (${hashOf(ticket)}, ${path}, ${file.filename}, ${file.contentType}, ${file.isInline},
        ${expiresAt})`),
  );
  const name = encodeURIComponent(safeName(file.filename));
  return { url: `${config.publicUrl}/files/${ticket}/${name}`, expiresAt };
}

/** Returns the file that `ticket` opens; null when it never did, or no more. */
export async function fileOf(
  { db, clock, config }: Omit<TicketParts, 'random'>,
  ticket: string,
): Promise<Sent | null> {
  const [row] = await db.read((tx) =>
    tx.query(
      sql<Sent>`select path, filename, content_type as "contentType", is_inline as "isInline"
        from file_tickets where hash = ${hashOf(ticket)}
          and expires_at > ${new Date(clock()).toISOString()}::timestamptz`,
    ),
  );
  if (row === undefined) return null;
  return { ...row, path: enginePathsIn(config.dataDir).absolute(row.path) };
}

const hashOf = (ticket: string): string => createHash('sha256').update(ticket).digest('hex');
