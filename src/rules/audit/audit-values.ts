import { isObject } from '#base/is-object.ts';
import { parseJson } from '#base/json.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';

export type AuditValue = string | number | boolean | null | readonly string[];
export type AuditValues = Readonly<Record<string, AuditValue>>;

/**
 * The values of `fields` of `record` as the audit log keeps them: bounded, and without a secret.
 *
 * @param other the record on the other side of the change; of properties only the differences are
 * logged
 */
export function auditValuesOf(
  record: AnyRecord | Of<TypeName>,
  fields: readonly string[],
  other: AnyRecord | null = null,
): AuditValues {
  const values = record as unknown as Readonly<Record<string, AuditValue>>;
  return Object.fromEntries(
    fields.map((field) => {
      const value = values[field] ?? null;
      if (field !== 'properties' || typeof value !== 'string') return [field, shown(value)];
      return [field, cut(shownProperties(value, other?.properties))];
    }),
  );
}

/** A longer text is cut: whoever writes the longest texts must not be able to fill the log. */
const LONGEST_TEXT = 500;
const LONGEST_LIST = 50;
/** Stands for what is not told. */
export const HIDDEN = '…';

function cut(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  // The database takes no half of a pair of surrogates.
  return `${text.slice(0, LONGEST_TEXT).replace(/[\uD800-\uDBFF]$/, '')}${HIDDEN}`;
}

function shown(value: AuditValue): AuditValue {
  if (typeof value === 'string') return cut(shownAddress(value));
  if (typeof value !== 'object' || value === null) return value;
  const list = [...new Set(value)];
  return list.length > LONGEST_LIST ? [...list.slice(0, LONGEST_LIST), HIDDEN] : list;
}

/** An address may hold a name and a password before its host. */
function shownAddress(value: string): string {
  if (!value.includes('@') || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.username === '' && url.password === '') return value;
  url.username = HIDDEN;
  url.password = '';
  return url.href;
}

/** Other members of properties may be keys to something, so only their names are logged. */
const SHOWN_MEMBERS: ReadonlySet<string> = new Set([
  ...['BUILD_COMPUTE_TYPE', 'BUILD_IMAGE_TAG', 'PACKAGE_NAME', 'channel', 'targets'],
]);

/** The differences in properties, as JSON text; hidden when it is no JSON object. */
function shownProperties(text: string, other: unknown): string {
  const values = objectIn(text);
  if (values === null) return text.trim() === '' ? '' : HIDDEN;
  const others = typeof other === 'string' ? (objectIn(other) ?? {}) : {};
  return JSON.stringify(differing(values, others));
}

function differing(
  values: Readonly<Record<string, unknown>>,
  others: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): [string, unknown][] => {
      const other = Object.hasOwn(others, name) ? others[name] : undefined;
      if (JSON.stringify(value) === JSON.stringify(other)) return [];
      if (isObject(value)) return [[name, differing(value, isObject(other) ? other : {})]];
      const isShown = SHOWN_MEMBERS.has(name.split(':').at(-1) ?? '') && typeof value === 'string';
      return [[name, isShown ? shownAddress(value) : HIDDEN]];
    }),
  );
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
