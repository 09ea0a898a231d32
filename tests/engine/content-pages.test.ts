import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readAppFile, textFor } from '#engine/content/app-file.ts';
import { filesBelow } from '#engine/content/files.ts';
import { renderPages } from '#engine/content/site/render.ts';
import { searchIn } from '#engine/content/site/site-search.ts';
import type { Entry } from '#engine/content/site/site-search.ts';
import { logInto } from '#engine/build/log.ts';
import { inFolder, putFiles } from '../support/zips.ts';

interface Made {
  /** The built site's text files by path; of others only the names count. */
  readonly files: ReadonlyMap<string, string>;
  readonly lines: readonly string[];
  readonly languages: readonly string[];
}

/** White space as browsers see it, and none between a tag's parts and those of the next. */
const flat = (page: string): string =>
  page
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?(\/?>) ?/g, '$1');

const project = { PROJECT_NAME: 'Reader', PROJECT_LANGUAGE: 'en-US' };

function made(files: Readonly<Record<string, string | Buffer>>, environment = project) {
  return inFolder(async (folder): Promise<Made> => {
    const content = join(folder, 'content');
    putFiles(content, files);
    const lines: string[] = [];
    const log = logInto((line) => lines.push(line));
    const app = await readAppFile(content, environment, log);
    const paths = (await filesBelow(content)).map(({ path }) => path);
    const site = await renderPages(content, paths, join(folder, 'site'), app, log);
    const texts = site.files.map(
      ({ path, from }) =>
        [path, Buffer.isBuffer(from) ? '' : flat(readFileSync(from, 'utf8'))] as const,
    );
    return { files: new Map(texts), lines, languages: site.languages };
  });
}

/** The text that the page `source` becomes, between its own heading and the end. */
async function article(source: string, others: Record<string, string | Buffer> = {}) {
  const { files, lines } = await made({ 'page.md': source, ...others });
  const [, body = ''] = /<article>([^]*)<\/article>/.exec(files.get('page.html') ?? '') ?? [];
  return { body, lines };
}

describe('pages in Markdown', () => {
  it('keep the marks inside a title and lose those that close it', async () => {
    const { files } = await made({
      'a.md': '# One ##',
      'b.md': '# Two # three ### ',
      'c.md': '# C#',
      'd.md': `# D${' '.repeat(60_000)}e${'['.repeat(2_000)}`,
      'index.md': '# ##',
    });
    const titles = [...(files.get('index.html') ?? '').matchAll(/html"[^>]*>([^<]*)<\/a><\/li>/g)];
    expect(titles.map(([, title]) => title)).to.include.members(['One', 'Two # three', 'C#', 'D']);
  });

  it('give each of thousands of equal headings an id of its own, in order [F14]', async () => {
    const { body } = await article('## Same\n\n'.repeat(20_000) + '## Same-1\n\n## Same-20000');
    const ids = [...body.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids.slice(0, 3)).to.deep.equal(['same', 'same-1', 'same-2']);
    expect(ids.slice(-2)).to.deep.equal(['same-1-1', 'same-20000']);
    expect(new Set(ids).size).to.equal(20_002);
  });

  it('become a site with a page for each, in reading order', async () => {
    const { files } = await made({
      'index.md': '# Welcome',
      '10-last.md': 'x',
      '2-first.md': '# First *of all*',
      'deep/01-in-there.md': 'x',
    });
    const home = files.get('index.html') ?? '';
    const titles = [...home.matchAll(/<li><a [^>]*>([^<]*)<\/a><\/li>/g)].map(([, title]) => title);
    expect(titles).to.deep.equal(['Welcome', 'First of all', 'Last', 'In there']);
    expect(home).to.match(/<a rel="next" href="\.\/2-first\.html">/);
    expect(files.has('deep/01-in-there.html')).to.equal(true);
  });

  it('take title and place from lines at their top', async () => {
    const { files } = await made({
      'a.md': '---\ntitle: "Second: the rest"\norder: 2\n---\nText',
      'b.md': '---\r\ntitle: One\r\norder: 1\r\n---\r\nText',
    });
    expect(files.get('a.html')).to.contain('<h1>Second: the rest</h1>');
    const home = files.get('index.html') ?? '';
    expect(home.indexOf('b.html')).to.be.lessThan(home.indexOf('a.html'));
  });

  it('have one h1, landmarks, a skip link and their language', async () => {
    const { files } = await made({ 'page.md': '# One\n\n# Two' });
    const page = files.get('page.html') ?? '';
    expect(page.match(/<h1/g)).to.have.length(1);
    expect(page).to.contain('<html lang="en-US" dir="ltr">');
    expect(page).to.contain('href="#content"').and.to.contain('<main id="content"');
    expect(page).to.contain('<nav class="contents"').and.to.contain('<title>One · Reader</title>');
  });

  it('of each language read in its own direction and lead to the others', async () => {
    const { files, languages } = await made({
      'ar/index.md': '# السلام',
      'ar/more.md': '# المزيد',
      'en/index.md': '# Peace',
      'en/more.md': '# More',
    });
    expect(languages).to.deep.equal(['ar', 'en']);
    const arabic = files.get('ar/more.html') ?? '';
    expect(arabic).to.contain('<html lang="ar" dir="rtl">');
    expect(arabic).to.contain('<a lang="en" dir="ltr" href="../en/more.html">English</a>');
    expect(files.get('index.html')).to.contain('href="./ar/index.html"');
  });

  it('link to each other by the name of the file, whatever its case', async () => {
    const { body, lines } = await article(
      '[a](<other page.md#part-two>) [b](./Other%20Page.md) [c](sub/) [d](#here)',
      { 'other page.md': 'x', 'sub/index.md': 'x' },
    );
    expect(body).to.contain('<a href="./other%20page.html#part-two">a</a>');
    expect(body).to.contain('<a href="./other%20page.html">b</a>');
    expect(body).to.contain('<a href="./sub/index.html">c</a>').and.to.contain('href="#here"');
    expect(lines.filter((line) => line.startsWith('Note'))).to.deep.equal([]);
  });

  it('say in the log which link or picture is missing, and are built all the same', async () => {
    const { body, lines } = await article('![The lake](lake.png) [gone](gone.md)');
    expect(body).to.contain('<span class="missing">The lake</span>').and.to.contain('<a>gone</a>');
    expect(lines).to.include('Note: page.md shows "lake.png", which is not there.');
    expect(lines).to.include('Note: page.md links to "gone.md", which is not there.');
  });

  it('show pictures and play sounds of the content', async () => {
    const { body } = await article('![A picture](p.png) ![A call](call.mp3)', {
      'p.png': '',
      'call.mp3': '',
    });
    expect(body).to.contain('<img src="./p.png" alt="A picture" loading="lazy">');
    expect(body).to.match(/<audio src="\.\/call\.mp3" controls [^>]*aria-label="A call">/);
  });

  it('ask nobody else for anything', async () => {
    const { body } = await article(
      '![far](https://other.test/x.png)<img src="//other.test/y.png">',
    );
    expect(body).not.to.match(/src="[^"]*other\.test/);
    expect(body).to.contain('<a href="https://other.test/x.png" rel="noopener noreferrer">far</a>');
  });

  it('that are not Markdown at all do not break a build', async () => {
    const broken = '<div>'.repeat(20_000) + '[[[](((*_`<table><tr>'.repeat(50) + '\u0000\ud800';
    const { body } = await article(broken);
    expect(body.length).to.be.greaterThan(0);
  });
});

describe('hostile markup in a page', () => {
  const attacks = {
    'a script': '<script>alert(1)</script>',
    'a handler': '<img src="p.png" onerror="alert(1)"><p onclick=alert(1)>x</p>',
    'an address that runs': '[x](javascript:alert(1)) <a href=" java&#10;script:alert(1)">y</a>',
    'data that runs': '<a href="data:text/html,<script>alert(1)</script>">x</a>',
    'a drawing in the page':
      '<svg><script>alert(1)</script><a xlink:href="javascript:alert(1)">x</svg>',
    'a frame': '<iframe src="https://other.test"></iframe><object data="x"></object><embed src=x>',
    'a form': '<form action="https://other.test"><input name=password></form>',
    'a style': '<style>body{display:none}</style><p style="position:fixed">x</p>',
    'a base and a redirect': '<base href="https://other.test/"><meta http-equiv=refresh content=0>',
    'markup that changes when parsed again':
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    'a name that scripts would find': '<a id="content" name="siteIndex">x</a><img name=top>',
  };
  for (const [what, markup] of Object.entries(attacks))
    it(`comes out harmless: ${what}`, async () => {
      const { body } = await article(`# T\n\n${markup}\n`, { 'p.png': '' });
      expect(body).not.to.match(
        /<(script|style|iframe|object|embed|form|input|svg|math|base|meta)|\s(on\w+|style|name)=/i,
      );
      expect(body).not.to.match(/(href|src)="\s*(java|data|vb)/i);
      expect([...body.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).to.deep.equal(['t']);
    });

  it('in names and titles is shown as text', async () => {
    const title = '<script>alert(1)</script>';
    const { files } = await made(
      { 'index.md': `---\ntitle: ${title}\n---\nx` },
      { ...project, PROJECT_NAME: `"${title}` },
    );
    for (const [path, page] of files)
      if (path.endsWith('.html')) expect(page).not.to.contain(title);
  });

  it('in a drawing keeps that file out of the site', async () => {
    const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`;
    const { files, lines } = await made({
      'index.md': 'x',
      'good.svg': drawing('<title>On the description of a lake</title><path d="M0 0h9"/>'),
      'script.svg': drawing('<script>alert(1)</script>'),
      'handler.svg': drawing('<g onload="alert(1)"/>'),
      'link.svg': drawing('<a href="java\nscript:alert(1)">x</a>'),
      'prefixed.svg': '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script/></s:svg>',
      'page.html': '<script>alert(1)</script>',
      'code.js': 'alert(1)',
    });
    const own = ['index.html', 'site/script.js', 'site/search-en-US.js', 'site/style.css'];
    expect([...files.keys()]).to.deep.equal(['good.svg', ...own]);
    expect(lines.filter((line) => line.includes('left out'))).to.have.length(6);
  });
});

describe('app.json', () => {
  const read = (value: string, environment: Record<string, string> = project) =>
    inFolder(async (folder) => {
      putFiles(folder, { 'app.json': value });
      const lines: string[] = [];
      const app = await readAppFile(
        folder,
        environment,
        logInto((line) => lines.push(line)),
      );
      return { app, lines };
    });

  it('names the app in each language', async () => {
    const { app, lines } = await read(
      '{"name": {"en": "Birds", "es": "Aves"}, "color": "#AA5500"}',
    );
    const names = ['es-MX', 'en', 'fr'].map((language) => textFor(app.names, language));
    expect(names).to.deep.equal(['Aves', 'Birds', 'Reader']);
    expect(app.color).to.equal('#aa5500');
    expect(lines).to.deep.equal([]);
  });

  it('leaves to the project what it does not say', async () => {
    const { app } = await read('{}', { ...project, PROJECT_DESCRIPTION: 'About' });
    expect(textFor(app.names, 'en')).to.equal('Reader');
    expect(textFor(app.descriptions, 'en')).to.equal('About');
    expect(app.language).to.equal('en-US');
  });

  it('that is wrong is told of where it is wrong, and passed over', async () => {
    const wrong = { name: 7, color: 'red', icon: 'icon.bmp', language: '?', colour: '#000000' };
    const { app, lines } = await read(JSON.stringify({ ...wrong, description: { '?!': 'x' } }));
    expect(textFor(app.names, 'en')).to.equal('Reader');
    expect(lines).to.deep.equal([
      'Note: app.json: "colour" is not known and passed over.',
      'Note: app.json: "name" is neither a text nor texts by language.',
      'Note: app.json: "description.?!" is not named for a language.',
      'Note: app.json: "icon" is not the path of a PNG file.',
      'Note: app.json: "color" is not of the form #rrggbb.',
      'Note: app.json: "language" is not a language tag such as en-US.',
    ]);
  });

  it('that is not JSON is told of, and the build goes on', async () => {
    const { app, lines } = await read('{ name: ');
    expect(textFor(app.names, 'en')).to.equal('Reader');
    expect(lines.join()).to.contain('app.json is not valid JSON');
  });
});

describe('the search of a site', () => {
  const entries: readonly Entry[] = [
    { title: 'Path', path: 'path.html', text: 'Herons stand here. '.repeat(5) },
    { title: 'Héron cendré', path: 'birds.html', text: 'Un oiseau des roseaux' },
  ];
  const find = searchIn(entries);

  it('finds words whatever their accents and case, titles first', () => {
    expect(find('HERON').map(({ path }) => path)).to.deep.equal(['birds.html', 'path.html']);
  });

  it('finds pages that have every word', () => {
    expect(find('heron roseaux').map(({ path }) => path)).to.deep.equal(['birds.html']);
    expect(find('heron snow')).to.deep.equal([]);
    expect(find('  ')).to.deep.equal([]);
  });

  it('shows whole words around the place found', () => {
    const text = `${'word '.repeat(40)}Größe ${'after '.repeat(60)}`;
    const [hit] = searchIn([{ title: 'T', path: 'p', text }])('grosse'.replace('ss', 'ß'));
    expect(hit?.excerpt).to.match(/^… (word )+Größe (after ?)+ …$/);
  });

  it('is in the site as a script that its pages load', async () => {
    const { files } = await made({ 'en/a.md': 'Some *text*.', 'es/a.md': 'Texto' });
    const index = files.get('site/search-en.js') ?? '';
    expect(index).to.equal(
      'window.siteIndex=[{"title":"A","path":"en/a.html","text":"Some text."}];',
    );
    expect(files.get('en/a.html')).to.contain('data-index="../site/search-en.js"');
  });
});
