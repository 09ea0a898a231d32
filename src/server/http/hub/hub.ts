import { newId } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Services } from '../../domain/services.ts';
import { Broadcast } from './broadcast.ts';
import type { ConnectionDirectory, ConnectionLocation } from './directory.ts';
import { LongPolling } from './long-polling.ts';
import { HubSession } from './hub-session.ts';
import type { ConnectingClient } from './hub-session.ts';
import type { Timers } from '#base/timers.ts';
import type { TransportListener, Transport } from './transport.ts';

export type TransportName = 'WebSockets' | 'ServerSentEvents' | 'LongPolling';

/** A connection of this process. */
export interface OpenConnection {
  /** The secret by which requests name the connection. */
  readonly token: string;
  readonly user: string;
  readonly transport: TransportName;
  /** It is null until the transport is there. */
  session: HubSession | null;
  /** The transport, if it is long polling. */
  polling: LongPolling | null;
}

/**
 * The connection that a token names: one that was opened now, one of this process, or what is known
 * of it.
 */
export type ConnectionLookup =
  | { readonly is: 'opened'; readonly connection: OpenConnection }
  | { readonly is: 'seated'; readonly connection: OpenConnection }
  | ConnectionLocation;

/**
 * At most this many characters of invocations of one person, over all their connections, may wait.
 */
const MOST_INVOKED_OF_PERSON = 32 * 1_048_576;
const STOPPING_MS = 1_500;
/** A server that stops waits this long for what its clients have requested. */
const FINISHING_MS = 5_000;

/** Listens to a transport that is closed as soon as it is there. */
const NOBODY: TransportListener = {
  received: () => undefined,
  drained: () => undefined,
  alive: () => undefined,
  closed: () => undefined,
};

/** Every connection of this process. */
export class Hub {
  private readonly services: Services;
  private readonly timers: Timers;
  private readonly directory: ConnectionDirectory;
  private readonly broadcast: Broadcast;
  private readonly connections = new Map<string, OpenConnection>();
  /** Connections that are over, to which requests may still be on their way, by token. */
  private readonly closedConnections = new Map<string, OpenConnection>();
  /** Connections that are being opened, by token. */
  private readonly opening = new Map<string, Promise<ConnectionLookup>>();
  /** The characters of invocations that wait, by user. */
  private readonly invoked = new Map<string, number>();
  /** The number of connections with accepted work that is not done. */
  private unfinished = 0;
  private emptied: () => void = () => undefined;
  private isStopping = false;

  constructor(services: Services, timers: Timers, directory: ConnectionDirectory) {
    this.services = services;
    this.timers = timers;
    this.directory = directory;
    this.broadcast = new Broadcast(services, timers);
  }

  /** Reserves a connection for a while and returns its token. @throws ProblemError 429 */
  async reserve({ caller }: ConnectingClient): Promise<string> {
    this.checkStopping();
    const token = this.secret();
    await this.directory.reserve(token, caller.user.id);
    return token;
  }

  /** Opens a connection that nobody negotiated. @throws ProblemError 429 */
  async openNew({ caller }: ConnectingClient, transport: TransportName): Promise<OpenConnection> {
    this.checkStopping();
    const token = this.secret();
    const user = caller.user.id;
    await this.directory.openNew(token, user);
    return this.add({ token, user, transport, session: null, polling: null });
  }

  /**
   * Opens the connection that `token` names, unless it is open. A second caller finds the
   * connection of the first.
   */
  async open(
    token: string,
    client: ConnectingClient,
    transport: TransportName,
  ): Promise<ConnectionLookup> {
    for (;;) {
      const connection = this.connectionOf(token, client);
      if (connection !== null) return { is: 'seated', connection };
      const other = this.opening.get(token);
      if (other === undefined) break;
      await other.catch(() => undefined);
    }
    this.checkStopping();
    const opening = this.openReserved(token, client.caller.user.id, transport);
    this.opening.set(token, opening);
    try {
      return await opening;
    } finally {
      this.opening.delete(token);
    }
  }

  /** Returns the location of the connection; nothing is opened. */
  async find(token: string, client: ConnectingClient): Promise<ConnectionLookup> {
    const connection = this.connectionOf(token, client);
    if (connection !== null) return { is: 'seated', connection };
    return this.directory.locationOf(token, client.caller.user.id);
  }

  /** Returns the connection of this process that `token` names, if it is the same user's. */
  connectionOf(token: string, { caller }: ConnectingClient): OpenConnection | null {
    const connection = this.connections.get(token);
    return connection?.user === caller.user.id ? connection : null;
  }

  /**
   * Does the same for a connection whose client has left, and whose earlier posts may still arrive.
   */
  closedConnectionOf(token: string, { caller }: ConnectingClient): OpenConnection | null {
    const connection = this.closedConnections.get(token);
    return connection?.user === caller.user.id ? connection : null;
  }

  /**
   * Starts the session over the transport that `connect` makes; closes it when the connection was
   * given up meanwhile.
   */
  attach(
    connection: OpenConnection,
    client: ConnectingClient,
    connect: (listener: TransportListener) => Transport,
  ): void {
    if (!this.connections.has(connection.token)) {
      connect(NOBODY).close();
      return;
    }
    const hubContext = { services: this.services, timers: this.timers, broadcast: this.broadcast };
    connection.session = new HubSession(hubContext, client, connect, {
      ended: () => {
        this.remove(connection);
        this.closedConnections.set(connection.token, connection);
        if (this.isStopping) connection.session?.connection.refuseLatePosts();
        else void this.directory.markLeft(connection.token);
      },
      admits: (size) => {
        const sum = (this.invoked.get(connection.user) ?? 0) + size;
        if (sum > MOST_INVOKED_OF_PERSON) return false;
        this.invoked.set(connection.user, sum);
        return true;
      },
      completed: (size) => {
        const sum = (this.invoked.get(connection.user) ?? 0) - size;
        if (sum > 0) this.invoked.set(connection.user, sum);
        else this.invoked.delete(connection.user);
      },
      finished: () => {
        this.finish(connection);
      },
    });
  }

  /** Starts the session over long polling. */
  attachLongPolling(connection: OpenConnection, client: ConnectingClient): void {
    const { timers } = this;
    this.attach(
      connection,
      client,
      (listener) => (connection.polling = new LongPolling(listener, timers)),
    );
  }

  /** The client will not open the reserved connection. */
  async cancelReservation(token: string): Promise<void> {
    await this.directory.cancelReservation(token);
  }

  /**
   * Tells every client that the server stops; resolves when all are gone and what they requested is
   * done, or when that takes too long.
   */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.broadcast.stop();
    const gone = new Promise<void>((done) => {
      this.emptied = () => {
        if (this.unfinished === 0) done();
      };
      this.timers.after(FINISHING_MS, done);
    });
    this.timers.after(STOPPING_MS, () => {
      for (const connection of [...this.connections.values()]) connection.polling?.end();
    });
    for (const connection of [...this.connections.values()]) {
      connection.session?.connection.close(null, true);
      if (connection.session === null) this.abandon(connection);
    }
    for (const connection of this.closedConnections.values())
      connection.session?.connection.refuseLatePosts();
    if (this.unfinished > 0) await gone;
    await this.directory.stop();
  }

  private async openReserved(
    token: string,
    user: string,
    transport: TransportName,
  ): Promise<ConnectionLookup> {
    const answer = await this.directory.open(token, user);
    if (answer !== 'opened') return answer;
    const connection = this.add({ token, user, transport, session: null, polling: null });
    return { is: 'opened', connection };
  }

  /** @throws ProblemError 503 when the server has begun to stop while the connection was opened */
  private add(connection: OpenConnection): OpenConnection {
    if (this.isStopping) {
      void this.directory.release(connection.token);
      this.checkStopping();
    }
    this.connections.set(connection.token, connection);
    this.unfinished += 1;
    // A request may break off before its transport is there.
    this.timers.after(limits.hubSilenceMs, () => {
      if (connection.session === null) this.abandon(connection);
    });
    return connection;
  }

  private abandon(connection: OpenConnection): void {
    if (!this.connections.has(connection.token)) return;
    this.remove(connection);
    this.finish(connection);
  }

  private remove(connection: OpenConnection): void {
    this.connections.delete(connection.token);
  }

  private finish(connection: OpenConnection): void {
    this.unfinished -= 1;
    this.closedConnections.delete(connection.token);
    void this.directory.release(connection.token);
    this.emptied();
  }

  private checkStopping(): void {
    if (this.isStopping) throw new ProblemError({ code: 'unavailable' }, { 'Retry-After': '1' });
  }

  private secret(): string {
    return Buffer.from(this.services.random(new Uint8Array(24))).toString('base64url');
  }
}

/** Returns the id that the client gets for its connection; it is not the token. */
export function connectionIdOf({ clock, random }: Services): string {
  return newId(clock, random);
}
