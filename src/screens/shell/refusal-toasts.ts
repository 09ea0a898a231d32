import { useContext, useEffect, useRef } from 'react';
import { useChanges } from '#data/use-changes.ts';
import type { ChangeRow } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useText } from '#ui/text.ts';
import { useCloseToasts, useToast } from '#ui/toasts.tsx';
import { ChangesContext } from '../changes/changes-context.ts';
import { useProblemText } from '../changes/problem-text.ts';
import { useReadable } from '../changes/readable.ts';

/** What these toasts are about. */
const CHANGES = 'changes';

const TOLD: ReadonlySet<ChangeRow['state']> = new Set(['refused', 'conflict', 'confirm']);

/** So many are named one by one; of more there is the number. */
const NAMED = 2;

/**
 * Says by a toast that a change needs the person, as soon as it does: what, why, and where; until the
 * panel, where all of them stand, is open.
 */
export function useRefusalToasts(isPanelOpen: boolean): void {
  const close = useCloseToasts();
  useEffect(() => {
    if (isPanelOpen) close(CHANGES);
  }, [isPanelOpen, close]);
  const t = useText();
  const show = useToast();
  const reasonOf = useProblemText();
  const { sentence } = useReadable();
  const { changes } = useData();
  const { attention } = useChanges();
  const { open, answered } = useContext(ChangesContext);
  const known = useRef<ReadonlySet<string> | null>(null);

  useEffect(() => {
    // Rows are read only when one has come or gone: there may be ten thousand of them.
    const needy = attention === 0 ? [] : changes.view().rows.filter(({ state }) => TOLD.has(state));
    const before = known.current;
    known.current = new Set(needy.map(({ id }) => id));
    // What was there already when the page came is said by the line under the header.
    if (before === null) return;
    const news = needy.filter(
      ({ id, says, about }) =>
        !before.has(id) && !answered.has(id) && !answered.has(`${says[0]} ${about.id}`),
    );
    const more = news.length > NAMED;
    if (more)
      show({
        tone: 'error',
        about: CHANGES,
        title: t('sync.attention', { count: news.length }),
        action: {
          label: t('common.show'),
          run: () => {
            open();
          },
        },
      });
    for (const row of more ? [] : news) {
      const { problem } = row;
      const isConflict = row.state === 'conflict';
      show({
        tone: isConflict || row.state === 'confirm' ? 'warning' : 'error',
        about: CHANGES,
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
    // The texts are those of the moment; only a change that comes or goes is news.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [attention, changes, answered]);
}
