import { useMemo, useSyncExternalStore } from 'react';
import type { ChangeState } from '#data/model/change.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { badgeOf, ChangeBadge } from '#ui/status/change-badge.tsx';
import { useLateTexts } from '#ui/text/late-texts.ts';
import { useOpenChanges } from './changes-context.ts';
import { useProblemText } from './problem-text.ts';

const silent = () => () => undefined;

/**
 * The changes of a record that need the person, newest first; `change` is what the record says of
 * itself. Rows are only looked at where there are some.
 */
export function useNeedyChanges(record: string, change: ChangeState | null): readonly ChangeRow[] {
  const { changes } = useData();
  const isNeedy = badgeOf(change) !== null && badgeOf(change) !== 'waiting';
  const view = useSyncExternalStore(isNeedy ? changes.subscribe : silent, () =>
    isNeedy ? changes.view() : null,
  );
  return useMemo(
    () =>
      view === null
        ? []
        : view.rows.filter(({ touched, state }) => {
            const badge = badgeOf(state);
            const isOf = touched.some(({ id }) => id === record);
            return isOf && badge !== null && badge !== 'waiting';
          }),
    [view, record],
  );
}

interface Props {
  readonly record: string;
  readonly change: ChangeState | null;
  /** A reason stands beside the badge; elsewhere it is said on hover and focus. */
  readonly showsReason?: boolean;
}

/** Shows the state of a record's change; opens it, or the one that it waits for. */
export function RecordBadge({ record, change, showsReason = false }: Props) {
  const open = useOpenChanges();
  const reasonOf = useProblemText();
  const needy = useNeedyChanges(record, change);
  const badge = badgeOf(change);
  const row = needy.find(({ state }) => state === change);
  const problem = badge === 'refused' ? (row?.problem ?? null) : null;
  const hasWords = useLateTexts(problem !== null);
  if (badge === null) return null;
  const heldBy = badge === 'held' ? (row?.heldBy ?? null) : null;
  return (
    <ChangeBadge
      badge={badge}
      reason={problem === null || !hasWords ? null : reasonOf(problem)}
      showsReason={showsReason}
      onOpen={() => {
        open(heldBy === null ? { record } : { change: heldBy });
      }}
    />
  );
}
