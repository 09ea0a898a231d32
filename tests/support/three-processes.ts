import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Data } from '../../src/data/model/data.ts';
import { changeLogOf } from './change-log.ts';
import { freshPlace } from './database.ts';
import {
  differing,
  editInRounds,
  idsIn,
  makeProjects,
  onDatabase,
  openOver,
  until,
} from './editing.ts';
import { freePort } from './free-port.ts';
import { prepare } from './prepared.ts';
import { startRoundRobin } from './round-robin.ts';
import { spawnServer } from './server.ts';
import type { SpawnedServer } from './server.ts';

const PROCESSES = 3;
const PROJECTS_EACH = 5;

/** A socket or stream that nothing on the way lets through. */
class Blocked extends EventTarget {
  constructor() {
    super();
    throw new Error('Blocked');
  }
}
const blocked = Blocked as unknown as typeof WebSocket & typeof EventSource;

/** What is taken away from a device, so that it comes over the transport that it is called after. */
const ways = {
  WebSockets: {},
  ServerSentEvents: { WebSocket: blocked },
  LongPolling: { WebSocket: blocked, EventSource: blocked },
} as const;

export interface KillFigures {
  readonly kills: number;
  readonly seconds: number;
  readonly changes: number;
  readonly requests: number;
  /** How often each device was connected to the hub, of how often it was looked at. */
  readonly connected: Readonly<Record<string, string>>;
  /** Ids that the server did not do, or did more than once. */
  readonly missing: readonly string[];
  readonly twice: readonly string[];
  /** Projects that a device does not have as the server has them at the end, by device. */
  readonly differing: readonly string[];
  /** What a device thinks needs the person, though nothing does. */
  readonly attention: number;
}

/**
 * Three processes on one PostgreSQL behind a balancer that gives each request to the next. A device
 * over each transport edits, while one process is killed (SIGKILL) after the other and started again.
 */
export async function editThroughKills(
  postgres: string,
  kills: number,
  everyMs: number,
): Promise<KillFigures> {
  const place = await freshPlace(postgres);
  const balancer = await startRoundRobin();
  const startedAt = performance.now();
  const servers: SpawnedServer[] = [];
  const devices = new Map<string, Data>();
  try {
    const prepared = await prepare(place, balancer.url);
    const count = PROJECTS_EACH * Object.keys(ways).length;
    const projects = await onDatabase(place, (db) => makeProjects(db, prepared, count));
    const ports = await Promise.all(Array.from({ length: PROCESSES }, () => freePort()));
    const startAt = (port: number) => spawnServer({ ...prepared.env, PORT: String(port) });
    for (const port of ports) servers.push(await startAt(port));
    balancer.giveTo(ports);
    for (const [name, sockets] of Object.entries(ways))
      devices.set(name, openOver(balancer.url, prepared, sockets));
    const all = [...devices.values()];
    await until(() =>
      all.every(({ find }) => projects.every((id) => find.one('project', id) !== null)),
    );

    let isOver = false;
    const looks = lookAtTransports(devices, () => isOver);
    const editing = all.map(async (data, n) => {
      const own = projects.slice(n * PROJECTS_EACH, (n + 1) * PROJECTS_EACH);
      for (let from = 0; !isOver; from += own.length)
        await editInRounds(data, own, own.length, from);
    });
    for (let kill = 0; kill < kills; kill += 1) {
      const n = randomInt(PROCESSES);
      await servers[n]?.kill();
      [servers[n]] = await Promise.all([startAt(ports[n] ?? 0), pause(everyMs)]);
    }
    isOver = true;
    await Promise.all(editing);

    return await onDatabase(place, async (db) => {
      const wrong = async () =>
        (await Promise.all(all.map((data) => differing(data, projects, db)))).flat();
      // What the others wrote last may still be on its way to a device.
      for (let n = 0; n < 100 && (await wrong()).length > 0; n += 1) await pause(300);
      const log = await changeLogOf(db, projects);
      const sent = idsIn(balancer);
      const written = projects.flatMap((id) => log.changesOf(id));
      return {
        kills,
        seconds: Math.round((performance.now() - startedAt) / 1_000),
        changes: sent.length,
        requests: balancer.asked.length,
        connected: await looks,
        missing: sent.filter((id) => log.decided.get(id) !== true),
        twice: written.filter((id, n) => written.indexOf(id) !== n),
        differing: await wrong(),
        attention: all.reduce((sum, data) => sum + data.changes.view().attention, 0),
      };
    });
  } finally {
    for (const data of devices.values()) await data.close();
    for (const server of servers) await server.kill();
    await balancer.close();
    await place.remove();
  }
}

const LOOK_EVERY_MS = 500;

/** How often each device was connected to the hub, of how often it was looked at. */
async function lookAtTransports(
  devices: ReadonlyMap<string, Data>,
  isOver: () => boolean,
): Promise<Record<string, string>> {
  const connected = new Map<string, number>();
  let looks = 0;
  while (!isOver()) {
    await pause(LOOK_EVERY_MS);
    looks += 1;
    for (const [name, data] of devices)
      if ((await data.diagnostics.snapshot()).connection === 'connected')
        connected.set(name, (connected.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(
    [...devices.keys()].map((name) => [
      name,
      `${String(connected.get(name) ?? 0)}/${String(looks)}`,
    ]),
  );
}
