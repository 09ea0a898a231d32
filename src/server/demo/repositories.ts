import { mkdtemp, rm } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { makeProject as makeEngineProject } from '#engine/bundled-calls.ts';
import { saveRepository } from '../domain/builds/jobs/set-up-project.ts';
import { writeSample } from '#engine/sample/sample.ts';
import type { WriteTransaction } from '../db/database.ts';
import type { Services } from '../domain/services.ts';

/**
 * Sets up the repository of a demo project at once, as its job would a little later, so that a
 * visitor of the demo does not get sixty notifications. It works only with the bundled engine.
 */
export async function setUp(
  services: Services,
  write: WriteTransaction,
  id: string,
): Promise<void> {
  if (services.config.engine.outside !== null) return;
  const project = await write.one('project', id);
  if (project === null) return;
  const { name: projectName, language: languageCode, type } = project;
  const appId = (await write.one('applicationType', type))?.name ?? '';
  const made = await makeEngineProject(write, services, { appId, projectName, languageCode });
  await saveRepository(write, id, made);
}

/** Gives every project that has none yet the sample as its content. */
export async function fillRepositories({ db, engines }: Services): Promise<void> {
  const { repositories } = engines.bundled;
  const places = await db.read((tx) =>
    tx.query(sql<{ readonly place: number }>`select engine_id as place from project_repositories`),
  );
  const folder = await mkdtemp(join(tmpdir(), 'slipway-sample-'));
  try {
    const sample = join(folder, 'sample.zip');
    await writeSample(sample);
    for (const { place } of places)
      if ((await repositories.newest(place)) === null)
        await repositories.add(place, createReadStream(sample));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
