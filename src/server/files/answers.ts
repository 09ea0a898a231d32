import type { FastifyInstance, FastifyReply } from 'fastify';
import type { FileLink } from '#protocol/file-paths.ts';
import { answering } from '../api/asked.ts';
import type { Asked } from '../api/asked.ts';
import { callerIn } from '../http/access.ts';
import type { Parts } from '../parts.ts';
import type { Found } from './found.ts';
import type { Sent } from './send.ts';
import { issueTicket } from './tickets.ts';

/** The two ways to a file: a redirect for who asks with a token, a link for who cannot. */

/** Everything but the caller, whom public addresses may not have. */
export type Unasked = Omit<Asked, 'caller'>;

const PLAIN = 'text/plain; charset=utf-8';
const FALLBACK = 'application/octet-stream';

/** Registers `url`, which leads to the file that `find` gives, and `{url}/link`. */
export function fileRoutes(
  app: FastifyInstance,
  parts: Parts,
  url: string,
  find: (asked: Asked) => Promise<Found>,
  { isText }: { readonly isText: boolean } = { isText: false },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const asked = { parts, request, reply, caller: callerIn(request) };
      return leadTo(asked, await find(asked), isText);
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/link`,
    config: { media: 'json' },
    handler: answering(parts, async (asked) => linkTo(parts, await find(asked), isText)),
  });
}

/** 302 to the file; HEAD tells of it. */
export async function leadTo(
  { parts, request, reply }: Unasked,
  found: Found,
  isText: boolean,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return describe(reply, found, isText);
  const url =
    found.is === 'here' ? (await issueTicket(parts, sentOf(found, isText))).url : found.url;
  return reply.redirect(url, 302);
}

function describe(
  reply: FastifyReply,
  { contentType, sizeBytes, updated }: Found,
  isText: boolean,
): FastifyReply {
  void reply.header('Content-Type', isText ? PLAIN : (contentType ?? FALLBACK));
  if (sizeBytes !== null) void reply.header('Content-Length', sizeBytes);
  if (updated !== null) void reply.header('Last-Modified', new Date(updated).toUTCString());
  return reply.send();
}

export async function linkTo(parts: Parts, found: Found, isText: boolean): Promise<FileLink> {
  const { filename, sizeBytes } = found;
  if (found.is === 'elsewhere') return { url: found.url, expiresAt: null, filename, sizeBytes };
  return { ...(await issueTicket(parts, sentOf(found, isText))), filename, sizeBytes };
}

/** As a text it is shown, whatever the engine took it for. */
function sentOf(found: Found & { readonly is: 'here' }, isText: boolean): Sent {
  const contentType = isText ? PLAIN : (found.contentType ?? FALLBACK);
  return { path: found.path, filename: found.filename, contentType, isInline: isText };
}
