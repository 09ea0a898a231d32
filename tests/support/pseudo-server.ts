import { fromHtml } from 'hast-util-from-html';
import type { Element, Nodes } from 'hast';
import french from '#text/fr-FR.json' with { type: 'json' };
import type { MailLanguage } from '#text/say.ts';
import { pseudo } from './pseudo.ts';
import { PlainBrowser } from './sign-in.ts';
import type { Answer } from './sign-in.ts';

/**
 * The pseudo texts stand in place of these, not of English ones: what the server says in English to a
 * reader of another language then stands out, and so does what it formats as English does.
 */
export const READER: MailLanguage = 'fr-FR';

/**
 * Has the server of this process say every text of `READER` in its pseudo form: values stand outside
 * of the brackets, so that they are seen too, and each bracket ends with the key of its text.
 *
 * @returns what puts the texts back
 */
export function sayInPseudo(): () => void {
  const texts: Record<string, string> = french;
  const before = { ...texts };
  for (const [key, text] of Object.entries(before))
    texts[key] = pseudo(text)
      .replaceAll('⟧', ` ‹${key}›⟧`)
      .replaceAll(/\{\{.*?\}\}/g, ` ‹${key}›⟧$&⟦`);
  return () => {
    Object.assign(texts, before);
  };
}

const UNITS = '(octets?|ko|Mo|Go)';
const SPACE = '[ \\u00a0\\u202f]';
const MONTHS = ['long', 'short'].flatMap((month) =>
  Array.from({ length: 12 }, (_, n) =>
    new Intl.DateTimeFormat(READER, { month: month as 'long' | 'short', timeZone: 'UTC' }).format(
      Date.UTC(2026, n, 15),
    ),
  ),
);
/** What has no text: numbers, sizes and dates as `READER` has them, addresses, paths and codes. */
const NO_TEXT = [
  new RegExp(`^\\d{1,3}(${SPACE}\\d{3})*$`),
  new RegExp(`^\\d+(,\\d)?${SPACE}${UNITS}$`),
  new RegExp(
    `^\\d{1,2}(er)? (${MONTHS.join('|').replaceAll('.', '\\.')}) \\d{4}((, | à )\\d\\d:\\d\\d UTC)?$`,
  ),
  /^https?:\/\/\S+$|^[\w.+-]+@[\w.-]+$|^\d+(\.\d+){1,3}$/,
  /^[\w.-]+(\/[\w.-]+)+\.\w+$|^[\da-f]{12,64}$/,
  /^([A-Z2-7]{4}[ -]){3,}[A-Z2-7]{4}$/,
];
/** Signs between values, and those that isolate a value whose script runs the other way. */
const AROUND = /^[\s.,:;·|/()<>"“”«»–—…\u2068\u2069-]+|[\s.,:;·|/()<>"“”«»–—…\u2068\u2069-]+$/g;

/** The attributes that people read or hear, those of our scripts as well. */
const SAID = ['title', 'ariaLabel', 'ariaDescription', 'alt', 'placeholder', 'label'];
const BY_SCRIPTS = ['dataFailed', 'dataExists', 'dataNone', 'dataSome'];

const FOR_PROGRAMS: ReadonlySet<string> = new Set(['script', 'style', 'pre']);

/** What stands on a page or in a mail that is neither a text nor data, and where. */
export class PseudoReader {
  readonly found: string[] = [];
  /** The keys of all texts that were seen. */
  readonly keys = new Set<string>();
  private readonly data = new Set<string>();

  /** Knows `data`: what people typed, and the names of things. */
  constructor(data: readonly string[]) {
    for (const each of data) this.know(each);
  }

  know(data: string): void {
    this.data.add(data.replaceAll(AROUND, ''));
  }

  /**
   * Looks through a page or the HTML of a mail.
   *
   * @param hasEnglish parts of it are in English for everybody, which their `lang` says
   */
  html(where: string, html: string, hasEnglish = false): void {
    this.note(html);
    this.node(where, fromHtml(html), '', hasEnglish);
  }

  /** Looks through plain text, such as a mail's subject. */
  text(where: string, text: string): void {
    this.note(text);
    for (const line of text.split('\n')) this.said(where, line);
  }

  private note(text: string): void {
    for (const [, key = ''] of text.matchAll(/‹([\w.-]+)›/g)) this.keys.add(key);
  }

  private node(where: string, node: Nodes, lang: string, hasEnglish: boolean): void {
    if (node.type === 'text') this.spoken(where, node.value, lang);
    if (node.type === 'element') this.element(where, node, lang, hasEnglish);
    if (node.type === 'root')
      for (const child of node.children) this.node(where, child, lang, hasEnglish);
  }

  private element(where: string, element: Element, lang: string, hasEnglish: boolean): void {
    const { tagName, properties, children } = element;
    if (FOR_PROGRAMS.has(tagName)) return;
    const own = typeof properties.lang === 'string' ? properties.lang : lang;
    this.attributes(`${where} <${tagName}>`, element, own);
    if (hasEnglish && own === 'en') return;
    for (const child of children)
      this.node(child.type === 'text' ? `${where} <${tagName}>` : where, child, own, hasEnglish);
  }

  private attributes(where: string, { tagName, properties }: Element, lang: string): void {
    for (const name of [...SAID, ...BY_SCRIPTS]) {
      const value = properties[name];
      if (typeof value === 'string') this.spoken(`${where} ${name}`, value, lang);
    }
    const { name, content } = properties;
    if (tagName === 'meta' && name === 'description' && typeof content === 'string')
      this.spoken(`${where} ${name}`, content.replace(/…$/, '⟧'), lang);
  }

  /** A text of ours stands below its own language, or screen readers say it in another one. */
  private spoken(where: string, text: string, lang: string): void {
    const isOurs = /‹(?!common\.brand›)[\w.-]+›/.test(text);
    const isRight = lang.startsWith(READER.slice(0, 2));
    if (isOurs && !isRight) this.found.push(`in lang="${lang}": ${text.trim()} | ${where}`);
    this.said(where, text);
  }

  private said(where: string, text: string): void {
    for (const part of text.split(/⟦[^⟦⟧]*⟧/)) {
      const rest = part.replaceAll(/\s+/g, ' ').replaceAll(AROUND, '');
      if (!this.isData(rest)) this.found.push(`hard-coded: ${rest} | ${where}`);
    }
  }

  private isData(text: string): boolean {
    const isKnown = (part: string) =>
      part === '' || this.data.has(part) || NO_TEXT.some((pattern) => pattern.test(part));
    return (
      isKnown(text) ||
      text.split(/, | · | – |: | \(| <|>, /).every((part) => isKnown(part.replaceAll(AROUND, '')))
    );
  }
}

/** A browser of somebody who reads `READER`; every page that it gets is looked through. */
export class ReadingBrowser extends PlainBrowser {
  private readonly reader: PseudoReader;
  private readonly visited: Set<string>;

  /** @param visited gets the path of every page that came */
  constructor(
    server: string,
    reader: PseudoReader,
    visited: Set<string>,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(server, READER, headers);
    this.reader = reader;
    this.visited = visited;
  }

  /** Goes on as whoever is signed in in `other`. */
  as(other: PlainBrowser): this {
    for (const [name, value] of other.cookies) this.cookies.set(name, value);
    return this;
  }

  override async ask(address: string, form?: Readonly<Record<string, string>>): Promise<Answer> {
    const answer = await super.ask(address, form);
    if (!(answer.headers.get('content-type') ?? '').startsWith('text/html')) return answer;
    if (answer.location !== null) return answer;
    const { pathname } = new URL(address, 'http://here');
    this.visited.add(pathname);
    const where = `${form === undefined ? 'GET' : 'POST'} ${pathname}`;
    this.reader.html(where.replaceAll(/[\w-]{20,}/g, 'ID'), answer.html);
    return answer;
  }
}
