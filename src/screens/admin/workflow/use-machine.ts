import { useEffect, useState } from 'react';
import type { ErrorObject } from '#protocol/problem.ts';
import type { MachineShape } from '#protocol/workflow.ts';
import type { Of } from '#schema/index.ts';
import { machineOf } from '#data/actions/workflows.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useChanges } from '#data/react/use-changes.ts';
import { useData } from '#data/react/use-data.ts';

type Known =
  /** No workflow runs. */
  | { readonly is: 'none' | 'coming' | 'no-answer' }
  | { readonly is: 'refused'; readonly problem: ErrorObject }
  | { readonly is: 'told'; readonly value: MachineShape };

interface Machine {
  readonly known: Known;
  readonly tryAgain: () => void;
}

/** What was heard of the workflow of that definition. */
interface FetchedMachine {
  readonly workflow: string;
  readonly result: OnlineResult<MachineShape>;
}

/**
 * The machine that the product's workflow runs by: asked of the server once while it runs, and again
 * as soon as there is a connection when it could not be had.
 */
export function useMachine({ id, productWorkflow: workflow }: Of<'product'>): Machine {
  const data = useData();
  const isOffline = useChanges().status === 'offline';
  const [heard, setHeard] = useState<FetchedMachine | null>(null);
  const [again, setAgain] = useState(0);
  // One that begins anew may be of another scheme.
  if (heard !== null && heard.workflow !== workflow) setHeard(null);
  const isWanted = workflow !== null && !isOffline && heard?.result.is !== 'told';

  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    void machineOf(data, id).then((told) => {
      if (!isOver) setHeard({ workflow, result: told });
    });
    return () => {
      isOver = true;
    };
  }, [data, id, workflow, isWanted, again]);

  return {
    known: workflow === null ? { is: 'none' } : knownBy(heard, isOffline),
    tryAgain: () => {
      setHeard(null);
      setAgain(again + 1);
    },
  };
}

function knownBy(heard: FetchedMachine | null, isOffline: boolean): Known {
  if (heard !== null) return heard.result;
  return { is: isOffline ? 'no-answer' : 'coming' };
}
