import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#protocol/problem.ts';
import { dispositionOf } from '../../domain/files/filename.ts';
import type { Sent } from '../../domain/files/tickets.ts';
import { isShownPage } from './opens-as.ts';
import { rangeIn } from './range.ts';
import type { Range } from './range.ts';

/** Whatever a file holds, it is no page of ours: nothing in it runs, loads or knows who looks. */
export const INERT =
  "default-src 'none'; sandbox; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A page may have its own styles, and pictures that stand in it; for the rest it is as inert. */
const INERT_PAGE = `${INERT}; img-src data:; style-src 'unsafe-inline'`;

/**
 * Sends the bytes of a file, or the part that is asked for.
 *
 * @param tag stands for the file's own, where one is known by another name
 * @throws ProblemError 404
 */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Sent,
  tag?: string,
): Promise<FastifyReply> {
  const handle = await opened(file.path);
  const found = await handle.stat();
  if (!found.isFile()) {
    await handle.close();
    throw new ProblemError({ code: 'not-found' });
  }
  const version = {
    tag: tag ?? `"${found.size}-${found.mtimeMs}"`,
    updated: found.mtime.toUTCString(),
  };
  void reply.headers({
    'Content-Type': file.contentType,
    'Content-Disposition': dispositionOf(file.filename, file.isInline),
    'Content-Security-Policy': isShownPage(file) ? INERT_PAGE : INERT,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
    'Accept-Ranges': 'bytes',
    'Last-Modified': version.updated,
    ETag: version.tag,
  });
  const range = partOf(request, reply, found.size, version);
  if (range === null || request.method === 'HEAD') {
    await handle.close();
    return reply.send();
  }
  return reply.send(handle.createReadStream({ start: range.from, end: range.to }));
}

interface Version {
  readonly tag: string;
  readonly updated: string;
}

/** Sets the headers and returns what is to be sent; null: no bytes at all. */
function partOf(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  sizeBytes: number,
  { tag, updated }: Version,
): Range | null {
  const onlyIf = headers['if-range'];
  // A part of another version of the file would not fit to what the client has already.
  const isSame = onlyIf === undefined || onlyIf === tag || onlyIf === updated;
  const range = isSame ? rangeIn(headers.range, sizeBytes) : null;
  if (range === 'unsatisfiable') {
    void reply.code(416).header('Content-Range', `bytes */${sizeBytes}`);
    return null;
  }
  if (range !== null)
    void reply.code(206).header('Content-Range', `bytes ${range.from}-${range.to}/${sizeBytes}`);
  const { from, to } = range ?? { from: 0, to: sizeBytes - 1 };
  void reply.header('Content-Length', to - from + 1);
  return sizeBytes === 0 ? null : { from, to };
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOENT' || code === 'ELOOP') throw new ProblemError({ code: 'not-found' });
    throw error;
  }
}
