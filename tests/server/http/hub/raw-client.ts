import { WebSocket } from 'ws';
import { HUB_PATH } from '#protocol/hub.ts';

/** Talks to the hub at `url` without a SignalR client, so that a test can say what no client says. */

export const END = '\u001e';
export const HELLO = `{"protocol":"json","version":1}${END}`;
export const PING = `{"type":6}${END}`;

export interface RawSocket {
  send(frames: string | Uint8Array): void;
  /** The next frame that was not taken yet. @throws Error when the socket closes before it comes */
  next(): Promise<unknown>;
  /** Every frame up to the end of the socket that was not taken yet. */
  rest(): Promise<readonly unknown[]>;
  readonly closed: Promise<void>;
  close(): void;
  /** Ends the connection without a word. */
  terminate(): void;
}

export class RawClient {
  readonly #url: string;
  readonly #token: string | null;

  constructor(url: string, token: string | null) {
    this.#url = `${url}${HUB_PATH}`;
    this.#token = token;
  }

  ask(
    method: string,
    path: string,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    return fetch(`${this.#url}${path}`, {
      method,
      signal,
      headers: { ...this.#authorization(), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  }

  /** The token of a connection that was negotiated and not opened. */
  async negotiate(): Promise<string> {
    const answer = await this.ask('POST', '/negotiate?negotiateVersion=1');
    return ((await answer.json()) as { readonly connectionToken: string }).connectionToken;
  }

  /** The token of a long polling connection whose handshake is done. */
  async poller(): Promise<string> {
    const token = await this.negotiate();
    await this.ask('GET', `?id=${token}`);
    await this.ask('POST', `?id=${token}`, HELLO);
    await this.ask('GET', `?id=${token}`);
    return token;
  }

  /** An open WebSocket. @throws Error with the status when it is refused */
  async socket(query = ''): Promise<RawSocket> {
    const ws = new WebSocket(`${this.#url.replace('http', 'ws')}${query}`, {
      headers: this.#authorization(),
    });
    const frames: string[] = [];
    let isClosed = false;
    let wake: () => void = () => undefined;
    ws.on('message', (data: Buffer) => {
      frames.push(...data.toString().split(END).slice(0, -1));
      wake();
    });
    const closed = new Promise<void>((done) => {
      ws.once('close', () => {
        isClosed = true;
        wake();
        done();
      });
    });
    await new Promise((done, fail) => {
      ws.once('open', done);
      ws.once('error', fail);
    });
    return {
      send: (text) => {
        ws.send(text);
      },
      next: async () => {
        while (frames.length === 0) {
          if (isClosed) throw new Error('The socket closed');
          await new Promise<void>((done) => (wake = done));
        }
        return JSON.parse(frames.shift() ?? '') as unknown;
      },
      rest: async () => {
        await closed;
        return frames.splice(0).map((frame) => JSON.parse(frame) as unknown);
      },
      closed,
      close: () => {
        ws.close();
      },
      terminate: () => {
        ws.terminate();
      },
    };
  }

  /** An open WebSocket whose handshake is done. */
  async greeted(query = ''): Promise<RawSocket> {
    const socket = await this.socket(query);
    socket.send(HELLO);
    await socket.next();
    return socket;
  }

  #authorization(): Record<string, string> {
    return this.#token === null ? {} : { Authorization: `Bearer ${this.#token}` };
  }
}

/** An invocation as a frame; without `invocationId` the client wants no answer. */
export function invocation(
  target: string,
  values: readonly unknown[],
  invocationId?: unknown,
): string {
  return JSON.stringify({ type: 1, invocationId, target, arguments: values }) + END;
}
