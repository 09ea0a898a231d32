import { administersHere } from '#rules/organization.ts';
import { makesProjectsHere } from '#rules/project.ts';
import { useOrganization } from '#session/organization.ts';
import { useViewer } from '#data/react/hooks.ts';

/** Says whether this person is an admin of the organization in view, or of any when all are. */
export function useIsAdminHere(): boolean {
  return administersHere(useViewer(), useOrganization());
}

/** Says whether this person makes projects in the organization in view, or in any when all are. */
export function useMakesProjectsHere(): boolean {
  return makesProjectsHere(useViewer(), useOrganization());
}
