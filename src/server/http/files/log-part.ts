import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FastifyReply } from 'fastify';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { INERT } from './send.ts';
import { findLog } from './of-product.ts';
import type { ConsoleOwner, FoundLog } from './of-product.ts';
import { PLAIN } from './opens-as.ts';

/** Returns the byte from which a part is asked for; null: none is, or in another form. */
export function partFromIn(range: string | undefined): number | null {
  const [, from] = /^bytes=(\d{1,15})-$/.exec(range?.trim() ?? '') ?? [];
  return from === undefined ? null : Number(from);
}

/**
 * Answers with the part of a log from a byte on, by which a client follows it (wire 12.1).
 *
 * @throws ProblemError 403, 404; 409 where an engine elsewhere keeps it; 429
 */
export async function sendLogPart(
  apiRequest: ApiRequest,
  type: ConsoleOwner,
  from: number,
): Promise<FastifyReply> {
  const { services, caller, request, reply } = apiRequest;
  services.limits.requireRate('logReadsOfUser', caller.user.id);
  const log = await findLog(apiRequest, type);
  const onlyIf = request.headers['if-range'];
  // Another attempt writes another log: what the client has is no beginning of it.
  const isAnother = onlyIf !== undefined && onlyIf !== log.tag;
  const start = isAnother ? 0 : from;
  const { bytes, sizeBytes } = await partOf(log, start);

  const end = start + bytes.length;
  void reply.headers({
    'Content-Type': PLAIN,
    'Content-Security-Policy': INERT,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
    'X-Log-Complete': String(log.isComplete && end >= sizeBytes),
    ETag: log.tag,
  });
  if (isAnother) return reply.code(200).send(bytes);
  if (bytes.length === 0) return reply.code(204).send();
  const total = log.isComplete ? String(sizeBytes) : '*';
  return reply
    .code(206)
    .header('Content-Range', `bytes ${start}-${end - 1}/${total}`)
    .send(bytes);
}

interface LogPart {
  readonly bytes: Buffer;
  /** The size of all that there is by now. */
  readonly sizeBytes: number;
}

/** Reads whole lines from `start` on, at most `limits.logPartBytes`. */
async function partOf({ path, isComplete }: FoundLog, start: number): Promise<LogPart> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch(
    (error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    },
  );
  if (file === null) {
    // A build that has just begun has no file yet.
    if (!isComplete) return { bytes: Buffer.alloc(0), sizeBytes: 0 };
    throw new ProblemError({ code: 'not-found' });
  }
  try {
    const { size: sizeBytes } = await file.stat();
    const length = Math.max(0, Math.min(limits.logPartBytes, sizeBytes - start));
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
    const bytes = buffer.subarray(0, bytesRead);
    const isEnd = isComplete && start + bytesRead >= sizeBytes;
    return { bytes: isEnd ? bytes : wholeLinesOf(bytes), sizeBytes };
  } finally {
    await file.close();
  }
}

const LINE_BREAK = 0x0a;

/** Cuts after the last line break; a line that fills a whole part is cut between two characters. */
function wholeLinesOf(bytes: Buffer): Buffer {
  const lines = bytes.subarray(0, bytes.lastIndexOf(LINE_BREAK) + 1);
  if (lines.length > 0 || bytes.length < limits.logPartBytes) return lines;
  let end = bytes.length - 1;
  while (end > bytes.length - 4 && isContinuation(bytes[end])) end -= 1;
  return bytes.subarray(0, end);
}

/** Returns true for a byte of UTF-8 that does not begin a character. */
const isContinuation = (byte = 0): boolean => (byte & 0xc0) === 0x80;
