import { useList, useViewer } from '#data/react/hooks.ts';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useNextStep } from '../app/page/empty/next-step.tsx';
import { useFilterHere } from '../app/page/here.tsx';

/** Says that nothing waits; and to somebody without a project, what they may do to get there. */
export function NoTasks() {
  const t = useText();
  const { id } = useViewer();
  const { state, total } = useList('project', {
    owner: id,
    dateArchived: null,
    ...useFilterHere(),
  });
  const next = useNextStep();
  const { text, action } = state === 'ready' && total === 0 ? next : NOTHING_MORE;
  return (
    <EmptyBox icon="tasks" title={t('tasks.noTasksTitle')} action={action}>
      {t('tasks.noTasksDescription')} {text}
    </EmptyBox>
  );
}

const NOTHING_MORE: ReturnType<typeof useNextStep> = { text: null };
