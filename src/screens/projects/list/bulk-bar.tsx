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
 * Offers what can be done to the selected projects together, and says which are not in view. It stays
 * while nothing is selected: a batch that waits for its verdicts is announced from here.
 */
export function BulkBar({
  list,
  selection,
  selected,
  shown,
  total,
  filter,
  search,
  onArchived,
}: BulkBarProps) {
  const t = useText();
  const data = useData();
  const { run, question } = useAskedArchiving((ids) => {
    selection.setAll(ids, false);
  });
  const notTheirs = useCountNotTheirs(selected);
  const hidden = selected.filter(({ id }) => !shown.includes(id)).length;
  const areAllShownSelected = shown.length > 0 && shown.every((id) => selection.ids.has(id));
  const leftOut = Math.max(0, total - selected.length);
  const isFull = selected.length >= limits.bulkMost;
  const { bulk } = list;

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
  if (selected.length === 0) return question;
  return (
    <>
      {hidden > 0 && <span>{t('projects.bulk.notShown', { number: hidden })}</span>}
      {isFull && leftOut > 0 && <span>{t('projects.bulk.leftOut', { count: leftOut })}</span>}
      {areAllShownSelected && leftOut > 0 && !isFull && (
        <button type="button" className="link-button" onClick={selectAll}>
          {t('projects.bulk.selectAll', { number: Math.min(total, limits.bulkMost) })}
        </button>
      )}
      <button type="button" className="link-button" onClick={selection.clear}>
        {t('projects.bulk.clear')}
      </button>
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
      {question}
      <BulkBuildButton projects={selected} onStarted={selection.clear} />
      {bulk !== null && notTheirs > 0 && (
        <span>{t(`projects.bulk.notYours.${bulk}`, { count: notTheirs })}</span>
      )}
    </>
  );
}

const loadBulkBuild = loadWithTexts(
  async () => (await import('../bulk-build/bulk-build.tsx')).BulkBuild,
);

interface BulkBuildButtonProps {
  readonly projects: readonly Of<'project'>[];
  readonly onStarted: () => void;
}

/** Opens what rebuilds or republishes the products of the selected projects. */
function BulkBuildButton({ projects, onStarted }: BulkBuildButtonProps) {
  const t = useText();
  const [isOpen, setOpen] = useState(false);
  const onClose = () => {
    setOpen(false);
  };
  const title = t('projects.bulk.build');
  return (
    <>
      <Button
        onClick={() => {
          setOpen(true);
        }}
      >
        <Icon name="sync" />
        {title}
      </Button>
      {isOpen && (
        <LateDialog load={loadBulkBuild} props={{ projects, onClose, onStarted }} title={title} />
      )}
    </>
  );
}
