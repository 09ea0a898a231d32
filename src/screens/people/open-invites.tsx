import { inviteToOrganization, withdrawInvitation } from '#data/actions/invitations.ts';
import { useData, useList, useRecord } from '#data/react/hooks.ts';
import type { Of } from '#schema/index.ts';
import { Button } from '#ui/form/controls.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { useDateFormats } from '#ui/value/values.tsx';
import { RecordBadge, recordMarks } from '../app/page/changes/record-badge.tsx';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useAttempt } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { useDisplayName } from '../app/page/use-display-name.ts';
import './users.css';

type Invite = Pick<Of<'organizationInvite'>, 'id' | 'expiresAt' | 'redeemed'>;

/** Those of `invites` that can still be used. */
export function useOpen<T extends Invite>(invites: readonly T[]): readonly T[] {
  const { clock } = useUiEnvironment();
  const now = new Date(clock()).toISOString();
  return invites.filter(
    ({ expiresAt, redeemed }) => !redeemed && (expiresAt === null || expiresAt > now),
  );
}

/** The invitations of an organization that can still be used, folded under its people. */
export function OpenInvites({ organization }: { readonly organization: string }) {
  const t = useText();
  const { state, rows } = useList('organizationMembershipInvite', {
    organization,
    redeemed: false,
  });
  const open = useOpen(rows);
  if (open.length === 0)
    return state === 'ready' ? <p className="caption">{t('users.noOpenInvites')}</p> : null;
  return (
    <details className="open-invites">
      <summary>{t('users.openInvites', { number: open.length })}</summary>
      <ul className="invites">
        {open.map((invite) => (
          <OpenInvite key={invite.id} invite={invite} />
        ))}
      </ul>
    </details>
  );
}

function OpenInvite({ invite }: { readonly invite: Of<'organizationMembershipInvite'> }) {
  const t = useText();
  const data = useData();
  const { email, expiresAt, roleNames, groupIds, organization } = invite;
  const { record: inviter } = useRecord('user', invite.invitedBy);
  const nameOf = useDisplayName();
  const dates = useDateFormats();
  return (
    <InviteRow
      type="organizationMembershipInvite"
      id={invite.id}
      email={email}
      says={t('users.invitedBy', {
        name: nameOf(inviter),
        time: expiresAt === null ? '--' : dates.short(expiresAt),
      })}
      onResend={async () => {
        await inviteToOrganization(data, { email, organization, roleNames, groupIds });
        await withdrawInvitation(data, invite);
      }}
      onWithdraw={() => withdrawInvitation(data, invite)}
    />
  );
}

interface InviteRowProps {
  readonly type: 'organizationInvite' | 'organizationMembershipInvite';
  readonly id: string;
  readonly email: string;
  /** By whom, for what, until when. */
  readonly says: string;
  readonly onResend: () => Promise<unknown>;
  readonly onWithdraw: () => Promise<unknown>;
}

/** An open invitation, which can be mailed again or withdrawn. */
export function InviteRow({ type, id, email, says, onResend, onWithdraw }: InviteRowProps) {
  const t = useText();
  const attempt = useAttempt();
  const saved = useSaved();
  const { change } = useRecord(type, id);
  const withdraw = useOneAtATime(async () => {
    if (await attempt(t('errors.generic'), onWithdraw))
      saved({ success: t('users.withdrawn', { email }) });
  });
  const resend = useOneAtATime(async () => {
    if (await attempt(t('organization-membership.invite.create.error'), onResend))
      saved({ success: t('users.inviteSent', { email }) });
  });
  return (
    <li className="invite-row" {...recordMarks({ type, id, change })}>
      <span className="invite-words">
        <bdi>{email}</bdi>
        <span className="caption">{says}</span>
        <RecordBadge record={id} change={change} showsReason />
      </span>
      <Button aria-label={t('users.resendTo', { email })} onClick={() => void resend()}>
        {t('users.resend')}
      </Button>
      <Button aria-label={t('users.withdrawOf', { email })} onClick={() => void withdraw()}>
        {t('users.withdraw')}
      </Button>
    </li>
  );
}
