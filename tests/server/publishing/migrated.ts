import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '#server/db/database.ts';
import type { Town } from './town.ts';

class RolledBack extends Error {
  readonly rows: object;

  constructor(rows: object) {
    super('The rows were looked at');
    this.rows = rows;
  }
}

/**
 * Expects that migration 36 makes of the workflows that were played in `town` what the code wrote
 * meanwhile.
 */
export async function expectSameByMigration(town: Town): Promise<void> {
  const { db } = town.server.parts;
  const read = (tx: DatabaseTransaction) => rowsIn(tx, town.organization);
  expect(await migrated(db, read)).to.deep.equal(await db.read(read));
}

/**
 * Returns what `read` finds once migration 36 has filled in the columns that it adds. The database
 * is as it was afterwards.
 */
export async function migrated(
  db: Database,
  read: (tx: DatabaseTransaction) => Promise<object>,
): Promise<object> {
  const migration = await readFile('src/server/db/migrations/036-build-causes.sql', 'utf8');
  return db
    .transact(async (tx) => {
      for (const statement of [
        sql`alter table product_builds drop column triggered_by, drop column started_by_id,
          drop column date_started, drop column date_finished, drop column file_size`,
        sql`alter table products drop column waiting_for, drop column assigned_id,
          drop column failure, drop column failure_reason, drop column version_published,
          drop column version_published_key`,
        sql`alter table engine_builds drop column started`,
        sql.raw(migration),
      ])
        await tx.query(statement);
      throw new RolledBack(await read(tx));
    })
    .catch((error: unknown) => {
      if (error instanceof RolledBack) return error.rows;
      throw error;
    });
}

/** Other suites have rows of their own, of workflows that nobody played. */
async function rowsIn(tx: DatabaseTransaction, organization: string): Promise<object> {
  const products = sql`select product.id from products product
    join projects project on project.id = product.project_id
    where project.organization_id = ${organization}`;
  return {
    // When the engine took it up is not to be found out, and when it ended not to the millisecond.
    builds: await tx.query(sql`select id, triggered_by, started_by_id, file_size,
      date_finished is not null as has_ended from product_builds
      where product_id in (${products}) order by id`),
    products: await tx.query(sql`select id, workflow_state, waiting_for, assigned_id, failure,
      failure_reason, version_published, version_published_key from products
      where id in (${products}) order by id`),
  };
}
