import type { ReactNode } from 'react';
import type { Uploaded } from '#protocol/file-paths.ts';
import { allowsUploadNext } from '#rules/task/task.ts';
import type { Of } from '#schema/index.ts';
import { useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { splitAtElement } from '#ui/text/split-at-element.ts';
import { useText } from '#ui/text/text.ts';
import { TaskLink } from '../products/in-project/task-link.tsx';
import { RepositoryContent } from '../repository/repository-content.tsx';
import { SidePart } from './parts/side-part.tsx';

interface RepositoryPanelProps {
  readonly project: Of<'project'>;
  /** Is called with what is there, newest first; null: the server did not say when asked last. */
  readonly onKnown: (uploads: readonly Uploaded[] | null) => void;
}

/** The part of a project's page that shows its content, and takes new. */
export function RepositoryPanel({ project, onKnown }: RepositoryPanelProps) {
  const t = useText();
  const uploadNext = useUploadNext(project.id);
  return (
    <section className="side-panel repository" id="repository" aria-labelledby="repository-title">
      <SidePart title={t('repository.title')}>
        <div className="repository-inside">
          <h2 id="repository-title" tabIndex={-1}>
            {t('repository.title')}
          </h2>
          <RepositoryContent project={project} uploadNext={uploadNext} onKnown={onKnown} />
        </div>
      </SidePart>
    </section>
  );
}

/** Names the task after which the viewer may upload; null: there is none. */
function useUploadNext(project: string): ReactNode {
  const { id: user } = useViewer();
  const { rows } = useList('userTask', { user, 'product.project': project });
  const task = rows.find(allowsUploadNext) ?? null;
  const { record: product } = useRecord('product', task?.product ?? null);
  if (task === null || product === null) return null;
  return <UploadComesNext task={task} product={product} />;
}

interface UploadComesNextProps {
  readonly task: Of<'userTask'>;
  readonly product: Of<'product'>;
}

/** "You can upload after you continue “Author Download” (HTML Site)." */
function UploadComesNext({ task, product }: UploadComesNextProps) {
  const t = useText();
  const { record: definition } = useRecord('productDefinition', product.productDefinition);
  const name = definition?.name ?? '';
  const [before, after] = splitAtElement((step) =>
    t('repository.whyNot.task', { task: step, product: name }),
  );
  return (
    <p className="caption">
      {before}
      <TaskLink task={task} product={product} />
      {after}
    </p>
  );
}
