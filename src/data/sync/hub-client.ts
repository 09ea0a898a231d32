import type { HubStatus } from '../model/views.ts';
import { changesChannel, hubEvents, hubMethods } from '#protocol/hub.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Environment, SignalRConnection, HubTransport } from '../model/environment.ts';
import type { SyncControl } from './sync-control.ts';
import { NoResponseError } from '../model/answer.ts';
import type { Retry } from './retry.ts';

interface HubClientDependencies {
  readonly environment: Pick<Environment, 'hub' | 'accessToken' | 'report'>;
  readonly feedReader: FeedReader;
  readonly retry: Retry;
  readonly syncControl: SyncControl;
}

/**
 * Hears what others changed. Holds nothing; every message goes to the catch-up, which knows the
 * cursor.
 *
 *   connecting ──> subscribing ──> hearing ──closed──> waiting ──time, or the sender's success──┐
 *       ^              └───────────────── failed ────────^                                      │
 *       └────────────────────────────────────────────────────────────────────────────────────┘
 */
export class HubClient {
  readonly #parts: HubClientDependencies;
  #hub: SignalRConnection | null = null;
  #isRunning = false;
  #isStopped = true;
  #isReconnecting = false;
  #connection: HubStatus = 'closed';
  readonly #listeners = new Set<() => void>();

  constructor(parts: HubClientDependencies) {
    this.#parts = parts;
  }

  get connection(): HubStatus {
    return this.#connection;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Null while there is no connection, or it is another tab's. */
  get transport(): HubTransport | null {
    return this.#hub?.transport?.() ?? null;
  }

  /** As the leading tab has it. */
  mirrorLeader(connection: HubStatus): void {
    if (this.#isStopped) this.#setStatus(connection);
  }

  #setStatus(connection: HubStatus): void {
    if (connection === this.#connection) return;
    this.#connection = connection;
    for (const listener of this.#listeners) listener();
  }

  start(): void {
    this.#isStopped = false;
    if (this.#isRunning || !this.#parts.syncControl.isRunning) return;
    this.#isRunning = true;
    void this.#run();
  }

  stop(): void {
    this.#isStopped = true;
    this.#disconnect();
  }

  #disconnect(): void {
    void this.#hub?.stop();
  }

  /** Connects anew: another channel, or a token of someone who signed in again. */
  restart(): void {
    this.#isReconnecting = true;
    this.#disconnect();
    if (!this.#isStopped) this.start();
  }

  async #run(): Promise<void> {
    const { retry, syncControl, feedReader } = this.#parts;
    while (!this.#isStopped && syncControl.isRunning) {
      this.#isReconnecting = false;
      this.#setStatus('connecting');
      try {
        await this.#listen();
      } catch (error) {
        if (!(error instanceof NoResponseError))
          this.#reportFailure('The hub connection failed', error);
      }
      // fault 32
      if (this.#hasEnded()) break;
      // Whether it is the network or who asks, the catch-up finds out by an answer.
      feedReader.requestSync();
      if (!this.#mustReconnect()) await retry.wait({ is: 'silent', garbled: false });
    }
    this.#isRunning = false;
    this.#setStatus('closed');
  }

  #reportFailure(what: string, error: unknown): void {
    if (this.#isStopped) return;
    this.#parts.environment.report(what, error);
    this.#parts.syncControl.reportProblem('live', error);
  }

  #mustReconnect(): boolean {
    return this.#isReconnecting;
  }

  #hasEnded(): boolean {
    return this.#isStopped || !this.#parts.syncControl.isRunning;
  }

  /** Resolves when the connection ends; rejects when there was none. */
  async #listen(): Promise<void> {
    const { environment, feedReader: catchUp, retry } = this.#parts;
    const token = async (): Promise<string> => (await environment.accessToken()) ?? '';
    // Without one the server would say no, and count it against everybody at this address.
    if ((await networkCall(token())) === '')
      throw new NoResponseError({ is: 'silent', garbled: false });
    const hub = await networkCall(Promise.resolve(environment.hub(token)));
    this.#hub = hub;
    try {
      const closed = new Promise<void>((resolve) => {
        hub.onclose(() => {
          resolve();
        });
      });
      hub.on(hubEvents.updated, (text) => {
        this.#receiveMessage(text);
      });
      await networkCall(hub.start());
      if (this.#hasEnded()) return;
      const channel = changesChannel(catchUp.scope);
      const subscription = await networkCall(hub.invoke(hubMethods.subscribe, channel));
      retry.succeeded();
      catchUp.onSubscribed(cursorIn(subscription));
      this.#parts.syncControl.clearProblem('live');
      this.#setStatus('connected');
      await closed;
    } finally {
      this.#hub = null;
      this.#setStatus('connecting');
      await hub.stop();
    }
  }

  #receiveMessage(text: string): void {
    const { feedReader: catchUp, syncControl: gate } = this.#parts;
    try {
      catchUp.receiveMessage(text);
      gate.clearProblem('live');
    } catch (error) {
      this.#reportFailure('A hub message could not be taken in', error);
      catchUp.requestSync();
    }
  }
}

/** What the connection itself fails with is the network's; anything else is a bug of ours. */
async function networkCall<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    throw new NoResponseError({ is: 'silent', garbled: false }, error);
  }
}

function cursorIn(subscription: unknown): string {
  const { cursor } = subscription as { readonly cursor?: unknown };
  return typeof cursor === 'string' ? cursor : '';
}
