import { useId } from 'react';
import { Link } from 'react-router-dom';
import { compareTexts } from '#rules/record/display.ts';
import { mayEditUser } from '#rules/user.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useFind, useList, useOrganizations, useViewer } from '#data/react/hooks.ts';
import { Avatar } from '#ui/picture/avatar.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { everyone } from '../app/page/guards.tsx';
import { DetailPage } from '../app/page/detail-page.tsx';
import { SeenUser } from './user-guard.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { usePortrait } from './use-portrait.ts';
import './users.css';

/** `/users/{id}`: who somebody is, to those who see them. */
export function UserPage() {
  return (
    <SeenUser guardOf={() => everyone}>
      {(user, change) => <Profile user={user} change={change} />}
    </SeenUser>
  );
}

interface Props {
  readonly user: Of<'user'>;
}

function Profile({ user, change }: Props & { readonly change: ChangeState | null }) {
  const t = useText();
  const viewer = useViewer();
  const find = useFind();
  const portrait = usePortrait(user.email);
  const name = useDisplayName()(user);
  return (
    <div className="user-page">
      <Avatar of={user.id} sidePx={130} picture={portrait} />
      <DetailPage
        record={{ type: 'user', id: user.id, change }}
        title={name}
        showsReason
        actions={
          <>
            <Link className="ui button" to={`/users/${user.id}/settings/roles`}>
              {t('users.rolesAndGroups')}
            </Link>
            {mayEditUser(viewer, user, find) && (
              <Link className="ui button" to={`/users/${user.id}/edit`} data-shortcut="edit">
                <Icon name="edit" />
                {t('common.edit')}
              </Link>
            )}
          </>
        }
        className="user-facts"
      >
        <Contact user={user} />
        <Shared user={user} />
      </DetailPage>
    </div>
  );
}

/** Shows how to reach them, as far as they let others see it; whoever looks. */
export function Contact({ user }: Props) {
  const t = useText();
  const { email, phone, timezone, profileVisibility } = user;
  if (profileVisibility !== 1) return <p className="soft">{t('profile.isPrivate')}</p>;
  return (
    <dl className="user-lines">
      <dt>{t('profile.email')}</dt>
      <dd>
        {email === null ? (
          <span className="soft">--</span>
        ) : (
          <a href={`mailto:${email}`}>{email}</a>
        )}
      </dd>
      <dt>{t('profile.phone')}</dt>
      <dd>{phone ?? <span className="soft">{t('profile.noPhone')}</span>}</dd>
      <dt>{t('profile.timezone')}</dt>
      <dd>{timezone ?? <span className="soft">{t('profile.noTimezone')}</span>}</dd>
    </dl>
  );
}

/** The organizations that they and the viewer have in common, with their groups there. */
function Shared({ user: { id: user } }: Props) {
  const t = useText();
  const id = useId();
  const find = useFind();
  const { rows: memberships } = useList('organizationMembership', { user });
  const { rows: inGroups } = useList('groupMembership', { user });
  const theirs = new Set(memberships.map(({ organization }) => organization));
  const shared = useOrganizations().filter((organization) => theirs.has(organization.id));
  const groups = inGroups
    .flatMap(({ group }) => find.one('group', group) ?? [])
    .sort((a, b) => compareTexts(a.name, b.name));
  if (shared.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{t('profile.shared')}</h2>
      <dl className="user-lines">
        {shared.map((organization) => (
          <Organization
            key={organization.id}
            name={organization.name}
            groups={groups.flatMap(({ owner, name }) => (owner === organization.id ? name : []))}
          />
        ))}
      </dl>
    </section>
  );
}

interface OrganizationProps {
  readonly name: string | null;
  readonly groups: readonly string[];
}

function Organization({ name, groups }: OrganizationProps) {
  const t = useText();
  return (
    <>
      <dt>
        <bdi>{name}</bdi>
      </dt>
      <dd>
        {groups.length === 0 ? (
          <span className="soft">{t('profile.noGroups')}</span>
        ) : (
          <bdi>{groups.join(', ')}</bdi>
        )}
      </dd>
    </>
  );
}
