import type { TaskForm } from '#protocol/task-forms.ts';
import type { Of } from '#schema/index.ts';
import type { ChangeState } from '#data/model/change.ts';

/** The records from which the form of a product's step is made. */
export interface FlowProps {
  readonly form: TaskForm;
  readonly product: Of<'product'>;
  readonly project: Of<'project'>;
  readonly history: readonly Of<'productTransition'>[];
  /** The person's own; null: they have nothing to do here. */
  readonly task: Of<'userTask'> | null;
  /** The state of the product's changes. */
  readonly change: ChangeState | null;
}
