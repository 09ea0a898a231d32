import type { ReactNode } from 'react';
import type { TypeName } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { badgeOf, RecordBadge, recordMark } from '../../app/page/changes/record-badge.tsx';
import { Avatar } from '#ui/picture/avatar.tsx';
import { Icon } from '#ui/picture/icon.tsx';

interface Props {
  readonly type: TypeName;
  readonly id: string;
  readonly change: ChangeState | null;
  /** Whose picture it has: the same text, the same picture. */
  readonly picture: string;
  /** The full text of the × button; null: not theirs to remove. */
  readonly removal: string | null;
  readonly onRemove: () => void;
  readonly children: ReactNode;
}

/** One who has a part in the project. */
export function PersonRow({ type, id, change, picture, removal, onRemove, children }: Props) {
  return (
    <li
      className="person-row"
      data-record={recordMark(type, id)}
      data-change={badgeOf(change) ?? undefined}
    >
      <Avatar of={picture} sidePx={28} />
      <span className="person-words">
        {children}
        <RecordBadge record={id} change={change} showsReason />
      </span>
      {removal !== null && (
        <button type="button" className="icon-button" aria-label={removal} onClick={onRemove}>
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
