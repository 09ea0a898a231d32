import { sql } from 'kysely';
import { newId } from '#base/id.ts';
import type { Of } from '#schema/index.ts';
import type { DatabaseTransaction } from '../../../db/database.ts';
import { isLog } from '../../files/artifact.ts';
import { timestampOf } from '../../write-context.ts';
import type { WriteContext } from '../../write-context.ts';
import { productFailure } from '../../workflow/failure.ts';
import { sendEvent } from '../../workflow/running/run-workflow.ts';
import { runningOf } from '../../workflow/running/running-workflow.ts';
import { REPUBLISH } from '../../workflow/scheme.ts';
import type { WorkflowEvent } from '../../workflow/step.ts';
import type { ArtifactFacts } from '../artifacts.ts';
import { claim, makerOf, takenBecause } from '../package-names.ts';
import type { EngineTask } from './engine-task.ts';

/*
 * The result of the engine, which is recorded on the build or publication always, and on the
 * product when its workflow waits for it (W64).
 */

/** What the engine says of its work beside how it ended, where it does. */
export interface EngineReport {
  /** The address at which the engine keeps the console text. */
  readonly console: string | null;
  /** The last lines of the log. */
  readonly logTail: string | null;
  /** When it was begun and when it ended. */
  readonly started: string | null;
  readonly finished: string | null;
}

export interface EngineResult extends EngineReport {
  readonly isSuccess: boolean;
  readonly error: string | null;
  readonly facts: ArtifactFacts;
}

export const NO_REPORT: EngineReport = {
  console: null,
  logTail: null,
  started: null,
  finished: null,
};

/** Returns the result of work that is given up, of which there are no files. */
export function givenUp(error: string, report: EngineReport = NO_REPORT): EngineResult {
  return { isSuccess: false, error, facts: NOTHING, ...report };
}

export const NOTHING: ArtifactFacts = {
  files: [],
  version: null,
  versionCode: null,
  packageName: null,
  defaultLanguage: null,
  publishLink: null,
};

/** Returns the address of the log of a build (wire 12.1). */
export const logUrlOf = (build: string): string => `/api/product-builds/${build}/console`;

export async function recordBuildResult(
  context: WriteContext,
  { record: { id }, product }: EngineTask<'productBuild'>,
  { isSuccess, error, facts, console, logTail, started, finished }: EngineResult,
): Promise<void> {
  const { write } = context;
  if ((await write.one('productBuild', id))?.success !== null) return;
  const logUrl = console === null ? null : logUrlOf(id);
  await write.change('productBuild', id, {
    success: isSuccess,
    buildVersion: isSuccess ? facts.version : null,
    phase: null,
    queuePosition: null,
    error,
    logUrl,
    dateFinished: finished ?? timestampOf(context),
    fileSize: sizeOf(facts),
    ...(started === null ? {} : { dateStarted: started }),
    // The last look saw an earlier end of the log, or none; what went wrong stands in the last lines.
    ...(isSuccess || logTail === null ? {} : { logTail }),
  });
  await write.query(sql`insert into build_facts
    (product_build_id, version_code, package_name, console_address)
    values (${id}, ${facts.versionCode}, ${facts.packageName}, ${console})
    on conflict (product_build_id) do update set version_code = excluded.version_code,
      package_name = excluded.package_name, console_address = excluded.console_address`);
  await writeArtifacts(context, id, product.id, facts);
  if (isSuccess) {
    await sendWorkflowEvent(
      context,
      product.id,
      { is: 'build succeeded', about: id },
      await built(context, product, facts),
    );
  } else
    await sendWorkflowEvent(
      context,
      product.id,
      { is: 'build failed', about: id, consoleUrl: logUrl },
      productFailure('build', error),
    );
}

export function recordBuildFailure(
  context: WriteContext,
  about: EngineTask<'productBuild'>,
  error: string,
) {
  return recordBuildResult(context, about, givenUp(error));
}

export async function recordReleaseResult(
  context: WriteContext,
  { record, product, project }: EngineTask<'productPublication'>,
  ended: EngineResult,
): Promise<void> {
  const { write } = context;
  const { id, productBuild, releaseVersion } = record;
  if ((await write.one('productPublication', id))?.success !== null) return;
  const { facts, console } = ended;
  const name = facts.packageName ?? (await packageOf(write, productBuild));
  const isTheirs =
    !ended.isSuccess ||
    name === null ||
    (await claim(write, name, makerOf(product, project), timestampOf(context)));
  const isSuccess = ended.isSuccess && isTheirs;
  const error = isTheirs ? ended.error : takenBecause(name);
  const logUrl = console === null ? null : `/api/product-publications/${id}/console`;
  await write.change('productPublication', id, {
    success: isSuccess,
    phase: null,
    error,
    logUrl,
    package: isSuccess ? name : null,
  });
  await write.query(sql`insert into release_facts (product_publication_id, console_address)
    values (${id}, ${console}) on conflict (product_publication_id)
    do update set console_address = excluded.console_address`);
  if (isSuccess) {
    await sendWorkflowEvent(
      context,
      product.id,
      { is: 'release succeeded', about: id },
      {
        datePublished: timestampOf(context),
        publishLink: facts.publishLink ?? product.publishLink,
        ...(await released(write, product.id, { releaseVersion, productBuild })),
      },
    );
  } else
    await sendWorkflowEvent(
      context,
      product.id,
      { is: 'release failed', about: id, consoleUrl: logUrl },
      productFailure('release', error),
    );
}

export function recordReleaseFailure(
  context: WriteContext,
  about: EngineTask<'productPublication'>,
  error: string,
) {
  return recordReleaseResult(context, about, givenUp(error));
}

/** Sends the event; the workflow decides whether it still waits for it. */
async function sendWorkflowEvent(
  context: WriteContext,
  product: string,
  event: WorkflowEvent,
  fields: Parameters<typeof sendEvent>[3] = {},
): Promise<void> {
  const running = await runningOf(context.write, product);
  if (running !== null) await sendEvent(context, running, event, fields);
}

async function writeArtifacts(
  { services, write }: WriteContext,
  productBuild: string,
  product: string,
  { files }: ArtifactFacts,
): Promise<void> {
  for (const { type, url, filename, contentType, sizeBytes, updated } of files) {
    const id = newId(services.clock, services.random);
    await write.insert('productArtifact', {
      id,
      product,
      productBuild,
      artifactType: type,
      filename,
      contentType,
      fileSize: sizeBytes,
      updated,
      url: `${services.config.publicUrl}/api/product-artifacts/${id}/content`,
    });
    await write.query(sql`insert into artifact_addresses (product_artifact_id, address)
      values (${id}, ${url})`);
  }
}

/** Returns the bytes of the files together, without the logs; null when no size is known. */
function sizeOf({ files }: ArtifactFacts): number | null {
  const sizes = files.flatMap(({ type, sizeBytes }) =>
    isLog(type) || sizeBytes === null ? [] : [sizeBytes],
  );
  return sizes.length === 0 ? null : sizes.reduce((sum, size) => sum + size, 0);
}

/** Writes what a successful build changes in its product (domain 11.4 B2, B3). */
async function built(
  context: WriteContext,
  product: Of<'product'>,
  { files, version, defaultLanguage }: ArtifactFacts,
) {
  const times = files.flatMap(({ updated }) => (updated === null ? [] : [updated]));
  const language = await languageOf(context, product, defaultLanguage);
  return {
    dateBuilt: times.toSorted().at(-1) ?? timestampOf(context),
    ...(version === null ? {} : { versionBuilt: version }),
    ...(language === null ? {} : { storeLanguage: language }),
  };
}

async function languageOf({ write }: WriteContext, { store }: Of<'product'>, name: string | null) {
  if (name === null || store === null) return null;
  const storeType = (await write.one('store', store))?.storeType ?? null;
  const [language] = await write.all('storeLanguage', { name, storeType });
  return language?.id ?? null;
}

/** Returns the version that is out from now on. A republish releases no app, so it changes none. */
async function released(
  tx: DatabaseTransaction,
  product: string,
  {
    releaseVersion,
    productBuild: build,
  }: Pick<Of<'productPublication'>, 'releaseVersion' | 'productBuild'>,
): Promise<Partial<Pick<Of<'product'>, 'versionPublished'>>> {
  const running = await runningOf(tx, product);
  if (running?.machine.scheme.type === REPUBLISH) return {};
  // A release that began under an earlier version of Slipway has none.
  const built = build === null ? null : await tx.one('productBuild', build);
  return { versionPublished: releaseVersion ?? built?.buildVersion ?? null };
}

/** Returns the package name that the engine gave with a build. */
export async function packageOf(
  tx: DatabaseTransaction,
  build: string | null,
): Promise<string | null> {
  const [row] = await tx.query(
    sql<{ readonly package_name: string | null }>`select package_name from build_facts
      where product_build_id = ${build}`,
  );
  return row?.package_name ?? null;
}
