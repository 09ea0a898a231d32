import type { DatabaseTransaction } from '../../../db/database.ts';
import type { WriteContext } from '../../write-context.ts';
import type { JobAttempt } from '../../../db/jobs/jobs.ts';
import type { Services } from '../../services.ts';
import { addressFor } from '../../notifications/consent.ts';
import { workflowFactsOf } from '../../workflow/running/workflow-facts.ts';
import { engineOrdersOf } from '../../workflow/machines/machines.ts';
import { identityOf, parametersFor } from '../../workflow/parameters.ts';
import type { ParameterPurpose } from '../../workflow/parameters.ts';
import type { RunningWorkflow } from '../../workflow/running/running-workflow.ts';
import { namesOfProduct, notifyOfProduct } from '../../workflow/running/notify-of-product.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { EngineError } from '#protocol/engine.ts';
import type { BuildRequest, BuildEngine } from '#protocol/engine.ts';
import { isFreeFor, makerOf, takenBecause } from '../package-names.ts';
import { engineOf } from './engine-of.ts';
import { engineTaskOf } from './engine-task.ts';
import type { EngineTask } from './engine-task.ts';
import { tryCall, retryJob, runWrite } from './retry-job.ts';
import { recordBuildFailure, recordReleaseFailure, packageOf } from './record-engine-result.ts';

/** Requests a recorded build from the engine; once, also after a crash in between. */
export async function beginBuild(
  services: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const loaded = await services.db.read(async (tx) => {
    const about = await engineTaskOf(tx, 'productBuild', id);
    if (about === null) return null;
    const { running } = about;
    const order = running === null ? null : await orderOf(services, tx, running, 'build');
    return { about, order, known: await knownBuilds(tx, about.product.id) };
  });
  if (loaded === null) return;
  const { about, order, known } = loaded;
  if (about.record.buildId !== null) return;
  if (order === null) {
    await giveUp(services, attempt, (context) => recordBuildFailure(context, about, NEVER_BEGUN));
    return;
  }
  const { engine } = await engineOf(services, about.project.organization);
  const called = await tryCall(() => buildOf(engine, about.job, order, known));
  if (called.is === 'failed') {
    await retryJob(services, attempt, called.error, async (context) => {
      await notifyUnable(context, about, 'build', called.error);
      await recordBuildFailure(context, about, called.error.message);
      return true;
    });
    return;
  }
  const { id: buildId, status: phase } = called.answer;
  await runWrite(services, async ({ write }) => {
    await attempt.complete(write);
    if ((await write.one('productBuild', id)) === null) return;
    await write.change('productBuild', id, { buildId, phase });
    await services.jobs.enqueue(write, { name: 'watch-build', data: { build: id } });
  });
}

/**
 * Returns the engine's build; one that it began and whose answer was lost is taken over. A missing
 * job, which is still being requested from the engine, counts as no answer.
 */
async function buildOf(
  engine: BuildEngine,
  job: number | null,
  order: BuildRequest,
  known: ReadonlySet<number>,
) {
  if (job === null) throw new EngineError('no-usable-answer');
  const begun = await engine.builds(job);
  const unheard = begun.findLast(({ id }) => !known.has(id));
  return unheard ?? engine.createBuild(job, order);
}

async function knownBuilds(tx: DatabaseTransaction, product: string): Promise<ReadonlySet<number>> {
  const builds = await tx.all('productBuild', { product });
  return new Set(builds.flatMap(({ buildId }) => (buildId === null ? [] : [buildId])));
}

/** Requests a release of what was built. */
export async function beginRelease(
  services: Services,
  id: string,
  attempt: JobAttempt,
): Promise<void> {
  const loaded = await services.db.read(async (tx) => {
    const about = await engineTaskOf(tx, 'productPublication', id);
    if (about === null) return null;
    const { running, record } = about;
    const order = running === null ? null : await orderOf(services, tx, running, 'publish');
    const { productBuild } = record;
    const build = productBuild === null ? null : await tx.one('productBuild', productBuild);
    const known = await knownReleases(tx, productBuild);
    const name = await packageOf(tx, productBuild);
    const isFree =
      name === null || (await isFreeFor(tx, name, makerOf(about.product, about.project)));
    const taken = isFree ? null : takenBecause(name);
    return { about, order, buildId: build?.buildId ?? null, known, taken };
  });
  if (loaded === null) return;
  const { about, order, buildId, known, taken } = loaded;
  const { job } = about;
  if (about.record.releaseId !== null) return;
  // A publication in a store could not be undone.
  if (taken !== null) {
    await giveUp(services, attempt, (context) => recordReleaseFailure(context, about, taken));
    return;
  }
  if (order === null || buildId === null || job === null) {
    await giveUp(services, attempt, (context) => recordReleaseFailure(context, about, NEVER_BEGUN));
    return;
  }
  const { engine } = await engineOf(services, about.project.organization);
  const channel = about.record.channel ?? order.channel;
  const release = { ...order, channel, heard: known };
  const called = await tryCall(() => engine.createRelease(job, buildId, release));
  if (called.is === 'failed') {
    await retryJob(services, attempt, called.error, async (context) => {
      await notifyUnable(context, about, 'release', called.error);
      await recordReleaseFailure(context, about, called.error.message);
      return true;
    });
    return;
  }
  const { id: releaseId, status: phase } = called.answer;
  await runWrite(services, async ({ write }) => {
    await attempt.complete(write);
    if ((await write.one('productPublication', id)) === null) return;
    await write.change('productPublication', id, { releaseId, phase });
    await services.jobs.enqueue(write, { name: 'watch-release', data: { publication: id } });
  });
}

async function knownReleases(
  tx: DatabaseTransaction,
  productBuild: string | null,
): Promise<readonly number[]> {
  const releases = await tx.all('productPublication', { productBuild });
  return releases.flatMap(({ releaseId }) => (releaseId === null ? [] : [releaseId]));
}

const NEVER_BEGUN = 'The workflow went on before it was begun';

async function giveUp(
  services: Services,
  attempt: JobAttempt,
  record: (context: WriteContext) => Promise<void>,
): Promise<void> {
  await runWrite(services, async (context) => {
    await record(context);
    await attempt.complete(context.write);
  });
}

/**
 * Nothing waits for ever: a build that could not begin counts as failed, and people are told why
 * (W60).
 */
async function notifyUnable(
  context: WriteContext,
  { running, product, project }: EngineTask<'productBuild' | 'productPublication'>,
  what: 'build' | 'release',
  { because }: EngineError,
): Promise<void> {
  if (running === null) return;
  const { actors } = await workflowFactsOf(context.write, running);
  const id = `${what}FailedUnableTo${because === 'unreachable' ? 'Connect' : 'Create'}` as const;
  const values = await namesOfProduct(context.write, { product, project });
  const people = [...actors.OrgAdmin, project.owner];
  await notifyOfProduct(context, running, id, people, values, `/products/${product.id}/files`);
}

type Ordered = BuildRequest & { readonly channel: string };

/** Returns the order for the engine, with its environment (domain 4.5). */
async function orderOf(
  { config }: Services,
  tx: DatabaseTransaction,
  running: RunningWorkflow,
  purpose: ParameterPurpose,
): Promise<Ordered> {
  const { machine, snapshot, definitions, product, project } = running;
  const organization = await tx.one('organization', project.organization);
  const definition = await tx.one('productDefinition', product.productDefinition);
  const owner = project.owner === null ? null : await tx.one('user', project.owner);
  if (organization === null || definition === null)
    throw new Error(`Product ${product.id} is of nothing`);

  const identity = identityOf({
    publicUrl: config.publicUrl,
    type: machine.scheme.type,
    product,
    definition,
    project,
    organization,
    owner: {
      name: owner === null ? null : displayNameOf(owner),
      email: owner === null ? null : await addressFor(tx, owner, project.organization),
    },
  });
  const work = engineOrdersOf(machine, definitions.flow ?? '');
  const parameters = parametersFor(purpose, work, {
    ...definitions,
    product,
    flags: snapshot.flags,
    identity,
  });
  const { targets, channel, environment } = parameters as typeof parameters & Values;
  return {
    targets: typeof targets === 'string' ? targets.split(/\s+/).filter((word) => word !== '') : [],
    channel: typeof channel === 'string' ? channel : '',
    environment,
  };
}

interface Values {
  readonly targets?: unknown;
  readonly channel?: unknown;
}
