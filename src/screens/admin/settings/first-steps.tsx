import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { useAreOrganizationsComing, useList, useOrganizations } from '#data/react/hooks.ts';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { settingsPath } from '../../organizations/settings.tsx';
import { areaPath } from './areas.ts';

/**
 * The way from an empty installation to the first project: each step is ticked once it is done, and
 * all of them go when the last one is.
 */
export function FirstSteps() {
  const [first = null, ...others] = useOrganizations();
  const isComing = useAreOrganizationsComing();
  return isComing || others.length > 0 ? null : <Steps organization={first?.id ?? null} />;
}

interface StepsProps {
  /** The only organization; null: there is none yet. */
  readonly organization: string | null;
}

function Steps({ organization }: StepsProps) {
  const t = useText();
  const id = organization ?? '';
  const has = {
    stores: useList('organizationStore', { organization: id }).total > 0,
    products: useList('organizationProductDefinition', { organization: id }).total > 0,
    group: useList('group', { owner: id }).total > 0,
    project: useList('project', { organization: id }).total > 0,
  };
  const members = useList('organizationMembership', { organization: id }).total;
  const invites = useList('organizationMembershipInvite', { organization: id }).total;
  const steps = [
    { key: 'organization', to: areaPath('organizations', '/new'), isDone: organization !== null },
    { key: 'stores', to: areaPath('organizations', `/${id}/stores`), isDone: has.stores },
    { key: 'products', to: settingsPath(id, '/products'), isDone: has.products },
    { key: 'group', to: settingsPath(id, '/groups'), isDone: has.group },
    { key: 'people', to: '/users', isDone: members > 1 || invites > 0 },
    { key: 'project', to: '/projects/new', isDone: has.project },
  ] as const;
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Segment className="first-steps">
      <h2>{t('admin.firstSteps.title')}</h2>
      <p className="soft">{t('admin.firstSteps.text')}</p>
      <ol>
        {steps.map(({ key, to, isDone }) => (
          <li key={key} className={isDone ? 'step-done' : undefined}>
            <span className="step-tick">
              {isDone && <Icon name="check" label={t('admin.firstSteps.done')} />}
            </span>
            {organization === null && key !== 'organization' ? (
              <span className="soft">{t(`admin.firstSteps.${key}`)}</span>
            ) : (
              <Link to={to}>{t(`admin.firstSteps.${key}`)}</Link>
            )}
          </li>
        ))}
      </ol>
    </Segment>
  );
}
