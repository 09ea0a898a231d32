import { randomFillSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { readConfig } from '#server/kernel/config.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import type { Services } from '#server/domain/services.ts';
import { systemTimers } from '#server/kernel/timers.ts';
import { checkAccepted, perform } from '../tests/support/crowd.ts';
import { freshPlace, openAt } from '../tests/support/database.ts';
import { aMember, aProject, newId } from '../tests/support/make.ts';
import { prepare } from '../tests/support/prepared.ts';
import { spawnServer } from '../tests/support/server.ts';
import { tokenFor } from '../tests/support/tokens.ts';
import { median, timed } from './measure.ts';
import { atMost, within } from './figure.ts';
import type { Figure } from './figure.ts';

/**
 * Measures whether people can read while many write: the time of a small read without writers and
 * with 24, on one process. `SECONDS` says for how long they write.
 */

const WRITERS = 24;
const SECONDS = Number(process.env.SECONDS ?? '10');
const QUIET_SECONDS = 10;
/** A person may ask 3,000 times a minute. */
const READ_EVERY_MS = 25;
const HEALTH_EVERY_MS = 500;

interface Person {
  readonly token: string;
  readonly project: string;
}

export async function writers(): Promise<readonly Figure[]> {
  const place = await freshPlace();
  const prepared = await prepare(place);
  const people = await crowd();
  const server = await spawnServer(prepared.env);
  try {
    const [reader, ...others] = people;
    if (reader === undefined) return [];
    const quiet = (await whileReading(reader, QUIET_SECONDS)).reads;
    const until = Date.now() + SECONDS * 1_000;
    const writing = Promise.all(others.map((writer) => renames(writer, until)));
    const { reads, health, failed } = await whileReading(reader, SECONDS);
    const written = (await writing).reduce((sum, count) => sum + count, 0);
    const [without, beside] = [median(quiet), median(reads)];
    const at95 = (sorted: readonly number[]) => sorted[Math.floor(sorted.length * 0.95)] ?? 0;
    return [
      {
        what: `Read one project beside ${WRITERS} writers, median (${reads.length} reads, ${Math.round(written / SECONDS)} writes/s, 95 % ${Math.round(at95(reads))} ms)`,
        unit: 'ms',
        ours: beside,
        against: { 'without writers': without },
        targets: [within(beside, without, 3)],
      },
      {
        what: `Longest answer about the health beside ${WRITERS} writers`,
        unit: 'ms',
        ours: health.at(-1) ?? Infinity,
        against: {},
        targets: [atMost(health.at(-1) ?? Infinity, 2_000, 'ms'), atMost(failed, 0, 'failed')],
      },
    ];
  } finally {
    await server.stop();
    await place.remove();
  }

  /** The reader and the writers: members of the organization, each with a project of their own. */
  async function crowd(): Promise<Person[]> {
    const { db, close } = await openAt(place);
    const clock = Date.now;
    const random = (bytes: Uint8Array) => randomFillSync(bytes);
    const limits = openLimits({ db, clock, timers: systemTimers, failed: () => undefined });
    const services = { config: readConfig(prepared.env), db, clock, random, limits } as Services;
    const made: Person[] = [];
    for (let n = 0; n <= WRITERS; n += 1) {
      const token = await tokenFor(services, `writer${n}@press.test`, { lastsSeconds: 14_400 });
      const { user } = await callerOf(services, token);
      const { organization, group, type } = prepared;
      const roles = ['AppBuilder'] as const;
      await aMember(db, organization, { user: user.id, roles, groups: [group] });
      const project = await aProject(db, { organization, group, type, owner: user.id });
      made.push({ token, project: project.id });
    }
    await limits.stop();
    await close();
    return made;
  }

  async function renames({ token, project }: Person, until: number): Promise<number> {
    let count = 0;
    for (; Date.now() < until; count += 1) {
      const data = { type: 'projects', id: project, attributes: { name: `Name ${count}` } };
      const operation = { op: 'update' as const, data, meta: { id: newId() } };
      checkAccepted((await perform(server.url, { ...prepared, token }, [operation])) ?? []);
    }
    return count;
  }

  async function whileReading({ token, project }: Person, seconds: number) {
    const until = Date.now() + seconds * 1_000;
    const reads: number[] = [];
    const health: number[] = [];
    let failed = 0;
    const ask = async (path: string, took: number[]) => {
      const headers = { Authorization: `Bearer ${token}` };
      const [ms, status] = await timed(async () => {
        const answer = await fetch(`${server.url}${path}`, { headers });
        await answer.arrayBuffer();
        return answer.status;
      });
      took.push(ms);
      if (status !== 200) failed += 1;
    };
    const looking = (async () => {
      while (Date.now() < until) {
        await ask('/api/health/ready', health);
        await pause(HEALTH_EVERY_MS);
      }
    })();
    while (Date.now() < until) {
      await ask(`/api/projects/${project}`, reads);
      await pause(READ_EVERY_MS);
    }
    await looking;
    const ascending = (a: number, b: number) => a - b;
    return { reads: reads.sort(ascending), health: health.sort(ascending), failed };
  }
}
