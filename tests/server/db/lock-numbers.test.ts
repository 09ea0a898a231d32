import { expect } from 'chai';
import { sql } from 'kysely';
import { nextBuildByOrganization } from '#engine/queue/fair-build-order.ts';
import type { DatabaseTransaction } from '#server/db/database.ts';
import { lockNumberOf } from '#server/db/lock-numbers.ts';
import { ensureSecretsKey } from '#server/db/secrets.ts';
import { testDatabase } from '../../support/database.ts';
import { testSecrets } from '../../support/test-key.ts';

/** Returns the advisory locks that `work` holds until its transaction ends. */
async function locksOf(
  work: (tx: DatabaseTransaction) => Promise<unknown>,
): Promise<readonly number[]> {
  const { db } = await testDatabase();
  const rows = await db.transact(async (tx) => {
    await work(tx);
    return tx.query(
      sql<{ readonly number: number }>`select objid::bigint as number from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid()`,
    );
  });
  return rows.map(({ number }) => number);
}

describe('advisory locks of the database', () => {
  it('of taking up a build and of wrapping secrets are two, so that neither waits for the other', async () => {
    const builds = await locksOf((tx) => nextBuildByOrganization(tx, new Date(0).toISOString()));
    const secrets = await locksOf((tx) => ensureSecretsKey(tx, testSecrets));
    expect(builds).to.deep.equal([lockNumberOf('build-turns')]);
    expect(secrets).to.have.lengthOf(1);
    expect(builds).not.to.deep.equal(secrets);
  });
});
