import { expect } from 'chai';
import type { Uploaded } from '#protocol/file-paths.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import type { Name } from '../api/world.ts';
import { zipOfFiles } from '../../../support/zips.ts';
import { openHouse, refusal, setUp } from './house.ts';
import type { House } from './house.ts';

const content = (text: string) => zipOfFiles({ 'index.md': `# ${text}\n` });

describe('an older version of a project’s content', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let path: string;
  beforeEach(async () => {
    house = await openHouse();
    const { project, authorRow } = house.world.ids;
    path = `/api/projects/${project}/repository`;
    await setUp(house.world, project);
    await house.world.write((w) => w.change('author', authorRow, { canUpload: true }));
    await put('First', 'harvest.zip');
    await put('Second');
  });

  const put = (text: string, name = 'more.zip') =>
    house.ask('builder', 'PUT', path, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': `attachment; filename*=UTF-8''${name}`,
      },
      body: content(text),
    });
  const uploads = async (): Promise<readonly Uploaded[]> => {
    const answer = await house.get('builder', `${path}/uploads`);
    return ((await answer.json()) as { readonly uploads: readonly Uploaded[] }).uploads;
  };
  const newestTag = async () => (await uploads())[0]?.tag ?? '';
  const restore = (who: Name, number: number | string, over: string | null) =>
    house.ask(who, 'POST', `${path}/uploads/${number}/restore`, {
      headers: over === null ? {} : { 'If-Match': over },
    });

  it('is restored as a new version, byte by byte, with its name and what it changes', async () => {
    const answer = await restore('author', 1, await newestTag());
    expect(answer.status).to.equal(200);
    const [third, ...older] = await uploads();
    expect(((await answer.json()) as { readonly uploads: unknown }).uploads).to.deep.equal([
      third,
      ...older,
    ]);
    expect(third).to.deep.include({
      ...{ number: 3, by: house.world.people.author.id, filename: 'harvest.zip' },
      ...{ isSample: false, restored: 1, changes: { added: 0, changed: 1, removed: 0 } },
    });
    expect(older.map(({ number, restored }) => [number, restored])).to.deep.equal([
      [2, null],
      [1, null],
    ]);
    const bytes = await house.get('builder', path);
    expect(Buffer.from(await bytes.arrayBuffer()).equals(content('First'))).to.equal(true);
  });

  it('is restored once, however often the same is asked', async () => {
    const over = await newestTag();
    await restore('builder', 1, over);
    await put('Third');
    expect((await restore('builder', 1, over)).status).to.equal(200);
    expect(await uploads()).to.have.length(4);
    // Another person has seen none of that.
    expect(await refusal(await restore('author', 1, over))).to.equal('412 precondition-failed');
  });

  it('does not replace what came meanwhile', async () => {
    const over = await newestTag();
    await put('Third');
    expect(await refusal(await restore('builder', 1, over))).to.equal('412 precondition-failed');
    expect(await uploads()).to.have.length(3);
  });

  it('is restored over a version that is named, and alone', async () => {
    for (const over of [null, '*', 'x', '"2.1", "1.1"'])
      expect(await refusal(await restore('builder', 1, over))).to.equal('422 invalid/required');
  });

  it('is another than the newest', async () => {
    expect(await refusal(await restore('builder', 2, await newestTag()))).to.equal(
      '409 action-not-allowed/is-newest',
    );
    for (const number of ['7', '0', 'x'])
      expect(await refusal(await restore('builder', number, await newestTag()))).to.equal(
        '404 not-found',
      );
  });

  it('is not restored when it is removed to make room meanwhile', async () => {
    const over = await newestTag();
    const { repositories } = house.world.server.parts.engines.bundled;
    const original = { ...repositories };
    // The newest is asked for when the file of the older version is found already.
    repositories.newest = async (place) => {
      await repositories.remove(place, 1);
      return original.newest(place);
    };
    try {
      expect(await refusal(await restore('builder', 1, over))).to.equal('404 not-found');
    } finally {
      Object.assign(repositories, original);
    }
    expect((await uploads()).map(({ number }) => number)).to.deep.equal([2]);
  });

  it('is restored by those who may upload', async () => {
    const over = await newestTag();
    for (const who of ['admin', 'super', 'member'] as const)
      expect(await refusal(await restore(who, 1, over))).to.equal('403 forbidden');
    expect(await refusal(await restore('stranger', 1, over))).to.equal('404 not-found');
  });

  it('is not brought back more than ten times in a minute by one person [F13]', async () => {
    for (let time = 0; time < 10; time += 1)
      expect((await restore('builder', 1, await newestTag())).status).to.equal(200);
    expect(await refusal(await restore('builder', 1, await newestTag()))).to.equal(
      '429 too-many-requests',
    );
    expect((await restore('author', 1, await newestTag())).status).to.equal(200);
  });

  it('is told of as an upload that restored it', async () => {
    await restore('builder', 1, await newestTag());
    const { project, product } = house.world.ids;
    const answer = await house.get('builder', `/api/projects/${project}/activity`);
    const { data } = (await answer.json()) as {
      readonly data: readonly { readonly attributes: Readonly<Record<string, unknown>> }[];
    };
    const [last] = data.filter(({ attributes }) => attributes.kind === 'uploaded');
    expect(last?.attributes.details).to.deep.include({ number: 3, restored: 1 });
    const accesses = await house.world.write((w) =>
      w.all('productTransition', { product, initialState: 'Project Upload' }),
    );
    expect(accesses).to.have.length(3);
  });
});
