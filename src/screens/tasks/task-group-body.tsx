import { useEffect, useId, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { limits } from '#protocol/limits.ts';
import type { TaskGroup } from '#rules/task/task-group.ts';
import { Button, CheckBox } from '#ui/form/controls.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { useText } from '#ui/text/text.ts';
import { LateDialog, loadWithTexts } from '../app/page/late/late-part.tsx';
import { useSelection } from '../app/page/list-state.ts';
import type { RowSelection } from '../app/page/list-state.ts';
import { TaskLine } from './task-line.tsx';
import type { TaskRow } from './task-rows.ts';

interface Props {
  readonly group: TaskGroup;
  readonly rows: readonly TaskRow[];
  /** What narrows the list. */
  readonly query: string;
  /** Ids of the rows that came just now. */
  readonly fresh: ReadonlySet<string>;
  readonly onApprove: (rows: readonly TaskRow[]) => void;
}

/** A group of tasks: its name with their number, and their rows; those to approve can be selected. */
export function TaskGroupBody({ group, rows, query, fresh, onApprove }: Props) {
  const t = useText();
  const id = useId();
  const selection = useSelection(rows.map((row) => row.id));
  const isSelectable = group === 'to-approve';
  const selected = isSelectable ? rows.filter((row) => selection.ids.has(row.id)) : [];
  return (
    <tbody role="rowgroup" aria-labelledby={id} data-group={group}>
      <tr role="row" className="task-head">
        <th role="rowheader" scope="rowgroup" colSpan={isSelectable ? 1 : 4}>
          <span className="task-name">
            {isSelectable && <SelectAll rows={rows} selected={selected} selection={selection} />}
            <h2 id={id}>{t(`tasks.group.${group}`, { number: rows.length })}</h2>
          </span>
        </th>
        {isSelectable && (
          <td role="cell" colSpan={3}>
            <ApproveBar selected={selected} onClear={selection.clear} onApprove={onApprove} />
          </td>
        )}
      </tr>
      {rows.map((row) => (
        <TaskLine
          key={row.id}
          row={row}
          query={query}
          isFresh={fresh.has(row.id)}
          box={
            isSelectable && (
              <CheckBox
                label={t('projectTable.select', { name: nameOf(row) })}
                state={selection.ids.has(row.id) ? 'all' : 'none'}
                onChange={(isChosen, isRange) => {
                  selection.set(row.id, isChosen, isRange);
                }}
              />
            )
          }
        />
      ))}
    </tbody>
  );
}

const nameOf = ({ project, definition }: TaskRow) => `${project?.name ?? ''}, ${definition}`;

interface SelectAllProps {
  readonly rows: readonly TaskRow[];
  readonly selected: readonly TaskRow[];
  readonly selection: RowSelection;
}

/** Selects as many as may be approved at once. */
function SelectAll({ rows, selected, selection }: SelectAllProps) {
  const t = useText();
  const some = selected.length > 0 ? 'some' : 'none';
  return (
    <CheckBox
      label={t('tasks.approve.selectAll')}
      state={selected.length === rows.length ? 'all' : some}
      onChange={(isSelected) => {
        const first = rows.slice(0, isSelected ? limits.bulkMost : rows.length);
        selection.setAll(
          first.map(({ id }) => id),
          isSelected,
        );
      }}
    />
  );
}

interface BarProps {
  readonly selected: readonly TaskRow[];
  readonly onClear: () => void;
  readonly onApprove: (rows: readonly TaskRow[]) => void;
}

/** Counts what is selected, and offers to approve it together. */
function ApproveBar({ selected, onClear, onApprove }: BarProps) {
  const t = useText();
  const count = selected.length;
  return (
    <div className={`bulk-bar ${count > 0 ? 'has-selection' : ''}`}>
      <span role="status">{count > 0 && t('projects.bulk.selected', { count })}</span>
      {count > 0 && (
        <>
          <button type="button" className="link-button" onClick={onClear}>
            {t('projects.bulk.clear')}
          </button>
          <Button
            data-shortcut="approve"
            onClick={() => {
              onApprove(selected);
            }}
          >
            <Icon name="check" />
            {t('commands.approve')}
          </Button>
        </>
      )}
    </div>
  );
}

/** Stands above what others have where nothing waits for the person. */
export function NothingOwn() {
  const t = useText();
  return (
    <tbody role="rowgroup">
      <tr role="row">
        <td role="cell" colSpan={4} className="soft">
          {t('tasks.noTasksTitle')}
        </td>
      </tr>
    </tbody>
  );
}

const loadApproval = loadWithTexts(async () => (await import('./approve-dialog.tsx')).Approval);

interface Approving {
  readonly approve: (rows: readonly TaskRow[]) => void;
  /** Asks whether they are to be approved, while it does; it outlives their group. */
  readonly question: ReactNode;
}

/** Approves tasks together, after a question. */
export function useApproval(): Approving {
  const t = useText();
  const [rows, setRows] = useState<readonly TaskRow[] | null>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // What was pressed may be gone with the tasks.
    if (wasOpen.current && rows === null && document.activeElement === document.body)
      document.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    wasOpen.current = rows !== null;
  }, [rows]);
  const onClose = () => {
    setRows(null);
  };
  const question = rows !== null && (
    <LateDialog load={loadApproval} title={t('tasks.approve.title')} props={{ rows, onClose }} />
  );
  return { approve: setRows, question };
}
