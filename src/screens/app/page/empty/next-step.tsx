import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { mayAdminister } from '#rules/organization.ts';
import { compareTexts } from '#rules/record/display.ts';
import { makesProjectsHere } from '#rules/organization.ts';
import { useOrganization } from '#session/organization.ts';
import { useFind, useList, useOrganizations, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { useDisplayName } from '../use-display-name.ts';

interface NextStep {
  /** Says what to do next, and who may where the viewer may not; null: nothing is missing. */
  readonly text: string | null;
  /** Leads there, where the viewer may do it. */
  readonly action?: ReactNode;
}

/**
 * The next step towards a published app in the organization in view, for this viewer: what empty
 * lists say besides what they are for.
 */
export function useNextStep(): NextStep {
  const t = useText();
  const viewer = useViewer();
  const organization = useOrganization();
  const organizations = useOrganizations();
  const id = organization ?? '';
  const stores = useList('organizationStore', { organization: id });
  const products = useList('organizationProductDefinition', { organization: id });
  const projectStep = useProjectStep(id);
  const isNothingHere = viewer.isSuperAdmin && organizations.length === 0;
  if (isNothingHere) return step(t('nextStep.organization'), SETTINGS, t('admin.firstSteps.title'));
  if (organization === null) return { text: null };

  const name = organizations.find((one) => one.id === organization)?.name ?? '';
  const isWithout = ({ state, total }: typeof stores | typeof products) =>
    state === 'ready' && total === 0;
  const isAdmin = mayAdminister(viewer, organization);
  const needsStores = isAdmin && isWithout(stores);
  if (needsStores && viewer.isSuperAdmin)
    return step(t('nextStep.stores', { name }), `${SETTINGS}/${id}/stores`, t('org.setStores'));
  if (isAdmin && isWithout(products))
    return step(
      t('nextStep.products', { name }),
      `/organizations/${id}/settings/products`,
      t('project.products.popup.toSettings'),
    );
  if (needsStores) return { text: `${t('nextStep.stores', { name })} ${t('org.askForStores')}` };

  return projectStep;
}

/** The way to the first project of one's own, or who gives what is missing for it. */
function useProjectStep(id: string): NextStep {
  const t = useText();
  const find = useFind();
  const viewer = useViewer();
  const admins = useAdminNames(id);
  if (!makesProjectsHere(viewer, id)) return { text: t('nextStep.role', { admins }) };
  const isInGroup = find.all('group', { owner: id }).some((group) => viewer.groups.has(group.id));
  if (!isInGroup && !viewer.isSuperAdmin) return { text: t('nextStep.group', { admins }) };
  return step(t('nextStep.project'), '/projects/new', t('header.addProject'));
}

const SETTINGS = '/admin/settings/organizations';

const step = (text: string, to: string, label: string): NextStep => ({
  text,
  action: (
    <Link className="ui primary button" to={to}>
      {label}
    </Link>
  ),
});

/** Names the admins of an organization, whom its members see; without any, says what they are. */
export function useAdminNames(organization: string): string {
  const t = useText();
  const find = useFind();
  const nameOf = useDisplayName();
  const { rows } = useList('userRole', { organization, roleName: 'OrganizationAdmin' });
  const names = rows
    .flatMap(({ user }) => find.one('user', user) ?? [])
    .map(nameOf)
    .sort(compareTexts);
  return names.length === 0 ? t('nextStep.anAdmin') : names.join(', ');
}
