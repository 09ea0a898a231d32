import type { ViewerStatus } from '../model/views.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Of } from '#schema/index.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useData } from './use-data.ts';

/** What every page needs to know: who is here, and their organizations. */
export interface ViewerContextValue {
  readonly viewer: Viewer & { readonly user: Of<'user'> };
  /** The viewer's, by name; all of them for a super admin. */
  readonly organizations: readonly Of<'organization'>[];
}

export const ViewerContext = createContext<ViewerContextValue | null>(null);

function useShell(): ViewerContextValue {
  const shell = useContext(ViewerContext);
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

export function useViewerStatus(): ViewerStatus {
  const { viewerStatus } = useData();
  return useSyncExternalStore(viewerStatus.subscribe, viewerStatus.view);
}
