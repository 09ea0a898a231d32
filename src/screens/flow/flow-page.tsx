import { Navigate, useParams } from 'react-router-dom';
import { taskFormOf, formCalled } from '#protocol/task-forms.ts';
import type { TaskForm, TaskForms } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useChanges, useData, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { NotOnDevice, Skeleton } from '#ui/status/boxes.tsx';
import { Decided, projectTeam } from '../app/page/guards.tsx';
import type { Guard } from '../app/page/guards.tsx';
import { NotFound } from '../app/page/not-found.tsx';
import { FlowForm } from './form/flow-form.tsx';
import { flowOf } from './task.tsx';
import { wasTerminated } from './history.ts';
import { NeedsTaskForms } from './form/needs-task-forms.tsx';
import './flow.css';

/** `/flow/{flow}/{productId}`: the step that a product is at, and what can be done about it. */
export function FlowPage() {
  const { productId = null } = useParams();
  const { state, record: product, change } = useRecord('product', productId);
  const { status, sendNow } = useChanges();

  if (state === 'loading') return <Skeleton rows={5} />;
  if (state === 'gone') return <NotFound withChangesOf={change === null ? null : productId} />;
  if (product !== null) return <Found key={product.id} product={product} change={change} />;
  if (status === 'offline') return <NotOnDevice isPage onTryAgain={sendNow} />;
  return (
    <Decided guard={projectTeam} project={null}>
      {null}
    </Decided>
  );
}

type FoundProps = Pick<Props, 'product' | 'change'>;

/**
 * Shows the page to the project's team, and to whoever has something to do, who may stand in for an
 * admin.
 */
function Found(props: FoundProps) {
  const { record: project } = useRecord('project', props.product.project);
  const { id: user } = useViewer();
  const { rows } = useList('userTask', { user, product: props.product.id });
  const task = rows[0] ?? null;
  const guard: Guard = (place) => (task === null ? projectTeam(place) : null);
  return (
    <Decided guard={guard} project={project}>
      {project !== null && (
        <NeedsTaskForms>
          {(all) => <OneProduct all={all} project={project} task={task} {...props} />}
        </NeedsTaskForms>
      )}
    </Decided>
  );
}

interface Props {
  readonly all: TaskForms;
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly task: Of<'userTask'> | null;
  readonly change: ChangeState | null;
}

/** Shows the form that fits, at the address that fits. */
function OneProduct({ all, product, ...rest }: Props) {
  const { flow: wanted = '' } = useParams();
  const { find } = useData();
  const { rows: history } = useList('productTransition', { product: product.id });
  const flow = flowOf(product, find);
  if (flow !== null && flow !== wanted)
    return <Navigate to={`/flow/${encodeURIComponent(flow)}/${product.id}`} replace />;
  const form = formFor(all, flow, product, history);
  return <FlowForm form={form} product={product} history={history} {...rest} />;
}

/** Finds the form by the state; without a workflow by what became of the product (domain 6.1). */
function formFor(
  all: TaskForms,
  flow: string | null,
  { workflowState, datePublished }: Of<'product'>,
  history: readonly Of<'productTransition'>[],
): TaskForm {
  if (workflowState !== null) return taskFormOf(all, flow, workflowState);
  if (datePublished !== null) return formCalled(all, 'published');
  return formCalled(all, wasTerminated(history) ? 'terminated' : 'waiting');
}
