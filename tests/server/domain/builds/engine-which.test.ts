import { randomFillSync } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import pino from 'pino';
import { isUuid } from '#base/id.ts';
import { parseBuildLogLine } from '#protocol/builds/build-log.ts';
import { readArtifacts } from '#server/domain/builds/artifacts.ts';
import { EngineError } from '#protocol/engine.ts';
import { openBuildEngines } from '#server/domain/builds/open-engines.ts';
import type { OpenedEngines } from '#server/domain/builds/open-engines.ts';
import { writeSample } from '#engine/sample/sample.ts';
import { saveToken } from '#server/domain/builds/engine-token.ts';
import { readConfig } from '#server/kernel/config.ts';
import type { Env } from '#server/kernel/config.ts';
import type { Database } from '#server/db/database.ts';
import { freshDatabase, freshPlace } from '../../../support/database.ts';
import type { Place, TestDatabase } from '../../../support/database.ts';
import { anOrganization } from '../../../support/make.ts';
import { OwnTime } from '../../../support/own-time.ts';
import { aBuild, aJob } from '../../../engine/workshop.ts';

const URL_ = 'https://engine.test';
const OUTSIDE = { BUILD_ENGINE_URL: 'https://all.test/', BUILD_ENGINE_TOKEN: 'token-of-everybody' };

/** Returns a log as the record of its build has the end of it. */
const withoutTimes = (log: string | null) =>
  (log ?? '')
    .split('\n')
    .map((line) => parseBuildLogLine(line).text)
    .join('\n');

describe('[8.2] the build engine of an organization', () => {
  let fresh: TestDatabase;
  let folder: Place;
  let db: Database;

  before(async function () {
    this.timeout(120_000);
    fresh = await freshDatabase();
    folder = await freshPlace('');
    ({ db } = fresh);
  });

  after(async () => {
    await fresh.close();
    await folder.remove();
  });

  const open = (env: Env = {}): Promise<OpenedEngines> =>
    openBuildEngines(
      {
        config: readConfig({ DEMO: '0', DATA_DIR: folder.dataDir, ...env }),
        db,
        clock: Date.now,
        random: (bytes) => randomFillSync(bytes),
        log: pino({ level: 'silent' }),
      },
      new OwnTime(),
    );

  async function organizationWith(fields: object, token: string | null = null): Promise<string> {
    const { id } = await anOrganization(db, fields);
    await db.transact((tx) => saveToken(tx, db.secrets, id, token));
    return id;
  }

  const ownAt = (url: string, token: string | null) =>
    organizationWith({ useDefaultBuildEngine: false, buildEngineUrl: url }, token);

  const of = (engines: OpenedEngines, organization: string) =>
    db.read((tx) => engines.of(tx, organization));

  afterEach(async () => {
    const all = await db.read((tx) => tx.all('organization', { useDefaultBuildEngine: false }));
    for (const { id } of all)
      await db.write({ at: Date.now(), by: null, changes: [] }, (write) =>
        write.change('organization', id, { useDefaultBuildEngine: true }),
      );
  });

  it('is the bundled one, unless the settings or the organization name another', async () => {
    const engines = await open();
    for (const fields of [
      {},
      { buildEngineUrl: URL_ },
      { useDefaultBuildEngine: false, buildEngineUrl: null },
    ]) {
      const used = await of(engines, await organizationWith(fields, 'secret-of-ours'));
      expect(used).to.include({ engine: engines.bundled, url: null, tokenHint: null });
    }
  });

  it('is that of the settings for all who have none of their own', async () => {
    const engines = await open(OUTSIDE);
    const used = await of(engines, await organizationWith({}));

    expect(used).to.include({ url: 'https://all.test', tokenHint: 'body' });
    expect(used.engine).not.to.equal(engines.bundled);
  });

  it('is its own, the same for all who name its address and token', async () => {
    const engines = await open(OUTSIDE);
    const [ours, theirs] = [
      await ownAt(URL_, 'a-long-token'),
      await ownAt(`${URL_}/`, 'a-long-token'),
    ];
    const used = await of(engines, ours);

    expect(used).to.include({ url: URL_, tokenHint: 'oken' });
    expect(await of(engines, theirs)).to.equal(used);
    const others = [
      await ownAt(URL_, 'b-long-token'),
      await ownAt('https://b.test', 'a-long-token'),
    ];
    const keys = [used, ...(await Promise.all(others.map((each) => of(engines, each))))];
    expect(new Set(keys.map(({ key }) => key)).size).to.equal(3);
  });

  it('refuses everything while it has no token', async () => {
    const used = await of(await open(), await ownAt(URL_, null));
    expect(used).to.include({ url: URL_, tokenHint: null });

    const calls = [used.engine.check(), used.engine.build(1, 1)];
    for (const each of await Promise.allSettled(calls)) {
      const reason: unknown = each.status === 'rejected' ? each.reason : null;
      expect(reason).to.be.instanceOf(EngineError).with.property('because', 'refused');
    }
    expect(await used.engine.text(URL_)).to.equal(null);
  });

  it('[11.2] is in use once, with a key that tells nothing and stays', async () => {
    const token = 'a-long-token';
    await Promise.all([ownAt(URL_, token), ownAt(URL_, token), ownAt('https://b.test', token)]);
    const [engines, again] = [await open(OUTSIDE), await open(OUTSIDE)];
    const inUse = await db.read((tx) => engines.inUse(tx));

    expect(inUse.map(({ url }) => url)).to.have.members([
      'https://all.test',
      URL_,
      'https://b.test',
    ]);
    expect(inUse[0]?.url).to.equal('https://all.test');
    expect(inUse.every(({ key }) => isUuid(key))).to.equal(true);
    const keys = (await db.read((tx) => again.inUse(tx))).map(({ key }) => key);
    expect(keys).to.have.members(inUse.map(({ key }) => key));
  });

  describe('the bundled one, as a server opens it', () => {
    let engines: OpenedEngines;

    beforeEach(async () => {
      engines = await open();
      await engines.bundled.open();
    });

    afterEach(async () => {
      await engines.bundled.close();
    });

    it('builds what was uploaded and publishes it', async function () {
      this.timeout(120_000);
      const { bundled } = engines;
      const job = await aJob(bundled, bundled, null);
      const sample = join(folder.dataDir, 'sample.zip');
      await writeSample(sample);
      await bundled.repositories.add(job.project, createReadStream(sample));
      const { id } = await bundled.createBuild(job.id, { targets: ['pwa'], environment: {} });
      await bundled.idle();
      const build = await bundled.build(job.id, id);

      expect(build).to.include({ error: null, result: 'SUCCESS' });
      const facts = await readArtifacts(bundled, build.artifacts);
      const pwa = facts.files.find(({ type }) => type === 'pwa');
      expect(pwa?.sizeBytes).to.be.greaterThan(1_000);
      expect(build.logTail).to.equal(
        withoutTimes(await bundled.text(build.artifacts.consoleText ?? '')),
      );

      const asked = { channel: 'production', targets: ['rclone'], environment: {} };
      const begun = await bundled.createRelease(job.id, id, asked);
      await bundled.idle();
      const release = await bundled.release(job.id, id, begun.id);
      expect((await readArtifacts(bundled, release.artifacts)).publishLink).to.equal(
        `http://localhost:3000/downloads/products/${job.request}/files/published/pwa`,
      );
    });

    it('says what is wrong with the content', async function () {
      this.timeout(120_000);
      const { bundled } = engines;
      const job = await aJob(bundled, bundled, 'This is no zip file.');
      const build = await aBuild(bundled, bundled, job.id);

      expect(build.result).to.equal('FAILURE');
      expect(build.error).to.be.a('string').and.not.equal('');
      const log = await bundled.text(build.artifacts.consoleText ?? '');
      expect(log).to.contain(build.error);
      expect(build.logTail).to.equal(withoutTimes(log));
    });
  });
});
