import { useCallback, useEffect, useRef, useState } from 'react';
import type { Of } from '#schema/index.ts';
import { useData } from '#data/react/hooks.ts';

type Project = Of<'project'>;

interface Lingering {
  /** The list with those that just left it still in their places. */
  readonly rows: readonly Project[];
  /** Keeps `projects` where they are although they no longer belong. */
  readonly keep: (projects: readonly Project[]) => void;
}

/**
 * Keeps a project that was just archived or reactivated where it was, so that it can be undone,
 * until the list is left.
 */
export function useLingering(found: readonly Project[]): Lingering {
  const { find } = useData();
  const [places, setPlaces] = useState<ReadonlyMap<string, number>>(new Map());

  const rows = [...found];
  const present = new Set(found.map(({ id }) => id));
  for (const [id, place] of [...places].sort(([, a], [, b]) => a - b)) {
    const project = present.has(id) ? null : find.one('project', id);
    if (project !== null) rows.splice(place, 0, project);
  }
  const drawn = useRef(rows);
  useEffect(() => {
    drawn.current = rows;
  });
  const keep = useCallback((projects: readonly Project[]) => {
    const kept = projects
      .map(({ id }) => [id, drawn.current.findIndex((row) => row.id === id)] as const)
      .filter(([, place]) => place >= 0);
    setPlaces((before) => new Map([...before, ...kept]));
  }, []);
  return { rows: places.size === 0 ? found : rows, keep };
}
