import { posix } from 'node:path';
import type { Book } from './book.ts';
import { encodePath, wayUp } from '../files.ts';

/** The target of an address in a page. */
type Target =
  | { readonly is: 'page' | 'file'; readonly href: string; readonly path: string }
  /** A place in the same page. */
  | { readonly is: 'here'; readonly href: string }
  | { readonly is: 'outside'; readonly href: string }
  | { readonly is: 'missing' };

/** Finds the target of `address` as written in the page at `source`, which becomes `path`. */
export type Resolve = (address: string, from: { source: string; path: string }) => Target;

/** @param media files that are in the site under the path they have in the content */
export function linksOf(books: readonly Book[], media: readonly string[]): Resolve {
  const files = new Map(media.map((path) => [keyOf(path), path]));
  const pages = new Map(
    books.flatMap(({ pages: all }) =>
      all.map(({ source, path }) => [keyOf(source), path] as const),
    ),
  );
  return (address, from) => {
    const outside = outsideOf(address);
    if (outside !== null) return outside;
    const { path, hash } = split(address);
    if (path === '') return { is: 'here', href: hash };
    const wanted = pathFrom(posix.dirname(from.source), path);
    if (wanted === null) return { is: 'missing' };

    const href = (found: string) => `${wayUp(from.path)}${encodePath(found)}${hash}`;
    const page = waysToWrite(wanted)
      .map((way) => pages.get(keyOf(way)))
      .find(Boolean);
    if (page !== undefined) return { is: 'page', href: href(page), path: page };
    const file = files.get(keyOf(wanted));
    return file === undefined ? { is: 'missing' } : { is: 'file', href: href(file), path: file };
  };
}

/** Those who write on a system that ignores case don't see that a link's differs. */
const keyOf = (path: string): string => path.normalize('NFC').toLowerCase();

function outsideOf(address: string): Target | null {
  if (/^(https?:|mailto:|tel:)/i.test(address)) return { is: 'outside', href: address };
  // Browsers read a backslash as a slash: `/\host` is another site.
  if (/^[a-z][a-z\d+.-]*:|^[\\/]{2}|\\/i.test(address)) return { is: 'missing' };
  return null;
}

function split(address: string): { path: string; hash: string } {
  const [rest = '', ...fragment] = address.split('#');
  const hash = fragment.length === 0 ? '' : `#${fragment.join('#')}`;
  return { path: rest.split('?')[0] ?? '', hash };
}

/** The path in the content, or null when it leaves it. */
function pathFrom(folder: string, written: string): string | null {
  const decoded = decoding(written);
  const path = decoded.startsWith('/')
    ? posix.normalize(decoded.replace(/^\/+/, ''))
    : posix.normalize(posix.join(folder, decoded));
  return path.startsWith('..') ? null : path.replace(/\/$/, '');
}

function decoding(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Links may name the page, what it becomes, its name alone, or its folder. */
function waysToWrite(path: string): string[] {
  const base = path.replace(/\.html?$/i, '');
  const stems = [base, ...['index', 'readme'].map((name) => posix.join(path, name))];
  return [path, ...stems.flatMap((stem) => [`${stem}.md`, `${stem}.markdown`])];
}
