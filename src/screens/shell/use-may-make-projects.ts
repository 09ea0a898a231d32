import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/use-viewer.ts';

/** Whether this person makes projects; `no-organization`: they would, with one in view. */
export function useMayMakeProjects(): 'yes' | 'no' | 'no-organization' {
  const viewer = useViewer();
  const organization = useOrganization();
  const { builderIn, isSuperAdmin } = viewer;
  const isBuilder = organization === null ? builderIn.size > 0 : builderIn.has(organization);
  if (!isSuperAdmin && !isBuilder) return 'no';
  return organization === null ? 'no-organization' : 'yes';
}
