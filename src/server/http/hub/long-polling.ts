import { limits } from '#protocol/limits.ts';
import type { TransportListener, Transport } from './transport.ts';
import type { Timers } from '#base/timers.ts';

/** The answer to a poll; null (204) means that the client shall not poll again. */
export type PollAnswer = string | null;

/** A poll is answered a little before its limit, so that the answer arrives within it. */
const ANSWER_EARLY_MS = 5_000;

interface Poll {
  readonly answer: (frames: PollAnswer) => void;
  readonly cancel: () => void;
}

/** Frames wait here until the client asks for them. */
export class LongPolling implements Transport {
  readonly needsPings = false;
  readonly isPostedTo = true;
  private readonly listener: TransportListener;
  private readonly timers: Timers;
  private queue: string[] = [];
  private size = 0;
  private poll: Poll | null = null;
  private hasBegun = false;
  private isClosed = false;
  private isGone = false;
  private stopWaiting: () => void = () => undefined;

  constructor(listener: TransportListener, timers: Timers) {
    this.listener = listener;
    this.timers = timers;
  }

  /**
   * Resolves with frames as soon as there are some; the first poll, and one that waits too long,
   * resolves with ''. A poll that was open resolves with null: nobody waits for it any more.
   *
   * @param left aborted when the connection of this poll breaks off
   */
  receivePoll(left: AbortSignal | null = null): Promise<PollAnswer> {
    // Frames would be lost in the answer to a client that has left.
    if (left?.aborted === true) return Promise.resolve(null);
    this.listener.alive();
    this.answer(null);
    return new Promise((resolve) => {
      const cancel = this.timers.after(limits.hubLongPollMs - ANSWER_EARLY_MS, () => {
        this.answer('');
      });
      const poll = { answer: resolve, cancel };
      this.poll = poll;
      left?.addEventListener('abort', () => {
        if (this.poll === poll) this.forget();
      });
      if (this.hasBegun) this.flush();
      else this.answer('');
      this.hasBegun = true;
    });
  }

  /** Returns true while a poll is open: then the client is there. */
  isPolled(): boolean {
    return this.poll !== null;
  }

  send(frames: string): void {
    if (this.isClosed) return;
    this.queue.push(frames);
    this.size += frames.length;
    this.flush();
  }

  waiting(): number {
    return this.size;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stopWaiting = this.timers.after(limits.hubSilenceMs, () => {
      this.end();
    });
    this.flush();
  }

  private forget(): void {
    this.poll?.cancel();
    this.poll = null;
  }

  private flush(): void {
    if (this.poll === null) return;
    if (this.queue.length > 0) {
      const frames = this.queue.join('');
      this.queue = [];
      this.size = 0;
      this.answer(frames);
      this.listener.drained();
    } else if (this.isClosed) {
      this.answer(null);
      this.end();
    }
  }

  /** The client will not poll again, or has been told that it need not. */
  end(): void {
    this.isClosed = true;
    this.queue = [];
    this.size = 0;
    this.answer(null);
    if (this.isGone) return;
    this.isGone = true;
    this.stopWaiting();
    this.listener.closed();
  }

  private answer(frames: PollAnswer): void {
    const { poll } = this;
    this.poll = null;
    poll?.cancel();
    poll?.answer(frames);
    // From here on the client has a while to poll again.
    if (poll !== null) this.listener.alive();
  }
}
