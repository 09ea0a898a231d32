import { isUuid } from '#base/id.ts';
import type { Base } from '#protocol/document.ts';
import { camelize, fieldOfWire, typeOfWire, wireTypeOf } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import type { Problem } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { Field, ToMany, ToOne } from '#schema/define.ts';
import { isTooLong } from '#rules/valid/length.ts';
import { isObject } from '#base/is-object.ts';

/** The statements of a document about one record, before they are judged. */
export interface Stated {
  /** Values by field, as sent; to-ones as ids in lower case. Fields of the server are left out. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The pointer to where each field is stated. */
  readonly pointers: Readonly<Record<string, string>>;
  /** To-many linkage by field: it may only say what is (wire 7.1). */
  readonly manys: Readonly<Record<string, readonly string[]>>;
  /** Single values whose form is wrong: all of these problems are `invalid`. */
  readonly problems: readonly Problem[];
}

export interface StatedRecord {
  readonly type: TypeName;
  /** In lower case; null when the document names none. */
  readonly id: string | null;
  readonly stated: Stated;
}

interface Draft {
  readonly type: TypeName;
  readonly fields: Record<string, unknown>;
  readonly pointers: Record<string, string>;
  readonly manys: Record<string, readonly string[]>;
  readonly problems: Problem[];
}

/** Returns statements that the server itself makes, in someone's name. */
export function statedBy(fields: Readonly<Record<string, unknown>>): Stated {
  const pointers = Object.keys(fields).map((name) => [name, `/${name}`] as const);
  return { fields, pointers: Object.fromEntries(pointers), manys: {}, problems: [] };
}

/** 400: the body does not have the form that the address asks for. */
export function malformed(pointer: string, detail: string): ProblemError {
  return new ProblemError({ code: 'invalid-document', detail, source: { pointer } });
}

/** Returns the members of `value`. @throws ProblemError 400 when it is no object */
export function objectAt(value: unknown, pointer: string): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw malformed(pointer, `${pointer || 'The document'} must be an object.`);
  return value;
}

/** A resource object of the type that the address names (wire 3, 7.2). */
export function parseRecord(data: unknown, pointer: string, expected: TypeName): StatedRecord {
  const members = objectAt(data, pointer);
  if (typeof members.type !== 'string')
    throw malformed(`${pointer}/type`, 'type must be a string.');
  if (typeOfWire(members.type) !== expected) {
    throw wrongTarget(`${pointer}/type`, `type must be ${wireTypeOf(expected)}.`);
  }
  const draft = draftOf(expected);
  const id = idOf(members.id, `${pointer}/id`, draft.problems);
  readAttributes(draft, members.attributes, `${pointer}/attributes`);
  readRelationships(draft, members.relationships, `${pointer}/relationships`);
  return { type: expected, id, stated: draft };
}

export function wrongTarget(pointer: string, detail: string): ProblemError {
  return new ProblemError({ code: 'wrong-target', detail, source: { pointer } });
}

/**
 * Returns what a person saw before they changed it (wire 7.4); fields that do not exist are left
 * out.
 */
export function parseBase(base: unknown, pointer: string, type: TypeName): Stated | null {
  if (base === undefined || base === null) return null;
  const { attributes, relationships } = objectAt(base, pointer) as Base;
  const draft = draftOf(type);
  readAttributes(draft, attributes, `${pointer}/attributes`);
  readRelationships(draft, relationships, `${pointer}/relationships`);
  return { ...draft, problems: [] };
}

/** The linkage of a relationship address: an id or null of a to-one, ids of a to-many. */
export function parseToOne(data: unknown, pointer: string, field: ToOne): string | null {
  if (data === null) return null;
  const problems: Problem[] = [];
  const id = linkedId(data, pointer, field.to, problems);
  refuse(problems);
  return id;
}

export function parseToMany(data: unknown, pointer: string, field: ToMany): readonly string[] {
  const problems: Problem[] = [];
  const ids = linkedIds(data, pointer, field.of, problems);
  refuse(problems);
  return ids;
}

/** Throws all the problems that were found at once; does nothing without one. */
export function refuse(problems: readonly Problem[]): void {
  const [first, ...rest] = problems;
  if (first !== undefined) throw new ProblemError([first, ...rest]);
}

const draftOf = (type: TypeName): Draft => ({
  type,
  fields: {},
  pointers: {},
  manys: {},
  problems: [],
});

function idOf(id: unknown, pointer: string, problems: Problem[]): string | null {
  if (id === undefined) return null;
  if (isUuid(id)) return id.toLowerCase();
  problems.push(invalid(pointer, 'type'));
  return null;
}

function readAttributes(draft: Draft, attributes: unknown, pointer: string): void {
  if (attributes === undefined) return;
  const members = Object.entries(objectAt(attributes, pointer));
  refuse(members.flatMap(([name, value]) => tooLong(draft.type, name, value, pointer)));
  for (const [name, value] of members) {
    readAttribute(draft, name, value, `${pointer}/${escaped(name)}`);
  }
}

/** Text far beyond its field's limit is refused here, before anything else looks at it (wire 15.2). */
function tooLong(type: TypeName, name: string, value: unknown, pointer: string): Problem[] {
  const field = fieldCalled(type, name)?.field;
  if (field?.is !== 'attribute' || !isTooLong(field, value)) return [];
  return [invalid(`${pointer}/${escaped(name)}`, 'too-long', { limit: field.limit })];
}

function readAttribute(draft: Draft, name: string, value: unknown, pointer: string): void {
  if (isStamp(name)) return;
  const found = fieldCalled(draft.type, name);
  if (found?.field.is === 'attribute') {
    if (found.field.write === 'server') return;
    state(draft, found.name, value, pointer);
    return;
  }
  const toOne = name.endsWith('-id') ? fieldCalled(draft.type, name.slice(0, -3)) : null;
  if (toOne?.field.is !== 'one') {
    draft.problems.push(invalid(pointer, 'unknown'));
    return;
  }
  if (toOne.field.write === 'server') return;
  if (value !== null && !isUuid(value)) draft.problems.push(invalid(pointer, 'type'));
  else state(draft, toOne.name, value === null ? null : value.toLowerCase(), pointer);
}

function readRelationships(draft: Draft, relationships: unknown, pointer: string): void {
  if (relationships === undefined) return;
  for (const [name, value] of Object.entries(objectAt(relationships, pointer))) {
    readRelationship(draft, name, value, `${pointer}/${escaped(name)}`);
  }
}

function readRelationship(draft: Draft, name: string, value: unknown, pointer: string): void {
  const found = fieldCalled(draft.type, name);
  if (found === null || found.field.is === 'attribute') {
    draft.problems.push(invalid(pointer, 'unknown'));
    return;
  }
  const { data } = objectAt(value, pointer);
  if (data === undefined) throw malformed(pointer, 'A relationship must have data.');
  if (found.field.is === 'many') {
    draft.manys[found.name] = linkedIds(data, `${pointer}/data`, found.field.of, draft.problems);
    draft.pointers[found.name] = pointer;
    return;
  }
  if (found.field.write === 'server') return;
  const id =
    data === null ? null : linkedId(data, `${pointer}/data`, found.field.to, draft.problems);
  if (data === null || id !== null) state(draft, found.name, id, pointer);
}

/**
 * Adds a value to the draft; a to-one that is stated twice, with two values, contradicts itself.
 */
function state(draft: Draft, name: string, value: unknown, pointer: string): void {
  if (Object.hasOwn(draft.fields, name) && draft.fields[name] !== value) {
    draft.problems.push(invalid(pointer, 'mismatch'));
    return;
  }
  draft.fields[name] = value;
  draft.pointers[name] = pointer;
}

function linkedIds(data: unknown, pointer: string, to: string, problems: Problem[]): string[] {
  if (!Array.isArray(data)) throw malformed(pointer, 'A to-many must be an array.');
  const ids = data.map((one, n) => linkedId(one, `${pointer}/${String(n)}`, to, problems));
  return [...new Set(ids.filter((id) => id !== null))];
}

function linkedId(data: unknown, at: string, to: string, problems: Problem[]): string | null {
  const { type, id } = objectAt(data, at);
  if (typeof type !== 'string') throw malformed(`${at}/type`, 'type must be a string.');
  if (typeOfWire(type) !== to || !isUuid(id)) {
    problems.push(invalid(typeOfWire(type) === to ? `${at}/id` : `${at}/type`, 'type'));
    return null;
  }
  return id.toLowerCase();
}

interface Called {
  readonly name: string;
  readonly field: Field;
}

/** Returns the field of `type` that a document calls `name`. */
export function fieldCalled(type: TypeName, name: string): Called | null {
  const found = fieldOfWire(type, name);
  const field = found === null ? undefined : resourceOf(type).fields[found];
  return found === null || field === undefined ? null : { name: found, field };
}

/** `date-created` and `date-updated`, which every stored record has. */
function isStamp(name: string): boolean {
  return name === 'date-created' || name === 'date-updated';
}

/** Returns the stamps in the form of an attribute, for filters and sorts. */
export function stampCalled(name: string): 'dateCreated' | 'dateUpdated' | null {
  return isStamp(name) ? (camelize(name) as 'dateCreated' | 'dateUpdated') : null;
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
