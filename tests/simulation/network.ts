import { isObject } from '#base/is-object.ts';
import { paths } from '#protocol/paths.ts';
import type { Device, Person, Tab } from './browser.ts';
import type { Chance } from './chance.ts';
import type { Owner, Planned, Schedule } from './schedule.ts';
import type { Answered, Asked } from './routes.ts';
import type { SimulatedServer } from './server.ts';

/** The fate of one request. */
export type Fate =
  /** It arrives and is answered. */
  | { readonly is: 'well' }
  | { readonly is: 'cut-before' | 'cut-after' | 'cut-within' | 'half' | 'portal' | 'hang' }
  /** Its answer comes too late, or after updates of what others did since. */
  | { readonly is: 'late' | 'overtaken' }
  /** It arrives twice. */
  | { readonly is: 'repeated' }
  /** Someone on the way answers instead. */
  | { readonly is: 'instead'; readonly answer: Answered };

/** The fate of one frame from the hub. */
export type FrameFate = 'well' | 'lost' | 'repeated' | 'later' | { readonly instead: string };

/** The present state of the network; a world has one, and faults change it. */
export interface Weather {
  readonly latencyMs: () => number;
  /** Tells whether anything gets through at all. */
  readonly isUp: (device: Device) => boolean;
  readonly fateOf: (tab: Tab, asked: Asked) => Fate;
  readonly frameFate: (tab: Tab, frame: string) => FrameFate;
  /** The result of a refresh of the access token. */
  readonly refreshFate: (device: Device) => 'well' | 'silent' | 'refused';
}

/** One operations body that reached the server, with what came of it there. */
export interface Delivery {
  readonly person: Person;
  readonly device: string;
  readonly tab: string;
  readonly at: number;
  readonly operations: readonly WireOperation[];
  /** The network brought it a second time, without its device. */
  readonly isRepeat: boolean;
  verdicts: readonly WireVerdict[] | null;
}

interface WireOperation {
  readonly op: string;
  readonly ref?: { readonly type: string; readonly id: string };
  readonly data?: {
    readonly type: string;
    readonly id: string;
    readonly attributes?: Readonly<Record<string, unknown>>;
    readonly relationships?: Readonly<
      Record<string, { readonly data: { readonly id: string } | null }>
    >;
  };
  readonly meta: { readonly id: string };
}

interface WireVerdict {
  readonly meta: { readonly id?: string; readonly status: number; readonly replayed?: boolean };
  readonly errors?: readonly { readonly code: string }[];
}

/** Between the devices and the server. Requests and answers travel apart, each for a while. */
export class Network {
  readonly schedule: Schedule;
  readonly server: SimulatedServer;
  readonly chance: Chance;
  weather: Weather;
  /** The network between the devices and the server. */
  readonly owner: Owner = { name: 'network', isFrozen: false, isDead: false, soon: null };
  /** Every operations body that reached the server, in order. */
  readonly deliveries: Delivery[] = [];
  /** The violations of tabs: what they did although they must not. */
  readonly wrong: string[] = [];
  readonly #afterRobbery = new Map<Tab, number>();
  /** Until when servers asked for patience. */
  patienceUntil = 0;
  readonly #waiting = new Map<Tab, Set<(error: Error) => void>>();
  readonly #lines = new Set<Line>();
  #requests = 0;

  constructor(schedule: Schedule, server: SimulatedServer, chance: Chance, weather: Weather) {
    this.schedule = schedule;
    this.server = server;
    this.chance = chance;
    this.weather = weather;
  }

  // requests --------------------------------------------------------------------------------------

  fetch(tab: Tab, address: string, request: RequestInit): Promise<Response> {
    if (tab.isDead) return new Promise(() => undefined);
    this.#requests += 1;
    const n = this.#requests;
    const body = typeof request.body === 'string' ? request.body : null;
    const headers = request.headers as Record<string, string>;
    const asked: Asked = { method: request.method ?? 'GET', address, headers, body };
    this.schedule.trace(`${tab.name} asks ${n} ${asked.method} ${address} ${body ?? ''}`);
    if (address === paths.operations) this.#checkLead(tab);
    return new Promise((resolve, reject) => {
      const exchange: Exchange = {
        ...{ n, tab, asked, resolve, reject },
        ...{ isRepeat: false, isOver: false },
      };
      const waiting = this.#waitingIn(tab);
      const fail = (error: Error): void => {
        if (exchange.isOver) return;
        exchange.isOver = true;
        waiting.delete(fail);
        reject(error);
      };
      exchange.reject = fail;
      exchange.resolve = (response) => {
        if (exchange.isOver) return;
        exchange.isOver = true;
        waiting.delete(fail);
        resolve(response);
      };
      waiting.add(fail);
      request.signal?.addEventListener('abort', () => {
        fail(new DOMException('The request was given up', 'AbortError'));
      });
      this.#send(exchange);
    });
  }

  /** Whoever has lost the lock sends no more; what was on its way to be sent may still go. */
  #checkLead(tab: Tab): void {
    if (!tab.device.locks.isRobbed(tab)) {
      this.#afterRobbery.delete(tab);
      return;
    }
    const times = (this.#afterRobbery.get(tab) ?? 0) + 1;
    this.#afterRobbery.set(tab, times);
    if (times > 1) this.wrong.push(`robbed: ${tab.name} sends after it lost the lock`);
  }

  #send(exchange: Exchange): void {
    const { tab, asked } = exchange;
    if (!this.weather.isUp(tab.device) || !this.server.isUp) {
      this.#cut(exchange, 'refused');
      return;
    }
    const fate = this.weather.fateOf(tab, asked);
    if (fate.is !== 'well') this.schedule.trace(`network ${fate.is} ${exchange.n}`);
    switch (fate.is) {
      case 'cut-before':
        this.#cut(exchange, 'cut');
        return;
      case 'hang':
        return;
      case 'instead':
        this.#answer(exchange, fate.answer);
        return;
      case 'portal':
        this.#answer(exchange, PORTAL);
        return;
      case 'repeated':
        this.#deliver(exchange, fate);
        this.#deliver(
          { ...exchange, isRepeat: true, resolve: () => undefined, reject: () => undefined },
          fate,
        );
        return;
      case 'well':
      case 'cut-after':
      case 'cut-within':
      case 'half':
      case 'late':
      case 'overtaken':
        this.#deliver(exchange, fate);
        return;
    }
  }

  #cut(exchange: Exchange, how: string): void {
    this.schedule.plan(
      exchange.tab,
      `request ${exchange.n} ${how}`,
      () => {
        exchange.reject(new TypeError('Failed to fetch'));
      },
      { afterMs: this.weather.latencyMs() },
    );
  }

  #deliver(exchange: Exchange, fate: Fate): void {
    const arrive = (): void => {
      if (!this.server.isUp) {
        this.#cut(exchange, 'refused');
        return;
      }
      this.#serve(exchange, fate);
    };
    this.schedule.plan(this.owner, `carries ${exchange.n}`, arrive, {
      afterMs: this.weather.latencyMs(),
    });
  }

  /** The server's own code runs as an event of the server, which dies with it. */
  #serve(exchange: Exchange, fate: Fate): void {
    const { server } = this;
    const { owner } = server;
    const delivery = this.#noteDelivery(exchange);
    const stopWatching = this.#watchDeath(owner, exchange);
    this.schedule.plan(owner, `takes ${exchange.n}`, () => {
      server.ask(exchange.asked).then(
        (answer) => {
          stopWatching();
          this.schedule.trace(
            `${owner.name} answers ${exchange.n} ${answer.status} ${answer.body}`,
          );
          if (delivery !== null) delivery.verdicts = verdictsIn(answer);
          this.#return(exchange, fate, answer);
        },
        (error: unknown) => {
          throw error;
        },
      );
    });
  }

  /** A process that dies takes the connections of its requests along. */
  #watchDeath(owner: Owner, exchange: Exchange): () => void {
    const pending = this.#pending.get(owner) ?? new Set();
    this.#pending.set(owner, pending);
    pending.add(exchange);
    return () => pending.delete(exchange);
  }
  readonly #pending = new Map<Owner, Set<Exchange>>();

  serverDied(owner: Owner): void {
    for (const exchange of this.#pending.get(owner) ?? []) this.#cut(exchange, 'broken off');
    this.#pending.delete(owner);
    for (const line of [...this.#lines]) this.cutLine(line);
  }

  #return(exchange: Exchange, fate: Fate, answer: Answered): void {
    if (fate.is === 'cut-after') {
      this.#cut(exchange, 'cut after');
      return;
    }
    const { body } = answer;
    const half = body.slice(0, -1 - this.chance.below(body.length));
    const sent = fate.is === 'half' ? { ...answer, body: half } : answer;
    this.#answer(exchange, sent, fate.is === 'cut-within', this.#delayMs(fate));
  }

  #delayMs({ is }: Fate): number {
    if (is === 'late') return this.chance.between(55_000, 75_000);
    return is === 'overtaken' ? this.chance.between(1_000, 8_000) : 0;
  }

  #answer(exchange: Exchange, answer: Answered, isBroken = false, moreMs = 0): void {
    this.schedule.plan(
      exchange.tab,
      `answer ${exchange.n}`,
      () => {
        if (!this.weather.isUp(exchange.tab.device))
          exchange.reject(new TypeError('Failed to fetch'));
        else {
          this.#note(answer);
          exchange.resolve(responseOf(answer, isBroken));
        }
      },
      { afterMs: this.weather.latencyMs() + moreMs },
    );
  }

  #note({ status, headers }: Answered): void {
    const seconds = Number(headers['retry-after'] ?? headers['Retry-After'] ?? NaN);
    if ((status === 429 || status === 503) && Number.isFinite(seconds))
      this.patienceUntil = Math.max(this.patienceUntil, this.schedule.now + seconds * 1_000 + 500);
  }

  #noteDelivery({ tab, asked, isRepeat }: Exchange): Delivery | null {
    if (asked.address !== paths.operations || asked.body === null) return null;
    const { operations } = JSON.parse(asked.body) as { operations: WireOperation[] };
    const { account, device, name } = tab;
    const delivery = {
      person: account,
      device: device.name,
      tab: name,
      at: this.schedule.now,
      operations,
      isRepeat,
      verdicts: null,
    };
    this.deliveries.push(delivery);
    return delivery;
  }

  #waitingIn(tab: Tab): Set<(error: Error) => void> {
    const waiting = this.#waiting.get(tab) ?? new Set();
    this.#waiting.set(tab, waiting);
    return waiting;
  }

  /** Every request of `device` that waits for an answer fails now, that for a token too. */
  cutAll(device: Device): void {
    for (const tab of device.live)
      for (const fail of [...(this.#waiting.get(tab) ?? [])])
        this.schedule.plan(tab, 'request cut', () => {
          fail(new TypeError('Failed to fetch'));
        });
    for (const line of [...this.#lines]) if (line.tab.device === device) this.cutLine(line);
  }

  // tokens ----------------------------------------------------------------------------------------

  /** A new access token; null: signing in is needed. Rejects without an answer. */
  refresh(device: Device, tab: Tab, person: Person, lastsMs: number): Promise<string | null> {
    return new Promise((resolve, reject) => {
      const fate = this.weather.refreshFate(device);
      const isReached = this.weather.isUp(device) && this.server.isUp && fate !== 'silent';
      this.schedule.trace(`${tab.name} refreshes: ${isReached ? fate : 'no answer'}`);
      const waiting = this.#waitingIn(tab);
      const fail = (error: Error): void => {
        if (waiting.delete(fail)) reject(error);
      };
      waiting.add(fail);
      const come = (): void => {
        if (!waiting.delete(fail)) return;
        if (!isReached || !this.#isServing()) reject(new TypeError('Failed to fetch'));
        else if (fate === 'refused') resolve(null);
        else this.server.tokenFor(person.sub, person.email, lastsMs).then(resolve, reject);
      };
      this.schedule.plan(tab, 'token', come, { afterMs: this.weather.latencyMs() });
    });
  }

  #isServing(): boolean {
    return this.server.isUp;
  }

  // the hub ---------------------------------------------------------------------------------------

  join(line: Line): void {
    this.#lines.add(line);
  }

  leave(line: Line): void {
    this.#lines.delete(line);
  }

  get lines(): readonly Line[] {
    return [...this.#lines];
  }

  cutLine(line: Line): void {
    this.#lines.delete(line);
    line.cut();
  }

  /** A tab is gone: nobody waits for its answers, and the server notices. */
  left(tab: Tab): void {
    this.#waiting.delete(tab);
    for (const line of [...this.#lines]) if (line.tab === tab) this.cutLine(line);
  }

  after(
    owner: Owner,
    what: string,
    run: () => void,
    planning: { afterMs?: number; lane?: string },
  ): Planned {
    return this.schedule.plan(owner, what, run, planning);
  }
}

interface Exchange {
  readonly n: number;
  readonly tab: Tab;
  readonly asked: Asked;
  readonly isRepeat: boolean;
  resolve: (response: Response) => void;
  reject: (error: Error) => void;
  isOver: boolean;
}

/** A connection to the hub, as the network sees it. */
export interface Line {
  readonly tab: Tab;
  /** Both ends notice that it is closed. */
  readonly cut: () => void;
}

const PORTAL: Answered = {
  status: 200,
  headers: { 'content-type': 'text/html' },
  body: '<h1>Log in to the Wi-Fi</h1>',
};

function responseOf({ status, headers, body }: Answered, isBroken: boolean): Response {
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name: string) => headers[name.toLowerCase()] ?? null },
    text: () => (isBroken ? Promise.reject(new TypeError('terminated')) : Promise.resolve(body)),
    json: () =>
      new Promise((resolve) => {
        resolve(JSON.parse(body));
      }),
  } as unknown as Response;
}

function verdictsIn({ status, body }: Answered): readonly WireVerdict[] | null {
  if (status !== 200) return null;
  const document: unknown = JSON.parse(body);
  return isObject(document) && Array.isArray(document.operations)
    ? (document.operations as WireVerdict[])
    : null;
}
