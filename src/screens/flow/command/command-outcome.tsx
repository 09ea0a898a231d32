import type { Of } from '#schema/index.ts';
import { useChanges, useData } from '#data/react/hooks.ts';
import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { useOpenChanges } from '../../app/page/changes/changes-context.ts';
import { useProblemText } from '../../app/page/changes/problem-text.ts';
import { useAttempt } from '../../app/page/use-attempt.ts';
import { stepOutOf } from '../history.ts';
import { useCommandName, useNameOf } from '../task.tsx';
import { commentOf } from './use-command.ts';
import type { CommandRow } from './use-command.ts';

/** In these states nothing is sent at the moment. */
const RESTS: ReadonlySet<string> = new Set(['offline', 'sign-in', 'problem']);

interface UnderWayProps {
  readonly row: CommandRow;
  readonly onUndone: (row: CommandRow) => void;
}

/** A command that was given and has no answer yet. */
export function UnderWay({ row, onUndone }: UnderWayProps) {
  const t = useText();
  const attempt = useAttempt();
  const { changes } = useData();
  const { status } = useChanges();
  const command = useCommandName()(row.typed.command);
  const isResting = RESTS.has(status);
  const comment = commentOf(row);
  const undo = async () => {
    if (await attempt(t('errors.generic'), () => changes.undo(row.id))) onUndone(row);
  };
  return (
    <div className="under-way" role="status" data-change="waiting">
      <Icon name={isResting ? 'clock' : 'sync'} />
      <div className="box-body">
        <strong>{t(isResting ? 'flow.willBeSent' : 'flow.sending', { command })}</strong>
        {isResting && <div className="caption">{t('flow.willBeSentText')}</div>}
        {comment !== '' && <div className="caption">{t('flow.youWrote', { comment })}</div>}
      </div>
      {row.canUndo && <Button onClick={() => void undo()}>{t('common.undo')}</Button>}
    </div>
  );
}

interface NeedyProps {
  readonly row: CommandRow;
  readonly history: readonly Of<'productTransition'>[];
}

/** A command that was not accepted, with why and what was typed; or that waited for too long. */
export function Needy({ row, history }: NeedyProps) {
  const t = useText();
  const open = useOpenChanges();
  const attempt = useAttempt();
  const reasonOf = useProblemText();
  const nameOf = useNameOf();
  const { changes } = useData();
  const command = useCommandName()(row.typed.command);
  const { problem, state } = row;
  const comment = commentOf(row);
  const isMovedOn = problem?.code === 'workflow-state-changed';
  const step = isMovedOn ? stepOutOf(history, row.typed.state) : null;
  const why = () => {
    if (step !== null) return t('flow.movedOnBy', { name: nameOf(step.workflowUserId) });
    if (isMovedOn) return t('flow.movedOn');
    return problem === null ? t('badges.confirm.sentence') : reasonOf(problem);
  };
  return (
    <div role="alert">
      <Note tone={state === 'refused' && !isMovedOn ? 'error' : 'warning'}>
        <strong>
          {t(state === 'refused' ? 'flow.notAccepted' : 'flow.willBeSent', { command })}
        </strong>
        <p>{why()}</p>
        {comment !== '' && <p dir="auto">{t('flow.youWrote', { comment })}</p>}
        <div className="box-actions">
          <Button
            onClick={() => {
              open({ change: row.id });
            }}
          >
            {t('common.show')}
          </Button>
          {state === 'refused' && (
            <Button
              onClick={() => void attempt(t('errors.generic'), () => changes.discard(row.id))}
            >
              {t('forms.discard')}
            </Button>
          )}
        </div>
      </Note>
    </div>
  );
}
