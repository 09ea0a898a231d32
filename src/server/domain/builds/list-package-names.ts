import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { fold } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import type {
  PackageName,
  PackageNameOrder,
  PackageNames,
  PublishedProduct,
} from '#protocol/package-names.ts';
import { isOurs } from '#engine/android/package-name.ts';
import type { PageRange } from '../../access/query/query.ts';
import type { DatabaseTransaction } from '../../db/database.ts';

interface Listed {
  /** The holders whose names are listed; null: all. */
  readonly organizations: readonly string[] | null;
  /** Part of a name, or of the name of its holder; '': all. */
  readonly search: string;
  readonly order: PackageNameOrder;
  readonly page: PageRange;
  /** Lists also the products of organizations that held a name before. */
  readonly showsEarlier: boolean;
}

const ORDERS: Readonly<Record<PackageNameOrder, RawBuilder<unknown>>> = {
  name: sql`claim.name collate "C"`,
  '-name': sql`claim.name collate "C" desc`,
  since: sql`claim.since nulls first, claim.name collate "C"`,
  '-since': sql`claim.since desc nulls last, claim.name collate "C"`,
};

interface Row {
  readonly name: string;
  readonly since: string | null;
  readonly reason: string | null;
  readonly id: string;
  readonly holder: string | null;
}

/** Returns a page of the package names that somebody holds, and the products behind them. */
export async function listPackageNames(
  tx: DatabaseTransaction,
  { organizations, search, order, page, showsEarlier }: Listed,
): Promise<PackageNames> {
  const words = fold(search);
  const where = sql.join(
    [
      organizations === null
        ? sql`true`
        : sql`claim.organization_id = any(${[...organizations]}::uuid[])`,
      words === ''
        ? sql`true`
        : sql`(position(${words} in lower(claim.name)) > 0
            or position(${words} in organization.name_key) > 0)`,
    ],
    sql` and `,
  );
  const from = sql`package_names claim
    join organizations organization on organization.id = claim.organization_id where ${where}`;
  const [counted] = await tx.query(
    sql<{ readonly count: number }>`select count(*) as count from ${from}`,
  );
  const rows = await tx.query(
    sql<Row>`select claim.name, claim.since, claim.reason, organization.id,
        organization.name as holder
      from ${from} order by ${ORDERS[order]}
      limit ${page.size} offset ${(page.number - 1) * page.size}`,
  );
  const products = await productsOf(tx, rows);
  return {
    packageNames: rows.map((row) => entryOf(row, products.get(row.name) ?? [], showsEarlier)),
    total: counted?.count ?? 0,
  };
}

function entryOf(
  { name, since, reason, id, holder }: Row,
  products: readonly PublishedProduct[],
  showsEarlier: boolean,
): PackageName {
  const seen = showsEarlier ? products : products.filter((one) => one.organization.id === id);
  return {
    ...{ name, since, reason },
    organization: { id, name: holder ?? '' },
    isOfProduct: isOurs(name),
    products: seen.slice(0, limits.packageNameProducts),
    productsTotal: seen.length,
  };
}

interface ProductRow {
  readonly package: string;
  readonly id: string;
  readonly name: string;
  readonly project: string;
  readonly projectName: string;
  readonly organization: string;
  readonly organizationName: string | null;
  readonly lastPublished: string;
}

/** Returns the products that have published under each name, those that did so last first. */
async function productsOf(
  tx: DatabaseTransaction,
  names: readonly Row[],
): Promise<ReadonlyMap<string, readonly PublishedProduct[]>> {
  const rows = await tx.query(
    sql<ProductRow>`select published.package, product.id, definition.name,
        project.id as project, project.name as "projectName",
        organization.id as organization, organization.name as "organizationName",
        published.at as "lastPublished"
      from (select package, product_id, max(date_created) as at from product_publications
          where success and package = any(${names.map(({ name }) => name)}::text[])
          group by package, product_id) published
        join products product on product.id = published.product_id
        join product_definitions definition on definition.id = product.product_definition_id
        join projects project on project.id = product.project_id
        join organizations organization on organization.id = project.organization_id
      order by published.at desc, product.id`,
  );
  const found = new Map<string, PublishedProduct[]>();
  for (const row of rows) {
    const { id, name, lastPublished } = row;
    const product: PublishedProduct = {
      ...{ id, name, lastPublished },
      project: { id: row.project, name: row.projectName },
      organization: { id: row.organization, name: row.organizationName ?? '' },
    };
    found.set(row.package, [...(found.get(row.package) ?? []), product]);
  }
  return found;
}
