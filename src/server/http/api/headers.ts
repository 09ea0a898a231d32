import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import type { Match } from '../../domain/writes/parsed-operation.ts';

/**
 * Returns the organization to which lists are narrowed (wire 4); null: none. @throws ProblemError
 * 400, 403
 */
export async function narrowingIn(
  { db }: Services,
  { viewer }: Caller,
  { headers }: FastifyRequest,
): Promise<string | null> {
  const value = headers.organization;
  if (value === undefined || value === '' || value === 'null') return null;
  if (!isUuid(value)) throw invalidHeader('Organization');
  const id = value.toLowerCase();
  if (viewer.memberOf.has(id)) return id;
  const isThere =
    viewer.isSuperAdmin && (await db.read((tx) => tx.one('organization', id))) !== null;
  if (!isThere) throw new ProblemError({ code: 'not-a-member' });
  return id;
}

/** Returns the id of the change that a request is (wire 7.3), or null. */
export function changeIdIn({ headers }: FastifyRequest): string | null {
  const value = headers['idempotency-key'];
  if (value === undefined) return null;
  const id = String(value).replace(/^"(.*)"$/, '$1');
  if (!isUuid(id)) throw invalidHeader('Idempotency-Key');
  return id.toLowerCase();
}

function invalidHeader(header: string): ProblemError {
  return new ProblemError({ code: 'invalid-header', source: { header } });
}

const hashed = (text: string): string =>
  createHash('sha256').update(text).digest('base64url').slice(0, 12);

/**
 * Returns the tag of a record as one caller sees it: its version and the caller, by which
 * `If-Match` compares, and what exactly was shown, by which `If-None-Match` does.
 */
export function etagOf({ user }: Caller, version: number, presented: unknown): string {
  return `"${String(version)}.${hashed(user.id)}.${hashed(JSON.stringify(presented))}"`;
}

/** Returns the test of `If-Match` for a record's version; null without the header. */
export function matchIn({ headers }: FastifyRequest, { user }: Caller): Match | null {
  const header = headers['if-match'];
  if (header === undefined) return null;
  const tags = header.split(',').map((tag) => tag.trim());
  return (version) =>
    tags.some((tag) => tag === '*' || tag.startsWith(`"${String(version)}.${hashed(user.id)}.`));
}

/** Returns true when the `Prefer` header asks for `preference`. */
export function isPreferred({ headers }: FastifyRequest, preference: string): boolean {
  const words = [headers.prefer ?? []].flat().flatMap((line) => line.split(/[,;]/));
  return words.some((word) => word.replace(/[\s"]/g, '').toLowerCase() === preference);
}
