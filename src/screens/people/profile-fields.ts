import type { Of } from '#schema/index.ts';

/** The fields of a profile that are text. */
export const TEXTS = ['name', 'givenName', 'familyName', 'email', 'phone', 'timezone'] as const;
export type TextName = (typeof TEXTS)[number];

/** A profile as its form has it: nothing is blank text. */
export type ProfileFields = Readonly<Record<TextName, string>> & {
  readonly emailNotification: boolean;
  readonly isVisible: boolean;
};

export function profileFields(user: Of<'user'>): ProfileFields {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, user[name] ?? '']));
  return {
    ...(texts as Readonly<Record<TextName, string>>),
    emailNotification: user.emailNotification,
    isVisible: user.profileVisibility !== 0,
  };
}

/** Finds what of the profile is otherwise in the form, as the record keeps it. */
export function changedIn(user: Of<'user'>, fields: ProfileFields): Partial<Of<'user'>> {
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
