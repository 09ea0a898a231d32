import { useId, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { fold } from '#base/unicode.ts';
import {
  countFilters,
  FILTER_VALUES_MOST,
  NO_FILTERS,
  PROJECT_FILTERS,
} from '#rules/record/project-query.ts';
import type { ProjectFilterName, ProjectFilters } from '#rules/record/project-query.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import type { FilterPanelState } from '../list-page.tsx';
import type { ListAddress } from '../list-state.ts';
import { filterKeyOf, useFilterNames } from './filter-choices.ts';
import type { FilterChoice, FilterChoices } from './filter-choices.ts';
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

export interface FilterBarProps extends FilterPanelState {
  /** The name of the panel. */
  readonly title: string;
  readonly choices: FilterChoices;
  readonly filters: ProjectFilters;
  readonly setFilters: ListAddress['setFilters'];
}

/** The filters of a list: every tick acts at once, and stands in the address. */
export function FilterBar(props: FilterBarProps) {
  const { title, choices, filters, setFilters, isOpen, onClose } = props;
  const t = useText();
  const names = PROJECT_FILTERS.filter((name) => choices[name].length > 0);
  const choose = (name: ProjectFilterName, value: string, isChosen: boolean) => {
    const others = filters[name].filter(
      (one) => filterKeyOf(name, one) !== filterKeyOf(name, value),
    );
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
        <div className="filter-panel" role="group" aria-label={title} onKeyDown={leave}>
          {names.map((name) => (
            <SearchedBoxes
              key={name}
              title={t(TITLES[name])}
              isChosen={(value) =>
                filters[name].some((one) => filterKeyOf(name, one) === filterKeyOf(name, value))
              }
              isFull={filters[name].length >= FILTER_VALUES_MOST}
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
      {countFilters(filters) > 0 && <ChosenFilters {...props} onChoose={choose} />}
    </>
  );
}

interface SearchedBoxesProps {
  readonly title: string;
  readonly choices: readonly FilterChoice[];
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
        <p className="caption">{t('projectFilters.full', { number: FILTER_VALUES_MOST })}</p>
      )}
    </fieldset>
  );
}

interface ChosenProps extends Pick<
  FilterBarProps,
  'filters' | 'setFilters' | 'onGone' | 'choices'
> {
  readonly onChoose: (name: ProjectFilterName, value: string, isChosen: boolean) => void;
}

/** What is chosen, each with a way out of the address, also what nobody here knows. */
function ChosenFilters({ filters, setFilters, onGone, choices, onChoose }: ChosenProps) {
  const t = useText();
  const nameOf = useFilterNames();
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
