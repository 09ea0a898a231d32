import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Attribute, Kind } from '#schema/define.ts';
import { instantOf } from './instant.ts';
import { isPlain, isTooLong } from './length.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * `fields` as they are stored (wire 1.4, 16.2): composed, trimmed, addresses with a scheme,
 * moments in UTC, short language names in full. Done before a change is kept on the device and
 * again on the server, so that both speak of the same text. What is not of the right form is left
 * as it is, for `validate` to name.
 *
 * @param at now, as it travels: some moments may not lie after it
 */
export function normalise(type: TypeName, fields: Values, at: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const field = resourceOf(type).fields[name];
      if (field === undefined || field.is === 'many') return [name, value];
      if (field.is === 'one') return [name, lowerCase(value)];
      return [name, special(type, name, normal(field, value), at)];
    }),
  );
}

function normal(field: Attribute, value: unknown): unknown {
  if (isTooLong(field, value)) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'string' || !isPlain(value)) return value;
  // An optional address that was emptied is none.
  if (ADDRESSES.has(field.kind) && !field.mustHave && value.trim() === '') return null;
  return normals[field.kind]?.(value) ?? value;
}

const ADDRESSES: ReadonlySet<Kind> = new Set<Kind>(['email', 'url']);

/** Brings a text of each kind into the form in which it is stored; the other kinds are no texts. */
const normals: Readonly<Partial<Record<Kind, (text: string) => string>>> = {
  line: asLine,
  email: asLine,
  url: (text) => asUrl(asLine(text)),
  instant: (text) => instantOf(text) ?? text,
  uuid: (text) => text.toLowerCase(),
  text: wellFormed,
  json: wellFormed,
};

/** Fields that read more than they keep. */
function special(type: TypeName, name: string, value: unknown, at: string): unknown {
  if (name === 'locale') return LOCALES.get(value) ?? value;
  if (name === 'profileVisibility') return value === 0 ? 0 : 1;
  if (name === 'dateArchived' || name === 'dateRead') return notAfter(value, at);
  if (type === 'productActionRun' && name === 'action') return lowerCase(value);
  return value;
}

const LOCALES = new Map<unknown, string>([
  ['en', 'en-US'],
  ['es', 'es-419'],
  ['fr', 'fr-FR'],
]);

const notAfter = (value: unknown, at: string): unknown =>
  typeof value === 'string' && instantOf(value) !== null && value > at ? at : value;

const lowerCase = (value: unknown): unknown =>
  typeof value === 'string' ? value.toLowerCase() : value;

/** Composed text (NFC); what is not plain text is left as it is, for `validate` to name. */
export function wellFormed<T>(value: T): T {
  return typeof value === 'string' && isPlain(value) ? (value.normalize('NFC') as T) : value;
}

/** One line: trimmed, with a space where lines broke. */
export function asLine(text: string): string {
  const lines = wellFormed(text)
    .trim()
    .split(/[\r\n\v\f\u0085\u2028\u2029]+/);
  return lines.map((line) => line.trim()).join(' ');
}

// `host:8080` has a port; `mailto:someone` has a scheme.
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d)/i;

/** `line` with `https://` in front where it names no scheme. */
function asUrl(line: string): string {
  if (line === '' || SCHEME.test(line)) return line;
  return line.startsWith('//') ? `https:${line}` : `https://${line}`;
}
