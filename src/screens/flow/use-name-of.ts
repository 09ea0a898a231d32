import { useCallback } from 'react';
import { displayNameOf } from '#rules/record/display.ts';
import { useData } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';

/** Names whoever took a step; what happened by itself is the product's own doing. */
export function useNameOf(): (user: string | null) => string {
  const t = useText();
  const { find } = useData();
  return useCallback(
    (id) => {
      if (id === null) return t('common.brand');
      const user = find.one('user', id);
      return user === null ? t('flow.unknownUser') : (displayNameOf(user) ?? t('users.noName'));
    },
    [t, find],
  );
}
