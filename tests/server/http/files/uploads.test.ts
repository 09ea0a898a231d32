import { expect } from 'chai';
import type { Uploaded } from '#protocol/file-paths.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import type { Name } from '../api/world.ts';
import { zipOfFiles } from '../../../support/zips.ts';
import { openHouse, refusal, setUp } from './house.ts';
import type { House } from './house.ts';

const content = (text: string) => zipOfFiles({ 'index.md': `# ${text}\n` });

describe('[8.2] what was uploaded to a project', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let path: string;
  beforeEach(async () => {
    house = await openHouse();
    const { project } = house.world.ids;
    path = `/api/projects/${project}/repository`;
    await setUp(house.world, project);
    await house.world.write((w) =>
      w.change('author', house.world.ids.authorRow, { canUpload: true }),
    );
  });

  const put = (who: Name, text: string, name?: string) =>
    house.ask(who, 'PUT', path, {
      headers: {
        'Content-Type': 'application/zip',
        ...(name === undefined
          ? {}
          : { 'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` }),
      },
      body: content(text),
    });

  const listed = async (answer: Response) => {
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { readonly uploads: readonly Uploaded[] }).uploads;
  };
  const uploads = async (who: Name) => listed(await house.get(who, `${path}/uploads`));
  const sample = (who: Name) => house.ask(who, 'POST', `${path}/sample`);

  it('is told newest first: by whom, when, how large, and under what name [R117]', async () => {
    const { builder, author } = house.world.people;
    const tag = (await put('builder', 'One', 'Été à la mer.zip')).headers.get('etag');
    await put('author', 'Twice');
    const [second, first, ...none] = await uploads('admin');
    expect(none).to.deep.equal([]);
    expect(second).to.include({ number: 2, by: author.id, filename: null, isSample: false });
    expect(first).to.include({ number: 1, by: builder.id, filename: 'Été à la mer.zip', tag });
    expect(first?.sizeBytes).to.equal(content('One').length);
    expect(Date.parse(first?.at ?? ''))
      .to.be.a('number')
      .and.not.equal(NaN);
  });

  it('is nothing before the first upload', async () => {
    expect(await uploads('builder')).to.deep.equal([]);
  });

  it('is told to those who may have it', async () => {
    expect(await refusal(await house.get('member', `${path}/uploads`))).to.equal('403 forbidden');
    expect(await refusal(await house.get('stranger', `${path}/uploads`))).to.equal('404 not-found');
  });

  it('can be had again, each upload of it', async () => {
    await put('builder', 'One');
    await put('builder', 'Two');
    const answer = await house.get('author', `${path}/uploads/1/link`);
    const link = (await answer.json()) as { readonly url: string };
    expect(link).to.include({ filename: 'Harvest 1.zip', sizeBytes: content('One').length });
    const bytes = await house.get(null, link.url);
    expect(Buffer.from(await bytes.arrayBuffer()).equals(content('One'))).to.equal(true);
    for (const number of ['3', '0', '-1', '1e9', 'x'])
      expect(await refusal(await house.get('author', `${path}/uploads/${number}/link`))).to.match(
        /^404/,
      );
    const { authorRow } = house.world.ids;
    await house.world.write((w) => w.remove('author', authorRow));
    expect(await refusal(await house.get('author', `${path}/uploads/1/link`))).to.match(/^40[34]/);
  });

  it('carries no name that leads elsewhere', async () => {
    await put('builder', 'One', '../../secret\u202Egpj.zip');
    const [first] = await uploads('builder');
    expect(first?.filename).to.equal('_.._secretgpj.zip');
  });

  describe('can begin as a sample', () => {
    it('that builds like anything else that was uploaded', async () => {
      const [first, ...none] = await listed(await sample('builder'));
      expect(none).to.deep.equal([]);
      expect(first).to.include({ number: 1, by: house.world.people.builder.id, isSample: true });
      expect(await uploads('author')).to.deep.equal([first]);
      const zip = await house.get('builder', path);
      expect(zip.headers.get('etag')).to.equal(first?.tag);
    });

    it('for those who may upload', async () => {
      for (const who of ['admin', 'super', 'member'] as const)
        expect(await refusal(await sample(who))).to.equal('403 forbidden');
      expect((await sample('author')).status).to.equal(200);
    });

    it('and never replaces what somebody made', async () => {
      await put('builder', 'One');
      expect(await refusal(await sample('builder'))).to.equal('409 action-not-allowed/has-content');
      expect(await uploads('builder')).to.have.length(1);
    });

    it('once the project is set up', async () => {
      const { project } = house.world.ids;
      await house.world.write((w) => w.change('project', project, { workflowProjectUrl: null }));
      expect(await refusal(await sample('builder'))).to.equal('409 not-ready');
      expect(await refusal(await house.get('builder', `${path}/uploads`))).to.equal(
        '409 not-ready',
      );
    });
  });
});
