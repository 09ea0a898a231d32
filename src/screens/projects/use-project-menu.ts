import { mayArchive, mayClaim } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { claim, setOwner } from '#data/actions/projects.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useArchiving } from './use-archiving.ts';

/** The other actions of a project; `onArchiving` is called before its record changes. */
export function useProjectMenu(
  project: Of<'project'>,
  onArchiving?: (projects: readonly Of<'project'>[]) => void,
): readonly MenuEntry[] {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const attempt = useAttempt();
  const saved = useSaved();
  const run = useArchiving();
  const entries: MenuEntry[] = [];

  const take = async () => {
    const { owner } = project;
    if (!(await attempt(t('errors.generic'), () => claim(data, project)))) return;
    const giveBack = (to: string) => () =>
      void attempt(t('errors.generic'), () => setOwner(data, project, to));
    saved({
      success: t('project.claimSuccess'),
      ...(owner === null ? {} : { undo: giveBack(owner) }),
    });
  };
  if (mayClaim(viewer, project))
    entries.push({
      id: 'claim',
      label: t('project.claim'),
      icon: 'person',
      run: () => void take(),
    });
  if (mayArchive(viewer, project)) {
    const operation = project.dateArchived === null ? 'archive' : 'reactivate';
    entries.push({
      id: operation,
      label: t(`projects.bulk.${operation}`),
      icon: operation === 'archive' ? 'archive' : 'restore',
      run: () => {
        onArchiving?.([project]);
        void run(operation, [project]);
      },
    });
  }
  return entries;
}
