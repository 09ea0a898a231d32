import { setTimeout as pause } from 'node:timers/promises';
import { editProject } from '#data/actions/projects.ts';
import type { Data } from '#data/data.ts';
import { signalrHub } from '#data/hub.ts';
import { limits } from '#protocol/limits.ts';
import type { Of } from '#schema/index.ts';
import { changeLogOf } from './change-log.ts';
import { Device } from './device.ts';
import { aMember, aProject } from './make.ts';
import { startProxy } from './proxy.ts';
import type { Fate, Proxy } from './proxy.ts';
import { startServer } from './server.ts';
import { tokenFor } from './tokens.ts';

/** So many projects are edited in turn, once in each round. */
const PROJECTS = 50;
/** Waiting costs less here than it does people. */
const HASTE = 40;

export interface Figures {
  readonly changes: number;
  /** Bodies that were sent, and what became of their answers. */
  readonly requests: number;
  readonly cut: number;
  readonly lost: number;
  readonly repeated: number;
  readonly seconds: number;
  /** Ids that the server did not do, or did more than once; that are out of order; that differ. */
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  readonly outOfOrder: readonly string[];
  readonly differing: readonly string[];
  /** What the client thinks needs the person, though nothing does. */
  readonly attention: number;
}

/** Fractions of 1, the same for the same seed (mulberry32). */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Sends `count` changes from a device to our server over real HTTP, through a proxy that cuts answers
 * at random bytes, loses some, repeats requests and drops news; `seed` says which.
 */
export async function sendThroughCuts(count: number, seed: number): Promise<Figures> {
  const server = await startServer({ isFresh: true });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const tally = { cut: 0, lost: 0, repeated: 0 };
  const startedAt = performance.now();
  let data: Data | null = null;
  try {
    const { projects, userId, token } = await aPerson(server.parts);
    const device = deviceAt(proxy, token);
    data = device.open(userId, realTime);
    const { find } = data;
    await until(() => projects.every((id) => find.one('project', id) !== null));
    spoil(proxy, chances(seed), tally);
    await editInRounds(data, projects, count);
    const log = await changeLogOf(server.parts.db, projects);
    const sent = idsIn(proxy);
    const written = projects.flatMap((id) => log.changesOf(id));
    return {
      ...tally,
      changes: sent.length,
      requests: proxy.asked.filter(({ url }) => url === '/api/operations').length,
      seconds: Math.round((performance.now() - startedAt) / 1_000),
      missing: sent.filter((id) => log.decided.get(id) !== true),
      twice: written.filter((id, n) => written.indexOf(id) !== n),
      outOfOrder: projects.filter((id) => {
        const own = new Set(log.changesOf(id));
        return sent.filter((one) => own.has(one)).join() !== [...own].join();
      }),
      differing: await differing(data, projects, server.parts.db),
      attention: data.changes.view().attention,
    };
  } finally {
    await data?.close();
    await proxy.close();
    await server.stop();
  }
}

type Parts = Awaited<ReturnType<typeof startServer>>['parts'];

async function aPerson(parts: Parts) {
  const { db } = parts;
  const { organization, group } = await aProject(db);
  const user = await aMember(db, organization, { roles: ['AppBuilder'], groups: [group] });
  const projects: string[] = [];
  for (let n = 0; n < PROJECTS; n += 1)
    projects.push((await aProject(db, { organization, group, owner: user.id })).id);
  const subject = { email: user.email ?? '', sub: `test|${user.id}` };
  const token = await tokenFor(parts, subject, { lastsSeconds: 86_400 });
  return { projects, userId: user.id, token };
}

function deviceAt({ url }: Proxy, token: string): Device {
  const device = new Device({
    fetch: (address, request) => fetch(`${url}${address}`, request),
    hub: (accessToken) => signalrHub(url, accessToken, {}),
  });
  device.token = token;
  return device;
}

export const realTime = {
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

function spoil(
  proxy: Proxy,
  chance: () => number,
  tally: { cut: number; lost: number; repeated: number },
): void {
  proxy.sockets.decide(() => (chance() < 0.3 ? 'drop' : 'pass'));
  proxy.decide(({ url }): Fate => {
    if (url !== '/api/operations') return chance() < 0.1 ? { cutAt: chance() } : 'pass';
    const lot = chance();
    if (lot < 0.4) {
      tally.cut += 1;
      return { cutAt: chance(), isClean: lot < 0.2 };
    }
    if (lot < 0.5) tally.lost += 1;
    if (lot < 0.5) return lot < 0.45 ? 'cut-before' : 'drop-answer';
    if (lot >= 0.6) return 'pass';
    tally.repeated += 1;
    return 'repeat';
  });
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
  db: Parts['db'],
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
