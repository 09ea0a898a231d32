import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { parseJson } from '#base/json.ts';
import { JSON_API } from '#protocol/document.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Timers } from '#base/timers.ts';

/** Media types and bodies (wire 1.2, 15.2). */

/** Refuses with 415 and 406. A request without a body needs no content type. */
export function checkMedia(request: FastifyRequest): void {
  const { media, takes } = request.routeOptions.config;
  const isJson = media === 'json';
  if (hasBody(request)) {
    const { 'content-type': type, 'content-encoding': encoding } = request.headers;
    const isTaken =
      takes === undefined ? isReadable(type ?? '', isJson) : parse(type ?? '').type === takes;
    if (encoding !== undefined || !isTaken)
      throw new ProblemError({ code: 'unsupported-media-type' });
  }
  if (!isJson && !isAcceptable(request.headers.accept))
    throw new ProblemError({ code: 'not-acceptable' });
}

export function hasBody({ headers }: FastifyRequest): boolean {
  if (headers['transfer-encoding'] !== undefined) return true;
  return headers['content-length'] !== undefined && headers['content-length'] !== '0';
}

function isReadable(header: string, isJson: boolean): boolean {
  const { type, parameters } = parse(header);
  if (type === JSON_API) return parameters.every((name) => name === 'profile');
  return isJson && type === 'application/json';
}

/** Only a client that names the JSON:API type, and always with parameters, is not acceptable. */
function isAcceptable(accept: string | undefined): boolean {
  const ours = splitOutsideQuotes(accept ?? '', ',')
    .map(parse)
    .filter(({ type }) => type === JSON_API);
  if (ours.length === 0) return true;
  return ours.some(({ parameters }) =>
    parameters.every((name) => name === 'profile' || name === 'q'),
  );
}

function parse(value: string): { readonly type: string; readonly parameters: readonly string[] } {
  const [type = '', ...parameters] = splitOutsideQuotes(value, ';');
  const names = parameters.map((parameter) => (parameter.split('=', 1)[0] ?? '').trim());
  return {
    type: type.trim().toLowerCase(),
    parameters: names.map((name) => name.toLowerCase()).filter((name) => name !== ''),
  };
}

/**
 * Returns the parts of `value` that are not empty; a quote that is never closed takes the rest
 * along.
 */
function splitOutsideQuotes(value: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at <= value.length; at += 1) {
    if (value[at] === '"') isQuoted = !isQuoted;
    if (at < value.length && (isQuoted || value[at] !== separator)) continue;
    if (at > start) parts.push(value.slice(start, at));
    start = at + 1;
  }
  return parts;
}

/** Refuses with 413 before a byte is read, if the request says how long it is. */
export function checkLength(request: FastifyRequest): void {
  const limit = bodyLimitOf(request);
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge(limit);
}

function bodyLimitOf(request: FastifyRequest): number {
  return request.routeOptions.config.bodyBytes ?? bodyLimitAt(request.url);
}

function bodyLimitAt(address: string): number {
  const isLarge = /^\/api\/(operations|project-imports)(\?|$)/.test(address);
  return isLarge ? limits.operationsBodyBytes : limits.bodyBytes;
}

const tooLarge = (limit: number) =>
  // The rest of the body is not read, so the connection cannot be used again.
  new ProblemError({ code: 'too-large', meta: { limit } }, { Connection: 'close' });

/** Returns the body as the JSON it holds. @throws ProblemError 400, 408, 413 */
export async function readJson(
  request: FastifyRequest,
  body: NodeJS.ReadableStream,
  timers: Timers,
): Promise<unknown> {
  const bytes = await readBody(body, bodyLimitOf(request), timers);
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    throw new ProblemError({ code: 'invalid-document', detail: 'The body is not JSON.' });
  }
}

/**
 * Yields the body while it comes, at most as long as the route allows.
 *
 * @throws ProblemError 408 when nothing comes any more, 413, and 400 when it breaks off
 */
export async function* bytesOf(
  request: FastifyRequest,
  body: Readable,
  timers: Timers,
): AsyncGenerator<Uint8Array> {
  const limit = bodyLimitOf(request);
  // Destroyed, it would take the connection along, and with it the answer.
  const chunks = body.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  let size = 0;
  for (;;) {
    const next = await inTime(chunks.next(), timers);
    if (next.done === true) return;
    size += next.value.length;
    if (size > limit) throw tooLarge(limit);
    yield next.value;
  }
}

async function inTime<T>(coming: Promise<T>, timers: Timers): Promise<T> {
  let cancel: () => void = () => undefined;
  const late = new Promise<never>((_, fail) => {
    cancel = timers.after(limits.bodyWithinMs, () => {
      fail(new ProblemError({ code: 'timed-out' }, { Connection: 'close' }));
    });
  });
  const broken = coming.catch(() => {
    throw new ProblemError({ code: 'invalid-document', detail: 'The body broke off.' });
  });
  try {
    return await Promise.race([broken, late]);
  } finally {
    cancel();
  }
}

/**
 * Returns the whole body, at most `limit` bytes. @throws ProblemError 408 when it takes too long,
 * 413, 400
 */
export function readBody(
  body: NodeJS.ReadableStream,
  limit: number,
  timers: Timers,
): Promise<Buffer> {
  return new Promise((done, fail) => {
    let bytes = Buffer.alloc(0);
    let size = 0;
    const cancel = timers.after(limits.bodyWithinMs, () => {
      stop(new ProblemError({ code: 'timed-out' }, { Connection: 'close' }));
    });

    const stop = (error: Error) => {
      cancel();
      body.removeListener('data', take);
      body.pause();
      fail(error);
    };
    // What comes is copied, for the smallest piece keeps alive the memory that it was read into.
    const take = (chunk: Buffer) => {
      if (size + chunk.length > limit) {
        stop(tooLarge(limit));
        return;
      }
      if (size + chunk.length > bytes.length)
        bytes = Buffer.concat([bytes], Math.min(limit, 2 * (size + chunk.length)));
      size += chunk.copy(bytes, size);
    };
    body.on('data', take);
    body.once('error', () => {
      stop(new ProblemError({ code: 'invalid-document', detail: 'The body broke off.' }));
    });
    body.once('end', () => {
      cancel();
      done(bytes.subarray(0, size));
    });
  });
}
