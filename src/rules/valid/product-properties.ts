import { broken } from './broken.ts';
import type { Broken } from './broken.ts';
import { parsed } from './value.ts';
import { isObject } from '#base/is-object.ts';

export const COMPUTE_TYPES = ['small', 'medium'] as const;

/** The properties with which a product without any is built, as JSON text. */
export const DEFAULT_PROPERTIES =
  '{"environment":{"BUILD_COMPUTE_TYPE":"small","BUILD_IMAGE_TAG":"latest"}}';

type Values = Readonly<Record<string, unknown>>;

/** The environment that `text` sets, or null when it is not of the required form (domain 13). */
function environmentOf(text: string): Values | null {
  const properties = parsed(text);
  if (!isObject(properties) || !isObject(properties.environment)) return null;
  const { BUILD_COMPUTE_TYPE: compute, BUILD_IMAGE_TAG: tag } = properties.environment;
  const isComplete =
    COMPUTE_TYPES.some((type) => type === compute) && typeof tag === 'string' && tag.trim() !== '';
  return isComplete ? properties.environment : null;
}

export function brokenProperties(text: string | null): Broken | null {
  if (text === null) return null;
  if (parsed(text) === undefined) return broken('properties', 'json');
  return environmentOf(text) === null ? broken('properties', 'shape') : null;
}
