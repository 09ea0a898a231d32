import { useMemo, useSyncExternalStore } from 'react';
import type { ChangeState } from '#data/model/change.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { TypeName } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';
import { useLateTexts } from '#ui/text/late-texts.ts';
import { useOpenChanges } from './changes-context.ts';
import { useProblemText } from './problem-text.ts';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';

/** What an element that shows a record carries as `data-record`. */
export const recordMark = (type: TypeName, id: string): string => `${wireTypeOf(type)}:${id}`;

/** The record that a page is about. */
export interface PageRecord {
  readonly type: TypeName;
  readonly id: string;
  readonly change: ChangeState | null;
}

/** The attributes of the element that shows a record, with the state of its change. */
export const recordMarks = ({ type, id, change }: PageRecord) => ({
  'data-record': recordMark(type, id),
  'data-change': badgeOf(change) ?? undefined,
});

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

interface RecordBadgeProps {
  readonly record: string;
  readonly change: ChangeState | null;
  /** A reason stands beside the badge; elsewhere it is said on hover and focus. */
  readonly showsReason?: boolean | undefined;
}

/**
 * Shows the state of a record's change as a small icon and a word in its colour, and its sentence on
 * hover and focus; opens the change, or the one that it waits for.
 */
export function RecordBadge({ record, change, showsReason = false }: RecordBadgeProps) {
  const t = useText();
  const open = useOpenChanges();
  const reasonOf = useProblemText();
  const needy = useNeedyChanges(record, change);
  const badge = badgeOf(change);
  const hasSentences = useLateTexts(badge !== null);
  if (badge === null) return null;
  const row = needy.find(({ state }) => state === change);
  const problem = problemOf(badge, row);
  const reason = problem === null || !hasSentences ? null : reasonOf(problem);
  const heldBy = badge === 'held' ? row?.heldBy : null;
  return (
    <>
      <button
        type="button"
        className={`badge badge-${badge}`}
        title={hasSentences ? (reason ?? t(`badges.${badge}.sentence`)) : undefined}
        onClick={() => {
          open(heldBy ? { change: heldBy } : { record });
        }}
      >
        <Icon name={ICONS[badge]} />
        {t(`badges.${badge}`)}
      </button>
      {showsReason && reason !== null && <span className="badge-reason">{reason}</span>}
    </>
  );
}

const problemOf = (badge: Badge, row: ChangeRow | undefined) =>
  badge === 'refused' ? (row?.problem ?? null) : null;

/** The state of a change that is not done, as its record shows it. */
type Badge = 'waiting' | 'refused' | 'conflict' | 'held' | 'confirm';

const ICONS: Readonly<Record<Badge, IconName>> = {
  waiting: 'clock',
  refused: 'error',
  conflict: 'conflict',
  held: 'link',
  confirm: 'question',
};

/** The badge for where a change stands; null when it needs none. */
export function badgeOf(state: string | null): Badge | null {
  if (state === 'sending') return 'waiting';
  return state !== null && Object.hasOwn(ICONS, state) ? (state as Badge) : null;
}
