import type { WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import { stateName } from '#text/say.ts';
import { takesMailOf } from '../../notifications/consent.ts';
import { wantsMail } from '../../notifications/mail-kinds.ts';
import { nameOf } from '../../notifications/notify.ts';
import type { WorkflowFacts } from '../guards.ts';
import type { WorkflowAfterStep } from './records.ts';
import type { StepTaken } from '../step.ts';
import { namesOfProduct } from './notify-of-product.ts';

/**
 * Mails a rejection to the organization's admins and the owner, but not to the person who rejected
 * (domain 4.3), each in their language.
 */
export async function mailRejection(
  context: WriteContext,
  running: WorkflowAfterStep,
  { actors }: WorkflowFacts,
  [taken]: readonly StepTaken[],
): Promise<void> {
  const { write, services } = context;
  const { product, project } = running;
  if (taken === undefined || project.dateArchived !== null) return;
  const organization = await write.one('organization', project.organization);
  const { projectName = '', productName = '' } = await namesOfProduct(write, running);
  const values = {
    organization: organization?.name ?? '',
    project: projectName,
    product: productName,
    who: taken.by === null ? '' : await nameOf(context, taken.by),
    comment: taken.comment ?? '',
    link: `${services.config.publicUrl}/projects/${product.project}`,
  };
  for (const user of new Set([...actors.OrgAdmin, ...actors.Owner])) {
    if (user === taken.by) continue;
    const reader = await readerOf(write, user, project.organization);
    if (reader === null) continue;
    const [from, to] = [taken.from, taken.to].map((state) => stateName(reader.language, state));
    const named = { ...values, from: from ?? '', to: to ?? '' };
    const mail = { ...reader, template: 'rejection' as const, values: named };
    await services.jobs.enqueue(write, { name: 'send-letter', data: { letter: mail } });
  }
}

/**
 * Returns where a person's mail goes, and in which language; null when they want none because of
 * the organization.
 */
async function readerOf(write: WriteTransaction, id: string, organization: string) {
  const person = await write.one('user', id);
  if (person === null || !wantsMail(person, 'tasks') || person.email === null) return null;
  if (!(await takesMailOf(write, id, organization))) return null;
  return { to: person.email, language: person.locale ?? ('en-US' as const) };
}
