import { newId } from '#base/id.ts';
import { limits } from '#protocol/limits.ts';
import { ProblemError } from '#protocol/problem.ts';
import type { Parts } from '../parts.ts';
import { Broadcast } from './broadcast.ts';
import { LongPolling } from './long-polling.ts';
import { Session } from './session.ts';
import type { Comer } from './session.ts';
import type { Timers } from '../timers.ts';
import type { Ears, Transport } from './transport.ts';

/** A client's place at the hub, from `negotiate` to its end. */
export interface Seat {
  /** The secret by which requests name the connection. */
  readonly token: string;
  readonly user: string;
  /** Null until a transport is opened. */
  session: Session | null;
  /** The transport, where it is long polling. */
  polling: LongPolling | null;
}

const RETRY_AFTER_SECONDS = 5;
const STOPPING_MS = 1_500;

/** Every connection of this process. */
export class Hub {
  private readonly parts: Parts;
  private readonly timers: Timers;
  private readonly broadcast: Broadcast;
  private readonly seats = new Map<string, Seat>();
  private emptied: () => void = () => undefined;
  private isStopping = false;

  constructor(parts: Parts, timers: Timers) {
    this.parts = parts;
    this.timers = timers;
    this.broadcast = new Broadcast(parts, timers);
  }

  /** A seat that is kept for a while. @throws ProblemError 429 when the user has too many */
  take({ caller }: Comer): Seat {
    const user = caller.user.id;
    const taken = [...this.seats.values()].filter((seat) => seat.user === user).length;
    if (taken >= limits.hubConnectionsPerUser) throw tooMany();
    if (this.isStopping) throw new ProblemError({ code: 'unavailable' }, { 'Retry-After': '1' });

    const seat: Seat = { token: this.secret(), user, session: null, polling: null };
    this.seats.set(seat.token, seat);
    this.timers.after(limits.hubSilenceMs, () => {
      if (seat.session === null) this.give(seat);
    });
    return seat;
  }

  /** The seat that `token` names, of the same user. @throws ProblemError 404 */
  seatOf(token: string, { caller }: Comer): Seat {
    const seat = this.seats.get(token);
    if (seat?.user !== caller.user.id) throw new ProblemError({ code: 'not-found' });
    return seat;
  }

  /** Opens the connection over the transport that `connect` makes. */
  seatAt(seat: Seat, comer: Comer, connect: (ears: Ears) => Transport): void {
    const around = { parts: this.parts, timers: this.timers, broadcast: this.broadcast };
    seat.session = new Session(around, comer, connect, () => {
      this.give(seat);
    });
  }

  /** The same for long polling, of which only the first poll opens anything. */
  pollingAt(seat: Seat, comer: Comer): LongPolling {
    const { timers } = this;
    if (seat.polling === null) {
      this.seatAt(seat, comer, (ears) => (seat.polling = new LongPolling(ears, timers)));
    }
    if (seat.polling === null) throw new Error('A transport that is not there');
    return seat.polling;
  }

  /** The client will not come back to this seat. */
  dismiss(seat: Seat): void {
    if (seat.session === null) this.give(seat);
    else if (seat.polling === null) seat.session.connection.close(null, true);
    else seat.polling.end();
  }

  /** Tells every client that the server stops; resolves when all are gone, or do not go. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.broadcast.stop();
    const gone = new Promise<void>((done) => {
      this.emptied = done;
      this.timers.after(STOPPING_MS, done);
    });
    for (const seat of [...this.seats.values()]) {
      seat.session?.connection.close(null, true);
      if (seat.session === null) this.give(seat);
    }
    if (this.seats.size > 0) await gone;
  }

  private give(seat: Seat): void {
    this.seats.delete(seat.token);
    if (this.seats.size === 0) this.emptied();
  }

  private secret(): string {
    return Buffer.from(this.parts.random(new Uint8Array(24))).toString('base64url');
  }
}

function tooMany(): ProblemError {
  return new ProblemError(
    { code: 'too-many-requests', meta: { limit: limits.hubConnectionsPerUser } },
    { 'Retry-After': String(RETRY_AFTER_SECONDS) },
  );
}

/** What the client is told about its connection; it is not the token. */
export function connectionIdOf({ clock, random }: Parts): string {
  return newId(clock, random);
}
