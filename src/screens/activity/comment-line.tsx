import { useState } from 'react';
import { mayEditComment, mayRemoveComment } from '#rules/product-comment.ts';
import { partsOf } from '#rules/mention.ts';
import type { Of } from '#schema/index.ts';
import { editComment, removeComment } from '#data/actions/comments.ts';
import { useData, useFind, useRecord, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { recordMark, RecordBadge } from '../app/page/changes/record-badge.tsx';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { LinkedText, useNameOf } from '../flow/task.tsx';
import { CommentField } from './comment-field.tsx';

interface Props {
  readonly comment: Of<'productComment'>;
  readonly project: Of<'project'>;
  /** The name of the product's definition. */
  readonly product: string;
}

/** The words of a comment, with what its reader may do with it. */
export function CommentLine({ comment, project, product }: Props) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const { change } = useRecord('productComment', comment.id);
  const [isEditing, setEditing] = useState(false);
  const names = { product, project: project.name };
  const { dateCreated, dateUpdated } = comment;
  const isEdited = dateCreated !== null && dateUpdated !== null && dateUpdated > dateCreated;

  const remove = async () => {
    let back: () => Promise<void> = () => Promise.resolve();
    const isDone = await attempt(t('errors.generic'), async () => {
      back = await removeComment(data, comment, names);
    });
    if (!isDone) return;
    saved({
      success: t('activity.removed'),
      undo: () => void attempt(t('errors.generic'), back),
    });
  };

  if (isEditing)
    return (
      <CommentField
        project={project}
        draft={`comment.${comment.id}`}
        label={t('activity.edit')}
        verb={t('common.save')}
        text={comment.text}
        onSave={async (text) => {
          const isDone = await attempt(t('errors.generic'), () =>
            editComment(data, comment, text, names),
          );
          if (isDone) setEditing(false);
          return isDone;
        }}
        onCancel={() => {
          setEditing(false);
        }}
      />
    );
  return (
    <div className="comment" data-record={recordMark('productComment', comment.id)}>
      <CommentText text={comment.text} />
      <span className="caption">
        {isEdited && <span className="soft">{t('activity.isEdited')}</span>}
        <RecordBadge record={comment.id} change={change} showsReason />
        {mayEditComment(viewer, comment, find) && (
          <button
            type="button"
            className="link-button"
            onClick={() => {
              setEditing(true);
            }}
          >
            {t('common.edit')}
          </button>
        )}
        {mayRemoveComment(viewer, comment, find) && (
          <button type="button" className="link-button" onClick={() => void remove()}>
            {t('activity.remove')}
          </button>
        )}
      </span>
    </div>
  );
}

/** Words as typed, with the present names of the people who are mentioned. */
export function CommentText({ text }: { readonly text: string }) {
  const nameOf = useNameOf();
  return (
    <p className="comment-text" dir="auto">
      {partsOf(text).map((part, n) =>
        part.is === 'mention' ? (
          <strong key={n}>
            @<bdi>{nameOf(part.user)}</bdi>
          </strong>
        ) : (
          <LinkedText key={n} text={part.text}>
            {(words) => words}
          </LinkedText>
        ),
      )}
    </p>
  );
}
