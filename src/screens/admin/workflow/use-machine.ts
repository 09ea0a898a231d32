import { useEffect, useState } from 'react';
import type { MachineShape } from '#protocol/workflow.ts';
import type { ServerError } from '#protocol/server-error.ts';
import type { Of } from '#schema/index.ts';
import { machineOf } from '#data/actions/workflows.ts';
import type { OnlineResult } from '#data/model/views.ts';
import { useChanges, useData } from '#data/react/hooks.ts';

type Known =
  /** No workflow runs. */
  { readonly is: 'none' | 'coming' } | OnlineResult<MachineShape>;

interface Machine {
  readonly known: Known;
  readonly tryAgain: () => void;
}

/** The result of the last fetch, and the definition that it was for. */
interface FetchedMachine {
  readonly workflow: string;
  readonly result: OnlineResult<MachineShape>;
}

/**
 * Fetches the machine that the product's workflow runs by: once while it runs, and again as soon as
 * there is a connection when it could not be had.
 */
export function useMachine({ id, productWorkflow: workflow }: Of<'product'>): Machine {
  const data = useData();
  const { status, serverError } = useChanges();
  const isOffline = status === 'offline';
  const [fetched, setFetched] = useState<FetchedMachine | null>(null);
  const [again, setAgain] = useState(0);
  // One that begins anew may be of another scheme.
  if (fetched !== null && fetched.workflow !== workflow) setFetched(null);
  const isWanted = workflow !== null && !isOffline && fetched?.result.is !== 'told';

  useEffect(() => {
    if (!isWanted) return undefined;
    let isOver = false;
    void machineOf(data, id).then((result) => {
      if (!isOver) setFetched({ workflow, result });
    });
    return () => {
      isOver = true;
    };
  }, [data, id, workflow, isWanted, again]);

  return {
    known: workflow === null ? { is: 'none' } : knownBy(fetched, isOffline, serverError),
    tryAgain: () => {
      setFetched(null);
      setAgain(again + 1);
    },
  };
}

function knownBy(
  fetched: FetchedMachine | null,
  isOffline: boolean,
  serverError: ServerError | undefined,
): Known {
  if (fetched !== null) return fetched.result;
  return isOffline ? { is: 'no-answer', serverError } : { is: 'coming' };
}
