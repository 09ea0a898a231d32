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
  /** Null until the transport is there. */
  session: HubSession | null;
  /** The transport, where it is long polling. */
  polling: LongPolling | null;
}

/** What a token names: a connection that was opened now, one of this process, or what is known of it. */
export type ConnectionLookup =
  | { readonly is: 'opened'; readonly connection: OpenConnection }
  | { readonly is: 'seated'; readonly connection: OpenConnection }
  | ConnectionLocation;

/** Characters of invocations of one person, over all their connections, that wait to be carried out. */
const MOST_INVOKED_OF_PERSON = 32 * 1_048_576;
const STOPPING_MS = 1_500;
/** How long a server that stops waits for what its clients have asked for. */
const FINISHING_MS = 5_000;

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
  /** Characters of invocations that wait to be carried out, by user. */
  private readonly invoked = new Map<string, number>();
  /** How many have not carried out everything that they accepted. */
  private unfinished = 0;
  private emptied: () => void = () => undefined;
  private isStopping = false;

  constructor(parts: Services, timers: Timers, directory: ConnectionDirectory) {
    this.services = parts;
    this.timers = timers;
    this.directory = directory;
    this.broadcast = new Broadcast(parts, timers);
  }

  /** The token of a place that is kept for a while. @throws ProblemError 429 */
  async reserve({ caller }: ConnectingClient): Promise<string> {
    this.checkStopping();
    const token = this.secret();
    await this.directory.reserve(token, caller.user.id);
    return token;
  }

  /** A connection that nobody negotiated. @throws ProblemError 429 */
  async openNew({ caller }: ConnectingClient, transport: TransportName): Promise<OpenConnection> {
    this.checkStopping();
    const token = this.secret();
    const user = caller.user.id;
    await this.directory.openNew(token, user);
    return this.add({ token, user, transport, session: null, polling: null });
  }

  /** Opens the connection that `token` names, unless it is open. Whoever is second finds the first. */
  async open(
    token: string,
    comer: ConnectingClient,
    transport: TransportName,
  ): Promise<ConnectionLookup> {
    for (;;) {
      const seat = this.connectionOf(token, comer);
      if (seat !== null) return { is: 'seated', connection: seat };
      const other = this.opening.get(token);
      if (other === undefined) break;
      await other.catch(() => undefined);
    }
    this.checkStopping();
    const opening = this.openReserved(token, comer.caller.user.id, transport);
    this.opening.set(token, opening);
    try {
      return await opening;
    } finally {
      this.opening.delete(token);
    }
  }

  /** Where the connection is; nothing is opened. */
  async find(token: string, comer: ConnectingClient): Promise<ConnectionLookup> {
    const seat = this.connectionOf(token, comer);
    if (seat !== null) return { is: 'seated', connection: seat };
    return this.directory.locationOf(token, comer.caller.user.id);
  }

  /** The connection of this process that `token` names, of the same user. */
  connectionOf(token: string, { caller }: ConnectingClient): OpenConnection | null {
    const seat = this.connections.get(token);
    return seat?.user === caller.user.id ? seat : null;
  }

  /** The same, where the client has left, and what it posted before may still arrive. */
  closedConnectionOf(token: string, { caller }: ConnectingClient): OpenConnection | null {
    const seat = this.closedConnections.get(token);
    return seat?.user === caller.user.id ? seat : null;
  }

  /** Begins the session over the transport that `connect` makes. */
  attach(
    seat: OpenConnection,
    comer: ConnectingClient,
    connect: (ears: TransportListener) => Transport,
  ): void {
    const around = { services: this.services, timers: this.timers, broadcast: this.broadcast };
    seat.session = new HubSession(around, comer, connect, {
      ended: () => {
        this.remove(seat);
        this.closedConnections.set(seat.token, seat);
        if (this.isStopping) seat.session?.connection.refuseLatePosts();
        else void this.directory.markLeft(seat.token);
      },
      admits: (size) => {
        const sum = (this.invoked.get(seat.user) ?? 0) + size;
        if (sum > MOST_INVOKED_OF_PERSON) return false;
        this.invoked.set(seat.user, sum);
        return true;
      },
      carriedOut: (size) => {
        const sum = (this.invoked.get(seat.user) ?? 0) - size;
        if (sum > 0) this.invoked.set(seat.user, sum);
        else this.invoked.delete(seat.user);
      },
      finished: () => {
        this.finish(seat);
      },
    });
  }

  /** The same for long polling. */
  attachLongPolling(seat: OpenConnection, comer: ConnectingClient): void {
    const { timers } = this;
    this.attach(seat, comer, (ears) => (seat.polling = new LongPolling(ears, timers)));
  }

  /** The client will not open what was kept for it. */
  async cancelReservation(token: string): Promise<void> {
    await this.directory.cancelReservation(token);
  }

  /**
   * Tells every client that the server stops; resolves when all are gone and what they asked for is
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
      for (const seat of [...this.connections.values()]) seat.polling?.end();
    });
    for (const seat of [...this.connections.values()]) {
      seat.session?.connection.close(null, true);
      if (seat.session === null) this.abandon(seat);
    }
    for (const seat of this.closedConnections.values()) seat.session?.connection.refuseLatePosts();
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
    const seat = this.add({ token, user, transport, session: null, polling: null });
    return { is: 'opened', connection: seat };
  }

  private add(seat: OpenConnection): OpenConnection {
    this.connections.set(seat.token, seat);
    this.unfinished += 1;
    // A request may break off before its transport is there.
    this.timers.after(limits.hubSilenceMs, () => {
      if (seat.session === null) this.abandon(seat);
    });
    return seat;
  }

  private abandon(seat: OpenConnection): void {
    if (!this.connections.has(seat.token)) return;
    this.remove(seat);
    this.finish(seat);
  }

  private remove(seat: OpenConnection): void {
    this.connections.delete(seat.token);
  }

  private finish(seat: OpenConnection): void {
    this.unfinished -= 1;
    this.closedConnections.delete(seat.token);
    void this.directory.release(seat.token);
    this.emptied();
  }

  private checkStopping(): void {
    if (this.isStopping) throw new ProblemError({ code: 'unavailable' }, { 'Retry-After': '1' });
  }

  private secret(): string {
    return Buffer.from(this.services.random(new Uint8Array(24))).toString('base64url');
  }
}

/** What the client is told about its connection; it is not the token. */
export function connectionIdOf({ clock, random }: Services): string {
  return newId(clock, random);
}
