import { fold } from '#base/unicode.ts';
import { compareTexts, displayNameOf } from '#rules/record/display.ts';
import { ME } from '#rules/record/project-query.ts';
import type { ProjectFilterName } from '#rules/record/project-query.ts';
import type { Of } from '#schema/index.ts';
import { useFind, useList, useViewer } from '#data/react/hooks.ts';
import { useLanguage, useText } from '#ui/text/text.ts';
import { languageNameOf } from '#ui/value/values.tsx';

export interface FilterChoice {
  readonly value: string;
  readonly label: string;
}

/** What can be chosen of each filter, as it is listed. */
export type FilterChoices = Readonly<Record<ProjectFilterName, readonly FilterChoice[]>>;

/** Two values with the same key are one: languages are compared without case. */
export const filterKeyOf = (name: ProjectFilterName, value: string): string =>
  name === 'language' ? fold(value) : value;

/** What occurs in a list. */
interface Occurring {
  readonly status: readonly FilterChoice[];
  readonly projects: readonly Of<'project'>[];
  /** Ids of the definitions of products. */
  readonly definitions: ReadonlySet<string>;
}

/** Names what occurs in a list, by name. */
export function useFilterChoices({ status, projects, definitions }: Occurring): FilterChoices {
  const t = useText();
  const language = useLanguage();
  const viewer = useViewer();
  const find = useFind();
  const { rows } = useList('productDefinition', {}, { sort: 'name' });
  const people = distinct(projects, 'owner')
    .flatMap((id) => find.one('user', id) ?? [])
    .filter(({ id }) => id !== viewer.id)
    .map((user) => ({ value: user.id, label: displayNameOf(user) ?? t('users.noName') }));
  const groups = distinct(projects, 'group')
    .flatMap((id) => find.one('group', id) ?? [])
    .map(({ id, name }) => ({ value: id, label: name }));
  const tags = new Map(
    distinct(projects, 'language').map((tag) => [filterKeyOf('language', tag), tag]),
  );
  // A comma stands between values.
  const languages = [...tags.values()].flatMap((tag) =>
    tag.includes(',') ? [] : { value: tag, label: labelOfLanguage(tag, language) },
  );
  return {
    status,
    language: sorted(languages),
    owner: [{ value: ME, label: t('projectFilters.me') }, ...sorted(people)],
    group: sorted(groups),
    product: rows.flatMap(({ id, name }) =>
      definitions.has(id) ? { value: id, label: name } : [],
    ),
  };
}

/** Names a value that does not occur in the list; null: it is not known here. */
export function useFilterNames(): (name: ProjectFilterName, value: string) => string | null {
  const t = useText();
  const language = useLanguage();
  const find = useFind();
  return (name, value) => {
    switch (name) {
      case 'status':
        return null;
      case 'language':
        return labelOfLanguage(value, language);
      case 'owner': {
        if (value === ME) return t('projectFilters.me');
        const user = find.one('user', value);
        return user === null ? null : (displayNameOf(user) ?? t('users.noName'));
      }
      case 'group':
        return find.one('group', value)?.name ?? null;
      case 'product':
        return find.one('productDefinition', value)?.name ?? null;
    }
  };
}

function labelOfLanguage(tag: string, language: string): string {
  const name = languageNameOf(tag, language);
  return name === null ? tag : `${name} (${tag})`;
}

/** The values of a field, each once. */
function distinct<F extends 'owner' | 'group' | 'language'>(
  rows: readonly Readonly<Record<F, string | null>>[],
  field: F,
): string[] {
  return [...new Set(rows.flatMap((row) => row[field] ?? []))];
}

const sorted = (choices: readonly FilterChoice[]): readonly FilterChoice[] =>
  choices.toSorted((a, b) => compareTexts(a.label, b.label));
