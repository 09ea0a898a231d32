import { isObject } from '#base/is-object.ts';

export const packageNamePaths = {
  list: '/api/package-names',
  one: (name: string) => `/api/package-names/${encodeURIComponent(name)}`,
} as const;

/** An organization or a project, as far as a list of package names says which it is. */
interface NamedRecord {
  readonly id: string;
  readonly name: string;
}

/** A product that has published under a package name. */
export interface PublishedProduct extends NamedRecord {
  readonly project: NamedRecord;
  readonly organization: NamedRecord;
  /** When it last published under the name. */
  readonly lastPublished: string;
}

/** A package name as admins see it (wire 11.11). */
export interface PackageName {
  readonly name: string;
  /** The organization that holds it. */
  readonly organization: NamedRecord;
  /** When it was claimed or moved; null: before that was noted. */
  readonly since: string | null;
  /** Why it was moved; null: its holder was the first to publish under it. */
  readonly reason: string | null;
  /** True for a name that is made of a product's id, and cannot be moved. */
  readonly isOfProduct: boolean;
  /** The newest of the products that have published under it, those of earlier holders too. */
  readonly products: readonly PublishedProduct[];
  readonly productsTotal: number;
}

/** `GET /api/package-names`. */
export interface PackageNames {
  readonly packageNames: readonly PackageName[];
  readonly total: number;
}

/** The answer of `GET /api/package-names`; null: it is of another form. */
export function packageNamesFrom(value: unknown): PackageNames | null {
  if (!isObject(value)) return null;
  const { packageNames, total } = value;
  return Array.isArray(packageNames) && typeof total === 'number' ? { packageNames, total } : null;
}

/** What is looked for among package names; null: everything. */
export interface PackageNamesQuery {
  /** The id of the organization that holds them. */
  readonly organization: string | null;
  readonly search: string;
  /** `name` or `since`, with `-` in front for the other direction. */
  readonly sort: string;
  /** The page, counted from 1. */
  readonly page: number;
  readonly pageSize: number;
}

export const packageNameOrders = ['name', '-name', 'since', '-since'] as const;
export type PackageNameOrder = (typeof packageNameOrders)[number];

/** The address that answers with a page of package names. */
export function packageNamesAddressOf(asked: PackageNamesQuery): string {
  const { organization, search, sort, page, pageSize } = asked;
  const query = new URLSearchParams();
  if (organization !== null) query.set('filter[organization-id]', `eq:${organization}`);
  if (search !== '') query.set('filter[search-term]', search);
  query.set('sort', packageNameOrders.find((order) => order === sort) ?? 'name');
  query.set('page[offset]', String(page));
  query.set('page[limit]', String(pageSize));
  return `${packageNamePaths.list}?${query.toString()}`;
}

/** The body of `PUT /api/package-names/{name}`. */
export interface PackageNameMove {
  /** The id of the organization that gets it. */
  readonly organization: string;
  readonly reason: string;
  /** The id of the holder that the person saw; another one by now is refused. */
  readonly from?: string;
}
