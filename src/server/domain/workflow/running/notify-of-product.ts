import type { WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import { notify } from '../../notifications/notify.ts';
import type { MessageId } from '../../notifications/message-id.ts';
import type { RunningWorkflow } from './running-workflow.ts';

type WorkflowSubject = Pick<RunningWorkflow, 'product' | 'project'>;
type Values = Readonly<Record<string, string>>;

/** Returns the names that every message about a product has: the product's, and its project's. */
export async function namesOfProduct(
  write: WriteTransaction,
  { product, project }: WorkflowSubject,
): Promise<Values> {
  const definition = await write.one('productDefinition', product.productDefinition);
  return { projectName: project.name, productName: definition?.name ?? '' };
}

/** Notifies `people` about a product; nobody is notified about an archived project's (U8, N5). */
export async function notifyOfProduct(
  context: WriteContext,
  { project }: WorkflowSubject,
  id: MessageId,
  people: readonly (string | null)[],
  values: Values,
  linkUrl = `/projects/${project.id}`,
): Promise<void> {
  if (project.dateArchived !== null) return;
  for (const user of new Set(people)) {
    await notify(context, user, { id, organization: project.organization, values, linkUrl });
  }
}
