import type { SignalRConnection } from '#data/model/environment.ts';
import type { TransportListener, Transport } from '#server/http/hub/transport.ts';
import { limits } from '#protocol/limits.ts';
import type { Tab } from './browser.ts';
import type { Line, Network } from './network.ts';
import type { Owner } from './schedule.ts';

const END = '\u001e';

/**
 * A SignalR client in a hundred lines, over a WebSocket that the network carries frame by frame to
 * the server's own code.
 *
 *   new ──start──> connecting ──seated──> greeting ──handshake──> open ──either side──> over
 */
export class HubLine implements SignalRConnection, Line {
  readonly tab: Tab;
  readonly #network: Network;
  readonly #accessToken: () => Promise<string>;
  readonly #handlers = new Map<string, (text: string) => void>();
  readonly #closed: ((error?: Error) => void)[] = [];
  readonly #calls = new Map<
    string,
    { resolve: (value: unknown) => void; reject: (e: Error) => void }
  >();
  readonly #lane: string;
  #state: 'new' | 'connecting' | 'greeting' | 'open' | 'over' = 'new';
  #ears: TransportListener | null = null;
  #server: Owner | null = null;
  #invocations = 0;
  #greeted: () => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;
  #silence: unknown = null;
  #pings: unknown = null;

  constructor(tab: Tab, network: Network, accessToken: () => Promise<string>) {
    this.tab = tab;
    this.#network = network;
    this.#accessToken = accessToken;
    this.#lane = `hub of ${tab.name}`;
  }

  readonly on = (method: string, handler: (text: string) => void): void => {
    this.#handlers.set(method, handler);
  };

  readonly onclose = (callback: (error?: Error) => void): void => {
    this.#closed.push(callback);
  };

  readonly start = async (): Promise<void> => {
    if (this.tab.isDead) return new Promise(() => undefined);
    this.#state = 'connecting';
    const token = await this.#accessToken();
    if (this.#isOver()) throw new Error('stopped');
    return new Promise((resolve, reject) => {
      this.#greeted = resolve;
      this.#failed = reject;
      this.#connect(token);
    });
  };

  #isOver(): boolean {
    return this.#state === 'over';
  }

  #connect(token: string): void {
    const { weather, server, owner, schedule } = this.#network;
    const fail = (why: string): void => {
      schedule.plan(this.tab, `hub ${why}`, () => {
        this.#over(new Error(why));
      });
    };
    if (!weather.isUp(this.tab.device)) {
      fail('cannot be reached');
      return;
    }
    this.#network.join(this);
    const arrive = (): void => {
      if (this.#state !== 'connecting') return;
      if (!server.isUp) {
        fail('is down');
        return;
      }
      this.#server = server.owner;
      schedule.plan(server.owner, 'is asked for a seat', () => {
        server
          .seat(token, (ears) => this.#seated(ears))
          .catch((error: unknown) => {
            fail(`refuses: ${String(error)}`);
          });
      });
    };
    schedule.plan(owner, 'carries a connection', arrive, { afterMs: weather.latencyMs() });
    // No answer at all is no connection.
    this.#silence = schedule.plan(
      this.tab,
      'hub silent',
      () => {
        this.cut();
      },
      { afterMs: limits.hubSilenceMs },
    );
  }

  /** The server's end. */
  #seated(ears: TransportListener): Transport {
    this.#ears = ears;
    if (this.#state !== 'connecting') {
      this.#tellGone();
    } else {
      this.#state = 'greeting';
      this.#toServer(JSON.stringify({ protocol: 'json', version: 1 }));
    }
    return {
      needsPings: true,
      isPostedTo: false,
      isPolled: () => false,
      send: (frames) => {
        for (const frame of frames.split(END)) if (frame !== '') this.#toClient(frame);
      },
      waiting: () => 0,
      close: () => {
        this.#tellGone();
        this.#plan(this.tab, 'hub closes', () => {
          this.#over(new Error('closed'));
        });
      },
    };
  }

  #plan(owner: Owner, what: string, run: () => void, moreMs = 0, isOrdered = true): void {
    const afterMs = this.#network.weather.latencyMs() + moreMs;
    const lane = `${this.#lane} to ${owner.name}`;
    this.#network.schedule.plan(owner, what, run, isOrdered ? { afterMs, lane } : { afterMs });
  }

  #toServer(frame: string): void {
    const server = this.#server;
    if (server === null || server.isDead) return;
    if (!this.#network.weather.isUp(this.tab.device)) return;
    this.#plan(server, 'hears a frame', () => {
      this.#ears?.received(Buffer.from(frame + END));
    });
  }

  #toClient(frame: string): void {
    const { weather, schedule, chance } = this.#network;
    if (this.#state === 'over' || !weather.isUp(this.tab.device)) return;
    const isNews = frame.startsWith('{"type":1');
    const fate = isNews ? weather.frameFate(this.tab, frame) : 'well';
    if (fate !== 'well')
      schedule.trace(`network frame ${JSON.stringify(fate)} for ${this.tab.name}`);
    if (fate === 'lost') return;
    const hear = (text: string) => (): void => {
      this.#hear(text);
    };
    if (typeof fate === 'object') this.#plan(this.tab, 'hears the hub', hear(fate.instead));
    if (fate === 'later')
      this.#plan(this.tab, 'hears the hub', hear(frame), chance.between(20, 3_000), false);
    else this.#plan(this.tab, 'hears the hub', hear(frame));
    if (fate === 'repeated')
      this.#plan(this.tab, 'hears the hub', hear(frame), chance.between(0, 2_000), false);
  }

  #hear(text: string): void {
    if (this.#state === 'over') return;
    this.#network.schedule.trace(`${this.tab.name} hub ${text}`);
    this.#awaitSound();
    const message = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (this.#state === 'greeting') {
      if (message.error !== undefined) this.#over(new Error(textOf(message.error)));
      else this.#open();
      return;
    }
    switch (message.type) {
      case 1:
        this.#handlers.get(String(message.target))?.((message.arguments as [string])[0]);
        return;
      case 3:
        this.#complete(message);
        return;
      case 7:
        this.#over(new Error(textOf(message.error ?? 'closed')));
        return;
    }
  }

  #open(): void {
    this.#state = 'open';
    this.#pingLater();
    this.#greeted();
  }

  #complete({ invocationId, result, error }: Partial<Record<string, unknown>>): void {
    const call = this.#calls.get(String(invocationId));
    this.#calls.delete(String(invocationId));
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(textOf(error)));
  }

  readonly invoke = (target: string, ...values: unknown[]): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (this.#state !== 'open') {
        reject(new Error('The hub is not connected'));
        return;
      }
      this.#invocations += 1;
      const invocationId = String(this.#invocations);
      this.#calls.set(invocationId, { resolve, reject });
      this.#toServer(JSON.stringify({ type: 1, invocationId, target, arguments: values }));
    });

  readonly stop = (): Promise<void> => {
    if (this.#state !== 'over') {
      this.#tellGone();
      this.#over(undefined);
    }
    return Promise.resolve();
  };

  /** The network has it no more. */
  readonly cut = (): void => {
    this.#tellGone();
    const { schedule } = this.#network;
    if (!this.tab.isDead)
      schedule.plan(this.tab, 'hub cut', () => {
        this.#over(new Error('The connection broke'));
      });
  };

  #tellGone(): void {
    const ears = this.#ears;
    const server = this.#server;
    this.#ears = null;
    if (ears === null || server === null || server.isDead) return;
    this.#network.schedule.plan(server, 'a client is gone', () => {
      ears.closed();
    });
  }

  #over(error: Error | undefined): void {
    if (this.#state === 'over') return;
    const wasOpen = this.#state === 'open';
    this.#state = 'over';
    this.#network.leave(this);
    this.#tellGone();
    this.#stopTimers();
    for (const { reject } of this.#calls.values()) reject(error ?? new Error('stopped'));
    this.#calls.clear();
    if (wasOpen) for (const callback of this.#closed) callback(error);
    else this.#failed(error ?? new Error('stopped'));
  }

  #stopTimers(): void {
    const { schedule } = this.#network;
    if (this.#silence !== null) schedule.cancel(this.#silence as never);
    if (this.#pings !== null) schedule.cancel(this.#pings as never);
  }

  #awaitSound(): void {
    const { schedule } = this.#network;
    if (this.#silence !== null) schedule.cancel(this.#silence as never);
    this.#silence = schedule.plan(
      this.tab,
      'hub silent',
      () => {
        this.cut();
      },
      { afterMs: limits.hubSilenceMs },
    );
  }

  #pingLater(): void {
    this.#pings = this.#network.schedule.plan(
      this.tab,
      'hub ping',
      () => {
        this.#toServer(JSON.stringify({ type: 6 }));
        this.#pingLater();
      },
      { afterMs: limits.hubPingEveryMs },
    );
  }
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);
