import { mayComment } from '#rules/product-comment.ts';
import type { Of } from '#schema/index.ts';
import { addComment } from '#data/actions/comments.ts';
import { useData, useFind, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { CommentField } from './comment-field.tsx';

/** A product on which one comments, by the name of its definition. */
export interface CommentedProduct {
  readonly id: string;
  readonly label: string;
}

interface NewCommentProps {
  readonly project: Of<'project'>;
  readonly product: CommentedProduct;
}

/** Where something is said about the product in view. */
export function NewComment({ project, product: { id: product, label } }: NewCommentProps) {
  const t = useText();
  const data = useData();
  const find = useFind();
  const viewer = useViewer();
  const attempt = useAttempt();
  if (!mayComment(viewer, { product }, find)) return null;
  return (
    <CommentField
      project={project}
      draft={`comment-on.${product}`}
      label={t('activity.field.label', { product: label })}
      verb={t('activity.field.send')}
      onSave={(text) =>
        attempt(t('errors.generic'), () =>
          addComment(data, product, text, { product: label, project: project.name }),
        )
      }
    />
  );
}
