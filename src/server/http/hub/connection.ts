import type { Clock } from '#base/id.ts';
import { closeReasons } from '#protocol/hub.ts';
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
import type { Timers } from '#base/timers.ts';
import type { TransportListener, Transport } from './transport.ts';

/** The invocation is completed with this error; the connection stays. */
export class InvocationError extends Error {
  constructor(code: string) {
    super(code);
    this.name = 'InvocationError';
  }
}

/** The handler behind a connection: it runs the methods and learns of the connection's end. */
export interface ConnectionHandler {
  /** @returns the result of the method. @throws InvocationError with what the client is told */
  call(target: string, values: readonly unknown[]): Promise<unknown>;
  drained(): void;
  /** Returns true when the person may have this many more characters of invocations waiting. */
  admits(size: number): boolean;
  /** This many of the admitted characters have been handled. */
  completed(size: number): void;
  /** The connection is over, though accepted work may be left. It is called once. */
  ended(): void;
  /** The connection is over, and all accepted work is done. It is called once. */
  finished(): void;
  /** An error that is no refusal happened while a method ran. */
  failed(error: unknown): void;
}

/**
 * A client with more waiting bytes than this gets no updates any more, only the message that there
 * are some.
 */
const FULL_AT = 1_048_576;
/**
 * A client with more waiting bytes than this, or one that asks faster than it takes answers, is cut
 * off.
 */
const MOST_WAITING = 16 * FULL_AT;
const MOST_INVOCATIONS = 1_000;
/** At most this many characters of invocations may wait. */
const MOST_INVOKED = 8 * FULL_AT;
/** For this time after the client has left, requests that it sent before may still arrive. */
const LATE_POSTS_WITHIN_MS = 2_000;
const SECOND_MS = 1_000;
const TOO_MANY = 'too-many-requests';

/** The clock and the timers of a connection. */
export interface ConnectionClock {
  readonly clock: Clock;
  readonly timers: Timers;
}

/**
 * One client, whatever the transport. First comes the handshake (`greeting`), within 30 s, then
 * frames both ways (`open`) until either side closes, the client is silent for 30 s, sends too much
 * at once or lets too much wait (`closed`). Invocations run one after the other, in order, also
 * after the end, unless the connection ended because the person lost all access. A client that
 * leaves may have posted more than has arrived: that runs too.
 */
export class Connection {
  private readonly time: ConnectionClock;
  private readonly service: ConnectionHandler;
  private readonly transport: Transport;
  private readonly reader = new FrameReader();
  private state: 'greeting' | 'open' | 'closed' = 'greeting';
  private isOver = false;
  /** Accepted invocations do not run any more: the person was locked, or their token ended. */
  private isRevoked = false;
  /** The client has left, and what it posted before that is still accepted. */
  private acceptsLatePosts = false;
  private stopLatePosts: () => void = () => undefined;
  private messages = 0;
  private countedFrom = 0;
  private work: Promise<void> = Promise.resolve();
  private invocations = 0;
  private invoked = 0;
  private stopPings: () => void = () => undefined;
  private stopSilence: () => void = () => undefined;

  constructor(
    service: ConnectionHandler,
    time: ConnectionClock,
    connect: (listener: TransportListener) => Transport,
  ) {
    this.service = service;
    this.time = time;
    this.transport = connect({
      received: (bytes) => {
        this.receive(bytes);
      },
      alive: () => {
        this.markAlive();
      },
      drained: () => {
        service.drained();
      },
      closed: () => {
        this.end();
      },
    });
    this.restartSilenceTimer();
  }

  /**
   * Receives a message from the client, also one that came beside the transport, by POST.
   *
   * @returns false when the connection is over, and nothing of the message is carried out
   */
  receive(bytes: Buffer): boolean {
    if (this.state === 'closed' && !this.acceptsLatePosts) return false;
    this.markAlive();
    this.read(bytes);
    return true;
  }

  private read(bytes: Buffer): void {
    try {
      let frames = 0;
      for (const frame of this.reader.read(bytes)) {
        frames += 1;
        this.count();
        this.take(frame);
        if (this.isClosed && !this.acceptsLatePosts) return;
      }
      if (frames === 0) this.count();
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.close(error.reason, true);
    }
  }

  get isOpen(): boolean {
    return this.state === 'open';
  }

  /** Nothing that arrives from now on is accepted; what was accepted still runs. */
  refuseLatePosts(): void {
    this.stopLatePosts();
  }

  // This is a getter, because the state changes in ways that the compiler cannot see.
  private get isClosed(): boolean {
    return this.state === 'closed';
  }

  /** True when the client is so far behind that updates should wait. */
  get isFull(): boolean {
    return this.transport.waiting() > FULL_AT;
  }

  call(target: string, ...values: readonly unknown[]): void {
    this.send(callFrame(target, ...values));
  }

  /** Sends the reason, if there is one, and whether the client may come back; then ends. */
  close(error: string | null, allowReconnect: boolean): void {
    if (error === closeReasons.locked || error === closeReasons.notSignedIn) this.isRevoked = true;
    if (error !== null) this.acceptsLatePosts = false;
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

  /**
   * Counts one more message of this second; a frame is a message, and so is a piece that completes
   * none.
   */
  private count(): void {
    const now = this.time.clock();
    const isPast = Math.abs(now - this.countedFrom) >= SECOND_MS;
    if (isPast) this.countedFrom = now;
    this.messages = isPast ? 1 : this.messages + 1;
    if (this.messages > limits.hubMessagesPerSecond) this.close(TOO_MANY, true);
  }

  private take(frame: string): void {
    if (this.isClosed && !this.acceptsLatePosts) return;
    if (this.state === 'greeting') {
      this.greet(frame);
      return;
    }
    const message = parseFrame(frame);
    switch (message.is) {
      case 'invocation':
        this.enqueue(message, frame.length);
        return;
      case 'stream':
        this.send(errorFrame(message.id, 'not-found'));
        return;
      case 'close':
        this.acceptsLatePosts = true;
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
    this.restartSilenceTimer();
    this.send(handshakeFrame(null));
    if (this.transport.needsPings) this.pingLater();
  }

  private enqueue(invocation: Invocation, size: number): void {
    const isTooMuch = this.invocations >= MOST_INVOCATIONS || this.invoked + size > MOST_INVOKED;
    if (isTooMuch || !this.service.admits(size)) {
      this.close(TOO_MANY, true);
      return;
    }
    this.invocations += 1;
    this.invoked += size;
    this.work = this.work.then(async () => {
      await this.runInvocation(invocation);
      this.invocations -= 1;
      this.invoked -= size;
      this.service.completed(size);
    });
  }

  private async runInvocation({ id, target, arguments: values }: Invocation): Promise<void> {
    if (!this.isRevoked) {
      const answer = await this.service.call(target, values).then(
        (result) => (id === null ? null : resultFrame(id, result)),
        (error: unknown) => (id === null ? null : errorFrame(id, this.codeOf(error))),
      );
      if (answer !== null) this.send(answer);
    }
  }

  private codeOf(error: unknown): string {
    if (error instanceof InvocationError) return error.message;
    this.service.failed(error);
    return 'internal';
  }

  private send(frame: string): void {
    if (this.state === 'closed') return;
    this.transport.send(frame);
    if (this.transport.waiting() > MOST_WAITING) this.close(null, true);
  }

  private pingLater(): void {
    this.stopPings = this.time.timers.after(limits.hubPingEveryMs, () => {
      this.send(pingFrame);
      this.pingLater();
    });
  }

  /** The client is alive. The handshake's time counts from the start, whatever arrives. */
  private markAlive(): void {
    if (this.state === 'open') this.restartSilenceTimer();
  }

  private restartSilenceTimer(): void {
    this.stopSilence();
    this.stopSilence = this.time.timers.after(limits.hubSilenceMs, () => {
      if (this.state === 'open' && this.transport.isPolled()) this.restartSilenceTimer();
      else this.close(null, true);
    });
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.state === 'open') this.acceptsLatePosts = true;
    this.state = 'closed';
    this.stopPings();
    this.stopSilence();
    // The handler may refuse late posts at once, for example while the server stops.
    const latePosts = this.latePosts();
    this.service.ended();
    void latePosts
      .then(() => this.work)
      .then(() => {
        this.service.finished();
      });
  }

  /** Resolves when nothing that arrives is accepted any more. */
  private async latePosts(): Promise<void> {
    if (!this.acceptsLatePosts || !this.transport.isPostedTo) return;
    await new Promise<void>((done) => {
      const cancel = this.time.timers.after(LATE_POSTS_WITHIN_MS, done);
      this.stopLatePosts = () => {
        cancel();
        done();
      };
    });
    this.acceptsLatePosts = false;
  }
}
