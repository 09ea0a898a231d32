import { JSON_API } from '#protocol/document.ts';
import type { ResourceObject } from '#protocol/document.ts';
import type { Of } from '#schema/index.ts';
import { asResource } from '../../support/app-over-store.ts';
import { harvestApp, record } from '../../support/shelf.ts';

type Build = Of<'productBuild'>;

/** A build of Harvest's product that was requested at an hour of the first of March. */
export const build = (id: string, hour: string, fields: Partial<Build> = {}) =>
  record('productBuild', {
    id,
    product: harvestApp,
    success: true,
    dateCreated: `2026-03-01T${hour}:00:00.000Z`,
    ...fields,
  });

/** The page of `builds` that is asked for, of those whose status and trigger are. */
export function listed(
  builds: readonly Build[],
  query: URLSearchParams,
  included: readonly ResourceObject[] = [],
): Response {
  const isOf = (name: string, word: string | null) => {
    const wanted = query.get(`filter[${name}]`)?.replace(/^in:/, '').split(',');
    return wanted === undefined || (word !== null && wanted.includes(word));
  };
  const status = ({ success }: Build) =>
    success === null ? 'building' : success ? 'built' : 'failed';
  const found = builds.filter(
    (one) => isOf('status', status(one)) && isOf('triggered-by', one.triggeredBy),
  );
  const [offset, limit] = [Number(query.get('page[offset]')), Number(query.get('page[limit]'))];
  const content = {
    data: found
      .slice((offset - 1) * limit, offset * limit)
      .map((one) => asResource('productBuild', one)),
    included,
    meta: { 'total-records': found.length },
  };
  return new Response(JSON.stringify(content), { headers: { 'Content-Type': JSON_API } });
}
