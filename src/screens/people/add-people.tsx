import { useState } from 'react';
import { Link } from 'react-router-dom';
import { mayAdminister } from '#rules/organization.ts';
import type { Of } from '#schema/index.ts';
import { useOrganizations, useViewer } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { EmptyBox } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { NoResults } from '../app/page/empty/no-results.tsx';
import type { ListAddress } from '../app/page/list-state.ts';
import { AddByEmail, InviteUser } from './invite-dialogs.tsx';

type Asking = { readonly is: 'invite'; readonly email: string } | { readonly is: 'add' } | null;

/** Invites somebody, or adds somebody who has an account, to the organization in view. */
export function AddPeople({ organization }: { readonly organization: string | null }) {
  const t = useText();
  const organizations = useOrganizations();
  const viewer = useViewer();
  const [asking, ask] = useState<Asking>(null);
  const of = organizations.find(({ id }) => id === organization);
  const close = () => {
    ask(null);
  };
  if (viewer.isSuperAdmin && organizations.length === 0)
    return (
      <span className="caption">
        {t('nextStep.organization')}{' '}
        <Link to="/admin/settings/organizations">{t('admin.firstSteps.title')}</Link>
      </span>
    );
  if (organization === null || of === undefined)
    return <span className="caption">{t('users.pickOrganization')}</span>;
  if (!mayAdminister(viewer, organization)) return null;
  return (
    <div className="button-row">
      <Button
        onClick={() => {
          ask({ is: 'add' });
        }}
      >
        <Icon name="add" />
        {t('users.addByEmail')}
      </Button>
      <Button
        primary
        onClick={() => {
          ask({ is: 'invite', email: '' });
        }}
      >
        {t('users.invite')}
      </Button>
      {asking?.is === 'invite' && (
        <InviteUser organization={of} email={asking.email} onClose={close} />
      )}
      {asking?.is === 'add' && (
        <AddByEmail
          organization={of}
          onInvite={(email) => {
            ask({ is: 'invite', email });
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

interface NoPeopleProps {
  /** The one in view; null: all of them are. */
  readonly organization: string | null;
  readonly address: Pick<ListAddress, 'search' | 'setSearch'>;
}

/** Says who would be in an empty list of people, and lets whoever may invite the first one. */
export function NoPeople({ organization, address }: NoPeopleProps) {
  const t = useText();
  const viewer = useViewer();
  const of = useOrganizations().find(({ id }) => id === organization);
  const { search, setSearch } = address;
  if (search !== '')
    return <NoResults title={t('users.noneFound')} search={search} setSearch={setSearch} />;
  const mayInvite = of !== undefined && mayAdminister(viewer, of.id);
  return (
    <EmptyBox
      icon="people"
      title={t('users.noneFound')}
      action={mayInvite ? <InviteFirst organization={of} /> : undefined}
    >
      {t('users.noneFoundText')}
    </EmptyBox>
  );
}

function InviteFirst({ organization }: { readonly organization: Of<'organization'> }) {
  const t = useText();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        primary
        onClick={() => {
          setAsking(true);
        }}
      >
        {t('users.invite')}
      </Button>
      {isAsking && (
        <InviteUser
          organization={organization}
          email=""
          onClose={() => {
            setAsking(false);
          }}
        />
      )}
    </>
  );
}
