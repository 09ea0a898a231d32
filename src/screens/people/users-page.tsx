import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import { compareTexts, contains, displayNameOf } from '#rules/record/display.ts';
import { mayLock } from '#rules/user.ts';
import { useOrganization } from '#session/organization.ts';
import type { Of } from '#schema/index.ts';
import { setLocked } from '#data/actions/members.ts';
import {
  useData,
  useFind,
  useList,
  useOrganizations,
  useRecord,
  useServerList,
  useViewer,
  toldOr,
} from '#data/react/hooks.ts';
import type { ListView } from '#data/model/views.ts';
import { Avatar } from '#ui/picture/avatar.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { Hint } from '#ui/value/values.tsx';
import { badgeOf, RecordBadge, recordMarks } from '../app/page/changes/record-badge.tsx';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { ListPage } from '../app/page/list-page.tsx';
import { useListAddress } from '../app/page/list-state.ts';
import type { ListAddress } from '../app/page/list-state.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { AddPeople, NoPeople } from './add-people.tsx';
import { OpenInvites } from './open-invites.tsx';
import { useDisplayName } from '../app/page/use-display-name.ts';
import './users.css';

type Organization = Of<'organization'>;

/** `/users`: whoever is in an organization of the viewer's, as far as it is in view. */
export function Users() {
  const t = useText();
  const organization = useOrganization();
  const address = useListAddress('name');
  const found = usePeople(organization, address);
  const { rows: shown, total } = found;
  return (
    <>
      <ListPage
        title={t('users.title')}
        count={total}
        list={found}
        empty={<NoPeople organization={organization} address={address} />}
        address={address}
        search={{
          label: t('users.search'),
          help: t('users.searchHelp'),
          about: t('users.searchWhat'),
          found: t('users.found', { count: total }),
        }}
        filters={<AddPeople organization={organization} />}
        table={{
          className: 'project-table user-table',
          columns: [
            { title: t('users.columns.name'), sort: 'name' },
            { title: t('users.columns.role'), sort: null },
            { title: t('users.columns.groups'), sort: null },
            { title: t('users.columns.active'), sort: null },
          ],
          order: address.order,
          onOrder: address.setOrder,
        }}
      >
        {shown.map((user) => (
          <UserRow key={user.id} user={user} organizations={found.organizationsOf(user.id)} />
        ))}
      </ListPage>
      {organization !== null && <OpenInvites organization={organization} />}
    </>
  );
}

interface People extends ListView<'user'> {
  /** The organizations in view that a person is in, by name. */
  readonly organizationsOf: (user: string) => readonly Organization[];
}

/**
 * A page of the people in view. A super admin's device keeps those of one organization: with all in
 * view the server tells the page, and while it is away, whoever is here stands for it.
 */
function usePeople(organization: string | null, address: ListAddress): People {
  const { search, order, page, pageSize } = address;
  const { isSuperAdmin } = useViewer();
  const isAll = isSuperAdmin && organization === null;
  const find = useFind();
  const all = useOrganizations();
  const inView = useMemo(
    () => all.filter(({ id }) => organization === null || id === organization),
    [all, organization],
  );
  const told = useServerList(
    'user',
    isAll
      ? {
          filter: {},
          special: search === '' ? [] : [['name', `like:${search}`]],
          sort: order,
          page: { offset: page, limit: pageSize },
        }
      : null,
  );
  const here = usePeopleHere(inView, search, order === '-name', isAll);
  const organizationsOf = (user: string): readonly Organization[] => {
    const of = new Set(
      find.all('organizationMembership', { user }).map((held) => held.organization),
    );
    return inView.filter(({ id }) => of.has(id));
  };
  const rows = here.rows.slice((page - 1) * pageSize, page * pageSize);
  return { ...toldOr(told, { ...here, rows, total: here.rows.length }), organizationsOf };
}

/** Everybody on this device who is in one of `organizations`, by name. */
function usePeopleHere(
  organizations: readonly Organization[],
  search: string,
  isDescending: boolean,
  isAnywhere: boolean,
): ListView<'user'> {
  const anywhere = isAnywhere ? ({ anywhere: true } as const) : {};
  const memberships = useList('organizationMembership', {}, anywhere);
  const users = useList('user', {}, anywhere);
  const members = useMemo(() => {
    const inView = new Set(organizations.map(({ id }) => id));
    return new Set(
      memberships.rows.filter((held) => inView.has(held.organization)).map(({ user }) => user),
    );
  }, [memberships.rows, organizations]);
  const rows = useMemo(
    () =>
      users.rows
        .filter((user) => members.has(user.id) && contains(namesIn(user), search))
        .sort((a, b) => compareTexts(displayNameOf(a), displayNameOf(b), isDescending)),
    [users.rows, members, search, isDescending],
  );
  return { ...users, rows };
}

/** What a search by name looks through. */
const namesIn = (user: Of<'user'>): readonly string[] =>
  [displayNameOf(user), user.givenName, user.familyName].filter((name) => name !== null);

interface RowProps {
  readonly user: Of<'user'>;
  readonly organizations: readonly Organization[];
}

function UserRow({ user, organizations }: RowProps) {
  const t = useText();
  const { change } = useRecord('user', user.id);
  const name = useDisplayName()(user);
  return (
    <tbody role="rowgroup" {...recordMarks({ type: 'user', id: user.id, change })}>
      <tr role="row">
        <Cell label={t('users.columns.name')} className="name-cell">
          <span className="user-name">
            <Avatar of={user.id} sidePx={28} />
            <span>
              <Link to={`/users/${user.id}/settings`}>
                <bdi>{name}</bdi>
              </Link>{' '}
              <RecordBadge record={user.id} change={change} />
            </span>
          </span>
        </Cell>
        <Cell label={t('users.columns.role')}>
          <Held
            user={user.id}
            organizations={organizations}
            of={useRolesOf()}
            none={t('users.noRoles')}
            saysConsent
          />
        </Cell>
        <Cell label={t('users.columns.groups')}>
          <Held
            user={user.id}
            organizations={organizations}
            of={useGroupsOf()}
            none={t('users.noGroups')}
          />
        </Cell>
        <Cell label={t('users.columns.active')}>
          <Active user={user} name={name} isPending={badgeOf(change) !== null} />
        </Cell>
        <td role="cell" className="tight" />
      </tr>
    </tbody>
  );
}

/** Names what a person holds in an organization, in its order. */
type HeldIn = (user: string, organization: string) => readonly string[];

function useRolesOf(): HeldIn {
  const t = useText();
  const find = useFind();
  return (user, organization) =>
    find
      .all('userRole', { user, organization })
      .flatMap(({ roleName }) => (roleName === null ? [] : t(`roles.${roleName}`)))
      .sort(compareTexts);
}

function useGroupsOf(): HeldIn {
  const find = useFind();
  return (user, organization) =>
    find
      .all('groupMembership', { user })
      .flatMap(({ group }) => find.one('group', group) ?? [])
      .filter(({ owner }) => owner === organization)
      .map(({ name }) => name)
      .sort(compareTexts);
}

interface HeldProps {
  readonly user: string;
  readonly organizations: readonly Organization[];
  readonly of: HeldIn;
  readonly none: string;
  /** Says where the person has not answered yet whether they stay. */
  readonly saysConsent?: boolean;
}

/** Lists what a person holds, by organization. */
function Held({ user, organizations, of, none, saysConsent = false }: HeldProps) {
  const t = useText();
  const find = useFind();
  if (organizations.length === 0)
    return <span className="soft">{t('errors.orgMembershipRequired')}</span>;
  return (
    <>
      {organizations.map(({ id, name }) => {
        const held = of(user, id);
        const [membership] = find.all('organizationMembership', { user, organization: id });
        return (
          <div key={id}>
            <strong>
              <bdi>{name}</bdi>
            </strong>{' '}
            {saysConsent && membership?.dateAccepted === null && (
              <span className="caption">({t('users.notAccepted')})</span>
            )}
            <div className={held.length === 0 ? 'soft' : undefined}>
              <bdi>{held.length === 0 ? none : held.join(', ')}</bdi>
            </div>
          </div>
        );
      })}
    </>
  );
}

interface ActiveProps {
  readonly user: Of<'user'>;
  readonly name: string;
  readonly isPending: boolean;
}

/** Locks and unlocks somebody, for whoever may; others see why they cannot. */
function Active({ user, name, isPending }: ActiveProps) {
  const t = useText();
  const viewer = useViewer();
  const find = useFind();
  const setActive = useLocking(name);
  const which = viewer.id === user.id ? 'self' : 'other';
  const whyNot = mayLock(viewer, user, user, find) ? null : t(`users.lockWhyNot.${which}`);
  return (
    <span className="user-active">
      <input
        type="checkbox"
        aria-label={t('users.isActive', { name })}
        checked={!user.isLocked}
        disabled={whyNot !== null}
        onChange={(event) => void setActive(user.id, event.target.checked)}
      />
      {whyNot !== null && (
        <Hint text={whyNot}>
          <Icon name="info" label={whyNot} />
        </Hint>
      )}
      {whyNot === null && isPending && <span className="caption">{t('users.notYetInForce')}</span>}
    </span>
  );
}

/** Locks or unlocks at once, with a way back. */
function useLocking(name: string) {
  const t = useText();
  const data = useData();
  const attempt = useAttempt();
  const saved = useSaved();
  const setActive = async (user: string, isActive: boolean): Promise<void> => {
    const operation = isActive ? 'unlock' : 'lock';
    const isDone = await attempt(t(`users.operations.${operation}.error`), () =>
      setLocked(data, user, !isActive),
    );
    if (!isDone) return;
    saved({
      success: t(`users.operations.${operation}.success`, { name }),
      undo: () => void setActive(user, !isActive),
      setting: `${user} isLocked`,
    });
  };
  return setActive;
}
