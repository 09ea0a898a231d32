import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import type { TypeName } from '#schema/index.ts';
import type { QueryFilter } from '../../../access/query/query.ts';
import { comparisonOf, instantOf, isBareDate } from './value.ts';

type Read = (text: string) => QueryFilter | null;

const LAST_MS_OF_DAY = 86_400_000 - 1;

/** The filters of wire 5.2 by type and name; each answers null when its value is not valid. */
const specials: Partial<Record<TypeName, Readonly<Record<string, Read>>>> = {
  project: {
    'search-term': (text) => ofWords('search-term', text),
    'any-product-definition-id': productDefinition,
    'any-product-name': (text) => ofWords('any-product-name', text),
    'project-updated-date': updated,
  },
  organization: {
    'scope-to-current-user': () => ({ is: 'scope-to-current-user' }),
    'with-public-projects': () => ({ is: 'with-public-projects' }),
  },
  user: {
    'organization-id': (text) => {
      const { operator, rest } = comparisonOf(text);
      if (operator !== 'eq' || !isUuid(rest)) return null;
      return { is: 'members-of', organization: rest.toLowerCase() };
    },
  },
};

/** Returns how the special filter `name` of `type` is read, or null when there is none. */
export function specialFilter(type: TypeName, name: string): Read | null {
  const known = specials[type];
  return known !== undefined && Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}

function ofWords(is: 'search-term' | 'any-product-name', text: string): QueryFilter | null {
  return text.includes('\0') ? null : { is, words: text };
}

function productDefinition(text: string): QueryFilter | null {
  const { operator, rest } = comparisonOf(text);
  if (operator !== 'eq' && operator !== 'in') return null;
  const ids = operator === 'in' ? rest.split(',') : [rest];
  if (ids.length > limits.valuesInFilter || !ids.every(isUuid)) return null;
  return { is: 'any-product-definition-id', ids: ids.map((id) => id.toLowerCase()) };
}

/** Ends are included: a bare date means its first moment for `ge`, its last for `le`. */
function updated(text: string): QueryFilter | null {
  const { operator, rest } = comparisonOf(text);
  const at = instantOf(rest);
  if (at === null || (operator !== 'ge' && operator !== 'le')) return null;
  const isLast = operator === 'le' && isBareDate(rest);
  const end = isLast ? new Date(Date.parse(at) + LAST_MS_OF_DAY).toISOString() : at;
  return { is: 'project-updated-date', operator, at: end };
}
