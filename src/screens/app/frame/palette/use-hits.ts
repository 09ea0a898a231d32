import { useMemo } from 'react';
import { useLocation } from 'react-router-dom';
import { fold, wordsOf } from '#base/unicode.ts';
import { limits } from '#protocol/limits.ts';
import { contains, displayNameOf } from '#rules/record/display.ts';
import type { Find } from '#rules/find.ts';
import { mayEditProject, mayOpenProject } from '#rules/project.ts';
import type { Viewer } from '#rules/viewer.ts';
import type { Of } from '#schema/index.ts';
import { useData, useList, useViewer } from '#data/react/hooks.ts';
import { useText } from '#ui/text/text.ts';
import { flowPathOf, useStateName } from '../../../flow/task.tsx';
import { useRecentlyViewed } from '../../page/device/recently-viewed.ts';
import { useOpeningView, useOrganizationOfView, useViewsHere } from '../../page/views/use-views.ts';
import { useOwnTasks } from '../../../flow/own-tasks.ts';
import { useScreens } from '../use-screens.ts';
import type { Screen } from '../use-screens.ts';
import { useActions } from './use-actions.ts';
import type { PaletteActions } from './use-actions.ts';
import type { PaletteMatch } from './palette-match.ts';

interface HitGroup {
  readonly of:
    'viewed' | 'projects' | 'people' | 'tasks' | 'products' | 'views' | 'screens' | 'actions';
  readonly hits: readonly PaletteMatch[];
}

const MORE: readonly Screen[] = [
  { to: '/projects/all', title: 'projects.switcher.dropdown.all', icon: 'folder' },
  { to: '/projects/archived', title: 'projects.switcher.dropdown.archived', icon: 'archive' },
];

/** More of each than these would only make the right one harder to find. */
const VIEWED_SHOWN = 5;
const PROJECTS_SHOWN = 8;
const PEOPLE_SHOWN = 5;
const TASKS_SHOWN = 5;
const PRODUCTS_SHOWN = 5;
const VIEWS_SHOWN = 5;

/**
 * Finds where `typed` may lead: screens, people and actions by their name, projects by what the lists
 * search, products by their own name and their project's, one's own tasks by the step, too. Before
 * anything is typed: what one opened last, one's own projects that changed last, screens and actions. All of it is on the
 * device. Projects come first, unless the name of a person fits better than that of any.
 */
export function useHits(typed: string, frame: PaletteActions): readonly HitGroup[] {
  const search = typed.trim();
  const viewed = useViewed(search);
  const projects = useProjects(search).filter(({ key }) => viewed.every((hit) => hit.key !== key));
  const people = usePeople(search);
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
  return [
    { of: 'viewed', hits: viewed },
    ...(arePeopleFirst ? groups.reverse() : groups),
    { of: 'tasks', hits: useTasks(search) },
    { of: 'products', hits: useProducts(search) },
    { of: 'views', hits: useViews(search) },
    { of: 'screens', hits: useFoundScreens(search) },
    {
      of: 'actions',
      hits: useActions(frame, search !== '').filter(({ title, words }) =>
        contains([title, ...words], search),
      ),
    },
  ];
}

function useFoundScreens(search: string): readonly PaletteMatch[] {
  const t = useText();
  const { id } = useViewer();
  const own: readonly Screen[] = [
    { to: `/users/${id}/edit`, title: 'header.profile', icon: 'person' },
    { to: '/account', title: 'header.account', icon: 'lock' },
  ];
  return [...useScreens(), ...MORE, ...own]
    .map(({ to, title, icon }) => ({ key: to, leads: { to }, title: t(title), icon }))
    .filter(({ title }) => contains([title], search));
}

/** Finds the projects and products that one opened last, but for the page that is open. */
function useViewed(search: string): readonly PaletteMatch[] {
  const { find } = useData();
  const viewer = useViewer();
  const { pathname } = useLocation();
  const viewed = useRecentlyViewed();
  if (search !== '') return [];
  return viewed
    .flatMap(({ type, id }) => {
      if (type === 'product') {
        const product = find.one('product', id);
        return product === null ? [] : (productMatch(product, viewer, find) ?? []);
      }
      const project = find.one('project', id);
      return project === null || !mayOpenProject(viewer, project, find)
        ? []
        : projectMatch(project, find);
    })
    .filter(({ leads }) => !('to' in leads && leads.to === pathname))
    .slice(0, VIEWED_SHOWN);
}

function projectMatch(project: Of<'project'>, find: Find): PaletteMatch {
  const detail = find.one('organization', project.organization)?.name ?? undefined;
  return {
    key: project.id,
    leads: { to: `/projects/${project.id}` },
    title: project.name,
    icon: project.dateArchived === null ? 'folder' : 'archive',
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Leads to a product, or to its project; null where the viewer may open neither. */
function productMatch(product: Of<'product'>, viewer: Viewer, find: Find): PaletteMatch | null {
  const { name, project } = namesOf(product, find);
  if (project === null || !mayOpenProject(viewer, project, find)) return null;
  const to = mayEditProject(viewer, project)
    ? `/products/${product.id}/files`
    : `/projects/${project.id}`;
  return {
    key: product.id,
    leads: { to },
    title: name,
    icon: 'plug',
    detail: project.name,
    product,
  };
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
  const hits = rows
    .filter((project) => mayOpenProject(viewer, project, find))
    .map((project) => projectMatch(project, find));
  return nearest(hits, search, PROJECTS_SHOWN);
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

/** The `most` hits whose titles fit best, each as near as the one before it or farther. */
function nearest(
  hits: readonly PaletteMatch[],
  search: string,
  most: number,
): readonly PaletteMatch[] {
  return hits
    .map((hit) => ({ hit, distance: distanceOf(hit.title, search) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, most)
    .map(({ hit }) => hit);
}

/** Finds people that the viewer sees; nobody before something is typed. */
function usePeople(search: string): readonly PaletteMatch[] {
  const { rows } = useList('user', {}, { sort: 'name' });
  return useMemo(() => {
    if (search === '') return [];
    const hits = rows.flatMap((user) => {
      const title = displayNameOf(user);
      const isHit = title !== null && contains([title], search);
      if (!isHit) return [];
      const leads = { to: `/users/${user.id}` };
      return { key: user.id, leads, title, icon: 'person' as const };
    });
    return nearest(hits, search, PEOPLE_SHOWN);
  }, [search, rows]);
}

/** Finds what waits for the person, by its step, product and project; nothing before one types. */
function useTasks(search: string): readonly PaletteMatch[] {
  const { find } = useData();
  const { rows } = useOwnTasks();
  const nameOf = useStateName();
  if (search === '') return [];
  return rows
    .flatMap((task) => {
      const product = task.product === null ? null : find.one('product', task.product);
      if (product === null) return [];
      const title = nameOf(task.status ?? '');
      const { name, project } = namesOf(product, find);
      if (!contains([title, name, project?.name ?? ''], search)) return [];
      return {
        key: task.id,
        leads: { to: flowPathOf(product, find) },
        title,
        icon: 'tasks' as const,
        detail: [name, project?.name].join(' · '),
        product,
      };
    })
    .slice(0, TASKS_SHOWN);
}

/**
 * Finds products of projects that the viewer may open; nothing before one types. Some word is of
 * their own name: a project that is found leads to the others.
 */
function useProducts(search: string): readonly PaletteMatch[] {
  const { find } = useData();
  const viewer = useViewer();
  const { rows } = useList('product', search === '' ? { project: '' } : {});
  const { rows: definitions } = useList('productDefinition', {});
  // Products are many, and what they are of is few: names are looked through first.
  return useMemo(() => {
    const words = wordsOf(search);
    const named = new Set(
      definitions
        .filter(({ name }) => words.some((word) => contains([name], word)))
        .map(({ id }) => id),
    );
    const hits = rows.flatMap((product) => {
      if (!named.has(product.productDefinition)) return [];
      const { name, project } = namesOf(product, find);
      if (project === null || !contains([name, project.name], search)) return [];
      return productMatch(product, viewer, find) ?? [];
    });
    return nearest(hits, search, PRODUCTS_SHOWN);
  }, [search, rows, definitions, viewer, find]);
}

/** Finds saved views by their name; nothing before one types, for the sidebar has them. */
function useViews(search: string): readonly PaletteMatch[] {
  const { own, shared } = useViewsHere();
  const open = useOpeningView();
  const organizationOf = useOrganizationOfView();
  if (search === '') return [];
  const hits = [...own, ...shared]
    .filter(({ name }) => contains([name], search))
    .map((view): PaletteMatch => {
      const detail = organizationOf(view);
      const run = () => {
        open(view);
      };
      return {
        ...{ key: view.id, leads: { run }, title: view.name, icon: 'filter' },
        ...(detail === null ? {} : { detail }),
      };
    });
  return nearest(hits, search, VIEWS_SHOWN);
}

/** The name of a product, and the project that it is of. */
function namesOf(product: Of<'product'>, find: Find) {
  const definition = find.one('productDefinition', product.productDefinition);
  return { name: definition?.name ?? '', project: find.one('project', product.project) };
}
