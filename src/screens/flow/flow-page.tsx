import { Navigate, useLocation, useParams } from 'react-router-dom';
import { taskFormOf, formCalled } from '#protocol/task-forms.ts';
import type { TaskForm, TaskForms } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';
import { useFind, useList, useRecord, useViewer } from '#data/react/hooks.ts';
import { Decided, Found, projectTeam } from '../app/page/guards.tsx';
import type { Guard } from '../app/page/guards.tsx';
import { FlowForm } from './form/flow-form.tsx';
import { flowOf } from './task.tsx';
import { wasTerminated } from './history.ts';
import { NeedsTaskForms } from './form/needs-task-forms.tsx';
import './flow.css';

/** `/flow/{flow}/{productId}`: the step that a product is at, and what can be done about it. */
export function FlowPage() {
  const { productId = '' } = useParams();
  return (
    <Found type="product" id={productId} guard={projectTeam}>
      {(product, change) => <OfProject key={product.id} product={product} change={change} />}
    </Found>
  );
}

/**
 * Shows the page to the project's team, and to whoever has something to do, who may stand in for an
 * admin.
 */
function OfProject(props: Pick<Props, 'product' | 'change'>) {
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
  const { search } = useLocation();
  const find = useFind();
  const { rows: history } = useList('productTransition', { product: product.id });
  const flow = flowOf(product, find);
  if (flow !== null && flow !== wanted)
    return <Navigate to={`/flow/${encodeURIComponent(flow)}/${product.id}${search}`} replace />;
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
