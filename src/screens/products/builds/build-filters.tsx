import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { ListAddress } from '../../app/page/list-state.ts';
import { FilterBoxes } from '../../app/page/form/filter-boxes.tsx';
import { BUILD_FILTERS, isFiltering } from './use-builds.ts';
import type { BuildFilters } from './use-builds.ts';

interface Props {
  readonly filters: BuildFilters;
  readonly address: ListAddress;
  /** False where what stands in place of the rows offers it. */
  readonly canClear: boolean;
}

/** What to look for, by status and by trigger: every tick acts at once, and stands in the address. */
export function BuildFilterFields({ filters, address, canClear }: Props) {
  const t = useText();
  const { setFilters } = address;
  return (
    <div className="build-filters" role="search" aria-label={t('builds.filters')}>
      <FilterBoxes
        label={t('files.status')}
        words={BUILD_FILTERS.status}
        chosen={filters.status}
        textOf={(word) => `builds.status.${word}`}
        onChoose={(word, isChosen) => {
          const { status } = BUILD_FILTERS;
          setFilters({ status: chosenWith(status, filters.status, word, isChosen) });
        }}
      />
      <FilterBoxes
        label={t('builds.trigger')}
        words={BUILD_FILTERS['triggered-by']}
        chosen={filters['triggered-by']}
        textOf={(word) => `builds.trigger.${word}`}
        onChoose={(word, isChosen) => {
          const { 'triggered-by': all } = BUILD_FILTERS;
          setFilters({
            'triggered-by': chosenWith(all, filters['triggered-by'], word, isChosen),
          });
        }}
      />
      {canClear && isFiltering(filters) && <ClearFilters onClear={setFilters} />}
    </div>
  );
}

/** Returns what is chosen of `all` as the address has it, once `word` is, or is not any more. */
function chosenWith<W extends string>(
  all: readonly W[],
  chosen: readonly W[],
  word: W,
  isChosen: boolean,
): string {
  return all.filter((one) => (one === word ? isChosen : chosen.includes(one))).join();
}

/** Takes all filters away. */
export function ClearFilters({ onClear }: { readonly onClear: ListAddress['setFilters'] }) {
  const t = useText();
  return (
    <Button
      onClick={() => {
        onClear({ status: '', 'triggered-by': '' });
      }}
    >
      {t('builds.clear')}
    </Button>
  );
}
