import { fold, wordsOf } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import { contains, displayNameOf } from '#rules/record/display.ts';
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

interface HitGroup {
  readonly of: 'projects' | 'people' | 'screens';
  readonly hits: readonly PaletteMatch[];
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
 * device. Projects come first, unless the name of a person fits better than that of any.
 */
export function useHits(typed: string): readonly HitGroup[] {
  const t = useText();
  const search = typed.trim();
  const projects = useProjects(search);
  const people = usePeople(search);
  const screens = useAllScreens()
    .filter(({ title, heading = title }) =>
      contains(
        [title, heading].map((key) => t(key)),
        search,
      ),
    )
    .map(({ to, title, icon }) => ({ to, title: t(title), icon }));
  const [person] = people;
  const [project] = projects;
  const distance = person === undefined ? Distance.elsewhere : distanceOf(person.title, search);
  const arePeopleFirst =
    distance <= Distance.wordBegins &&
    (project === undefined || distance < distanceOf(project.title, search));
  const groups: HitGroup[] = [
    { of: 'projects', hits: projects },
    { of: 'people', hits: people },
  ];
  return [...(arePeopleFirst ? groups.reverse() : groups), { of: 'screens', hits: screens }];
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

/** Where what was typed is found, the best first; `elsewhere` is another field than the name. */
const Distance = { nameBegins: 0, wordBegins: 1, within: 2, elsewhere: 3 } as const;

/** Of several words the one that fits worst counts, unless the name begins with what was typed. */
function distanceOf(name: string, search: string): number {
  const folded = fold(name);
  if (folded.startsWith(fold(search))) return Distance.nameBegins;
  const inName = folded.split(/[^\p{L}\p{M}\p{N}]+/u);
  const distances = wordsOf(search).map((wanted) => {
    if (inName.some((word) => word.startsWith(wanted))) return Distance.wordBegins;
    return folded.includes(wanted) ? Distance.within : Distance.elsewhere;
  });
  return Math.max(Distance.nameBegins, ...distances);
}

/** Finds people that the viewer sees; nobody before something is typed. */
function usePeople(search: string): readonly PaletteMatch[] {
  const { rows } = useList('user', {}, { sort: 'name' });
  if (search === '') return [];
  return rows
    .flatMap((user) => {
      const title = displayNameOf(user);
      const isHit = title !== null && contains([title], search);
      return isHit ? { to: `/users/${user.id}`, title, icon: 'person' as const } : [];
    })
    .sort((a, b) => distanceOf(a.title, search) - distanceOf(b.title, search))
    .slice(0, PEOPLE_SHOWN);
}
