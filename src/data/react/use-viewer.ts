import type { ViewerStatus } from '../model/views.ts';
import { createContext, useContext, useSyncExternalStore } from 'react';
import type { Of } from '#schema/index.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useData } from './use-data.ts';

/** The viewer and their organizations, which every page needs. */
export interface ViewerContextValue {
  readonly viewer: Viewer & { readonly user: Of<'user'> };
  /** The viewer's organizations, by name; all of them for a super admin. */
  readonly organizations: readonly Of<'organization'>[];
}

export const ViewerContext = createContext<ViewerContextValue | null>(null);

function useViewerContext(): ViewerContextValue {
  const context = useContext(ViewerContext);
  if (context === null) throw new Error('Only below a DataProvider that is ready');
  return context;
}

/** The person who is signed in, with their permissions and their own record. */
export function useViewer(): Viewer & { readonly user: Of<'user'> } {
  return useViewerContext().viewer;
}

export function useOrganizations(): readonly Of<'organization'>[] {
  return useViewerContext().organizations;
}

export function useViewerStatus(): ViewerStatus {
  const { viewerStatus } = useData();
  return useSyncExternalStore(viewerStatus.subscribe, viewerStatus.view);
}
