import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { isObject } from '#base/is-object.ts';
import type { MoveTrouble } from './use-move.ts';

/** Where a workflow is, and where it was when someone looked; null: it has come to its end. */
interface Present {
  readonly state: string | null;
  /** What the person saw; it has moved on when that is another state. */
  readonly seen: string | null;
  readonly refresh: () => void;
}

/** Where the workflow is: by the device's copy, or by a refusal that is newer than that. */
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

/** The state that a refusal tells of; undefined where it does not. */
function stateIn(trouble: MoveTrouble | null): string | null | undefined {
  if (trouble?.is !== 'refused' || trouble.problem.code !== 'workflow-state-changed')
    return undefined;
  const current = trouble.problem.meta?.current;
  const state = isObject(current) ? current['workflow-state'] : undefined;
  return typeof state === 'string' || state === null ? state : undefined;
}
