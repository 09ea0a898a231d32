import { useId } from 'react';
import type { MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { compareFolded, fold } from '#base/fold.ts';
import { wireTypeOf } from '#protocol/names.ts';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useChanges, useData, useOrganizations } from '#data/react/hooks.ts';
import { EmptyBox, ErrorBox, NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { Folded } from '#ui/page/folded.tsx';
import { Icon } from '#ui/picture/icon.tsx';
import { PageHead } from '#ui/page/page-head.tsx';
import { ProductIcon } from '#ui/picture/product-icon.tsx';
import { momentOf, RelativeTime } from '#ui/value/relative-time.tsx';
import { useSetting } from '#ui/ui-environment.tsx';
import { Cell, SortHeader } from '#ui/table/table.tsx';
import { useLanguage, useText, useTextOf } from '#ui/text/text.ts';
import { flowPathOf } from '../flow/flow-path.ts';
import { SentCommand } from '../flow/command/sent-command.tsx';
import { usePageTitle } from '../app/page/page-title.ts';
import { kebab } from '#base/kebab.ts';
import { TaskComment } from '../flow/task-comment.tsx';
import { useOwnTasks } from './use-own-tasks.ts';
import { useSteadyRows } from './use-steady-rows.ts';
import { useTaskRows } from './use-task-rows.ts';
import type { TaskRow as Row } from './use-task-rows.ts';
import './tasks.css';

const isOrder = (value: unknown): value is string => typeof value === 'string';

/** `/tasks`: what waits for me. */
export function Tasks() {
  // Another organization's tasks do not count as fresh.
  return <OwnTasks key={useOrganization()} />;
}

function OwnTasks() {
  const t = useText();
  const language = useLanguage();
  const { status, sendNow } = useChanges();
  const [order, setOrder] = useSetting('slipway.tasks.order', '-wait', isOrder);
  const list = useOwnTasks();
  usePageTitle(t('tasks.title'));
  const rows = ordered(useTaskRows(list.rows), order);
  const { table, fresh, ...following } = useSteadyRows(rows.map(({ task }) => task.id));

  return (
    <>
      <PageHead
        title={
          <>
            {t('tasks.title')}
            {list.total > 0 && <span className="title-count"> {list.total}</span>}
          </>
        }
        {...(status === 'offline' && list.asOf !== null
          ? {
              context: (
                <span className="caption">
                  {t('sync.asOf', { time: momentOf(list.asOf, language) })}
                </span>
              ),
            }
          : {})}
      />
      {rows.length === 0 && <NoTasks state={list.state} onTryAgain={sendNow} />}
      {rows.length > 0 && (
        <table
          className="ui unstackable table task-table"
          role="table"
          aria-label={t('tasks.title')}
          ref={table}
          {...following}
        >
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
              <td role="cell" className="tight" />
            </tr>
          </thead>
          <tbody role="rowgroup">
            {rows.map((row) => (
              <TaskRow key={row.task.id} row={row} isFresh={fresh.has(row.task.id)} />
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface NoneProps {
  readonly state: ReturnType<typeof useOwnTasks>['state'];
  readonly onTryAgain: () => void;
}

/** Stands in place of the table, while there is none. */
function NoTasks({ state, onTryAgain }: NoneProps) {
  const t = useText();
  switch (state) {
    case 'loading':
      return <Skeleton rows={4} />;
    case 'not-here':
      return <NotOnDevice onTryAgain={onTryAgain} />;
    case 'error':
      return (
        <ErrorBox title={t('errors.listTitle')} onTryAgain={onTryAgain}>
          {t('errors.listText')}
        </ErrorBox>
      );
    case 'ready':
      return (
        <EmptyBox icon="tasks" title={t('tasks.noTasksTitle')}>
          {t('tasks.noTasksDescription')}
        </EmptyBox>
      );
  }
}

interface RowProps {
  readonly row: Row;
  /** It came just now. */
  readonly isFresh: boolean;
}

function TaskRow({ row, isFresh }: RowProps) {
  const t = useText();
  const { find } = useData();
  const commentId = useId();
  const { task, product, project, zone } = row;
  const page = product === null ? null : flowPathOf(product, find);
  const go = useNavigate();
  // The whole row leads there, but for what has a click of its own.
  const open = ({ target }: MouseEvent) => {
    const isOther = target instanceof Element && target.closest('a, button') !== null;
    if (page !== null && !isOther) void go(page);
  };
  const hasComment = task.comment !== null && task.comment !== '';
  const look = isFresh ? 'task-fresh' : '';
  const described = hasComment ? { 'aria-describedby': commentId } : {};

  return (
    <>
      <tr
        className={`task-row ${page === null ? '' : 'task-opens'} ${look}`}
        role="row"
        onClick={open}
        data-id={task.id}
        data-record={`${wireTypeOf('userTask')}:${task.id}`}
      >
        <Cell label={t('tasks.product')}>
          {page === null ? (
            <span {...described}>{t('tasks.noProduct')}</span>
          ) : (
            <TaskProduct row={row} page={page} described={described} />
          )}
        </Cell>
        <Cell label={t('tasks.project')}>
          {project !== null && <TaskProject project={project} />}
        </Cell>
        <Cell label={t('tasks.waitTime')}>
          <RelativeTime at={task.dateUpdated} timeZone={zone} />
        </Cell>
        <td role="cell" className="tight">
          {page !== null && <Icon name="next" />}
        </td>
      </tr>
      {hasComment && (
        <tr className={`task-comment ${look}`} role="row">
          <td role="cell" colSpan={4} id={commentId}>
            <Folded lines={4}>
              <TaskComment comment={task.comment} />
            </Folded>
          </td>
        </tr>
      )}
    </>
  );
}

/** Names the project; with all organizations in view, also whose it is. */
function TaskProject({ project }: { readonly project: Of<'project'> }) {
  const organizations = useOrganizations();
  const isAll = useOrganization() === null && organizations.length > 1;
  const of = organizations.find(({ id }) => id === project.organization)?.name;
  return (
    <>
      <div>
        <Link to={`/projects/${project.id}`}>{project.name}</Link>
      </div>
      {isAll && (
        <div className="caption">
          <bdi>{of}</bdi>
        </div>
      )}
    </>
  );
}

interface ProductProps {
  readonly row: Row;
  readonly page: string;
  readonly described: { readonly 'aria-describedby'?: string };
}

function TaskProduct({ row, page, described }: ProductProps) {
  const textOf = useTextOf();
  const { task, product, definition } = row;
  const status = task.status ?? '';
  return (
    <span className="task-product">
      <ProductIcon name={definition} />
      <span>
        <Link to={page} {...described}>
          {definition}
        </Link>
        <span className="task-status">
          <br />
          {textOf(`states.${kebab(status)}`, status)}
        </span>
        {product !== null && <SentCommand product={product.id} />}
      </span>
    </span>
  );
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
