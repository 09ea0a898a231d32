import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { isObject } from '#base/is-object.ts';
import type { MoveTrouble } from './use-move.ts';

/**
 * The state that a workflow is in, and the one it was in when the person looked; null: it has come
 * to its end.
 */
interface Present {
  readonly state: string | null;
  /** The state that the person saw; the workflow has moved on when `now` is another one. */
  readonly seen: string | null;
  readonly refresh: () => void;
}

/**
 * Finds the state of the workflow: by the device's copy, or by a refusal that is newer than that.
 */
export function usePresent(product: Of<'product'>, trouble: MoveTrouble | null): Present {
  const { workflowState, version } = product;
  const [seen, setSeen] = useState(workflowState);
  const [refusal, setRefusal] = useState({ trouble, version });
  if (refusal.trouble !== trouble) setRefusal({ trouble, version });
  const said = refusal.version === version ? stateIn(trouble) : undefined;
  const state = said === undefined ? workflowState : said;
  return {
    state,
    seen,
    refresh: () => {
      setSeen(state);
    },
  };
}

/** The state that a refusal names; undefined where it names none. */
function stateIn(trouble: MoveTrouble | null): string | null | undefined {
  if (trouble?.is !== 'refused' || trouble.problem.code !== 'workflow-state-changed')
    return undefined;
  const current = trouble.problem.meta?.current;
  const state = isObject(current) ? current['workflow-state'] : undefined;
  return typeof state === 'string' || state === null ? state : undefined;
}
