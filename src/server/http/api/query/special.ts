import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { BUILD_STATUS_WORDS, PRODUCT_STATUS_WORDS } from '#rules/product-status.ts';
import type { TypeName } from '#schema/index.ts';
import type { QueryFilter } from '../../../access/query/query.ts';
import { comparisonOf, instantOf, isBareDate } from './value.ts';

type Read = (text: string) => QueryFilter | null;

const LAST_MS_OF_DAY = 86_400_000 - 1;

/** The filters of wire 5.2 by type and name; each answers null when its value is not valid. */
const specials: Partial<Record<TypeName, Readonly<Record<string, Read>>>> = {
  project: {
    'search-term': (text) => ({ is: 'search-term', words: text }),
    'any-product-definition-id': productDefinition,
    'any-product-name': (text) =>
      text.includes('\0') ? null : { is: 'any-product-name', words: text },
    'project-updated-date': updated,
    status: (text) => {
      const words = wordsIn(PRODUCT_STATUS_WORDS, text);
      return words === null ? null : { is: 'status', words };
    },
  },
  productBuild: {
    status: (text) => {
      const words = wordsIn(BUILD_STATUS_WORDS, text);
      return words === null ? null : { is: 'build-status', words };
    },
    'project-id': (text) => {
      const project = idIn(text);
      return project === null ? null : { is: 'builds-of-project', project };
    },
  },
  organization: {
    'scope-to-current-user': () => ({ is: 'scope-to-current-user' }),
    'with-public-projects': () => ({ is: 'with-public-projects' }),
  },
  user: {
    'organization-id': (text) => {
      const organization = idIn(text);
      return organization === null ? null : { is: 'members-of', organization };
    },
  },
};

/** Each of these tests every product or build, so a query may have one of them. */
export const GIVEN_ONCE: ReadonlySet<QueryFilter['is']> = new Set(['status', 'build-status']);

/** Returns how the special filter `name` of `type` is read, or null when there is none. */
export function specialFilter(type: TypeName, name: string): Read | null {
  const known = specials[type];
  return known !== undefined && Object.hasOwn(known, name) ? (known[name] ?? null) : null;
}

function productDefinition(text: string): QueryFilter | null {
  const ids = oneOrMore(text);
  if (ids?.every(isUuid) !== true) return null;
  return { is: 'any-product-definition-id', ids: ids.map((id) => id.toLowerCase()) };
}

function idIn(text: string): string | null {
  const { operator, rest } = comparisonOf(text);
  return operator === 'eq' && isUuid(rest) ? rest.toLowerCase() : null;
}

/** Returns the words, each of them one of `known`. */
function wordsIn<W extends string>(known: readonly W[], text: string): ReadonlySet<W> | null {
  const words = oneOrMore(text)?.map((word) => known.find((each) => each === word));
  return words?.every((word) => word !== undefined) === true ? new Set(words) : null;
}

/** Returns the value, or with `in:` all of them; null for another operator, or too many. */
function oneOrMore(text: string): readonly string[] | null {
  const { operator, rest } = comparisonOf(text);
  if (operator !== 'eq' && operator !== 'in') return null;
  const values = operator === 'in' ? rest.split(',') : [rest];
  return values.length > limits.valuesInFilter ? null : values;
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
