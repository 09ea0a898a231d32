import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { wireFieldOf } from '#protocol/names.ts';
import { mayEditContact, mayEditUser } from '#rules/user.ts';
import type { Of } from '#schema/index.ts';
import { MAIL_KINDS } from '#schema/user.ts';
import type { MailKind } from '#schema/user.ts';
import { editProfile } from '#data/actions/users.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import { Field } from '#ui/form/field.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { TextField } from '#ui/form/text-field.tsx';
import { useText } from '#ui/text/text.ts';
import { FormPage } from '../app/page/form-page.tsx';
import { useRecordForm } from '../app/page/form/use-record-form.tsx';
import type { Guard } from '../app/page/guards.tsx';
import { LETTERS_KEY } from '../app/page/shortcuts.ts';
import { useDisplayName } from '../app/page/use-display-name.ts';
import { SeenUser } from './user-guard.tsx';
import './users.css';
import type { Option } from '#ui/form/combobox.tsx';

/** Oneself, admins of the person, super admins. */
const editorsOf =
  (user: Of<'user'>): Guard =>
  ({ viewer, find }) =>
    mayEditUser(viewer, user, find) ? null : 'forbidden';

/** `/users/{id}/edit` */
export function EditProfile() {
  return (
    <SeenUser guardOf={editorsOf}>
      {(user, change) => <ProfileForm key={user.id} user={user} change={change} />}
    </SeenUser>
  );
}

/** The fields of a profile that are text. */
const TEXTS = ['name', 'givenName', 'familyName', 'email', 'phone', 'timezone'] as const;
type TextName = (typeof TEXTS)[number];

const onWire = (field: string): string => wireFieldOf('user', field);
const SPEAKING = TEXTS.map(onWire);
const AT_MOST: Readonly<Record<TextName, number>> = {
  name: 250,
  givenName: 250,
  familyName: 250,
  email: 250,
  phone: 50,
  timezone: 64,
};

interface EditProfileProps {
  readonly user: Of<'user'>;
  readonly change: ChangeState | null;
  /** Stands for "Profile: …" where the form is part of another page. */
  readonly title?: string;
  /** Stands between the title and the form. */
  readonly before?: ReactNode;
}

/** The form of a person's profile, as a page. */
export function ProfileForm({ user, change, title, before }: EditProfileProps) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const viewer = useViewer();
  const nameOf = useDisplayName();
  const form = useRecordForm(user, change, profileFields(user), TEXTS, onWire);
  const { fields, isChanged } = form;
  const whyNot = mayEditContact(viewer, user) ? null : t('profile.onlyThemselves');

  const save = async () => {
    await editProfile(data, user, changedIn(user, fields));
    return null;
  };
  const propsOf = (field: TextName) => ({
    label: t(`profile.${field}`),
    atMost: AT_MOST[field],
    ...form.propsOf(field),
  });

  return (
    <FormPage
      title={title ?? t('profile.title', { name: nameOf(user) })}
      record={{ type: 'user', id: user.id, change }}
      before={before}
      after={user.id === viewer.id && <ThisDevice />}
      form={form}
      className="profile-form"
      whyNot={isChanged ? null : t('forms.nothingChanged')}
      speaking={SPEAKING}
      success={t('profile.updated')}
      onSave={save}
      onCancel={() => void go(`/users/${user.id}`)}
    >
      <TextField {...propsOf('name')} help={t('profile.nameHelp')} />
      <TextField {...propsOf('givenName')} autoComplete="given-name" />
      <TextField {...propsOf('familyName')} autoComplete="family-name" />
      <TextField {...propsOf('email')} autoComplete="email" whyNot={whyNot} />
      <TextField {...propsOf('phone')} autoComplete="tel" />
      <Timezone {...propsOf('timezone')} />
      <Switch
        label={t('profile.emailNotification')}
        help={t(fields.emailNotification ? 'profile.mailsAreSent' : 'profile.noMailsAreSent')}
        isOn={fields.emailNotification}
        whyNot={whyNot}
        onChange={(emailNotification) => {
          form.set({ emailNotification });
        }}
      />
      <MailKinds
        fields={fields}
        whyNot={whyNot}
        onChange={(silenced) => {
          form.set({ silenced });
        }}
      />
      <Switch
        label={t('profile.visibility')}
        help={t(fields.isVisible ? 'profile.visibleMeans' : 'profile.restrictedMeans')}
        isOn={fields.isVisible}
        whyNot={whyNot}
        onChange={(isVisible) => {
          form.set({ isVisible });
        }}
      />
    </FormPage>
  );
}

interface MailKindsProps {
  readonly fields: Pick<ProfileFields, 'emailNotification' | 'silenced'>;
  /** Says why the person at the device cannot switch them; null when they can. */
  readonly whyNot: string | null;
  readonly onChange: (silenced: string) => void;
}

/** The switches of the single kinds of mails; the one switch above them silences all. */
function MailKinds({ fields, whyNot, onChange }: MailKindsProps) {
  const t = useText();
  const silenced = kindsIn(fields.silenced);
  const isUseless = !fields.emailNotification;
  return (
    <fieldset className="mail-kinds">
      <legend>{t('profile.mails')}</legend>
      {isUseless && whyNot === null && <p className="soft">{t('profile.mailsAreOff')}</p>}
      {MAIL_KINDS.map((kind) => (
        <Switch
          key={kind}
          label={t(`mailKinds.${kind}`)}
          help={t(`mailKinds.${kind}Mean`)}
          isOn={!silenced.includes(kind)}
          isDisabled={isUseless || whyNot !== null}
          onChange={(isOn) => {
            const next = MAIL_KINDS.filter((one) =>
              one === kind ? !isOn : silenced.includes(one),
            );
            onChange(next.join(' '));
          }}
        />
      ))}
    </fieldset>
  );
}

interface TimezoneProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | null;
  readonly note: ReactNode;
  readonly onChange: (value: string) => void;
}

const NONE = '-';

function Timezone({ label, value, error, note, onChange }: TimezoneProps) {
  const t = useText();
  const { clock, timeZone } = useUiEnvironment();
  const [zones] = useState(() => timezones(value, timeZone, clock()));
  return (
    <Field label={label} error={error} note={note} help={t('profile.timezoneHelp')}>
      {(tied) => (
        <Picker
          tied={tied}
          chosen={value === '' ? NONE : value}
          options={[...zones, { id: NONE, label: t('profile.noTimezone') }]}
          onChoose={(zone) => {
            onChange(zone === NONE ? '' : zone);
          }}
        />
      )}
    </Field>
  );
}

const isYesOrNo = (value: unknown): value is boolean => typeof value === 'boolean';

/** Shows what is kept here, for whoever works at this device. */
function ThisDevice() {
  const t = useText();
  const [hasLetters, setLetters] = useSetting<boolean>(LETTERS_KEY, true, isYesOrNo);
  return (
    <Segment>
      <h2>{t('profile.thisDevice')}</h2>
      <Switch
        label={t('profile.letters')}
        help={t('profile.lettersMean')}
        isOn={hasLetters}
        onChange={setLetters}
      />
    </Segment>
  );
}

/** A profile as its form has it: nothing is blank text. */
type ProfileFields = Readonly<Record<TextName, string>> & {
  readonly emailNotification: boolean;
  /** The kinds of mails that are silenced, with blanks between them. */
  readonly silenced: string;
  readonly isVisible: boolean;
};

function profileFields(user: Of<'user'>): ProfileFields {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, user[name] ?? '']));
  return {
    ...(texts as Readonly<Record<TextName, string>>),
    emailNotification: user.emailNotification,
    silenced: user.silencedMails.join(' '),
    isVisible: user.profileVisibility !== 0,
  };
}

/** Finds what of the profile is otherwise in the form, as the record keeps it. */
function changedIn(user: Of<'user'>, fields: ProfileFields): Partial<Of<'user'>> {
  const profileVisibility = fields.isVisible ? 1 : 0;
  const wanted: Partial<Of<'user'>> = {
    ...Object.fromEntries(TEXTS.map((name) => [name, textIn(fields[name])])),
    emailNotification: fields.emailNotification,
    ...(fields.silenced === user.silencedMails.join(' ')
      ? {}
      : { silencedMails: kindsIn(fields.silenced) }),
    profileVisibility,
  };
  const differs = Object.entries(wanted).filter(
    ([name, value]) => value !== user[name as TextName],
  );
  return Object.fromEntries(differs);
}

function kindsIn(silenced: string): readonly MailKind[] {
  const named = silenced.split(' ');
  return MAIL_KINDS.filter((kind) => named.includes(kind));
}

/** Blank text counts as none. */
function textIn(typed: string): string | null {
  const text = typed.trim();
  return text === '' ? null : text;
}

/** "(GMT-3) America/Sao_Paulo", as the clocks there stand at `now`. */
function labelOf(zone: string, now: number): string {
  try {
    const parts = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'shortOffset' });
    const offset = parts.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value;
    return `(${(offset ?? 'GMT').replace('-', '−')}) ${zone}`;
  } catch {
    // A zone that another browser knew.
    return zone;
  }
}

/** Every zone by name, `here` first, and `present`, whether or not it is known here. */
function timezones(present: string, here: string, now: number): readonly Option[] {
  const known = Intl.supportedValuesOf('timeZone');
  const zones = [...new Set([here, ...known, ...(present === '' ? [] : [present])])];
  return zones.map((zone) => ({ id: zone, label: labelOf(zone, now) }));
}
