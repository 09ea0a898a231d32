import type { FastifyRequest } from 'fastify';
import type { Caller } from '../domain/accounts/caller.ts';

/** The options of a route in its `config`; an option that is left out means the strict way. */
declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route needs no token. */
    access?: 'public';
    /** The call is marked JSON (wire 11): it takes and answers `application/json`. */
    media?: 'json';
    /**
     * The route takes a file of this type, read while it comes; it may take as long as it goes on
     * coming.
     */
    takes?: string;
    /** Most bytes of a body, where it is not the usual. */
    bodyBytes?: number;
  }
  interface FastifyRequest {
    /** Set before the body is read, on every route under `/api` that is not public. */
    caller: Caller | null;
  }
}

/** Returns the caller of the request, for a route that is not public. */
export function callerIn(request: FastifyRequest): Caller {
  if (request.caller === null)
    throw new Error(`${request.routeOptions.url ?? ''} asks for a caller`);
  return request.caller;
}
