import { isUuid } from '#base/id.ts';
import { parseJson } from '#base/json.ts';
import type { Attribute, Kind } from '#schema/define.ts';
import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import { instantOf } from './instant.ts';
import { isPlain, isTooLong } from './length.ts';

/** Says what is wrong with `value`, already normalised, as the attribute `field`; null: nothing. */
export function brokenValue(name: string, field: Attribute, value: unknown): Broken | null {
  const { limit } = field;
  if (isTooLong(field, value)) return broken(name, 'too-long', { limit });
  if (isMissing(field, value)) return broken(name, 'required');
  if (value === null) return null;
  if (!isOfKind[field.kind](value) || isOtherChoice(field, value)) return broken(name, 'type');
  if (typeof value === 'string') return brokenText(name, field, value);
  return brokenChoice(name, field, value);
}

/** True for null where there must be a value, and for blank where a text must not be. */
function isMissing({ nullable, mustHave }: Attribute, value: unknown): boolean {
  if (value === null || value === undefined) return !nullable || mustHave;
  return mustHave && typeof value === 'string' && value.trim() === '';
}

/** A number where texts are chosen from, or the other way round. */
function isOtherChoice({ choices }: Attribute, value: unknown): boolean {
  return choices !== null && typeof value !== typeof choices[0];
}

const isText = (value: unknown): value is string => typeof value === 'string' && isPlain(value);

/**
 * Says whether a value has the JSON type, and of ids and moments the form, that its kind asks for.
 */
const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  line: isText,
  text: isText,
  email: isText,
  url: isText,
  json: isText,
  bool: (value) => typeof value === 'boolean',
  int: Number.isSafeInteger,
  instant: (value) => isText(value) && instantOf(value) !== null,
  uuid: isUuid,
  choice: (value) => isText(value) || typeof value === 'number',
  list: (value) =>
    Array.isArray(value) && value.every((one) => typeof one !== 'string' || isPlain(one)),
  map: (value) => typeof value === 'object' && !Array.isArray(value),
};

function brokenText(name: string, field: Attribute, text: string): Broken | null {
  const { kind, limit } = field;
  // A text has at most as many characters as units, which cost nothing to count.
  if (limit !== null && text.length > limit && lengthOf(text) > limit)
    return broken(name, 'too-long', { limit });
  if (kind === 'email' && !isEmail(text)) return broken(name, 'email');
  if (kind === 'url' && !isUrl(text)) return broken(name, 'url');
  if (kind === 'json' && parsed(text) === undefined) return broken(name, 'json');
  return brokenChoice(name, field, text);
}

function brokenChoice(name: string, { choices }: Attribute, value: unknown): Broken | null {
  if (choices === null || choices.some((choice) => choice === value)) return null;
  return broken(name, 'choice', { choices });
}

/** Characters, as people count them for a limit: code points. */
export function lengthOf(text: string): number {
  return Array.from(text).length;
}

/** The form is `something@something.something`, and nothing more is required. */
export function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@');
  // A dot has something before and behind it; the others may stand anywhere.
  const dot = domain.indexOf('.', 1);
  return more.length === 0 && name !== '' && dot > 0 && dot < domain.length - 1 && !/\s/.test(text);
}

/** An absolute http or https address. */
function isUrl(text: string): boolean {
  if (!/^https?:\/\/[^\s/]/i.test(text) || /\s/.test(text)) return false;
  return URL.canParse(text);
}

/** The value of the JSON in `text`; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
