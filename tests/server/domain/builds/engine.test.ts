import { expect } from 'chai';
import { readArtifacts } from '#server/domain/builds/artifacts.ts';
import { EngineError, engineJobStateOf } from '#protocol/engine.ts';
import type { BuildEngine, EngineFailure } from '#protocol/engine.ts';
import { openHttpEngine } from '#server/domain/builds/client/http-engine.ts';
import { createOutboundFetch } from '#server/domain/builds/client/outbound-fetch.ts';
import { freshDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { EngineServer } from '../../../support/engine.ts';
import { newId } from '../../../support/make.ts';
import { aBuild, aJob, openPlace, PUBLIC_URL, theApp } from '../../../engine/workshop.ts';
import type { Place } from '../../../engine/workshop.ts';

/** Returns why a call failed; null when it did not. */
async function failureOf(call: Promise<unknown>): Promise<EngineFailure | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof EngineError) return error.because;
    throw error;
  }
}

const UNKNOWN = 987_654;
const release = { channel: 'production', targets: ['s3-bucket'], environment: {} };

interface Way {
  readonly engine: BuildEngine;
  close(): Promise<void>;
}

const ways: Readonly<Record<string, (place: Place) => Promise<Way>>> = {
  'the bundled engine': ({ bundled }) =>
    Promise.resolve({ engine: bundled, close: () => Promise.resolve() }),
  'an engine over HTTP': async ({ bundled, time }) => {
    const server = await EngineServer.start(bundled);
    const outboundFetch = createOutboundFetch({ hosts: ['127.0.0.1'], timers: time });
    return { engine: openHttpEngine(server, outboundFetch), close: () => server.stop() };
  },
};

describe('[11.1] build engines', () => {
  let fresh: TestDatabase;

  before(async function () {
    this.timeout(120_000);
    fresh = await freshDatabase();
  });

  after(async () => {
    await fresh.close();
  });

  for (const [name, open] of Object.entries(ways)) {
    describe(name, () => {
      let place: Place;
      let way: Way;
      let engine: BuildEngine;

      beforeEach(async () => {
        place = openPlace(fresh.db);
        await place.bundled.open();
        way = await open(place);
        ({ engine } = way);
      });

      afterEach(async () => {
        await way.close();
        await place.remove();
      });

      it('is available while it works', async () => {
        expect(await failureOf(engine.check())).to.equal(null);

        await place.bundled.close();
        expect(await failureOf(engine.check())).to.equal('unreachable');
      });

      it('makes a project with a repository and knows it again', async () => {
        const asked = { appId: 'bookapp', projectName: 'Harvest', languageCode: 'es-419' };
        const project = await engine.createProject(asked);

        expect(engineJobStateOf(project, false)).to.deep.equal({ is: 'succeeded' });
        expect(project.url).to.be.a('string');
        expect(await engine.project(project.id)).to.deep.equal(project);
      });

      it('makes one job for a product, however often it is asked', async () => {
        const project = await engine.createProject({
          appId: 'bookapp',
          projectName: 'Harvest',
          languageCode: 'es-419',
        });
        const asked = {
          requestId: newId(),
          gitUrl: project.url ?? '',
          appId: 'bookapp',
          publisherId: null,
        };
        const [first, again] = [await engine.createJob(asked), await engine.createJob(asked)];

        expect(again).to.deep.equal(first);
        expect(await engine.job(first.id)).to.deep.equal(first);
        expect((await engine.createJob({ ...asked, requestId: newId() })).id).not.to.equal(
          first.id,
        );
      });

      it('makes no job for a repository that it does not have', async () => {
        const asked = { requestId: newId(), appId: 'bookapp', publisherId: null };
        const other = engine.createJob({ ...asked, gitUrl: 'https://git.example/7.git' });
        expect(await failureOf(other)).to.equal('no-usable-answer');

        const gone = engine.createJob({ ...asked, gitUrl: `bundled:/repositories/${UNKNOWN}` });
        expect(await failureOf(gone)).to.equal('no-usable-answer');
      });

      it('builds what was uploaded', async () => {
        const job = await aJob(engine, place.bundled, 'the words of the app');
        const begun = await engine.createBuild(job.id, theApp({ PRODUCT_ID: 'the product' }));
        expect(engineJobStateOf(begun, false).is).to.equal('under way');
        await place.bundled.idle();
        const build = await engine.build(job.id, begun.id);

        expect(engineJobStateOf(build, false)).to.deep.equal({ is: 'succeeded' });
        expect(build).to.include({ id: begun.id, error: null, targets: 'apk play-listing' });
        expect(await engine.text(build.artifacts.apk ?? '')).to.equal('the words of the app');
        expect(place.workshop.orders[0]).to.deep.include({
          targets: ['apk', 'play-listing'],
          environment: { PRODUCT_ID: 'the product' },
          version: { name: '1.0', code: 1 },
        });
      });

      it('[11.4] tells of its files what is recorded [R204]', async () => {
        const job = await aJob(engine, place.bundled, 'words');
        const build = await aBuild(engine, place.bundled, job.id);
        const facts = await readArtifacts(engine, build.artifacts);

        expect(facts).to.include({
          version: '1.0',
          versionCode: '1',
          packageName: place.workshop.packageName,
          defaultLanguage: 'es-419',
          publishLink: null,
        });
        const apk = facts.files.find(({ type }) => type === 'apk');
        expect(apk).to.include({
          filename: 'Harvest 1.0.apk',
          sizeBytes: 5,
          contentType: 'application/vnd.android.package-archive',
        });
        expect(Date.parse(apk?.updated ?? '')).to.be.a('number').and.not.NaN;
      });

      it('gives each build of a job a version of its own', async () => {
        const job = await aJob(engine, place.bundled);
        const first = await aBuild(engine, place.bundled, job.id);
        const second = await aBuild(engine, place.bundled, job.id);
        const other = await aJob(engine, place.bundled);
        const elsewhere = await aBuild(engine, place.bundled, other.id);

        const versions = [first, second, elsewhere].map(async ({ artifacts }) => {
          return (await readArtifacts(engine, artifacts)).version;
        });
        expect(await Promise.all(versions)).to.deep.equal(['1.0', '1.1', '1.0']);
      });

      it('lists the builds of a job, so that one that nobody heard of is found', async () => {
        const job = await aJob(engine, place.bundled);
        const other = await aJob(engine, place.bundled);
        const first = await aBuild(engine, place.bundled, job.id);
        await aBuild(engine, place.bundled, other.id);
        const second = await aBuild(engine, place.bundled, job.id);

        expect(await engine.builds(job.id)).to.deep.equal([first, second]);
      });

      it('says why a build failed, with its log', async () => {
        const job = await aJob(engine, place.bundled);
        const build = await aBuild(engine, place.bundled, job.id, { FAIL: 'The icon is missing.' });

        expect(engineJobStateOf(build, false)).to.deep.equal({ is: 'failed' });
        expect(build.error).to.equal('The icon is missing.');
        expect(await engine.text(build.artifacts.consoleText ?? '')).to.equal('All of it\n');
      });

      it('fails a build in which something broke, and goes on with the next', async () => {
        const job = await aJob(engine, place.bundled);
        const broken = await aBuild(engine, place.bundled, job.id, { BREAK: '1' });
        const next = await aBuild(engine, place.bundled, job.id);

        expect(broken.result).to.equal('EXCEPTION');
        expect(broken.error).not.to.contain('bug');
        expect([broken, next].map((each) => engineJobStateOf(each, false).is)).to.deep.equal([
          'failed',
          'succeeded',
        ]);
      });

      it('fails a build of a repository without content', async () => {
        const job = await aJob(engine, place.bundled, null);
        const build = await aBuild(engine, place.bundled, job.id);

        expect(engineJobStateOf(build, false)).to.deep.equal({ is: 'failed' });
        expect(build.error).to.contain('The repository of the project is empty');
      });

      it('publishes a build and says where people find it', async () => {
        const job = await aJob(engine, place.bundled);
        const build = await aBuild(engine, place.bundled, job.id);
        const begun = await engine.createRelease(job.id, build.id, release);
        expect(engineJobStateOf(begun, false).is).to.equal('under way');
        await place.bundled.idle();
        const ended = await engine.release(job.id, build.id, begun.id);

        expect(engineJobStateOf(ended, false)).to.deep.equal({ is: 'succeeded' });
        expect(ended.channel).to.equal('production');
        expect((await readArtifacts(engine, ended.artifacts)).publishLink).to.equal(
          `${PUBLIC_URL}/downloads/products/${job.request}/files/published/apk`,
        );
        expect(await engine.text(ended.consoleText ?? '')).to.contain('Published apk');
      });

      it('links to the page of an app that goes to the Play store', async () => {
        const job = await aJob(engine, place.bundled);
        const build = await aBuild(engine, place.bundled, job.id);
        const play = { ...release, targets: ['google-play'] };
        const { id } = await engine.createRelease(job.id, build.id, play);
        await place.bundled.idle();
        const { artifacts } = await engine.release(job.id, build.id, id);

        expect((await readArtifacts(engine, artifacts)).publishLink).to.equal(
          `${PUBLIC_URL}/downloads/apk/${job.request}/published`,
        );
      });

      it('publishes neither a build that failed nor to a place that it does not know', async () => {
        const job = await aJob(engine, place.bundled);
        const failed = await aBuild(engine, place.bundled, job.id, { FAIL: 'No.' });
        const good = await aBuild(engine, place.bundled, job.id);
        const ofFailed = await engine.createRelease(job.id, failed.id, release);
        const strange = { ...release, targets: ['floppy'] };
        const toNowhere = await engine.createRelease(job.id, good.id, strange);
        await place.bundled.idle();

        const first = await engine.release(job.id, failed.id, ofFailed.id);
        expect(first).to.include({
          result: 'FAILURE',
          error: 'Only a build that succeeded can be published.',
        });
        const second = await engine.release(job.id, good.id, toNowhere.id);
        expect(second).to.include({
          result: 'FAILURE',
          error: 'The bundled engine does not publish to floppy.',
        });
        expect(second.artifacts).to.deep.equal({});
      });

      it('does not know what was never made', async () => {
        const job = await aJob(engine, place.bundled);
        const build = await aBuild(engine, place.bundled, job.id);
        const other = await aJob(engine, place.bundled);
        const calls = {
          project: engine.project(UNKNOWN),
          job: engine.job(UNKNOWN),
          builds: engine.builds(UNKNOWN),
          createBuild: engine.createBuild(UNKNOWN, theApp()),
          build: engine.build(job.id, UNKNOWN),
          buildOfAnother: engine.build(other.id, build.id),
          createRelease: engine.createRelease(job.id, UNKNOWN, release),
          releaseOfAnother: engine.createRelease(other.id, build.id, release),
          release: engine.release(job.id, build.id, UNKNOWN),
        };
        const failures = Object.entries(calls).map(
          async ([call, asked]) => [call, await failureOf(asked)] as const,
        );
        for (const [call, because] of await Promise.all(failures))
          expect(because, call).to.equal('unknown');
      });

      it('has no file at an address that it did not give', async () => {
        const job = await aJob(engine, place.bundled);
        const build = await aBuild(engine, place.bundled, job.id);
        const apk = build.artifacts.apk ?? '';
        const elsewhere = [
          apk.replace(/[^/]+$/, 'other.apk'),
          apk.replace(/builds\/.*$/, `repositories/${job.project}/1.zip`),
          apk.replace(/[^/]+\/[^/]+$/, '..%2f..%2f..%2frepositories%2f1.zip'),
          'file:///etc/hostname',
          'bundled:/../etc/hostname',
        ];
        for (const url of elsewhere) {
          expect(await engine.head(url), url).to.equal(null);
          expect(await engine.text(url), url).to.equal(null);
        }
      });
    });
  }
});

describe('[11.1] what an answer of a build engine means', () => {
  it('is under way in four states, each of which is a phase', () => {
    for (const status of ['initialized', 'accepted', 'active', 'postprocessing'])
      expect(engineJobStateOf({ status, result: null }, true)).to.deep.equal({
        is: 'under way',
        phase: status,
      });
  });

  it('is success with that result alone', () => {
    const ended = (result: string) => engineJobStateOf({ status: 'completed', result }, false).is;

    expect(ended('SUCCESS')).to.equal('succeeded');
    for (const result of ['FAILURE', 'ABORTED', 'EXCEPTION', 'success'])
      expect(ended(result), result).to.equal('failed');
  });

  it('counts as failed when it cannot be told twice in a row', () => {
    for (const status of ['expired', 'delete', 'deleting', 'on holiday', 'completed']) {
      expect(engineJobStateOf({ status, result: null }, false).is, status).to.equal('doubtful');
      expect(engineJobStateOf({ status, result: null }, true).is, status).to.equal('failed');
    }
  });
});
