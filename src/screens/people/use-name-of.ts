import { displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import { useText } from '#ui/text/text.ts';

type Named = Pick<Of<'user'>, 'name' | 'givenName' | 'familyName'>;

/** Names a person, also one without a name or who is not on this device. */
export function useNameOf(): (user: Named | null) => string {
  const t = useText();
  return (user) => (user === null ? null : displayNameOf(user)) ?? t('users.noName');
}
