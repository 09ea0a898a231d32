import type { Of } from '#schema/index.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import { useText } from '#ui/text/text.ts';
import { TaskComment, useNameOf } from '../task.tsx';
import { lastWordOf } from '../history.ts';

interface Props {
  readonly history: readonly Of<'productTransition'>[];
  /** The comment as the task has it, while the history is not here. */
  readonly otherwise: string | null;
}

/** Shows the comment of the last step, by whom and when; nothing where there is none. */
export function LastWord({ history, otherwise }: Props) {
  const t = useText();
  const nameOf = useNameOf();
  const word = lastWordOf(history);
  const comment = word === null ? otherwise : word.comment;
  if (comment === null || comment.trim() === '') return null;
  return (
    <section className="last-word" aria-label={t('flow.lastStep')}>
      <Icon name="info" />
      <div>
        <div className="last-word-text">
          <TaskComment comment={comment} />
        </div>
        {word !== null && (
          <div className="caption">
            <bdi>{nameOf(word.workflowUserId)}</bdi> · <RelativeTime at={word.dateTransition} />
          </div>
        )}
      </div>
    </section>
  );
}
