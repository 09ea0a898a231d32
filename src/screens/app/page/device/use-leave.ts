import { signOut } from '#session/sign-in.tsx';
import { useData } from '#data/react/hooks.ts';
import { writeSetting, useUiEnvironment } from '#ui/ui-environment.tsx';
import { languageKeyOf } from './language-menu.tsx';

/** The key under which comments of `user` that were not sent yet are kept. */
export const keptCommentsOf = (user: string): string => `slipway.comments.${user}`;

/** The key under which the pages that `user` opened last are kept. */
export const recentlyViewedOf = (user: string): string => `slipway.viewed.${user}`;

/** Leaves nothing of the person on this device. */
export function useLeave(): () => Promise<void> {
  const data = useData();
  const { storage } = useUiEnvironment();
  return async () => {
    await data.clear();
    const viewer = data.viewerId();
    for (const key of [keptCommentsOf(viewer), recentlyViewedOf(viewer), languageKeyOf(viewer)])
      writeSetting(storage, key, null);
    await signOut();
  };
}
