import { BadStart } from '../kernel/bad-start.ts';
import type { Config } from '../kernel/config.ts';
import { recordAudit } from '../access/audit.ts';
import { openEmbedded } from '../db/connections/embedded.ts';
import { migrate } from '../db/migrate.ts';
import { openPostgres } from '../db/connections/postgres.ts';
import { rotateSecrets, secretsOf } from '../db/secrets.ts';
import { begin, transaction } from '../db/connections/transaction-session.ts';
import { rotateKeysOf } from '../domain/accounts/keys.ts';
import type { ServerEnvironment } from '../main.ts';
import { MAKE_KEY } from '../kernel/secret-key.ts';

/**
 * Wraps every secret with `SECRET_KEY` that `SECRET_KEY_OLD` wrapped, and gives sign-in new keys;
 * all or nothing, so it can be run again after a crash. Returns what it did. @throws BadStart
 */
export async function rotateKeys(
  config: Config,
  { clock, random }: Pick<ServerEnvironment, 'clock' | 'random'>,
): Promise<string> {
  const { secretKey, secretKeyOld, databaseUrl, dataDir } = config;
  if (secretKey === null) throw new BadStart(`SECRET_KEY is missing; ${MAKE_KEY}.`);
  const fresh = secretsOf(secretKey);
  const old = secretKeyOld === null ? null : secretsOf(secretKeyOld);
  // A connection that breaks while it is idle hurts nobody; its next statement fails.
  const broken = () => undefined;
  const server =
    databaseUrl === null
      ? await openEmbedded(dataDir, broken)
      : await openPostgres(databaseUrl, broken);
  try {
    await migrate(server.migrator ?? server.pool, clock, random);
    const alone = { pool: server.pool, transactionQueue: null };
    const rotated = await transaction(alone, begin.transact, async (tx) => {
      const outcome = await rotateSecrets(tx, old, fresh);
      if (outcome === 'done') {
        await rotateKeysOf(tx, fresh, { clock, random });
        const fact = { kind: 'keys-rotated', subject: null, before: null, after: null } as const;
        await recordAudit(tx, [fact], { at: clock(), by: null });
      }
      return outcome;
    });
    return rotated === 'done'
      ? 'Every secret is wrapped with SECRET_KEY now; remove SECRET_KEY_OLD and start the server.'
      : 'Every secret was wrapped with SECRET_KEY before; nothing was left to do.';
  } finally {
    await server.close();
  }
}
