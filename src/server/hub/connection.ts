import { limits } from '#protocol/limits.ts';
import {
  BadFrame,
  callFrame,
  closeFrame,
  errorFrame,
  FrameReader,
  handshakeFrame,
  parseFrame,
  pingFrame,
  refusalOfHandshake,
  resultFrame,
} from './frames.ts';
import type { Invocation } from './frames.ts';
import type { Timers } from '../timers.ts';
import type { Ears, Transport } from './transport.ts';

/** Why an invocation is completed with an error; the connection stays. */
export class Refused extends Error {
  constructor(code: string) {
    super(code);
    this.name = 'Refused';
  }
}

/** What stands behind a connection. */
export interface Service {
  /** @returns the result of the method. @throws Refused with what the client is told */
  call(target: string, values: readonly unknown[]): Promise<unknown>;
  drained(): void;
  /** The connection is over. Called once. */
  ended(): void;
  /** Something that is no refusal happened while a method ran. */
  failed(error: unknown): void;
}

/** A client that lets more than this wait is no longer sent news, only that there is some. */
const FULL_AT = 1_048_576;
/** A client that lets more than this wait, or asks faster than it takes answers, is cut off. */
const MOST_WAITING = 16 * FULL_AT;
const MOST_INVOCATIONS = 1_000;

/**
 * One client, whatever the transport. First the handshake (`greeting`), then frames both ways
 * (`open`) until either side closes, the client is silent for 30 s, or it lets too much wait
 * (`closed`). Invocations are carried out one after the other, in order.
 */
export class Connection {
  private readonly timers: Timers;
  private readonly service: Service;
  private readonly transport: Transport;
  private readonly reader = new FrameReader();
  private state: 'greeting' | 'open' | 'closed' = 'greeting';
  private isOver = false;
  private work: Promise<void> = Promise.resolve();
  private invocations = 0;
  private stopPings: () => void = () => undefined;
  private stopSilence: () => void = () => undefined;

  constructor(service: Service, timers: Timers, connect: (ears: Ears) => Transport) {
    this.service = service;
    this.timers = timers;
    this.transport = connect({
      heard: (text) => {
        this.hear(text);
      },
      alive: () => {
        this.awaitSound();
      },
      drained: () => {
        service.drained();
      },
      gone: () => {
        this.end();
      },
    });
    this.awaitSound();
  }

  /** Text from the client that came beside the transport: by POST. */
  hear(text: string): void {
    if (this.state === 'closed') return;
    this.awaitSound();
    try {
      for (const frame of this.reader.read(text)) this.take(frame);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.close(error.reason, true);
    }
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Whether the client is so far behind that news should wait. */
  get isFull(): boolean {
    return this.transport.waiting() > FULL_AT;
  }

  call(target: string, ...values: readonly unknown[]): void {
    this.send(callFrame(target, ...values));
  }

  /** Says why, if there is a reason, and whether the client may come back; then ends. */
  close(error: string | null, allowReconnect: boolean): void {
    if (this.state === 'closed') return;
    const wasOpen = this.state === 'open';
    this.state = 'closed';
    this.stopPings();
    this.stopSilence();
    this.transport.send(
      wasOpen ? closeFrame(error, allowReconnect) : handshakeFrame(error ?? 'closed'),
    );
    this.transport.close();
  }

  private take(frame: string): void {
    if (this.state === 'closed') return;
    if (this.state === 'greeting') {
      this.greet(frame);
      return;
    }
    const message = parseFrame(frame);
    switch (message.is) {
      case 'invocation':
        this.enqueue(message);
        return;
      case 'stream':
        this.send(errorFrame(message.id, 'not-found'));
        return;
      case 'close':
        this.close(null, true);
        return;
      case 'ping':
      case 'unknown':
        return;
    }
  }

  private greet(frame: string): void {
    const refusal = refusalOfHandshake(frame);
    if (refusal !== null) {
      this.close(refusal, false);
      return;
    }
    this.state = 'open';
    this.send(handshakeFrame(null));
    if (this.transport.needsPings) this.pingLater();
  }

  private enqueue(invocation: Invocation): void {
    this.invocations += 1;
    if (this.invocations > MOST_INVOCATIONS) {
      this.close('too-many-requests', true);
      return;
    }
    this.work = this.work.then(() => this.carryOut(invocation));
  }

  private async carryOut({ id, target, arguments: values }: Invocation): Promise<void> {
    if (this.state !== 'closed') {
      const answer = await this.service.call(target, values).then(
        (result) => (id === null ? null : resultFrame(id, result)),
        (error: unknown) => (id === null ? null : errorFrame(id, this.codeOf(error))),
      );
      if (answer !== null) this.send(answer);
    }
    this.invocations -= 1;
  }

  private codeOf(error: unknown): string {
    if (error instanceof Refused) return error.message;
    this.service.failed(error);
    return 'internal';
  }

  private send(frame: string): void {
    if (this.state === 'closed') return;
    this.transport.send(frame);
    if (this.transport.waiting() > MOST_WAITING) this.close(null, true);
  }

  private pingLater(): void {
    this.stopPings = this.timers.after(limits.hubPingEveryMs, () => {
      this.send(pingFrame);
      this.pingLater();
    });
  }

  private awaitSound(): void {
    this.stopSilence();
    if (this.state === 'closed') return;
    this.stopSilence = this.timers.after(limits.hubSilenceMs, () => {
      if (this.transport.isAsked()) this.awaitSound();
      else this.close(null, true);
    });
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.state = 'closed';
    this.stopPings();
    this.stopSilence();
    this.service.ended();
  }
}
