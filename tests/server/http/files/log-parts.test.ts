import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { sql } from 'kysely';
import { enginePathsIn } from '#engine/engine-paths.ts';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import type { Name } from '../api/world.ts';
import { openHouse, refusal } from './house.ts';
import type { House } from './house.ts';

const TEXT = 'Línea 1\nLine 2 🌊\nLine 3';

/** A build that the bundled engine works on, or has done. */
interface Running {
  readonly product: string;
  /** The engine's number of it. */
  readonly number: number;
  readonly url: string;
  /** Appends to the log of the present attempt. */
  write(text: string): void;
  /** Ends the build at the engine; the record knows later. */
  end(): Promise<void>;
  /** Begins the next attempt. */
  again(): Promise<void>;
}

interface Part {
  readonly status: number;
  readonly text: string;
  readonly bytes: number;
  readonly range: string | null;
  readonly isComplete: string | null;
  readonly tag: string;
}

describe('the log of a build, in parts [wire 12.1]', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;

  before(async () => {
    house = await openHouse();
  });

  /** One more build of `product`, which the engine has just taken up. */
  async function running(product: string): Promise<Running> {
    const { world } = house;
    const { db, engines } = world.server.parts;
    const files = enginePathsIn(world.server.dataDir);
    const { id: job } = await engines.bundled.createJob({
      requestId: product,
      gitUrl: (await engines.bundled.createProject(A_PROJECT)).url ?? '',
      appId: 'bookapp',
      publisherId: null,
    });
    const { id: number } = await engines.bundled.createBuild(job, { targets: [], environment: {} });
    let taken = 0;
    const set = (status: string) =>
      db.transact((tx) =>
        tx.query(sql`update engine_builds set status = ${status}, taken = ${taken},
          result = case ${status}::text when 'completed' then 'SUCCESS' end
          where id = ${number}`),
      );
    const again = async () => {
      taken += 1;
      await set('active');
    };
    await again();
    const record = world.id();
    await world.write((w) => w.insert('productBuild', { id: record, product, buildId: number }));
    return {
      product,
      number,
      url: `/api/product-builds/${record}/console`,
      write: (text) => {
        const path = files.log(number, taken);
        mkdirSync(dirname(path), { recursive: true });
        appendFileSync(path, text);
      },
      end: async () => {
        await set('completed');
      },
      again,
    };
  }

  const read = async (url: string, from: number, tag?: string, who: Name = 'member') => {
    const headers = { Range: `bytes=${from}-`, ...(tag === undefined ? {} : { 'If-Range': tag }) };
    const answer = await house.get(who, url, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const header = (name: string) => answer.headers.get(name);
    expect(header('content-encoding')).to.equal(null);
    return {
      status: answer.status,
      text: bytes.toString('utf8'),
      bytes: bytes.length,
      range: header('content-range'),
      isComplete: header('x-log-complete'),
      tag: header('etag') ?? '',
    } satisfies Part;
  };

  /** Reads on until the log is complete; returns every part. */
  const readAll = async (url: string): Promise<readonly Part[]> => {
    const parts: Part[] = [];
    for (let from = 0; parts.at(-1)?.isComplete !== 'true';) {
      const part = await read(url, from, parts[0]?.tag);
      parts.push(part);
      from += part.bytes;
    }
    return parts;
  };

  it('grows while the engine works, and joins to the whole text', async () => {
    const build = await running(house.world.ids.product);
    expect(await read(build.url, 0)).to.include({ status: 204, isComplete: 'false' });
    build.write('Building\n');
    const first = await read(build.url, 0);
    expect(first).to.include({ status: 206, text: 'Building\n', isComplete: 'false' });
    expect(first.range).to.equal('bytes 0-8/*');
    expect(await read(build.url, 9, first.tag)).to.include({ status: 204, isComplete: 'false' });
    build.write(TEXT);
    const second = await read(build.url, 9, first.tag);
    expect(second.text).to.equal('Línea 1\nLine 2 🌊\n');
    expect(second.tag).to.equal(first.tag);
    await build.end();
    const from = first.bytes + second.bytes;
    const last = await read(build.url, from, first.tag);
    expect(last).to.include({ status: 206, text: 'Line 3', isComplete: 'true', tag: first.tag });
    expect(last.range).to.equal(`bytes ${from}-${from + 5}/${from + 6}`);
    const after = await read(build.url, from + 6, first.tag);
    expect(after).to.include({ status: 204, isComplete: 'true' });
    expect(first.text + second.text + last.text).to.equal(`Building\n${TEXT}`);
  });

  it('is sent from the beginning when another attempt has begun', async () => {
    const build = await running(house.world.ids.product);
    build.write('First\nattempt\n');
    const first = await read(build.url, 0);
    await build.again();
    const nothing = await read(build.url, first.bytes, first.tag);
    expect(nothing).to.include({ status: 200, text: '', isComplete: 'false' });
    expect(nothing.tag).to.not.equal(first.tag);
    build.write('Second\n');
    const second = await read(build.url, first.bytes, first.tag);
    expect(second).to.include({ status: 200, text: 'Second\n', tag: nothing.tag });
    expect(await read(build.url, second.bytes, second.tag)).to.include({ status: 204 });
  });

  it('comes in parts of at most 256 KiB, which end between lines, and cut no character in two', async () => {
    const most = limits.logPartBytes;
    const wave = Buffer.byteLength('🌊');
    const texts = {
      lines: 'a line of waves 🌊🌊🌊\n'.repeat(70_000),
      oneLine: `x${'🌊'.repeat(most / wave + 10)}`,
    };
    for (const [name, text] of Object.entries(texts)) {
      const { id } = await house.builds(house.world.ids.product, {
        consoleText: { filename: 'console.txt', text },
      });
      const parts = await readAll(`/api/product-builds/${id}/console`);
      expect(parts.length, name).to.be.greaterThan(1);
      expect(Math.max(...parts.map(({ bytes }) => bytes)), name).to.be.at.most(most);
      expect(parts.map((part) => part.text).join('') === text, name).to.equal(true);
      expect(parts.slice(0, -1).every(({ isComplete }) => isComplete === 'false')).to.equal(true);
      if (name === 'lines') expect(parts[0]?.text.endsWith('\n'), name).to.equal(true);
    }
  });

  it('is complete for a publication, and for a build whose record has its end', async () => {
    const { ids } = house.world;
    const LOG = { filename: 'console.txt', text: TEXT };
    const built = await house.builds(ids.product, { consoleText: LOG });
    const { id } = await house.publishes(built, { consoleText: LOG });
    const [build, publication] = [
      await read(`/api/product-builds/${built.id}/console`, 0),
      await read(`/api/product-publications/${id}/console`, 0),
    ];
    expect(build).to.include({ status: 206, text: TEXT, isComplete: 'true' });
    expect(build.tag).to.equal(`"${built.number}-1"`);
    expect(publication).to.include({ status: 206, text: TEXT, isComplete: 'true' });
  });

  it('has a file for a link while it grows, and no ticket is written for its parts', async () => {
    const { db } = house.world.server.parts;
    const tickets = () =>
      db.read((tx) =>
        tx.query(sql<{ readonly n: number }>`select count(*) as n from file_tickets`),
      );
    const build = await running(house.world.ids.product);
    build.write('So far\n');
    const before = await tickets();
    await read(build.url, 0);
    expect(await tickets()).to.deep.equal(before);
    const link = (await (await house.get('member', `${build.url}/link`)).json()) as {
      readonly url: string;
    };
    expect(await (await house.get(null, link.url)).text()).to.equal('So far\n');
  });

  it('takes other forms of a range as none', async () => {
    const build = await running(house.world.ids.product);
    build.write('So far\n');
    for (const Range of [
      'bytes=-3',
      'bytes=0-3',
      'bytes=0-,4-',
      'lines=0-',
      `bytes=${'9'.repeat(16)}-`,
    ])
      expect((await house.get('member', build.url, { headers: { Range } })).status).to.equal(302);
  });

  it('is hidden from strangers, and kept from outsiders, while the build runs too', async () => {
    const { ids } = house.world;
    const [own, open] = [await running(ids.product), await running(ids.publicProduct)];
    for (const build of [own, open]) build.write('So far\n');
    const ask = async (who: Name | null, url: string) =>
      refusal(await house.get(who, url, { headers: { Range: 'bytes=0-' } }));
    expect(await ask('stranger', own.url)).to.equal('404 not-found');
    expect(await ask(null, own.url)).to.equal('401 not-signed-in/missing');
    expect(await ask('stranger', open.url)).to.equal('403 forbidden');
    for (const who of ['member', 'builder', 'super'] as const)
      expect((await read(own.url, 0, undefined, who)).status).to.equal(206);
  });

  it('is not there before the engine begins, and is another’s where an engine elsewhere builds', async () => {
    const { world } = house;
    const build = await running(world.ids.product);
    const ask = async (url: string) =>
      refusal(await house.get('member', url, { headers: { Range: 'bytes=0-' } }));
    const [waiting, elsewhere] = [world.id(), world.id()];
    await world.write(async (w) => {
      await w.insert('productBuild', { id: waiting, product: build.product, buildId: null });
      await w.insert('productBuild', { id: elsewhere, product: build.product, success: false });
      await w.query(sql`insert into build_facts (product_build_id, console_address)
        values (${elsewhere}, 'https://engine.test/log.txt')`);
    });
    expect(await ask(`/api/product-builds/${waiting}/console`)).to.equal('404 not-found');
    expect(await ask(`/api/product-builds/${elsewhere}/console`)).to.equal(
      '409 action-not-allowed/external-engine',
    );
    const { lakeside } = world.ids;
    const engine = { useDefaultBuildEngine: false, buildEngineUrl: 'https://engine.test' };
    await world.write((w) => w.change('organization', lakeside, engine));
    expect(await ask(build.url)).to.equal('409 action-not-allowed/external-engine');
    await world.write((w) =>
      w.change('organization', lakeside, { useDefaultBuildEngine: true, buildEngineUrl: null }),
    );
  });

  it('does not open a build of another product by its number', async () => {
    const { world } = house;
    const build = await running(world.ids.product);
    build.write('Secret\n');
    const other = world.id();
    await world.write((w) =>
      w.insert('productBuild', {
        id: other,
        product: world.ids.publicProduct,
        buildId: build.number,
      }),
    );
    const answer = await house.get('member', `/api/product-builds/${other}/console`, {
      headers: { Range: 'bytes=0-' },
    });
    expect(await refusal(answer)).to.equal('404 not-found');
  });

  it('is read by one person 300 times a minute at most, and by another still', async () => {
    const build = await running(house.world.ids.publicProduct);
    build.write('So far\n');
    const statuses = await Promise.all(
      Array.from({ length: limits.logReadsPerUserAndMinute + 1 }, async () => {
        const headers = { Range: 'bytes=7-' };
        return (await house.get('author', build.url, { headers })).status;
      }),
    );
    expect(statuses.filter((status) => status === 204)).to.have.length(
      limits.logReadsPerUserAndMinute,
    );
    const refused = await house.get('author', build.url, { headers: { Range: 'bytes=7-' } });
    expect(await refusal(refused)).to.equal('429 too-many-requests');
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
    expect((await read(build.url, 7, undefined, 'builder')).status).to.equal(204);
    expect((await house.get('author', paths.live)).status).to.equal(200);
  });
});

const A_PROJECT = { appId: 'bookapp', projectName: 'Harvest', languageCode: 'en' };
