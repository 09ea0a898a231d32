import { useEffect } from 'react';
import { limits } from '#protocol/limits.ts';
import { paths } from '#protocol/paths.ts';
import type { Of } from '#schema/index.ts';
import { useChanges, useData } from '#data/react/hooks.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';

/**
 * Looks for the repository of a new project itself, while no server update comes that would bring
 * it.
 */
export function useSetUp({ id, version, workflowProjectUrl }: Of<'project'>): void {
  const { online } = useData();
  const { later } = useUiEnvironment();
  const { status } = useChanges();
  const isAwaited = version > 0 && workflowProjectUrl === null && status === 'offline';
  useEffect(() => {
    if (!isAwaited) return undefined;
    let callOff: () => void;
    const wait = () => {
      callOff = later(() => {
        if (document.visibilityState === 'visible') void online.query(paths.record('project', id));
        wait();
      }, limits.setupPollEveryMs);
    };
    wait();
    return () => {
      callOff();
    };
  }, [isAwaited, id, online, later]);
}
