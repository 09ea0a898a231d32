import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Segment } from 'semantic-ui-react';
import { wireFieldOf } from '#protocol/names.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { mayEditContact, mayEditUser } from '#rules/user.ts';
import type { Of } from '#schema/index.ts';
import { editProfile } from '#data/actions/users.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import {
  badgeOf,
  RecordBadge,
  useNeedyChanges,
  recordMark,
} from '../app/page/changes/record-badge.tsx';
import { Field } from '#ui/form/field.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { Picker } from '#ui/form/picker.tsx';
import { useSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { Switch } from '#ui/form/switch.tsx';
import { useText } from '#ui/text/text.ts';
import { useSaved } from '../app/page/changes/use-saved.ts';
import { typedIn, useFieldErrors, useFieldNotes } from '../app/page/form/field-words.tsx';
import type { Guard } from '../app/page/guards.tsx';
import { ProjectForm } from '../app/page/form/form.tsx';
import { useProjectForm } from '../app/page/form/use-form.ts';
import { usePageTitle } from '../app/page/page-title.ts';
import { LETTERS_KEY } from '../app/page/shortcuts.ts';
import { timezones } from './timezones.ts';
import { SeenUser } from './user-guard.tsx';
import './users.css';

/** Oneself, admins of the person, super admins. */
const editorsOf =
  (user: Of<'user'>): Guard =>
  ({ viewer, find }) =>
    mayEditUser(viewer, user, find) ? null : 'forbidden';

/** `/users/{id}/edit` */
export function EditProfile() {
  return (
    <SeenUser guardOf={editorsOf}>
      {(user, change) => <ProfilePage key={user.id} user={user} change={change} />}
    </SeenUser>
  );
}

interface EditProfileProps {
  readonly user: Of<'user'>;
  readonly change: ChangeState | null;
}

function ProfilePage({ user, change }: EditProfileProps) {
  const t = useText();
  const { id: viewer } = useViewer();
  const title = t('profile.title', { name: displayNameOf(user) ?? t('users.noName') });
  usePageTitle(title);
  return (
    <div data-record={recordMark('user', user.id)} data-change={badgeOf(change) ?? undefined}>
      <PageHead
        title={title}
        {...(badgeOf(change) === null
          ? {}
          : { context: <RecordBadge record={user.id} change={change} showsReason /> })}
      />
      <Segment>
        <ProfileForm user={user} change={change} />
      </Segment>
      {user.id === viewer && <ThisDevice />}
    </div>
  );
}

/** The fields of a profile that are text. */
const TEXTS = ['name', 'givenName', 'familyName', 'email', 'phone', 'timezone'] as const;
type TextName = (typeof TEXTS)[number];

const isOfForm = (field: string): field is TextName => TEXTS.some((name) => name === field);
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

function ProfileForm({ user, change }: EditProfileProps) {
  const t = useText();
  const go = useNavigate();
  const data = useData();
  const viewer = useViewer();
  const saved = useSaved();
  const all = useNeedyChanges(user.id, change);
  const needy = all.filter(({ typed }) => Object.keys(typed).every(isOfForm));
  const form = useProjectForm<ProfileFields>(
    user.id,
    profileFields(user),
    typedIn(needy, isOfForm),
  );
  const { fields, set, forget, isChanged } = form;
  const errorOf = useFieldErrors(all, form, onWire);
  const noteOf = useFieldNotes(needy, form);
  const whyNot = mayEditContact(viewer, user) ? null : t('profile.onlyThemselves');

  const save = async () => {
    // They give way to the new change, which would otherwise wait for them.
    const putBack: (() => Promise<void>)[] = [];
    for (const { id } of needy) putBack.unshift(await data.changes.discard(id));
    try {
      await editProfile(data, user, changedIn(user, fields));
    } catch (error) {
      for (const back of putBack) await back();
      throw error;
    }
    forget();
    form.again();
    saved({ success: t('profile.updated') });
  };
  const propsOf = (field: TextName) => ({
    label: t(`profile.${field}`),
    value: fields[field],
    atMost: AT_MOST[field],
    error: errorOf(field),
    note: noteOf(field),
    onChange: (value: string) => {
      set({ [field]: value });
    },
  });

  return (
    <ProjectForm
      form={form}
      className="profile-form"
      whyNot={isChanged ? null : t('forms.nothingChanged')}
      speaking={SPEAKING}
      onSave={() => void form.save(save)}
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
          set({ emailNotification });
        }}
      />
      <Switch
        label={t('profile.visibility')}
        help={t(fields.isVisible ? 'profile.visibleMeans' : 'profile.restrictedMeans')}
        isOn={fields.isVisible}
        whyNot={whyNot}
        onChange={(isVisible) => {
          set({ isVisible });
        }}
      />
    </ProjectForm>
  );
}

interface TextProps {
  readonly label: string;
  readonly value: string;
  readonly atMost: number;
  readonly error: string | null;
  readonly note: ReactNode;
  readonly help?: string;
  readonly autoComplete?: string;
  /** Says why it cannot be changed; null when it can. */
  readonly whyNot?: string | null;
  readonly onChange: (value: string) => void;
}

function TextField(props: TextProps) {
  const { label, value, atMost, error, note, help, autoComplete, whyNot = null, onChange } = props;
  const below = whyNot ?? help;
  return (
    <Field
      label={label}
      error={error}
      note={note}
      {...(below === undefined ? {} : { help: below })}
    >
      {(tied) => (
        <input
          {...tied}
          type="text"
          dir="auto"
          autoComplete={autoComplete ?? 'off'}
          maxLength={atMost}
          readOnly={whyNot !== null}
          value={value}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </Field>
  );
}

const NONE = '-';

function Timezone({ label, value, error, note, onChange }: TextProps) {
  const t = useText();
  const { clock } = useUiEnvironment();
  const [zones] = useState(() => timezones(value, clock()));
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
  readonly isVisible: boolean;
};

function profileFields(user: Of<'user'>): ProfileFields {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, user[name] ?? '']));
  return {
    ...(texts as Readonly<Record<TextName, string>>),
    emailNotification: user.emailNotification,
    isVisible: user.profileVisibility !== 0,
  };
}

/** Finds what of the profile is otherwise in the form, as the record keeps it. */
function changedIn(user: Of<'user'>, fields: ProfileFields): Partial<Of<'user'>> {
  const profileVisibility = fields.isVisible ? 1 : 0;
  const wanted: Partial<Of<'user'>> = {
    ...Object.fromEntries(TEXTS.map((name) => [name, textIn(fields[name])])),
    emailNotification: fields.emailNotification,
    profileVisibility,
  };
  const differs = Object.entries(wanted).filter(
    ([name, value]) => value !== user[name as TextName],
  );
  return Object.fromEntries(differs);
}

/** Blank text counts as none. */
function textIn(typed: string): string | null {
  const text = typed.trim();
  return text === '' ? null : text;
}
