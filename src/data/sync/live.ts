import type { Connection } from '../model/views.ts';
import { changesChannel, hubEvents, hubMethods } from '#protocol/hub.ts';
import type { CatchUp } from './catch-up.ts';
import type { Environment, Hub, Transport } from '../model/environment.ts';
import type { Gate } from './gate.ts';
import { NoAnswer } from '../model/answer.ts';
import type { Retry } from './retry.ts';

interface Parts {
  readonly environment: Pick<Environment, 'hub' | 'accessToken' | 'report'>;
  readonly catchUp: CatchUp;
  readonly retry: Retry;
  readonly gate: Gate;
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
  #connection: Connection = 'closed';
  readonly #listeners = new Set<() => void>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get connection(): Connection {
    return this.#connection;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Null while there is no connection, or it is another tab's. */
  get transport(): Transport | null {
    return this.#hub?.transport?.() ?? null;
  }

  /** As the leading tab has it. */
  follow(connection: Connection): void {
    if (this.#isStopped) this.#note(connection);
  }

  #note(connection: Connection): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  start(): void {
    this.#isStopped = false;
    if (this.#isRunning || !this.#parts.gate.isOpen) return;
    this.#isRunning = true;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#end();
  }

  #end(): void {
    void this.#hub?.stop();
  }

  /** Connects anew: another channel, or a token of someone who signed in again. */
  restart(): void {
    this.#isMoving = true;
    this.#end();
    if (!this.#isStopped) this.start();
  }

  async #run(): Promise<void> {
    const { retry, gate, catchUp } = this.#parts;
    while (!this.#isStopped && gate.isOpen) {
      this.#isMoving = false;
      this.#note('connecting');
      try {
        await this.#hear();
      } catch (error) {
        if (!(error instanceof NoAnswer)) this.#stumbled('The hub connection failed', error);
      }
      if (this.#hasEnded()) break;
      // Whether it is the network or who asks, the catch-up finds out by an answer.
      catchUp.soon();
      if (!this.#hasMoved()) await retry.wait({ is: 'silent', garbled: false });
    }
    this.#isRunning = false;
    this.#note('closed');
  }

  #stumbled(what: string, error: unknown): void {
    if (this.#isStopped) return;
    this.#parts.environment.report(what, error);
    this.#parts.gate.hadProblem('live', error);
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
    const token = async (): Promise<string> => (await environment.accessToken()) ?? '';
    // Without one the server would say no, and count it against everybody at this address.
    if ((await answered(token())) === '') throw new NoAnswer({ is: 'silent', garbled: false });
    const hub = await answered(Promise.resolve(environment.hub(token)));
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
      await answered(hub.start());
      if (this.#hasEnded()) return;
      const channel = changesChannel(catchUp.scope);
      const subscription = await answered(hub.invoke(hubMethods.subscribe, channel));
      retry.succeeded();
      catchUp.subscribedAt(cursorIn(subscription));
      this.#parts.gate.wentWell('live');
      this.#note('connected');
      await closed;
    } finally {
      this.#hub = null;
      this.#note('connecting');
      await hub.stop();
    }
  }

  #heard(text: string): void {
    const { catchUp, gate } = this.#parts;
    try {
      catchUp.heard(text);
      gate.wentWell('live');
    } catch (error) {
      this.#stumbled('A hub message could not be taken in', error);
      catchUp.soon();
    }
  }
}

/** What the connection itself fails with is the network's; anything else is a bug of ours. */
async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new NoAnswer({ is: 'silent', garbled: false }, error);
  }
}

function cursorIn(subscription: unknown): string {
  const { cursor } = subscription as { readonly cursor?: unknown };
  return typeof cursor === 'string' ? cursor : '';
}
