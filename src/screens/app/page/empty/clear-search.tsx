import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import type { ListAddress } from '../list-state.ts';

/** Takes the search of a list back, which found nothing. */
export function ClearSearch({ setSearch }: Pick<ListAddress, 'setSearch'>) {
  const t = useText();
  return (
    <Button
      onClick={() => {
        setSearch('');
      }}
    >
      {t('common.clearSearch')}
    </Button>
  );
}
