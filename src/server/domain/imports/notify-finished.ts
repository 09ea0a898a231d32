import type { ProblemCode } from '#protocol/problem.ts';
import type { Of } from '#schema/index.ts';
import { timestampOf } from '../write-context.ts';
import type { WriteContext } from '../write-context.ts';
import { translate } from '#text/say.ts';
import type { MailLanguage } from '#text/say.ts';
import { takesMailOf } from '../notifications/consent.ts';
import { wantsMail } from '../notifications/mail-kinds.ts';
import { notify } from '../notifications/notify.ts';
import { countsOf, linesOf } from '#rules/record/import-report.ts';
import type { ProjectLine } from '#rules/record/import-report.ts';

/**
 * Notifies the owner that the import has ended, and mails them the result of every line (domain
 * 8.4).
 */
export async function notifyFinished(
  context: WriteContext,
  record: Of<'projectImport'>,
): Promise<void> {
  const { services, write } = context;
  await write.change('projectImport', record.id, { dateFinished: timestampOf(context) });
  const lines = linesOf(record);
  const counts = Object.entries(countsOf(lines)).map(([name, n]) => [name, String(n)]);
  const values = Object.fromEntries(counts) as Record<'created' | 'existing' | 'failed', string>;
  const linkUrl = '/projects/own';
  const { organization } = record;
  await notify(context, record.owner, {
    id: 'projectImportFinished',
    organization,
    values,
    linkUrl,
  });

  const owner = record.owner === null ? null : await write.one('user', record.owner);
  const to = owner?.email ?? null;
  if (owner === null || to === null || owner.isLocked || !wantsMail(owner, 'projects')) return;
  if (!(await takesMailOf(write, owner.id, organization))) return;
  const language = owner.locale ?? 'en-US';
  const text = lines.flatMap((line) => wordsOf(line, language)).join('\n');
  const mail = {
    to,
    language,
    template: 'importReport',
    values: { ...values, lines: text, link: `${services.config.publicUrl}${linkUrl}` },
  } as const;
  await services.jobs.enqueue(write, { name: 'send-letter', data: { letter: mail } });
}

function wordsOf({ name, outcome, reason, products = [] }: ProjectLine, language: MailLanguage) {
  const whyNot = (code: string | undefined) =>
    code === undefined ? '' : translate(language, `problems.${code as ProblemCode}`);
  const because = whyNot(reason);
  const project = {
    created: () => translate(language, 'mail.importReport.newProject', { name }),
    exists: () => translate(language, 'mail.importReport.existingProject', { name }),
    failed: () => translate(language, 'mail.importReport.failedProject', { name, because }),
  }[outcome]();
  const made = products.map((product) => {
    const values = { name: product.name, project: name };
    if (product.reason === undefined)
      return translate(language, 'mail.importReport.newProduct', values);
    return translate(language, 'mail.importReport.failedProduct', {
      ...values,
      because: whyNot(product.reason),
    });
  });
  return [project, ...made];
}
