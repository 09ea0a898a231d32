import type { Of } from '#schema/index.ts';
import type { Data } from '../data.ts';

/** Sets the language of the viewer's screens and mails. */
export async function setLocale(data: Data, locale: Of<'user'>['locale']): Promise<void> {
  await data.edit('user', data.viewerId(), { locale }, ['changes.user.locale', {}]);
}
