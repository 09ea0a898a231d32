import { broken } from './broken.ts';
import type { Broken, BrokenRule } from './broken.ts';
import { asLine, wellFormed } from './normal.ts';
import { isPlain, isTooLong } from './length.ts';
import { lengthOf, parsed } from './value.ts';

/** The content of a file of projects (domain 8.4). */
export interface ImportFile {
  readonly projects: readonly ImportProject[];
  /** Made for every project of the file. */
  readonly products: readonly ImportProduct[];
  /** The places of keys that mean nothing here, such as `/Projects/0/Colour`. */
  readonly unknown: readonly string[];
}

interface ImportProject {
  readonly name: string;
  readonly language: string;
  readonly description: string | null;
  /** Null: as for a new project. */
  readonly isPublic: boolean | null;
  readonly allowDownloads: boolean | null;
  readonly automaticBuilds: boolean | null;
}

export interface ImportProduct {
  /** Its place in the file. */
  readonly at: string;
  /** The name of its definition. */
  readonly name: string;
  readonly store: string | null;
}

export const IMPORT_BYTES = 524_288;
const IMPORT_PROJECTS = 500;
const IMPORT_PRODUCTS = 20;

/** Remembers what is wrong and unknown while a file is read. */
interface Reading {
  readonly mistakes: Broken[];
  readonly unknown: string[];
}

type Members = ReadonlyMap<string, { readonly at: string; readonly value: unknown }>;

/**
 * Reads a file of projects: `file` holds what it says as far as it is of the right form, `mistakes`
 * names each thing that is not, with its place in the file as `meta.at`.
 */
export function readImport(text: string): {
  readonly file: ImportFile;
  readonly mistakes: readonly Broken[];
} {
  const reading: Reading = { mistakes: [], unknown: [] };
  const nothing = { projects: [], products: [], unknown: [] };
  if (new TextEncoder().encode(text).length > IMPORT_BYTES) {
    return { file: nothing, mistakes: [mistake('too-long', '', { limit: IMPORT_BYTES })] };
  }
  const content = contentOf(text);
  if (content === undefined) return { file: nothing, mistakes: [mistake('json', '')] };

  const members = membersOf(reading, '', content, ['Projects', 'Products']);
  const projects = listOf(reading, members, 'Projects', IMPORT_PROJECTS, readProject);
  const products = listOf(reading, members, 'Products', IMPORT_PRODUCTS, readProduct);
  if (members !== null && !members.has('projects')) {
    reading.mistakes.push(mistake('required', '/Projects'));
  }
  refuseTwins(reading, projects);
  return { file: { projects, products, unknown: reading.unknown }, mistakes: reading.mistakes };
}

export function mistake(rule: BrokenRule, at: string, meta: Broken['meta'] = {}): Broken {
  return broken('importData', rule, { ...meta, at });
}

/** The JSON text of the file, or that text as a JSON string; with or without byte order mark. */
function contentOf(text: string): unknown {
  const content = parsed(withoutMark(text));
  return typeof content === 'string' ? parsed(withoutMark(content)) : content;
}

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

/** The members of an object by their names in lower case; null when it is none. */
function membersOf(
  reading: Reading,
  at: string,
  value: unknown,
  names: readonly string[],
): Members | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reading.mistakes.push(mistake('shape', at));
    return null;
  }
  const members = new Map<string, { at: string; value: unknown }>();
  for (const [key, member] of Object.entries(value)) {
    const name = names.find((known) => known.toLowerCase() === key.toLowerCase());
    if (name === undefined) reading.unknown.push(`${at}/${shown(key)}`);
    else members.set(name.toLowerCase(), { at: `${at}/${name}`, value: member as unknown });
  }
  return members;
}

const LONGEST_KEY = 250;

/** A key as a report can keep it. */
function shown(key: string): string {
  const start = key.slice(0, LONGEST_KEY);
  return isPlain(start) ? start : '…';
}

function listOf<T>(
  reading: Reading,
  members: Members | null,
  name: string,
  most: number,
  read: (reading: Reading, at: string, value: unknown) => T | null,
): readonly T[] {
  const member = members?.get(name.toLowerCase());
  if (member === undefined || member.value === null) return [];
  if (!Array.isArray(member.value)) {
    reading.mistakes.push(mistake('shape', member.at));
    return [];
  }
  if (member.value.length > most) {
    reading.mistakes.push(mistake('too-long', member.at, { limit: most }));
    return [];
  }
  return member.value.flatMap(
    (value: unknown, n) => read(reading, `${member.at}/${n}`, value) ?? [],
  );
}

const PROJECT_KEYS = [
  'Name',
  'Language',
  'Description',
  'IsPublic',
  'AllowDownloads',
  'AutomaticBuilds',
] as const;

function readProject(reading: Reading, at: string, value: unknown): ImportProject | null {
  const members = membersOf(reading, at, value, PROJECT_KEYS);
  if (members === null) return null;
  const name = required(reading, members, at, 'Name', 250);
  const language = required(reading, members, at, 'Language', 100);
  const rest = {
    description: textOf(reading, members, 'Description', 10_000),
    isPublic: boolOf(reading, members, 'IsPublic'),
    allowDownloads: boolOf(reading, members, 'AllowDownloads'),
    automaticBuilds: boolOf(reading, members, 'AutomaticBuilds'),
  };
  return name === null || language === null ? null : { name, language, ...rest };
}

function readProduct(reading: Reading, at: string, value: unknown): ImportProduct | null {
  const members = membersOf(reading, at, value, ['Name', 'Store']);
  if (members === null) return null;
  const name = required(reading, members, at, 'Name', 250);
  const store = textOf(reading, members, 'Store', 250);
  return name === null ? null : { at, name, store: store === null ? null : asLine(store) || null };
}

function required(
  reading: Reading,
  members: Members,
  at: string,
  name: string,
  limit: number,
): string | null {
  const value = members.get(name.toLowerCase())?.value ?? null;
  const text = isBounded(value, limit) ? asLine(value) : value;
  if (text === null || text === '') {
    reading.mistakes.push(mistake('required', `${at}/${name}`));
    return null;
  }
  return sized(reading, text, `${at}/${name}`, limit);
}

function textOf(reading: Reading, members: Members, name: string, limit: number): string | null {
  const member = members.get(name.toLowerCase());
  if (member === undefined || member.value === null) return null;
  const { value, at } = member;
  return sized(reading, isBounded(value, limit) ? wellFormed(value) : value, at, limit);
}

/** A text far beyond its limit is refused before anything else looks at it (wire 15.2). */
const isBounded = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && !isTooLong({ limit }, value);

function sized(reading: Reading, text: unknown, at: string, limit: number): string | null {
  if (typeof text !== 'string') {
    reading.mistakes.push(mistake('type', at));
    return null;
  }
  const tooLong = mistake('too-long', at, { limit });
  if (!isBounded(text, limit)) reading.mistakes.push(tooLong);
  else if (!isPlain(text)) reading.mistakes.push(mistake('type', at));
  else if (lengthOf(text) > limit) reading.mistakes.push(tooLong);
  return text;
}

function boolOf(reading: Reading, members: Members, name: string): boolean | null {
  const member = members.get(name.toLowerCase());
  if (member === undefined || member.value === null) return null;
  if (typeof member.value === 'boolean') return member.value;
  reading.mistakes.push(mistake('type', member.at));
  return null;
}

/** Names of projects that differ in case alone are the same to an import (domain 8.4). */
export const keyOfName = (name: string): string => name.toLowerCase();

/** A name stands in a file once. */
function refuseTwins(reading: Reading, projects: readonly ImportProject[]): void {
  const seen = new Set<string>();
  projects.forEach(({ name }, n) => {
    const key = keyOfName(name);
    if (seen.has(key)) reading.mistakes.push(mistake('mismatch', `/Projects/${n}/Name`));
    seen.add(key);
  });
}
