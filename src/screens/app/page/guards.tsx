import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { isUuid } from '#base/id.ts';
import type { Of, TypeName } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import type { Find } from '#rules/find.ts';
import { administersHere } from '#rules/organization.ts';
import { mayEditProject, mayOpenProject } from '#rules/project.ts';
import type { Viewer } from '#rules/viewer.ts';
import { useOrganization } from '#session/organization.ts';
import {
  useChanges,
  useFind,
  useList,
  useRecord,
  useRecordAnywhere,
  useViewer,
} from '#data/react/hooks.ts';
import { Skeleton } from '#ui/status/boxes.tsx';
import { NotHere } from './device/not-here.tsx';
import { LatePart, loadWithTexts } from './late/late-part.tsx';
import type { EntryRefusal } from './late/turned-away.tsx';
import { LateNotFound } from './late-not-found.tsx';

const loadTurnedAway = loadWithTexts(
  async () => (await import('./late/turned-away.tsx')).TurnedAway,
);

/** The facts that a guard goes by. */
interface Place {
  readonly viewer: Viewer;
  readonly organization: string | null;
  readonly find: Find;
  /** The project that the address names, where it names one. */
  readonly project: Of<'project'> | null;
}

/** Says why someone may not enter; null when they may. */
export type Guard = (place: Place) => EntryRefusal | null;

/** Lets in whoever is signed in. */
export const everyone: Guard = () => null;

/** An admin of the current organization, or of any when all are in view. */
export const adminsHere: Guard = ({ viewer, organization }) =>
  administersHere(viewer, organization) ? null : 'forbidden';

/** An admin of some organization, whichever is in view. */
export const adminsSomewhere: Guard = ({ viewer }) =>
  administersHere(viewer, null) ? null : 'forbidden';

/** Super admins alone. */
export const superAdmins: Guard = ({ viewer }) => (viewer.isSuperAdmin ? null : 'forbidden');

/**
 * Lets in those who have an organization in view and are in at least one group of any; super admins
 * need no group.
 */
export const projectMakers: Guard = ({ viewer, organization }) => {
  if (organization === null) return 'organization';
  return viewer.isSuperAdmin || viewer.groups.size > 0 ? null : 'group';
};

/** Lets in people who make projects and are admins of the organization in view. */
export const importers: Guard = (place) => projectMakers(place) ?? adminsHere(place);

/** The team of the project; nobody is turned away from one that they do not see: it is not found. */
export const projectTeam: Guard = ({ viewer, project, find }) => {
  if (project === null) return null;
  if (!viewer.isSuperAdmin && !viewer.memberOf.has(project.organization)) return 'not-a-member';
  return mayOpenProject(viewer, project, find) ? null : 'forbidden';
};

/** The team without its authors. */
export const projectEditors: Guard = (place) => {
  const refusal = projectTeam(place);
  if (refusal !== null || place.project === null) return refusal;
  return mayEditProject(place.viewer, place.project) ? null : 'forbidden';
};

interface Props {
  readonly guard: Guard;
  readonly children: ReactNode;
}

/** Lets those in whom `guard` lets in, for as long as it does. */
export function Guarded({ guard, children }: Props) {
  const { projectId = null } = useParams();
  // Any other word below `/projects` is the address of nothing.
  if (projectId !== null && !isUuid(projectId)) return <LateNotFound />;
  return projectId === null ? (
    <Decided guard={guard} project={null}>
      {children}
    </Decided>
  ) : (
    <GuardedProject id={projectId} guard={guard}>
      {children}
    </GuardedProject>
  );
}

function GuardedProject({ id, guard, children }: Props & { readonly id: string }) {
  const { id: user } = useViewer();
  // Being made an author opens the page at once.
  useList('author', { project: id, user });

  return (
    <Found type="project" id={id} guard={guard}>
      {(project) => (
        <Decided guard={guard} project={project}>
          {children}
        </Decided>
      )}
    </Found>
  );
}

interface FoundProps<T extends TypeName> {
  readonly type: T;
  readonly id: string;
  /** Says why whoever does not see the record is turned away. */
  readonly guard: Guard;
  readonly children: (record: Of<T>, change: ChangeState | null) => ReactNode;
}

/**
 * The record that the address names; what stands in its place while, or where, there is none. The
 * server is asked for what is not on the device, for one may see it all the same: public projects,
 * their products and their owners.
 */
export function Found<T extends TypeName>({ type, id, guard, children }: FoundProps<T>) {
  const { isSuperAdmin } = useViewer();
  const isHere = useRecord(type, id).record !== null;
  const found = useRecordAnywhere(type, id, isSuperAdmin || !isHere);
  const { state, record, change, isUnanswered, serverError } = found;
  const { status } = useChanges();
  if (state === 'loading') return <Skeleton rows={5} />;
  if (state === 'gone' || (record === null && change !== null))
    return <LateNotFound withChangesOf={change === null ? null : id} />;
  if (record !== null) return children(record, change);
  if (status === 'offline' || isUnanswered) return <NotHere isPage serverError={serverError} />;
  return (
    <Decided guard={guard} project={null}>
      <LateNotFound />
    </Decided>
  );
}

/** Lets in, or turns away, where the project is already found. */
export function Decided({ guard, project, children }: Props & Pick<Place, 'project'>) {
  const viewer = useViewer();
  const organization = useOrganization();
  const find = useFind();
  const refusal = guard({ viewer, organization, find, project });
  return refusal === null ? children : <LatePart load={loadTurnedAway} props={{ refusal }} />;
}
