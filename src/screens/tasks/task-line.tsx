import { useId, useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent, CSSProperties, ReactNode } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Of } from '#schema/index.ts';
import { useOrganization } from '#session/organization.ts';
import { useData, useOrganizations } from '#data/react/hooks.ts';
import { ShowAllButton } from '#ui/form/controls.tsx';
import { Icon, ProductIcon } from '#ui/picture/icon.tsx';
import { Cell } from '#ui/table/table.tsx';
import { useText } from '#ui/text/text.ts';
import { useUiEnvironment } from '#ui/ui-environment.tsx';
import { RelativeTime } from '#ui/value/values.tsx';
import {
  SaidBy,
  SentCommand,
  flowPathOf,
  systemCommentIn,
  TaskComment,
  useNewestBuild,
  useStateName,
} from '../flow/task.tsx';
import { recordMark } from '../app/page/changes/record-badge.tsx';
import { WaitText } from '../app/page/status/product-status.tsx';
import type { TaskRow } from './task-rows.ts';

interface LineProps {
  readonly row: TaskRow;
  /** What narrows the list, which the page of the task has in its address too. */
  readonly query: string;
  /** It came just now. */
  readonly isFresh: boolean;
  /** Selects it, where that is for something. */
  readonly box?: ReactNode;
}

/** A task: its row, and its comment below. */
export function TaskLine({ row, query, isFresh, box }: LineProps) {
  const t = useText();
  const { find } = useData();
  const commentId = useId();
  const { product, project, comment } = row;
  const page = product === null ? null : flowPathOf(product, find) + query;
  const open = useOpening(page);
  const hasComment = comment !== '';
  const look = `${page === null ? '' : 'task-opens'} ${isFresh ? 'task-fresh' : ''}`;
  const described = hasComment ? { 'aria-describedby': commentId } : {};

  return (
    <>
      <tr
        className={`task-row ${look}`}
        role="row"
        onClick={open}
        data-id={row.id}
        data-record={recordMark(row.task === null ? 'product' : 'userTask', row.id)}
      >
        <Cell label={t('tasks.project')} className="task-project">
          {project !== null && <TaskProject project={project} box={box} />}
          {page === null && <span {...described}>{t('tasks.noProduct')}</span>}
        </Cell>
        <Cell label={t('tasks.product')} className="task-step">
          {page !== null && <TaskProduct row={row} page={page} described={described} />}
        </Cell>
        <Cell label={t('tasks.waitTime')} className="task-wait">
          <WaitTime row={row} />
        </Cell>
        <td role="cell" className="tight">
          {page !== null && <Icon name="next" />}
        </td>
      </tr>
      {hasComment && (
        <tr className={`task-comment ${look}`} role="row" onClick={open}>
          <td role="cell" colSpan={4}>
            <div className="task-note" id={commentId}>
              <Comment comment={comment} product={product?.id ?? null} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** What waits for longer is overdue. */
const OVERDUE_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

function WaitTime({ row }: Pick<LineProps, 'row'>) {
  const t = useText();
  const { clock } = useUiEnvironment();
  const isOverdue = row.since !== null && clock() - Date.parse(row.since) > OVERDUE_AFTER_MS;
  const time = <RelativeTime at={row.since} timeZone={row.zone} isSpan />;
  if (!isOverdue) return time;
  return (
    <div className="task-overdue">
      {time}
      <span>
        <Icon name="warning" /> {t('tasks.overdue')}
      </span>
    </div>
  );
}

/** Opens `page` on a click, but for one on what has its own, and while text is being marked. */
function useOpening(page: string | null): (event: MouseEvent) => void {
  const go = useNavigate();
  return ({ target }) => {
    const isOther = target instanceof Element && target.closest('a, button, .check-box') !== null;
    const isMarking = getSelection()?.isCollapsed === false;
    if (page !== null && !isOther && !isMarking) void go(page);
  };
}

interface CommentProps {
  readonly comment: string;
  /** Id of the product of the task. */
  readonly product: string | null;
}

/** Shows what was said last: the system's own words with their reason, a person's with who and when. */
function Comment({ comment, product }: CommentProps) {
  const system = systemCommentIn(comment);
  const build = useNewestBuild(system?.says === 'system.build-failed' ? product : null);
  const reason = build?.success === false ? build.error : null;
  if (system !== null) {
    return (
      <div className="task-failure">
        <Icon name="error" />
        <div>
          <Folded lines={4}>
            <TaskComment comment={comment} reason={reason} product={product} />
          </Folded>
        </div>
      </div>
    );
  }
  return (
    <>
      <Folded lines={4}>
        <q>
          <TaskComment comment={comment} />
        </q>
      </Folded>
      {product !== null && <SaidBy product={product} comment={comment} />}
    </>
  );
}

/** Names the project; with all organizations in view, also whose it is. */
function TaskProject({
  project,
  box,
}: Pick<LineProps, 'box'> & { readonly project: Of<'project'> }) {
  const organizations = useOrganizations();
  const isAll = useOrganization() === null && organizations.length > 1;
  const of = organizations.find(({ id }) => id === project.organization)?.name;
  return (
    <>
      <div className="task-name">
        {box}
        <Link to={`/projects/${project.id}`}>
          <bdi>{project.name}</bdi>
        </Link>
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
  readonly row: TaskRow;
  readonly page: string;
  readonly described: { readonly 'aria-describedby'?: string };
}

function TaskProduct({ row, page, described }: ProductProps) {
  const stateName = useStateName();
  const { product, definition } = row;
  return (
    <span className="task-product">
      <ProductIcon name={definition} />
      <span className="task-words">
        <Link className="task-definition" to={page} {...described}>
          <bdi>{definition}</bdi>
        </Link>
        <span>{stateName(row.state ?? '')}</span>
        {product !== null && row.group === 'handed-over' && (
          <span className="task-waits">
            <WaitText product={product}>{null}</WaitText>
          </span>
        )}
        {product !== null && <SentCommand product={product.id} />}
      </span>
    </span>
  );
}

interface FoldedProps {
  /** The number of lines that show at first. */
  readonly lines: number;
  readonly children: ReactNode;
}

/** Shows the first lines of a text, and the rest on request. */
function Folded({ lines, children }: FoldedProps) {
  const id = useId();
  const text = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);

  useLayoutEffect(() => {
    const { current } = text;
    if (current === null || isOpen) return undefined;
    const look = () => {
      setLong(current.scrollHeight > current.clientHeight + 1);
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => {
      observer.disconnect();
    };
  }, [isOpen, children]);

  const folded: CSSProperties = { overflow: 'hidden', maxHeight: `${lines}lh` };
  return (
    <>
      <div
        ref={text}
        id={id}
        style={{ whiteSpace: 'pre-line', ...(isOpen ? {} : folded) }}
        // A link further down that gets the focus would scroll the hidden part.
        onFocus={(event) => {
          if (isLong && event.target !== event.currentTarget) setOpen(true);
        }}
      >
        {children}
      </div>
      {isLong && <ShowAllButton of={id} isOpen={isOpen} onToggle={setOpen} />}
    </>
  );
}
