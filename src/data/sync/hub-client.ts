import type { HubStatus } from '../model/views.ts';
import { changesChannel, hubEvents, hubMethods } from '#protocol/hub.ts';
import type { FeedReader } from './feed-reader.ts';
import type { Environment, SignalRConnection, HubTransport } from '../model/environment.ts';
import type { SyncControl } from './sync-control.ts';
import { NoResponseError, silence } from '../model/answer.ts';
import type { Retry } from './retry.ts';

interface HubClientDependencies {
  readonly environment: Pick<Environment, 'hub' | 'accessToken' | 'report'>;
  readonly feedReader: FeedReader;
  readonly retry: Retry;
  readonly syncControl: SyncControl;
}

/**
 * Receives what others changed. It holds nothing; every message goes to the feed reader, which knows
 * the cursor.
 *
 *   connecting ──> subscribing ──> listening ──closed──> waiting ──time, or the sender's success─┐
 *       ^              └───────────────── failed ──────────^                                     │
 *       └────────────────────────────────────────────────────────────────────────────────────┘
 */
export class HubClient {
  readonly #dependencies: HubClientDependencies;
  #hub: SignalRConnection | null = null;
  #isRunning = false;
  #isStopped = true;
  #isReconnecting = false;
  #connection: HubStatus = 'closed';
  readonly #listeners = new Set<() => void>();

  constructor(dependencies: HubClientDependencies) {
    this.#dependencies = dependencies;
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

  /** Takes over the status of the leader. */
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
    if (this.#isRunning || !this.#dependencies.syncControl.isRunning) return;
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

  /** Connects again: for another channel, or with the token of someone who signed in again. */
  restart(): void {
    this.#isReconnecting = true;
    this.#disconnect();
    if (!this.#isStopped) this.start();
  }

  async #run(): Promise<void> {
    const { retry, syncControl, feedReader } = this.#dependencies;
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
      // The feed reader finds out by an answer whether the network or the person's session is the
      // cause.
      feedReader.requestSync();
      if (!this.#mustReconnect()) await retry.wait(silence().failure);
    }
    this.#isRunning = false;
    this.#setStatus('closed');
  }

  #reportFailure(what: string, error: unknown): void {
    if (this.#isStopped) return;
    this.#dependencies.environment.report(what, error);
    this.#dependencies.syncControl.reportProblem('live', error);
  }

  #mustReconnect(): boolean {
    return this.#isReconnecting;
  }

  #hasEnded(): boolean {
    return this.#isStopped || !this.#dependencies.syncControl.isRunning;
  }

  /** Resolves when the connection ends; rejects when there was none. */
  async #listen(): Promise<void> {
    const { environment, feedReader, retry } = this.#dependencies;
    const token = async (): Promise<string> => (await environment.accessToken()) ?? '';
    // Without a token the server would refuse, and count it against everybody at this address.
    if ((await networkCall(token())) === '') throw silence();
    const hub = await networkCall(Promise.resolve(environment.hub(token)));
    this.#hub = hub;
    try {
      const closed = new Promise<void>((resolve) => {
        hub.onclose(() => {
          resolve();
        });
      });
      let isSubscribed = false;
      hub.on(hubEvents.updated, (text) => {
        // Only the answer to the subscription tells whether the cursor counts in this database.
        if (isSubscribed) this.#receiveMessage(text);
        else feedReader.requestSync();
      });
      await networkCall(hub.start());
      if (this.#hasEnded()) return;
      const channel = changesChannel(feedReader.scope);
      const subscription = await networkCall(hub.invoke(hubMethods.subscribe, channel));
      // That the hub answers says that it is worth asking, not that requests are answered again.
      retry.wake();
      feedReader.onSubscribed(cursorIn(subscription));
      isSubscribed = true;
      this.#dependencies.syncControl.clearProblem('live');
      this.#setStatus('connected');
      await closed;
    } finally {
      this.#hub = null;
      this.#setStatus('connecting');
      await hub.stop();
    }
  }

  #receiveMessage(text: string): void {
    const { feedReader, syncControl } = this.#dependencies;
    try {
      feedReader.receiveMessage(text);
      syncControl.clearProblem('live');
    } catch (error) {
      this.#reportFailure('A hub message could not be taken in', error);
      feedReader.requestSync();
    }
  }
}

/** A failure of the connection itself is the network's; anything else is a bug of ours. */
async function networkCall<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw silence(error);
  }
}

function cursorIn(subscription: unknown): string {
  const { cursor } = subscription as { readonly cursor?: unknown };
  return typeof cursor === 'string' ? cursor : '';
}
