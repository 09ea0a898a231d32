import { sql } from 'kysely';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../db/database.ts';
import { isOurs, packageNameOf } from '#engine/android/package-name.ts';

/** A package name belongs to one organization: the first that publishes under it (domain 2.9). */

/** The organization and the product to which an app belongs. */
export interface Maker {
  readonly product: string;
  readonly organization: string;
}

export const makerOf = (product: Of<'product'>, { organization }: Of<'project'>): Maker => ({
  product: product.id,
  organization,
});

/** Returns why nothing is published under `name`. */
export const takenBecause = (name: string): string =>
  `Package name taken: ${name} belongs to another organization.`;

/** Returns true when `maker` could publish under `name`: nobody else has it. */
export async function isFreeFor(
  tx: DatabaseTransaction,
  name: string,
  maker: Maker,
): Promise<boolean> {
  const holder = await holderOf(tx, name);
  return isFit(name, maker) && (holder === null || holder === maker.organization);
}

/** Claims `name` unless another organization has it; returns true when it is the maker's now. */
export async function claim(
  tx: DatabaseTransaction,
  name: string,
  maker: Maker,
  at: string,
): Promise<boolean> {
  if (!isFit(name, maker)) return false;
  await tx.query(sql`insert into package_names (name, organization_id, since)
    values (${name}, ${maker.organization}, ${at}::timestamptz) on conflict (name) do nothing`);
  // What is recorded as published now must not be of an organization that has just lost the name.
  return (await lockedHolderOf(tx, name)) === maker.organization;
}

/**
 * A name that is made of the id of a product belongs to that product, also before it has a build.
 */
const isFit = (name: string, { product }: Maker): boolean =>
  !isOurs(name) || name === packageNameOf(product, {});

/** Returns the organization that has claimed `name`; null: none has. */
async function holderOf(tx: DatabaseTransaction, name: string): Promise<string | null> {
  const [row] = await tx.query(holderQuery(name));
  return row?.id ?? null;
}

/** Returns the same, and lets nobody move the name before the end of the transaction. */
export async function lockedHolderOf(
  tx: DatabaseTransaction,
  name: string,
): Promise<string | null> {
  const [row] = await tx.query(sql<{ readonly id: string }>`${holderQuery(name)} for update`);
  return row?.id ?? null;
}

const holderQuery = (name: string) =>
  sql<{ readonly id: string }>`select organization_id as id from package_names
    where name = ${name}`;

/** Gives a claimed name to another organization. */
export async function moveClaim(
  tx: DatabaseTransaction,
  name: string,
  { organization, reason, at }: Readonly<Record<'organization' | 'reason' | 'at', string>>,
): Promise<void> {
  await tx.query(sql`update package_names
    set organization_id = ${organization}, reason = ${reason}, since = ${at}::timestamptz
    where name = ${name}`);
}

/**
 * Returns the products with a publication under `name` by the organization that holds it, the
 * newest first.
 */
export async function productsUnder(
  tx: DatabaseTransaction,
  name: string,
): Promise<readonly string[]> {
  const rows = await tx.query(
    sql<{ readonly id: string }>`select publication.product_id as id
      from package_names claim
        join product_publications publication on publication.package = claim.name
        join products product on product.id = publication.product_id
        join projects project on project.id = product.project_id
          and project.organization_id = claim.organization_id
      where claim.name = ${name} and publication.success
      group by publication.product_id order by max(publication.date_created) desc limit 50`,
  );
  return rows.map(({ id }) => id);
}
