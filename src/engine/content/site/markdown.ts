import type { Element, ElementContent, Root } from 'hast';
import { fromHtml } from 'hast-util-from-html';
import { sanitize } from 'hast-util-sanitize';
import { toHtml } from 'hast-util-to-html';
import MarkdownIt from 'markdown-it';
import { escapeHtml } from '#base/html.ts';
import type { Log } from '../../build/log.ts';
import type { BookPage } from './book.ts';
import { splitFrontMatter } from './front-matter.ts';
import type { Resolve } from './links.ts';
import { eachElement, element, text, textOf } from './markup.ts';
import { ALLOWED } from './sanitised.ts';
import { isSound, isVideo } from './media.ts';

/** A page's content, harmless whatever was written. */
export interface Rendered {
  readonly html: string;
  /** True if the text brings its own first heading. */
  readonly hasTitle: boolean;
  /** The text for searching. */
  readonly text: string;
}

const markdown = new MarkdownIt({ html: true, linkify: true });
// "notes.md" is a file of the content, not a site in Moldova.
markdown.linkify.set({ fuzzyLink: false });

/** Renders a page; one that cannot be rendered is shown as the text it is. */
export function renderPage(source: string, page: BookPage, resolve: Resolve, log: Log): Rendered {
  const body = splitFrontMatter(source).text;
  try {
    return rendered(body, page, resolve, log);
  } catch (error) {
    // Elements nested deeper than the stack: nothing that anyone writes to be read.
    if (!(error instanceof RangeError)) throw error;
    log.remark(`${page.source} is nested too deeply and shown as plain text.`);
    return { html: `<pre>${escapeHtml(body)}</pre>`, hasTitle: false, text: body };
  }
}

function rendered(body: string, page: BookPage, resolve: Resolve, log: Log): Rendered {
  const parsed = fromHtml(markdown.render(body), { fragment: true });
  const tree = sanitize(parsed, ALLOWED) as Root;
  const hasTitle = nameHeadings(tree);
  const look = (found: Element) => placed(found, page, resolve, log);
  eachElement(tree, look);
  return { html: toHtml(tree), hasTitle, text: textOf(tree) };
}

/** Gives headings the ids that links use, and leaves one h1; says whether there is one. */
function nameHeadings(tree: Root): boolean {
  const taken = new Map(['content', 'contents'].map((id) => [id, 0]));
  let hasTitle = false;
  eachElement(tree, (found) => {
    if (!/^h[1-6]$/.test(found.tagName)) return [found];
    if (found.tagName === 'h1' && hasTitle) found.tagName = 'h2';
    hasTitle ||= found.tagName === 'h1';
    found.properties.id = freeId(textOf(found), taken);
    return [found];
  });
  return hasTitle;
}

/** @param taken ids with the last number that was put behind each */
function freeId(heading: string, taken: Map<string, number>): string {
  const slug = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  const base = slug === '' ? 'section' : slug;
  let id = base;
  // Equal headings count on from the last of them, so that thousands of them are quick too.
  let last = taken.get(base) ?? 0;
  while (taken.has(id)) {
    last += 1;
    id = `${base}-${last}`;
  }
  taken.set(id, 0);
  taken.set(base, last);
  return id;
}

type Look = (found: Element, page: BookPage, resolve: Resolve, log: Log) => ElementContent[];

/** Finds the place in the site of a link, picture or sound of the page. */
const placed: Look = (found, page, resolve, log) => {
  switch (found.tagName) {
    case 'a':
      return linkOf(found, page, resolve, log);
    case 'img':
      return pictureOf(found, page, resolve, log);
    case 'audio':
    case 'video':
      return playerOf(found, page, resolve, log);
    case 'source':
    case 'track':
      return pointsAtFile(found, page, resolve, log) ? [found] : [];
    default:
      return [found];
  }
};

const linkOf: Look = (link, page, resolve, log) => {
  const { href } = link.properties;
  if (typeof href !== 'string') return [link];
  const target = resolve(href, page);
  if (target.is === 'missing') {
    log.remark(`${page.source} links to ${shown(href)}, which is not there.`);
    delete link.properties.href;
    return [link];
  }
  link.properties.href = target.href;
  if (target.is === 'outside') link.properties.rel = ['noopener', 'noreferrer'];
  return [link];
};

const pictureOf: Look = (picture, page, resolve, log) => {
  const { src, alt } = picture.properties;
  const name = typeof alt === 'string' && alt !== '' ? alt : shown(src);
  const target = resolve(typeof src === 'string' ? src : '', page);
  if (target.is === 'outside') {
    // A site of one's own asks nobody else for anything while it is read.
    log.remark(`${page.source} shows a picture from ${shown(src)}; it is a link now.`);
    return [element('a', { href: target.href, rel: ['noopener', 'noreferrer'] }, [text(name)])];
  }
  if (target.is !== 'file') {
    log.remark(`${page.source} shows ${shown(src)}, which is not there.`);
    return [element('span', { className: ['missing'] }, [text(name)])];
  }
  if (isSound(target.path) || isVideo(target.path)) {
    const player = isSound(target.path) ? 'audio' : 'video';
    const properties = { src: target.href, controls: true, preload: 'metadata', ariaLabel: name };
    return [element(player, properties)];
  }
  Object.assign(picture.properties, { src: target.href, alt: alt ?? '', loading: 'lazy' });
  return [picture];
};

const playerOf: Look = (player, page, resolve, log) => {
  Object.assign(player.properties, { controls: true, preload: 'metadata' });
  if (player.properties.src !== undefined && !pointsAtFile(player, page, resolve, log)) return [];
  return [player];
};

/** Says whether the element's `src` is a file of the site, which it then names. */
function pointsAtFile(found: Element, page: BookPage, resolve: Resolve, log: Log): boolean {
  const { src } = found.properties;
  const target = resolve(typeof src === 'string' ? src : '', page);
  if (target.is !== 'file') {
    log.remark(`${page.source} plays ${shown(src)}, which is not in the content.`);
    return false;
  }
  found.properties.src = target.href;
  return true;
}

const shown = (address: unknown): string => JSON.stringify(String(address).slice(0, 200));
