import { randomFillSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '../../src/data/model/data.ts';
import { signalrHub } from '#data/sync/hub.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import type { Database } from '#server/db/database.ts';
import { openAt } from './database.ts';
import type { Place } from './database.ts';
import { Device } from './device.ts';
import { aProject } from './make.ts';
import type { Prepared } from './prepared.ts';
import type { Proxy } from './proxy.ts';

/** Devices that edit projects over real HTTP, in real time, and what is looked at afterwards. */

/** Waiting costs less here than it does people. */
const HASTE = 40;

const realTime = {
  clock: () => Date.now(),
  timers: {
    // A busy machine may take its time for an answer.
    set: (run: () => void, afterMs: number) =>
      setTimeout(run, afterMs < limits.requestTimeoutMs ? afterMs / HASTE : afterMs),
    clear: (timer: unknown) => {
      clearTimeout(timer as NodeJS.Timeout);
    },
  },
};

/**
 * A device of `user` that reaches the server at `url`.
 *
 * @param sockets what it has instead of the WebSockets and event streams of Node
 */
export function openOver(
  url: string,
  { token, user }: Pick<Prepared, 'token' | 'user'>,
  sockets: Parameters<typeof signalrHub>[2] = {},
): Data {
  const device = new Device({
    fetch: (address, request) => fetch(`${url}${address}`, request),
    hub: (accessToken) => signalrHub(url, accessToken, sockets),
  });
  device.token = token;
  return device.open(user, { ...realTime, random: (bytes) => randomFillSync(bytes) });
}

/** Ids of `count` new projects of `user`. */
export async function makeProjects(
  db: Database,
  { organization, group, user }: Pick<Prepared, 'organization' | 'group' | 'user'>,
  count: number,
): Promise<string[]> {
  const projects: string[] = [];
  for (let n = 0; n < count; n += 1)
    projects.push((await aProject(db, { organization, group, owner: user })).id);
  return projects;
}

/** Runs `work` on the database of `place`, which servers may have open meanwhile. */
export async function onDatabase<T>(place: Place, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = await openAt(place);
  try {
    return await work(db);
  } finally {
    await close();
  }
}

/**
 * Each round edits every project once; the next begins when all of it has been answered.
 *
 * @param from how many edits there were before, so that these differ from them
 */
export async function editInRounds(
  data: Data,
  projects: readonly string[],
  count: number,
  from = 0,
): Promise<void> {
  for (let made = 0; made < count;) {
    const round = projects.slice(0, count - made);
    await Promise.all(
      round.map(async (id, n) => {
        const project = data.find.one('project', id);
        if (project === null) throw new Error('A project is not here');
        await editProject(data, project, nextFields(project, from + made + n));
      }),
    );
    made += round.length;
    await until(() => data.changes.view().waiting === 0);
  }
}

function nextFields(project: Of<'project'>, n: number): Partial<Of<'project'>> {
  return n % 3 === 0
    ? { description: `Described as number ${String(n)}` }
    : { name: `Project ${project.id.slice(-4)}, number ${String(n)}` };
}

/** Ids of changes in the order in which they were first sent. */
export function idsIn({ asked }: Pick<Proxy, 'asked'>): string[] {
  const ids = asked.flatMap(({ url, body }) => {
    if (url !== '/api/operations') return [];
    const { operations } = JSON.parse(body) as { operations: { meta: { id: string } }[] };
    return operations.map(({ meta }) => meta.id);
  });
  return [...new Set(ids)];
}

/** Projects that are not the same here and there. */
export async function differing(
  data: Data,
  projects: readonly string[],
  db: Database,
): Promise<string[]> {
  return db.read(async (tx) => {
    const wrong: string[] = [];
    for (const id of projects) {
      const [here, there] = [data.find.one('project', id), await tx.one('project', id)];
      const isSame = here?.name === there?.name && here?.description === there?.description;
      if (!isSame) wrong.push(id);
    }
    return wrong;
  });
}

const GIVE_UP_AFTER_MS = 150_000;

/** Resolves as soon as `holds`. @throws Error when nothing moves any more */
export async function until(holds: () => boolean): Promise<void> {
  const end = performance.now() + GIVE_UP_AFTER_MS;
  while (!holds()) {
    if (performance.now() > end) throw new Error('It is stuck');
    await pause(5);
  }
}
