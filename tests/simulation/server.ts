import { importJWK, SignJWT } from 'jose';
import type { Bus } from '#server/kernel/bus/bus.ts';
import { localBus } from '#server/kernel/bus/local-bus.ts';
import type { ConnectionDirectory } from '#server/http/hub/directory.ts';
import { openLimits } from '#server/db/limits/limits.ts';
import { Hub } from '#server/http/hub/hub.ts';
import type { TransportListener, Transport } from '#server/http/hub/transport.ts';
import { callerOf } from '#server/domain/accounts/caller.ts';
import { openJobs } from '#server/db/jobs/open-jobs.ts';
import type { OpenedEngines } from '#server/domain/builds/open-engines.ts';
import type { Services } from '#server/domain/services.ts';
import type { Timers } from '#base/timers.ts';
import type { Chance } from './chance.ts';
import type { Place } from './place.ts';
import { config, silent } from './routes.ts';
import type { Answered, Asked } from './routes.ts';
import { ownerNow } from './schedule.ts';
import type { Owner, Schedule } from './schedule.ts';

/** Nobody works here, so nothing is built either. */
const NO_ENGINES = null as unknown as OpenedEngines;

/** The world has one process at a time: nobody asks where its connections are. */
const ALONE: ConnectionDirectory = {
  process: 'the only one',
  reserve: () => Promise.resolve(),
  open: () => Promise.resolve('opened'),
  openNew: () => Promise.resolve(),
  locationOf: () => Promise.resolve({ is: 'unknown' }),
  cancelReservation: () => Promise.resolve(),
  markLeft: () => Promise.resolve(),
  release: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

/** One process of the server, from its start to its end. */
interface Process {
  readonly owner: Owner;
  readonly parts: Services;
  readonly timers: Timers;
  readonly hub: Hub;
}

/** What may happen to the hints by which processes tell each other of commits. */
export interface Hints {
  readonly delayMs: () => number | null;
}

/**
 * The real server's code from the request to the answer and from the commit to the hub's frames,
 * without sockets: on the world's clock, with a database in this process.
 */
export class SimulatedServer {
  readonly #schedule: Schedule;
  readonly #chance: Chance;
  readonly #place: Place;
  readonly #hints: Hints;
  readonly #crowd: Chance;
  #process: Process | null = null;
  #starts = 0;
  #tokens = 0;

  constructor(schedule: Schedule, chance: Chance, place: Place, hints: Hints) {
    this.#schedule = schedule;
    this.#chance = chance;
    this.#crowd = chance.branch('crowd');
    this.#place = place;
    this.#hints = hints;
    place.memory.begin = () => this.#begin();
  }

  get isUp(): boolean {
    return this.#process !== null;
  }

  get owner(): Owner {
    return this.#now.owner;
  }

  get parts(): Services {
    return this.#now.parts;
  }

  get #now(): Process {
    if (this.#process === null) throw new Error('The server is down');
    return this.#process;
  }

  /** Beginning a transaction is where requests overtake each other; it may have to wait for a place. */
  #begin(): Promise<void> {
    const owner = ownerNow();
    if (owner === null) return Promise.resolve();
    const afterMs = this.#crowd.is(0.2) ? this.#crowd.wait(40) : 0;
    return new Promise((resolve) => {
      this.#schedule.plan(owner, 'begin', resolve, { afterMs });
    });
  }

  /** Starts a process; to be called outside of events, or as one of `world`. */
  async start(): Promise<void> {
    this.#starts += 1;
    const owner: Owner = {
      name: `server${this.#starts}`,
      isFrozen: false,
      isDead: false,
      soon: null,
    };
    const bus = this.#hintingBus(owner);
    const clock = (): number => this.#schedule.now;
    const db = await this.#place.connect(bus, clock);
    const random = this.#chance.branch(owner.name).bytes;
    const done = () => Promise.resolve();
    const mail = { send: done, forget: done, close: () => undefined };
    const jobs = openJobs({ db, clock, random, log: silent });
    // Nothing is shared with another process, so nothing has to wait.
    const still: Timers = { after: () => () => undefined };
    const limits = openLimits({ db, clock, timers: still, failed: () => undefined });
    const parts: Services = {
      config,
      db,
      bus,
      clock,
      random,
      log: silent,
      mail,
      jobs,
      limits,
      engines: NO_ENGINES,
    };
    const timers: Timers = {
      after: (ms, act) => {
        const planned = this.#schedule.plan(owner, 'timer', act, { afterMs: ms });
        return () => {
          this.#schedule.cancel(planned);
        };
      },
    };
    const hub = new Hub(parts, timers, ALONE);
    const process = { owner, parts, timers, hub };
    this.#process = process;
    this.#place.routes.serve(process);
  }

  /** The process is gone, with everything it was about to do. */
  kill(): void {
    if (this.#process === null) return;
    this.#process.owner.isDead = true;
    this.#schedule.drop(this.#process.owner);
    this.#process = null;
  }

  #hintingBus(owner: Owner): Bus {
    const bus = localBus();
    return {
      publish: (n) => {
        const delay = this.#hints.delayMs();
        if (delay === null) return;
        this.#schedule.plan(
          owner,
          'hint',
          () => {
            bus.publish(n);
          },
          { afterMs: delay },
        );
      },
      subscribe: (listener) => bus.subscribe(listener),
      close: () => bus.close(),
    };
  }

  /** Answers one request; never, if the process dies meanwhile. */
  ask(asked: Asked): Promise<Answered> {
    return this.#place.routes.answer(asked);
  }

  /** Gives a client a place at the hub. @throws ProblemError as the negotiation would */
  async seat(token: string, connect: (ears: TransportListener) => Transport): Promise<void> {
    const { parts, hub } = this.#now;
    const comer = { caller: await callerOf(parts, token), bearer: token };
    hub.attach(await hub.openNew(comer, 'WebSockets'), comer, connect);
  }

  /** An access token for who signs in as `sub`. */
  async tokenFor(sub: string, email: string, lastsMs: number): Promise<string> {
    const [key] = this.#place.keys.signing;
    this.#tokens += 1;
    const now = Math.floor(this.#schedule.now / 1_000);
    return new SignJWT({ email, email_verified: true, name: email, n: this.#tokens })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid ?? '' })
      .setSubject(sub)
      .setIssuer(config.auth.issuer)
      .setAudience(config.auth.audience)
      .setIssuedAt(now)
      .setExpirationTime(now + Math.round(lastsMs / 1_000))
      .sign(await importJWK(key, 'ES256'));
  }
}
