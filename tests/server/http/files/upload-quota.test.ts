import { mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { ProblemError } from '#protocol/problem.ts';
import type { ErrorObject } from '#protocol/problem.ts';
import { projectAt } from '#engine/engine-paths.ts';
import { lockUploads, evictOldUploads } from '#server/http/files/upload-quota.ts';
import type { UploadLimits } from '#server/http/files/upload-quota.ts';
import type { Repository } from '#server/http/files/repository-of.ts';
import { START_WITHIN_MS } from '../api/world.ts';
import { zipOfFiles } from '../../../support/zips.ts';
import { openHouse, setUp } from './house.ts';
import type { House } from './house.ts';

const KEPT_AT = new Date('2026-03-01T12:00:00Z');

describe('[15.2] the room that an organization has for uploads', function () {
  this.timeout(START_WITHIN_MS);
  let house: House;
  let repository: Repository;
  beforeEach(async () => {
    house = await openHouse();
    const { project: id } = house.world.ids;
    await setUp(house.world, id);
    repository = await house.world.write(async (w) => {
      const project = await w.one('project', id);
      if (project === null) throw new Error('There is no project');
      return { project, place: projectAt(project.workflowProjectUrl ?? '') ?? 0 };
    });
  });

  const repositories = () => house.world.server.parts.engines.bundled.repositories;
  /** A file of that size as upload `number`, which takes no room on the disk. */
  const keep = (number: number, sizeBytes: number) => {
    const path = repositories().content(repository.place, number);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '');
    truncateSync(path, sizeBytes);
    // As uploads that arrive within one tick of the file system's clock.
    utimesSync(path, KEPT_AT, KEPT_AT);
  };
  const numbers = async () => {
    const kept = await repositories().kept(new Set([repository.place]));
    return kept.map(({ number }) => number).sort((a, b) => a - b);
  };

  const room = (sizeBytes: number, limits: UploadLimits) => {
    const { parts: services } = house.world.server;
    return services.db.transact((tx) =>
      evictOldUploads(tx, services, repository, sizeBytes, limits),
    );
  };
  const upload = (body: Buffer) =>
    house.ask('builder', 'PUT', `/api/projects/${repository.project.id}/repository`, {
      headers: { 'Content-Type': 'application/zip' },
      body,
    });

  it('is made by removing what is older than the newest of its project, no more than needed [F13]', async () => {
    for (let number = 1; number <= 6; number += 1) keep(number, 100);
    const limits = { bytes: 600, newest: 3 };

    await room(100, limits);
    expect(await numbers()).to.deep.equal([2, 3, 4, 5, 6]);
    await room(400, limits);
    expect(await numbers()).to.deep.equal([5, 6]);
  });

  it('is refused with the sum, and nothing is removed, when the newest uploads alone are too much [F13]', async () => {
    for (let number = 1; number <= 6; number += 1) keep(number, 100);
    const refused = await room(500, { bytes: 600, newest: 3 }).catch((error: unknown) => error);

    expect(refused).to.be.instanceOf(ProblemError);
    expect((refused as ProblemError).problem).to.deep.include({
      code: 'too-large',
      meta: { limit: 600, sum: 1_100, reason: 'organization-full' },
    });
    expect(await numbers()).to.deep.equal([1, 2, 3, 4, 5, 6]);
  });

  it('is 5 GiB: one more upload is answered 413, and what is there stays [F13]', async () => {
    const limit = 5 * 2 ** 30;
    keep(1, limit);
    const body = zipOfFiles({ 'index.md': '# Harvest\n' });
    const answer = await upload(body);
    const { errors } = (await answer.json()) as { readonly errors: readonly ErrorObject[] };

    expect(answer.status).to.equal(413);
    expect(errors[0]?.meta).to.deep.equal({
      limit,
      sum: limit + body.length,
      reason: 'organization-full',
    });
    expect(await numbers()).to.deep.equal([1]);
  });

  it('is given to one of several uploads that arrive together, when there is enough for one [F13]', async () => {
    const body = zipOfFiles({ 'index.md': '# Harvest\n' });
    keep(1, 5 * 2 ** 30 - 1.5 * body.length);
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(body)));

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 413, 413, 413]);
    expect(await numbers()).to.deep.equal([1, 2]);
  });

  it('is judged for the next upload when the one before it is kept or given up, and not earlier [F13]', async () => {
    const { parts: services } = house.world.server;
    const limits = { bytes: 100, newest: 3 };
    const together = [1, 2, 3].map((number) =>
      services.db.transact(async (tx) => {
        await lockUploads(tx, repository);
        await evictOldUploads(tx, services, repository, 60, limits);
        keep(number, 60);
      }),
    );
    const ends = await Promise.allSettled(together);
    expect(ends.map(({ status }) => status).sort()).to.deep.equal([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(await numbers()).to.have.length(1);
  });
});
