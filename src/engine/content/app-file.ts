import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import type { Log } from '../build/log.ts';
import { APP_FILE } from './kind.ts';
import { bestOf, languageTag } from '#base/language-tag.ts';

/** A text that may differ by language. */
export interface LocalizedText {
  /** The text for every language that has none of its own; null: there is none. */
  readonly common: string | null;
  readonly byLanguage: ReadonlyMap<string, string>;
}

/** The name and look of an app: from its `app.json`, and from the project for the rest. */
export interface AppFile {
  readonly names: LocalizedText;
  readonly descriptions: LocalizedText;
  /** Path of a PNG in the content. */
  readonly icon: string | null;
  /** `#rrggbb`, lower case. */
  readonly color: string;
  readonly license: string | null;
  readonly language: string;
}

const DEFAULT_COLOR = '#115293';
const LARGEST_BYTES = 256 * 1024;
/** The most characters of names and descriptions (domain 13), and of a licence line. */
const LONGEST = { name: 250, description: 10_000, license: 500 };
const KEYS = ['name', 'description', 'icon', 'color', 'license', 'language'];

/** The text of `texts` that is best for `language`; null when there is none at all. */
export function textFor(texts: LocalizedText, language: string): string | null {
  const own = bestOf(texts.byLanguage.keys(), language);
  const [first] = texts.byLanguage.values();
  return (own === null ? null : texts.byLanguage.get(own)) ?? texts.common ?? first ?? null;
}

/**
 * Reads `app.json` in `folder`. Whatever is wrong in it is remarked on and passed over: a build
 * with the project's own name is better than none.
 */
export async function readAppFile(
  folder: string,
  environment: Readonly<Record<string, string>>,
  log: Log,
): Promise<AppFile> {
  const fields = await objectIn(folder, log);
  const remark = (key: string, why: string) => {
    log.remark(`${APP_FILE}: "${key}" ${why}.`);
  };
  for (const key of Object.keys(fields).filter((name) => !KEYS.includes(name)))
    remark(key.slice(0, 50), 'is not known and passed over');
  return {
    names: textsOf(fields.name, 'name', nonEmpty(environment.PROJECT_NAME) ?? 'App', remark),
    descriptions: textsOf(
      fields.description,
      'description',
      nonEmpty(environment.PROJECT_DESCRIPTION),
      remark,
    ),
    icon: iconOf(fields.icon, remark),
    color: colorOf(fields.color, remark),
    license: lineOf(fields.license, 'license', remark),
    language: languageOf(fields.language, environment.PROJECT_LANGUAGE, remark),
  };
}

type Remark = (key: string, why: string) => void;

async function objectIn(folder: string, log: Log): Promise<Readonly<Record<string, unknown>>> {
  const path = join(folder, APP_FILE);
  const found = await stat(path).catch(() => null);
  if (found === null) return {};
  if (found.size > LARGEST_BYTES) {
    log.remark(`${APP_FILE} is larger than ${LARGEST_BYTES / 1024} KiB and passed over.`);
    return {};
  }
  try {
    const value = parseJson((await readFile(path, 'utf8')).replace(/^\uFEFF/, ''));
    if (isObject(value)) return value;
    log.remark(`${APP_FILE} is not an object in braces and passed over.`);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : '';
    log.remark(`${APP_FILE} is not valid JSON and passed over (${why}).`);
  }
  return {};
}

function textsOf(
  value: unknown,
  key: 'name' | 'description',
  fallback: string | null,
  remark: Remark,
): LocalizedText {
  const byLanguage = new Map<string, string>();
  if (typeof value === 'string')
    return { common: textOf(value, key, remark) ?? fallback, byLanguage };
  if (value !== undefined && !isObject(value))
    remark(key, 'is neither a text nor texts by language');
  for (const [tag, text] of Object.entries(isObject(value) ? value : {})) {
    const language = languageTag(tag);
    const checked = textOf(text, `${key}.${tag.slice(0, 35)}`, remark, LONGEST[key]);
    if (language === null) remark(`${key}.${tag.slice(0, 35)}`, 'is not named for a language');
    else if (checked !== null) byLanguage.set(language, checked);
  }
  return { common: fallback, byLanguage };
}

function textOf(
  value: unknown,
  key: string,
  remark: Remark,
  longest: number = LONGEST.description,
): string | null {
  if (typeof value !== 'string' || value.trim() === '') {
    remark(key, 'is not a text');
    return null;
  }
  const limit = key === 'name' ? LONGEST.name : longest;
  if (value.trim().length > limit) remark(key, `is longer than ${limit} characters and cut`);
  return value.trim().slice(0, limit);
}

function lineOf(value: unknown, key: 'license', remark: Remark): string | null {
  if (value === undefined) return null;
  return textOf(value, key, remark, LONGEST[key])?.replace(/\s+/g, ' ') ?? null;
}

function iconOf(value: unknown, remark: Remark): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string' && /\.png$/i.test(value)) return value.replace(/^\.?\//, '');
  remark('icon', 'is not the path of a PNG file');
  return null;
}

function colorOf(value: unknown, remark: Remark): string {
  if (value === undefined) return DEFAULT_COLOR;
  if (typeof value === 'string' && /^#[\da-f]{6}$/i.test(value)) return value.toLowerCase();
  remark('color', 'is not of the form #rrggbb');
  return DEFAULT_COLOR;
}

function languageOf(value: unknown, ofProject: string | undefined, remark: Remark): string {
  const own = typeof value === 'string' ? languageTag(value) : null;
  if (value !== undefined && own === null)
    remark('language', 'is not a language tag such as en-US');
  return own ?? languageTag(ofProject ?? '') ?? 'en';
}

function nonEmpty(text: string | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}
