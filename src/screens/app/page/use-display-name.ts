import { compareTexts, displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import type { Option } from '#ui/form/combobox.tsx';
import { useText } from '#ui/text/text.ts';

type Named = Pick<Of<'user'>, 'name' | 'givenName' | 'familyName'>;

/** Names a person, also one without a name or who is not on this device. */
export function useDisplayName(): (user: Named | null) => string {
  const t = useText();
  return (user) => (user === null ? null : displayNameOf(user)) ?? t('users.noName');
}

/** Lists people to choose from by the names by which they are called, in the order of these. */
export function usePeopleOptions(): (users: readonly Of<'user'>[]) => readonly Option[] {
  const nameOf = useDisplayName();
  return (users) =>
    users
      .map((user) => ({ id: user.id, label: nameOf(user) }))
      .sort((a, b) => compareTexts(a.label, b.label));
}
