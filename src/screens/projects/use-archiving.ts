import { useEffect, useRef, useState } from 'react';
import type { Of } from '#schema/index.ts';
import { archive, reactivate } from '#data/actions/projects.ts';
import { NotSavedError } from '#data/change.ts';
import { useChanges } from '#data/use-changes.ts';
import type { ChangeRow } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useText } from '#ui/text.ts';
import { useToast } from '#ui/toasts.tsx';
import { useOpenChanges } from '../changes/changes-context.ts';

type Project = Of<'project'>;
type Operation = 'archive' | 'reactivate';

/** What was asked for and has no verdict yet. */
interface Batch {
  readonly operation: Operation;
  readonly projects: readonly Project[];
  /** Changes that were there before. */
  readonly before: ReadonlySet<string>;
}

const says: Readonly<Record<Operation, string>> = {
  archive: 'changes.project.archive',
  reactivate: 'changes.project.reactivate',
};

/**
 * Archives or reactivates at once on this device, and says so when the server has agreed to all;
 * offline, that it is saved here; of refusals, how many. `onAgreed` hears that all are done.
 */
export function useArchiving(onAgreed?: () => void) {
  const t = useText();
  const data = useData();
  const show = useToast();
  const openChanges = useOpenChanges();
  const { rows, status } = useChanges();
  const [batch, setBatch] = useState<Batch | null>(null);
  const told = useRef<Batch | null>(null);
  const agreed = useRef(onAgreed);
  useEffect(() => {
    agreed.current = onAgreed;
  });

  const run = async (operation: Operation, projects: readonly Project[]): Promise<void> => {
    const before = new Set(rows.map(({ id }) => id));
    try {
      await (operation === 'archive' ? archive : reactivate)(data, projects);
      setBatch({ operation, projects, before });
    } catch (error) {
      if (!(error instanceof NotSavedError)) throw error;
      show({ tone: 'error', title: t(`project.operations.${operation}.error`) });
    }
  };

  useEffect(() => {
    if (batch === null || told.current === batch) return;
    const { operation, projects } = batch;
    const own = rows.filter((row) => belongs(row, batch));
    const back = operation === 'archive' ? 'reactivate' : 'archive';
    const undo = {
      label: t('common.undo'),
      run: () => void (back === 'archive' ? archive : reactivate)(data, projects),
    };
    const refused = own.filter(({ state }) => state === 'refused' || state === 'conflict').length;
    const isDecided = own.length > 0 && own.every(({ state }) => !isUnderWay(state));
    if (!isDecided && status !== 'offline') return;
    told.current = batch;

    if (refused > 0) {
      show({
        tone: 'error',
        title: t(`project.operations.${operation}.someRefused`, {
          refused,
          total: projects.length,
        }),
        action: { label: t('common.show'), run: openChanges },
      });
    } else if (isDecided) {
      const which = projects.length > 1 ? 'bulkSuccess' : 'success';
      show({ tone: 'success', title: t(`project.operations.${operation}.${which}`), action: undo });
      agreed.current?.();
    } else {
      show({ tone: 'info', title: t('sync.savedHere'), action: undo });
      agreed.current?.();
    }
  }, [batch, rows, status, data, show, t, openChanges]);

  return run;
}

function isUnderWay(state: ChangeRow['state']): boolean {
  return state === 'waiting' || state === 'sending';
}

function belongs(row: ChangeRow, { operation, projects, before }: Batch): boolean {
  return (
    !before.has(row.id) &&
    row.says[0] === says[operation] &&
    projects.some(({ id }) => id === row.about.id)
  );
}
