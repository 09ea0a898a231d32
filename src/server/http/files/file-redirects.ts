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
import { partFromIn, sendLogPart } from './log-part.ts';
import type { ConsoleOwner, MemberFile } from './of-product.ts';
import { issueTicket } from '../../domain/files/tickets.ts';
import { contentTypeOf, sentOf } from './opens-as.ts';
import type { OpensAs } from './opens-as.ts';

/**
 * The two ways to a file: a redirect for a client with a token, a link for one that cannot send it.
 */

/** A request without the caller, whom public addresses may not have. */
export type PublicApiRequest = Omit<ApiRequest, 'caller'>;

/**
 * Registers `url`, which leads to the file that `find` gives, and `{url}/link`. Both lead to a page
 * where the file lies on a host that is not the engine's: the page names it (domain 2.9).
 */
export function fileRoutes(
  app: FastifyInstance,
  services: Services,
  url: string,
  find: (apiRequest: ApiRequest) => Promise<MemberFile>,
  /** The kind of record whose log can be read in parts. */
  logOf: ConsoleOwner | null = null,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url,
    // Parts of a log are counted in its own bytes; the other answers have no body.
    compress: false,
    handler: async (request, reply) => {
      const apiRequest = { services, request, reply, caller: callerIn(request) };
      const from = request.method === 'GET' ? partFromIn(request.headers.range) : null;
      if (logOf !== null && from !== null) return sendLogPart(apiRequest, logOf, from);
      const { found, product, opens } = await find(apiRequest);
      if (request.method === 'GET' && (await isForeign(services, product, found)))
        return reply.redirect(filePaths.filePage(pathOf(request.url)), 302);
      return redirectTo(apiRequest, found, opens);
    },
  });
  app.route({
    method: 'GET',
    url: `${url}/link`,
    config: { media: 'json' },
    handler: routeHandler(services, async (apiRequest) => {
      const { found, product, opens } = await find(apiRequest);
      const page = filePaths.filePage(pathOf(apiRequest.request.url).replace(/\/link$/, ''));
      return linkTo(
        services,
        found,
        opens,
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
  opens: OpensAs,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return describe(reply, found, opens);
  const url =
    found.is === 'here' ? (await issueTicket(services, sentOf(found, opens))).url : found.url;
  return reply.redirect(url, 302);
}

function describe(reply: FastifyReply, found: FoundFile, opens: OpensAs): FastifyReply {
  const { sizeBytes, updated } = found;
  void reply.header('Content-Type', contentTypeOf(found, opens));
  if (sizeBytes !== null) void reply.header('Content-Length', sizeBytes);
  if (updated !== null) void reply.header('Last-Modified', new Date(updated).toUTCString());
  return reply.send();
}

/** @param page names the host of the file, where that is a foreign one; the link leads there */
export async function linkTo(
  services: Services,
  found: FoundFile,
  opens: OpensAs,
  page: string | null,
): Promise<FileLink> {
  const { filename, sizeBytes } = found;
  if (page !== null)
    return { url: `${services.config.publicUrl}${page}`, expiresAt: null, filename, sizeBytes };
  if (found.is === 'elsewhere') return { url: found.url, expiresAt: null, filename, sizeBytes };
  return { ...(await issueTicket(services, sentOf(found, opens))), filename, sizeBytes };
}
