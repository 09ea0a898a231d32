import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { useAreOrganizationsComing, useList, useOrganizations } from '#data/react/hooks.ts';
import { CheckList, CheckListLine } from '#ui/status/check-list.tsx';
import { useText } from '#ui/text/text.ts';
import { settingsPath } from '../../organizations/settings.tsx';
import { useOpen } from '../../people/open-invites.tsx';
import { areaPath } from './areas.ts';

/**
 * The way from an empty installation to the first project: each step is ticked once it is done, and
 * all of them go when the last one is.
 */
export function FirstSteps() {
  const [first = null, ...others] = useOrganizations();
  const isComing = useAreOrganizationsComing();
  if (isComing || others.length > 0) return null;
  return first === null ? <BeforeTheFirst /> : <Steps organization={first.id} />;
}

const KEYS = ['organization', 'stores', 'products', 'group', 'people', 'project'] as const;

/** All there is to come, while nothing but the first step can be taken. */
function BeforeTheFirst() {
  return (
    <Box>
      {KEYS.map((key) => (
        <Step
          key={key}
          name={key}
          to={key === 'organization' ? areaPath('organizations', '/new') : null}
          isDone={false}
        >
          {key === 'organization' && <Invited />}
        </Step>
      ))}
    </Box>
  );
}

/** The other way to the first organization: whom somebody has invited to create it, or how to. */
function Invited() {
  const t = useText();
  const { rows } = useList('organizationInvite', { redeemed: false });
  const invited = useOpen(rows).map(({ ownerEmail }) => ownerEmail);
  return (
    <Link to="/admin">
      {invited.length === 0
        ? t('admin.firstSteps.invite')
        : t('admin.firstSteps.invited', { email: invited.join(', ') })}
    </Link>
  );
}

interface StepsProps {
  /** The only organization. */
  readonly organization: string;
}

function Steps({ organization: id }: StepsProps) {
  const has = {
    organization: true,
    stores: useList('organizationStore', { organization: id }).total > 0,
    products: useList('organizationProductDefinition', { organization: id }).total > 0,
    group: useList('group', { owner: id }).total > 0,
    project: useList('project', { organization: id }).total > 0,
  };
  const members = useList('organizationMembership', { organization: id }).total;
  const invites = useList('organizationMembershipInvite', { organization: id }).total;
  const isDone = { ...has, people: members > 1 || invites > 0 };
  const to = {
    organization: areaPath('organizations', '/new'),
    stores: areaPath('organizations', `/${id}/stores`),
    products: settingsPath(id, '/products'),
    group: settingsPath(id, '/groups'),
    people: '/users',
    project: '/projects/new',
  };
  if (KEYS.every((key) => isDone[key])) return null;
  return (
    <Box>
      {KEYS.map((key) => (
        <Step key={key} name={key} to={to[key]} isDone={isDone[key]} />
      ))}
    </Box>
  );
}

function Box({ children }: { readonly children: ReactNode }) {
  const t = useText();
  return (
    <Segment className="first-steps">
      <h2>{t('admin.firstSteps.title')}</h2>
      <p className="soft">{t('admin.firstSteps.text')}</p>
      <CheckList>{children}</CheckList>
    </Segment>
  );
}

interface StepProps {
  readonly name: (typeof KEYS)[number];
  /** Null: it cannot be taken yet. */
  readonly to: string | null;
  readonly isDone: boolean;
  /** Stands after it. */
  readonly children?: ReactNode;
}

function Step({ name, to, isDone, children }: StepProps) {
  const t = useText();
  const title = t(`admin.firstSteps.${name}`);
  return (
    <CheckListLine is={isDone ? 'done' : 'next'} mark={t('admin.firstSteps.done')}>
      {to === null ? <span className="soft">{title}</span> : <Link to={to}>{title}</Link>}
      {children}
    </CheckListLine>
  );
}
