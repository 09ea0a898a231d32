import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Of } from '#schema/index.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useData } from './use-data.ts';

/** What every page needs to know: who is here, their organizations, how many tasks wait for them. */
export interface Shell {
  readonly viewer: Viewer;
  readonly user: Of<'user'>;
  /** The viewer's, by name; all of them for a super admin. */
  readonly organizations: readonly Of<'organization'>[];
  readonly taskCount: number;
}

export const ShellContext = createContext<Shell | null>(null);

function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error('Only below a DataProvider that is ready');
  return shell;
}

/** Whoever is signed in, with their permissions and their own record. */
export function useViewer(): Viewer & { readonly user: Of<'user'> } {
  const { viewer, user } = useShell();
  return { ...viewer, user };
}

export function useOrganizations(): readonly Of<'organization'>[] {
  return useShell().organizations;
}

export function useTaskCount(): number {
  return useShell().taskCount;
}

/**
 * Whether there is something to show. `starting` until the device's copy is read; `unknown-user`
 * while the server has never told who this is; the others name the page to go to.
 */
export type Standing =
  | 'starting'
  | 'unknown-user'
  | 'ready'
  | 'email-not-verified'
  | 'user-locked'
  | 'client-too-old'
  | 'storage-failed';

export function useStanding(): Standing {
  const { standing } = useData();
  return useSyncExternalStore(standing.subscribe, standing.view);
}
