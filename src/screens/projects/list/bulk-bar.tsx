import { mayArchive } from '#rules/project.ts';
import type { Of } from '#schema/index.ts';
import { limits } from '#protocol/limits.ts';
import { useData, useViewer } from '#data/react/hooks.ts';
import type { ListFilter } from '#data/model/views.ts';
import { Button } from '#ui/form/button.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import type { RowSelection } from '../../app/page/list-state.ts';
import { BulkBuildButton } from './bulk-build-button.tsx';
import type { ProjectList } from '../lists.ts';
import { useArchiving } from '../use-archiving.ts';

interface Props {
  readonly list: ProjectList;
  readonly selection: RowSelection;
  /** Ids of the rows in view. */
  readonly shown: readonly string[];
  readonly total: number;
  readonly filter: ListFilter<'project'>;
  readonly search: string;
  readonly onArchived: (projects: readonly Of<'project'>[]) => void;
}

/** Offers what can be done to the selected projects together, and says how many there are. */
export function BulkBar({ list, selection, shown, total, filter, search, onArchived }: Props) {
  const t = useText();
  const data = useData();
  const viewer = useViewer();
  const run = useArchiving((ids) => {
    selection.setAll(ids, false);
  });
  const selected = [...selection.ids]
    .map((id) => data.find.one('project', id))
    .filter((project) => project !== null);
  const notTheirs = selected.filter((project) => !mayArchive(viewer, project)).length;
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
  return (
    <div className={`bulk-bar ${selected.length > 0 ? 'has-selection' : ''}`}>
      {bulk !== null && notTheirs === 0 && (
        <Button
          disabled={selected.length === 0}
          onClick={() => {
            onArchived(selected);
            void run(bulk, selected);
          }}
        >
          <Icon name={bulk === 'archive' ? 'archive' : 'restore'} />
          {t(`projects.bulk.${bulk}`)}
        </Button>
      )}
      <BulkBuildButton projects={selected} onStarted={selection.clear} />
      {bulk !== null && notTheirs > 0 && (
        <span>{t(`projects.bulk.notYours.${bulk}`, { count: notTheirs })}</span>
      )}
      {selected.length > 0 && (
        <>
          <span role="status">
            {t('projects.bulk.selected', { count: selected.length })}
            {hidden > 0 && ` ${t('projects.bulk.notShown', { number: hidden })}`}
            {isFull && leftOut > 0 && ` ${t('projects.bulk.leftOut', { count: leftOut })}`}
          </span>
          {areAllShownSelected && leftOut > 0 && !isFull && (
            <button type="button" className="link-button" onClick={selectAll}>
              {t('projects.bulk.selectAll', { number: Math.min(total, limits.bulkMost) })}
            </button>
          )}
          <button type="button" className="link-button" onClick={selection.clear}>
            {t('projects.bulk.clear')}
          </button>
        </>
      )}
    </div>
  );
}
