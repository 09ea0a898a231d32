import { isObject } from '#base/is-object.ts';
import { jsonMistakeIn, placeIn } from '#base/json-mistake.ts';
import { brokenProperties, COMPUTE_TYPES } from '#rules/valid/product-properties.ts';
import { parsed } from '#rules/valid/value.ts';

type Values = Readonly<Record<string, unknown>>;

const KEYS = {
  environment: 'environment',
  compute: 'BUILD_COMPUTE_TYPE',
  tag: 'BUILD_IMAGE_TAG',
} as const;

/** The parts of the whole that fields of their own show. */
type Part = Exclude<keyof typeof KEYS, 'environment'>;

/** A mistake in properties, and its place in their text. */
interface Fault {
  /** Says which part is missing or wrong, or that it is not JSON or no object. */
  readonly is: 'json' | 'object' | keyof typeof KEYS;
  /** Line and column begin with 1. */
  readonly line: number;
  readonly column: number;
}

/** The first fault; null: they can be saved. */
export function faultIn(text: string): Fault | null {
  if (brokenProperties(text) === null) return null;
  const is = kindOf(parsed(text));
  const at = is === 'json' ? (jsonMistakeIn(text) ?? 0) : startOf(text, is);
  return { is, ...placeIn(text, at) };
}

/** Finds the part that the rule says no to. */
function kindOf(properties: unknown): Fault['is'] {
  if (properties === undefined) return 'json';
  if (!isObject(properties)) return 'object';
  if (!isObject(properties.environment)) return 'environment';
  const compute = partOf(properties, 'compute');
  return COMPUTE_TYPES.some((type) => type === compute) ? 'tag' : 'compute';
}

/** Finds where the wrong part begins; where it is missing, the part that it should be in. */
function startOf(text: string, fault: 'object' | keyof typeof KEYS): number {
  const found = fault === 'object' ? -1 : text.lastIndexOf(`"${KEYS[fault]}"`);
  if (found >= 0) return found;
  const around = text.indexOf(`"${KEYS.environment}"`);
  return around >= 0 ? around : Math.max(text.search(/\S/), 0);
}

/** Writes properties over several lines, for people. Text that is no JSON stays as it is. */
export function spread(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The object that `text` says; null: it says none. */
export function valuesIn(text: string): Values | null {
  const value = parsed(text);
  return isObject(value) ? value : null;
}

/** The value of a part in `values`; '': nothing that could be shown. */
export function partOf(values: Values, part: Part): string {
  const { environment } = values;
  const value = isObject(environment) ? environment[KEYS[part]] : null;
  return typeof value === 'string' ? value : '';
}

/** The text of `values` with another part. */
export function changedPart(values: Values, part: Part, value: string): string {
  const environment = isObject(values.environment) ? values.environment : {};
  return JSON.stringify(
    { ...values, environment: { ...environment, [KEYS[part]]: value } },
    null,
    2,
  );
}
