import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import type { RoleName } from '#schema/role.ts';
import { compareTexts } from '#rules/record/display.ts';
import { isEmail } from '#rules/valid/value.ts';
import { inviteToOrganization } from '#data/actions/invitations.ts';
import { addByEmail } from '#data/actions/members.ts';
import { useChanges, useData, useList } from '#data/react/hooks.ts';
import { Button } from '#ui/form/controls.tsx';
import { Field } from '#ui/form/field.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { FormDialog } from '#ui/overlay/form-dialog.tsx';
import { Note } from '#ui/status/boxes.tsx';
import { useText } from '#ui/text/text.ts';
import { useProblemText } from '../app/page/changes/problem-text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { useTroubleOf } from '../app/page/use-attempt.ts';
import { useOneAtATime } from '../app/page/use-one-at-a-time.ts';
import { OnlineFailure, useOnlineCommand } from '../app/page/use-online-command.ts';

/** The roles that are held in an organization, in the order in which screens list them. */
export const ROLES_OF_MEMBERS = [
  'AppBuilder',
  'Author',
  'OrganizationAdmin',
] as const satisfies readonly RoleName[];

interface DialogProps {
  readonly organization: Of<'organization'>;
  readonly onClose: () => void;
}

/** Says what is wrong with an address before anything is sent; null: nothing. */
function useAddressError(isChecked: boolean, email: string): string | null {
  const reasonOf = useProblemText();
  if (!isChecked || isEmail(email.trim())) return null;
  const rule = email.trim() === '' ? 'required' : 'email';
  return reasonOf({ code: 'invalid', source: { pointer: '/email' }, meta: { rule } });
}

interface AddressProps {
  readonly email: string;
  readonly error: string | null;
  readonly onChange: (email: string) => void;
}

function Address({ email, error, onChange }: AddressProps) {
  const t = useText();
  return (
    <Field label={t('profile.email')} isRequired error={error}>
      {(tied) => (
        <input
          {...tied}
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

interface InviteProps extends DialogProps {
  /** Stands in the field at first. */
  readonly email: string;
}

/** Invites somebody by mail, with the roles and groups that they get at once. */
export function InviteUser({ organization, email: first, onClose }: InviteProps) {
  const t = useText();
  const data = useData();
  const saved = useSaved();
  const troubleOf = useTroubleOf();
  const { rows } = useList('group', { owner: organization.id });
  const [email, setEmail] = useState(first);
  const [roleNames, setRoleNames] = useState<readonly string[]>([]);
  const [groupIds, setGroupIds] = useState<readonly string[]>([]);
  const [isChecked, setChecked] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const error = useAddressError(isChecked, email);
  const groups = [...rows].sort((a, b) => compareTexts(a.name, b.name));

  const send = useOneAtATime(async () => {
    setChecked(true);
    setTrouble(null);
    if (!isEmail(email.trim())) return;
    try {
      const invitation = { email, organization: organization.id, roleNames, groupIds };
      await inviteToOrganization(data, invitation);
    } catch (failure) {
      setTrouble(troubleOf(failure).reason);
      return;
    }
    saved({ success: t('users.inviteSent', { email: email.trim() }) });
    onClose();
  });
  return (
    <FormDialog
      title={t('users.invite')}
      size="medium"
      action={t('users.sendInvite')}
      onSubmit={() => void send()}
      onClose={onClose}
    >
      <p className="soft">{t('users.inviteText', { organization: organization.name ?? '' })}</p>
      <Address email={email} error={error} onChange={setEmail} />
      <Choices
        legend={t('users.inviteRoles')}
        all={ROLES_OF_MEMBERS.map((id) => ({ id, label: t(`roles.${id}`) }))}
        chosen={roleNames}
        onChoose={setRoleNames}
      />
      {groups.length > 0 && (
        <Choices
          legend={t('users.inviteGroups')}
          all={groups.map(({ id, name }) => ({ id, label: name }))}
          chosen={groupIds}
          onChoose={setGroupIds}
        />
      )}
      <p className="caption">{t('users.inviteNeeds')}</p>
      <div role="alert">
        {trouble !== null && (
          <Note tone="error">
            <strong>{t('organization-membership.invite.create.error')}</strong>
            <p>{trouble}</p>
          </Note>
        )}
      </div>
    </FormDialog>
  );
}

interface ChoicesProps {
  readonly legend: string;
  readonly all: readonly { readonly id: string; readonly label: string }[];
  readonly chosen: readonly string[];
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** Some of many, each with a switch. */
function Choices({ legend, all, chosen, onChoose }: ChoicesProps) {
  return (
    <fieldset className="choices">
      <legend>{legend}</legend>
      {all.map(({ id, label }) => (
        <Switch
          key={id}
          label={label}
          isOn={chosen.includes(id)}
          onChange={(isOn) => {
            onChoose(isOn ? [...chosen, id] : chosen.filter((other) => other !== id));
          }}
        />
      ))}
    </fieldset>
  );
}

interface AddProps extends DialogProps {
  /** Opens the invitation instead, for the address that nobody has. */
  readonly onInvite: (email: string) => void;
}

/** Adds somebody who has an account, by the address that they sign in with. */
export function AddByEmail({ organization, onInvite, onClose }: AddProps) {
  const t = useText();
  const data = useData();
  const saved = useSaved();
  const isOffline = useChanges().status === 'offline';
  const [email, setEmail] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<OnlineFailure | null>(null);
  const send = useOnlineCommand();
  const reason = useFailureText(failure);
  const error = useAddressError(isChecked, email);

  const add = useOneAtATime(async () => {
    setChecked(true);
    setFailure(null);
    if (!isEmail(email.trim()) || isOffline) return;
    setSending(true);
    try {
      await send(email, () => addByEmail(data, organization.id, email));
    } catch (error) {
      if (!(error instanceof OnlineFailure)) throw error;
      setFailure(error);
      return;
    } finally {
      setSending(false);
    }
    saved({ success: t('users.added', { email: email.trim() }) });
    onClose();
  });
  return (
    <FormDialog
      title={t('users.addByEmail')}
      size="medium"
      action={t('users.add')}
      isBusy={isSending}
      isOffline={isOffline}
      onSubmit={() => void add()}
      onClose={onClose}
    >
      <p className="soft">{t('users.addByEmailText', { organization: organization.name ?? '' })}</p>
      <Address
        email={email}
        error={error ?? reason}
        onChange={(typed) => {
          setEmail(typed);
          setFailure(null);
        }}
      />
      {isNobody(failure) && (
        <Button
          onClick={() => {
            onInvite(email.trim());
          }}
        >
          {t('users.inviteInstead')}
        </Button>
      )}
    </FormDialog>
  );
}

const isNobody = (failure: OnlineFailure | null): boolean =>
  failure?.problem?.meta?.rule === 'no-such-user';

/** Says why somebody was not added; null: nothing stands in the way. */
function useFailureText(failure: OnlineFailure | null): string | null {
  const t = useText();
  const troubleOf = useTroubleOf();
  if (failure === null) return null;
  if (isNobody(failure)) return t('users.noSuchUser');
  return failure.problem?.code === 'already-exists'
    ? t('users.isMember')
    : troubleOf(failure).reason;
}
