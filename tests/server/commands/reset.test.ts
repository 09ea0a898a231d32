import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import { reset } from '#server/commands/reset.ts';
import { KEY_FILE, secretKeyOf } from '#server/kernel/secret-key.ts';
import { freshFolder } from '../../support/server.ts';

const DATABASE_URL = 'postgres://slipway@127.0.0.1:5432/slipway';

describe('resetting the data folder', () => {
  let dataDir = '';
  const resetWith = (env: Env) => reset(readConfig({ DEMO: '1', DATA_DIR: dataDir, ...env }));

  beforeEach(() => {
    dataDir = freshFolder();
    mkdirSync(join(dataDir, 'repositories'));
    writeFileSync(join(dataDir, KEY_FILE), 'a key\n');
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('removes the key of the secrets together with the database that holds them', () => {
    expect(resetWith({})).to.equal(`${dataDir} is empty now.`);
    expect(existsSync(join(dataDir, 'repositories'))).to.equal(false);
    expect(existsSync(join(dataDir, KEY_FILE))).to.equal(false);
  });

  it('keeps the key of the secrets where DATABASE_URL names the database that holds them, and says so', () => {
    expect(resetWith({ DATABASE_URL })).to.match(
      /is empty now, but for secret-key, .*DATABASE_URL/,
    );
    expect(existsSync(join(dataDir, 'repositories'))).to.equal(false);
    expect(existsSync(join(dataDir, KEY_FILE))).to.equal(true);
  });

  it('is proposed for a damaged key only where it removes that key', () => {
    const keyWith = (env: Env) => () =>
      secretKeyOf(readConfig({ DEMO: '1', DATA_DIR: dataDir, ...env }));
    expect(keyWith({})).to.throw(/holds no key; .*npm run reset/);
    expect(keyWith({ DATABASE_URL })).to.throw(/holds no key; put the one back that it held\.$/);
  });
});
