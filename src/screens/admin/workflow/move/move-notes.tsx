import { Note } from '#ui/status/boxes.tsx';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../../../app/page/changes/problem-text.ts';
import type { MoveTrouble } from './use-move.ts';
import type { usePresent } from './use-present.ts';
import { useStateName } from '../../../flow/task.tsx';

interface Props {
  readonly present: ReturnType<typeof usePresent>;
  /** Null also where it stands at a field. */
  readonly trouble: MoveTrouble | null;
}

/** Says above the buttons that the workflow moved on meanwhile, or why it was not moved. */
export function MoveNotes({ present, trouble }: Props) {
  const t = useText();
  const reasonOf = useProblemText();
  const nameOf = useStateName();
  const { state, seen, refresh } = present;
  if (state !== seen)
    return (
      <div role="alert">
        <Note tone="warning">
          {state === null ? (
            t('workflow.endedMeanwhile')
          ) : (
            <>
              <p>{t('workflow.movedOn', { state: nameOf(state) })}</p>
              <div className="box-actions">
                <Button onClick={refresh}>{t('workflow.checked', { state: nameOf(state) })}</Button>
              </div>
            </>
          )}
        </Note>
      </div>
    );
  const isSaid = trouble === null || isMovedOn(trouble);
  return (
    <div role="alert">
      {!isSaid && (
        <Note tone="error">
          <strong>{t('workflow.notMoved')}</strong>
          <p>{trouble.is === 'no-answer' ? t('workflow.noAnswer') : reasonOf(trouble.problem)}</p>
        </Note>
      )}
    </div>
  );
}

const isMovedOn = (trouble: MoveTrouble): boolean =>
  trouble.is === 'refused' && trouble.problem.code === 'workflow-state-changed';
