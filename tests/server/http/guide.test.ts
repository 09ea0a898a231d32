import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { startServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

/** Covers `src/server/http/help` and the guide itself, `docs/guide`. */

const INDEX = '/help/guide/';
const FOLDER = 'docs/guide';
/** A device keeps all of it, on the data plan of whoever owns the device. */
const MOST_BYTES = 1_500_000;
const MOST_PICTURE_BYTES = 120_000;

const namesOf = (folder: string, end: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith(end));

/** The values of an attribute, such as all links. */
const valuesOf = (html: string, name: 'href' | 'src' | 'id'): readonly string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value = '']) => value);

describe('the user’s guide', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}${path}`, { headers });
  const htmlAt = async (path: string) => (await ask(path)).text();

  /** Follows links from `/help/` as a reader does, below it alone. */
  async function reachable(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const queue = ['/help/'];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (found.has(path)) continue;
      const answer = await ask(path);
      expect(answer.status, path).to.equal(200);
      found.set(path, await answer.text());
      const links = valuesOf(found.get(path) ?? '', 'href').map((link) => link.split('#', 1)[0]);
      queue.push(...links.filter((link = '') => /^\/help\/(?!help\.css)/.test(link)).map(String));
    }
    return found;
  }

  const guidePages = async () =>
    [...(await reachable())].filter(([path]) => path.startsWith(INDEX));

  it('is the first that the help leads to [wire 13.3]', async () => {
    const html = await htmlAt('/help/');
    const [, main = ''] = html.split('<main');
    expect(valuesOf(main, 'href')[0]).to.equal(INDEX);
  });

  it('can be read to its last page by following links from the help [wire 13.3]', async () => {
    const pages = namesOf(FOLDER, '.md').map((name) =>
      name === 'README.md' ? INDEX : `${INDEX}${name.replace('.md', '')}`,
    );
    expect((await guidePages()).map(([path]) => path)).to.have.members(pages);
    expect(pages).to.have.length.above(4);
  });

  it('has neither scripts nor styles in its pages, and needs no sign-in [wire 13.3]', async () => {
    for (const [path, html] of await guidePages())
      expect(html, path).not.to.match(/<script|style=/);
  });

  it('links to nothing that is not there: no page, heading or picture [wire 13.3]', async () => {
    const pages = await reachable();
    const broken: string[] = [];
    for (const [path, html] of await guidePages()) {
      for (const link of valuesOf(html, 'href')) {
        const [to = '', heading] = link.split('#');
        const ids = valuesOf(pages.get(to) ?? '', 'id');
        const isThere = pages.has(to)
          ? heading === undefined || ids.includes(heading)
          : await isAt(to);
        if (!isThere) broken.push(`${path}: ${link}`);
      }
      for (const picture of valuesOf(html, 'src'))
        if (!(await isAt(picture))) broken.push(`${path}: ${picture}`);
    }
    expect(broken).to.deep.equal([]);
  });

  const isAt = async (path: string) => (await ask(path)).status === 200;

  it('shows each of its pictures, with words for who does not see it [wire 13.3]', async () => {
    const pages = (await guidePages()).map(([, html]) => html).join('');
    const pictures = namesOf(`${FOLDER}/pictures`, '.png').map(
      (name) => `${INDEX}pictures/${name}`,
    );
    expect(valuesOf(pages, 'src')).to.have.members(pictures);
    expect(pages).not.to.match(/<img(?![^>]* alt="[^"]{10,}")/);
    const answer = await ask(pictures[0] ?? '');
    expect(answer.headers.get('content-type')).to.equal('image/png');
    expect((await answer.arrayBuffer()).byteLength).to.be.above(1_000);
  });

  for (const [accepted, language, words] of [
    ['en-GB', 'en-US', 'This guide is in English.'],
    ['es-MX,es;q=0.9', 'es-419', 'Esta guía está en inglés.'],
    ['de, fr-CA;q=0.8, en;q=0.5', 'fr-FR', 'Ce guide est en anglais.'],
  ] as const)
    it(`says to who accepts ${accepted} that it is in English, above what it says in English [wire 13.3]`, async () => {
      for (const [path] of await guidePages()) {
        const answer = await ask(path, { 'Accept-Language': accepted });
        const [head = '', main = ''] = (await answer.text()).split('<main');
        expect(answer.headers.get('content-language'), path).to.equal(language);
        expect(answer.headers.get('vary'), path).to.match(/accept-language/i);
        expect(head, path).to.include(`<html lang="${language}">`).and.include(words);
        expect(main, path).to.match(/^ lang="en">/);
      }
    });

  it('is asked about at each use, and sent again only when it has changed [wire 13.3]', async () => {
    for (const path of [INDEX, `${INDEX}members`, `${INDEX}pictures/tasks.png`]) {
      const first = await ask(path);
      expect(first.headers.get('cache-control'), path).to.equal('no-cache');
      const tag = first.headers.get('etag') ?? '';
      expect((await ask(path, { 'If-None-Match': tag })).status, path).to.equal(304);
    }
    const spanish = await ask(INDEX, { 'Accept-Language': 'es' });
    expect(spanish.headers.get('etag')).not.to.equal((await ask(INDEX)).headers.get('etag'));
  });

  it('answers 404 where it has no page and no picture [wire 1.1]', async () => {
    for (const path of ['nothing', 'members.md', 'pictures/nothing.png'])
      expect((await ask(`${INDEX}${path}`)).status, path).to.equal(404);
  });

  it('lists all that a device keeps, with the tags of the answers [wire 13.3]', async () => {
    const headers = { 'Accept-Language': 'fr' };
    const answer = await ask(`${INDEX}files.json`, headers);
    const files = (await answer.json()) as readonly { path: string; etag: string }[];
    const paths = files.map(({ path }) => path);
    const pages = [...(await reachable()).keys()];
    expect(paths).to.include.members([...pages, '/help/help.css']);
    let bytes = 0;
    for (const { path, etag } of files) {
      const file = await ask(path, headers);
      expect(file.headers.get('etag'), path).to.equal(etag);
      bytes += (await file.arrayBuffer()).byteLength;
    }
    expect(bytes).to.be.below(MOST_BYTES);
  });

  it('has no picture that a phone would wait for', () => {
    for (const name of namesOf(`${FOLDER}/pictures`, '.png'))
      expect(readFileSync(`${FOLDER}/pictures/${name}`).length, name).to.be.below(
        MOST_PICTURE_BYTES,
      );
  });

  it('lets long lines of code be scrolled by the keyboard, and has all that it says in a landmark', async () => {
    const page = await htmlAt(`${INDEX}operators`);
    const blocks = page.match(/<pre[^>]*>/g) ?? [];
    expect(blocks.length).to.be.greaterThan(0);
    expect(new Set(blocks)).to.deep.equal(new Set(['<pre tabindex="0">']));
    expect(page).to.match(/<header><p>This guide is in English\.<\/p><\/header>/);
  });
});
