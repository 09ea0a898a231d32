import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fold } from '#base/unicode.ts';
import { never } from '#base/never.ts';
import { buildStatuses, PRODUCT_STATUS_WORDS, productStatuses } from '#rules/product-status.ts';
import type { ProductStatusWord } from '#rules/product-status.ts';
import { anyOf } from '#rules/scope.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { TypeName } from '#schema/index.ts';
import { scopeSql, visibleSql } from '../scope-sql.ts';
import { tableOf } from '../../db/tables.ts';
import { containsSql, keyRef, ref } from './key-ref.ts';
import type { QueryFilter } from './query.ts';

type Condition = RawBuilder<boolean>;
/** The words of every `search-term` are searched together (`searchSql`). */
type Special = Exclude<QueryFilter, { is: 'field' | 'search-term' }>;

/**
 * Returns a special filter of wire 5.2 on the table called `alias`. The records that it reads must
 * be visible.
 */
export function specialSql(filter: Special, alias: string, viewer: Viewer): Condition {
  switch (filter.is) {
    case 'any-product-definition-id': {
      const column = ref('s_product', 'product', 'productDefinition');
      return someProduct(sql`${column} = any(${filter.ids})`, alias, viewer);
    }
    case 'any-product-name': {
      const name = keyRef('s_definition', 'productDefinition', 'name');
      const found = seen('productDefinition', 's_definition', viewer, {
        id: ref('s_product', 'product', 'productDefinition'),
        holds: containsSql(name, fold(filter.words.trim())),
      });
      return someProduct(found, alias, viewer);
    }
    case 'status':
      return statusSql(filter.words, alias, viewer);
    case 'build-status': {
      const wanted = [...filter.words].map((word) => buildStatuses[word]);
      return scopeSql(anyOf(...wanted), 'productBuild', alias, viewer);
    }
    case 'builds-of-project':
      return sql<boolean>`${ref(alias, 'productBuild', 'product')} in (
        select id from ${sql.table(tableOf('product'))} as s_product
        where ${ref('s_product', 'product', 'project')} = ${filter.project}
        and ${visibleSql('product', 's_product', viewer)})`;
    case 'project-updated-date': {
      const column = ref(alias, 'project', 'dateUpdated');
      return filter.operator === 'ge'
        ? sql`${column} >= ${filter.at}`
        : sql`${column} <= ${filter.at}`;
    }
    case 'scope-to-current-user':
      return sql`${sql.ref(`${alias}.id`)} = any(${[...viewer.memberOf]})`;
    case 'with-public-projects':
      return sql<boolean>`exists (select 1 from ${sql.table(tableOf('project'))} as s_project
        where ${ref('s_project', 'project', 'organization')} = ${sql.ref(`${alias}.id`)}
        and ${ref('s_project', 'project', 'isPublic')}
        and ${ref('s_project', 'project', 'dateArchived')} is null)`;
    case 'members-of':
      return memberSql(filter.organization, alias, viewer);
    default:
      return never(filter);
  }
}

interface Sought {
  readonly id: RawBuilder<unknown>;
  readonly holds: Condition;
}

/** Returns the condition that the record with that id is visible and contains the search term. */
function seen(type: TypeName, alias: string, viewer: Viewer, { id, holds }: Sought): Condition {
  return sql<boolean>`exists (select 1 from ${sql.table(tableOf(type))} as ${sql.id(alias)}
    where ${sql.ref(`${alias}.id`)} = ${id} and ${holds} and ${visibleSql(type, alias, viewer)})`;
}

function someProduct(holds: Condition, alias: string, viewer: Viewer): Condition {
  return sql<boolean>`exists (select 1 from ${sql.table(tableOf('product'))} as s_product
    where ${ref('s_product', 'product', 'project')} = ${sql.ref(`${alias}.id`)}
    and ${holds} and ${visibleSql('product', 's_product', viewer)})`;
}

/** A project without products counts as not started. */
function statusSql(
  words: ReadonlySet<ProductStatusWord>,
  alias: string,
  viewer: Viewer,
): Condition {
  const some = someProduct(productStatusSql(words, 's_product', viewer), alias, viewer);
  if (!words.has('not-started')) return some;
  return sql<boolean>`(${some} or not ${someProduct(sql`true`, alias, viewer)})`;
}

/**
 * Returns the condition that the product in the row `alias` has one of `words` as its status for
 * `viewer`. Of one word it is the scope, which an index may answer, and none of those before it; of
 * several each scope is tested once.
 */
export function productStatusSql(
  words: ReadonlySet<ProductStatusWord>,
  alias: string,
  viewer: Viewer,
): Condition {
  const scopeOf = (word: ProductStatusWord) =>
    scopeSql(productStatuses[word], 'product', alias, viewer);
  const [only, ...others] = words;
  if (only !== undefined && others.length === 0) {
    const before = PRODUCT_STATUS_WORDS.slice(0, PRODUCT_STATUS_WORDS.indexOf(only));
    const none = before.map((word) => sql<boolean>`not ${scopeOf(word)}`);
    return sql<boolean>`(${sql.join([scopeOf(only), ...none], AND)})`;
  }
  const cases = PRODUCT_STATUS_WORDS.map((word) => sql`when ${scopeOf(word)} then ${word}`);
  return sql<boolean>`(case ${sql.join(cases, sql` `)} end = any(${[...words]}::text[]))`;
}

const AND = sql` and `;

function memberSql(organization: string, alias: string, viewer: Viewer): Condition {
  const type = 'organizationMembership';
  return sql<boolean>`exists (select 1 from ${sql.table(tableOf(type))} as s_membership
    where ${ref('s_membership', type, 'user')} = ${sql.ref(`${alias}.id`)}
    and ${ref('s_membership', type, 'organization')} = ${organization}
    and ${visibleSql(type, 's_membership', viewer)})`;
}
