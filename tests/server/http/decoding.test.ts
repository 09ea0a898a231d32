import { expect } from 'chai';
import type { Uploaded } from '#protocol/file-paths.ts';
import { START_WITHIN_MS } from './api/world.ts';
import { zipOfFiles } from '../../support/zips.ts';
import { openHouse, setUp } from './files/house.ts';
import type { House } from './files/house.ts';

/** Encoded twice, `%252f` is the text `%2f` and no slash. */
describe('what was encoded twice is decoded once', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  before(async () => {
    house = await openHouse();
  });

  it('in an address: it leads elsewhere than what was encoded once', async () => {
    expect((await house.get('builder', '/api/%70rojects')).status).to.equal(200);
    expect((await house.get('builder', '/api/%2570rojects')).status).to.equal(404);
  });

  it('in the name of a file of the app: it climbs nowhere', async () => {
    for (const path of ['/assets/%252e%252e/index.html', '/assets/..%252findex.html'])
      expect((await house.get(null, path)).status, path).to.equal(404);
  });

  it('in a filter: a percent sign that was sent as a text stays one', async () => {
    const { builder } = house.world.people;
    const names = async (value: string) => {
      const { many } = await builder.get(`/api/projects?filter[name]=${value}`);
      return many.map(({ attributes }) => attributes?.name);
    };
    await house.world.write((w) => w.change('project', house.world.ids.project, { name: '50%25' }));
    await house.world.write((w) => w.change('project', house.world.ids.public, { name: '50%' }));
    expect(await names('50%25')).to.deep.equal(['50%']);
    expect(await names('50%2525')).to.deep.equal(['50%25']);
    expect(await names('50%252525')).to.deep.equal([]);
  });

  it('in the name of an upload', async () => {
    const { project } = house.world.ids;
    const path = `/api/projects/${project}/repository`;
    await setUp(house.world, project);
    await house.ask('builder', 'PUT', path, {
      headers: {
        'Content-Type': 'application/zip',
        'Content-Disposition': "attachment; filename*=UTF-8''a%252fb%252e.zip",
      },
      body: zipOfFiles({ 'index.md': '# Home\n' }),
    });
    const answer = await house.get('builder', `${path}/uploads`);
    const { uploads } = (await answer.json()) as { readonly uploads: readonly Uploaded[] };
    expect(uploads.map(({ filename }) => filename)).to.deep.equal(['a%2fb%2e.zip']);
  });

  it('in a form: what is sent back is what was typed, as text', async () => {
    const { url } = house.world.server;
    const page = await fetch(`${url}/oidc/forgot`);
    const cookie = page.headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    const [, form_token = ''] = /name="form_token"\s+value="([^"]+)"/.exec(await page.text()) ?? [];
    const answer = await fetch(`${url}/oidc/forgot`, {
      method: 'POST',
      headers: { Cookie: cookie.join('; ') },
      body: new URLSearchParams({ email: '%3Cb%3E&lt;i&gt;', form_token }),
    });
    expect(answer.status).to.equal(422);
    expect(await answer.text()).to.include('value="%3Cb%3E&amp;lt;i&amp;gt;"');
  });
});
