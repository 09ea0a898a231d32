import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { changesChannel, HUB_PATH, hubEvents, hubMethods } from '#protocol/hub.ts';
import type { CatchUp } from './catch-up.ts';
import type { Environment, Hub } from './environment.ts';
import type { Gate } from './gate.ts';
import type { Retry } from './retry.ts';

interface Parts {
  readonly environment: Pick<Environment, 'hub' | 'accessToken' | 'report'>;
  readonly catchUp: CatchUp;
  readonly retry: Retry;
  readonly gate: Gate;
}

/** A browser's connection to the hub at `origin`: WebSockets, else events, else long polling. */
export function signalrHub(origin: string, accessToken: () => Promise<string>): Hub {
  return new HubConnectionBuilder()
    .withUrl(`${origin}${HUB_PATH}`, {
      accessTokenFactory: accessToken,
      transport:
        HttpTransportType.WebSockets |
        HttpTransportType.ServerSentEvents |
        HttpTransportType.LongPolling,
    })
    .configureLogging(LogLevel.None)
    .build();
}

/**
 * Hears what others changed. Holds nothing; every message goes to the catch-up, which knows the
 * cursor.
 *
 *   connecting ──> subscribing ──> hearing ──closed──> waiting ──time, or the sender's success──┐
 *       ^              └───────────────── failed ────────^                                      │
 *       └────────────────────────────────────────────────────────────────────────────────────┘
 */
export class Live {
  readonly #parts: Parts;
  #hub: Hub | null = null;
  #isRunning = false;
  #isStopped = true;
  #isMoving = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#isStopped = false;
    if (this.#isRunning || !this.#parts.gate.isOpen) return;
    this.#isRunning = true;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    void this.#hub?.stop();
  }

  /** Connects anew: another channel, or a token of someone who signed in again. */
  restart(): void {
    this.#isMoving = true;
    void this.#hub?.stop();
    if (!this.#isStopped) this.start();
  }

  async #run(): Promise<void> {
    const { retry, gate, catchUp } = this.#parts;
    while (!this.#isStopped && gate.isOpen) {
      this.#isMoving = false;
      try {
        await this.#hear();
      } catch {
        // Whether it is the network or who asks, the catch-up finds out by an answer.
      }
      if (this.#hasEnded()) break;
      catchUp.soon();
      if (this.#hasMoved()) continue;
      const failure = { is: 'silent', garbled: false } as const;
      retry.failed(failure);
      await retry.wait(failure);
    }
    this.#isRunning = false;
  }

  #hasMoved(): boolean {
    return this.#isMoving;
  }

  #hasEnded(): boolean {
    return this.#isStopped || !this.#parts.gate.isOpen;
  }

  /** Resolves when the connection ends; rejects when there was none. */
  async #hear(): Promise<void> {
    const { environment, catchUp, retry } = this.#parts;
    const hub = await environment.hub(async () => (await environment.accessToken()) ?? '');
    this.#hub = hub;
    try {
      const closed = new Promise<void>((resolve) => {
        hub.onclose(() => {
          resolve();
        });
      });
      hub.on(hubEvents.updated, (text) => {
        this.#heard(text);
      });
      await hub.start();
      if (this.#hasEnded()) return;
      const subscription = await hub.invoke(hubMethods.subscribe, changesChannel(catchUp.scope));
      retry.succeeded();
      catchUp.subscribedAt(cursorIn(subscription));
      await closed;
    } finally {
      this.#hub = null;
      await hub.stop();
    }
  }

  #heard(text: string): void {
    const { catchUp, environment, gate } = this.#parts;
    try {
      catchUp.heard(text);
    } catch (error) {
      environment.report('A hub message could not be taken in', error);
      gate.hadProblem(error);
      catchUp.soon();
    }
  }
}

function cursorIn(subscription: unknown): string {
  const { cursor } = subscription as { readonly cursor?: unknown };
  return typeof cursor === 'string' ? cursor : '';
}
