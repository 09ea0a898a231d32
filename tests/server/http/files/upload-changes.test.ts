import { rmSync } from 'node:fs';
import { expect } from 'chai';
import { sql } from 'kysely';
import type { ContentChanges, Uploaded } from '#protocol/file-paths.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import type { Name } from '../api/world.ts';
import { zipOfFiles } from '../../../support/zips.ts';
import { openHouse, refusal, setUp } from './house.ts';
import type { House } from './house.ts';

type Pages = Readonly<Record<string, string>>;

const HARVEST: Pages = {
  'index.md': '# Harvest\n',
  'field.md': '# The field\n',
  'barn.md': '# The barn\n',
};

describe('what changed from one upload to another', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let path: string;
  beforeEach(async () => {
    house = await openHouse();
    const { project, authorRow } = house.world.ids;
    path = `/api/projects/${project}/repository`;
    await setUp(house.world, project);
    await house.world.write((w) => w.change('author', authorRow, { canUpload: true }));
  });

  const put = (pages: Pages) =>
    house.ask('builder', 'PUT', path, {
      headers: { 'Content-Type': 'application/zip' },
      body: zipOfFiles(pages),
    });
  const uploads = async (): Promise<readonly Uploaded[]> => {
    const answer = await house.get('builder', `${path}/uploads`);
    return ((await answer.json()) as { readonly uploads: readonly Uploaded[] }).uploads;
  };
  const ask = (who: Name, number: number | string, base: number | string) =>
    house.get(who, `${path}/uploads/${number}/changes/${base}`);
  const changes = async (number: number, base: number): Promise<ContentChanges> => {
    const answer = await ask('author', number, base);
    expect(answer.status).to.equal(200);
    return (await answer.json()) as ContentChanges;
  };

  it('is counted for each upload against the one before', async () => {
    await put(HARVEST);
    const { 'barn.md': barn = '', ...others } = HARVEST;
    await put({ ...others, 'field.md': '# The wide field\n', 'mill.md': barn });
    await put({ ...others, 'field.md': '# The wide field\n', 'mill.md': barn });
    expect((await uploads()).map((upload) => upload.changes)).to.deep.equal([
      { added: 0, changed: 0, removed: 0 },
      { added: 1, changed: 1, removed: 1 },
      { added: 3, changed: 0, removed: 0 },
    ]);
  });

  it('is told file by file, also between uploads that are far apart', async () => {
    await put(HARVEST);
    await put({ 'index.md': HARVEST['index.md'] ?? '' });
    await put({ ...HARVEST, 'field.md': '# A field\n', 'mill.md': '# The mill\n' });
    expect(await changes(3, 1)).to.deep.equal({
      added: 1,
      changed: 1,
      removed: 0,
      files: [
        { path: 'mill.md', is: 'added', sizeBytes: 11 },
        { path: 'field.md', is: 'changed', sizeBytes: 10 },
      ],
    });
    expect((await changes(2, 3)).files).to.deep.equal([
      { path: 'barn.md', is: 'removed', sizeBytes: 11 },
      { path: 'field.md', is: 'removed', sizeBytes: 10 },
      { path: 'mill.md', is: 'removed', sizeBytes: 11 },
    ]);
    expect(await changes(2, 0)).to.deep.include({ added: 1, changed: 0, removed: 0 });
  });

  it('sees the same files in a zip of their folder', async () => {
    await put(HARVEST);
    const inFolder = Object.entries(HARVEST).map(([name, text]) => [`Harvest 2/${name}`, text]);
    await put(Object.fromEntries(inFolder) as Pages);
    expect((await uploads())[0]?.changes).to.deep.equal({ added: 0, changed: 0, removed: 0 });
  });

  it('lists no more than 500 files, and counts all of them', async () => {
    const names = Array.from({ length: 510 }, (_, each) => `page-${String(each)}.md`);
    await put(Object.fromEntries(names.map((name) => [name, '# A page\n'])));
    const { added, files } = await changes(1, 0);
    expect(added).to.equal(510);
    expect(files).to.have.length(500);
  });

  it('is told to those who may have the content', async () => {
    await put(HARVEST);
    expect((await ask('admin', 1, 0)).status).to.equal(200);
    expect(await refusal(await ask('member', 1, 0))).to.equal('403 forbidden');
    expect(await refusal(await ask('stranger', 1, 0))).to.equal('404 not-found');
  });

  it('is nothing of uploads that are not there', async () => {
    await put(HARVEST);
    for (const [number, base] of [
      [2, 1],
      [1, 2],
      [0, 1],
      ['x', 0],
      [1, '-1'],
      [1, '1e3'],
    ] as const)
      expect(await refusal(await ask('builder', number, base))).to.equal('404 not-found');
  });

  it('is nothing of an upload that is removed to make room while it is compared', async () => {
    await put(HARVEST);
    await put({ ...HARVEST, 'field.md': '# The wide field\n' });
    const { repositories } = house.world.server.parts.engines.bundled;
    const original = { ...repositories };
    // The older upload's file is found already when that of the newer one is looked for.
    repositories.content = (place, number) => {
      if (number === 2) rmSync(original.content(place, 1));
      return original.content(place, number);
    };
    try {
      expect(await refusal(await ask('builder', 1, 2))).to.equal('404 not-found');
    } finally {
      Object.assign(repositories, original);
    }
  });

  it('is no access to the content, which history and audit log would name', async () => {
    await put(HARVEST);
    const count = async () =>
      (await house.world.write((w) => w.all('productTransition', {}))).length;
    const before = await count();
    await changes(1, 0);
    expect(await count()).to.equal(before);
  });

  it('is not counted for what was uploaded before such counts were kept', async () => {
    await put(HARVEST);
    await house.world.write((w) =>
      w.query(sql`update repository_uploads set files_added = null, files_changed = null,
        files_removed = null`),
    );
    expect((await uploads())[0]?.changes).to.equal(null);
    expect(await changes(1, 0)).to.include({ added: 3 });
  });

  it('is not worked out more than 60 times in a minute for one person [F13]', async () => {
    await put(HARVEST);
    for (let time = 0; time < 60; time += 1)
      expect((await ask('builder', 1, 0)).status).to.equal(200);
    expect(await refusal(await ask('builder', 1, 0))).to.equal('429 too-many-requests');
    expect((await ask('author', 1, 0)).status).to.equal(200);
  });
});
