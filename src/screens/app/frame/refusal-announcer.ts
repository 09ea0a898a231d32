import { useContext, useEffect } from 'react';
import type { ChangeRow } from '#data/model/views.ts';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { ChangesContext } from '../page/changes/changes-context.ts';
import { useProblemText } from '../page/changes/problem-text.ts';
import { useReadable } from '../../changes/readable.ts';

/** So many are named one by one; of more there is the number. */
const NAMED = 2;

interface Props {
  /** By which the toasts are closed together. */
  readonly about: string;
  /** Changes to tell of: taken from here once they are told. */
  readonly untold: { readonly current: ChangeRow[] };
  /** Grows with each that is added to `untold`. */
  readonly times: number;
}

/** Tells of changes that need the person, each by a toast of its own while they are few. */
export function RefusalAnnouncer({ about, untold, times }: Props): null {
  const t = useText();
  const show = useToast();
  const reasonOf = useProblemText();
  const { sentence } = useReadable();
  const { open } = useContext(ChangesContext);

  useEffect(() => {
    const news = untold.current.splice(0);
    const isMany = news.length > NAMED;
    if (isMany)
      show({
        tone: 'error',
        about,
        title: t('sync.attention', { count: news.length }),
        action: {
          label: t('common.show'),
          run: () => {
            open();
          },
        },
      });
    for (const row of isMany ? [] : news) {
      const { problem } = row;
      const isConflict = row.state === 'conflict';
      show({
        tone: isConflict || row.state === 'confirm' ? 'warning' : 'error',
        about,
        title: sentence(row.says),
        detail:
          row.state === 'refused' && problem !== null
            ? reasonOf(problem)
            : t(`badges.${row.state as 'conflict' | 'confirm' | 'refused'}.sentence`),
        action: {
          label: t('common.show'),
          run: () => {
            open({ change: row.id });
          },
        },
      });
    }
    // The texts are those of the moment; only a change that was added is news.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [about, untold, times]);

  return null;
}
