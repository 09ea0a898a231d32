import type { Tx } from '../../../db/database.ts';
import type { Doing } from '../../doing.ts';
import type { Attempt } from '../../../db/jobs/jobs.ts';
import type { Parts } from '../../parts.ts';
import { addressFor } from '../../notifications/consent.ts';
import { knownOf } from '../../workflow/running/known.ts';
import { workOf } from '../../workflow/machines/machines.ts';
import { identityOf, parametersFor } from '../../workflow/parameters.ts';
import type { Purpose } from '../../workflow/parameters.ts';
import type { Running } from '../../workflow/running/running.ts';
import { namesOfProduct, tell } from '../../workflow/running/tell.ts';
import { displayNameOf } from '#rules/record/display.ts';
import { EngineError } from '#protocol/engine.ts';
import type { BuildAsked, BuildEngine } from '#protocol/engine.ts';
import { isFreeFor, makerOf, takenBecause } from '../package-names.ts';
import { engineOf } from './engine-of.ts';
import { aboutOf } from './about.ts';
import type { About } from './about.ts';
import { called, tryAgain, writing } from './failing.ts';
import { hearBuildFailed, hearReleaseFailed, packageOf } from './hear.ts';

/** Asks the engine for a build that was written down; once, also after a crash in between. */
export async function beginBuild(parts: Parts, id: string, attempt: Attempt): Promise<void> {
  const asked = await parts.db.read(async (tx) => {
    const about = await aboutOf(tx, 'productBuild', id);
    if (about === null) return null;
    const { running } = about;
    const order = running === null ? null : await orderOf(parts, tx, running, 'build');
    return { about, order, known: await knownBuilds(tx, about.product.id) };
  });
  if (asked === null) return;
  const { about, order, known } = asked;
  if (about.record.buildId !== null) return;
  if (order === null) {
    await giveUp(parts, attempt, (doing) => hearBuildFailed(doing, about, NEVER_BEGUN));
    return;
  }
  const { engine } = await engineOf(parts, about.project.organization);
  const heard = await called(() => buildOf(engine, about.job, order, known));
  if (heard.is === 'failed') {
    await tryAgain(parts, attempt, async (doing) => {
      await tellUnable(doing, about, 'build', heard.error);
      await hearBuildFailed(doing, about, heard.error.message);
      return true;
    });
    return;
  }
  const { id: buildId, status: phase } = heard.answer;
  await writing(parts, async ({ write }) => {
    await attempt.done(write);
    if ((await write.one('productBuild', id)) === null) return;
    await write.change('productBuild', id, { buildId, phase });
    await parts.jobs.later(write, { name: 'watch-build', data: { build: id } });
  });
}

/**
 * One that the engine began and nobody heard of is taken over. Without a job, which the engine is
 * then still being asked for, it is as if it had not answered.
 */
async function buildOf(
  engine: BuildEngine,
  job: number | null,
  order: BuildAsked,
  known: ReadonlySet<number>,
) {
  if (job === null) throw new EngineError('no-usable-answer');
  const begun = await engine.builds(job);
  const unheard = begun.findLast(({ id }) => !known.has(id));
  return unheard ?? engine.createBuild(job, order);
}

async function knownBuilds(tx: Tx, product: string): Promise<ReadonlySet<number>> {
  const builds = await tx.all('productBuild', { product });
  return new Set(builds.flatMap(({ buildId }) => (buildId === null ? [] : [buildId])));
}

/** Asks the engine to release what was built. */
export async function beginRelease(parts: Parts, id: string, attempt: Attempt): Promise<void> {
  const asked = await parts.db.read(async (tx) => {
    const about = await aboutOf(tx, 'productPublication', id);
    if (about === null) return null;
    const { running, record } = about;
    const order = running === null ? null : await orderOf(parts, tx, running, 'publish');
    const { productBuild } = record;
    const build = productBuild === null ? null : await tx.one('productBuild', productBuild);
    const known = await knownReleases(tx, productBuild);
    const name = await packageOf(tx, productBuild);
    const isFree =
      name === null || (await isFreeFor(tx, name, makerOf(about.product, about.project)));
    const taken = isFree ? null : takenBecause(name);
    return { about, order, buildId: build?.buildId ?? null, known, taken };
  });
  if (asked === null) return;
  const { about, order, buildId, known, taken } = asked;
  const { job } = about;
  if (about.record.releaseId !== null) return;
  // What the engine publishes in a store could not be taken back.
  if (taken !== null) {
    await giveUp(parts, attempt, (doing) => hearReleaseFailed(doing, about, taken));
    return;
  }
  if (order === null || buildId === null || job === null) {
    await giveUp(parts, attempt, (doing) => hearReleaseFailed(doing, about, NEVER_BEGUN));
    return;
  }
  const { engine } = await engineOf(parts, about.project.organization);
  const channel = about.record.channel ?? order.channel;
  const release = { ...order, channel, heard: known };
  const heard = await called(() => engine.createRelease(job, buildId, release));
  if (heard.is === 'failed') {
    await tryAgain(parts, attempt, async (doing) => {
      await tellUnable(doing, about, 'release', heard.error);
      await hearReleaseFailed(doing, about, heard.error.message);
      return true;
    });
    return;
  }
  const { id: releaseId, status: phase } = heard.answer;
  await writing(parts, async ({ write }) => {
    await attempt.done(write);
    if ((await write.one('productPublication', id)) === null) return;
    await write.change('productPublication', id, { releaseId, phase });
    await parts.jobs.later(write, { name: 'watch-release', data: { publication: id } });
  });
}

async function knownReleases(tx: Tx, productBuild: string | null): Promise<readonly number[]> {
  const releases = await tx.all('productPublication', { productBuild });
  return releases.flatMap(({ releaseId }) => (releaseId === null ? [] : [releaseId]));
}

const NEVER_BEGUN = 'The workflow went on before it was begun';

async function giveUp(
  parts: Parts,
  attempt: Attempt,
  record: (doing: Doing) => Promise<void>,
): Promise<void> {
  await writing(parts, async (doing) => {
    await record(doing);
    await attempt.done(doing.write);
  });
}

/** Nothing waits for ever: what could not be begun counts as failed, and people are told why (W60). */
async function tellUnable(
  doing: Doing,
  { running, product, project }: About<'productBuild' | 'productPublication'>,
  what: 'build' | 'release',
  { because }: EngineError,
): Promise<void> {
  if (running === null) return;
  const { actors } = await knownOf(doing.write, running);
  const id = `${what}FailedUnableTo${because === 'unreachable' ? 'Connect' : 'Create'}` as const;
  const values = await namesOfProduct(doing.write, { product, project });
  const people = [...actors.OrgAdmin, project.owner];
  await tell(doing, running, id, people, values, `/products/${product.id}/files`);
}

type Ordered = BuildAsked & { readonly channel: string };

/** What the engine is asked to make, in which environment (domain 4.5). */
async function orderOf(
  { config }: Parts,
  tx: Tx,
  running: Running,
  purpose: Purpose,
): Promise<Ordered> {
  const { machine, standing, definitions, product, project } = running;
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
  const work = workOf(machine, definitions.flow ?? '');
  const parameters = parametersFor(purpose, work, {
    ...definitions,
    product,
    flags: standing.flags,
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
