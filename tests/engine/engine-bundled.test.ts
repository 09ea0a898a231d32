import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { freshDatabase } from '../support/database.ts';
import type { TestDatabase } from '../support/database.ts';
import { aProduct, newId } from '../support/make.ts';
import { aBuild, aJob, bytesOf, openPlace, theApp, Workshop } from './workshop.ts';
import type { Place } from './workshop.ts';

const MINUTE_MS = 60_000;
const later = (): number => Date.now() + 2 * MINUTE_MS;
const release = { channel: 'production', targets: ['s3-bucket'], environment: {} };

describe('the bundled build engine', () => {
  let fresh: TestDatabase;
  let place: Place;

  before(async function () {
    this.timeout(120_000);
    fresh = await freshDatabase();
  });

  after(async () => {
    await fresh.close();
  });

  beforeEach(async () => {
    place = openPlace(fresh.db);
    await place.bundled.open();
  });

  afterEach(async () => {
    await place.remove();
  });

  /** A job for a product of an organization of its own. */
  const aJobOfAnOrganization = async () => {
    const product = await aProduct(fresh.db);
    const job = await aJob(place.bundled, place.bundled, 'content', product.id);
    return { ...job, content: place.bundled.repositories.content(job.project, 1) };
  };

  describe('[15.2] uploads that a server did not end', () => {
    const HOUR_MS = 3_600_000;
    /** Leaves the part that an upload has written so far, last so many ms ago. */
    const leavePart = async (project: number, agoMs: number): Promise<string> => {
      const path = `${dirname(place.bundled.repositories.content(project, 1))}/${newId()}.part`;
      await writeFile(path, 'half');
      const at = new Date(Date.now() - agoMs);
      await utimes(path, at, at);
      return path;
    };

    it('leave nothing behind once nobody can be writing any more', async () => {
      const { project, content } = await aJobOfAnOrganization();
      const [old, fresh] = [await leavePart(project, 3 * HOUR_MS), await leavePart(project, 0)];
      await place.bundled.repositories.removeParts(Date.now() - 2 * HOUR_MS);
      expect([old, fresh, content].map(existsSync)).to.deep.equal([false, true, true]);
    });

    it('leave nothing behind at the next start, where no other server can be writing', async () => {
      const { project, content } = await aJobOfAnOrganization();
      const [before, after] = [await leavePart(project, 1_000), await leavePart(project, -HOUR_MS)];
      await place.another().open();
      const isShared = fresh.db.kind === 'postgres';
      expect([before, after, content].map(existsSync)).to.deep.equal([isShared, true, true]);
    });
  });

  describe('[11.4] while builds wait', () => {
    it('does one at a time, in order, and says how many are ahead', async () => {
      const { bundled, workshop } = place;
      const job = await aJob(bundled, bundled);
      const wait = theApp({ WAIT: '1' });
      const first = await bundled.createBuild(job.id, wait);
      await workshop.begun(1);
      const [second, third] = [
        await bundled.createBuild(job.id, wait),
        await bundled.createBuild(job.id, theApp()),
      ];

      expect([second.queuePosition, third.queuePosition]).to.deep.equal([1, 2]);
      expect(await bundled.build(job.id, first.id)).to.include({
        status: 'active',
        queuePosition: null,
        hasLog: true,
      });
      workshop.goOn();
      await workshop.begun(2);
      const after = await bundled.builds(job.id);
      expect(after.map(({ status }) => status)).to.deep.equal(['completed', 'active', 'accepted']);
      expect(after.map(({ queuePosition }) => queuePosition)).to.deep.equal([null, null, 1]);
      workshop.goOn();
      await bundled.idle();
      expect(workshop.orders.map(({ version }) => version.code)).to.deep.equal([1, 2, 3]);
    });

    it('lets organizations build in turn, however many builds one has asked for first [F14]', async () => {
      const { bundled, workshop } = place;
      const [many, few] = [await aJobOfAnOrganization(), await aJobOfAnOrganization()];
      const asked = [many, many, many, few];
      const builds = [];
      for (const { id } of asked) builds.push(await bundled.createBuild(id, theApp({ WAIT: '1' })));
      await workshop.begun(1);
      const [, , third, other] = await Promise.all(
        builds.map(({ id }, n) => bundled.build(asked[n]?.id ?? 0, id)),
      );
      expect([third?.queuePosition, other?.queuePosition]).to.deep.equal([3, 1]);
      for (let begun = 1; begun <= asked.length; begun += 1) {
        await workshop.begun(begun);
        workshop.goOn();
      }
      await bundled.idle();

      const first = (job: { readonly id: number }) => bundled.builds(job.id);
      const done = [...(await first(many)), ...(await first(few))];
      expect(done.map(({ result }) => result)).to.deep.equal(Array(4).fill('SUCCESS'));
      expect(workshop.orders.map(({ content }) => content)).to.deep.equal([
        many.content,
        few.content,
        many.content,
        many.content,
      ]);
    });

    it('never has two builds of one organization under way, on whatever server [F14]', async () => {
      const { bundled, workshop } = place;
      const second = place.another();
      const [many, few] = [await aJobOfAnOrganization(), await aJobOfAnOrganization()];
      const wait = theApp({ WAIT: '1' });
      await bundled.createBuild(many.id, wait);
      await workshop.begun(1);
      await bundled.createBuild(many.id, wait);
      await bundled.createBuild(few.id, wait);
      await second.open();
      await workshop.begun(2);

      const statuses = (await bundled.builds(many.id)).map(({ status }) => status);
      expect(statuses).to.deep.equal(['active', 'accepted']);
      expect((await bundled.builds(few.id))[0]?.status).to.equal('active');
    });

    it('builds what the repository held when it was asked', async () => {
      const { bundled, workshop } = place;
      const job = await aJob(bundled, bundled, 'old');
      const first = await bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      const second = await bundled.createBuild(job.id, theApp());
      await bundled.repositories.add(job.project, bytesOf('new'));
      await workshop.begun(1);
      workshop.goOn();
      await bundled.idle();
      const third = await aBuild(bundled, bundled, job.id);

      const texts = [first.id, second.id, third.id].map(async (id) =>
        bundled.text((await bundled.build(job.id, id)).artifacts.apk ?? ''),
      );
      expect(await Promise.all(texts)).to.deep.equal(['old', 'old', 'new']);
    });

    it('publishes meanwhile', async () => {
      const { bundled, workshop } = place;
      const job = await aJob(bundled, bundled);
      const built = await aBuild(bundled, bundled, job.id);
      await bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await workshop.begun(2);
      const { id } = await bundled.createRelease(job.id, built.id, release);
      const look = () => bundled.release(job.id, built.id, id);
      while ((await look()).status !== 'completed');

      expect((await look()).result).to.equal('SUCCESS');
      expect((await bundled.builds(job.id)).map(({ status }) => status)).to.include('active');
    });
  });

  describe('[11.4] log', () => {
    it('can be read from when the build begins on, another one for each attempt', async () => {
      const { bundled, workshop } = place;
      const job = await aJob(bundled, bundled);
      await bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      const waiting = await bundled.createBuild(job.id, theApp());
      await workshop.begun(1);
      const [first] = await bundled.builds(job.id);
      const of = (engine = bundled) => engine.runningLog(first?.id ?? 0);
      expect([first?.hasLog, waiting.hasLog]).to.deep.equal([true, false]);
      expect(await bundled.runningLog(waiting.id)).to.equal(null);
      expect(await bundled.runningLog(waiting.id + 1)).to.equal(null);
      const before = await of();
      expect(before).to.include({ taken: 1, isComplete: false });
      expect(before?.path.startsWith(workshop.orders[0]?.folder ?? '?')).to.equal(true);

      await bundled.close();
      expect(await of()).to.equal(null);
      const next = place.another();
      await next.open();
      await workshop.begun(2);
      const after = await of(next);
      expect(after).to.include({ taken: 2, isComplete: false });
      expect(after?.path).not.to.equal(before?.path);
      workshop.goOn();
      await next.idle();
      expect(await of(next)).to.include({ taken: 2, isComplete: true });
    });

    it('is told every two seconds, its last 4,000 characters', async () => {
      const lines = Array.from({ length: 500 }, (_, i) => `Line ${i}\0 of the log`);
      const talkative = new Workshop();
      const build = talkative.build;
      const engine = place.another(
        Date.now,
        Object.assign(new Workshop(), {
          build: (async (order, heard, signal) => {
            for (const line of lines) heard(line);
            return build(order, heard, signal);
          }) satisfies Workshop['build'],
        }),
      );
      await place.bundled.close();
      const job = await aJob(engine, engine);
      const { id } = await engine.createBuild(job.id, theApp({ WAIT: '1' }));
      await engine.open();
      await talkative.begun(1);
      expect((await engine.build(job.id, id)).logTail).to.equal('');

      place.time.pass(2_000);
      talkative.goOn();
      await engine.idle();
      const tail = (await engine.build(job.id, id)).logTail ?? '';
      expect(tail).to.have.length(4_000);
      expect(tail.endsWith('Line 499 of the log\nBuilding apk play-listing\n')).to.equal(true);
    });
  });

  describe('when the server ends', () => {
    it('begins again what was interrupted, once, with the same order', async () => {
      const job = await aJob(place.bundled, place.bundled);
      const { id } = await place.bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await place.workshop.begun(1);

      // The first server is not closed: it was killed, as far as the next can tell.
      const second = new Workshop();
      const next = place.another(later, second);
      await next.open();
      await second.begun(1);
      const [[before], [after]] = [place.workshop.orders, second.orders];
      expect(after).to.deep.equal({ ...before, folder: after?.folder });
      expect(after?.folder).not.to.equal(before?.folder);

      second.goOn();
      await next.idle();
      const ended = await next.build(job.id, id);
      expect(ended).to.include({ result: 'SUCCESS', error: null });

      // Should the first still be at it, what it makes is nobody's.
      place.workshop.goOn();
      await place.bundled.idle();
      expect(await next.build(job.id, id)).to.deep.equal(ended);
      expect(await next.builds(job.id)).to.have.length(1);
    });

    it('begins at once what a process held that nobody else can have survived', async () => {
      const job = await aJob(place.bundled, place.bundled);
      const { id } = await place.bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await place.workshop.begun(1);
      await fresh.db.transact((tx) =>
        tx.query(sql`update engine_builds set held_by = ${newId()} where id = ${id}`),
      );

      // On PostgreSQL nobody knows who else is at work: there the lease has to run out.
      const isAlone = fresh.db.kind === 'embedded';
      const second = new Workshop();
      const next = place.another(isAlone ? Date.now : later, second);
      await next.open();
      await second.begun(1);
      second.goOn();
      await next.idle();
      expect((await next.build(job.id, id)).result).to.equal('SUCCESS');
    });

    it('fails what was interrupted twice', async () => {
      const job = await aJob(place.bundled, place.bundled);
      const { id } = await place.bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await place.workshop.begun(1);
      const second = new Workshop();
      await place.another(later, second).open();
      await second.begun(1);

      const third = new Workshop();
      const last = place.another(() => later() + 2 * MINUTE_MS, third);
      await last.open();
      await last.idle();
      expect(third.orders).to.deep.equal([]);
      expect(await last.build(job.id, id)).to.include({
        result: 'FAILURE',
        error: 'The server stopped twice while it worked on this.',
      });
    });

    it('puts back what is under way when it is stopped, however often', async () => {
      const job = await aJob(place.bundled, place.bundled);
      const { id } = await place.bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await place.workshop.begun(1);
      await place.bundled.close();
      for (const begun of [2, 3, 4]) {
        const next = place.another();
        expect((await next.build(job.id, id)).status).to.equal('accepted');
        await next.open();
        await place.workshop.begun(begun);
        if (begun === 4) place.workshop.goOn();
        else await next.close();
        await next.idle();
      }
      expect((await place.another().build(job.id, id)).result).to.equal('SUCCESS');
    });

    it('lets another server begin what it did not hold on to', async () => {
      const job = await aJob(place.bundled, place.bundled);
      await place.bundled.createBuild(job.id, theApp({ WAIT: '1' }));
      await place.workshop.begun(1);
      const second = new Workshop();
      const next = place.another(later, second);
      await next.open();
      await second.begun(1);
      // It looks whether it still holds the build, and finds that it does not.
      place.time.pass(20_000);
      await place.bundled.idle();
      second.goOn();
      await next.idle();

      const builds = await next.builds(job.id);
      expect(builds.map(({ result }) => result)).to.deep.equal(['SUCCESS']);
    });
  });

  it('divides its builds among several servers, each done once', async () => {
    const [second, third] = [place.another(), place.another()];
    const job = await aJob(place.bundled, place.bundled);
    const engines = [place.bundled, second, third];
    await Promise.all(engines.slice(1).map((engine) => engine.open()));
    const asked = [...engines, ...engines, ...engines];
    await Promise.all(asked.map((engine) => engine.createBuild(job.id, theApp())));
    await Promise.all(engines.map((engine) => engine.idle()));

    const builds = await place.bundled.builds(job.id);
    expect(builds.map(({ result }) => result)).to.deep.equal(Array(9).fill('SUCCESS'));
    const codes = place.workshop.orders.map(({ version }) => version.code);
    expect(codes.sort()).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('answers with the release under way when it is asked for it again', async () => {
    const { bundled } = place;
    const job = await aJob(bundled, bundled);
    const build = await aBuild(bundled, bundled, job.id);
    await bundled.close();
    const first = await bundled.createRelease(job.id, build.id, release);
    const again = await bundled.createRelease(job.id, build.id, release);
    const other = { ...release, channel: 'beta' };
    const another = await bundled.createRelease(job.id, build.id, other);

    expect(again).to.deep.equal(first);
    expect(another.id).not.to.equal(first.id);
    const next = place.another();
    await next.open();
    await next.idle();
    expect((await next.createRelease(job.id, build.id, release)).id).not.to.equal(first.id);
  });

  it('answers with a release that has ended and that nobody heard of, and with no other', async () => {
    const { bundled } = place;
    const job = await aJob(bundled, bundled);
    const build = await aBuild(bundled, bundled, job.id);
    const first = await bundled.createRelease(job.id, build.id, { ...release, heard: [] });
    await bundled.idle();
    const again = await bundled.createRelease(job.id, build.id, { ...release, heard: [] });
    expect([again.id, again.result]).to.deep.equal([first.id, 'SUCCESS']);
    const heard = [first.id];
    const other = await bundled.createRelease(job.id, build.id, { ...release, heard });
    expect(other.id).not.to.equal(first.id);
    await bundled.idle();
  });

  describe('[12] files', () => {
    it('are found by build and type, and what is published stays without the build', async () => {
      const { bundled, dataDir } = place;
      const job = await aJob(bundled, bundled, 'the app');
      const build = await aBuild(bundled, bundled, job.id);
      const { id } = await bundled.createRelease(job.id, build.id, release);
      await bundled.idle();
      const built = await bundled.artifactFile(build.id, 'apk');
      const published = await bundled.publishedFile(id, 'apk');

      expect(readFileSync(built?.path ?? '', 'utf8')).to.equal('the app');
      expect(readFileSync(published?.path ?? '', 'utf8')).to.equal('the app');
      expect(published?.path).not.to.equal(built?.path);
      expect(published?.path.startsWith(join(dataDir, 'published'))).to.equal(true);
      expect(published?.contentType).to.equal('application/vnd.android.package-archive');
      expect(await bundled.artifactFile(build.id, 'pwa')).to.equal(null);
      expect(await bundled.artifactFile(build.id + 1, 'apk')).to.equal(null);
      expect(readdirSync(join(dataDir, 'published'))).to.deep.equal([String(id)]);
    });

    it('leave the app out of a release that says so', async () => {
      const { bundled } = place;
      const job = await aJob(bundled, bundled);
      const build = await aBuild(bundled, bundled, job.id);
      const asked = { ...release, environment: { PUBLISH_NO_APK: '1' } };
      const { id } = await bundled.createRelease(job.id, build.id, asked);
      await bundled.idle();

      expect(await bundled.publishedFile(id, 'apk')).to.equal(null);
      expect(await bundled.publishedFile(id, 'version')).not.to.equal(null);
    });

    it('are kept of every upload, the newest being what counts', async () => {
      const { repositories } = place.bundled;
      expect(await repositories.newest(7)).to.equal(null);
      const uploads = ['a', 'b', 'c', 'd'].map((text) => repositories.add(7, bytesOf(text)));
      const numbers = (await Promise.all(uploads)).map(({ number }) => number);
      expect(numbers.sort()).to.deep.equal([1, 2, 3, 4]);

      const last = await repositories.add(7, bytesOf('the newest'));
      expect(await repositories.newest(7)).to.deep.equal({ ...last, number: 5, sizeBytes: 10 });
      expect(readFileSync(last.path, 'utf8')).to.equal('the newest');
    });

    it('are not kept of an upload that is refused or cut off', async () => {
      const { repositories } = place.bundled;
      const first = await repositories.add(7, bytesOf('first'));
      const refusal = new Error('Not a zip');
      async function* cut(): AsyncGenerator<Uint8Array> {
        yield* bytesOf('half of');
        throw refusal;
      }
      const failed = await Promise.allSettled([
        repositories.add(7, bytesOf('no zip'), () => Promise.reject(refusal)),
        repositories.add(7, cut()),
      ]);

      expect(failed).to.deep.equal(Array(2).fill({ status: 'rejected', reason: refusal }));
      expect(await repositories.newest(7)).to.deep.equal(first);
      expect(readdirSync(join(place.dataDir, 'repositories', '7'))).to.deep.equal(['1.zip']);
    });
  });

  it('numbers projects and jobs so that nobody guesses one', async () => {
    const { bundled } = place;
    const made = await Promise.all(Array.from({ length: 8 }, () => aJob(bundled, bundled)));
    const numbers = made.flatMap(({ id, project }) => [id, project]);

    expect(new Set(numbers).size).to.equal(16);
    for (const number of numbers) {
      expect(number).to.be.greaterThan(1_000_000);
      expect(Number.isSafeInteger(number)).to.equal(true);
    }
  });
});
