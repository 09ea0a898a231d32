import { fold } from '#base/fold.ts';
import { limits } from '#protocol/limits.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { mayOpenProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useData, useList, useViewer } from '#data/react/hooks.ts';
import type { IconName } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import type { TextKey } from '#ui/text/text.ts';
import { useIsAdminHere, useMakesProjectsHere } from '../../page/here.tsx';
import { useScreens } from '../use-screens.ts';
import type { Screen } from '../use-screens.ts';

/** Somewhere to go. */
export interface PaletteMatch {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** Says whose it is, where the title does not say enough. */
  readonly detail?: string;
}

interface Hits {
  readonly screens: readonly PaletteMatch[];
  readonly projects: readonly PaletteMatch[];
  readonly people: readonly PaletteMatch[];
}

interface Entry extends Screen {
  /** The heading of the screen, where its link says it otherwise: it is found by both. */
  readonly heading?: TextKey;
}

const MORE: readonly Screen[] = [
  { to: '/projects/all', title: 'projects.switcher.dropdown.all', icon: 'folder' },
  { to: '/projects/archived', title: 'projects.switcher.dropdown.archived', icon: 'archive' },
];
const IMPORT: Screen = { to: '/projects/import', title: 'projects.import', icon: 'arrowUp' };
const ADD: Entry = {
  to: '/projects/new',
  title: 'header.addProject',
  heading: 'project.newProject',
  icon: 'add',
};

/** More projects and people than these would only make the right one harder to find. */
const PROJECTS_SHOWN = 8;
const PEOPLE_SHOWN = 5;

/**
 * Finds where `typed` may lead: screens and people by their name, and projects by what the lists
 * search. Before anything is typed: one's own projects that changed last. All of it is on the
 * device.
 */
export function useHits(typed: string): Hits {
  const t = useText();
  const wanted = fold(typed.trim());
  const screens = useAllScreens()
    .filter(({ title, heading = title }) =>
      [title, heading].some((key) => fold(t(key)).includes(wanted)),
    )
    .map(({ to, title, icon }) => ({ to, title: t(title), icon }));
  return { screens, projects: useProjects(typed.trim()), people: usePeople(typed.trim()) };
}

function useAllScreens(): readonly Entry[] {
  const screens = useScreens();
  const hasOrganization = useOrganization() !== null;
  const mayImport = useIsAdminHere();
  const mayAdd = useMakesProjectsHere();
  const forms = [...(mayImport ? [IMPORT] : []), ...(mayAdd ? [ADD] : [])];
  return [...screens, ...MORE, ...(hasOrganization ? forms : [])];
}

function useProjects(search: string): readonly PaletteMatch[] {
  const { find } = useData();
  const viewer = useViewer();
  const hasSearch = search !== '';
  const { rows } = useList('project', hasSearch ? {} : { owner: viewer.id, dateArchived: NONE }, {
    sort: hasSearch ? 'name' : '-dateUpdated',
    page: { offset: 1, limit: limits.pageSizeMost },
    ...(hasSearch ? { search } : {}),
  });
  const organizationOf = ({ organization }: Of<'project'>) =>
    find.one('organization', organization)?.name ?? undefined;
  return rows
    .filter((project) => mayOpenProject(viewer, project, find))
    .sort((a, b) => distanceOf(a.name, search) - distanceOf(b.name, search))
    .slice(0, PROJECTS_SHOWN)
    .map((project) => {
      const detail = organizationOf(project);
      return {
        to: `/projects/${project.id}`,
        title: project.name,
        icon: project.dateArchived === null ? 'folder' : 'archive',
        ...(detail === undefined ? {} : { detail }),
      };
    });
}

const NONE = { isNull: true } as const;

/** A name that begins with what was typed comes before one that has it, and before other fields. */
function distanceOf(name: string, search: string): number {
  const at = fold(name).indexOf(fold(search));
  return at < 0 ? 2 : Math.min(at, 1);
}

/** Finds people that the viewer sees; nobody before something is typed. */
function usePeople(search: string): readonly PaletteMatch[] {
  const { rows } = useList('user', {}, { sort: 'name' });
  if (search === '') return [];
  return rows
    .flatMap((user) => {
      const title = displayNameOf(user);
      const isHit = title !== null && fold(title).includes(fold(search));
      return isHit ? { to: `/users/${user.id}`, title, icon: 'person' as const } : [];
    })
    .sort((a, b) => distanceOf(a.title, search) - distanceOf(b.title, search))
    .slice(0, PEOPLE_SHOWN);
}
