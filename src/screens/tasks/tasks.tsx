import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { compareFolded, fold } from '#base/fold.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { Find } from '#rules/find.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useChanges } from '#data/use-changes.ts';
import { useData } from '#data/use-data.ts';
import { useList } from '#data/use-list.ts';
import { useOrganizations, useViewer } from '#data/use-viewer.ts';
import { EmptyBox, NotOnDevice, Skeleton } from '#ui/boxes.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { ProductIcon } from '#ui/product-icon.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useKept } from '#ui/surroundings.tsx';
import { Cell, SortHeader } from '#ui/table.tsx';
import { useText, useTextOf } from '#ui/text.ts';
import { flowPathOf } from '../flow/flow-path.ts';
import { GivenCommand } from '../flow/given-command.tsx';
import { usePageTitle } from '../shell/page-title.ts';
import { kebab } from '../kebab.ts';
import { TaskComment } from './task-comment.tsx';

type Task = Of<'userTask'>;

/** A task with what its row shows of others. */
interface Row {
  readonly task: Task;
  readonly product: Of<'product'> | null;
  readonly definition: string;
  readonly project: Of<'project'> | null;
  readonly zone: string | null;
}

const isOrder = (value: unknown): value is string => typeof value === 'string';

/** `/tasks`: what waits for me. */
export function Tasks() {
  const t = useText();
  const { find } = useData();
  const { sendNow } = useChanges();
  const viewer = useViewer();
  const organization = useOrganization();
  const [order, setOrder] = useKept('slipway.tasks.order', '-wait', isOrder);
  const scope = organization === null ? {} : { 'product.project.organization': organization };
  const list = useList('userTask', { user: viewer.id, ...scope }, { sort: '-dateUpdated' });
  usePageTitle(t('tasks.title'));
  const rows = ordered(
    list.rows.map((task) => rowOf(task, find)),
    order,
  );

  return (
    <>
      <PageHead
        title={
          <>
            {t('tasks.title')}
            {list.total > 0 && <span className="title-count"> {list.total}</span>}
          </>
        }
      />
      {list.state === 'loading' && <Skeleton rows={4} />}
      {list.state === 'not-here' && <NotOnDevice onTryAgain={sendNow} />}
      {list.state !== 'loading' && list.state !== 'not-here' && rows.length === 0 && (
        <EmptyBox icon="tasks" title={t('tasks.noTasksTitle')}>
          {t('tasks.noTasksDescription')}
        </EmptyBox>
      )}
      {rows.length > 0 && (
        <table className="ui unstackable table task-table" role="table">
          <thead role="rowgroup">
            <tr role="row">
              <SortHeader sortKey="product" order={order} onOrder={setOrder}>
                {t('tasks.product')}
              </SortHeader>
              <SortHeader sortKey="project" order={order} onOrder={setOrder}>
                {t('tasks.project')}
              </SortHeader>
              <SortHeader sortKey="-wait" order={order} onOrder={setOrder}>
                {t('tasks.waitTime')}
              </SortHeader>
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <TaskRow key={row.task.id} row={row} showsOrganization={organization === null} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface RowProps {
  readonly row: Row;
  readonly showsOrganization: boolean;
}

function TaskRow({ row, showsOrganization }: RowProps) {
  const t = useText();
  const { find } = useData();
  const organizations = useOrganizations();
  const { task, product, project, zone } = row;
  const page = product === null ? null : flowPathOf(product, find);
  const go = useNavigate();
  // The whole row leads there, but for what has a click of its own.
  const open = ({ target }: MouseEvent) => {
    const isOther = target instanceof Element && target.closest('a, button') !== null;
    if (page !== null && !isOther) void go(page);
  };
  const of = organizations.find(({ id }) => id === project?.organization)?.name;

  return (
    <>
      <tr
        className="task-row"
        role="row"
        onClick={open}
        data-record={`${wireTypeOf('userTask')}:${task.id}`}
      >
        <Cell label={t('tasks.product')}>
          {page === null ? t('tasks.noProduct') : <TaskProduct row={row} page={page} />}
        </Cell>
        <Cell label={t('tasks.project')}>
          {project !== null && (
            <div>
              <Link to={`/projects/${project.id}`}>{project.name}</Link>
            </div>
          )}
          {showsOrganization && organizations.length > 1 && <div className="caption">{of}</div>}
        </Cell>
        <Cell label={t('tasks.waitTime')}>
          <RelativeTime at={task.dateUpdated} timeZone={zone} />
        </Cell>
      </tr>
      {task.comment !== null && task.comment !== '' && (
        <tr className="task-comment" role="row">
          <td role="cell" colSpan={3}>
            <TaskComment comment={task.comment} />
          </td>
        </tr>
      )}
    </>
  );
}

function TaskProduct({ row, page }: { readonly row: Row; readonly page: string }) {
  const textOf = useTextOf();
  const { task, product, definition } = row;
  const status = task.status ?? '';
  return (
    <span className="task-product">
      <ProductIcon name={definition} />
      <span>
        <Link to={page}>{definition}</Link>
        <span className="task-status">
          <br />
          {textOf(`states.${kebab(status)}`, status)}
        </span>
        {product !== null && <GivenCommand product={product.id} />}
      </span>
    </span>
  );
}

function rowOf(task: Task, find: Find): Row {
  const product = task.product === null ? null : find.one('product', task.product);
  const definition =
    product === null ? null : find.one('productDefinition', product.productDefinition);
  const assignee = task.assigned ?? task.user;
  return {
    task,
    product,
    definition: definition?.name ?? '',
    project: product === null ? null : find.one('project', product.project),
    zone: assignee === null ? null : (find.one('user', assignee)?.timezone ?? null),
  };
}

/** `-wait` is the newest first, as the list comes. */
function ordered(rows: readonly Row[], order: string): readonly Row[] {
  const descends = order.startsWith('-');
  const key = order.replaceAll('-', '');
  if (key === 'wait') return order === '--wait' ? [...rows].reverse() : rows;
  const nameOf = (row: Row) => fold(key === 'product' ? row.definition : (row.project?.name ?? ''));
  const sorted = [...rows].sort((a, b) => compareFolded(nameOf(a), nameOf(b)));
  return descends ? sorted.reverse() : sorted;
}
