import { useEffect, useSyncExternalStore } from 'react';
import { useOrganization } from '#session/organization.ts';
import { useList, useViewer } from '#data/react/hooks.ts';
import { showTabIcon } from '#ui/picture/tab-icon.ts';
import type { TabStatus } from '#ui/picture/tab-icon.ts';
import { useOwnTasks } from '../../flow/own-tasks.ts';
import type { Appearance } from './use-appearance.ts';

const DARK = '(prefers-color-scheme: dark)';

function subscribeToScheme(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener('change', listener);
  return () => {
    query.removeEventListener('change', listener);
  };
}

interface Props {
  readonly appearance: Appearance;
}

/** Says on the tab's icon how things are, for who looks at another tab; it shows nothing itself. */
export function TabIcon({ appearance }: Props) {
  const status = useTabStatus();
  const isDark = useSyncExternalStore(subscribeToScheme, () => matchMedia(DARK).matches);
  useEffect(() => {
    void showTabIcon(status);
  }, [status, appearance, isDark]);
  useEffect(
    () => () => {
      void showTabIcon(null);
    },
    [],
  );
  return null;
}

const NONE = { isNull: true } as const;

/**
 * Of what is in view: whether a product of one's own projects is being built, has failed, or a task
 * waits; the first that is so, in the order of a product's statuses. Null: none is.
 */
function useTabStatus(): TabStatus | null {
  const { id: owner } = useViewer();
  const organization = useOrganization();
  const own = {
    owner,
    dateArchived: NONE,
    ...(organization === null ? {} : { organization }),
  };
  const building = useList('project', { ...own, 'products.status': 'building' }).total;
  const failed = useList('project', { ...own, 'products.status': 'failed' }).total;
  const { total: tasks } = useOwnTasks();
  if (building > 0) return 'busy';
  if (failed > 0) return 'bad';
  return tasks > 0 ? 'yours' : null;
}
