import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import MarkdownIt from 'markdown-it';

/** The user's guide: the pages and pictures of `docs/guide`, as a browser gets them. */
export interface Guide {
  /** The index comes first, then the pages that it links to, in that order. */
  readonly pages: readonly GuidePage[];
  readonly pictures: readonly GuidePicture[];
}

export interface GuidePage {
  readonly path: string;
  readonly title: string;
  /** What the page says, with its title. It has no scripts, and no HTML that was written by hand. */
  readonly html: string;
}

interface GuidePicture {
  readonly path: string;
  readonly png: Buffer;
}

/** The address of the index; all others begin with it. */
export const GUIDE = '/help/guide/';

const FOLDER = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
const INDEX = 'README.md';
const PICTURES = 'pictures';
/** A link to a page of the guide, with the heading that it may name. */
const TO_PAGE = /^([\w-]+\.md)?(#.*)?$/;

const markdown = new MarkdownIt();

type Token = ReturnType<typeof markdown.parse>[number];

let guide: Guide | null = null;

/** Reads and renders the guide, once. An installation without its folder has an empty one. */
export function readGuide(): Guide {
  guide ??= existsSync(join(FOLDER, INDEX))
    ? { pages: pages(), pictures: pictures() }
    : { pages: [], pictures: [] };
  return guide;
}

function pages(): readonly GuidePage[] {
  const linked = eachToken(parse(INDEX)).flatMap((token) => {
    const [, file] = TO_PAGE.exec(attribute(token, 'href')) ?? [];
    return file === undefined || !existsSync(join(FOLDER, file)) ? [] : [file];
  });
  return [...new Set([INDEX, ...linked])].map(pageOf);
}

function pictures(): readonly GuidePicture[] {
  return readdirSync(join(FOLDER, PICTURES))
    .filter((name) => name.endsWith('.png'))
    .sort()
    .map((name) => ({
      path: `${GUIDE}${PICTURES}/${name}`,
      png: readFileSync(join(FOLDER, PICTURES, name)),
    }));
}

const parse = (file: string): Token[] =>
  markdown.parse(readFileSync(join(FOLDER, file), 'utf8'), {});

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? '');

function eachToken(tokens: readonly Token[]): readonly Token[] {
  return tokens.flatMap((token) => [token, ...eachToken(token.children ?? [])]);
}

function pageOf(file: string): GuidePage {
  const tokens = parse(file);
  nameHeadings(tokens);
  for (const token of eachToken(tokens)) {
    if (token.type === 'link_open') token.attrSet('href', addressOf(attribute(token, 'href')));
    if (token.type === 'image') setSize(token);
  }
  const title = tokens.find((_, i) => tokens[i - 1]?.type === 'heading_open')?.content ?? '';
  return {
    path: pathOf(file),
    title,
    html: scrollable(markdown.renderer.render(tokens, markdown.options, {})),
  };
}

/** Long lines of code are scrolled, by the keyboard too. Text has no tags: those are escaped. */
const scrollable = (page: string): string => page.replaceAll('<pre>', '<pre tabindex="0">');

const pathOf = (file: string): string =>
  `${GUIDE}${file === INDEX ? '' : file.replace(/\.md$/, '')}`;

/** Links lead from file to file, where the guide is read as it lies here, and from page to page. */
function addressOf(link: string): string {
  const [, file, anchor = ''] = TO_PAGE.exec(link) ?? [];
  return file === undefined ? link : `${pathOf(file)}${anchor}`;
}

/** Gives headings the ids that the host of a repository gives them too. */
function nameHeadings(tokens: readonly Token[]): void {
  for (const [i, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const heading = tokens[i + 1]?.content ?? '';
    const id = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '');
    token.attrSet('id', id.replaceAll(' ', '-'));
  }
}

/**
 * Says how large the picture is, so that the text below it does not move once it is there. One that
 * was not taken yet shows its words.
 */
function setSize(picture: Token): void {
  const name = attribute(picture, 'src');
  picture.attrSet('src', `${GUIDE}${name}`);
  if (!existsSync(join(FOLDER, name))) return;
  const png = readFileSync(join(FOLDER, name));
  // The first chunk of a PNG begins with its width and height.
  picture.attrSet('width', String(png.readUInt32BE(16)));
  picture.attrSet('height', String(png.readUInt32BE(20)));
  picture.attrSet('loading', 'lazy');
}
