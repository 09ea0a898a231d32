import { knownConfig } from '#session/public-config.ts';
import { useViewer } from '#data/use-viewer.ts';
import { Avatar } from '#ui/avatar.tsx';
import { MenuButton } from '#ui/menu-button.tsx';
import type { MenuEntry } from '#ui/menu-button.tsx';
import { useText } from '#ui/text.ts';
import { APPEARANCES, useAppearance } from './use-appearance.ts';

interface Props {
  readonly onShortcuts: () => void;
  readonly onSignOut: () => void;
}

/** The person's own menu: help, appearance, signing out. */
export function AvatarMenu({ onShortcuts, onSignOut }: Props) {
  const t = useText();
  const { user } = useViewer();
  const [appearance, setAppearance] = useAppearance();
  const links = knownConfig()?.links;
  const outside = (id: 'community' | 'help'): MenuEntry[] => {
    const address = links?.[id] ?? null;
    if (address === null) return [];
    const run = () => {
      window.open(address, '_blank', 'noopener');
    };
    return [{ id, label: t(`header.${id}`), run }];
  };

  const entries: MenuEntry[] = [
    ...outside('community'),
    ...outside('help'),
    ...APPEARANCES.map((id, index) => ({
      id,
      label: t(`header.appearance.${id}`),
      isChosen: id === appearance,
      startsGroup: index === 0,
      run: () => {
        setAppearance(id);
      },
    })),
    { id: 'shortcuts', label: t('header.shortcuts'), startsGroup: true, run: onShortcuts },
    { id: 'sign-out', label: t('header.signOut'), startsGroup: true, run: onSignOut },
  ];
  return (
    <MenuButton
      label={t('header.menuOf', { name: user.name ?? t('users.noName') })}
      entries={entries}
    >
      <Avatar of={user.id} sidePx={32} />
    </MenuButton>
  );
}
