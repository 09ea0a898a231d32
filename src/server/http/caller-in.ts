import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/accounts/caller.ts';

/** What a route may say about itself in its `config`; what it does not say is the strict way. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** Needs no token. */
    access?: 'public';
    /** A call marked JSON (wire 11): takes and answers `application/json`. */
    media?: 'json';
    /** Takes a file of this type, read while it comes; it may take as long as it goes on coming. */
    takes?: string;
    /** Most bytes of a body, where it is not the usual. */
    bodyBytes?: number;
  }
  interface FastifyRequest {
    /** Set before the body is read, on every route under `/api` that is not public. */
    caller: Caller | null;
  }
}

/** Who makes the request. Of a route that is not public. */
export function callerIn(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error(`${request.routeOptions.url ?? ''} asks for a caller`);
  return request.caller;
}
