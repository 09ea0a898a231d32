import { sql } from 'kysely';
import { isUuid } from '#base/id.ts';
import type { Clock } from '#base/id.ts';
import type { Database } from '../../db/database.ts';
import { BuildFailure } from '#engine/build/failure.ts';
import type { AppIdentity } from '#engine/build/order.ts';
import { claim, takenBecause } from './package-names.ts';
import { newSigningKey } from '#engine/android/certificate.ts';
import type { SigningKey } from '#engine/android/certificate.ts';
import { packageNameOf } from '#engine/android/package-name.ts';

interface IdentityServices {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Returns the package name of the product's app, and the key of the organization it belongs to,
 * which is made the first time. Null: no organization has such a product.
 *
 * @throws BuildFailure when the app cannot have its package name
 */
export async function identityOf(
  services: IdentityServices,
  product: string,
  environment: Readonly<Record<string, string>>,
): Promise<AppIdentity | null> {
  const organization = await organizationOf(services.db, product);
  if (organization === null) return null;
  const packageName = packageNameOf(product, environment);
  const at = new Date(services.clock()).toISOString();
  const maker = { product, organization };
  // A publisher under another's name would be taken for them.
  const isTheirs = await services.db.transact((tx) => claim(tx, packageName, maker, at));
  if (!isTheirs) throw new BuildFailure(takenBecause(packageName));
  return { packageName, ...(await signingKeyOf(services, organization)) };
}

async function organizationOf(db: Database, product: string): Promise<string | null> {
  if (!isUuid(product)) return null;
  const [row] = await db.read((tx) =>
    tx.query(
      sql<{ readonly id: string }>`select project.organization_id as id
        from products product join projects project on project.id = product.project_id
        where product.id = ${product}`,
    ),
  );
  return row?.id ?? null;
}

/** Returns the same key for everyone who asks, also at the same time. */
async function signingKeyOf(
  { db, clock }: IdentityServices,
  organization: string,
): Promise<SigningKey> {
  const stored = sql<SigningKey>`select private_key as "privateKey", certificate
    from engine_signing_keys where organization_id = ${organization}`;
  const [known] = await db.read((tx) => tx.query(stored));
  const place = { column: 'engine_signing_keys', row: organization } as const;
  const opened = (key: SigningKey) => ({
    ...key,
    privateKey: db.secrets.open(place, key.privateKey),
  });
  if (known !== undefined) return opened(known);

  const at = new Date(clock());
  const made = await newSigningKey(`Slipway ${organization}`, at);
  const wrapped = db.secrets.wrap(place, made.privateKey);
  return db.transact(async (tx) => {
    await tx.query(sql`insert into engine_signing_keys
      (organization_id, private_key, certificate, created)
      values (${organization}, ${wrapped}, ${made.certificate}, ${at.toISOString()})
      on conflict (organization_id) do nothing`);
    const [key] = await tx.query(stored);
    if (key === undefined) throw new Error('A signing key was stored and is not there');
    return opened(key);
  });
}
