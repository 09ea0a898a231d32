import type { Of } from '#schema/index.ts';
import type { Data } from '../model/data.ts';

/** Sets the language of the viewer's screens and mails. */
export async function setLocale(data: Data, locale: Of<'user'>['locale']): Promise<void> {
  await data.edit('user', data.viewerId(), { locale }, ['changes.user.locale', {}]);
}

type Profile = Pick<
  Of<'user'>,
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'email'
  | 'phone'
  | 'timezone'
  | 'emailNotification'
  | 'profileVisibility'
  | 'silencedMails'
>;

/**
 * Sets the fields of a person's profile that differ.
 *
 * @throws NotSavedError if this device cannot keep it
 * @throws ProblemError if a value is not valid: `invalid` with pointer and rule, as from the server
 */
export async function editProfile(
  data: Data,
  user: Of<'user'>,
  fields: Partial<Profile>,
): Promise<void> {
  const name = data.nameOf('user', user.id);
  await data.edit('user', user.id, fields, ['changes.user.profile', { name }]);
}
