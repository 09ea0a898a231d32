import { statSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemError } from '#protocol/problem.ts';
import { ANY_PATH, isReserved, pathOf } from './addresses.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const SHORT_BYTES = 1_024;
/** File systems fail at longer names; none of the app's files has one. */
const LONGEST_PATH_BYTES = 250;

/**
 * Serves the built app in `folder`: its files, and for every other path outside the reserved its
 * HTML.
 */
export async function serveApp(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    // Ranges and preconditions are for repositories and records; what cannot hold of an app's file
    // would be an error of the library.
    acceptRanges: false,
  });

  app.get(ANY_PATH, (request, reply) => {
    withoutPreconditions(request);
    const path = decodeURIComponent(pathOf(request.url));
    const size = sizeOf(folder, path);
    // The compression does not know the length of a file beforehand.
    if ((size ?? sizeOf(folder, 'index.html') ?? 0) < SHORT_BYTES)
      request.headers['x-no-compression'] = '1';
    if (size !== null) {
      // Webpack's files under /static/ have their digest in their name.
      void reply.header('Cache-Control', path.startsWith('/static/') ? FOREVER : 'no-cache');
      void reply.header('Vary', 'Accept-Encoding');
      return reply.sendFile(path.slice(1));
    }
    if (isReserved(path)) throw new ProblemError({ code: 'not-found' });
    void reply.header('Cache-Control', 'no-cache');
    return reply.sendFile('index.html');
  });
  app.get('/assets/*', (request, reply) => {
    withoutPreconditions(request);
    const path = decodeURIComponent(pathOf(request.url));
    if (sizeOf(folder, path) === null) throw new ProblemError({ code: 'not-found' });
    void reply.header('Cache-Control', 'no-cache');
    return reply.sendFile(path.slice(1));
  });
}

function withoutPreconditions({ headers }: FastifyRequest): void {
  delete headers['if-match'];
  delete headers['if-unmodified-since'];
}

/** Returns the length of the file; null where there is none that people may have. */
function sizeOf(folder: string, path: string): number | null {
  if (Buffer.byteLength(path) > LONGEST_PATH_BYTES) return null;
  if (path.split('/').some((part) => part.startsWith('.')) || path.includes('\0')) return null;
  const found = statSync(join(folder, path), { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : null;
}
