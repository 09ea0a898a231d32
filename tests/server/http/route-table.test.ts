import { expect } from 'chai';
import { buildApp } from '#server/http/app.ts';
import { ROWS } from '../../end-to-end/route-table.ts';
import { smallApp, startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

/** What programs ask for, and what a page brings along; everything else is for people. */
const NO_PAGE =
  /^\/(api|hubs|files|ui|assets|static)(\/|$)|\.(css|json|png|js)$|^\/?\*$|^\/oidc\/\*$/;
/** Answers a form, or leads on to the page. */
const LEADS_ON = new Set(['/help/guide']);

/** The addresses of `tree`, as the server prints what it has registered for GET. */
function addressesIn(tree: string): readonly string[] {
  const above: string[] = [];
  const found: string[] = [];
  for (const line of tree.split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ]*)[├└]── (\S*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? [];
    if (part === '') continue;
    const depth = indent.length / 4;
    above.splice(depth);
    above[depth] = part;
    if (methods.includes('GET')) found.push(above.join(''));
  }
  return found;
}

describe('the table of routes that the browser tests go over', () => {
  let server: TestServer;
  let pages: readonly string[];
  before(async () => {
    server = await startServer();
    const app = await buildApp(server.parts, { appDir: smallApp(server.dataDir) });
    await app.ready();
    const all = addressesIn(app.printRoutes({ commonPrefix: false }));
    pages = all.filter((address) => !NO_PAGE.test(address) && !LEADS_ON.has(address));
    await app.close();
  });
  after(() => server.stop());

  it('has a row for every page of the server', () => {
    const known = new Set(ROWS.map(({ pattern }) => pattern));
    expect(pages.length).to.be.greaterThan(20);
    expect(pages.filter((address) => !known.has(address))).to.deep.equal([]);
  });

  it('has none for a page that there is not', () => {
    const ofServer = ROWS.filter(({ kind }) => kind === 'server').map(({ pattern }) => pattern);
    expect(ofServer.filter((pattern) => !pages.includes(pattern))).to.deep.equal([]);
  });
});
