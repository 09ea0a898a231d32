import { useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router-dom';
import { NoAnswerError } from '#session/environment.ts';
import { keepReturnTo } from '#session/return-to.ts';
import { signIn } from '#session/sign-in.tsx';
import { useChanges } from '#data/use-changes.ts';
import type { ChangeRow } from '#data/use-changes.ts';
import { wireTypeOf } from '#protocol/names.ts';
import { Button } from '#ui/button.tsx';
import { badgeOf } from '#ui/change-badge.tsx';
import { Note } from '#ui/boxes.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { Icon } from '#ui/icon.tsx';
import type { IconName } from '#ui/icon.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useText, useTextOf } from '#ui/text.ts';
import { useToast } from '#ui/toasts.tsx';
import { useOnline } from '../shell/use-online.ts';
import { useProblemText } from './problem-text.ts';
import { saveAsFile } from './save-as-file.ts';

const ICONS: Readonly<Record<ChangeRow['state'], IconName>> = {
  waiting: 'clock',
  sending: 'sync',
  refused: 'error',
  conflict: 'conflict',
  held: 'link',
  confirm: 'question',
  done: 'check',
};

const GROUPS = [
  ['needYou', (state: ChangeRow['state']) => !isQuiet(state) && state !== 'done'],
  ['waiting', (state: ChangeRow['state']) => isQuiet(state)],
  ['done', (state: ChangeRow['state']) => state === 'done'],
] as const;

function isQuiet(state: ChangeRow['state']): boolean {
  return state === 'waiting' || state === 'sending';
}

interface Props {
  readonly onClose: () => void;
}

/** Every change that is not done, and the last that are: what, where it stands, why, what to do. */
export function ChangesPanel({ onClose }: Props) {
  const t = useText();
  const { status, rows } = useChanges();
  const isAllDone = rows.every(({ state }) => state === 'done');
  return (
    <Dialog
      title={t('changes.title')}
      size="right"
      onClose={onClose}
      {...(isAllDone ? {} : { actions: <Foot /> })}
    >
      {status === 'sign-in' && <SignInAgain />}
      {status === 'offline' && <Note tone="info">{t('changes.offline')}</Note>}
      {status === 'problem' && <Note tone="warning">{t('sync.problemLine')}</Note>}
      {rows.length === 0 && <p className="soft">{t('changes.empty')}</p>}
      <div onKeyDown={moveBetweenLines}>
        {GROUPS.map(([name, belongs]) => {
          const group = rows.filter(({ state }) => belongs(state));
          if (group.length === 0) return null;
          return (
            <section className="change-group" key={name}>
              <h3>{t(`changes.group.${name}`, { number: group.length })}</h3>
              <ul className="change-list">
                {group.map((row) => (
                  <ChangeLine key={row.id} row={row} onClose={onClose} />
                ))}
              </ul>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}

/** What can be done with all of them together. */
function Foot() {
  const t = useText();
  const isOnline = useOnline();
  const { waiting, rows, discard, sendNow } = useChanges();
  const [isAsking, setAsking] = useState(false);
  const open = rows.filter(({ state }) => state !== 'done' && state !== 'sending');
  const close = () => {
    setAsking(false);
  };
  const discardAll = async () => {
    close();
    for (const { id } of open) await discard(id);
  };
  return (
    <>
      {open.length > 0 && (
        <Button
          negative
          onClick={() => {
            setAsking(true);
          }}
        >
          {t('changes.discardAll')}
        </Button>
      )}
      {waiting > 0 && isOnline && <Button onClick={sendNow}>{t('changes.sendNow')}</Button>}
      {isAsking && (
        <Dialog
          title={t('changes.discardAllTitle', { count: open.length })}
          onClose={close}
          actions={
            <>
              <Button onClick={close}>{t('common.cancel')}</Button>
              <Button negative onClick={() => void discardAll()}>
                {t('changes.discardAll')}
              </Button>
            </>
          }
        >
          <p>{t('changes.discardAllText')}</p>
        </Dialog>
      )}
    </>
  );
}

function SignInAgain() {
  const t = useText();
  const show = useToast();
  const leave = async () => {
    // Back to this page, where a form may be half filled in.
    keepReturnTo(location.pathname + location.search + location.hash);
    try {
      await signIn();
    } catch (error) {
      if (!(error instanceof NoAnswerError)) throw error;
      show({ tone: 'error', title: t('login.failed.no-answer') });
    }
  };
  return (
    <Note tone="warning">
      <p>{t('changes.signIn')}</p>
      <Button primary onClick={() => void leave()}>
        {t('login.signIn')}
      </Button>
    </Note>
  );
}

interface LineProps {
  readonly row: ChangeRow;
  readonly onClose: () => void;
}

function ChangeLine({ row, onClose }: LineProps) {
  const t = useText();
  const textOf = useTextOf();
  const reasonOf = useProblemText();
  const { tryAgain, discard, exportText } = useChanges();
  const { id, says, state, problem, about, madeAt } = row;
  const sentence = textOf(says[0], says[0], says[1]);
  const needsPerson = !isQuiet(state) && state !== 'done';
  const change = badgeOf(state);
  const save = () => {
    const text = exportText(id);
    if (text !== null) saveAsFile(`slipway-${id}.json`, text);
  };

  return (
    <li
      className="change-line"
      tabIndex={-1}
      data-record={`${wireTypeOf(about.type)}:${about.id}`}
      data-change={change ?? undefined}
    >
      <div className="change-says">
        {about.type === 'project' ? (
          <Link to={`/projects/${about.id}`} onClick={onClose}>
            {sentence}
          </Link>
        ) : (
          sentence
        )}
      </div>
      <div className="caption change-when">
        <span className={`change-state state-${state}`}>
          <Icon name={ICONS[state]} />
          {t(`changes.state.${state}`)}
        </span>
        · <RelativeTime at={madeAt} />
      </div>
      {problem !== null && <p className="change-reason">{reasonOf(problem)}</p>}
      {needsPerson && (
        <div className="box-actions">
          <Button onClick={() => void tryAgain(id)}>{t('common.tryAgain')}</Button>
          <Button negative onClick={() => void discard(id)}>
            {t('changes.discard')}
          </Button>
          <Button onClick={save}>{t('changes.export')}</Button>
        </div>
      )}
      {isQuiet(state) && (
        <div className="box-actions">
          {state === 'waiting' && (
            <button type="button" className="link-button" onClick={() => void discard(id)}>
              {t('changes.discard')}
            </button>
          )}
          <button type="button" className="link-button" onClick={save}>
            {t('changes.export')}
          </button>
        </div>
      )}
    </li>
  );
}

function moveBetweenLines(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const lines = [...event.currentTarget.querySelectorAll<HTMLElement>('.change-line')];
  const at = lines.findIndex((line) => line.contains(document.activeElement));
  const next = lines[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
