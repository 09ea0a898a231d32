import { fold } from '#base/fold.ts';
import { limits } from '#protocol/limits.ts';
import { mayOpenProject } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useData } from '#data/use-data.ts';
import { useList } from '#data/use-list.ts';
import { useViewer } from '#data/use-viewer.ts';
import type { IconName } from '#ui/icon.tsx';
import { useText } from '#ui/text.ts';
import { useIsAdminHere, useMakesProjectsHere } from '../use-here.ts';
import { useScreens } from '../use-screens.ts';
import type { Screen } from '../use-screens.ts';

/** Somewhere to go. */
export interface Hit {
  readonly to: string;
  readonly title: string;
  readonly icon: IconName;
  /** Whose it is, where the title does not say enough. */
  readonly detail?: string;
}

interface Hits {
  readonly screens: readonly Hit[];
  readonly projects: readonly Hit[];
}

const MORE: readonly Screen[] = [
  { to: '/projects/all', title: 'projects.switcher.dropdown.all', icon: 'folder' },
  { to: '/projects/archived', title: 'projects.switcher.dropdown.archived', icon: 'archive' },
];
const IMPORT: Screen = { to: '/projects/import', title: 'projects.import', icon: 'arrowUp' };
const ADD: Screen = { to: '/projects/new', title: 'header.addProject', icon: 'add' };

/** How many projects show; more of them only make the right one harder to find. */
const PROJECTS_SHOWN = 8;

/**
 * Where `typed` may lead: screens by their name, and projects by what the lists search. Before
 * anything is typed: one's own projects that changed last. All of it is on the device.
 */
export function useHits(typed: string): Hits {
  const t = useText();
  const wanted = fold(typed.trim());
  const screens = useAllScreens()
    .map(({ to, title, icon }) => ({ to, title: t(title), icon }))
    .filter(({ title }) => fold(title).includes(wanted));
  return { screens, projects: useProjects(typed.trim()) };
}

function useAllScreens(): readonly Screen[] {
  const screens = useScreens();
  const hasOrganization = useOrganization() !== null;
  const mayImport = useIsAdminHere();
  const mayAdd = useMakesProjectsHere();
  const forms = [...(mayImport ? [IMPORT] : []), ...(mayAdd ? [ADD] : [])];
  return [...screens, ...MORE, ...(hasOrganization ? forms : [])];
}

function useProjects(search: string): readonly Hit[] {
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
