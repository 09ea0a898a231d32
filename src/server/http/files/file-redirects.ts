import type { FastifyInstance, FastifyReply } from 'fastify';
import { filePaths } from '#protocol/file-paths.ts';
import type { FileLink } from '#protocol/file-paths.ts';
import { routeHandler } from '../api/api-request.ts';
import type { ApiRequest } from '../api/api-request.ts';
import { callerIn } from '../caller-in.ts';
import { pathOf } from '../addresses.ts';
import type { Services } from '../../domain/services.ts';
import { remoteFileOf } from './remote-file.ts';
import type { FoundFile } from '../../domain/files/found-file.ts';
import type { MemberFile } from './of-product.ts';
import { issueTicket } from '../../domain/files/tickets.ts';
import type { Sent } from '../../domain/files/tickets.ts';

/**
 * The two ways to a file: a redirect for a client with a token, a link for one that cannot send it.
 */

/** A request without the caller, whom public addresses may not have. */
export type PublicApiRequest = Omit<ApiRequest, 'caller'>;

const PLAIN = 'text/plain; charset=utf-8';
const FALLBACK = 'application/octet-stream';

/**
 * Registers `url`, which leads to the file that `find` gives, and `{url}/link`. Both lead to a page
 * where the file lies on a host that is not the engine's: the page names it (domain 2.9).
 */
export function fileRoutes(
  app: FastifyInstance,
  services: Services,
  url: string,
  find: (apiRequest: ApiRequest) => Promise<MemberFile>,
  { isText }: { readonly isText: boolean } = { isText: false },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    handler: async (request, reply) => {
      const apiRequest = { services, request, reply, caller: callerIn(request) };
      const { found, product } = await find(apiRequest);
      if (request.method === 'GET' && (await isForeign(services, product, found)))
        return reply.redirect(filePaths.filePage(pathOf(request.url)), 302);
      return redirectTo(apiRequest, found, isText);
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/link`,
    config: { media: 'json' },
    handler: routeHandler(services, async (apiRequest) => {
      const { found, product } = await find(apiRequest);
      const page = filePaths.filePage(pathOf(apiRequest.request.url).replace(/\/link$/, ''));
      return linkTo(
        services,
        found,
        isText,
        (await isForeign(services, product, found)) ? page : null,
      );
    }),
  });
}

/** Returns true when the file lies on a host that is named before anybody leaves for it. */
export async function isForeign(
  services: Services,
  product: string,
  found: FoundFile,
): Promise<boolean> {
  return (await remoteFileOf(services, product, found))?.isOfEngine === false;
}

/** Answers 302 to the file; HEAD describes it. */
export async function redirectTo(
  { services, request, reply }: PublicApiRequest,
  found: FoundFile,
  isText: boolean,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return describe(reply, found, isText);
  const url =
    found.is === 'here' ? (await issueTicket(services, sentOf(found, isText))).url : found.url;
  return reply.redirect(url, 302);
}

function describe(
  reply: FastifyReply,
  { contentType, sizeBytes, updated }: FoundFile,
  isText: boolean,
): FastifyReply {
  void reply.header('Content-Type', isText ? PLAIN : (contentType ?? FALLBACK));
  if (sizeBytes !== null) void reply.header('Content-Length', sizeBytes);
  if (updated !== null) void reply.header('Last-Modified', new Date(updated).toUTCString());
  return reply.send();
}

/** @param page names the host of the file, where that is a foreign one; the link leads there */
export async function linkTo(
  services: Services,
  found: FoundFile,
  isText: boolean,
  page: string | null,
): Promise<FileLink> {
  const { filename, sizeBytes } = found;
  if (page !== null)
    return { url: `${services.config.publicUrl}${page}`, expiresAt: null, filename, sizeBytes };
  if (found.is === 'elsewhere') return { url: found.url, expiresAt: null, filename, sizeBytes };
  return { ...(await issueTicket(services, sentOf(found, isText))), filename, sizeBytes };
}

/** It is shown as a text, whatever type the engine gave it. */
function sentOf(found: FoundFile & { readonly is: 'here' }, isText: boolean): Sent {
  const contentType = isText ? PLAIN : (found.contentType ?? FALLBACK);
  return { path: found.path, filename: found.filename, contentType, isInline: isText };
}
