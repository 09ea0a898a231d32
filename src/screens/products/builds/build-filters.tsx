import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import type { ListAddress } from '../../app/page/list-state.ts';
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
        onChoose={(status) => {
          setFilters({ status });
        }}
      />
      <FilterBoxes
        label={t('builds.trigger')}
        words={BUILD_FILTERS['triggered-by']}
        chosen={filters['triggered-by']}
        textOf={(word) => `builds.trigger.${word}`}
        onChoose={(trigger) => {
          setFilters({ 'triggered-by': trigger });
        }}
      />
      {canClear && isFiltering(filters) && <ClearFilters onClear={setFilters} />}
    </div>
  );
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

interface FilterBoxesProps<W extends string> {
  readonly label: string;
  readonly words: readonly W[];
  readonly chosen: readonly W[];
  readonly textOf: (word: W) => TextKey;
  /** Gets the words as the address has them. */
  readonly onChoose: (words: string) => void;
}

function FilterBoxes<W extends string>({
  label,
  words,
  chosen,
  textOf,
  onChoose,
}: FilterBoxesProps<W>) {
  const t = useText();
  return (
    <fieldset>
      <legend className="caption">{label}</legend>
      {words.map((word) => (
        <label key={word} className="build-choice">
          <input
            type="checkbox"
            checked={chosen.includes(word)}
            onChange={({ target: { checked } }) => {
              const next = words.filter((one) => (one === word ? checked : chosen.includes(one)));
              onChoose(next.join());
            }}
          />
          {t(textOf(word))}
        </label>
      ))}
    </fieldset>
  );
}
