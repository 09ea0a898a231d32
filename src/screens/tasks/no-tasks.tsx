import { NO_FILTERS } from '#rules/record/project-query.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useNextStep } from '../app/page/empty/next-step.tsx';
import { useFilterHere } from '../app/page/here.tsx';
import { useListAddress } from '../app/page/list-state.ts';

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

/** Says that there are tasks, but that the filters hide them all. */
export function NoneShown() {
  const t = useText();
  const { setFilters } = useListAddress('');
  return (
    <EmptyBox
      icon="search"
      title={t('common.noResults')}
      action={
        <Button
          onClick={() => {
            // The button goes with the box.
            document.querySelector('main')?.focus({ preventScroll: true });
            setFilters(NO_FILTERS);
          }}
        >
          {t('projectFilters.clear')}
        </Button>
      }
    >
      {t('tasks.noneFound')}
    </EmptyBox>
  );
}
