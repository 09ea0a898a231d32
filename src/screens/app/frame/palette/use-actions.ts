import { knownConfig } from '#session/public-config.ts';
import { useOrganization } from '#session/organization.ts';
import { useText } from '#ui/text/text.ts';
import { useIsAdminHere, useMakesProjectsHere } from '../../page/here.tsx';
import { APPEARANCES } from '../use-appearance.ts';
import type { Appearance } from '../use-appearance.ts';
import type { PaletteMatch } from './palette-match.ts';

/** What the frame around the page does for the palette. */
export interface PaletteActions {
  readonly appearance: Appearance;
  readonly onAppearance: (appearance: Appearance) => void;
  readonly onShortcuts: () => void;
  /** Asks before it does. */
  readonly onSignOut: () => void;
}

/** An action, found by its title and by other words for it. */
export interface PaletteAction extends PaletteMatch {
  readonly words: readonly string[];
}

/**
 * Lists what the person may do from everywhere, whichever page shows. Signing out, which clears the
 * device, is offered only to who has typed something: no arrow comes upon it by accident.
 */
export function useActions(frame: PaletteActions, hasSearch: boolean): readonly PaletteAction[] {
  const t = useText();
  const signOut: PaletteAction = {
    key: 'sign-out',
    title: t('header.signOut'),
    words: [t('palette.signOutWords')],
    icon: 'lock',
    leads: { run: frame.onSignOut },
  };
  return [
    ...useForms(),
    ...useHelp(),
    {
      key: 'shortcuts',
      title: t('header.shortcuts'),
      words: [],
      icon: 'question',
      leads: { run: frame.onShortcuts },
    },
    ...APPEARANCES.filter((name) => name !== frame.appearance).map((name): PaletteAction => {
      const run = () => {
        frame.onAppearance(name);
      };
      return {
        key: `appearance-${name}`,
        title: t('palette.appearance', { name: t(`header.appearance.${name}`) }),
        words: [t('palette.appearanceWords')],
        icon: 'gear',
        leads: { run },
      };
    }),
    ...(hasSearch ? [signOut] : []),
  ];
}

/** Forms belong to an organization: none is there while all are in view. */
function useForms(): readonly PaletteAction[] {
  const t = useText();
  const hasOrganization = useOrganization() !== null;
  const mayImport = useIsAdminHere();
  const mayAdd = useMakesProjectsHere();
  if (!hasOrganization) return [];
  const forms: PaletteAction[] = [];
  if (mayAdd)
    forms.push({
      key: 'add',
      title: t('header.addProject'),
      words: [t('project.newProject')],
      icon: 'add',
      leads: { to: '/projects/new' },
    });
  if (mayImport)
    forms.push({
      key: 'import',
      title: t('projects.import'),
      words: [],
      icon: 'arrowUp',
      leads: { to: '/projects/import' },
    });
  return forms;
}

/** Pages of help, which open beside the app, where the installation has them. */
function useHelp(): readonly PaletteAction[] {
  const t = useText();
  const links = knownConfig()?.links;
  return (['help', 'community'] as const).flatMap((id): PaletteAction[] => {
    const address = links?.[id] ?? null;
    if (address === null) return [];
    const run = () => {
      window.open(address, '_blank', 'noopener');
    };
    return [{ key: id, title: t(`header.${id}`), words: [], icon: 'question', leads: { run } }];
  });
}
