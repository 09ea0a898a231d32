import { never } from '#base/never.ts';
import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import { authorsMayUpload } from '../effects.ts';
import type { Effect } from '../effects.ts';
import type { WorkflowFacts } from '../guards.ts';
import { mailRejection } from './rejection-mail.ts';
import type { WorkflowAfterStep } from './records.ts';
import type { Cancelled, Completed, Moved } from '../step.ts';
import { namesOfProduct, notifyOfProduct } from './notify-of-product.ts';

type Outcome = Pick<Moved | Completed | Cancelled, 'effects' | 'taken'> & {
  readonly isNewVisit?: boolean;
};

/**
 * Does what a step asks for beside its records. Returns what the engine is now waited for: the id
 * of the build or publication, null when there is none.
 */
export async function runEffects(
  doing: WriteContext,
  running: WorkflowAfterStep,
  known: WorkflowFacts,
  outcome: Outcome,
): Promise<string | null> {
  let awaited = outcome.isNewVisit === false ? running.awaited : null;
  for (const effect of outcome.effects) {
    const begun = await runEffect(doing, running, known, outcome, effect);
    awaited = begun ?? awaited;
  }
  return awaited;
}

/** Returns the id of what it asked the engine for. */
async function runEffect(
  doing: WriteContext,
  running: WorkflowAfterStep,
  known: WorkflowFacts,
  { taken }: Outcome,
  effect: Effect,
): Promise<string | null> {
  const { write, services } = doing;
  const { product, project } = running;
  switch (effect.do) {
    case 'create-job':
      await services.jobs.enqueue(write, {
        name: 'create-engine-job',
        data: { product: product.id },
      });
      return null;
    case 'start-build':
      return startBuild(doing, product.id);
    case 'start-release':
      return startRelease(doing, product.id);
    case 'record-build':
    case 'record-release':
      // Whoever hears the engine's answer writes it down first (`answers.ts`), also a late one.
      return null;
    case 'settle-upload':
      await updateUploadPermission(write, project);
      return null;
    case 'mail-rejection':
      await mailRejection(doing, running, known, taken);
      return null;
    case 'mail-reviewers':
      await mailReviewersLater(doing, running, taken[0]?.comment ?? null);
      return null;
    case 'notify':
      await notifyOf(doing, running, known, effect);
      return null;
    default:
      return never(effect);
  }
}

/** Mails go to those who are reviewers now, and are counted before (wire 15.2). @throws ProblemError 429 */
async function mailReviewersLater(
  { services: parts, write }: WriteContext,
  { product, project }: WorkflowAfterStep,
  comment: string | null,
): Promise<void> {
  const reviewers = (await write.all('reviewer', { project: project.id })).map(({ id }) => id);
  const { organization } = project;
  await parts.limits.require(write, 'reviewMailsOfOrganization', organization, reviewers.length);
  const data = { product: product.id, comment, reviewers };
  await parts.jobs.enqueue(write, { name: 'mail-reviewers', data });
}

async function startBuild(
  { services: parts, write }: WriteContext,
  product: string,
): Promise<string> {
  const id = newId(parts.clock, parts.random);
  await write.insert('productBuild', { id, product });
  await parts.jobs.enqueue(write, { name: 'begin-build', data: { build: id } });
  return id;
}

/** The newest successful build is what is released. */
async function startRelease(
  { services: parts, write }: WriteContext,
  product: string,
): Promise<string> {
  const id = newId(parts.clock, parts.random);
  const build = newestOf(await write.all('productBuild', { product, success: true }));
  await write.insert('productPublication', {
    id,
    product,
    productBuild: build?.id ?? null,
    channel: CHANNEL,
  });
  await parts.jobs.enqueue(write, { name: 'begin-release', data: { publication: id } });
  return id;
}

const CHANNEL = 'production';

/** Ids of one server grow with time. */
function newestOf<R extends { readonly id: string; readonly dateCreated: string | null }>(
  records: readonly R[],
): R | null {
  return records.reduce<R | null>(
    (newest, record) => (newest === null || orderOf(record) > orderOf(newest) ? record : newest),
    null,
  );
}

const orderOf = ({ dateCreated, id }: { dateCreated: string | null; id: string }) =>
  `${dateCreated ?? ''} ${id}`;

/** Authors may upload while one of the project's products asks them to (domain 4.3). */
export async function updateUploadPermission(
  write: WriteTransaction,
  { id }: Pick<Of<'project'>, 'id'>,
): Promise<void> {
  const project = await write.one('project', id);
  const states = (await write.all('product', { project: id })).map((each) => each.workflowState);
  const canUpload = authorsMayUpload(project?.dateArchived !== null, states);
  for (const author of await write.all('author', { project: id })) {
    if (author.canUpload !== canUpload) await write.change('author', author.id, { canUpload });
  }
}

type Messages = Extract<Effect, { readonly do: 'notify' }>;

/** Owners hear of their product; admins only of failures, and not once more as its owner. */
async function notifyOf(
  doing: WriteContext,
  running: WorkflowAfterStep,
  { actors }: WorkflowFacts,
  { messages }: Messages,
): Promise<void> {
  const { write } = doing;
  const { product, project, awaited } = running;
  const values = {
    ...(await namesOfProduct(write, running)),
    ...(await engineMessageOf(write, awaited)),
  };
  const admins = actors.OrgAdmin.filter((user) => user !== project.owner);
  for (const id of messages) {
    const isOfFiles = id !== 'productCreatedSuccessfully';
    const link = isOfFiles ? `/products/${product.id}/files` : undefined;
    await notifyOfProduct(
      doing,
      running,
      id,
      id.endsWith('Admin') ? admins : [project.owner],
      values,
      link,
    );
  }
}

/** What messages say of the build or publication that came to its end. */
async function engineMessageOf(
  write: WriteTransaction,
  awaited: string | null,
): Promise<Readonly<Record<string, string>>> {
  if (awaited === null) return {};
  const build = await write.one('productBuild', awaited);
  if (build !== null) return buildMessageOf(build);
  const release = await write.one('productPublication', awaited);
  return release === null ? {} : releaseMessageOf(write, release);
}

function buildMessageOf({ success, buildVersion, error, logUrl }: Of<'productBuild'>) {
  if (success === true) return { version: buildVersion ?? '' };
  return { buildStatus: FAILED, buildError: error ?? '', consoleTextUrl: logUrl ?? '' };
}

async function releaseMessageOf(
  write: WriteTransaction,
  { success, product: of, error, logUrl }: Of<'productPublication'>,
) {
  if (success !== true)
    return { releaseStatus: FAILED, releaseError: error ?? '', consoleTextUrl: logUrl ?? '' };
  const product = of === null ? null : await write.one('product', of);
  return { publishLink: product?.publishLink ?? '' };
}

/** As engines call it. */
const FAILED = 'FAILURE';
