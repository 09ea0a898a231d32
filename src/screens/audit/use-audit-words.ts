import { kebab } from '#base/kebab.ts';
import type { AuditedValues, AuditEvent } from '#protocol/audit.ts';
import { allAuditKinds } from '#rules/audit/audit-kinds.ts';
import type { AuditKind } from '#rules/audit/audit-kinds.ts';
import { useFind } from '#data/react/hooks.ts';
import { useText, useTextOf } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';

/** The sentence that says what was done, for every kind of event. */
export const sayingOf = (kind: AuditKind): TextKey => `admin.audit.kinds.${kind}`;

/** A value that an event tells; undefined on the side that has none. */
export interface AuditedDifference {
  readonly field: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

interface AuditWords {
  readonly sentenceOf: (event: AuditEvent) => string;
  /** What kind of record it is, by the name of the wire. */
  readonly typeOf: (type: string) => string;
  readonly differencesOf: (event: AuditEvent) => readonly AuditedDifference[];
}

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** The words of values, by the field that they are of; the name of a text ends with the value. */
const WORDS: Readonly<Record<string, string>> = {
  role: 'roles.',
  'role-names': 'roles.',
  code: 'problems.',
  secret: 'fields.',
  job: 'admin.jobs.names.',
};

/** Says events in the words of the person who reads. */
export function useAuditWords(): AuditWords {
  const t = useText();
  const textOf = useTextOf();
  const find = useFind();
  const { short } = useDateFormats();

  const word = (field: string, value: unknown): string => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    if (field === 'group-ids') return find.one('group', text)?.name ?? text;
    if (field === 'state') return textOf(`states.${kebab(text)}`, text);
    const words = Object.hasOwn(WORDS, field) ? WORDS[field] : undefined;
    if (words !== undefined) return textOf(`${words}${text}`, text);
    return INSTANT.test(text) ? short(text) : text;
  };
  const valueOf = (field: string, value: unknown): string => {
    if (value === null || value === '') return t('values.none');
    if (field === 'is-public' && typeof value === 'boolean')
      return t(value ? 'values.isPublic.on' : 'values.isPublic.off');
    if (typeof value === 'boolean') return t(value ? 'values.on' : 'values.off');
    if (!Array.isArray(value)) return word(field, value);
    return value.length === 0
      ? t('values.none')
      : value.map((one: unknown) => word(field, one)).join(', ');
  };
  /** Undefined where the event does not tell it on that side. */
  const sideOf = (values: AuditedValues | null, field: string): string | undefined => {
    if (values === null || !Object.hasOwn(values, field)) return undefined;
    return valueOf(field, values[`${field}-name`] ?? values[field]);
  };

  return {
    sentenceOf: ({ kind }) => {
      const known = allAuditKinds.find((one) => one === kind);
      return known === undefined ? kind : t(sayingOf(known));
    },
    typeOf: (type) => textOf(`admin.audit.types.${type}`, type),
    differencesOf: ({ before, after }) =>
      fieldsOf(before, after).map((field) => ({
        field: textOf(`fields.${field}`, field),
        before: sideOf(before, field),
        after: sideOf(after, field),
      })),
  };
}

/** The fields that are told; the name of what a field links to is told in its place. */
function fieldsOf(...sides: readonly (AuditedValues | null)[]): readonly string[] {
  const all = new Set(sides.flatMap((side) => Object.keys(side ?? {})));
  return [...all].filter((name) => !name.endsWith('-name') || !all.has(name.slice(0, -5)));
}
