import type { lookup } from 'node:dns';
import { inspect } from 'node:util';
import { expect } from 'chai';
import {
  buildIn,
  instantIn,
  jobIn,
  projectIn,
  releaseIn,
} from '#server/domain/builds/client/parse-engine-answers.ts';
import { readArtifacts } from '#server/domain/builds/artifacts.ts';
import { EngineError } from '#protocol/engine.ts';
import type { BuildEngine, FileHead } from '#protocol/engine.ts';
import { openHttpEngine } from '#server/domain/builds/client/http-engine.ts';
import { createOutboundFetch } from '#server/domain/builds/client/outbound-fetch.ts';
import { freshDatabase } from '../../../support/database.ts';
import type { TestDatabase } from '../../../support/database.ts';
import { EngineServer } from '../../../support/engine.ts';
import type { Fault } from '../../../support/engine.ts';
import { aBuild, aJob, openPlace, theApp } from '../../../engine/workshop.ts';
import type { Place } from '../../../engine/workshop.ts';

const AT_A_TIME = 10;

async function errorOf(call: Promise<unknown>): Promise<EngineError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof EngineError) return error;
    throw error;
  }
  throw new Error('The call did not fail');
}

const release = { channel: 'production', targets: ['s3-bucket'], environment: {} };

/** Every call of the contract. */
const calls: Readonly<Record<string, (engine: BuildEngine) => Promise<unknown>>> = {
  check: (engine) => engine.check(),
  createProject: (engine) =>
    engine.createProject({ appId: 'bookapp', projectName: 'Harvest', languageCode: 'es' }),
  project: (engine) => engine.project(1),
  createJob: (engine) =>
    engine.createJob({ requestId: 'a', gitUrl: 'b', appId: 'bookapp', publisherId: null }),
  job: (engine) => engine.job(1),
  builds: (engine) => engine.builds(1),
  createBuild: (engine) => engine.createBuild(1, theApp()),
  build: (engine) => engine.build(1, 1),
  createRelease: (engine) => engine.createRelease(1, 1, release),
  release: (engine) => engine.release(1, 1, 1),
};

const faults: readonly (readonly [Fault, EngineError['because'], ReadonlySet<string>?])[] = [
  ['garbage', 'no-usable-answer', new Set(['check'])],
  ['empty', 'no-usable-answer', new Set(['check'])],
  ['wrong shape', 'no-usable-answer', new Set(['check'])],
  ['too large', 'no-usable-answer'],
  ['redirect', 'no-usable-answer'],
  [500, 'no-usable-answer'],
  [401, 'refused'],
  [403, 'refused'],
  ['disconnect', 'unreachable'],
  ['cut short', 'unreachable'],
];

describe('[11.1] an engine over HTTP', () => {
  let fresh: TestDatabase;
  let place: Place;
  let server: EngineServer;
  let engine: BuildEngine;

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
    server = await EngineServer.start(place.bundled);
    const outboundFetch = createOutboundFetch({ hosts: ['127.0.0.1'], timers: place.time });
    engine = openHttpEngine(server, outboundFetch);
  });

  afterEach(async () => {
    await server.stop();
    await place.remove();
  });

  for (const [fault, because, exempt] of faults) {
    it(`says "${because}" when the answer is ${String(fault)}`, async () => {
      server.fault = fault;
      for (const [name, call] of Object.entries(calls)) {
        // For a check it only matters that an answer came.
        if (exempt?.has(name) === true) await call(engine);
        else expect((await errorOf(call(engine))).because, name).to.equal(because);
      }
      expect(server.heard.map(({ path }) => path)).not.to.include('/elsewhere');
    });
  }

  it('takes an answer without its id, or with that of another, for none', async () => {
    const job = await aJob(engine, place.bundled);
    const build = await aBuild(engine, place.bundled, job.id);

    server.fault = 'id 0';
    const created = errorOf(engine.createBuild(job.id, theApp()));
    expect((await created).because).to.equal('no-usable-answer');
    server.fault = 'another id';
    const asked = [engine.build(job.id, build.id), engine.job(job.id), engine.project(job.project)];
    for (const { because } of await Promise.all(asked.map(errorOf)))
      expect(because).to.equal('no-usable-answer');
  });

  it('waits for an answer for 30 seconds, and for a file for 10', async () => {
    const job = await aJob(engine, place.bundled);
    const build = await aBuild(engine, place.bundled, job.id);
    const waiting = place.time.waiting;
    server.fault = 'hang';

    const asked = errorOf(engine.job(job.id));
    await place.time.until(30_000);
    place.time.pass(30_000);
    expect((await asked).because).to.equal('unreachable');

    const read = engine.text(build.artifacts.apk ?? '');
    await place.time.until(10_000);
    place.time.pass(10_000);
    expect(await read).to.equal(null);
    expect(place.time.waiting).to.equal(waiting);
  });

  it('cannot be reached where nobody listens', async () => {
    await server.stop();

    expect((await errorOf(engine.check())).because).to.equal('unreachable');
  });

  it('is asked at most ten things at a time, files included', async () => {
    const job = await aJob(engine, place.bundled);
    const build = await aBuild(engine, place.bundled, job.id);
    server.mostAtOnce = 0;
    server.holdUntil(AT_A_TIME);
    const asked = Array.from({ length: 15 }, () => engine.job(job.id));
    const read = Array.from({ length: 15 }, () => engine.head(build.artifacts.apk ?? ''));
    await Promise.all([...asked, ...read]);

    expect(server.mostAtOnce).to.equal(AT_A_TIME);
  });

  it('gets its token with every call, and with no file', async () => {
    const job = await aJob(engine, place.bundled);
    const build = await aBuild(engine, place.bundled, job.id);
    await readArtifacts(engine, build.artifacts);

    const [files, others] = [true, false].map((isFile) =>
      server.heard
        .filter(({ path }) => path.startsWith('/files/') === isFile)
        .map(({ authorization }) => authorization),
    );
    expect(new Set(others)).to.deep.equal(new Set([`Bearer ${server.token}`]));
    expect(new Set(files)).to.deep.equal(new Set([null]));
  });

  it('shows its token and address in no error', async () => {
    for (const [fault] of faults) {
      server.fault = fault;
      const error = await errorOf(engine.project(1));
      const said = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error)].join();
      expect(said).not.to.contain(server.token);
      expect(said).not.to.contain(new URL(server.url).host);
    }
  });

  it('refuses a token that cannot be sent, and asks without one when there is none', async () => {
    const outboundFetch = createOutboundFetch({ hosts: ['127.0.0.1'], timers: place.time });
    const odd = openHttpEngine({ url: server.url, token: 'clé\n' }, outboundFetch);
    expect((await errorOf(odd.check())).because).to.equal('refused');
    expect(server.heard).to.deep.equal([]);

    const none = openHttpEngine({ url: server.url, token: null }, outboundFetch);
    expect((await errorOf(none.check())).because).to.equal('refused');
    expect(server.heard.map(({ authorization }) => authorization)).to.deep.equal([null]);
  });

  it('keeps the path of its address, and neither the name nor the password in it', async () => {
    const outboundFetch = createOutboundFetch({ hosts: ['127.0.0.1'], timers: place.time });
    const { host } = new URL(server.url);
    const url = `http://somebody:secret@${host}/engines/7/?page=2`;
    await errorOf(openHttpEngine({ url, token: server.token }, outboundFetch).check());

    expect(server.heard).to.deep.equal([
      {
        method: 'GET',
        path: '/engines/7/system/check',
        authorization: `Bearer ${server.token}`,
      },
    ]);
  });

  describe('at an address that is private', () => {
    it('is not called unless its host is named', async () => {
      const port = new URL(server.url).port;
      const addresses = ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', 'localhost', '0x7f000001'];
      const outboundFetch = createOutboundFetch({ hosts: ['engine.internal'], timers: place.time });
      for (const address of addresses) {
        const at = openHttpEngine(
          { url: `http://${address}:${port}`, token: 'secret' },
          outboundFetch,
        );
        expect((await errorOf(at.check())).because, address).to.equal('address-not-allowed');
        expect(await at.head(`http://${address}:${port}/files/x`), address).to.equal(null);
      }
      expect(server.heard).to.deep.equal([]);
    });

    it('is not called under a name that leads there by the time of the call', async () => {
      const port = new URL(server.url).port;
      let asked = 0;
      const rebound = ((_: string, __: object, answer: (...args: unknown[]) => void) => {
        asked += 1;
        const found = [
          { address: '203.0.114.7', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ];
        answer(null, asked === 1 ? found : found.slice(1));
      }) as unknown as typeof lookup;
      const outboundFetch = createOutboundFetch({ hosts: [], timers: place.time, lookup: rebound });
      const at = openHttpEngine(
        { url: `http://engine.test:${port}`, token: 'secret' },
        outboundFetch,
      );

      for (const times of [1, 2]) {
        expect((await errorOf(at.check())).because).to.equal('address-not-allowed');
        expect(asked).to.equal(times);
      }
      expect(server.heard).to.deep.equal([]);
    });

    it('is called under a name that is named', async () => {
      const port = new URL(server.url).port;
      const here = ((_: string, { all }: { all?: boolean }, answer: (...a: unknown[]) => void) => {
        if (all === true) answer(null, [{ address: '127.0.0.1', family: 4 }]);
        else answer(null, '127.0.0.1', 4);
      }) as unknown as typeof lookup;
      const outboundFetch = createOutboundFetch({
        hosts: ['engine.test'],
        timers: place.time,
        lookup: here,
      });
      const url = `http://Engine.test:${port}`;

      await openHttpEngine({ url, token: server.token }, outboundFetch).check();
      expect(server.heard).to.have.length(1);
    });
  });
});

describe('[11.1] answers of engines elsewhere', () => {
  const build = { id: 7, status: 'completed', result: 'SUCCESS' };

  it('have a whole number above 0 as their id', () => {
    for (const id of [0, -1, 1.5, null, undefined, 'seven', '0', '', 2 ** 60])
      expect(() => jobIn({ id }), String(id)).to.throw(EngineError);
    expect(jobIn({ id: '12' }).id).to.equal(12);
  });

  it('name files by addresses of the web alone', () => {
    const artifacts = {
      apk: 'https://files.test/app.apk',
      about: null,
      html: '',
      pwa: 'javascript:alert(1)',
      aab: 'file:///etc/passwd',
      version: 7,
    };
    expect(buildIn({ ...build, artifacts }).artifacts).to.deep.equal({
      apk: 'https://files.test/app.apk',
    });
    expect(buildIn({ ...build, artifacts: [] }).artifacts).to.deep.equal({});
    expect(buildIn(build).artifacts).to.deep.equal({});
  });

  it('name no repository, file or text of the bundled engine', () => {
    const url = 'bundled:/builds/9/1/out/app.apk';
    const [project, built, released] = [
      projectIn({ ...build, url: 'bundled:/repositories/7' }),
      buildIn({ ...build, artifacts: { apk: url } }),
      releaseIn({ ...build, artifacts: { publishUrl: url }, console_text: url }),
    ];
    expect(project.url).to.equal(null);
    expect(built.artifacts).to.deep.equal({});
    expect(released).to.deep.include({ artifacts: {}, consoleText: null });
  });

  it('name the console text of a release in two ways', () => {
    const url = 'https://files.test/console.txt';
    expect(releaseIn({ ...build, console_text: url }).consoleText).to.equal(url);
    expect(releaseIn({ ...build, consoleText: url }).consoleText).to.equal(url);
    expect(releaseIn({ ...build, console_text: 'Done.' }).consoleText).to.equal(null);
  });

  it('tell times with a zone or without', () => {
    expect(instantIn('2026-01-31 09:30:00')).to.equal('2026-01-31T09:30:00.000Z');
    expect(instantIn('2026-01-31T09:30:00+02:00')).to.equal('2026-01-31T07:30:00.000Z');
    expect(instantIn('Sat, 31 Jan 2026 09:30:00 GMT')).to.equal('2026-01-31T09:30:00.000Z');
    expect(instantIn('yesterday')).to.equal(null);
    expect(instantIn(7)).to.equal(null);
  });
});

describe('[11.4] what is taken from the files of a build', () => {
  const files = (texts: Readonly<Record<string, string>>) => ({
    head: () => Promise.resolve<FileHead | null>(null),
    text: (url: string) => Promise.resolve(texts[url] ?? null),
  });
  const at = (type: string) => `https://files.test/${type}`;
  const factsOf = (texts: Readonly<Record<string, string>>) =>
    readArtifacts(
      files(Object.fromEntries(Object.entries(texts).map(([type, text]) => [at(type), text]))),
      Object.fromEntries(Object.keys(texts).map((type) => [type, at(type)])),
    );

  it('is the version, as JSON or as it stands there', async () => {
    expect(await factsOf({ version: '\uFEFF{"version": "2.1", "versionCode": 14}' })).to.include({
      version: '2.1',
      versionCode: '14',
    });
    expect(await factsOf({ version: '2.1\n', version_code: '14\n' })).to.include({
      version: '2.1',
      versionCode: '14',
    });
    expect(await factsOf({ version: '7' })).to.include({ version: '7', versionCode: null });
    expect((await factsOf({ version: '{"name": "2.1"}' })).version).to.equal(null);
    expect((await factsOf({ version: '  \n' })).version).to.equal(null);
  });

  it('is the link in the file, or the address itself when no link is in it', async () => {
    const link = 'https://store.test/details?id=7';
    expect((await factsOf({ publishUrl: `${link}\n` })).publishLink).to.equal(link);
    expect((await factsOf({ publishUrl: '<html>The store</html>' })).publishLink).to.equal(
      at('publishUrl'),
    );
    expect((await readArtifacts(files({}), { publishUrl: link })).publishLink).to.equal(link);
  });

  it('is what can be had: a file that cannot be read takes nothing else along', async () => {
    const url = 'https://files.test/some/My%20app.apk?token=7';
    const facts = await readArtifacts(files({}), { apk: url, version: at('version'), pwa: at('') });

    expect(facts.version).to.equal(null);
    expect(facts.files).to.deep.equal([
      {
        type: 'apk',
        url,
        filename: 'My app.apk',
        contentType: null,
        sizeBytes: null,
        updated: null,
      },
      {
        type: 'version',
        url: at('version'),
        filename: 'version',
        contentType: null,
        sizeBytes: null,
        updated: null,
      },
      {
        type: 'pwa',
        url: at(''),
        filename: 'pwa',
        contentType: null,
        sizeBytes: null,
        updated: null,
      },
    ]);
  });
});
