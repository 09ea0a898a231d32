import type { Standing } from '../model/views.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Of } from '#schema/index.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useData } from './use-data.ts';

/** What every page needs to know: who is here, and their organizations. */
export interface Shell {
  readonly viewer: Viewer & { readonly user: Of<'user'> };
  /** The viewer's, by name; all of them for a super admin. */
  readonly organizations: readonly Of<'organization'>[];
}

export const ShellContext = createContext<Shell | null>(null);

function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (shell === null) throw new Error('Only below a DataProvider that is ready');
  return shell;
}

/** Whoever is signed in, with their permissions and their own record. */
export function useViewer(): Viewer & { readonly user: Of<'user'> } {
  return useShell().viewer;
}

export function useOrganizations(): readonly Of<'organization'>[] {
  return useShell().organizations;
}

export function useStanding(): Standing {
  const { standing } = useData();
  return useSyncExternalStore(standing.subscribe, standing.view);
}
