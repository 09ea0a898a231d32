import { createData } from '#data/data.ts';
import type { Data } from '../../src/data/model/data.ts';
import type {
  BroadcastChannelLike,
  Environment,
  SignalRConnection,
  Locks,
} from '#data/model/environment.ts';
import type { Device } from './device.ts';

/** One tab of a device, which can be frozen, killed, and cut off from other tabs. */
export class Tab {
  readonly data: Data;
  /** So many messages of other tabs are lost. */
  deafTo = 0;
  #state: 'runs' | 'frozen' | 'dead' = 'runs';
  #later: (() => void)[] = [];
  #die: () => void = () => undefined;
  readonly #death = new Promise<void>((resolve) => (this.#die = resolve));
  readonly #channels: BroadcastChannelLike[] = [];

  constructor(device: Device, account: string, changes: Partial<Environment> = {}) {
    const outside = { ...device.environment(), ...changes };
    this.data = createData({ ...outside, ...this.#environmentOf(outside) }, account);
  }

  #environmentOf(outside: Environment): Partial<Environment> {
    const { locks, channel } = outside;
    return {
      timers: {
        set: (run, afterMs) =>
          outside.timers.set(() => {
            this.#enter(run);
          }, afterMs),
        clear: outside.timers.clear,
      },
      fetch: (address, request) => this.#entering(outside.fetch(address, request)),
      hub: async (token) => this.#hub(await outside.hub(token)),
      locks: locks === null ? null : this.#locks(locks),
      channel: channel === null ? null : (name) => this.#channel(channel(name)),
    };
  }

  #enter(run: () => void): void {
    if (this.#state === 'runs') run();
    else if (this.#state === 'frozen') this.#later.push(run);
  }

  #entering<T>(promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => {
          this.#enter(() => {
            resolve(value);
          });
        },
        (error: unknown) => {
          const reason = error instanceof Error ? error : new Error(String(error));
          this.#enter(() => {
            reject(reason);
          });
        },
      );
    });
  }

  #locks({ request }: Locks): Locks {
    return {
      request: (name, options, whileHeld) =>
        this.#entering(
          request(name, options, () => {
            const held = new Promise<void>((resolve) => {
              this.#enter(() => {
                void whileHeld().then(resolve);
              });
            });
            return Promise.race([held, this.#death]);
          }),
        ),
    };
  }

  #channel(outer: BroadcastChannelLike): BroadcastChannelLike {
    this.#channels.push(outer);
    const inner: BroadcastChannelLike = {
      onmessage: null,
      postMessage: (message) => {
        if (this.#state === 'runs') outer.postMessage(message);
      },
      close: () => {
        outer.close();
      },
    };
    outer.onmessage = (event) => {
      if (this.deafTo > 0) this.deafTo -= 1;
      else
        this.#enter(() => {
          inner.onmessage?.(event);
        });
    };
    return inner;
  }

  #hub(hub: SignalRConnection): SignalRConnection {
    return {
      ...hub,
      on: (method, handler) => {
        hub.on(method, (text) => {
          this.#enter(() => {
            handler(text);
          });
        });
      },
    };
  }

  freeze(): void {
    this.#state = 'frozen';
  }

  /** It runs again, and first receives what came meanwhile. */
  thaw(): void {
    this.#state = 'runs';
    for (const run of this.#later.splice(0)) this.#enter(run);
  }

  /** It is gone at once, with everything that it held. */
  kill(): void {
    this.#state = 'dead';
    for (const channel of this.#channels) channel.close();
    this.#die();
  }
}
