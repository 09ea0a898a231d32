import type { Write } from '../../../db/database.ts';
import type { Doing } from '../../doing.ts';
import { notify } from '../../notifications/notify.ts';
import type { MessageId } from '../../notifications/notify.ts';
import type { Running } from './running.ts';

type About = Pick<Running, 'product' | 'project'>;
type Values = Readonly<Record<string, string>>;

/** What every message about a product says: which it is, and of which project. */
export async function namesOfProduct(write: Write, { product, project }: About): Promise<Values> {
  const definition = await write.one('productDefinition', product.productDefinition);
  return { projectName: project.name, productName: definition?.name ?? '' };
}

/** Tells `people` of a product; nobody of an archived project's (U8, N5). */
export async function tell(
  doing: Doing,
  { project }: About,
  id: MessageId,
  people: readonly (string | null)[],
  values: Values,
  linkUrl = `/projects/${project.id}`,
): Promise<void> {
  if (project.dateArchived !== null) return;
  for (const user of new Set(people)) {
    await notify(doing, user, { id, organization: project.organization, values, linkUrl });
  }
}
