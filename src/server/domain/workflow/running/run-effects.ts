import { never } from '#base/never.ts';
import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import { releaseVersionOf } from '#rules/release.ts';
import type { WriteTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import { authorsMayUpload } from '../effects.ts';
import type { Effect } from '../effects.ts';
import { NO_FLAGS } from '../guards.ts';
import type { ReleaseTexts, WorkflowFacts } from '../guards.ts';
import { REPUBLISH } from '../scheme.ts';
import { mailRejection } from './rejection-mail.ts';
import type { WorkflowAfterStep } from './records.ts';
import type { Cancelled, Completed, Moved } from '../step.ts';
import { namesOfProduct, notifyOfProduct } from './notify-of-product.ts';
import type { MessageId } from '../../notifications/message-id.ts';

type Outcome = Pick<Moved | Completed | Cancelled, 'effects' | 'taken'> & {
  readonly isNewVisit?: boolean;
};

/** What begins a build, and who does that. */
export type BuildCause = Pick<Of<'productBuild'>, 'triggeredBy' | 'startedBy'>;

/**
 * Runs the effects of a step beside its records. Returns what the engine is now waited for: the id
 * of the build or publication, null when there is none.
 */
export async function runEffects(
  context: WriteContext,
  running: WorkflowAfterStep,
  facts: WorkflowFacts,
  outcome: Outcome,
  buildCause: BuildCause | null,
): Promise<string | null> {
  let awaited = outcome.isNewVisit === false ? running.awaited : null;
  for (const effect of outcome.effects) {
    const begun = await runEffect(context, running, facts, outcome, effect, buildCause);
    awaited = begun ?? awaited;
  }
  return awaited;
}

/**
 * Runs one effect; returns the id of the build or publication that it requested from the engine.
 */
async function runEffect(
  context: WriteContext,
  running: WorkflowAfterStep,
  facts: WorkflowFacts,
  { taken }: Outcome,
  effect: Effect,
  buildCause: BuildCause | null,
): Promise<string | null> {
  const { write, services } = context;
  const { product, project } = running;
  switch (effect.do) {
    case 'create-job':
      await services.jobs.enqueue(write, {
        name: 'create-engine-job',
        data: { product: product.id },
      });
      return null;
    case 'start-build':
      return startBuild(context, product.id, buildCause);
    case 'start-release':
      return startRelease(context, running);
    case 'record-build':
    case 'record-release':
      // The engine's answer is recorded first (`record-engine-result.ts`), also a late one.
      return null;
    case 'settle-upload':
      await updateUploadPermission(write, project);
      return null;
    case 'mail-rejection':
      await mailRejection(context, running, facts, taken);
      return null;
    case 'mail-reviewers':
      await mailReviewersLater(context, running, taken[0]?.comment ?? null);
      return null;
    case 'notify':
      await notifyOf(context, running, facts, effect);
      return null;
    default:
      return never(effect);
  }
}

/**
 * Mails go to the present reviewers, and are counted before (wire 15.2). @throws ProblemError 429
 */
async function mailReviewersLater(
  { services, write }: WriteContext,
  { product, project }: WorkflowAfterStep,
  comment: string | null,
): Promise<void> {
  const reviewers = (await write.all('reviewer', { project: project.id })).map(({ id }) => id);
  const { organization } = project;
  await services.limits.require(write, 'reviewMailsOfOrganization', organization, reviewers.length);
  const data = { product: product.id, comment, reviewers };
  await services.jobs.enqueue(write, { name: 'mail-reviewers', data });
}

/** A person who begins a build after one that failed tries again. */
async function startBuild(
  { services, write }: WriteContext,
  product: string,
  buildCause: BuildCause | null,
): Promise<string> {
  const id = newId(services.clock, services.random);
  const isRetry =
    buildCause?.triggeredBy === 'person' &&
    newestOf(await write.all('productBuild', { product }))?.success === false;
  await write.insert('productBuild', {
    id,
    product,
    ...buildCause,
    ...(isRetry ? { triggeredBy: 'retry' } : {}),
  });
  await services.jobs.enqueue(write, { name: 'begin-build', data: { build: id } });
  return id;
}

/**
 * The newest successful build is what is released, or the one that is rolled back to, with the words
 * that it had. A version that is not stated is the build's. A republish releases no app: nothing is
 * said of it.
 */
async function startRelease(
  { services, write }: WriteContext,
  { product: { id: product }, machine, snapshot }: WorkflowAfterStep,
): Promise<string> {
  const { build: rollsBackTo, release } = snapshot?.flags ?? NO_FLAGS;
  const id = newId(services.clock, services.random);
  const build =
    rollsBackTo === null
      ? newestOf(await write.all('productBuild', { product, success: true }))
      : await write.one('productBuild', rollsBackTo);
  const said = machine.scheme.type === REPUBLISH ? null : release;
  const words = rollsBackTo === null ? said : await wordsOf(write, rollsBackTo);
  await write.insert('productPublication', {
    id,
    product,
    productBuild: build?.id ?? null,
    channel: CHANNEL,
    releaseVersion: words?.version ?? releaseVersionOf(build),
    releaseNotes: words?.notes ?? null,
  });
  await services.jobs.enqueue(write, { name: 'begin-release', data: { publication: id } });
  return id;
}

const CHANNEL = 'production';

/** Returns what was said when `productBuild` was released last. */
async function wordsOf(
  write: WriteTransaction,
  productBuild: string,
): Promise<ReleaseTexts | null> {
  const last = newestOf(await write.all('productPublication', { productBuild, success: true }));
  return last === null ? null : { version: last.releaseVersion, notes: last.releaseNotes };
}

interface Dated {
  readonly id: string;
  readonly dateCreated: string | null;
}

/** Returns the newest of `records`; null: there are none. */
export function newestOf<R extends Dated>(records: readonly R[]): R | null {
  return records.reduce<R | null>(
    (newest, record) => (newest === null || isNewer(record, newest) ? record : newest),
    null,
  );
}

/** Of one moment the greater id is the newer, for ids of one server grow with time. */
export const isNewer = (one: Dated, other: Dated): boolean => momentOf(one) > momentOf(other);

const momentOf = ({ dateCreated, id }: Dated): string => `${dateCreated ?? ''} ${id}`;

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

/**
 * Owners are notified about their product; admins only about failures, and not once more as its
 * owner.
 */
async function notifyOf(
  context: WriteContext,
  running: WorkflowAfterStep,
  { actors }: WorkflowFacts,
  { messages }: Messages,
): Promise<void> {
  const { write } = context;
  const { product, project, awaited } = running;
  const values = {
    ...(await namesOfProduct(write, running)),
    ...(await engineMessageOf(write, awaited)),
  };
  const admins = actors.OrgAdmin.filter((user) => user !== project.owner);
  for (const id of messages) {
    await notifyOfProduct(
      context,
      running,
      id,
      id.endsWith('Admin') ? admins : [project.owner],
      values,
      linkOf(id, product.id, awaited),
    );
  }
}

/** Returns the page that a message leads to; undefined: that of the project. */
function linkOf(id: MessageId, product: string, awaited: string | null): string | undefined {
  if (id === 'productCreatedSuccessfully') return undefined;
  const isOfLog = id === 'buildFailedOwner' || id === 'buildFailedAdmin';
  return isOfLog && awaited !== null
    ? `/products/${product}/builds/${awaited}/log`
    : `/products/${product}/files`;
}

/** Returns the values for messages about a build or publication that ended. */
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

/** Engines call a failure so. */
const FAILED = 'FAILURE';
