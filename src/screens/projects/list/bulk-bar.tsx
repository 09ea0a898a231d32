import { useState } from 'react';
import type { Of } from '#schema/index.ts';
import { limits } from '#protocol/limits.ts';
import { useData } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { Button } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import type { RowSelection } from '../../app/page/list-state.ts';
import { LateDialog, loadWithTexts } from '../../app/page/late/late-part.tsx';
import type { ProjectList } from '../lists.ts';
import { useAskedArchiving, useCountNotTheirs } from '../project-actions.ts';

export interface BulkBarProps {
  readonly list: ProjectList;
  readonly selection: RowSelection;
  /** The projects of the selection that are still there. */
  readonly selected: readonly Of<'project'>[];
  /** Ids of the rows in view. */
  readonly shown: readonly string[];
  readonly total: number;
  readonly filter: ListFilter<'project'>;
  readonly search: string;
  readonly onArchived: (projects: readonly Of<'project'>[]) => void;
}

/**
 * Offers what can be done to the selected projects together. It stays while nothing is selected: a
 * batch that waits for its verdicts is announced from here, and an open dialog keeps its projects.
 */
export function BulkBar(props: BulkBarProps) {
  const { list, selection, selected, onArchived } = props;
  const t = useText();
  const { run, question } = useAskedArchiving((ids) => {
    selection.setAll(ids, false);
  });
  const notTheirs = useCountNotTheirs(selected);
  const [building, setBuilding] = useState<readonly Of<'project'>[] | null>(null);
  const { bulk } = list;
  return (
    <>
      {selected.length > 0 && (
        <>
          <SelectAll {...props} />
          {bulk !== null && notTheirs === 0 && (
            <Button
              onClick={() => {
                run(bulk, selected, onArchived);
              }}
            >
              <Icon name={bulk === 'archive' ? 'archive' : 'restore'} />
              {t(`projects.bulk.${bulk}`)}
            </Button>
          )}
          <Button
            onClick={() => {
              setBuilding(selected);
            }}
          >
            <Icon name="sync" />
            {t('projects.bulk.build')}
          </Button>
          {bulk !== null && notTheirs > 0 && (
            <span>{t(`projects.bulk.notYours.${bulk}`, { count: notTheirs })}</span>
          )}
        </>
      )}
      {question}
      {building !== null && (
        <LateDialog
          load={loadBulkBuild}
          title={t('projects.bulk.build')}
          props={{
            projects: building,
            onClose: () => {
              setBuilding(null);
            },
            onStarted: selection.clear,
          }}
        />
      )}
    </>
  );
}

const loadBulkBuild = loadWithTexts(
  async () => (await import('../bulk-build/bulk-build.tsx')).BulkBuild,
);

/** Offers all projects of the list to who has taken a whole page of several. */
function SelectAll({ selection, selected, shown, total, filter, search }: BulkBarProps) {
  const t = useText();
  const data = useData();
  const areAllShownSelected = shown.length > 0 && shown.every((id) => selection.ids.has(id));
  const isFull = selected.length >= limits.bulkMost;
  if (!areAllShownSelected || total <= selected.length || isFull) return null;

  const selectAll = () => {
    const all = data.lists.open('project', filter, {
      ...(search === '' ? {} : { search }),
      page: { offset: 1, limit: limits.pageSizeMost },
    });
    const others = all.view().rows.filter(({ id }) => !selection.ids.has(id));
    const room = others.slice(0, limits.bulkMost - selected.length);
    selection.setAll(
      room.map(({ id }) => id),
      true,
    );
  };
  return (
    <button type="button" className="link-button" onClick={selectAll}>
      {t('projects.bulk.selectAll', { number: Math.min(total, limits.bulkMost) })}
    </button>
  );
}
