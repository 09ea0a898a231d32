import type { Data } from '../../src/data/model/data.ts';
import { changeLogOf } from './change-log.ts';
import { differing, editInRounds, idsIn, makeProjects, openOver, until } from './editing.ts';
import { aMember, aProject } from './make.ts';
import { startProxy } from './proxy.ts';
import type { Fate, Proxy } from './proxy.ts';
import { startServer } from './server.ts';
import { tokenFor } from './tokens.ts';

/** So many projects are edited in turn, once in each round. */
const PROJECTS = 50;
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
  /** The number of changes that need the person by the client's count, though none does. */
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
 * Sends `count` changes from a device to our server over real HTTP, through a proxy that cuts
 * answers at random bytes, loses some, repeats requests and drops hub messages; `seed` says which.
 */
export async function sendThroughCuts(count: number, seed: number): Promise<Figures> {
  const server = await startServer({ isFresh: true });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const tally = { cut: 0, lost: 0, repeated: 0 };
  const startedAt = performance.now();
  let data: Data | null = null;
  try {
    const { projects, user, token } = await aPerson(server.parts);
    data = openOver(proxy.url, { token, user });
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

type Services = Awaited<ReturnType<typeof startServer>>['parts'];

async function aPerson(services: Services) {
  const { db } = services;
  const { organization, group } = await aProject(db);
  const user = await aMember(db, organization, { roles: ['AppBuilder'], groups: [group] });
  const projects = await makeProjects(db, { organization, group, user: user.id }, PROJECTS);
  const subject = { email: user.email ?? '', sub: `test|${user.id}` };
  const token = await tokenFor(services, subject, { lastsSeconds: 86_400 });
  return { projects, user: user.id, token };
}

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
