import { readFile } from 'node:fs/promises';
import type pg from 'pg';
import { nameDatabase } from './003-identity.ts';
import { seed } from './004-seeds.ts';
import { markCommits } from './020-feed-marks.ts';
import type { MigrationContext } from './migration-context.ts';

/** One step of the tables. Once released it never changes, whatever becomes of the schema. */
export interface Migration {
  readonly name: string;
  readonly up: (client: pg.ClientBase, context: MigrationContext) => Promise<void>;
}

const file = (name: string): Migration => ({
  name,
  up: async (client) => {
    await client.query(await readFile(new URL(`./${name}.sql`, import.meta.url), 'utf8'));
  },
});

/** In order; new ones are added at the end. */
export const migrations: readonly Migration[] = [
  file('001-tables'),
  file('002-sign-in'),
  { name: '003-identity', up: nameDatabase },
  { name: '004-seeds', up: seed },
  file('005-workflows'),
  file('006-jobs'),
  file('007-builds'),
  file('008-files'),
  file('009-uploads'),
  file('010-published-apps'),
  file('011-engine-health'),
  file('012-app-identities'),
  file('013-sign-in-eras'),
  file('014-limits'),
  file('015-consent'),
  file('016-package-names'),
  file('017-secrets'),
  file('018-audit-events'),
  file('019-build-turns'),
  file('019-list-indexes'),
  { name: '020-feed-marks', up: markCommits },
  file('021-hub'),
  file('022-link-eras'),
  file('023-hashed-tokens'),
];
