import type { FastifyInstance } from 'fastify';
import { wireFieldOf, wireTypeOf } from '#protocol/names.ts';
import { resourceOf, storedTypes, toManysOf, toOnesOf, typeNames } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Verb } from '#schema/define.ts';
import type { Services } from '../../domain/services.ts';
import { routeHandler } from './api-request.ts';
import type { ApiHandler } from './api-request.ts';
import { linkage, listOf, membersList, recordOf, relatedList, relatedRecord } from './reading.ts';
import { changeOf, createOf, eraseOf, relateOf } from './writing.ts';

/** The addresses of every resource, as many as its verbs allow (wire 7.1, 16.1). */
export function resourceRoutes(app: FastifyInstance, services: Services): void {
  const on = (method: string, url: string, answer: ApiHandler) =>
    app.route({ method, url, handler: routeHandler(services, answer) });

  for (const type of typeNames) {
    const { verbs, isCreatedByCall } = resourceOf(type);
    const knows = (verb: Verb) => verbs.includes(verb);
    const url = `/api/${wireTypeOf(type)}`;
    if (knows('list')) on('GET', url, listOf(type));
    if (knows('create') && !isCreatedByCall) on('POST', url, createOf(type));
    if (knows('get')) on('GET', `${url}/:id`, recordOf(type));
    if (knows('update')) on('PATCH', `${url}/:id`, changeOf(type));
    if (knows('delete')) on('DELETE', `${url}/:id`, eraseOf(type));
  }
  for (const type of storedTypes) relationshipRoutes(type, on);
  on('GET', '/api/organizations/:id/users', membersList);
}

type On = (method: string, url: string, answer: ApiHandler) => void;

function relationshipRoutes(type: TypeName, on: On): void {
  const url = `/api/${wireTypeOf(type)}/:id`;
  const isUpdated = resourceOf(type).verbs.includes('update');
  for (const [name, field] of toOnesOf(type)) {
    const wire = wireFieldOf(type, name);
    on('GET', `${url}/${wire}`, relatedRecord(type, name, field));
    on('GET', `${url}/relationships/${wire}`, linkage(type, name, wire));
    if (isUpdated) on('PATCH', `${url}/relationships/${wire}`, relateOf(type, wire, 'update'));
  }
  for (const [name, field] of toManysOf(type)) {
    const wire = wireFieldOf(type, name);
    on('GET', `${url}/${wire}`, relatedList(type, field));
    on('GET', `${url}/relationships/${wire}`, linkage(type, name, wire));
    if (!isUpdated) continue;
    on('POST', `${url}/relationships/${wire}`, relateOf(type, wire, 'add'));
    on('PATCH', `${url}/relationships/${wire}`, relateOf(type, wire, 'update'));
    on('DELETE', `${url}/relationships/${wire}`, relateOf(type, wire, 'remove'));
  }
}
