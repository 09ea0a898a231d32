import { isUuid } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { never } from '#base/never.ts';
import type { Operator, Path, Value } from '../../../access/query/query.ts';

const OPERATORS: ReadonlySet<string> = new Set<Operator>([
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'like',
  'in',
  'nin',
  'isnull',
  'isnotnull',
]);

export interface Comparison {
  readonly operator: Operator;
  readonly rest: string;
}

/** Reads `op:value`; a text that does not start with an operator is compared as it is. */
export function comparisonOf(text: string): Comparison {
  const colon = text.indexOf(':');
  const word = text.slice(0, Math.max(colon, 0));
  if (!OPERATORS.has(word)) return { operator: 'eq', rest: text };
  return { operator: word as Operator, rest: text.slice(colon + 1) };
}

/** Returns true when `operator` is for fields such as `path` (wire 5.1). */
export function fits(operator: Operator, { kind, choices }: Path): boolean {
  const isLine = kind === 'line' || kind === 'email' || kind === 'url';
  if (operator === 'like') return isLine;
  if (operator === 'lt' || operator === 'le' || operator === 'gt' || operator === 'ge') {
    return isLine || kind === 'int' || kind === 'instant' || typeof choices?.[0] === 'number';
  }
  return true;
}

/**
 * Returns the values that `text` compares with, or null when one of them is not of the field's
 * type.
 */
export function valuesOf(operator: Operator, text: string, path: Path): readonly Value[] | null {
  if (operator === 'isnull' || operator === 'isnotnull') return [];
  const texts = operator === 'in' || operator === 'nin' ? text.split(',') : [text];
  if (texts.length > limits.valuesInFilter) return null;
  const values = texts.map((one) => valueOf(one, path));
  return values.includes(null) ? null : values.filter((value) => value !== null);
}

function valueOf(text: string, { kind, choices }: Path): Value | null {
  if (text.includes('\0')) return null;
  switch (kind) {
    case 'one':
    case 'uuid':
      return isUuid(text) ? text.toLowerCase() : null;
    case 'int':
      return integerOf(text);
    case 'bool':
      return text === 'true' ? true : text === 'false' ? false : null;
    case 'instant':
      return instantOf(text);
    case 'choice':
      return choices?.find((choice) => String(choice) === text) ?? null;
    case 'line':
    case 'email':
    case 'url':
    case 'text':
    case 'json':
    case 'list':
    case 'map':
      return text;
    default:
      return never(kind);
  }
}

function integerOf(text: string): number | null {
  const value = Number(text);
  return /^-?\d{1,15}$/.test(text) && Number.isSafeInteger(value) ? value : null;
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const SPACED = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/i;

/** Returns a moment of a query in the form of the wire; a bare date is midnight UTC. */
export function instantOf(text: string): string | null {
  const spaced = SPACED.exec(text);
  const iso = isBareDate(text)
    ? `${text}T00:00:00Z`
    : spaced === null
      ? text
      : `${spaced[1] ?? ''}T${spaced[2] ?? ''}Z`;
  const ms = ISO.test(iso) ? Date.parse(iso) : NaN;
  if (Number.isNaN(ms)) return null;
  const year = new Date(ms).getUTCFullYear();
  return year < 1 || year > 9999 ? null : new Date(ms).toISOString();
}

export function isBareDate(text: string): boolean {
  return DATE.test(text);
}
