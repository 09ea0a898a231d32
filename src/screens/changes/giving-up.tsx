import { useState } from 'react';
import type { Find } from '#rules/find.ts';
import { useChanges, useData } from '#data/react/hooks.ts';
import type { ChangeRow } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Dialog } from '#ui/overlay/dialog.tsx';
import { useText } from '#ui/text/text.ts';
import { useToast } from '#ui/overlay/toasts.tsx';
import { archivingTakesAway } from '../projects/parts/public-addresses.ts';
import { SwitchOffQuestion, takesAway } from '../projects/parts/switch-off-question.tsx';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useReadable } from './readable.ts';

type How = 'discard' | 'undo';

interface GivingUp {
  /** Discards or undoes a change; asks first when others go with it, or lose what was published. */
  readonly giveUp: (row: ChangeRow, how: How) => void;
  /** Discards all of `rows` and what depends on them, with one toast that puts them back. */
  readonly discardAll: (rows: readonly ChangeRow[]) => Promise<void>;
  /** The question, while it stands. */
  readonly question: React.ReactNode;
}

/** Taking changes back: nothing goes without being said, and nothing without a way back. */
export function useGivingUp(): GivingUp {
  const t = useText();
  const show = useToast();
  const attempt = useAttempt();
  const { changes, find } = useData();
  const { undo } = useChanges();
  const { sentence } = useReadable();
  const [question, ask] = useState<{ row: ChangeRow; how: How } | null>(null);
  const [switching, setSwitching] = useState<ChangeRow | null>(null);

  const discardAll = async (rows: readonly ChangeRow[]) => {
    const putBack: (() => Promise<void>)[] = [];
    const [only] = rows;
    await attempt(t('errors.generic'), async () => {
      for (const { id } of rows) {
        const back = await changes.discard(id);
        if (back !== null) putBack.unshift(back);
      }
    });
    if (only === undefined || putBack.length === 0) return;
    const restore = async () => {
      for (const back of putBack) await back();
    };
    show({
      tone: 'info',
      ...(rows.length === 1
        ? { title: t('changes.discarded'), detail: sentence(only.says) }
        : { title: t('changes.discardedAll', { count: putBack.length }) }),
      action: {
        label: t('common.undo'),
        run: () => void attempt(t('errors.generic'), restore),
      },
    });
  };
  const now = (row: ChangeRow, how: How) => {
    if (how === 'discard') void discardAll([row]);
    else void attempt(t('errors.generic'), () => undo(row.id));
  };
  const giveUp = (row: ChangeRow, how: How) => {
    if (row.dependants.length === 0) now(row, how);
    else ask({ row, how });
  };
  const switchedOff = switching === null ? null : switchOffOf(switching, find);
  return {
    giveUp: (row, how) => {
      if (how === 'undo' && switchOffOf(row, find) !== null) setSwitching(row);
      else giveUp(row, how);
    },
    discardAll,
    question: (
      <>
        {switching !== null && switchedOff !== null && (
          <SwitchOffQuestion
            projects={[switchedOff.project]}
            which={switchedOff.which}
            onClose={() => {
              setSwitching(null);
            }}
            onConfirm={() => {
              giveUp(switching, 'undo');
            }}
          />
        )}
        {question !== null && (
          <Question
            {...question}
            onClose={() => {
              ask(null);
            }}
            onYes={() => {
              ask(null);
              now(question.row, question.how);
            }}
          />
        )}
      </>
    ),
  };
}

/**
 * Finds what undoing `row` takes away though others may be using it (screens 1.6): a switch that it
 * turns off, or the project that it archives again; null: nothing.
 */
function switchOffOf({ about, created, typed, canDiscard }: ChangeRow, find: Find) {
  // What was never sent has given nobody anything.
  if (canDiscard) return null;
  const project =
    about.type === 'project' && created === null ? find.one('project', about.id) : null;
  if (project === null) return null;
  if (typed.dateArchived === null && archivingTakesAway([project], find))
    return { project, which: 'archive' } as const;
  const on = (['isPublic', 'allowDownloads'] as const).filter((name) => typed[name] === true);
  const which = on.find((name) => takesAway(project, name, false, find) !== null);
  return which === undefined ? null : { project, which };
}

interface QuestionProps {
  readonly row: ChangeRow;
  readonly how: How;
  readonly onClose: () => void;
  readonly onYes: () => void;
}

/** So many are named; beyond that the number is said. */
const NAMED = 5;

function Question({ row, how, onClose, onYes }: QuestionProps) {
  const t = useText();
  const { changes } = useData();
  const { sentence } = useReadable();
  const wanted = new Set(row.dependants.slice(0, NAMED));
  const others = changes.view().rows.filter(({ id }) => wanted.has(id));
  const verb = how === 'discard' ? t('changes.discard') : t('common.undo');
  return (
    <Dialog
      title={t(`changes.dependantsTitle.${how}`)}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button negative onClick={onYes}>
            {verb}
          </Button>
        </>
      }
    >
      <p>{sentence(row.says)}</p>
      <p>{t('changes.dependantsText', { count: row.dependants.length })}</p>
      <ul>
        {others.map(({ id, says }) => (
          <li key={id}>{sentence(says)}</li>
        ))}
        {row.dependants.length > NAMED && <li>…</li>}
      </ul>
    </Dialog>
  );
}
