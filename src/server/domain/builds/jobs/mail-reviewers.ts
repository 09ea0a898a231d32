import { displayNameOf } from '#rules/record/display.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { addressOf, describedBy } from '../../files/artifact.ts';
import { findFile } from '../../files/found-file.ts';
import { addressFor } from '../../notifications/consent.ts';
import { wantsMail } from '../../notifications/mail-kinds.ts';
import { issueTicket, REVIEW_TICKET_LASTS_MS } from '../../files/tickets.ts';
import type { JobData } from '../../../db/jobs/job-data.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import type { Mail, LinkedFile, ReviewTemplate } from '../../../kernel/mail/mail-templates.ts';
import type { Services } from '../../services.ts';
import { engineOrdersOf } from '../../workflow/machines/machines.ts';
import { parametersFor } from '../../workflow/parameters.ts';
import { newestOf } from '../../workflow/running/run-effects.ts';
import { runningOf } from '../../workflow/running/running-workflow.ts';
import type { RunningWorkflow } from '../../workflow/running/running-workflow.ts';

/**
 * Mails the newest successful build to each reviewer who was counted, in their language, and a copy
 * to the project's owner (domain 10.3). All mails are enqueued at once: whatever ends the server,
 * nobody gets one twice or none.
 */
export async function mailReviewers(
  services: Services,
  { product, comment, reviewers }: JobData['mail-reviewers'],
  attempt: JobAttempt,
): Promise<void> {
  const review = await services.db.read((tx) => reviewRequestOf(tx, product, reviewers));
  if (review === null) return;
  const files = await linkedFiles(services, review);
  const mails = mailsOf(services, review, comment ?? '', files);
  await services.db.transact(async (tx) => {
    for (const mail of mails)
      await services.jobs.enqueue(tx, { name: 'send-letter', data: { letter: mail } });
    await attempt.complete(tx);
  });
}

interface ReviewRequest {
  readonly running: RunningWorkflow;
  readonly build: Of<'productBuild'>;
  /** The artifacts that the workflow names, in its order (domain 4.4). */
  readonly artifacts: readonly ReviewedArtifact[];
  readonly template: ReviewTemplate;
  readonly reviewers: readonly Of<'reviewer'>[];
  readonly owner: Of<'user'> | null;
  /**
   * The address for the reviewers' answers; null: the owner has not agreed to be in the
   * organization.
   */
  readonly address: string | null;
  readonly productName: string;
}

interface ReviewedArtifact {
  readonly artifact: Of<'productArtifact'>;
  readonly address: string | null;
}

/** Returns the request; null: there is nothing to show any more, or nobody to show it to. */
async function reviewRequestOf(
  tx: DatabaseTransaction,
  id: string,
  counted: readonly string[] | undefined,
): Promise<ReviewRequest | null> {
  const running = await runningOf(tx, id);
  const build = newestOf(await tx.all('productBuild', { product: id, success: true }));
  if (running === null || build === null || running.project.dateArchived !== null) return null;
  const { project, product } = running;
  const reviewers = (await tx.all('reviewer', { project: project.id })).filter(
    (reviewer) => counted?.includes(reviewer.id) ?? true,
  );
  if (reviewers.length === 0) return null;

  const made = await tx.all('productArtifact', { productBuild: build.id });
  const named = typesOf(running).flatMap((type) =>
    made.filter(({ artifactType }) => artifactType === type),
  );
  const artifacts: ReviewedArtifact[] = [];
  for (const artifact of named)
    artifacts.push({ artifact, address: await addressOf(tx, artifact.id) });
  const definition = await tx.one('productDefinition', product.productDefinition);
  const owner = project.owner === null ? null : await tx.one('user', project.owner);
  return {
    running,
    build,
    artifacts,
    template: templateFor(made.map(({ artifactType }) => artifactType)),
    reviewers,
    owner,
    address: owner === null ? null : await addressFor(tx, owner, project.organization),
    productName: definition?.name ?? '',
  };
}

function typesOf({ machine, definitions, product, snapshot }: RunningWorkflow): readonly string[] {
  const { types } = parametersFor('review', engineOrdersOf(machine, definitions.flow ?? ''), {
    ...definitions,
    product,
    flags: snapshot.flags,
    identity: {},
  }) as { readonly types?: unknown };
  return Array.isArray(types) ? types.filter((type) => typeof type === 'string') : [];
}

const TEMPLATES: readonly (readonly [type: string, ReviewTemplate])[] = [
  ['asset-preview', 'reviewAssetPackage'],
  ['pwa', 'reviewPwaProduct'],
  ['html', 'reviewHtmlProduct'],
  ['play-listing', 'reviewProduct'],
];

function templateFor(types: readonly (string | null)[]): ReviewTemplate {
  const found = TEMPLATES.find(([type]) => types.includes(type));
  return found?.[1] ?? 'reviewProductNoPlayListing';
}

/**
 * Returns each file with an address that opens without an account, that file alone, for 14 days.
 */
async function linkedFiles(
  services: Services,
  { running, artifacts }: ReviewRequest,
): Promise<readonly LinkedFile[]> {
  const files: LinkedFile[] = [];
  for (const { artifact, address } of artifacts) {
    const found = await findFile(services, running.product.id, address, describedBy(artifact));
    const name = `${artifact.artifactType ?? ''}: ${found.filename}`;
    if (found.is === 'elsewhere') {
      files.push({ name, url: found.url });
      continue;
    }
    const { path, filename, contentType } = found;
    const sent = { path, filename, contentType: contentType ?? OCTETS, isInline: false };
    const { url } = await issueTicket(services, sent, REVIEW_TICKET_LASTS_MS);
    files.push({ name, url });
  }
  return files;
}

const OCTETS = 'application/octet-stream';

function mailsOf(
  { clock, config }: Services,
  { running, build, template, reviewers, owner, address, productName }: ReviewRequest,
  comment: string,
  files: readonly LinkedFile[],
): readonly Mail[] {
  const email = address ?? '';
  const values = {
    project: running.project.name,
    product: productName,
    version: build.buildVersion ?? '',
    owner: (owner === null ? null : displayNameOf(owner)) ?? '',
    email,
    comment,
    readers: '',
    link: '',
    until: new Date(clock() + REVIEW_TICKET_LASTS_MS).toISOString(),
  };
  const mail = { template, files, ...(email === '' ? {} : { replyTo: email }) };
  const toReviewers = reviewers.map(({ email: to, locale }) => ({
    ...mail,
    to,
    language: locale,
    values,
  }));
  if (owner === null || !wantsMail(owner, 'publications') || email === '' || owner.isLocked)
    return toReviewers;
  const readers = reviewers.map(({ name, email: to }) => `${name} <${to}>`).join(', ');
  const link = `${config.publicUrl}/products/${running.product.id}/files`;
  const copy = { ...mail, to: email, language: owner.locale ?? 'en-US' };
  return [...toReviewers, { ...copy, values: { ...values, readers, link } }];
}
