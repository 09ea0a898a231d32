import { kebab } from '#base/kebab.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { attributesOf, toOnesOf } from '#schema/index.ts';
import type { AnyRecord, Of, TypeName } from '#schema/index.ts';
import type { Says } from '#data/model/change.ts';
import { useFind } from '#data/react/hooks.ts';
import { languageNameOf, useDateFormats } from '#ui/value/values.tsx';
import { isLanguage, LANGUAGES, useLanguage, useTextOf, useText } from '#ui/text/text.ts';

interface Readable {
  /** Says in a sentence what a change does. */
  readonly sentence: (says: Says) => string;
  /** A field as its form calls it. */
  readonly field: (type: TypeName, field: string) => string;
  /** A value as a page shows it: people and groups by name, switches and dates in words. */
  readonly value: (type: TypeName, field: string, value: unknown) => string;
}

/** Fields whose values have names of their own: where these stand among the texts. */
const IN_WORDS: ReadonlyMap<string, string> = new Map([
  ['command', 'commands'],
  ['action', 'products.actions'],
  ['state', 'states'],
  ['status', 'states'],
  ['workflowState', 'states'],
  ['silencedMails', 'mailKinds'],
]);

/** Puts what the device knows by field names, ids and codes into the reader's words. */
export function useReadable(): Readable {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  const dates = useDateFormats();
  const find = useFind();

  const nameOf = (to: TypeName, id: string): string =>
    wordsFor(to, find.one(to, id), t('users.noName')) ?? t('values.notHere');
  const text = (type: TypeName, field: string, raw: string): string => {
    const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
    if (to !== undefined) return nameOf(to, raw);
    const kind = attributesOf(type).find(([name]) => name === field)?.[1].kind;
    if (kind === 'instant') return dates.short(raw);
    const words = IN_WORDS.get(field);
    if (words !== undefined) return textOf(`${words}.${kebab(raw)}`, raw);
    if (field === 'locale' && isLanguage(raw)) return LANGUAGES[raw];
    const name = field === 'language' ? languageNameOf(raw, language) : null;
    return name === null ? raw : `${name} (${raw})`;
  };
  const value: Readable['value'] = (type, field, raw) => {
    if (raw === null || raw === undefined || raw === '') return t('values.none');
    if (typeof raw === 'string') return text(type, field, raw);
    if (typeof raw === 'number') return textOf(`values.${field}.${raw}`, String(raw));
    if (field === 'silencedMails' && Array.isArray(raw))
      return raw.map((kind) => text(type, field, String(kind))).join(', ') || t('values.none');
    if (typeof raw !== 'boolean') return JSON.stringify(raw);
    const word = raw ? 'on' : 'off';
    return textOf(`values.${field}.${word}`, t(`values.${word}`));
  };
  return {
    sentence: ([key, values]) =>
      textOf(
        key,
        key,
        Object.fromEntries(
          Object.entries(values).map(([name, text]) => [
            name,
            name === 'count' ? Number(text) : isolated(text),
          ]),
        ),
      ),
    field: (type, field) => {
      const name = wireFieldOf(type, field);
      return textOf(`fields.${name}`, name.replaceAll('-', ' '));
    },
    value,
  };
}

/** The name of `record` on a page; null when it is not here. */
function wordsFor(type: TypeName, record: AnyRecord | null, noName: string): string | null {
  if (record === null) return null;
  if (type === 'user') return displayNameOf(record as Of<'user'>) ?? noName;
  const { name, description } = record;
  const words = type === 'applicationType' ? (description ?? name) : name;
  return typeof words === 'string' ? words : null;
}

/** A name written from right to left keeps its direction to itself. */
function isolated(text: string): string {
  return /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text) ? `\u2068${text}\u2069` : text;
}
