import { useDeferredValue, useMemo } from 'react';
import type { ReactNode } from 'react';
import { DataProvider as OrbitProvider, withData } from 'react-orbitjs';
import { compareTexts } from '#rules/record/display.ts';
import type { Data } from '../model/data.ts';
import { DataContext, useData, ViewerContext, useViewerStatus } from './hooks.ts';
import type { ViewerContextValue } from './hooks.ts';
import type { ViewerStatus } from '../model/views.ts';
import { viewerOf } from '../store/viewer.ts';

interface Props {
  readonly data: Data;
  /** Shown instead of `children` while there is nothing to show, or nothing for this person. */
  readonly fallback: (status: Exclude<ViewerStatus, 'ready'>) => ReactNode;
  readonly children: ReactNode;
}

/** Gives everything below it the local copy, the viewer and their organizations. */
export function DataProvider({ data, fallback, children }: Props) {
  return (
    <DataContext.Provider value={data}>
      <OrbitProvider dataStore={data.facade}>
        <WhenReady fallback={fallback}>{children}</WhenReady>
      </OrbitProvider>
    </DataContext.Provider>
  );
}

function WhenReady({ fallback, children }: Pick<Props, 'fallback' | 'children'>) {
  const status = useViewerStatus();
  const data = useData();
  // An app that is too old still shows what is here; a banner says what to do.
  const isHere = () => data.find.one('user', data.viewerId()) !== null;
  const isReady = status === 'ready' || (status === 'client-too-old' && isHere());
  // Everything at once is much to render: it is rendered in parts behind what is shown.
  const isDrawn = useDeferredValue(isReady);
  if (isReady && isDrawn) return <ShellData>{children}</ShellData>;
  return fallback(status === 'ready' ? 'starting' : status);
}

/** The queries of the shell: with every change of these types the context is computed again. */
const ShellData = withData<{ readonly children: ReactNode }>({
  people: (q) => q.findRecords('user'),
  organizations: (q) => q.findRecords('organization'),
  memberships: (q) => q.findRecords('organizationMembership'),
  roles: (q) => q.findRecords('userRole'),
  groups: (q) => q.findRecords('groupMembership'),
})(PublishShell);

type Found = Readonly<
  Record<'people' | 'organizations' | 'memberships' | 'roles' | 'groups', unknown>
>;

function PublishShell({ children, ...found }: Found & { readonly children: ReactNode }) {
  const data = useData();
  const { people, organizations, memberships, roles, groups } = found;
  // Each is a new array when, and only when, something of its type changed.
  const context = useMemo(
    () => viewerContextOf(data),
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [data, people, organizations, memberships, roles, groups],
  );
  return <ViewerContext.Provider value={context}>{children}</ViewerContext.Provider>;
}

function viewerContextOf(data: Data): ViewerContextValue {
  const viewer = viewerOf(data.find, data.viewerId());
  const user = data.find.one('user', viewer.id);
  if (user === null) throw new Error('The viewer is not here');
  const organizations = data.find
    .all('organization', {})
    .filter(({ id }) => viewer.isSuperAdmin || viewer.memberOf.has(id))
    .sort((a, b) => compareTexts(a.name, b.name));
  return { viewer: { ...viewer, user }, organizations };
}
