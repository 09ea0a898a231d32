import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Returns an `ETag` for what `caller` is shown: the same bytes have another one for someone else.
 */
export function etagOf(caller: string, body: string | Buffer): string {
  return `"${createHash('sha256').update(caller).update('\n').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Gives a readable answer its `ETag`, unless it has one, and empties it (304) where it is known. */
export function answerByTag(request: FastifyRequest, reply: FastifyReply, body: unknown): unknown {
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!isRead || reply.statusCode !== 200) return body;
  if (typeof body !== 'string' && !Buffer.isBuffer(body)) return body;

  const present = reply.getHeader('ETag');
  const tag = typeof present === 'string' ? present : etagOf(request.caller?.user.id ?? '', body);
  void reply.header('ETag', tag);
  if (!isKnown(request.headers['if-none-match'], tag)) return body;

  void reply.code(304).removeHeader('Content-Type').removeHeader('Content-Length');
  return '';
}

function isKnown(header: string | undefined, tag: string): boolean {
  const bare = (value: string) => value.trim().replace(/^W\//, '');
  return (
    header?.split(',').some((each) => bare(each) === bare(tag) || each.trim() === '*') ?? false
  );
}
