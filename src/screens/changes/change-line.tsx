import type { KeyboardEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { ChangeRow } from '#data/model/views.ts';
import { useData } from '#data/react/hooks.ts';
import { badgeOf, recordMark } from '../app/page/changes/record-badge.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import type { IconName } from '#ui/picture/icon.tsx';
import { Dot, RelativeTime } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { ChangedValues } from './changed-values.tsx';
import { ArchiveInstead, RemoveInstead } from './instead.tsx';
import { isMergeable, Merge } from './merge.tsx';
import { usePlaces } from './places.ts';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { useReadable } from './readable.ts';
import { RefusedTogether } from '../products/refused-together.tsx';
import { saveAsFile } from '../app/page/device/save-as-file.ts';
import { useUndoOffer } from './undo-offer.ts';
import type { UndoOffer } from './undo-offer.ts';
import { Basis, Conflict, Typed } from './versions.tsx';

const ICONS: Readonly<Record<ChangeRow['state'], IconName>> = {
  waiting: 'clock',
  sending: 'sync',
  refused: 'error',
  conflict: 'conflict',
  held: 'link',
  confirm: 'question',
  done: 'check',
};

/** The actions of the panel that a line calls. */
export interface PanelActions {
  readonly giveUp: (row: ChangeRow, how: 'discard' | 'undo') => void;
  /** Shows another change of the panel. */
  readonly goTo: (id: string) => void;
  readonly close: () => void;
  readonly find: (id: string) => ChangeRow | null;
}

interface Props {
  readonly row: ChangeRow;
  readonly actions: PanelActions;
  /** Its place among the lines of its group, from 1. */
  readonly place: number;
  readonly of: number;
  /** True if it stands below the name of its project. */
  readonly isOfProject?: boolean;
}

/** One change: what, of which record, where it stands, with which values or why, and what can be done. */
export function ChangeLine({ row, actions, place, of, isOfProject = false }: Props) {
  const t = useText();
  const go = useNavigate();
  const { sentence } = useReadable();
  const { page } = usePlaces(row);
  const { id, says, state, about, madeAt } = row;
  const undo = useUndoOffer(row);
  const isQuiet = state === 'waiting' || state === 'sending' || state === 'done';

  const open = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.target !== event.currentTarget || page === null) return;
    actions.close();
    void go(page);
  };
  return (
    <div
      role="listitem"
      className={`change-line ${isQuiet ? 'change-quiet' : ''} ${isOfProject ? 'is-of-project' : ''}`}
      tabIndex={-1}
      aria-posinset={place}
      aria-setsize={of}
      data-id={id}
      data-record={recordMark(about.type, about.id)}
      data-change={badgeOf(state) ?? undefined}
      onKeyDown={open}
    >
      <div className="change-says" dir="auto">
        {page === null ? (
          sentence(says)
        ) : (
          <Link to={page} onClick={actions.close}>
            {sentence(says)}
          </Link>
        )}
      </div>
      <div className="caption change-when">
        <span className={`change-state state-${state}`}>
          <Icon name={ICONS[state]} />
          {t(`changes.state.${state}`)}
        </span>
        <Dot />
        <RelativeTime at={madeAt} />
      </div>
      <Why row={row} actions={actions} />
      {undo.whyNot !== null && <p className="change-note">{undo.whyNot}</p>}
      <RowActions row={row} actions={actions} undo={undo} />
    </div>
  );
}

type PartProps = Pick<Props, 'row' | 'actions'>;

/** Says why a change is in its state, with what was typed. */
function Why({ row, actions }: PartProps) {
  const t = useText();
  const reasonOf = useProblemText();
  const { sentence } = useReadable();
  const { state, problem, heldBy } = row;
  switch (state) {
    case 'refused':
      return (
        <>
          {problem !== null && <p className="change-reason">{reasonOf(problem)}</p>}
          {problem !== null && <RefusedTogether problem={problem} />}
          <Typed row={row} title={t('changes.typed')} />
        </>
      );
    case 'conflict':
      return (
        <>
          <p className="change-note">{t('changes.conflictText')}</p>
          <Conflict row={row} />
          {isMergeable(row) && <Merge row={row} find={actions.find} />}
          <Typed row={row} title={t('changes.conflictAlso')} />
        </>
      );
    case 'confirm':
      return (
        <>
          <p className="change-note">{t('changes.confirmText')}</p>
          <ChangedValues row={row} />
          <Basis row={row} />
        </>
      );
    case 'held': {
      const other = heldBy === null ? null : actions.find(heldBy);
      return (
        <>
          <p className="change-note">
            {other === null ? t('changes.heldByGone') : t('changes.heldBy')}{' '}
            {other !== null && (
              <button
                type="button"
                className="link-button"
                onClick={() => {
                  actions.goTo(other.id);
                }}
              >
                {sentence(other.says)}
              </button>
            )}
          </p>
          <Typed row={row} title={t('changes.typed')} />
        </>
      );
    }
    case 'waiting':
    case 'sending':
    case 'done':
      return <ChangedValues row={row} />;
  }
}

type RowAction = 'edit' | 'again' | 'mine' | 'theirs' | 'send' | 'undo' | 'discard' | 'export';

/** The actions that are offered, by the state of a change. */
const OFFERED: Readonly<Record<ChangeRow['state'], readonly RowAction[]>> = {
  refused: ['edit', 'again', 'discard', 'export'],
  conflict: ['mine', 'theirs', 'export'],
  confirm: ['send', 'discard', 'export'],
  held: ['discard', 'export'],
  waiting: ['undo', 'export'],
  sending: ['undo', 'export'],
  done: ['undo'],
};

/** Nobody knows how to make it again. */
const UNREADABLE: readonly RowAction[] = ['discard', 'export'];

/** The buttons for what can be done about a change. */
function RowActions({ row, actions, undo }: PartProps & { readonly undo: UndoOffer }) {
  const { form } = usePlaces(row);
  const isLost = row.lostParent !== null;
  const offered = (row.isUnreadable ? UNREADABLE : OFFERED[row.state]).filter((action) => {
    if (action === 'edit') return form !== null && !isLost;
    // While something built on it is there, it could only be refused again.
    if (action === 'again') return !isLost && undo.whyNot === null;
    return action !== 'undo' || undo.isOffered;
  });
  if (offered.length === 0 && undo.archives === null && undo.removes === null) return null;
  return (
    <div className="box-actions">
      {undo.archives !== null && <ArchiveInstead project={undo.archives} />}
      {undo.removes !== null && <RemoveInstead product={undo.removes} />}
      {offered.map((action) =>
        action === 'edit' ? (
          <EditLink key={action} to={form ?? ''} onClose={actions.close} />
        ) : (
          <RowActionButton key={action} action={action} row={row} actions={actions} />
        ),
      )}
    </div>
  );
}

function EditLink({ to, onClose }: { readonly to: string; readonly onClose: () => void }) {
  const t = useText();
  return (
    <Link className="ui small button" to={to} onClick={onClose}>
      {t('common.edit')}
    </Link>
  );
}

const LABELS = {
  again: 'common.tryAgain',
  mine: 'changes.keepMine',
  theirs: 'changes.takeTheirs',
  send: 'changes.send',
  undo: 'common.undo',
  discard: 'changes.discard',
  export: 'changes.export',
} as const;

const LOOKS: Readonly<Partial<Record<RowAction, string>>> = {
  discard: 'ui small negative button',
  undo: 'link-button',
  export: 'link-button',
};

function RowActionButton({
  action,
  row,
  actions,
}: PartProps & { readonly action: keyof typeof LABELS }) {
  const t = useText();
  const attempt = useAttempt();
  const { changes } = useData();
  const { id } = row;
  const act = (): void => {
    const settle = (how: (id: string) => Promise<void>) =>
      void attempt(t('errors.generic'), () => how(id));
    switch (action) {
      case 'again':
        settle(changes.tryAgain);
        break;
      case 'mine':
        settle(changes.keepMine);
        break;
      case 'theirs':
        settle(changes.takeTheirs);
        break;
      case 'send':
        settle(changes.confirm);
        break;
      case 'undo':
      case 'discard':
        actions.giveUp(row, action);
        break;
      case 'export':
        saveAsFile(`slipway-${id}.json`, changes.exportText(id) ?? '');
    }
  };
  return (
    <button type="button" className={LOOKS[action] ?? 'ui small button'} onClick={act}>
      {t(LABELS[action])}
    </button>
  );
}
