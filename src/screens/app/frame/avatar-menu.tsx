import { useNavigate } from 'react-router-dom';
import { displayNameOf } from '#rules/record/display.ts';
import { knownConfig } from '#session/public-config.ts';
import { useSession } from '#session/sign-in.tsx';
import { useViewer } from '#data/react/hooks.ts';
import { Avatar } from '#ui/picture/avatar.tsx';
import { MenuButton } from '#ui/overlay/menu-button.tsx';
import type { MenuEntry } from '#ui/overlay/menu-button.tsx';
import { useText } from '#ui/text/text.ts';
import { usePortrait } from '../../people/use-portrait.ts';
import { APPEARANCES } from './use-appearance.ts';
import type { Appearance } from './use-appearance.ts';

interface Props {
  readonly appearance: Appearance;
  readonly onAppearance: (appearance: Appearance) => void;
  readonly onShortcuts: () => void;
  readonly onSignOut: () => void;
}

/** The person's own menu: help, appearance, signing out. */
export function AvatarMenu({ appearance, onAppearance, onShortcuts, onSignOut }: Props) {
  const t = useText();
  const { user } = useViewer();
  const { claims } = useSession();
  const go = useNavigate();
  const portrait = usePortrait(user.email);
  const links = knownConfig()?.links;
  const outside = (id: 'community' | 'help'): MenuEntry[] => {
    const address = links?.[id] ?? null;
    if (address === null) return [];
    const run = () => {
      window.open(address, '_blank', 'noopener');
    };
    return [{ id, label: t(`header.${id}`), href: address, run }];
  };

  const inside = (id: 'profile' | 'account', href: string): MenuEntry => ({
    id,
    label: t(`header.${id}`),
    href,
    run: () => void go(href),
  });
  const entries: MenuEntry[] = [
    inside('profile', `/users/${user.id}/edit`),
    inside('account', '/account'),
    ...outside('community'),
    ...outside('help'),
    ...APPEARANCES.map((id, index) => ({
      id,
      label: t(`header.appearance.${id}`),
      isChosen: id === appearance,
      startsGroup: index === 0,
      run: () => {
        onAppearance(id);
      },
    })),
    { id: 'shortcuts', label: t('header.shortcuts'), startsGroup: true, run: onShortcuts },
    { id: 'sign-out', label: t('header.signOut'), startsGroup: true, run: onSignOut },
  ];
  return (
    <MenuButton
      label={t('header.menuOf', { name: displayNameOf(user) ?? t('users.noName') })}
      entries={entries}
    >
      <Avatar of={user.id} sidePx={32} picture={claims?.picture ?? portrait} />
    </MenuButton>
  );
}
