import { expect } from 'chai';
import { paths } from '#protocol/paths.ts';
import { taskFormsScript } from '#server/domain/workflow/forms.ts';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

describe('[wire 13] the script of the task forms [R28, R340]', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${server.url}${paths.taskForms}`, { headers });

  it('is given to anyone as an ES module, and asked about at each use', async () => {
    const answer = await ask();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^text\/javascript/);
    expect(answer.headers.get('cache-control')).to.equal('no-cache');
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(await answer.text()).to.equal(taskFormsScript());
  });

  it('is not sent again to who has it', async () => {
    const tag = (await ask()).headers.get('etag') ?? '';
    expect(tag).to.match(/^"[\w-]+"$/);
    const again = await ask({ 'If-None-Match': tag });
    expect(again.status).to.equal(304);
    expect(await again.text()).to.equal('');
    expect((await ask({ 'If-None-Match': '"another"' })).status).to.equal(200);
  });
});
