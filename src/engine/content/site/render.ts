import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../build/log.ts';
import type { AppFile } from '../app-file.ts';
import { booksIn } from './book.ts';
import type { Book, BookPage } from './book.ts';
import { linkColors, onColor } from '#base/colour.ts';
import { byPath } from '../files.ts';
import type { SiteFile } from '../files.ts';
import { linksOf } from './links.ts';
import { textFor } from '../app-file.ts';
import { renderPage } from './markdown.ts';
import { mediaAmong } from './media.ts';
import { choiceHtml, homeOf, OWN, pageHtml } from './page-html.ts';
import type { AppSite } from './page-html.ts';
import { bundled } from './script.ts';
import type { Entry } from './site-search.ts';

/** A site that is ready to be packed. */
export interface BuiltSite {
  readonly files: readonly SiteFile[];
  readonly languages: readonly string[];
  readonly pages: number;
  /** True if its pages may load anything that is not among the files. */
  readonly mayLoadMore: boolean;
}

/** This much of each page can be searched. */
const SEARCHED_LETTERS = 50_000;

/** Makes the Markdown pages among `paths` (below `content`) into a site, whose pages go to `folder`. */
export async function renderPages(
  content: string,
  paths: readonly string[],
  folder: string,
  app: AppFile,
  log: Log,
): Promise<BuiltSite> {
  const books = await booksIn(content, paths, app.language, log);
  const media = await mediaAmong(content, paths, log);
  const site: AppSite = { app, books };
  const resolve = linksOf(
    books,
    media.map(({ path }) => path),
  );
  const write = writerInto(folder);
  const files: SiteFile[] = [...media];
  const add = async (path: string, bytes: string | Buffer) => {
    files.push({ path, from: await write(path, bytes) });
  };

  for (const book of books) {
    log.phase(`Rendering ${book.pages.length} pages in ${book.language}`);
    const index: Entry[] = [];
    for (const page of book.pages) {
      const source = await readFile(join(content, page.source), 'utf8');
      const body = renderPage(source, page, resolve, log);
      await add(page.path, pageHtml(site, book, page, body));
      index.push({
        title: page.title,
        path: page.path,
        text: body.text.slice(0, SEARCHED_LETTERS),
      });
    }
    if (!book.pages.some(({ path }) => path === homeOf(book)))
      await add(homeOf(book), pageHtml(site, book, contentsPage(site, book), null));
    await add(OWN.index(book.language), `window.siteIndex=${JSON.stringify(index)};\n`);
  }
  if (!files.some(({ path }) => path === 'index.html')) await add('index.html', choiceHtml(site));
  await add(OWN.style, await styleOf(app.color));
  await add(OWN.script, bundled(new URL('./site-script.ts', import.meta.url)));
  return {
    files: files.sort(byPath),
    languages: books.map(({ language }) => language),
    pages: books.reduce((sum, { pages }) => sum + pages.length, 0),
    mayLoadMore: false,
  };
}

function contentsPage({ app }: AppSite, book: Book): BookPage {
  const title = textFor(app.names, book.language) ?? '';
  return { source: `${book.folder}index.md`, path: homeOf(book), title, section: [] };
}

function writerInto(folder: string): (path: string, bytes: string | Buffer) => Promise<string> {
  return async (path, bytes) => {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
    return target;
  };
}

async function styleOf(color: string): Promise<string> {
  const { day, night } = linkColors(color);
  const own = `--accent:${color};--on-accent:${onColor(color)};--link-day:${day};--link-night:${night}`;
  return `html{${own}}\n${await readFile(new URL('./site.css', import.meta.url), 'utf8')}`;
}
