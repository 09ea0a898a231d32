import { kebab } from '#base/kebab.ts';
import { isolated } from '#base/unicode.ts';
import { wireFieldOf } from '#protocol/names.ts';
import { writtenWithNames } from '#rules/mention.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { PROJECT_FILTERS } from '#rules/record/project-query.ts';
import type { ProjectFilterName } from '#rules/record/project-query.ts';
import { readViewQuery } from '#rules/record/view-query.ts';
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
  /** Says whether a field has a name, and its value words on this device. */
  readonly isKnown: (type: TypeName, field: string, value: unknown) => boolean;
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

/** Texts of which each is one of a few, or that stand for something else. */
const CHOSEN: ReadonlySet<string> = new Set(['language', 'timezone', 'query', ...IN_WORDS.keys()]);

/** The records by which a list is filtered, and which a view names by their ids. */
const FILTERED_BY = { owner: 'user', group: 'group', product: 'productDefinition' } as const;

/** Says whether people write the field in their own words. */
export function isInOwnWords(type: TypeName, field: string): boolean {
  const attribute = attributesOf(type).find(([name]) => name === field)?.[1];
  return attribute !== undefined && /^(line|text)$/.test(attribute.kind) && !CHOSEN.has(field);
}

/** Puts what the device knows by field names, ids and codes into the reader's words. */
export function useReadable(): Readable {
  const t = useText();
  const textOf = useTextOf();
  const language = useLanguage();
  const dates = useDateFormats();
  const find = useFind();

  const nameHere = (to: TypeName, id: string): string | null =>
    wordsFor(to, find.one(to, id), t('users.noName'));
  const nameOf = (to: TypeName, id: string): string => nameHere(to, id) ?? t('values.notHere');
  const filterValue = (name: ProjectFilterName, raw: string): string => {
    if (name === 'language') return languageNameOf(raw, language) ?? raw;
    if (name === 'status')
      return textOf(`projectFilters.${raw}`, textOf(`productStatus.${raw}`, raw));
    if (raw === 'me') return t('projectFilters.me');
    return nameOf(FILTERED_BY[name], raw);
  };
  const view = (query: string): string => {
    const { filters, search } = readViewQuery(query);
    const said = PROJECT_FILTERS.filter((name) => filters[name].length > 0).map((name) => {
      const title = textOf(`projectFilters.${name}`, textOf(`fields.${name}`, name));
      return `${title}: ${filters[name].map((raw) => filterValue(name, raw)).join(', ')}`;
    });
    const words = search === '' ? said : [...said, t('values.quoted', { text: search })];
    return words.join(' · ') || t('values.none');
  };
  const text = (type: TypeName, field: string, raw: string): string => {
    const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
    if (to !== undefined) return nameOf(to, raw);
    const kind = attributesOf(type).find(([name]) => name === field)?.[1].kind;
    if (kind === 'instant') return dates.short(raw);
    if (field === 'query') return view(raw);
    if (type === 'productComment') return writtenWithNames(raw, (id) => nameOf('user', id));
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
    isKnown: (type, field, raw) => {
      if (textOf(`fields.${wireFieldOf(type, field)}`, '') === '') return false;
      const to = toOnesOf(type).find(([name]) => name === field)?.[1].to;
      return to === undefined || typeof raw !== 'string' || nameHere(to, raw) !== null;
    },
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
