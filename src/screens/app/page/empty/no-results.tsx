import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import type { ListAddress } from '../list-state.ts';
import { ClearSearch } from './clear-search.tsx';

/** Stands in place of a list in which nothing is found, and takes the search back. */
export function NoResults({ search, setSearch }: Pick<ListAddress, 'search' | 'setSearch'>) {
  const t = useText();
  return (
    <EmptyBox
      icon="search"
      title={t('common.noResults')}
      action={<ClearSearch setSearch={setSearch} />}
    >
      {t('projectTable.emptySearch', { search })}
    </EmptyBox>
  );
}
