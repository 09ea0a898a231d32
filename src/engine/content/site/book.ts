import { open } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Log } from '../../build/log.ts';
import { frontMatter, splitFrontMatter } from './front-matter.ts';
import { isMarkdown, languageFolders } from '../kind.ts';

/** A page in Markdown, and the one in HTML that it becomes. */
export interface BookPage {
  /** Its path in the content. */
  readonly source: string;
  /** Its path in the site. */
  readonly path: string;
  readonly title: string;
  /** The folders it is in below its language's, outermost first. */
  readonly section: readonly string[];
}

/** All pages of one language, in reading order. */
export interface Book {
  readonly language: string;
  /** The folder of its pages: `en/`; empty when the site has no other language. */
  readonly folder: string;
  readonly pages: readonly BookPage[];
}

const LONGEST_TITLE = 250;
/** With its marks and the addresses of its links, a heading is not read further than this. */
const LONGEST_HEADING = 4 * LONGEST_TITLE;
/** A title further down than this is not looked for. */
const HEAD_BYTES = 64 * 1024;

/** The books that the Markdown files among `paths` make, ordered by language. */
export async function booksIn(
  folder: string,
  paths: readonly string[],
  language: string,
  log: Log,
): Promise<readonly Book[]> {
  const folders = languageFolders(paths);
  const all = paths.filter(isMarkdown);
  if (folders.size === 0) return [await bookOf(folder, '', language, all, log)];

  const books: Book[] = [];
  for (const [name, own] of [...folders].sort(([a], [b]) => Number(a > b) - Number(a < b))) {
    const below = all.filter((path) => path.startsWith(`${name}/`));
    books.push(await bookOf(folder, `${name}/`, own, below, log));
  }
  return books;
}

async function bookOf(
  root: string,
  folder: string,
  language: string,
  paths: readonly string[],
  log: Log,
): Promise<Book> {
  const found: (BookPage & { readonly order: number })[] = [];
  const taken = new Set<string>();
  for (const source of paths) {
    const path = pathOf(source, paths);
    if (taken.has(path.toLowerCase())) {
      log.remark(`${source} is left out: another page becomes ${path} too.`);
      continue;
    }
    taken.add(path.toLowerCase());
    const head = await headOf(join(root, source));
    const { title, order } = titleAndOrder(head, source);
    const below = posix.dirname(source.slice(folder.length));
    found.push({ source, path, title, order, section: below === '.' ? [] : below.split('/') });
  }
  return { language, folder, pages: found.sort(inReadingOrder) };
}

const isIndex = (path: string): boolean => /(^|\/)index\.(md|markdown)$/i.test(path);
const isReadMe = (path: string): boolean => /(^|\/)readme\.(md|markdown)$/i.test(path);

/** A folder's `index.md` is its first page; its `README.md` when there is none. */
function pathOf(source: string, all: readonly string[]): string {
  const folder = posix.dirname(source);
  const hasIndex = all.some((path) => isIndex(path) && posix.dirname(path) === folder);
  if (isIndex(source) || (isReadMe(source) && !hasIndex))
    return folder === '.' ? 'index.html' : `${folder}/index.html`;
  return source.replace(/\.(md|markdown)$/i, '.html');
}

async function headOf(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

function titleAndOrder(head: string, source: string): { title: string; order: number } {
  const { matter, text } = splitFrontMatter(head);
  const { title, order } = frontMatter(matter);
  return { title: title ?? headingIn(text) ?? titleFromName(source), order: order ?? Infinity };
}

/** The first `# heading`, without its marks. */
function headingIn(text: string): string | null {
  let isCode = false;
  for (const line of text.split(/\r?\n/)) {
    if (/^ {0,3}(```|~~~)/.test(line)) isCode = !isCode;
    const [, heading] = isCode ? [] : (/^ {0,3}#[ \t]+(\S.*)$/.exec(line) ?? []);
    if (heading !== undefined) return plain(heading) || null;
  }
  return null;
}

/** `# Heading ##` closes with marks, if a space stands before them. */
function withoutClosingMarks(heading: string): string {
  const whole = heading.trimEnd();
  let end = whole.length;
  while (whole[end - 1] === '#') end -= 1;
  return end < whole.length && /[ \t]/.test(whole[end - 1] ?? '') ? whole.slice(0, end) : whole;
}

function plain(markdown: string): string {
  return withoutClosingMarks(markdown.slice(0, LONGEST_HEADING))
    .replace(/!?\[([^[\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<[^<>]*>|[*_`~]/g, '')
    .trim()
    .slice(0, LONGEST_TITLE);
}

/** "01-the-lake.md" is called "The lake"; an index is called after its folder. */
export function titleFromName(path: string): string {
  const name =
    isIndex(path) || isReadMe(path) ? posix.basename(posix.dirname(path)) : posix.basename(path);
  const words = name
    .replace(/\.[^.]*$/, '')
    .replace(/^\d+[-_. ]+/, '')
    .replace(/[-_]+/g, ' ')
    .trim();
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Names with numbers sort as people count, in whatever language. */
const byName = new Intl.Collator('en', { numeric: true });

type Ordered = BookPage & { readonly order: number };

/** Folder by folder: its index, then pages by `order` and name, then the folders in it. */
function inReadingOrder(a: Ordered, b: Ordered): number {
  const shared = Math.min(a.section.length, b.section.length);
  for (let i = 0; i < shared; i += 1) {
    const difference = compareNames(a.section[i] ?? '', b.section[i] ?? '');
    if (difference !== 0) return difference;
  }
  if (a.section.length !== b.section.length) return a.section.length - b.section.length;
  const index = Number(isFirst(b)) - Number(isFirst(a));
  if (index !== 0) return index;
  if (a.order !== b.order) return a.order < b.order ? -1 : 1;
  return compareNames(a.source, b.source);
}

const isFirst = (page: BookPage): boolean => posix.basename(page.path) === 'index.html';

function compareNames(a: string, b: string): number {
  return byName.compare(a, b) || Number(a > b) - Number(a < b);
}
