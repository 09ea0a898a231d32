import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import type { ListAddress } from '../list-state.ts';
import { ClearSearch } from './clear-search.tsx';

interface NoResultsProps extends Pick<ListAddress, 'search' | 'setSearch'> {
  /** The words for a list with nothing in it, where they are others than usual. */
  readonly title?: string;
  /** Says what is searched. */
  readonly searched?: string;
}

/** Stands in place of a list in which nothing is found, and takes the search back. */
export function NoResults({ search, setSearch, title, searched }: NoResultsProps) {
  const t = useText();
  return (
    <EmptyBox
      icon="search"
      title={title ?? t('common.noResults')}
      action={<ClearSearch setSearch={setSearch} />}
    >
      {t('projectTable.emptySearch', { search })} {searched}
    </EmptyBox>
  );
}
