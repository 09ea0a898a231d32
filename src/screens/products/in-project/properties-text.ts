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

/** What two fields of their own show of the whole. */
type Part = Exclude<keyof typeof KEYS, 'environment'>;

/** What is wrong with properties, and where in their text. */
interface Fault {
  /** Not JSON, no object, or the part of it that is missing or wrong. */
  readonly is: 'json' | 'object' | keyof typeof KEYS;
  /** Both from 1. */
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

/** What it is that the rule says no to. */
function kindOf(properties: unknown): Fault['is'] {
  if (properties === undefined) return 'json';
  if (!isObject(properties)) return 'object';
  if (!isObject(properties.environment)) return 'environment';
  const compute = partOf(properties, 'compute');
  return COMPUTE_TYPES.some((type) => type === compute) ? 'tag' : 'compute';
}

/** Where the part begins that is wrong; where it is missing, what it should be in. */
function startOf(text: string, fault: 'object' | keyof typeof KEYS): number {
  const found = fault === 'object' ? -1 : text.lastIndexOf(`"${KEYS[fault]}"`);
  if (found >= 0) return found;
  const around = text.indexOf(`"${KEYS.environment}"`);
  return around >= 0 ? around : Math.max(text.search(/\S/), 0);
}

/** As it is written: over several lines, for people. Text that is no JSON stays as it is. */
export function spread(text: string): string {
  const value = parsed(text);
  return value === undefined ? text : JSON.stringify(value, null, 2);
}

/** The object that `text` says; null: it says none. */
export function valuesIn(text: string): Values | null {
  const value = parsed(text);
  return isObject(value) ? value : null;
}

/** What `values` say of a part; '': nothing that could be shown. */
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
