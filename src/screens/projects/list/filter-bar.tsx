import { useId, useMemo, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { fold } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import { PRODUCT_STATUS_WORDS } from '#rules/product-status.ts';
import { compareTexts, displayNameOf } from '#rules/record/display.ts';
import { useFind, useList, useViewer } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useLanguage, useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { languageNameOf } from '#ui/value/values.tsx';
import type { ListAddress } from '../../app/page/list-state.ts';
import { countOf, ME, NO_FILTERS, PROJECT_FILTERS } from '../lists.ts';
import type { ProjectFilterName, ProjectFilters, ProjectList } from '../lists.ts';
import './filter-bar.css';

/** With more values than these one searches among them. */
const SEARCHED_FROM = 9;

const TITLES: Readonly<Record<ProjectFilterName, TextKey>> = {
  status: 'projectFilters.status',
  language: 'projectTable.columns.language',
  owner: 'projectTable.columns.owner',
  group: 'projectTable.columns.group',
  product: 'projectFilters.product',
};

interface Choice {
  readonly value: string;
  readonly label: string;
}

interface FilterBarProps {
  readonly list: ProjectList;
  /** What the list keeps without filters: what occurs there can be chosen. */
  readonly kept: ListFilter<'project'>;
  readonly filters: ProjectFilters;
  readonly setFilters: ListAddress['setFilters'];
  readonly isOpen: boolean;
  /** Called by Escape and by Done. */
  readonly onClose: () => void;
  /** Called when what had the focus has gone. */
  readonly onGone: () => void;
}

/** The filters of a project list: every tick acts at once, and stands in the address. */
export function FilterBar(props: FilterBarProps) {
  const { filters, setFilters, isOpen, onClose } = props;
  const t = useText();
  const choices = useChoices(props);
  const names = PROJECT_FILTERS.filter((name) => choices[name].length > 0);
  const choose = (name: ProjectFilterName, value: string, isChosen: boolean) => {
    const others = filters[name].filter((one) => keyOf(name, one) !== keyOf(name, value));
    setFilters({ [name]: (isChosen ? [...others, value] : others).join() });
  };
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <>
      {isOpen && (
        <div
          className="filter-panel"
          role="group"
          aria-label={t('projectFilters.title')}
          onKeyDown={leave}
        >
          {names.map((name) => (
            <SearchedBoxes
              key={name}
              title={t(TITLES[name])}
              isChosen={(value) =>
                filters[name].some((one) => keyOf(name, one) === keyOf(name, value))
              }
              isFull={filters[name].length >= limits.filterValues}
              choices={choices[name]}
              onChoose={(value, isChosen) => {
                choose(name, value, isChosen);
              }}
            />
          ))}
          <div className="filter-done">
            <Button onClick={onClose}>{t('projectFilters.done')}</Button>
          </div>
        </div>
      )}
      {countOf(filters) > 0 && <ChosenFilters {...props} choices={choices} onChoose={choose} />}
    </>
  );
}

interface SearchedBoxesProps {
  readonly title: string;
  readonly choices: readonly Choice[];
  readonly isChosen: (value: string) => boolean;
  readonly isFull: boolean;
  readonly onChoose: (value: string, isChosen: boolean) => void;
}

/** The values of one filter, with a search where they are many. */
function SearchedBoxes({ title, choices, isChosen, isFull, onChoose }: SearchedBoxesProps) {
  const t = useText();
  const [typed, setTyped] = useState('');
  const shown = choices.filter(({ label }) => fold(label).includes(fold(typed.trim())));
  return (
    <fieldset className="searched-boxes">
      <legend>{title}</legend>
      {choices.length >= SEARCHED_FROM && (
        <input
          type="search"
          aria-label={t('projectFilters.find', { filter: title })}
          placeholder={t('projectFilters.find', { filter: title })}
          maxLength={250}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
          }}
        />
      )}
      <div className="filter-values">
        {shown.map(({ value, label }) => (
          <label key={value}>
            <input
              type="checkbox"
              checked={isChosen(value)}
              disabled={isFull && !isChosen(value)}
              onChange={({ target }) => {
                onChoose(value, target.checked);
              }}
            />
            <bdi>{label}</bdi>
          </label>
        ))}
        {shown.length === 0 && <p className="soft">{t('common.noResults')}</p>}
      </div>
      {isFull && (
        <p className="caption">{t('projectFilters.full', { number: limits.filterValues })}</p>
      )}
    </fieldset>
  );
}

interface ChosenProps extends Pick<FilterBarProps, 'filters' | 'setFilters' | 'onGone'> {
  readonly choices: Readonly<Record<ProjectFilterName, readonly Choice[]>>;
  readonly onChoose: (name: ProjectFilterName, value: string, isChosen: boolean) => void;
}

/** Two values with the same key are one: languages are compared without case. */
const keyOf = (name: ProjectFilterName, value: string): string =>
  name === 'language' ? fold(value) : value;

/** What is chosen, each with a way out of the address, also what nobody here knows. */
function ChosenFilters({ filters, setFilters, onGone, choices, onChoose }: ChosenProps) {
  const t = useText();
  const nameOf = useNames();
  const id = useId();
  const row = useRef<HTMLUListElement>(null);
  const chosen = PROJECT_FILTERS.flatMap((name) =>
    filters[name].map((value) => ({
      name,
      value,
      label:
        choices[name].find((choice) => choice.value === value)?.label ??
        nameOf(name, value) ??
        t('projectFilters.unknown'),
    })),
  );
  return (
    <ul ref={row} className="filter-chips" aria-label={t('projectFilters.chosen')}>
      {chosen.map(({ name, value, label }, index) => (
        <li key={`${name} ${value}`}>
          <button
            type="button"
            className="filter-chip"
            aria-describedby={id}
            onClick={() => {
              const chips = row.current?.querySelectorAll<HTMLElement>('.filter-chip') ?? [];
              const next = chips[index + 1] ?? chips[index - 1];
              if (next === undefined) onGone();
              else next.focus();
              onChoose(name, value, false);
            }}
          >
            <span className="soft">{t(TITLES[name])}:</span> <bdi>{label}</bdi>
            <Icon name="close" />
          </button>
        </li>
      ))}
      <li>
        <span id={id} hidden>
          {t('projectFilters.remove')}
        </span>
        <button
          type="button"
          className="link-button"
          onClick={() => {
            onGone();
            setFilters(NO_FILTERS);
          }}
        >
          {t('projectFilters.clear')}
        </button>
      </li>
    </ul>
  );
}

/** Names a value that does not occur in the list; null: it is not known here. */
function useNames(): (name: ProjectFilterName, value: string) => string | null {
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

const STATUS_TEXTS = {
  building: 'productStatus.building',
  failed: 'projectFilters.failed',
  'waiting-for-you': 'productStatus.waiting-for-you',
  waiting: 'projectFilters.waiting',
  published: 'productStatus.published',
  'not-started': 'productStatus.not-started',
} as const satisfies Readonly<Record<(typeof PRODUCT_STATUS_WORDS)[number], TextKey>>;

/**
 * What occurs in the list, by name; what is one's own owner is no choice among one's own. With all
 * organizations in view that is of all that the device of a super admin knows.
 */
function useChoices({
  list,
  kept,
}: FilterBarProps): Readonly<Record<ProjectFilterName, readonly Choice[]>> {
  const t = useText();
  const language = useLanguage();
  const viewer = useViewer();
  const find = useFind();
  const isAll = viewer.isSuperAdmin && kept.organization === undefined;
  const { rows } = useList('project', kept, isAll ? { anywhere: true } : {});
  const { rows: products } = useList('product', {}, { anywhere: true });
  const { rows: definitions } = useList('productDefinition', {}, { sort: 'name' });
  const used = useMemo(() => {
    const ids = new Set(rows.map(({ id }) => id));
    const ofProducts = products.flatMap(({ project, productDefinition }) =>
      ids.has(project) ? productDefinition : [],
    );
    return new Set(ofProducts);
  }, [rows, products]);
  const people = distinct(rows, 'owner')
    .flatMap((id) => find.one('user', id) ?? [])
    .filter(({ id }) => id !== viewer.id)
    .map((user) => ({ value: user.id, label: displayNameOf(user) ?? t('users.noName') }));
  const groups = distinct(rows, 'group')
    .flatMap((id) => find.one('group', id) ?? [])
    .map(({ id, name }) => ({ value: id, label: name }));
  const tags = new Map(distinct(rows, 'language').map((tag) => [keyOf('language', tag), tag]));
  // A comma stands between values.
  const languages = [...tags.values()].flatMap((tag) =>
    tag.includes(',') ? [] : { value: tag, label: labelOfLanguage(tag, language) },
  );
  return {
    status: PRODUCT_STATUS_WORDS.map((word) => ({ value: word, label: t(STATUS_TEXTS[word]) })),
    language: sorted(languages),
    owner:
      list.name === 'own' ? [] : [{ value: ME, label: t('projectFilters.me') }, ...sorted(people)],
    group: sorted(groups),
    product: definitions.flatMap(({ id, name }) =>
      used.has(id) ? { value: id, label: name } : [],
    ),
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

const sorted = (choices: readonly Choice[]): readonly Choice[] =>
  choices.toSorted((a, b) => compareTexts(a.label, b.label));
