import { isUuid } from '#base/id.ts';
import type { Ref } from '#protocol/operations.ts';
import { typeOfWire } from '#protocol/names.ts';
import { invalid, ProblemError } from '#protocol/problem.ts';
import { resourceOf } from '#schema/index.ts';
import type { TypeName } from '#schema/index.ts';
import type { ToMany, ToOne, Verb } from '#schema/define.ts';
import { isObject } from '#base/is-object.ts';
import {
  fieldCalled,
  malformed,
  objectAt,
  parseBase,
  parseRecord,
  parseToMany,
  parseToOne,
  wrongTarget,
} from '../../domain/writes/document.ts';
import type {
  ParsedOperation,
  Match,
  UpdateOperation,
} from '../../domain/writes/parsed-operation.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * Parses one operation (wire 8.1), with pointers that start at the operation itself. A request on a
 * resource address is parsed as the operation that says the same.
 */
export function parseOperation(operation: unknown, match: Match | null = null): ParsedOperation {
  const { op, ref, data, meta } = objectAt(operation, '');
  if (op !== 'add' && op !== 'update' && op !== 'remove' && op !== 'get') {
    throw malformed('/op', 'op is not a valid operation');
  }
  const { base, undo } = meta === undefined ? {} : objectAt(meta, '/meta');
  if (undo !== undefined && typeof undo !== 'boolean')
    throw malformed('/meta/undo', 'undo must be a boolean.');
  const target = ref === undefined ? null : parseRef(objectAt(ref, '/ref'));
  if (target?.relationship !== undefined) return ofRelationship(op, target, data, base);
  switch (op) {
    case 'add':
      return added(target, data);
    case 'update':
      return { ...updated(target, data, base, match), isUndo: undo === true };
    case 'remove':
      return { op, ...addressed(target, 'delete'), match, isUndo: undo === true };
    case 'get':
      return { op, ...addressed(target, 'get'), relationship: null };
  }
}

/**
 * Returns as much of an operation as can be repeated in an answer to it, however malformed it is.
 */
export function echoOf(operation: unknown): { op: string; ref?: Ref; id?: string; about?: string } {
  if (!isObject(operation)) return { op: '' };
  const { op, ref, data, meta } = operation;
  const id = isObject(meta) ? meta.id : undefined;
  const about = isObject(ref) && isUuid(ref.id) ? ref.id : isObject(data) ? data.id : undefined;
  return {
    op: typeof op === 'string' ? op : '',
    ...(isObject(ref) && typeof ref.type === 'string' ? { ref: ref as unknown as Ref } : {}),
    ...(isUuid(id) ? { id: id.toLowerCase() } : {}),
    ...(isUuid(about) ? { about: about.toLowerCase() } : {}),
  };
}

interface Target {
  readonly type: TypeName;
  readonly id?: string;
  readonly relationship?: string;
}

function parseRef(ref: Members): Target {
  if (typeof ref.type !== 'string') throw malformed('/ref/type', 'type must be a string.');
  const type = knownType(ref.type, '/ref/type');
  if (ref.id !== undefined && !isUuid(ref.id)) throw new ProblemError(invalid('/ref/id', 'type'));
  if (ref.relationship !== undefined && typeof ref.relationship !== 'string') {
    throw malformed('/ref/relationship', 'relationship must be a string.');
  }
  return {
    type,
    ...(ref.id === undefined ? {} : { id: ref.id.toLowerCase() }),
    ...(ref.relationship === undefined ? {} : { relationship: ref.relationship }),
  };
}

function knownType(name: string, pointer: string): TypeName {
  const type = typeOfWire(name);
  if (type === null) throw new ProblemError({ code: 'not-found', source: { pointer } });
  return type;
}

function requireVerb(type: TypeName, verb: Verb): void {
  if (resourceOf(type).verbs.includes(verb)) return;
  throw new ProblemError({ code: 'method-not-allowed' });
}

function added(target: Target | null, data: unknown): ParsedOperation {
  const { type, id, stated } = recordIn(target, data, 'create');
  if (target?.id !== undefined && target.id !== id) {
    throw wrongTarget('/data/id', 'id must be that of ref.');
  }
  return { op: 'add', type, id, stated };
}

function updated(
  target: Target | null,
  data: unknown,
  base: unknown,
  match: Match | null,
): UpdateOperation {
  const { type, id, stated } = recordIn(target, data, 'update');
  if (id === null && stated.problems.length === 0) throw malformed('/data/id', 'id is missing.');
  if (id === null) throw new ProblemError(invalid('/data/id', 'type'));
  if (target?.id !== undefined && target.id !== id) {
    throw wrongTarget('/data/id', 'id must be that of the address.');
  }
  const seen = parseBase(base, '/meta/base', type);
  return { op: 'update', type, id, stated, base: seen, relationship: null, match, isUndo: false };
}

function recordIn(target: Target | null, data: unknown, verb: Verb) {
  const { type: name } = objectAt(data, '/data');
  if (typeof name !== 'string') throw malformed('/data/type', 'type must be a string.');
  const type = target?.type ?? knownType(name, '/data/type');
  requireVerb(type, verb);
  return parseRecord(data, '/data', type);
}

function addressed(target: Target | null, verb: Verb): { type: TypeName; id: string } {
  if (target === null) throw malformed('/ref', 'ref is missing.');
  requireVerb(target.type, verb);
  return { type: target.type, id: idOf(target) };
}

function idOf({ id }: Target): string {
  if (id === undefined) throw malformed('/ref/id', 'id is missing.');
  return id;
}

type Op = 'add' | 'update' | 'remove' | 'get';

function ofRelationship(op: Op, target: Target, data: unknown, base: unknown): ParsedOperation {
  const { type } = target;
  const found = fieldCalled(type, target.relationship ?? '');
  if (found === null || found.field.is === 'attribute') {
    throw new ProblemError({ code: 'not-found', source: { pointer: '/ref/relationship' } });
  }
  requireVerb(type, op === 'get' ? 'get' : 'update');
  const id = idOf(target);
  const { name, field } = found;
  if (op === 'get') return { op, type, id, relationship: name };
  const seen = parseBase(base, '/meta/base', type);
  if (data === undefined) throw malformed('/data', 'data is missing.');
  if (field.is === 'many') {
    const of = field.of as TypeName;
    const ids = parseToMany(data, '/data', field);
    return linkOf(op, {
      type,
      id,
      relationship: name,
      of,
      field,
      ids,
      base: seen?.manys[name] ?? null,
    });
  }
  if (op !== 'update') throw new ProblemError({ code: 'method-not-allowed' });
  return toOneUpdate(type, id, name, field, data, seen);
}

interface Linking {
  readonly type: TypeName;
  readonly id: string;
  readonly relationship: string;
  readonly of: TypeName;
  readonly field: ToMany;
  readonly ids: readonly string[];
  readonly base: readonly string[] | null;
}

function linkOf(how: 'add' | 'update' | 'remove', { field, ...linking }: Linking): ParsedOperation {
  return { op: 'link', how, inverse: field.inverse, ...linking };
}

function toOneUpdate(
  type: TypeName,
  id: string,
  name: string,
  field: ToOne,
  data: unknown,
  base: UpdateOperation['base'],
): UpdateOperation {
  const value = parseToOne(data, '/data', field);
  const isIgnored = field.write === 'server';
  const stated = {
    fields: isIgnored ? {} : { [name]: value },
    pointers: { [name]: '/data' },
    manys: {},
    problems: [],
  };
  return { op: 'update', type, id, stated, base, relationship: name, match: null, isUndo: false };
}
