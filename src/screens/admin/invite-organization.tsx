import { useLocation, useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import {
  inviteOwner,
  renewOwnerInvitation,
  withdrawOwnerInvitation,
} from '#data/actions/invitations.ts';
import { useData, useList } from '#data/react/hooks.ts';
import { TextField } from '#ui/form/text-field.tsx';
import { useText } from '#ui/text/text.ts';
import { useDateFormats } from '#ui/value/values.tsx';
import { useForm } from '../app/page/form/use-form.ts';
import { FormPage } from '../app/page/form-page.tsx';
import { InviteRow, useOpen } from '../people/open-invites.tsx';

const FIELDS = ['owner-email', 'name', 'url'] as const;
const TYPES = { 'owner-email': 'email', name: 'text', url: 'url' } as const;

/** `/admin`: a super admin invites somebody to create an organization. */
export function InviteOrganization() {
  const t = useText();
  const data = useData();
  const go = useNavigate();
  const { search } = useLocation();
  const query = new URLSearchParams(search);
  const form = useForm('organization-invite', {
    'owner-email': query.get('orgAdminEmail') ?? '',
    name: query.get('name') ?? '',
    url: query.get('websiteUrl') ?? '',
  });
  const { fields } = form;
  const labels = {
    'owner-email': t('admin.invite.ownerEmail'),
    name: t('requestAccess.name'),
    url: t('fields.website-url'),
  };
  return (
    <FormPage
      title={t('admin.invite.title')}
      form={form}
      className="invite-form"
      whyNot={null}
      speaking={FIELDS}
      saveLabel={t('invitations.organization.add')}
      success={t('admin.invite.sent')}
      onSave={async () => {
        const { name, url } = fields;
        await inviteOwner(data, { ownerEmail: fields['owner-email'], name, url });
        // What the address filled in has been used.
        void go('/admin', { replace: true });
        return null;
      }}
      onCancel={() => void go('/tasks')}
      after={<OpenInvitations />}
    >
      {FIELDS.map((name) => {
        const { value, error, onChange } = form.propsOf(name);
        return (
          <TextField
            key={name}
            label={labels[name]}
            help={t(`admin.invite.help.${name}`)}
            isRequired={name === 'owner-email'}
            type={TYPES[name]}
            value={value}
            error={error}
            onChange={onChange}
          />
        );
      })}
    </FormPage>
  );
}

/** The invitations that can still be used. */
function OpenInvitations() {
  const t = useText();
  const data = useData();
  const dates = useDateFormats();
  const { state, rows } = useList('organizationInvite', { redeemed: false });
  const open = useOpen(rows);
  if (open.length === 0)
    return state === 'ready' ? (
      <p className="caption owner-invites">{t('admin.invite.noneOpen')}</p>
    ) : null;
  return (
    <Segment className="owner-invites">
      <h2>{t('users.openInvites', { number: open.length })}</h2>
      <ul className="invites">
        {open.map((invite) => {
          const { id, ownerEmail, name, expiresAt } = invite;
          const time = expiresAt === null ? '--' : dates.short(expiresAt);
          return (
            <InviteRow
              key={id}
              type="organizationInvite"
              id={id}
              email={ownerEmail}
              says={[name, t('admin.invite.until', { time })].filter(Boolean).join(' · ')}
              onResend={() => renewOwnerInvitation(data, invite)}
              onWithdraw={() => withdrawOwnerInvitation(data, invite)}
            />
          );
        })}
      </ul>
    </Segment>
  );
}
