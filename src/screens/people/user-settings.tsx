import { useState } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { compareTexts } from '#rules/record/display.ts';
import { mayManageGroup } from '#rules/group.ts';
import { mayEndMembership } from '#rules/organization.ts';
import { mayEditUser, mayResetSecondFactor } from '#rules/user.ts';
import { isSuperAdmin, mayGiveRole } from '#rules/user-role.ts';
import type { Of } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import { addToGroup, giveRole, removeFromGroup, takeRole } from '#data/actions/members.ts';
import type { ChangeState } from '#data/model/change.ts';
import {
  useData,
  useFind,
  useList,
  useOrganizations,
  useRecord,
  useViewer,
} from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { useToast } from '#ui/overlay/toasts.tsx';
import { useText } from '#ui/text/text.ts';
import { Dot, useDateFormats } from '#ui/value/values.tsx';
import { DetailPage } from '../app/page/detail-page.tsx';
import { everyone } from '../app/page/guards.tsx';
import { HeldSwitch, HeldSwitches, useSwitching } from '../app/page/held-switch.tsx';
import { LatePart } from '../app/page/late/late-part.tsx';
import { PageTabs } from '../app/page/page-tabs.tsx';
import { ProfileForm } from './edit-profile.tsx';
import { EndMembership } from './end-membership.tsx';
import { ROLES_OF_MEMBERS } from './invite-dialogs.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { SeenUser } from './user-guard.tsx';
import { Contact } from './user-page.tsx';
import './users.css';

type User = Of<'user'>;
type Organization = Of<'organization'>;

interface TabProps {
  readonly user: User;
  readonly change: ChangeState | null;
}

/** `/users/{id}/settings` */
export function UserSettings() {
  return (
    <SeenUser guardOf={() => everyone}>
      {(user, change) => <ProfileTab key={user.id} user={user} change={change} />}
    </SeenUser>
  );
}

/** `/users/{id}/settings/roles` */
export function UserRoles() {
  return (
    <SeenUser guardOf={() => everyone}>
      {(user, change) => (
        <SettingsPage user={user} change={change}>
          <Places user={user}>
            {(organization) => <RolesIn user={user} organization={organization} />}
          </Places>
        </SettingsPage>
      )}
    </SeenUser>
  );
}

/** `/users/{id}/settings/groups` */
export function UserGroups() {
  return (
    <SeenUser guardOf={() => everyone}>
      {(user, change) => (
        <SettingsPage user={user} change={change}>
          <Places user={user}>
            {(organization) => <GroupsIn user={user} organization={organization} />}
          </Places>
        </SettingsPage>
      )}
    </SeenUser>
  );
}

const loadReset = async () => (await import('./reset-second-factor.tsx')).ResetSecondFactor;

function ProfileTab({ user, change }: TabProps) {
  const t = useText();
  const viewer = useViewer();
  const find = useFind();
  const title = t('users.settings.title', { name: useDisplayName()(user) });
  if (mayEditUser(viewer, user, find))
    return (
      <>
        <ProfileForm user={user} change={change} title={title} before={<Tabs user={user.id} />} />
        {mayResetSecondFactor(viewer, user) && <LatePart load={loadReset} props={{ user }} />}
      </>
    );
  return (
    <SettingsPage user={user} change={change}>
      <Segment>
        <Contact user={user} />
      </Segment>
    </SettingsPage>
  );
}

function SettingsPage({ user, change, children }: TabProps & { readonly children: ReactNode }) {
  const t = useText();
  return (
    <DetailPage
      record={{ type: 'user', id: user.id, change }}
      title={t('users.settings.title', { name: useDisplayName()(user) })}
      showsReason
    >
      <Tabs user={user.id} />
      {children}
    </DetailPage>
  );
}

/** The ways between the parts of a person's settings. */
function Tabs({ user }: { readonly user: string }) {
  const t = useText();
  const start = `/users/${user}/settings`;
  return (
    <PageTabs
      label={t('users.settings.tabs')}
      tabs={[
        { to: start, title: t('users.settings.profile'), isExact: true },
        { to: `${start}/roles`, title: t('users.settings.roles') },
        { to: `${start}/groups`, title: t('users.settings.groups') },
      ]}
    />
  );
}

interface PlacesProps {
  readonly user: User;
  readonly children: (organization: Organization) => ReactNode;
}

/** Each organization of the person that the viewer is in as well, with what `children` says of it. */
function Places({ user, children }: PlacesProps) {
  const t = useText();
  const find = useFind();
  const { rows } = useList('organizationMembership', { user: user.id });
  const all = useOrganizations();
  const places = all.filter(({ id }) => rows.some(({ organization }) => organization === id));
  return (
    <div className="stack">
      {isSuperAdmin(user.id, find) && (
        <p>
          <span className="ui label">{t('roles.SuperAdmin')}</span>
        </p>
      )}
      {places.length === 0 && <p>{t('errors.orgMembershipRequired')}</p>}
      {places.map((organization) => (
        <Segment key={organization.id}>
          <h2>
            <bdi>{organization.name}</bdi>
          </h2>
          {children(organization)}
          {rows.map(
            (membership) =>
              membership.organization === organization.id && (
                <Membership
                  key={membership.id}
                  user={user}
                  organization={organization}
                  membership={membership}
                />
              ),
          )}
        </Segment>
      ))}
    </div>
  );
}

interface InProps {
  readonly user: User;
  readonly organization: Organization;
}

/** The person's roles in an organization: switches for who may give them, else a list. */
function RolesIn({ user, organization }: InProps) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const find = useFind();
  const { rows } = useList('userRole', { user: user.id, organization: organization.id });
  const nameOf = useDisplayName();
  const switching = useSwitching((isOn) =>
    t(`users.operations.roles.${isOn ? 'added' : 'removed'}`, { name: nameOf(user) }),
  );
  const mayGive = (roleName: RoleName) => {
    const [role] = find.all('role', { roleName });
    const given = { user: user.id, organization: organization.id, role: role?.id ?? '' };
    return mayGiveRole(viewer, given, find);
  };
  const named = ROLES_OF_MEMBERS.map((id) => ({ id, label: t(`roles.${id}`) })).sort((a, b) =>
    compareTexts(a.label, b.label),
  );
  if (!named.some(({ id }) => mayGive(id)))
    return (
      <Listed
        all={named.filter(({ id }) => rows.some(({ roleName }) => roleName === id))}
        none={t('users.noRoles')}
      />
    );
  return (
    <HeldSwitches>
      {named.map(({ id, label }) => {
        const held = rows.find(({ roleName }) => roleName === id);
        const given = { user: user.id, organization: organization.id, label, roleName: id };
        return (
          <HeldSwitch
            key={id}
            type="userRole"
            label={label}
            held={held?.id ?? null}
            onChange={(isOn) =>
              void switching(
                isOn,
                () => (held === undefined ? giveRole(data, given) : takeRole(data, held, given)),
                `${user.id} ${organization.id} ${id}`,
              )
            }
          />
        );
      })}
    </HeldSwitches>
  );
}

/** The groups of an organization that the person is in: switches for its admins, else a list. */
function GroupsIn({ user, organization }: InProps) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const find = useFind();
  const show = useToast();
  const { rows: groups } = useList('group', { owner: organization.id });
  const { rows: inGroups } = useList('groupMembership', { user: user.id });
  const nameOf = useDisplayName();
  const switching = useSwitching((isOn) =>
    t(`users.operations.groups.${isOn ? 'added' : 'removed'}`, { name: nameOf(user) }),
  );
  const sorted = [...groups].sort((a, b) => compareTexts(a.name, b.name));
  const heldOf = (group: string) => inGroups.find((held) => held.group === group);
  if (!mayManageGroup(viewer, { owner: organization.id }))
    return (
      <Listed
        all={sorted
          .filter(({ id }) => heldOf(id) !== undefined)
          .map(({ id, name }) => ({ id, label: name }))}
        none={t('users.noGroups')}
      />
    );
  return (
    <HeldSwitches>
      {sorted.length === 0 && (
        <p className="soft">
          {t('org.noGroups')}.{' '}
          <Link to={`/organizations/${organization.id}/settings/groups`}>{t('org.addGroup')}</Link>
        </p>
      )}
      {sorted.map(({ id: group, name: label }) => {
        const held = heldOf(group);
        const given = { user: user.id, organization: organization.id, label, group };
        const change = (isOn: boolean) => {
          const owned = find.all('project', { owner: user.id, group });
          if (held !== undefined && owned.length > 0) {
            const projects = owned.map(({ name }) => name).join(', ');
            show({
              tone: 'error',
              title: t('users.groupInUse', { name: nameOf(user), projects }),
            });
            return;
          }
          void switching(
            isOn,
            () =>
              held === undefined ? addToGroup(data, given) : removeFromGroup(data, held, given),
            `${user.id} ${group}`,
          );
        };
        return (
          <HeldSwitch
            key={group}
            type="groupMembership"
            label={label}
            held={held?.id ?? null}
            onChange={change}
          />
        );
      })}
    </HeldSwitches>
  );
}

interface ListedProps {
  readonly all: readonly { readonly id: string; readonly label: string }[];
  readonly none: string;
}

function Listed({ all, none }: ListedProps) {
  if (all.length === 0) return <p className="soft">{none}</p>;
  return (
    <ul>
      {all.map(({ id, label }) => (
        <li key={id}>
          <bdi>{label}</bdi>
        </li>
      ))}
    </ul>
  );
}

interface MembershipProps extends InProps {
  readonly membership: Of<'organizationMembership'>;
}

/** Since when somebody is a member and by whom; admins end it, and the member leaves. */
function Membership({ user, organization, membership }: MembershipProps) {
  const t = useText();
  const viewer = useViewer();
  const nameOf = useDisplayName();
  const { record: adder } = useRecord('user', membership.addedBy);
  const [isAsking, setAsking] = useState(false);
  const { dateAccepted } = membership;
  const dates = useDateFormats();
  const isOwn = user.id === viewer.id;
  return (
    <div className="membership">
      <span className="caption">
        {dateAccepted === null
          ? t('users.notAccepted')
          : t('users.membership.since', { date: dates.day(dateAccepted) })}
        {adder !== null && (
          <>
            <Dot />
            {t('users.membership.addedBy', { name: nameOf(adder) })}
          </>
        )}
      </span>
      {mayEndMembership(viewer, membership) && (
        <Button
          negative
          onClick={() => {
            setAsking(true);
          }}
        >
          {t(isOwn ? 'users.membership.leave' : 'users.membership.end')}
        </Button>
      )}
      {isAsking && (
        <EndMembership
          user={user}
          organization={organization}
          membership={membership}
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </div>
  );
}
