import type { Attribute, Kind, ToMany, ToOne } from '#schema/define.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { TypeName } from '#schema/index.ts';

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

export const string = (more: object = {}): JsonSchema => ({ type: 'string', ...more });
export const id = string({ format: 'uuid' });
export const constant = (value: unknown): JsonSchema => ({ const: value });
export const arrayOf = (items: JsonSchema, more: object = {}): JsonSchema => ({
  type: 'array',
  items,
  ...more,
});
export const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** An object of which all `properties` are there, but for those that are `optional`. */
export function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: readonly string[] = [],
): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) };
}

const kinds: Readonly<Record<Kind, JsonSchema>> = {
  line: string(),
  text: string(),
  json: string({ contentMediaType: 'application/json' }),
  email: string({ format: 'email' }),
  url: string({ format: 'uri' }),
  uuid: id,
  instant: string({ format: 'date-time' }),
  bool: { type: 'boolean' },
  int: { type: 'integer' },
  choice: {},
  list: arrayOf(string()),
  map: { type: 'object' },
};

/** The values of an attribute, as documents have them. */
export function attributeSchema({
  kind,
  limit,
  choices,
  nullable,
  fallback,
}: Attribute): JsonSchema {
  const isText = kind === 'line' || kind === 'text' || kind === 'json' || kind === 'url';
  const schema = {
    ...kinds[kind],
    ...(choices === null ? {} : { enum: choices }),
    ...(isText && limit !== null ? { maxLength: limit } : {}),
    ...(fallback === null ? {} : { default: fallback }),
  };
  return nullable ? orNull(schema) : schema;
}

const identifier = (type: TypeName): JsonSchema => object({ type: constant(wireTypeOf(type)), id });

/** The relationship object of a to-one or a to-many. */
export function relationshipSchema(field: ToOne | ToMany): JsonSchema {
  if (field.is === 'many') return object({ data: arrayOf(identifier(field.of as TypeName)) });
  const one = identifier(field.to as TypeName);
  return object({ data: field.nullable ? orNull(one) : one });
}
