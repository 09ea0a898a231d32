import { secretsOf } from '#server/db/secrets.ts';

/** Every test's databases have one key, so that a server may be started on what another made. */
export const TEST_KEY = '5e'.repeat(32);
export const testSecrets = secretsOf(Buffer.from(TEST_KEY, 'hex'));
