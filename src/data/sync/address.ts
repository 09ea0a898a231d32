import { wireFieldOf } from '#protocol/names.ts';
import { paths } from '#protocol/paths.ts';
import type { TypeName } from '#schema/index.ts';

/** The address at which the server lists `type` with `filter` (wire 5). */
export function addressOf(type: TypeName, filter: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(filter).map(([path, wanted]) => {
    const name = path
      .split('.')
      .map((field) => wireFieldOf(type, field))
      .join('.');
    return `filter[${name}]=${encodeURIComponent(filterText(wanted))}`;
  });
  return parameters.length === 0 ? paths.list(type) : `${paths.list(type)}?${parameters.join('&')}`;
}

function filterText(wanted: unknown): string {
  if (typeof wanted === 'object' && wanted !== null)
    return 'isNull' in wanted ? 'isnull:' : 'isnotnull:';
  return wanted === null ? 'isnull:' : `eq:${JSON.stringify(wanted).replace(/^"|"$/g, '')}`;
}
