import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '#base/id.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { TypeName } from '#schema/index.ts';
import { callerIn } from '../caller-in.ts';
import type { Caller } from '../../domain/accounts/caller.ts';
import type { Services } from '../../domain/services.ts';
import { narrowingIn } from './headers.ts';
import { parseQuery } from './query/parse.ts';
import type { Takes } from './query/parse.ts';
import type { Query } from '../../access/query/query.ts';

/** One request on an address of resources. */
export interface ApiRequest {
  readonly services: Services;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly caller: Caller;
}

export type ApiHandler = (apiRequest: ApiRequest) => Promise<unknown>;

/** Makes a route's function of `answer`. Its result is sent; without one the answer is 204. */
export function routeHandler(services: Services, answer: ApiHandler) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const body = await answer({ services, request, reply, caller: callerIn(request) });
    return body === undefined ? reply.code(204).send() : reply.send(body);
  };
}

/** Returns `:id` of the address; what is no UUID is not found (wire 1.3). */
export function idIn({ params }: FastifyRequest): string {
  const { id } = params as { readonly id?: unknown };
  if (!isUuid(id)) throw new ProblemError({ code: 'not-found' });
  return id.toLowerCase();
}

/** Returns the query of the address, as it was sent. */
export function parametersIn({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}

export interface RecordQuery {
  /** The organizations to which lists are narrowed; null: not narrowed. */
  readonly organization: string | null;
  readonly query: Query;
}

/** Checks the organization header, then the parameters (wire 6.3). */
export async function recordQueryIn(
  apiRequest: ApiRequest,
  type: TypeName,
  takes: Takes,
): Promise<RecordQuery> {
  const organization = await narrowingIn(
    apiRequest.services,
    apiRequest.caller,
    apiRequest.request,
  );
  return { organization, query: parseQuery(type, parametersIn(apiRequest.request), takes) };
}
