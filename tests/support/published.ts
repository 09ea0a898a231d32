import { Readable } from 'node:stream';
import { saveEngineJob } from '#server/domain/workflow/running/running-workflow.ts';
import type { Services } from '#server/domain/services.ts';
import type { Of } from '#schema/index.ts';
import { aCause, aProduct, aProject } from './make.ts';

/** What was published long ago, as it would stand now: with the engine's part, and without the days. */

const LONG_AGO = '2026-01-31T09:30:00.000Z';

/** A project whose repository the bundled engine has made, with `content`, a zip file; null: empty. */
export async function aProjectSetUp(
  { db, engines: { bundled } }: Services,
  fields: Parameters<typeof aProject>[1] = {},
  content: Buffer | null = null,
): Promise<Of<'project'>> {
  const asked = { appId: 'bookapp', projectName: fields.name ?? '', languageCode: 'en-US' };
  const { url } = await bundled.createProject(asked);
  if (content !== null) await fillRepository({ engines: { bundled } }, url, content);
  return aProject(db, { ...fields, workflowProjectUrl: url, location: url });
}

/** Puts a zip file into the repository at `url` of the bundled engine. */
export async function fillRepository(
  { engines: { bundled } }: { readonly engines: Pick<Services['engines'], 'bundled'> },
  url: string | null,
  content: Buffer,
): Promise<void> {
  const [number] = /\d+$/.exec(url ?? '') ?? [];
  await bundled.repositories.add(Number(number), Readable.from([content]));
}

/** A product that is published and rests. */
export async function aPublishedProduct(
  { db, engines }: Services,
  { id, workflowProjectUrl }: Of<'project'>,
  fields: Parameters<typeof aProduct>[1] = {},
): Promise<Of<'product'>> {
  const made = await aProduct(db, { project: id, datePublished: LONG_AGO, ...fields });
  const gitUrl = workflowProjectUrl ?? '';
  const asked = { requestId: made.id, gitUrl, appId: 'bookapp', publisherId: null };
  const { id: job } = await engines.bundled.createJob(asked);
  await db.write(aCause(), (write) => saveEngineJob(write, made.id, job));
  return made;
}
